"""The best that an order can do for a goal, found by trying every order that differs."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial, prod

from byhand.errors import DataError
from byhand.metrics.lists import Case, hits_of_lists
from byhand.metrics.names import measure_named
from byhand.widgets.goals import NEAR, Goal, shown

LIMIT = 20_000  # orders tried; about a second


@dataclass(frozen=True)
class Solution:
    """An order that no other order beats.

    Attributes:
        order: the items, best first.
        values: measure -> value.
        score: what the goal makes of it.
    """

    order: tuple[Hashable, ...]
    values: dict[str, float]
    score: float


def solve(
    goal: Goal,
    order: Sequence[Hashable],
    relevant: Mapping[Hashable, int],
    *,
    beside: Sequence[Case] = (),
) -> Solution:
    """The best order of these items for a goal.

    Two orders in which the grades stand alike have the same values, so only one of them is tried.

    Args:
        goal: what is asked for.
        order: the first order; its items are rearranged, none is taken out or brought in.
        relevant: item -> grade of every relevant item, retrieved or not.
        beside: lists that stay as they are; with some, the goal is about means over all lists.

    Raises:
        DataError: more than `LIMIT` orders to try, or a goal that no order reaches.

    Example:
        >>> solve(Goal.lowest("RR"), ["a", "b", "c"], {"a": 1}).order
        ('b', 'c', 'a')
    """
    order = tuple(order)
    candidates = list(_swaps(order) if goal.one_swap else _rearranged(order, relevant))
    first, *tried = means([order, *candidates], relevant, goal.measures, beside=beside)
    allowed = [i for i, each in enumerate(tried) if not goal.unmet(each, first)]
    if not allowed:
        raise DataError(_impossible(goal, tried))
    best = max(allowed, key=lambda i: goal.score(tried[i], first))
    score = goal.score(tried[best], first)
    if (goal.aim == "reach" and score < -NEAR) or (goal.aim == "change" and score < NEAR):
        raise DataError(_impossible(goal, [tried[i] for i in allowed]))
    return Solution(candidates[best], tried[best], score)


def _swaps(order: tuple[Hashable, ...]) -> Iterator[tuple[Hashable, ...]]:
    for i, j in combinations(range(len(order)), 2):
        swapped = list(order)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        yield tuple(swapped)


def _rearranged(
    order: tuple[Hashable, ...], relevant: Mapping[Hashable, int]
) -> Iterator[tuple[Hashable, ...]]:
    """One order for each way in which the grades can stand."""
    by_grade: dict[int, list[Hashable]] = {}
    for item in order:
        by_grade.setdefault(relevant.get(item, 0), []).append(item)
    n = factorial(len(order)) // prod(factorial(len(items)) for items in by_grade.values())
    if n > LIMIT:
        raise DataError(
            f"{len(order)} items with these grades can stand in {n:,} ways that differ, and a "
            f"Challenge tries at most {LIMIT:,}. Use fewer items, or fewer relevant ones."
        )

    def grow(taken: dict[int, int], so_far: tuple[Hashable, ...]) -> Iterator[tuple]:
        if len(so_far) == len(order):
            yield so_far
        for grade, items in by_grade.items():
            if (n_taken := taken[grade]) < len(items):
                yield from grow({**taken, grade: n_taken + 1}, (*so_far, items[n_taken]))

    return grow(dict.fromkeys(by_grade, 0), ())


def means(
    orders: Sequence[Sequence[Hashable]],
    relevant: Mapping[Hashable, int],
    measures: Sequence[str],
    *,
    beside: Sequence[Case] = (),
) -> list[dict[str, float]]:
    """Measure -> value for each order, or its mean with the lists beside; all of them at once.

    Example:
        >>> means([["a", "b"]], {"b": 1}, ["RR"], beside=[(["c"], {"c"})])
        [{'RR': 0.75}]
    """
    hits = hits_of_lists([*((order, relevant) for order in orders), *beside])
    columns = []
    for name in measures:
        values = measure_named(name).values(hits)
        own, others = values[: len(orders)], values[len(orders) :]
        columns.append(((own + others.sum()) / (len(others) + 1)).tolist())
    return [dict(zip(measures, row, strict=True)) for row in zip(*columns, strict=True)]


def _impossible(goal: Goal, tried: Sequence[Mapping[str, float]]) -> str:
    def possible(name: str) -> str:
        found = list(dict.fromkeys(shown(each) for each in sorted(each[name] for each in tried)))
        more = " and so on" if len(found) > 12 else ""
        return f"{name} can be {', '.join(found[:12])}{more}"

    return (
        f"No order of these items reaches the goal {goal.sentence!r}. "
        f"{'; '.join(possible(name) for name in goal.measures)}. Ask for one of those."
    )
