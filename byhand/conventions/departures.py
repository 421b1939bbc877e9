"""Departures from conventions: those of tools, and common mistakes.

Options come from the table of conventions, and mistakes from mistakes.toml. A departure changes
the hits, the measure or the mean, but not the formulas themselves.
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
from byhand.words import N_, Message, together

_CUTOFFS = (5, 10, 20, 50, 100, 1000)


@dataclass(frozen=True, kw_only=True, eq=False)
class Departure:
    """One change to conventions, or one mistake."""

    of: str  # topic; a combination has at most one departure per topic
    says: str  # description, as a clause for `spoken`
    choices: Mapping[str, str] = field(default_factory=dict)  # changed conventions
    preset: str = ""  # name of the preset with these choices
    change: Callable[[Measure], Measure | None] = lambda measure: measure
    to: Sequence[str] = ()  # names of the measures concerned; empty for all
    needs_cutoff: bool = False
    formula: str = ""  # name of a mistaken formula
    rows: str = ""  # name of other rows to rank, or another order
    hits: str = ""  # name of a change of the hits
    mean: str = ""  # name of another mean
    digits: int | None = None  # number of digits to which per-query values are rounded
    cut: bool = False  # True if the printed number is truncated, not rounded
    seen_in: Sequence[str] = ()  # tools that make this mistake

    @property
    def mistake(self) -> bool:
        """Return whether it is a mistake and not an option of `Conventions`."""
        return not (self.choices or self.preset)

    def applied_to(self, measure: Measure) -> Measure | None:
        """Return the changed measure; the same if unchanged, None if it does not apply."""
        kinds = tuple(MEASURES[name] for name in self.to) or Measure
        about = all(
            not CHOICES[name].concerns or name in measure.conventions for name in self.choices
        )
        if not (about and isinstance(measure, kinds)) or (self.needs_cutoff and measure.k is None):
            return None
        return with_formula(self.formula, measure) if self.formula else self.change(measure)


class Variant(NamedTuple):
    """Conventions with departures on different topics."""

    departures: tuple[Departure, ...]

    @property
    def words(self) -> Message:
        """Return a description."""
        clauses = [
            Message(each.says) if type(each.says) is str else each.says for each in self.departures
        ]
        return together(clauses, "; ") if clauses else Message(N_("the conventions given"))

    @property
    def mistakes(self) -> int:
        """Return the number of mistakes."""
        return sum(each.mistake for each in self.departures)

    @property
    def seen_in(self) -> list[str]:
        """Return the tools that make all of its mistakes."""
        of = [each.seen_in for each in self.departures if each.mistake]
        return [tool for tool in PRESETS if of and all(tool in tools for tools in of)]

    def setting(self, name: str, otherwise: object = None) -> object:
        """Return the value of the first departure that sets this field, or else `otherwise`."""
        return next(filter(None, (getattr(each, name) for each in self.departures)), otherwise)


_TABLE = Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8")
MISTAKES = tuple(Departure(**each) for each in tomllib.loads(_TABLE).values())


def conventions_otherwise(base: Conventions, *, low_grades: bool) -> Iterator[Departure]:
    """Yield a departure for each other option; those on low grades only if there are any."""
    for name, choice in CHOICES.items():
        for option in choice.options if low_grades or not choice.of_low_grades else ():
            if option not in ("error", getattr(base, name)):
                yield Departure(of=name, says=choice.clause(option, 1), choices={name: option})


def cutoffs_otherwise(k: int | None) -> Iterator[Departure]:
    """Yield departures to other cutoffs."""

    def cut(at: int | None) -> Callable[[Measure], Measure | None]:
        return lambda measure: replace(measure, k=at) if measure.k == k else None

    if k is not None:
        yield Departure(of="cutoff", says=N_("there is no cutoff"), change=cut(None))
    near = () if k is None else (k - 1, k + 1)
    for other in dict.fromkeys((*near, *_CUTOFFS)):
        if other not in (0, k):
            says = Message(N_("the cutoff is {k}"), k=other)
            yield Departure(of="cutoff", says=says, change=cut(other))


def measures_otherwise(given: Measure) -> Iterator[Departure]:
    """Yield departures to other measures with the same cutoff."""

    def instead(other: Measure) -> Callable[[Measure], Measure | None]:
        return lambda measure: other if measure == given else None

    for name in ("RR", "AP", "nDCG", "DCG", "P", "R", "Success"):
        if name != given.name and not (name in ("P", "Success") and given.k is None):
            other = MEASURES[name](k=given.k)
            names = {"measure": str(other), "other": str(given)}
            says = Message(N_("it is {measure} instead of {other}"), **names)
            yield Departure(of="measure", says=says, change=instead(other))
