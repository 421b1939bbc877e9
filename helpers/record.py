"""The audit of published values: every number in the five documents, recomputed.

A row of `data/documented-values.csv` is a value in a document: a result, an intermediate step, or
an interpretation ("rank 2 on average", "6x better"). Rows of the kind `claim` are statements
without a number that a computation can decide.

Verdicts are always computed. `recomputed.csv` has formulas by the id of a row: the computed value
(values of lists and means need none), the value that a claim states, and whether a statement about
a `value` is true.
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

IN_WORDS = ("section", "what", "how", "why")  # columns with words
Verdict = Literal["right", "rounding", "wrong", "misleading", "no data"]
# claims that a published source decides; `why` cites it
CITED = {"ko-clicks", "d4-used-in"}
# rows on our reconstruction of the spots table, which cannot confirm the original
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
    """Return formulas by `id`, as Python with the names of `measuring` and `spots`."""
    file = Path(__file__).with_name("recomputed.csv")
    found = pd.read_csv(file, sep=";", dtype=str, keep_default_na=False, index_col="id")
    found = found.reindex(rows().index, fill_value="")
    for row, entry in rows()[rows()["example"] != ""].iterrows():
        known, measure = f"{entry['document']}/{entry['example']}", entry["measure"]
        of_lists = f"of({measure!r}, {known!r}, {entry['list']!r})"
        found.at[row, "formula"] = of_lists if entry["list"] else f"mean({measure!r}, {known!r})"
    return found


def _result(formula: str, **given: Value) -> Value:
    return eval(formula, _KNOWN | given)


def documented_values() -> pd.DataFrame:
    """Return every number in the five documents, recomputed, with a verdict.

    Returns:
        One row per value, by `id`: `document`, `section`, `kind`, `what` it is, `documented` (the
        printed value, or the words of a claim), `how` it is computed, `computed` (a Fraction if
        exact, else a float; None without data), `verdict` and `why`.

    Raises:
        DataError: If the value or formula of a row cannot be read.

    References:
        `data/documented-values.csv`; `data/README.md` defines its rows.

    Example:
        >>> row = documented_values().loc["tracin-a-ap"]  # (1/1 + 2/4 + 3/5) / 3
        >>> row["documented"], str(row["computed"]), row["verdict"]
        ('0.7333', '7/10', 'wrong')
    """
    table = rows()
    texts = table[[*IN_WORDS]].map(_)
    computed, verdicts = zip(*map(judged, table.index), strict=True)
    return table[["document", "section", "kind", "what", "documented"]].assign(
        section=texts["section"],
        what=texts["what"],
        how=texts["how"].where(
            (formulas()["formula"] != "") | table.index.isin([*CITED]),
            _("no data to compute it from"),
        ),
        computed=pd.Series(computed, table.index, dtype=object),
        verdict=pd.Series(map(name, verdicts), table.index, dtype=table["why"].dtype),
        why=texts["why"],
    )


def judged(row: str) -> tuple[Value | None, Verdict]:
    """Return the computed value of a row, and its verdict."""
    entry, (formula, says, holds) = rows().loc[row], formulas().loc[row]
    try:
        stated = None if entry["kind"] == "claim" else PrintedValue.parse(entry["documented"])
        if not formula:
            return None, "right" if row in CITED else "no data"
        value = exact(_result(formula))
        found = verdict(
            stated or PrintedValue(exact(_result(says)) if says else value),
            value,
            steps=[printed_value(step) for step in entry["steps"].split()],
            holds=not holds or bool(_result(holds, value=value)),
            published=row not in ON_OUR_TABLE,
        )
    except Exception as error:  # formulas may raise any error
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
    """Return the verdict on a printed value, as `data/README.md` defines it.

    Args:
        printed: the printed value.
        computed: the computed value; None without data.
        steps: printed values whose mean it is; none by default.
        holds: whether the document's statement about it is true; True by default.
        published: whether the document has the data for `computed`; True by default.
    """
    if computed is None:
        return "no data"
    if printed.agrees(computed):
        if not published:
            return "no data"
        return "right" if holds else "misleading"
    if steps:
        from_steps = average(step.value for step in steps)
        # limits the difference to rounding, so that wrong steps are not excused
        lost = max(step.within for step in steps)
        if printed.agrees(from_steps) and abs(from_steps - Fraction(computed)) <= lost:
            return "rounding"
    return "wrong"
