"""Numbers as text, with digits that follow their size."""

import math
from collections.abc import Iterable, Mapping

from byhand import __version__
from byhand.words import listed

NOTHING = 1e-9  # rounding error of a difference of 0
VISIBLE = 0.00005  # smallest change of a mean visible in four digits
POOL_LIMIT = 0.1  # difference of judged shares that needs no warning


def made_with() -> str:
    """Return the name and version of this package."""
    return f"ranking-metrics-by-hand {__version__}"


def number(value: float, digits: int = 4, beside: Iterable[float] = (), *, sign: str = "") -> str:
    """Format a number with decimals by its size, or NaN as a dash.

    Args:
        value: the number.
        digits: minimum number of decimals, 4 by default; small numbers get two significant digits.
        beside: numbers in the same sentence, such as an interval; the largest sets the decimals.
        sign: "+" to show the sign of positive numbers; none by default.

    Example:
        >>> number(0.5), number(-0.25, 2), number(math.nan), number(0.00851, 3)
        ('0.5000', '−0.25', '–', '0.0085')
        >>> number(-0.0000123, beside=[0.0012]), number(0.5, 2, sign="+"), number(0.0, 2, sign="+")
        ('0.0000', '+0.50', '0.00')
    """
    if math.isnan(value):
        return "–"
    size = max((abs(each) for each in (value, *beside) if math.isfinite(each)), default=0)
    if size > NOTHING:
        digits = max(digits, 1 - math.floor(math.log10(size)))
    rounded = round(float(value), digits) + 0.0  # avoids -0.0
    return f"{rounded:{sign if rounded else ''}.{digits}f}".replace("-", "−")


def at_most(value: float) -> str:
    """Round an upper bound up, to two significant digits.

    Example:
        >>> at_most(0.00372), at_most(0.0101)
        ('0.0038', '0.011')
    """
    digits = 1 - math.floor(math.log10(value))
    return f"{math.ceil(value * 10**digits - 1e-9) / 10**digits:.{max(digits, 1)}f}"


def share(value: float, digits: int = 0) -> str:
    """Format a share in percent, or NaN as a dash."""
    return "–" if math.isnan(value) else f"{value:.{digits}%}"


def p_shown(row: Mapping[str, object], name: str = "p_holm") -> str:
    """Format the p value in a column of a row."""
    from byhand.statistics import Resampling, p_text

    permutations = row.get("permutations", Resampling.permutations)
    own = p_text(row["p"], exact=row["exact"], permutations=permutations)
    if own.startswith("≤") and name == "p_holm":
        digits = math.floor(math.log10(permutations + 1))
        return f"≤ {math.ceil(row[name] * 10**digits) / 10**digits:.{digits}f}"
    return p_text(row[name], exact=row["exact"], permutations=permutations)


def said_of(said: Mapping[str, str]) -> dict[str, str]:
    """Group names by their text: joined names -> text.

    Example:
        >>> said_of({"AP": "b is higher", "RR": "inconclusive", "P@5": "b is higher"})
        {'AP and P@5': 'b is higher', 'RR': 'inconclusive'}
    """
    of: dict[str, list[str]] = {}
    for what, text in said.items():
        of.setdefault(text, []).append(what)
    return {listed(these): text for text, these in of.items()}


def short(text: str, most: int) -> str:
    """Cut a text between words to at most `most` characters in one line.

    Example:
        >>> short("one two three", 8)
        'one two …'
    """
    line = " ".join(text[: 4 * most].split())
    if len(line) <= most:
        return line
    return f"{line[:most].rpartition(' ')[0] or line[:most]} …"
