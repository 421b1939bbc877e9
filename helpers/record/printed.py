"""The rows of the record, and the values in them as the documents print them."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import pandas as pd

from byhand.errors import DataError
from helpers.places import DATA

Number = Fraction | float

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


@cache
def record() -> pd.DataFrame:
    """The rows of `data/documented-values.csv`, as text, by `id`."""
    return pd.read_csv(
        DATA / "documented-values.csv", dtype=str, keep_default_na=False, index_col="id"
    )


def printed_value(row: str) -> Printed:
    """The value that a row of the record has in its document.

    Args:
        row: the id of a row.

    Raises:
        DataError: no such row, or one without a number.

    Example:
        >>> printed_value("tracin-a-ap").value
        Fraction(7333, 10000)
    """
    rows = record()
    if row not in rows.index:
        raise DataError(f"There is no row {row!r}. Expected the id of a row with a printed value.")
    return Printed.parse(rows.at[row, "documented"])
