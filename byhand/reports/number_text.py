"""Numbers, counts and joins as a reader sees them: digits follow the size of what they say."""

import math
from collections.abc import Iterable, Mapping

from byhand import __version__
from byhand.words import listed

NOTHING = 1e-9  # what computing leaves of a difference of 0
VISIBLE = 0.00005  # a change of a mean that four digits show
POOL_LIMIT = 0.1  # how far the judged shares of two systems may be apart without a word


def made_with() -> str:
    """This package and its version."""
    return f"ranking-metrics-by-hand {__version__}"


def number(value: float, digits: int = 4, beside: Iterable[float] = (), *, sign: str = "") -> str:
    """A number with as many decimals as its size asks for, a dash where there is none.

    Args:
        digits: how many it has at least; a small number has more, until two digits tell.
        beside: what it is said together with, such as the ends of its interval: the largest of
            them decides.
        sign: "+" shows that of a number above 0, too.

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
    rounded = round(float(value), digits) + 0.0  # without the sign of a zero
    return f"{rounded:{sign if rounded else ''}.{digits}f}".replace("-", "−")


def at_most(value: float) -> str:
    """A bound, rounded up to two digits.

    Example:
        >>> at_most(0.00372), at_most(0.0101)
        ('0.0038', '0.011')
    """
    digits = 1 - math.floor(math.log10(value))
    return f"{math.ceil(value * 10**digits - 1e-9) / 10**digits:.{max(digits, 1)}f}"


def share(value: float, digits: int = 0) -> str:
    """A part of a whole in percent, a dash where it is not known."""
    return "–" if math.isnan(value) else f"{value:.{digits}%}"


def p_shown(row: Mapping[str, object], name: str = "p_holm") -> str:
    """A p of a row, by the name of its column, with its digits."""
    from byhand.statistics import Resampling, p_text

    permutations = row.get("permutations", Resampling.permutations)
    own = p_text(row["p"], exact=row["exact"], permutations=permutations)
    if own.startswith("≤") and name == "p_holm":
        digits = math.floor(math.log10(permutations + 1))
        return f"≤ {math.ceil(row[name] * 10**digits) / 10**digits:.{digits}f}"
    return p_text(row[name], exact=row["exact"], permutations=permutations)


def said_of(said: Mapping[str, str]) -> dict[str, str]:
    """What is said of several in the same words: these joined -> the words.

    Example:
        >>> said_of({"AP": "b is higher", "RR": "cannot tell", "P@5": "b is higher"})
        {'AP and P@5': 'b is higher', 'RR': 'cannot tell'}
    """
    of: dict[str, list[str]] = {}
    for what, text in said.items():
        of.setdefault(text, []).append(what)
    return {listed(these): text for text, these in of.items()}


def short(text: str, most: int) -> str:
    """The beginning of a text in one line, cut between words if there is more.

    Example:
        >>> short("one two three", 8)
        'one two …'
    """
    line = " ".join(text[: 4 * most].split())
    if len(line) <= most:
        return line
    return f"{line[:most].rpartition(' ')[0] or line[:most]} …"
