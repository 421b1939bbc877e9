"""The record: every number in the five documents, beside what comes out when it is recomputed.

A row of `data/documented-values.csv` is one value that a document states: as a result, as a step
on the way to one, or as an interpretation ("rank 2 on average", "6x better"). A statement without
a number is a row, too, of the kind `claim`, if a computation can decide it.

Verdicts are computed, never typed in. `recomputed.csv` has, by the id of a row, the formula of what
comes out (that of the value of a list or a mean follows from the row's own columns), of the value
that a claim names, and of whether what is said of a `value` is true.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import median
from typing import Literal

import pandas as pd

from byhand import DataError, average_precision, chance
from helpers import measuring, spots
from helpers.measuring import average, exact
from helpers.printed_values import PrintedValue, Value, printed_value, rows
from helpers.translation import gettext as _, name

IN_WORDS = ("section", "what", "how", "why")  # columns that are words
Verdict = Literal["right", "rounding", "wrong", "misleading", "no data"]
# claims of a fact that a published source settles, which `why` names
CITED = {"ko-clicks", "d4-used-in"}
# that table of spots is our reconstruction, so what comes out of it reproduces nothing
ON_OUR_TABLE = {
    f"spots-{each}"
    for each in (
        *("steins-weighted-original", "steins-normalized-original", "love-weighted-original"),
        *("love-weighted-corrected", "love-normalized-original", "love-normalized-corrected"),
    )
}
_KNOWN = vars(spots) | vars(measuring)
_KNOWN |= {"average_precision": average_precision, "chance": chance, "median": median}


@cache
def formulas() -> pd.DataFrame:
    """The formulas of each row, as Python in the words of `measuring` and `spots`, by `id`."""
    file = Path(__file__).with_name("recomputed.csv")
    found = pd.read_csv(file, sep=";", dtype=str, keep_default_na=False, index_col="id")
    found = found.reindex(rows().index, fill_value="")
    for row, held in rows()[rows()["example"] != ""].iterrows():
        known, measure = f"{held['document']}/{held['example']}", held["measure"]
        of_lists = f"of({measure!r}, {known!r}, {held['list']!r})"
        found.at[row, "formula"] = of_lists if held["list"] else f"mean({measure!r}, {known!r})"
    return found


def _result(formula: str, **given: Value) -> Value:
    return eval(formula, _KNOWN | given)


def documented_values() -> pd.DataFrame:
    """Every number in the five documents, recomputed, with a verdict.

    Returns:
        One row a value, by `id`: `document`, `section`, its `kind`, `what` it is, `documented`
        (the value as printed, or the words of a claim), `how` it is computed here, `computed`
        (a Fraction where it is exact, else a float; None without data), `verdict` and `why`.

    Raises:
        DataError: a row of the data file whose value or computation cannot be read.

    Source:
        `data/documented-values.csv`; `data/README.md` says what is a row and what is not.

    Example:
        >>> row = documented_values().loc["tracin-a-ap"]  # (1/1 + 2/4 + 3/5) / 3
        >>> row["documented"], str(row["computed"]), row["verdict"]
        ('0.7333', '7/10', 'wrong')
    """
    table = rows()
    said = table[[*IN_WORDS]].map(_)
    computed, verdicts = zip(*map(judged, table.index), strict=True)
    return table[["document", "section", "kind", "what", "documented"]].assign(
        section=said["section"],
        what=said["what"],
        how=said["how"].where(
            (formulas()["formula"] != "") | table.index.isin([*CITED]),
            _("no data to compute it from"),
        ),
        computed=pd.Series(computed, table.index, dtype=object),
        verdict=pd.Series(map(name, verdicts), table.index, dtype=table["why"].dtype),
        why=said["why"],
    )


def judged(row: str) -> tuple[Value | None, Verdict]:
    """What a row comes to, and its verdict."""
    held, (formula, says, holds) = rows().loc[row], formulas().loc[row]
    try:
        stated = None if held["kind"] == "claim" else PrintedValue.parse(held["documented"])
        if not formula:
            return None, "right" if row in CITED else "no data"
        value = exact(_result(formula))
        found = verdict(
            stated or PrintedValue(exact(_result(says)) if says else value),
            value,
            steps=[printed_value(step) for step in held["steps"].split()],
            holds=not holds or bool(_result(holds, value=value)),
            published=row not in ON_OUR_TABLE,
        )
    except Exception as error:  # a computation can end in any
        raise DataError(f"Row {row!r} of documented-values.csv: {error}") from error
    return value, found


def verdict(
    printed: PrintedValue,
    computed: Value | None,
    *,
    steps: Sequence[PrintedValue] = (),
    holds: bool = True,
    published: bool = True,
) -> Verdict:
    """What to think of a printed value: `data/README.md` says when it is which verdict.

    `steps` are the printed values whose mean it is, `holds` says whether what the document says of
    it is true, and `published` whether what was `computed` comes from data of the document.
    """
    if computed is None:
        return "no data"
    if printed.agrees(computed):
        if not published:
            return "no data"
        return "right" if holds else "misleading"
    if steps:
        from_steps = average(step.value for step in steps)
        # steps that are wrong themselves would lead further away than their last digit
        lost = max(step.within for step in steps)
        if printed.agrees(from_steps) and abs(from_steps - Fraction(computed)) <= lost:
            return "rounding"
    return "wrong"
