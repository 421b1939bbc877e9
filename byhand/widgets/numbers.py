"""Reading and writing of numbers, and limits that Python and JavaScript share."""

import json
import re
from fractions import Fraction
from math import isfinite
from pathlib import Path

LIMITS = json.loads(Path(__file__).with_name("limits.json").read_text(encoding="utf-8"))
NEAR = LIMITS["near"]  # tolerance for equal values of a measure
# must match the browser's numberOf
_BLANKS = str.maketrans(dict.fromkeys(" \t\r\n\u00a0\u202f", "") | {",": "."})
_NUMBER = re.compile(
    r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?)(?:/([0-9]+))?(%?)", re.IGNORECASE
)


def number_in(entered: str) -> float | None:
    """Read a number such as 0.25, 1/4, 25 % or 0,25; return None for other texts.

    Example:
        >>> number_in("1/4"), number_in("25 %"), number_in("0,25"), number_in("1_0")
        (0.25, 0.25, 0.25, None)
    """
    found = _NUMBER.fullmatch(entered.translate(_BLANKS))
    if not found:
        return None
    above, below, percent = found.groups()
    if below and (not float(below) or not above.lstrip("+-").isdecimal()):
        return None
    value = float(above) / float(below or 1)
    return value / (100 if percent else 1) if isfinite(value) else None


def as_fraction(value: float, *, largest: int = LIMITS["denominator"]) -> str:
    """Format a value as a fraction in lowest terms, or "" if it is whole or not simple.

    Example:
        >>> as_fraction(0.25), as_fraction(5 / 9), as_fraction(1.0), as_fraction(0.6309297535714574)
        ('1/4', '5/9', '', '')
    """
    near = Fraction(value).limit_denominator(largest)
    # allows rounding errors of a sum of fractions, but no irrational values
    simple = abs(float(near) - value) < LIMITS["rounding"] and near.denominator > 1
    return f"{near.numerator}/{near.denominator}" if simple else ""


def shortly(value: float) -> str:
    """Format a value as a simple fraction, or else with three decimals.

    Example:
        >>> shortly(0.5), shortly(1.0), shortly(0.6309)
        ('1/2', '1', '0.631')
    """
    return as_fraction(value, largest=LIMITS["simple"]) or (
        f"{value:.0f}" if value == int(value) else f"{value:.3f}"
    )
