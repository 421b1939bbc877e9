"""The rows of the audit's file, and the values that the documents print."""

import math
import re
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pandas as pd

from byhand import DataError
from helpers.places import DATA

Value = Fraction | float

# values in words, with their tolerances: "almost full marks" is 1 to a tenth
_IN_WORDS: dict[str, tuple[Value, Fraction]] = {
    "zero": (Fraction(0), Fraction(0)),
    "um": (Fraction(1), Fraction(0)),
    "quase máxima": (Fraction(1), Fraction(1, 10)),
    "—": (math.inf, Fraction(0)),
}
_DIGITS = re.compile(r"(?P<about>~?)(?P<whole>\d+|\d{1,3}(,\d{3})+)(\.(?P<decimals>\d+))?(?P<x>x?)")


class PrintedValue(NamedTuple):
    """A printed value and its tolerance: half a unit of the last digit.

    The tolerance is 0 for fractions, and for whole numbers unless they are marked as rough. The
    rank of a missing item is infinite.
    """

    value: Value
    within: Fraction = Fraction(0)

    @classmethod
    def parse(cls, text: str) -> "PrintedValue":
        """Parse a printed value, or raise `DataError`."""
        if text in _IN_WORDS:
            return cls(*_IN_WORDS[text])
        if re.fullmatch(r"\d+/\d+", text):
            return cls(Fraction(text))
        match = _DIGITS.fullmatch(text)
        if not match:
            raise DataError(
                f"{text!r} is not a printed value. Expected digits such as '0.5111', '~81' or "
                f"'6x', a fraction such as '3/4', or one of {', '.join(map(repr, _IN_WORDS))}."
            )
        decimals = match["decimals"] or ""
        value = Fraction(f"{match['whole'].replace(',', '')}.{decimals or 0}")
        rough = decimals or match["about"] or match["x"]
        return cls(value, Fraction(1, 2 * 10 ** len(decimals)) if rough else Fraction(0))

    def agrees(self, computed: Value) -> bool:
        """Return whether the computed value rounds to the printed one."""
        if math.inf in (self.value, computed):
            return self.value == computed
        return abs(self.value - Fraction(computed)) <= self.within


@cache
def rows() -> pd.DataFrame:
    """Return the rows of the data file by `id`, as text."""
    file = DATA / "documented-values.csv"
    return pd.read_csv(file, dtype=str, keep_default_na=False, index_col="id")


def printed_value(row: str) -> PrintedValue:
    """Return the printed value of a row, with its tolerance."""
    if row not in rows().index:
        raise DataError(f"There is no row {row!r}. Expected the id of a row with a printed value.")
    return PrintedValue.parse(rows().at[row, "documented"])


def printed(row: str) -> Value:
    """Return the printed value of a row."""
    return printed_value(row).value
