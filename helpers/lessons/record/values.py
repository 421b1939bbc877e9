"""The record: every number in the five documents, beside what comes out when it is recomputed.

A row of `data/documented-values.csv` is one value that a document states: as a result, as a step
on the way to one, or as an interpretation ("rank 2 on average", "6x better"). A statement without
a number is a row, too, of the kind `claim`, if a computation can decide it. What is put in is no
row: items and lengths of lists, cutoffs, thresholds, counts of examples; nor is a number that is
only carried over from one line of a calculation to the next.

Verdicts are computed, never typed in. `helpers.lessons.record.printed_numbers` computes the numbers
and `helpers.lessons.record.claims` decides the claims.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from statistics import mean
from typing import Literal

import pandas as pd

from helpers.errors import DataError
from helpers.lessons.places import DATA
from helpers.lessons.record.claims import CLAIMS
from helpers.lessons.record.printed_numbers import NUMBERS
from helpers.lessons.record.recomputed import Number, Recomputed

Verdict = Literal["reproduced", "rounding", "wrong", "misleading", "not reproducible"]

# how the documents write a value other than in digits; "almost full marks" is 1 to a tenth
_WORDS: dict[str, tuple[Number, Fraction]] = {
    "zero": (Fraction(0), Fraction(0)),
    "um": (Fraction(1), Fraction(0)),
    "quase máxima": (Fraction(1), Fraction(1, 10)),
    "—": (math.inf, Fraction(0)),
}
_DIGITS = re.compile(r"(?P<about>~?)(?P<whole>\d+|\d{1,3}(,\d{3})+)(\.(?P<decimals>\d+))?(?P<x>x?)")


@dataclass(frozen=True)
class Printed:
    """A value as a document prints it: `"0.5111"`, `"~81"`, `"6x"`, `"3/4"`.

    Attributes:
        value: what the text says; infinity for the rank of an item that was not found.
        within: how far the exact value may be from it: half a unit of the last printed digit.
            Nothing for fractions, and for whole numbers unless they are marked as rough.

    Example:
        >>> Printed.parse("6x")
        Printed(value=Fraction(6, 1), within=Fraction(1, 2))
    """

    value: Number
    within: Fraction

    @classmethod
    def parse(cls, text: str) -> "Printed":
        """Read a printed value.

        Raises:
            DataError: a text that is no value.
        """
        if text in _WORDS:
            return cls(*_WORDS[text])
        if re.fullmatch(r"\d+/\d+", text):
            return cls(Fraction(text), Fraction(0))
        match = _DIGITS.fullmatch(text)
        if not match:
            raise DataError(
                f"{text!r} is no printed value. Expected digits such as '0.5111', '~81' or '6x', "
                f"a fraction such as '3/4', or one of {', '.join(map(repr, _WORDS))}."
            )
        decimals = match["decimals"] or ""
        value = Fraction(f"{match['whole'].replace(',', '')}.{decimals or 0}")
        rough = decimals or match["about"] or match["x"]
        return cls(value, Fraction(1, 2 * 10 ** len(decimals)) if rough else Fraction(0))

    def agrees(self, computed: Number) -> bool:
        """Whether the computed value would be printed like this."""
        if math.inf in (self.value, computed):
            return self.value == computed
        return abs(self.value - Fraction(computed)) <= self.within


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
        printed, explains it; `"wrong"`: it does not; `"not reproducible"`: no data to decide.

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


@cache
def _record() -> pd.DataFrame:
    return pd.read_csv(
        DATA / "documented-values.csv", dtype=str, keep_default_na=False, index_col="id"
    )


@cache
def _printed() -> dict[str, Printed]:
    numbers = _record().query("kind != 'claim'")["documented"]
    return {row: Printed.parse(text) for row, text in numbers.items()}


def documented_values() -> pd.DataFrame:
    """Every number in the five documents, recomputed, with a verdict.

    Returns:
        One row a value, by `id`: `document`, `section`, `what` it is, `documented` (the value as
        printed, or the words of a claim), `how` it is computed here, `computed` (a Fraction
        where it is exact, else a float; None without data), `verdict` and `why`.

    Raises:
        DataError: a row of the data file whose value cannot be read.

    Source:
        `data/documented-values.csv`; `data/README.md` says what is a row and what is not.

    Example:
        >>> row = documented_values().loc["tracin-a-ap"]  # (1/1 + 2/4 + 3/5) / 3
        >>> row["documented"], str(row["computed"]), row["verdict"]
        ('0.7333', '7/10', 'wrong')
    """
    record = _record()
    values = {row: printed.value for row, printed in _printed().items()}
    found = [_judged(row, steps.split(), values) for row, steps in record["steps"].items()]
    how, computed, verdicts = zip(*found, strict=True)
    return pd.DataFrame(
        {
            "document": record["document"],
            "section": record["section"],
            "what": record["what"],
            "documented": record["documented"],
            "how": how,
            "computed": pd.Series(computed, index=record.index, dtype=object),
            "verdict": verdicts,
            "why": record["why"],
        }
    )


def _judged(
    row: str, steps: list[str], values: dict[str, Number]
) -> tuple[str, Number | None, Verdict]:
    recomputed = (NUMBERS | CLAIMS).get(row)
    if recomputed is None:
        return "no data to compute it from", None, "not reproducible"
    computed = recomputed.value(values)
    found = verdict(
        _meant(row, recomputed, computed),
        computed,
        steps=[_printed()[step] for step in steps],
        holds=recomputed.holds is None or recomputed.holds(values),
        published=recomputed.published,
    )
    return recomputed.how, computed, found


def _meant(row: str, recomputed: Recomputed, computed: Number) -> Printed:
    """The printed number; of a claim, the number that it says comes out."""
    if row in _printed():
        return _printed()[row]
    said = recomputed.said() if recomputed.said else computed
    return Printed(said, Fraction(0))
