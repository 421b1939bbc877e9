"""Reported means: parsing of the printed text, and matching of values."""

import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from byhand.metrics.measures import Measure

EXACT = 1e-9


class Reported(NamedTuple):
    """A reported mean of a measure."""

    measure: str
    number: float
    unit: float  # unit of its last digit

    def matches(self, values: np.ndarray, cut: np.ndarray) -> np.ndarray:
        """Return a mask of the values that are printed as this number; `cut` means truncated."""
        apart = values - self.number
        low = np.where(cut, 0.0, -self.unit / 2)
        high = np.where(cut, self.unit - 2 * EXACT, self.unit / 2)
        return (apart >= low - EXACT) & (apart <= high + EXACT)


def read_reported(
    reported: Mapping[object, object], measures: Mapping[str, Measure], *, most: float = 1.0
) -> list[Reported]:
    """Read the numbers for `which_conventions`; those above `most` are percentages."""
    if not reported:
        raise ValueError('reported is empty. Pass numbers as text: {"nDCG@10": "0.3654"}.')
    return [
        Reported(str(name), *_number(str(name), text, measures[str(name)], most))
        for name, text in reported.items()
    ]


def _number(name: str, text: object, measure: Measure, most: float) -> tuple[float, float]:
    if not isinstance(text, str):
        raise ValueError(
            f"{name}: {text!r} is not text, and a number alone does not show how many digits "
            f'were printed. Pass it in quotes: {{"{name}": "{text}"}}.'
        )
    match = re.fullmatch(r"\s*(\d*[.,]?(\d*))\s*(%?)\s*", text)
    if not match or not re.search(r"\d", text):
        raise ValueError(f"{name}: {text!r} is not a number. Pass it as printed, such as '0.3654'.")
    number, digits = float(match[1].replace(",", ".")), len(match[2])
    if match[3] or (number > most and measure.highest is not None):
        number, digits = number / 100, digits + 2
    return round(number, digits), 10.0**-digits
