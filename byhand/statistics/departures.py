"""What people do otherwise: each way to depart from some conventions, a tool's or by mistake.

Conventions come from their table, and from mistakes.toml what no tool means to do. The formulas
stay where they are: a departure changes the hits, the measure or the mean that go into them.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
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
    """One thing done otherwise.

    Attributes:
        of: what it is about; a combination has one departure of each at most.
        says: what is done, as a clause that is said by `spoken`.
        measure: what it makes of a measure, the same if nothing; None where it cannot move it.
        choices: what it makes of the conventions.
        rows: which other rows it ranks, or in which order, by its name in `ways`.
        hits: what it makes of the hits, given the highest grade there is.
        mean: how it takes the mean of the values: `"run"`, `"found"` or `"micro"`.
        digits: to how many it rounds the value of each query.
        cut: whether the number in print is cut off, and not rounded.
        preset: the preset whose choices these are.
        seen_in: of a mistake, the tools that were seen to do it, by their names in `PRESETS`.
    """

    of: str
    says: str
    measure: Callable[[Measure], Measure | None] = lambda measure: measure
    choices: Mapping[str, str] = field(default_factory=dict)
    rows: str = ""
    hits: Callable[[Hits, float], Hits] | None = None
    mean: str = ""
    digits: int | None = None
    cut: bool = False
    preset: str = ""
    seen_in: tuple[str, ...] = ()

    @property
    def mistake(self) -> bool:
        """Whether no conventions have it."""
        return not (self.choices or self.preset)


class _Unknown:
    """Of an order that is open, no exact mean is known."""

    def expected_credit(self, *_: object) -> np.ndarray:
        raise ValueError("No exact mean is known.")


class _IdealAboveCutoff(_Unknown):
    ordered = True  # its divisor depends on the order of the items

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        near = hits.within(self.k)
        hits = replace(hits, query=hits.query[near], grade=hits.grade[near])
        return super().divisor(hits, chosen.but(ideal="retrieved"))


class _Log2Late:
    def weight_under(self, chosen: Conventions) -> Callable[[np.ndarray], np.ndarray]:
        return lambda rank: 1 / np.log2(np.asarray(rank) + 2)


class _ByRank:
    def weight_under(self, chosen: Conventions) -> Callable[[np.ndarray], np.ndarray]:
        return lambda rank: 1 / np.asarray(rank, dtype=float)


class _Late(_Unknown):
    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        return super().credit(hits, chosen) * hits.rank / (hits.rank + 1)


class _EveryHit(_Unknown):
    ordered = True

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        alone = replace(hits, query=np.arange(len(hits.query)))  # each is a first hit
        return super().credit(alone, chosen)

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        return hits.per_query(hits.within(self.k))


class _OverCutoff:
    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        return np.full(hits.n_queries, float(self.k))


class _OverShown:
    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        return np.minimum(hits.n_retrieved, np.inf if self.k is None else self.k)


class _Capped:
    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        return np.minimum(hits.n_relevant, np.inf if self.k is None else self.k)


_FORMULAS = {
    "ideal above cutoff": _IdealAboveCutoff,
    "log2 late": _Log2Late,
    "by rank": _ByRank,
    "late": _Late,
    "every hit": _EveryHit,
    "over cutoff": _OverCutoff,
    "over shown": _OverShown,
    "capped": _Capped,
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


_HITS = {
    "from 2": lambda hits, top: hits.at_least(2),
    "from 3": lambda hits, top: hits.at_least(3),
    "highest": lambda hits, top: hits.at_least(top),
    "turned": lambda hits, top: _regraded(hits, lambda grade: top + 1 - grade),
    "higher": lambda hits, top: _regraded(hits, lambda grade: grade + 1),
    "lower": lambda hits, top: _regraded(hits, lambda grade: grade - 1),
}


def _mistake(
    *,
    to: list[str] | None = None,
    needs_cutoff: bool = False,
    formula: str = "",
    hits: str = "",
    seen_in: list[str] | None = None,
    **said: object,
) -> Departure:
    kinds = tuple(MEASURES[name] for name in to or ()) or Measure

    def change(measure: Measure) -> Measure | None:
        if not isinstance(measure, kinds) or (needs_cutoff and measure.k is None):
            return None
        same = {each.name: getattr(measure, each.name) for each in fields(measure)}
        return _odd(formula, type(measure))(**same) if formula else measure

    return Departure(measure=change, hits=_HITS.get(hits), seen_in=(*(seen_in or ()),), **said)


_TABLE = Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8")
MISTAKES = tuple(_mistake(**each) for each in tomllib.loads(_TABLE).values())


def conventions_otherwise(base: Conventions, *, low_grades: bool) -> Iterator[Departure]:
    """A departure for each option that some conventions do not have, in the order of the table.

    Args:
        base: the conventions.
        low_grades: whether a lowest relevant grade is given, so that there are low ones.
    """

    def of(name: str) -> Callable[[Measure], Measure | None]:
        everywhere = not CHOICES[name].concerns
        return lambda measure: measure if everywhere or name in measure.conventions else None

    for name, choice in CHOICES.items():
        if choice.of_low_grades and not low_grades:
            continue
        for option in choice.options:
            if option not in ("error", getattr(base, name)):
                says = choice.clause(option, 1)
                yield Departure(of=name, says=says, choices={name: option}, measure=of(name))


def cutoffs_otherwise(k: int | None) -> Iterator[Departure]:
    """Other cutoffs than this one."""

    def cut(at: int | None) -> Callable[[Measure], Measure | None]:
        return lambda measure: replace(measure, k=at) if measure.k == k else None

    if k is not None:
        yield Departure(of="cutoff", says=N_("there is no cutoff"), measure=cut(None))
    near = () if k is None else (k - 1, k + 1)
    for other in dict.fromkeys((*near, *_CUTOFFS)):
        if other not in (0, k):
            says = text(N_("the cutoff is {k}"), k=other)
            yield Departure(of="cutoff", says=says, measure=cut(other))


def measures_otherwise(asked: Measure) -> Iterator[Departure]:
    """Other measures than this one, with its cutoff."""

    def other(kind: type[Measure]) -> Callable[[Measure], Measure | None]:
        return lambda measure: kind(k=measure.k) if measure == asked else None

    for name in ("RR", "AP", "nDCG", "DCG", "P", "R", "Success"):
        if name != asked.name and not (name in ("P", "Success") and asked.k is None):
            there = str(MEASURES[name](k=asked.k))
            says = text(N_("it is {measure} in place of {other}"), measure=there, other=str(asked))
            yield Departure(of="measure", says=says, measure=other(MEASURES[name]))
