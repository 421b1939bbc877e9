"""The record: every number in the five documents, beside what comes out when it is recomputed.

A row of `data/documented-values.csv` is one value that a document states: as a result, as a step
on the way to one, or as an interpretation ("rank 2 on average", "6x better"). A statement without
a number is a row, too, of the kind `claim`, if a computation can decide it. What is put in is no
row: items and lengths of lists, cutoffs, thresholds, counts of examples; nor is a number that is
only carried over from one line of a calculation to the next.

Verdicts are computed, never typed in. The column `compute` says how a value is recomputed, and
`helpers.record.claims` decides what is said of it.
"""

from collections.abc import Sequence
from fractions import Fraction
from statistics import mean
from typing import Literal, NamedTuple

import pandas as pd

from byhand.errors import DataError
from helpers.record.claims import d4, ko, pt, spots, tracin
from helpers.record.claims.claim import Claim, value_of
from helpers.record.printed import Number, Printed, printed_value, record
from helpers.record.recomputed import shown_how

CLAIMS = ko.CLAIMS | pt.CLAIMS | d4.CLAIMS | tracin.CLAIMS | spots.CLAIMS

Verdict = Literal["reproduced", "rounding", "wrong", "misleading", "not reproducible"]


def verdict(
    printed: Printed,
    computed: Number | None,
    *,
    steps: Sequence[Printed] = (),
    holds: bool = True,
    published: bool = True,
) -> Verdict:
    """What to think of a printed value.

    Args:
        printed: the value in the document.
        computed: the exact value; None where nothing can be computed.
        steps: the printed values whose mean the printed value is, if there are any.
        holds: whether that which the document says of the number is true.
        published: whether the computed value comes from data of the document.

    Returns:
        `"reproduced"`: equal at the printed precision, and what is said of it holds;
        `"misleading"`: equal, and it does not hold; `"rounding"`: the mean of the steps, as
        printed, explains it; `"wrong"`: it does not; `"not reproducible"`: nothing to decide it by.

    Example:
        >>> steps = [Printed.parse("1.0000"), Printed.parse("0.6667")]
        >>> verdict(Printed.parse("0.8334"), Fraction(5, 6), steps=steps)
        'rounding'
    """
    if computed is None:
        return "not reproducible"
    if printed.agrees(computed):
        if not published:
            return "not reproducible"
        return "reproduced" if holds else "misleading"
    return "rounding" if steps and _is_rounding(printed, computed, steps) else "wrong"


def _is_rounding(printed: Printed, computed: Number, steps: Sequence[Printed]) -> bool:
    from_steps = mean(Fraction(step.value) for step in steps)
    # steps that are wrong themselves would lead further away than their last digit
    lost = max(step.within for step in steps)
    return printed.agrees(from_steps) and abs(from_steps - Fraction(computed)) <= lost


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
    rows = record()
    found = [_judged(row) for row in rows.itertuples()]
    how, computed_values, verdicts = zip(*found, strict=True)
    return pd.DataFrame(
        {
            "document": rows["document"],
            "section": rows["section"],
            "kind": rows["kind"],
            "what": rows["what"],
            "documented": rows["documented"],
            "how": how,
            "computed": pd.Series(computed_values, index=rows.index, dtype=object),
            "verdict": verdicts,
            "why": rows["why"],
        }
    )


def _judged(row: NamedTuple) -> tuple[str, Number | None, Verdict]:
    try:
        stated = None if row.kind == "claim" else Printed.parse(row.documented)
        if not row.compute:
            return "no data to compute it from", None, "not reproducible"
        return shown_how(row.compute), *_recomputed(row, stated)
    except ValueError as error:
        raise DataError(f"Row {row.Index!r} of documented-values.csv: {error}") from error


def _recomputed(row: NamedTuple, stated: Printed | None) -> tuple[Number, Verdict]:
    claim = CLAIMS.get(row.Index, Claim())
    value = value_of(row.compute if claim.value is None else claim.value)
    if stated is None:
        stated = Printed(value if claim.said is None else value_of(claim.said), Fraction(0))
    found = verdict(
        stated,
        value,
        steps=[printed_value(step) for step in row.steps.split()],
        holds=claim.holds(value),
        published="spots.csv" not in row.compute,  # that table is our reconstruction
    )
    return value, found
