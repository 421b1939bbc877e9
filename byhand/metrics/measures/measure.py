"""Base classes of the measures: name and options, credit of hits, mean over orders of ties."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

from byhand.errors import DataError
from byhand.metrics.cases import Case, Ranked, Relevant, hits_of_lists
from byhand.metrics.conventions import CHOICES, Conventions
from byhand.metrics.hits import Hits, at_ranks
from byhand.metrics.measures.ties import Ties
from byhand.metrics.presets import Preset

DEFAULT = Conventions()


@dataclass(frozen=True)
class Option:
    """An option of a measure, in brackets in its name."""

    kind: type  # type of its values: int, float or str
    examples: str  # possible values, for error messages
    choices: tuple[str, ...] = ()  # all values; empty for numbers
    least: float = -np.inf
    below: float = np.inf

    def takes(self, value: object) -> bool:
        """Return whether this value is valid for the option."""
        if self.kind is str:
            return value in self.choices if self.choices else isinstance(value, str)
        number = is_whole(value) or (self.kind is float and isinstance(value, float))
        return number and self.least <= value < self.below


def option(default: object, kind: type, examples: str, **limits: Any) -> Any:
    """Declare a field of a measure as an option.

    Args:
        default: the default value.
        kind: the type of the values: int, float or str.
        examples: possible values as text, for error messages.
        limits: for numbers, `least` (included) and `below` (excluded); for text, `choices`, all
            values.
    """
    return field(default=default, metadata={"option": Option(kind, examples, **limits)})


@dataclass(frozen=True, kw_only=True)
class Measure(ABC):
    """A measure, with everything that the library needs to know about it.

    The value of a query is the sum of the credits of its hits over a divisor. A subclass defines
    the credit of a hit (`credit`), the divisor (`divisor`, 1 by default) and the mean credit over
    all orders of tied items (`expected_credit`).

    Attributes:
        k: the cutoff, the number of ranks that count; None, the default, for the whole list. A
            subclass declares each other part of a name as an `option`, or refuses it.
        rel: the lowest relevant grade, if that is an option; otherwise None.
        name: its name in ir_measures' notation.
        meaning: its definition in a sentence.
        source: the publication that defines it.
        aliases: other names, in capitals; not inherited.
        conventions: the names of the conventions that affect it; by default those that list it or
            one of its base classes in conventions.toml.
        of_judged: whether it also uses items judged not relevant.
        workings: the columns of a step table that explain it -> the option or convention that each
            depends on, or an empty text.
        highest: the maximum of a query; None if it is unbounded.
    """

    k: int | None = None

    rel = None
    name: ClassVar[str]
    meaning: ClassVar[str]
    source: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    conventions: ClassVar[tuple[str, ...]] = ()
    of_judged: ClassVar[bool] = False
    workings: ClassVar[Mapping[str, str]] = {}
    highest: ClassVar[float | None] = 1.0

    def __init_subclass__(cls) -> None:
        cls.aliases = vars(cls).get("aliases", ())  # not inherited: an alias names one measure
        names = {vars(each).get("name") for each in cls.__mro__}
        if "conventions" not in vars(cls):
            cls.conventions = tuple(
                choice.name for choice in CHOICES.values() if names & {*choice.concerns}
            )

    def __post_init__(self) -> None:
        cutoff(self.k)
        for name, value in self._given().items():
            if not self.options()[name].takes(value):
                raise ValueError(f"{name}={value!r} is not an option; {self.options_in_words()}.")

    def __str__(self) -> str:
        options = [f"{name}={value!r}" for name, value in self._given().items()]
        inside = f"({','.join(options)})" if options else ""
        return f"{self.name}{inside}" + ("" if self.k is None else f"@{self.k}")

    @classmethod
    def options(cls) -> dict[str, Option]:
        """Return its options by name."""
        return {
            each.name: each.metadata["option"] for each in fields(cls) if "option" in each.metadata
        }

    @classmethod
    def options_in_words(cls) -> str:
        """Return a description of its options."""
        known = ", ".join(each.examples for each in cls.options().values())
        return f"{cls.name} has {known or 'no options but a cutoff'}"

    def _given(self) -> dict[str, object]:
        """Return the options that differ from their defaults."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        usual = {each.name: each.default for each in fields(self)}
        return {name: values[name] for name in self.options() if values[name] != usual[name]}

    @abstractmethod
    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the credit (H,) of each hit, before the division; 0 beyond the cutoff."""

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the divisor (Q,) of the credit of each query."""
        return np.ones(hits.n_queries)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """Return the mean credit (Q,) of each query over all orders of its ties, if known."""
        raise ValueError(
            f"{self} has no exact mean over the orders of equal scores, nor a chance level. Set "
            "ties='doc_id' in the conventions to order them, and do not request the chance level."
        )

    def counted(self, hits: Hits) -> Hits:
        """Return the hits with only the items that are relevant to this measure."""
        return hits

    def values(self, hits: Hits, chosen: Conventions = DEFAULT) -> np.ndarray:
        """Return the value (Q,) of each query."""
        if chosen.ties == "expected":
            return self.expected(hits, chosen)
        hits = self.counted(hits)
        return share(hits.per_query(self.credit(hits, chosen)), self.divisor(hits, chosen))

    def expected(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the mean value (Q,) over all orders of the tied items."""
        hits = self.counted(hits)
        earned = self.expected_credit(hits, Ties.of(hits, self.k), chosen)
        return share(earned, self.divisor(hits, chosen))

    def bounds(self, hits: Hits, chosen: Conventions = DEFAULT) -> tuple[np.ndarray, np.ndarray]:
        """Return the minimum and maximum (Q,) over all orders of the tied items."""
        as_they_stand = chosen.but(ties="input")
        worst, best = (self.values(order, as_they_stand) for order in (hits.worst, hits.best))
        return worst, best

    def added(self, hits: Hits, chosen: Conventions = DEFAULT) -> tuple[Hits, np.ndarray]:
        """Return the hits that count, and the contribution of each to the value of its query."""
        hits = self.counted(hits)
        divisor = self.divisor(hits, chosen)[hits.query]
        return hits, share(self.credit(hits, chosen), divisor)

    def steps(self, hits: Hits, rank: np.ndarray, chosen: Conventions) -> dict[str, np.ndarray]:
        """Return the columns of `workings` for one list, with one value (n,) per rank."""
        return {}

    def basis(self, working: str, chosen: Conventions) -> object:
        """Return the setting that a column of `workings` depends on, to compare two columns."""
        on = self.workings[working]
        return getattr(self if on in self.options() else self.as_named(chosen), on, None)

    def basis_in_words(self, working: str, chosen: Conventions) -> str:
        """Return the same as text, for the name of the column."""
        on, basis = self.workings[working], self.basis(working, chosen)
        return f"{on}={basis!r}" if on in self.options() else str(basis)

    def check_grade(self, highest: float) -> None:
        """Refuse a grade that the measure does not support; by default, it supports all."""
        return

    def chosen_by(self, preset: Preset) -> Conventions:
        """Return the conventions of a preset for this measure."""
        return preset.of(self.name, self.k)

    def of_list(self, ranked: Ranked, relevant: Relevant, chosen: Conventions = DEFAULT) -> float:
        """Compute the measure for one list."""
        return self.mean_of([(ranked, relevant)], chosen)

    def mean_of(self, cases: Iterable[Case], chosen: Conventions = DEFAULT) -> float:
        """Compute the mean over (ranked, relevant) pairs."""
        hits = hits_of_lists(cases, unjudged=chosen.unjudged)
        if hits.n_queries == 0:
            raise DataError("cases is empty, so there is no mean. Pass (ranked, relevant) pairs.")
        return float(self.values(hits, chosen).mean())

    def as_named(self, chosen: Conventions) -> Conventions:
        """Return the conventions, overridden by those that the measure's name sets."""
        return chosen

    def with_cutoff(self, k: int | None) -> Self:
        """Return the same measure with this cutoff, unless it has its own."""
        return self if k is None or self.k is not None else replace(self, k=k)


@dataclass(frozen=True, kw_only=True)
class Binary(Measure):
    """A measure with binary relevance; `rel` is the lowest relevant grade."""

    rel: int | None = option(None, int, "rel=1, rel=2 and so on", least=1)

    def counted(self, hits: Hits) -> Hits:
        """Return the hits of at least that grade."""
        return hits if self.rel is None else hits.at_least(self.rel)

    def steps(self, hits: Hits, rank: np.ndarray, chosen: Conventions) -> dict[str, np.ndarray]:
        """Return the number of hits down to each rank, and their share of the ranks."""
        so_far = np.cumsum(at_ranks(self.counted(hits).rank, 1, len(rank))).astype(int)
        known = {"hits so far": so_far, "precision": so_far / rank}
        return {name: known[name] for name in known if name in self.workings}


class RankWeighted(Measure):
    """A measure whose credit is the worth of a hit times a weight of its rank.

    The mean over ties follows from that: each rank of a tie gets the mean worth.
    """

    def weight(self, rank: np.ndarray) -> np.ndarray:
        """Return the credit of a hit worth 1 at these ranks: 1 by default."""
        return np.ones(len(rank))

    def weight_under(self, chosen: Conventions) -> Callable[[np.ndarray], np.ndarray]:
        """Return the weight function under these conventions: `weight` by default."""
        return self.weight

    def worth(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the worth (H,) of each hit, independent of its rank."""
        return np.ones(len(hits.rank))

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return worth times weight (H,), within the cutoff."""
        earned = self.worth(hits, chosen) * self.weight_under(chosen)(hits.rank)
        return np.where(hits.within(self.k), earned, 0.0)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """Return the sum (Q,) over ties of the mean worth times the weights within the cutoff."""
        worth = ties.total(self.worth(hits, chosen)) / ties.size
        return ties.per_query(worth * ties.over_ranks(self.weight_under(chosen)))


def keeps_low_grades(measure: Measure, chosen: Conventions) -> bool:
    """Return whether grades below the lowest relevant one still have a gain."""
    return chosen.low_grades == "gain" and "low_grades" in measure.conventions


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Compute part / whole, and 0 if whole is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def cutoff(k: int | None) -> int | None:
    """Return the cutoff if it is a whole number of at least 1, or None for the whole list."""
    if k is not None and not (is_whole(k) and k > 0):
        raise ValueError(f"k={k!r} is not a cutoff; expected a whole number from 1, or None.")
    return k


def is_whole(number: object) -> bool:
    """Return whether it is a whole number, and not a bool."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
