"""Goals for a challenge, and the best that an order can do, found by trying all that differ."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Literal, NamedTuple, get_args

from byhand.errors import DataError
from byhand.metrics.cases import hits_of_lists
from byhand.metrics.measure_names import measure_named
from byhand.widgets.list.beside import Beside
from byhand.widgets.list.ranking import Ranked
from byhand.widgets.numbers import NEAR, number_in, shortly
from byhand.widgets.phrases import say
from byhand.words import listed, localised

Value = float | str | Fraction
ValuesToKeep = Mapping[str, Value]
Aim = Literal["reach", "nearest", "highest", "lowest"]
LIMIT = 20_000  # orders tried; about a second


@dataclass(frozen=True)
class Goal:
    """What to make of a list; best made by `reach`, `nearest`, `highest` or `lowest`.

    Attributes:
        measure: the measure that the goal is about.
        aim: reach a value or come near to it, or go as high or as low as can be.
        target: the value, for the aims "reach" and "nearest".
        given: measures that must have a value all the while.
        text: what the reader is told; made from the rest when it is empty.

    Raises:
        DataError: an aim that does not exist, or no value to reach.
        ValueError: an unknown measure.

    Example:
        >>> Goal.highest("AP", given={"RR": "1/2"}).sentence
        'Keep RR = 1/2 and make AP as high as you can.'
    """

    measure: str
    aim: Aim
    target: float | None = None
    given: tuple[tuple[str, float], ...] = ()
    text: str = ""

    def __post_init__(self) -> None:
        for name in self.measures:
            measure_named(name)
        if self.aim not in get_args(Aim):
            known = ", ".join(map(repr, get_args(Aim)))
            raise DataError(f"The aim of a goal is one of {known}, not {self.aim!r}.")
        if self.aim in ("reach", "nearest") and self.target is None:
            raise DataError(
                f"There is no value to reach. Write Goal.reach({self.measure!r}, '1/2')."
            )

    @classmethod
    def reach(
        cls, measure: str, value: Value, *, given: ValuesToKeep | None = None, text: str = ""
    ) -> "Goal":
        """Give a measure a value, such as `Goal.reach("RR", "1/3")`."""
        return cls(measure, "reach", _number(value), _kept(given), text=text)

    @classmethod
    def nearest(cls, measure: str, value: Value, *, text: str = "") -> "Goal":
        """Bring a measure as near to a value as an order can, which need not reach it."""
        return cls(measure, "nearest", _number(value), text=text)

    @classmethod
    def highest(cls, measure: str, *, given: ValuesToKeep | None = None, text: str = "") -> "Goal":
        """Make a measure as high as it can be, while others have the values `given`."""
        return cls(measure, "highest", given=_kept(given), text=text)

    @classmethod
    def lowest(cls, measure: str, *, given: ValuesToKeep | None = None, text: str = "") -> "Goal":
        """Make a measure as low as it can be, while others have the values `given`."""
        return cls(measure, "lowest", given=_kept(given), text=text)

    @property
    def measures(self) -> tuple[str, ...]:
        """Every measure that the goal speaks of."""
        return tuple(dict.fromkeys([*(name for name, _ in self.given), self.measure]))

    @property
    def sentence(self) -> str:
        """What the reader is told."""
        return self.worded({})

    def worded(self, names: Mapping[str, str]) -> str:
        """The same, with other names for measures, such as those of their means."""
        if self.text:
            return self.text
        measure = names.get(self.measure, self.measure)
        value = self.target or 0.0
        target = f"{value:g}" if self.aim == "nearest" else shortly(value)
        known = {"measure": measure, "target": localised(target)}
        if not self.given:
            return say("goals", self.aim, **known)
        kept = [
            f"{names.get(name, name)} = {localised(shortly(value))}" for name, value in self.given
        ]
        return say("goals", f"{self.aim} given", kept=listed(kept), **known)

    def score(self, values: Mapping[str, float]) -> float:
        """How well an order does, higher is better, whatever the aim."""
        value = values[self.measure]
        if self.aim in ("highest", "lowest"):
            return value if self.aim == "highest" else -value
        return -abs(value - (self.target or 0.0))

    def is_met(self, values: Mapping[str, float]) -> bool:
        """Whether each measure that has to have a value has it."""
        return all(abs(values[name] - value) <= NEAR for name, value in self.given)

    def as_json(self) -> dict[str, object]:
        """What a browser has to know of it."""
        given = [list(pair) for pair in self.given]
        return asdict(self) | {"given": given, "sentence": self.sentence}


def _number(value: Value) -> float:
    number = number_in(str(value))
    if number is None:
        raise DataError(
            f"A goal asks for the value {value!r}, which is not a number. Pass 0.5 or '1/2'."
        )
    return number


def _kept(given: ValuesToKeep | None) -> tuple[tuple[str, float], ...]:
    return tuple((name, _number(value)) for name, value in (given or {}).items())


class Solution(NamedTuple):
    """An order that no other order beats: its items, its values, what the goal makes of them."""

    order: tuple[Hashable, ...]
    values: dict[str, float]
    score: float


def solve(
    goal: Goal,
    order: Sequence[Hashable],
    relevant: Mapping[Hashable, int],
    *,
    beside: Sequence[Beside] = (),
    dock: Sequence[Hashable] | None = None,
) -> Solution:
    """The best order of these items for a goal, which with lists beside is about means over all.

    With a dock, its items may come in, and any may be left out. A `DataError` says that more than
    `LIMIT` orders differ, or that none reaches the goal.
    """
    order = tuple(order)
    kinds = {
        item: (relevant.get(item, 0), *(each.kind(item) for each in beside))
        for item in (*order, *(dock or ()))
    }
    candidates = list(rearranged(order, kinds, dock=dock))
    tried = means(candidates, relevant, goal.measures, beside=beside)
    best, score = _best(goal, tried)
    return Solution(candidates[best], tried[best], score)


def best_mean(goal: Goal, lists: Sequence[Ranked]) -> float:
    """The best score of all orders of several lists, for a goal about the mean of one measure."""
    name, n = goal.measure, len(lists)
    totals = {0.0}
    for ranks in lists:
        orders = [*rearranged(ranks.order, ranks.relevant, dock=ranks.docked)]
        values = {each[name] for each in means(orders, ranks.relevant, [name])}
        if len(totals) * len(values) > LIMIT:
            raise _too_many(
                sum(len(each.catalogue.labels) for each in lists), len(totals) * len(values)
            )
        totals = {round(total + value, 12) for total in totals for value in values}
    return _best(goal, [{name: total / n} for total in totals])[1]


def _best(goal: Goal, tried: Sequence[Mapping[str, float]]) -> tuple[int, float]:
    """Which of the values tried is the best for the goal, and its score; or a `DataError`."""
    allowed = [i for i, each in enumerate(tried) if goal.is_met(each)]
    if not allowed:
        raise DataError(_impossible(goal, tried))
    best = max(allowed, key=lambda i: goal.score(tried[i]))
    score = goal.score(tried[best])
    if goal.aim == "reach" and score < -NEAR:
        raise DataError(_impossible(goal, [tried[i] for i in allowed]))
    return best, score


def rearranged(
    items: Sequence[Hashable],
    kinds: Mapping[Hashable, object],
    *,
    dock: Sequence[Hashable] | None = None,
) -> Iterator[tuple[Hashable, ...]]:
    """One order for each way in which the kinds, such as grades, can stand; with a dock, also of
    some items.
    """
    items, all_in = (*items, *(dock or ())), dock is None
    by_kind: dict[object, list[Hashable]] = {}
    for item in items:
        by_kind.setdefault(kinds.get(item, 0), []).append(item)
    sizes = [len(of_kind) for of_kind in by_kind.values()]
    taken = [sizes] if all_in else product(*(range(size + 1) for size in sizes))
    n = sum(factorial(sum(each)) // prod(map(factorial, each)) for each in taken)
    if n > LIMIT:
        raise _too_many(len(items), n)

    def grow(taken: dict[object, int], so_far: tuple[Hashable, ...]) -> Iterator[tuple]:
        if not all_in or len(so_far) == len(items):
            yield so_far
        for kind, of_kind in by_kind.items():
            if (n_taken := taken[kind]) < len(of_kind):
                yield from grow({**taken, kind: n_taken + 1}, (*so_far, of_kind[n_taken]))

    return grow(dict.fromkeys(by_kind, 0), ())


def means(
    orders: Sequence[Sequence[Hashable]],
    relevant: Mapping[Hashable, int],
    measures: Sequence[str],
    *,
    beside: Sequence[Beside] = (),
) -> list[dict[str, float]]:
    """Measure -> value for each order, or its mean with the lists beside; all of them at once."""
    hits = hits_of_lists((order, relevant) for order in orders)
    lists = [
        [measure_named(name).values(hits) for name in measures],
        *(each.values(orders, measures) for each in beside),
    ]
    columns = [(sum(values) / len(values)).tolist() for values in zip(*lists, strict=True)]
    return [dict(zip(measures, row, strict=True)) for row in zip(*columns, strict=True)]


def _too_many(items: int, n: int) -> DataError:
    return DataError(
        f"{items} items with these grades can stand in {n:,} ways that differ, and for a goal "
        f"at most {LIMIT:,} are tried. Use fewer items, or fewer relevant ones."
    )


def mean_name(measure: str) -> str:
    """What the mean of a measure over queries is called: "MRR@5", "MAP", "mean nDCG"."""
    known = measure_named(measure)
    return f"{'M' if f'M{known.name}' in known.aliases else 'mean '}{known}"


def _impossible(goal: Goal, tried: Sequence[Mapping[str, float]]) -> str:
    possible = []
    for name in goal.measures:
        found = list(dict.fromkeys(shortly(each) for each in sorted(each[name] for each in tried)))
        more = " and so on" if len(found) > 12 else ""
        possible.append(f"{name} can be {', '.join(found[:12])}{more}")
    return (
        f"No order of these items reaches the goal {goal.sentence!r}. {'; '.join(possible)}. "
        "Ask for one of those."
    )
