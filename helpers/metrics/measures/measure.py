"""What a measure is: its name and options, what each hit earns, its mean over orders of ties."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

import numpy as np

from helpers.errors import DataError
from helpers.metrics.conventions import Conventions, Preset
from helpers.metrics.hits import Hits
from helpers.metrics.lists import Case, Relevant, hits_of_lists
from helpers.metrics.measures.ties import Ties

DEFAULT = Conventions()


@dataclass(frozen=True, kw_only=True)
class Measure(ABC):
    """A measure: everything that the kit knows of it.

    The value of a query is what its hits earn, added up, over a divisor. A subclass says what a
    hit earns (`credit`), what the sum is divided by (`divisor`, 1 unless it says so), and what is
    earned on average over all orders of tied items (`expected_credit`).

    Attributes:
        k: the cutoff: only the first k ranks count; None for the whole list.
        rel: the lowest grade that counts as relevant; None for any above 0.

    Class attributes:
        name: its name in ir_measures' notation.
        meaning: what it is, in a sentence.
        source: where it is defined.
        options: the fields that its notation has in brackets, each with examples.
        aliases: what else it is called, in capitals.
        conventions: the choices of `Conventions` that concern it alone.
        of_judged: whether it looks at items that are judged but not relevant, too.
        workings: the columns of a step table that show how it comes about.
        highest: the most that a query can have; None where there is no such bound.

    Raises:
        ValueError: a cutoff or an option that is not possible.
    """

    k: int | None = None
    rel: int | None = None

    name: ClassVar[str]
    meaning: ClassVar[str]
    source: ClassVar[str]
    options: ClassVar[Mapping[str, str]] = {"rel": "rel=1, rel=2 and so on"}
    aliases: ClassVar[tuple[str, ...]] = ()
    conventions: ClassVar[tuple[str, ...]] = ()
    of_judged: ClassVar[bool] = False
    workings: ClassVar[tuple[str, ...]] = ()
    highest: ClassVar[float | None] = 1.0

    def __post_init__(self) -> None:
        cutoff(self.k)
        if self.rel is not None and not (_is_whole(self.rel) and self.rel > 0):
            raise ValueError(f"rel={self.rel!r} is not a grade; expected a whole number from 1.")

    def __str__(self) -> str:
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        usual = {field.name: field.default for field in fields(self)}
        options = [f"{name}={given[name]!r}" for name in self.options if given[name] != usual[name]]
        inside = f"({','.join(options)})" if options else ""
        return f"{self.name}{inside}" + ("" if self.k is None else f"@{self.k}")

    @abstractmethod
    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) what each hit earns, before the division; 0 beyond the cutoff."""

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) what the credit of a query is divided by."""
        return np.ones(hits.n_queries)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """(Q,) what the hits of a query earn on average over all orders of their ties.

        Raises:
            ValueError: no exact expression for it is known.
        """
        raise ValueError(
            f"{self} has no exact mean over the orders of equal scores, nor a chance level. "
            "Choose an order for them, such as Conventions(ties='doc_id'), and leave out chance."
        )

    def counted(self, hits: Hits) -> Hits:
        """The hits with only what this measure calls relevant."""
        return hits if self.rel is None else hits.at_least(self.rel)

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
        """Further columns of a step table of one list: by their names (n,) values for its ranks."""
        return {}

    def named_by(self, preset: Preset) -> Conventions:
        """What a preset chooses for this measure."""
        return preset.of(self.name, self.k)

    def of_list(
        self, ranked: Sequence[Hashable], relevant: Relevant, chosen: Conventions = DEFAULT
    ) -> float:
        """The measure of one list."""
        hits = hits_of_lists([(ranked, relevant)], unjudged=chosen.unjudged)
        return float(self.values(hits, chosen)[0])

    def mean_of(self, cases: Iterable[Case], chosen: Conventions = DEFAULT) -> float:
        """The mean over (ranked, relevant) pairs.

        Raises:
            DataError: no cases, or a repeated item in a list.
        """
        hits = hits_of_lists(cases, unjudged=chosen.unjudged)
        if hits.n_queries == 0:
            raise DataError(
                "There are no cases, so there is no mean. Pass (ranked, relevant) pairs."
            )
        return float(self.values(hits, chosen).mean())

    def choose(self, chosen: Conventions) -> Conventions:
        """The conventions, with what the measure's own name settles."""
        return chosen

    def within(self, k: int | None) -> Self:
        """The same measure with this cutoff, unless it has its own."""
        return self if k is None or self.k is not None else replace(self, k=k)


class RankWeighted(Measure):
    """A measure whose hits earn what they are worth times a weight that only the rank decides.

    The mean over ties follows from that: every rank of a tie holds its share of the worth.
    """

    def weight(self, rank: np.ndarray) -> np.ndarray:
        """What a hit worth 1 earns at these ranks: 1, unless a subclass says otherwise."""
        return np.ones(len(rank))

    def worth(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) what each hit is worth, wherever it stands."""
        return np.ones(len(hits.rank))

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) worth times weight, within the cutoff."""
        earned = self.worth(hits, chosen) * self.weight(hits.rank)
        return np.where(hits.within(self.k), earned, 0.0)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """(Q,) for each tie its mean worth, times the weights of its ranks within the cutoff."""
        worth = ties.total(self.worth(hits, chosen)) / ties.size
        return ties.per_query(worth * ties.over_ranks(self.weight))


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole, and 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def cutoff(k: int | None) -> int | None:
    """The cutoff, checked: a whole number from 1, or None for the whole list.

    Raises:
        ValueError: something else.
    """
    if k is not None and not (_is_whole(k) and k > 0):
        raise ValueError(f"k={k!r} is not a cutoff; expected a whole number from 1, or None.")
    return k


def _is_whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
