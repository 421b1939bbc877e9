"""What the record's computations are made of: the package's functions, on the lists in `data/`."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations

from helpers.lessons.worked_examples import WorkedCase, worked_example
from helpers.metrics.chance import chance
from helpers.metrics.hits import hits_of_lists
from helpers.metrics.names import measure_list

Number = Fraction | float
Values = Mapping[str, Number]


@dataclass(frozen=True, kw_only=True)
class Recomputed:
    """The computation behind one row of the record.

    Attributes:
        how: the computation in a few words.
        value: computes the value, from the printed values by row where it starts from those.
        said: the value that the words of a claim say comes out; None if they name none.
        holds: whether that which is said of the number is true; None if nothing else is said.
        published: whether the value comes from data that the document publishes.
    """

    how: str
    value: Callable[[Values], Number]
    said: Callable[[], Number] | None = None
    holds: Callable[[Values], bool] | None = None
    published: bool = True


def exact(value: float) -> Number:
    """The fraction that a float stands for, or the float where it is none with a small divisor.

    Example:
        >>> exact(11 / 18), exact(2**0.5)
        (Fraction(11, 18), 1.4142135623730951)
    """
    near = Fraction(value).limit_denominator(10_000)
    return near if abs(near - value) < 1e-12 else value


def marked(*ranks: int, length: int) -> WorkedCase:
    """A list of that length whose relevant items stand at these ranks.

    Example:
        >>> marked(2, length=3)
        WorkedCase(ranked=[1, 2, 3], relevant=[2])
    """
    return WorkedCase(list(range(1, length + 1)), list(ranks))


cases = cache(worked_example)  # a worked example is read from its file once


def measured(measure: str, case: WorkedCase) -> Number:
    """A measure of one list, exact where it is a fraction."""
    return exact(measure_list(measure, *case))


def mean_measured(measure: str, document: str, example: str) -> Number:
    """The mean of a measure over the lists of a worked example."""
    values = [measure_list(measure, *case) for case in cases(document, example).values()]
    return exact(math.fsum(values) / len(values))


def hit_ranks(case: WorkedCase) -> list[int]:
    """The ranks of the hits of a list."""
    return hits_of_lists([case]).rank.tolist()


def chance_ratio(measure: str, n_items: int = 10_000) -> float:
    """How many times the value of 2 relevant items 17 get in random orders (`tracin`'s means)."""
    return chance(n_items, 17, measure) / chance(n_items, 2, measure)


def inverse_is_mean_rank(lists: list[WorkedCase]) -> bool:
    """Whether 1 / MRR is the average rank of the first hits."""
    first = [hit_ranks(case)[0] for case in lists]
    mrr = sum(measured("RR", case) for case in lists) / len(lists)
    return 1 / mrr == Fraction(sum(first), len(first))


def scattered(case: WorkedCase) -> bool:
    """Whether anything stands between the hits of a list."""
    ranks = hit_ranks(case)
    return ranks[-1] - ranks[0] + 1 > len(ranks)


def stands_high(case: WorkedCase) -> bool:
    """Whether the hits of a list stand in its upper half, on average."""
    ranks = hit_ranks(case)
    return sum(ranks) / len(ranks) < (len(case.ranked) + 1) / 2


@cache
def possible(measure: str) -> list[Number]:
    """All that a measure can be for up to four of the items a to d, of which a and b count."""
    orders = [order[:k] for order in permutations("abcd") for k in range(1, 5)]
    return sorted({measured(measure, WorkedCase(list(order), ["a", "b"])) for order in orders})
