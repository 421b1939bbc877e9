"""What people do otherwise: each way to depart from some conventions, a tool's or by mistake.

Conventions come from their table, and from mistakes.toml what no tool means to do. The formulas
stay where they are: a departure changes the hits, the measure or the mean that go into them.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from byhand.conventions.mistaken import with_formula
from byhand.metrics.conventions import CHOICES, Conventions
from byhand.metrics.measures import MEASURES, Measure
from byhand.metrics.presets import PRESETS
from byhand.words import N_, Message, gettext as _, spoken

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

    def applied_to(self, measure: Measure) -> Measure | None:
        """What it makes of a measure, the same if nothing; None where it cannot move it."""
        kinds = tuple(MEASURES[name] for name in self.to) or Measure
        about = all(
            not CHOICES[name].concerns or name in measure.conventions for name in self.choices
        )
        if not (about and isinstance(measure, kinds)) or (self.needs_cutoff and measure.k is None):
            return None
        return with_formula(self.formula, measure) if self.formula else self.change(measure)


class Variant(NamedTuple):
    """Some conventions with departures from them, each about something else."""

    departures: tuple[Departure, ...]

    @property
    def words(self) -> str:
        """What is done otherwise, in the language that is spoken."""
        said = [spoken(each.says) for each in self.departures]
        return "; ".join(said) or _("the conventions given")

    @property
    def mistakes(self) -> int:
        """How many departures no conventions have."""
        return sum(each.mistake for each in self.departures)

    @property
    def seen_in(self) -> list[str]:
        """The tools that were seen to make all of its mistakes."""
        of = [each.seen_in for each in self.departures if each.mistake]
        return [tool for tool in PRESETS if of and all(tool in tools for tools in of)]

    def setting(self, name: str, otherwise: object = None) -> object:
        """What the departure that has one says, of those that may say it."""
        found = (getattr(each, name) for each in self.departures)
        return next(filter(None, found), otherwise)


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
            says = Message(N_("the cutoff is {k}"), k=other)
            yield Departure(of="cutoff", says=says, change=cut(other))


def measures_otherwise(asked: Measure) -> Iterator[Departure]:
    """Other measures than this one, with its cutoff."""

    def instead(other: Measure) -> Callable[[Measure], Measure | None]:
        return lambda measure: other if measure == asked else None

    for name in ("RR", "AP", "nDCG", "DCG", "P", "R", "Success"):
        if name != asked.name and not (name in ("P", "Success") and asked.k is None):
            other = MEASURES[name](k=asked.k)
            said = {"measure": str(other), "other": str(asked)}
            says = Message(N_("it is {measure} in place of {other}"), **said)
            yield Departure(of="measure", says=says, change=instead(other))
