"""What is said of a value, and whether it is so.

Most claims stand in words alone. Some are said of a number besides its value: "rank 2 *on
average*", "6x *better*". The record's column `compute` says how the value comes about; where it
says so in none of the forms of `helpers.record.recomputed`, the computation is with the
claim.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

from byhand.metrics.names import measure_list
from helpers.record.printed import Number
from helpers.record.recomputed import cases, exact, marked, measured, recompute

Computation = str | int | Callable[[], Number | int]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What is said of the value of a row.

    Attributes:
        value: the computation, where the record has it in words of its own.
        said: the value that comes out, if the claim is right: wrong if it does not.
        holds: whether the value bears the claim out: misleading if it does not.
    """

    value: Computation | None = None
    said: Computation | None = None
    holds: Callable[[Number], bool] = lambda _: True


def value_of(computation: Computation) -> Number:
    """The value of a computation: a text that `recompute` reads, a number, or a function.

    Example:
        >>> value_of("ko/mrr: mean RR of the lists"), value_of(1), value_of(lambda: 0.375)
        (Fraction(3, 8), Fraction(1, 1), Fraction(3, 8))
    """
    if isinstance(computation, str):
        return recompute(computation)
    return exact(computation() if callable(computation) else computation)


def equals(text: str) -> Callable[[Number], bool]:
    """Whether a value equals that of a computation.

    Example:
        >>> equals("ko/rr: RR of the list")(0.5)
        True
    """
    return lambda value: value == recompute(text)


def less(text: str, other: str) -> Callable[[], Number]:
    """The value of one computation, less that of another.

    Example:
        >>> less("RR with hits at 1 of 4", "RR with hits at 4 of 4")()
        Fraction(3, 4)
    """
    return lambda: recompute(text) - recompute(other)


def share_on_top(mrr: Fraction, lists: int = 5) -> Fraction:
    """The least share of lists that begin with a hit where their MRR is so high, or higher.

    Example:
        >>> share_on_top(Fraction(9, 10))  # four at rank 1 and one at rank 2
        Fraction(4, 5)
    """
    # a first hit further down, or none, leaves more for the others to make up
    possible = combinations_with_replacement((Fraction(1), Fraction(1, 2), Fraction(0)), lists)
    return min(Fraction(each.count(1), lists) for each in possible if sum(each) / lists >= mrr)


def different(measure: str, document: str, example: str) -> int:
    """How many different values a measure has on the lists of a worked example.

    Example:
        >>> different("RR", "pt", "table"), different("AP", "pt", "table")
        (1, 3)
    """
    return len({measured(measure, case) for case in cases(document, example).values()})


def with_grades(measure: str, *grades: int) -> float:
    """A measure of a list whose items have these grades, in this order.

    Example:
        >>> with_grades("RR", 0, 3)
        0.5
    """
    return measure_list(measure, range(len(grades)), dict(enumerate(grades)))


def ways_to_place(measure: str, n_hits: int, n_ranks: int) -> list[Number]:
    """A measure for each way to place so many hits on so many ranks.

    Example:
        >>> [float(value) for value in ways_to_place("RR", 1, 4)]
        [1.0, 0.5, 0.3333333333333333, 0.25]
    """
    ways = combinations(range(1, n_ranks + 1), n_hits)
    return [measured(measure, marked(*ranks, length=n_ranks)) for ranks in ways]
