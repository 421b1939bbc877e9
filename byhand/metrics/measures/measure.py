"""What a measure is: its name and options, what each hit earns, its mean over orders of ties."""

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
    """An option of a measure, which its notation has in brackets."""

    kind: type  # of its values: int, float or str
    examples: str  # such as are possible, for a complaint
    choices: tuple[str, ...] = ()  # all that there are; empty if there are more than can be named
    least: float = -np.inf
    below: float = np.inf  # every value

    def takes(self, value: object) -> bool:
        """Whether it can have this value."""
        if self.kind is str:
            return value in self.choices if self.choices else isinstance(value, str)
        number = is_whole(value) or (self.kind is float and isinstance(value, float))
        return number and self.least <= value < self.below


def option(default: object, kind: type, examples: str, **limits: Any) -> Any:
    """A field of a measure that is an option of its: declared once, with type and default."""
    return field(default=default, metadata={"option": Option(kind, examples, **limits)})


@dataclass(frozen=True, kw_only=True)
class Measure(ABC):
    """A measure: everything that the kit knows of it.

    The value of a query is what its hits earn, added up, over a divisor. A subclass says what a
    hit earns (`credit`), what the sum is divided by (`divisor`, 1 unless it says so), and what is
    earned on average over all orders of tied items (`expected_credit`).

    Attributes:
        k: the cutoff: only the first k ranks count; None for the whole list. What else a name can
            say is an `option` of the subclass, and what that does not declare, it refuses.
        rel: the lowest grade that counts as relevant, where that is an option; else None.
        name: its name in ir_measures' notation.
        meaning: what it is, in a sentence.
        source: where it is defined.
        aliases: what else it is called, in capitals; never those of the measure it derives from.
        conventions: the choices that concern it alone, found in their table by its name and those
            of the measures that it derives from, unless it names them itself.
        of_judged: whether it looks at items that are judged but not relevant, too.
        workings: the columns of a step table that show how it comes about, each with the option or
            convention that it depends on, or an empty text.
        highest: the most that a query can have; None where there is no such bound.
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
        cls.aliases = vars(cls).get("aliases", ())  # RR's are not those of what derives from it
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
        """Its options, by their names."""
        return {
            each.name: each.metadata["option"] for each in fields(cls) if "option" in each.metadata
        }

    @classmethod
    def options_in_words(cls) -> str:
        """Which options it has, in words."""
        known = ", ".join(each.examples for each in cls.options().values())
        return f"{cls.name} has {known or 'no options but a cutoff'}"

    def _given(self) -> dict[str, object]:
        """The options that are not as usual."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        usual = {each.name: each.default for each in fields(self)}
        return {name: values[name] for name in self.options() if values[name] != usual[name]}

    @abstractmethod
    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) what each hit earns, before the division; 0 beyond the cutoff."""

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) what the credit of a query is divided by."""
        return np.ones(hits.n_queries)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """(Q,) what the hits of a query earn on average over all orders of their ties, if known."""
        raise ValueError(
            f"{self} has no exact mean over the orders of equal scores, nor a chance level. "
            "Choose an order for them, such as Conventions(ties='doc_id'), and leave out "
            "chance."
        )

    def counted(self, hits: Hits) -> Hits:
        """The hits with only what this measure calls relevant."""
        return hits

    def values(self, hits: Hits, chosen: Conventions = DEFAULT) -> np.ndarray:
        """(Q,) the measure of each query."""
        if chosen.ties == "expected":
            return self.expected(hits, chosen)
        hits = self.counted(hits)
        return share(hits.per_query(self.credit(hits, chosen)), self.divisor(hits, chosen))

    def expected(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) the mean of the measure over all orders of the tied items."""
        hits = self.counted(hits)
        earned = self.expected_credit(hits, Ties.of(hits, self.k), chosen)
        return share(earned, self.divisor(hits, chosen))

    def bounds(self, hits: Hits, chosen: Conventions = DEFAULT) -> tuple[np.ndarray, np.ndarray]:
        """(Q,) the least and the greatest value over all orders of the tied items."""
        as_they_stand = chosen.but(ties="input")
        worst, best = (self.values(order, as_they_stand) for order in (hits.worst, hits.best))
        return worst, best

    def added(self, hits: Hits, chosen: Conventions = DEFAULT) -> tuple[Hits, np.ndarray]:
        """The hits that count, and what each adds to the measure of its query."""
        hits = self.counted(hits)
        divisor = self.divisor(hits, chosen)[hits.query]
        return hits, share(self.credit(hits, chosen), divisor)

    def steps(self, hits: Hits, rank: np.ndarray, chosen: Conventions) -> dict[str, np.ndarray]:
        """The columns of `workings` for one list: (n,) values for its ranks."""
        return {}

    def basis(self, working: str, chosen: Conventions) -> object:
        """What a column of `workings` depends on: the same for two measures if it is the same."""
        on = self.workings[working]
        return getattr(self if on in self.options() else self.as_named(chosen), on, None)

    def basis_in_words(self, working: str, chosen: Conventions) -> str:
        """The same, for the name of the column."""
        on, basis = self.workings[working], self.basis(working, chosen)
        return f"{on}={basis!r}" if on in self.options() else str(basis)

    def check_grade(self, highest: float) -> None:
        """Refuse a grade that the measure does not take; it takes any unless it says otherwise."""
        return

    def chosen_by(self, preset: Preset) -> Conventions:
        """What a preset chooses for this measure."""
        return preset.of(self.name, self.k)

    def of_list(self, ranked: Ranked, relevant: Relevant, chosen: Conventions = DEFAULT) -> float:
        """The measure of one list."""
        return self.mean_of([(ranked, relevant)], chosen)

    def mean_of(self, cases: Iterable[Case], chosen: Conventions = DEFAULT) -> float:
        """The mean over (ranked, relevant) pairs."""
        hits = hits_of_lists(cases, unjudged=chosen.unjudged)
        if hits.n_queries == 0:
            raise DataError(
                "There are no cases, so there is no mean. Pass (ranked, relevant) pairs."
            )
        return float(self.values(hits, chosen).mean())

    def as_named(self, chosen: Conventions) -> Conventions:
        """The conventions, with what the measure's own name settles."""
        return chosen

    def with_cutoff(self, k: int | None) -> Self:
        """The same measure with this cutoff, unless it has its own."""
        return self if k is None or self.k is not None else replace(self, k=k)


@dataclass(frozen=True, kw_only=True)
class Binary(Measure):
    """A measure to which an item is relevant or not; `rel` is the lowest grade that is."""

    rel: int | None = option(None, int, "rel=1, rel=2 and so on", least=1)

    def counted(self, hits: Hits) -> Hits:
        """Those of at least that grade."""
        return hits if self.rel is None else hits.at_least(self.rel)

    def steps(self, hits: Hits, rank: np.ndarray, chosen: Conventions) -> dict[str, np.ndarray]:
        """How many hits there are down to each rank, and which share of the ranks they are."""
        so_far = np.cumsum(at_ranks(self.counted(hits).rank, 1, len(rank))).astype(int)
        known = {"hits so far": so_far, "precision": so_far / rank}
        return {name: known[name] for name in known if name in self.workings}


class RankWeighted(Measure):
    """A measure whose hits earn what they are worth times a weight that only the rank decides.

    The mean over ties follows from that: every rank of a tie holds its share of the worth.
    """

    def weight(self, rank: np.ndarray) -> np.ndarray:
        """What a hit worth 1 earns at these ranks: 1, unless a subclass says otherwise."""
        return np.ones(len(rank))

    def weight_under(self, chosen: Conventions) -> Callable[[np.ndarray], np.ndarray]:
        """The weight that a convention makes of it: the same, unless a subclass says otherwise."""
        return self.weight

    def worth(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) what each hit is worth, wherever it stands."""
        return np.ones(len(hits.rank))

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) worth times weight, within the cutoff."""
        earned = self.worth(hits, chosen) * self.weight_under(chosen)(hits.rank)
        return np.where(hits.within(self.k), earned, 0.0)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """(Q,) for each tie its mean worth, times the weights of its ranks within the cutoff."""
        worth = ties.total(self.worth(hits, chosen)) / ties.size
        return ties.per_query(worth * ties.over_ranks(self.weight_under(chosen)))


def keeps_low_grades(measure: Measure, chosen: Conventions) -> bool:
    """Whether grades below the lowest relevant one gain something all the same."""
    return chosen.low_grades == "gain" and "low_grades" in measure.conventions


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole, and 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def cutoff(k: int | None) -> int | None:
    """The cutoff, checked: a whole number from 1, or None for the whole list."""
    if k is not None and not (is_whole(k) and k > 0):
        raise ValueError(f"k={k!r} is not a cutoff; expected a whole number from 1, or None.")
    return k


def is_whole(number: object) -> bool:
    """Whether it is a whole number, and not a truth value."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
