"""What people do otherwise: each way to depart from some conventions, a tool's or by mistake.

Conventions come from their table, and from mistakes.toml what no tool means to do. The formulas
stay where they are: a departure changes the hits, the measure or the mean that go into them.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from operator import attrgetter
from pathlib import Path

import numpy as np

from byhand.metrics.conventions import CHOICES, Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures import MEASURES, Measure
from byhand.tables.counting import ABOVE_ZERO
from byhand.words import N_, text

_CUTOFFS = (5, 10, 20, 50, 100, 1000)


@dataclass(frozen=True, kw_only=True, eq=False)
class Departure:
    """One thing done otherwise."""

    of: str  # what it is about; a combination has one departure of each at most
    says: str  # what is done, as a clause that is said by `spoken`
    choices: Mapping[str, str] = field(default_factory=dict)  # what it makes of the conventions
    preset: str = ""  # whose choices these are
    change: Callable[[Measure], Measure | None] = lambda measure: measure
    to: Sequence[str] = ()  # the measures that it is about, if not about all
    needs_cutoff: bool = False
    formula: str = ""  # that such a measure gets
    rows: str = ""  # which other rows it ranks, or in which order
    hits: str = ""  # what it makes of the hits
    mean: str = ""  # how it takes the mean of the values
    digits: int | None = None  # to how many it rounds the value of each query
    cut: bool = False  # whether the number in print is cut off, and not rounded
    seen_in: Sequence[str] = ()  # of a mistake, the tools that were seen to make it

    @property
    def mistake(self) -> bool:
        """Whether no conventions have it."""
        return not (self.choices or self.preset)

    def measure(self, measure: Measure) -> Measure | None:
        """What it makes of a measure, the same if nothing; None where it cannot move it."""
        kinds = tuple(MEASURES[name] for name in self.to) or Measure
        about = all(
            not CHOICES[name].concerns or name in measure.conventions for name in self.choices
        )
        if not (about and isinstance(measure, kinds)) or (self.needs_cutoff and measure.k is None):
            return None
        if not self.formula:
            return self.change(measure)
        same = {each.name: getattr(measure, each.name) for each in fields(measure)}
        return _odd(self.formula, type(measure))(**same)


class _Unknown:
    """Of an order that is open, no exact mean is known."""

    def expected_credit(self, *_: object) -> np.ndarray:
        raise ValueError("No exact mean is known.")


class _IdealAboveCutoff(_Unknown):
    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        near = hits.within(self.k)
        hits = replace(hits, query=hits.query[near], grade=hits.grade[near])
        return super().divisor(hits, chosen.but(ideal="retrieved"))


class _Late(_Unknown):
    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        return super().credit(hits, chosen) * hits.rank / (hits.rank + 1)


class _EveryHit(_Unknown):
    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        alone = replace(hits, query=np.arange(len(hits.query)))  # each is a first hit
        return super().credit(alone, chosen)

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        return hits.per_query(hits.within(self.k))


def _weighted(weight: Callable[[np.ndarray], np.ndarray]) -> type:
    return type("Weighted", (), {"weight_under": lambda self, chosen: weight})


def _over(number: Callable[[Hits], np.ndarray]) -> type:
    """Divided by a number of each query, and by no more than the cutoff."""

    def divisor(self: Measure, hits: Hits, chosen: Conventions) -> np.ndarray:
        return np.minimum(number(hits), np.inf if self.k is None else self.k)

    return type("Over", (), {"divisor": divisor})


_FORMULAS = {
    "ideal above cutoff": _IdealAboveCutoff,
    "log2 late": _weighted(lambda rank: 1 / np.log2(np.asarray(rank) + 2)),
    "by rank": _weighted(lambda rank: 1 / np.asarray(rank, dtype=float)),
    "late": _Late,
    "every hit": _EveryHit,
    "over cutoff": _over(lambda hits: np.full(hits.n_queries, np.inf)),
    "over shown": _over(attrgetter("n_retrieved")),
    "capped": _over(attrgetter("n_relevant")),
}


@cache
def _odd(formula: str, kind: type[Measure]) -> type[Measure]:
    """A kind of measure with a formula that is not meant."""
    return type(f"odd {kind.__name__}", (_FORMULAS[formula], kind), {})


def _regraded(hits: Hits, change: Callable[[np.ndarray], np.ndarray]) -> Hits:
    """The same lists with other grades; an item whose grade becomes 0 is relevant no more."""
    grade, relevant = change(hits.grade), change(hits.relevant_grade)
    sort = np.lexsort((-relevant, hits.relevant_query))
    return replace(hits, grade=grade, relevant_grade=relevant[sort]).at_least(ABOVE_ZERO)


# what becomes of the hits, given the highest grade there is
CHANGES: dict[str, Callable[[Hits, float], Hits]] = {
    "from 2": lambda hits, top: hits.at_least(2),
    "from 3": lambda hits, top: hits.at_least(3),
    "highest": lambda hits, top: hits.at_least(top),
    "turned": lambda hits, top: _regraded(hits, lambda grade: top + 1 - grade),
    "higher": lambda hits, top: _regraded(hits, lambda grade: grade + 1),
    "lower": lambda hits, top: _regraded(hits, lambda grade: grade - 1),
}
_TABLE = Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8")
MISTAKES = tuple(Departure(**each) for each in tomllib.loads(_TABLE).values())


def conventions_otherwise(base: Conventions, *, low_grades: bool) -> Iterator[Departure]:
    """A departure for each option that the base lacks, of those on low grades if there are any."""
    for name, choice in CHOICES.items():
        for option in choice.options if low_grades or not choice.of_low_grades else ():
            if option not in ("error", getattr(base, name)):
                yield Departure(of=name, says=choice.clause(option, 1), choices={name: option})


def cutoffs_otherwise(k: int | None) -> Iterator[Departure]:
    """Other cutoffs than this one."""

    def cut(at: int | None) -> Callable[[Measure], Measure | None]:
        return lambda measure: replace(measure, k=at) if measure.k == k else None

    if k is not None:
        yield Departure(of="cutoff", says=N_("there is no cutoff"), change=cut(None))
    near = () if k is None else (k - 1, k + 1)
    for other in dict.fromkeys((*near, *_CUTOFFS)):
        if other not in (0, k):
            says = text(N_("the cutoff is {k}"), k=other)
            yield Departure(of="cutoff", says=says, change=cut(other))


def measures_otherwise(asked: Measure) -> Iterator[Departure]:
    """Other measures than this one, with its cutoff."""

    def instead(other: Measure) -> Callable[[Measure], Measure | None]:
        return lambda measure: other if measure == asked else None

    for name in ("RR", "AP", "nDCG", "DCG", "P", "R", "Success"):
        if name != asked.name and not (name in ("P", "Success") and asked.k is None):
            other = MEASURES[name](k=asked.k)
            said = {"measure": str(other), "other": str(asked)}
            says = text(N_("it is {measure} in place of {other}"), **said)
            yield Departure(of="measure", says=says, change=instead(other))
