"""The rows of the record as its file has them, and the values that the documents print."""

import math
import re
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pandas as pd

from byhand import DataError
from helpers.places import DATA

Value = Fraction | float

# how the documents write a value other than in digits; "almost full marks" is 1 to a tenth
_IN_WORDS: dict[str, tuple[Value, Fraction]] = {
    "zero": (Fraction(0), Fraction(0)),
    "um": (Fraction(1), Fraction(0)),
    "quase máxima": (Fraction(1), Fraction(1, 10)),
    "—": (math.inf, Fraction(0)),
}
_DIGITS = re.compile(r"(?P<about>~?)(?P<whole>\d+|\d{1,3}(,\d{3})+)(\.(?P<decimals>\d+))?(?P<x>x?)")


class PrintedValue(NamedTuple):
    """A value as a document prints it, and how far the exact value may be from it.

    That is half a unit of the last printed digit; nothing for fractions, and for whole numbers
    unless they are marked as rough. The rank of an item that was not found is infinite.
    """

    value: Value
    within: Fraction = Fraction(0)

    @classmethod
    def parse(cls, text: str) -> "PrintedValue":
        """A printed value out of its text; DataError if that is none."""
        if text in _IN_WORDS:
            return cls(*_IN_WORDS[text])
        if re.fullmatch(r"\d+/\d+", text):
            return cls(Fraction(text))
        match = _DIGITS.fullmatch(text)
        if not match:
            raise DataError(
                f"{text!r} is no printed value. Expected digits such as '0.5111', '~81' or '6x', "
                f"a fraction such as '3/4', or one of {', '.join(map(repr, _IN_WORDS))}."
            )
        decimals = match["decimals"] or ""
        value = Fraction(f"{match['whole'].replace(',', '')}.{decimals or 0}")
        rough = decimals or match["about"] or match["x"]
        return cls(value, Fraction(1, 2 * 10 ** len(decimals)) if rough else Fraction(0))

    def agrees(self, computed: Value) -> bool:
        """Whether the computed value would be printed like this."""
        if math.inf in (self.value, computed):
            return self.value == computed
        return abs(self.value - Fraction(computed)) <= self.within


@cache
def rows() -> pd.DataFrame:
    """The rows of the data file, as text, by `id`."""
    file = DATA / "documented-values.csv"
    return pd.read_csv(file, dtype=str, keep_default_na=False, index_col="id")


def printed_value(row: str) -> PrintedValue:
    """The value that a row of the record has in its document, and how far the exact one may be."""
    if row not in rows().index:
        raise DataError(f"There is no row {row!r}. Expected the id of a row with a printed value.")
    return PrintedValue.parse(rows().at[row, "documented"])


def printed(row: str) -> Value:
    """The value that a row of the record has in its document."""
    return printed_value(row).value
