"""What people do otherwise: each way to depart from some conventions, a tool's or by mistake.

Conventions come from their table. What no tool means to do, and what happens all the same, stands
in the table below: each with a sentence. The formulas stay where they are: a departure changes the
hits, the measure or the mean that go into them.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np

from byhand.metrics.conventions import CHOICES, Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures import AP, DCG, MEASURES, RR, Measure, P, R
from byhand.metrics.measures.ndcg import nDCG
from byhand.metrics.measures.ties import Ties
from byhand.words import N_, text

_CUTOFFS = (5, 10, 20, 50, 100, 1000)


@dataclass(frozen=True, kw_only=True)
class Departure:
    """One thing done otherwise.

    Attributes:
        of: what it is about; a combination has one departure of each at most.
        says: what is done, as a clause that is said by `spoken`.
        choices: what it makes of the conventions.
        measure: what it makes of a measure; None where it says nothing to that measure.
        rows: which other rows it ranks, or in which order, by its name in `ways`.
        grades: what it makes of grades above 0, given the highest there is.
        lowest: the lowest relevant grade, given the highest.
        mean: how it takes the mean of the values: `"run"`, `"found"` or `"micro"`.
        digits: to how many it rounds the value of each query.
        cut: whether the number in print is cut off, and not rounded.
        preset: the preset whose choices these are.
        seen_in: of a mistake, the tools that were seen to do it, by their names in `PRESETS`.
    """

    of: str
    says: str
    choices: Mapping[str, str] = field(default_factory=dict)
    measure: Callable[[Measure], Measure | None] | None = None
    rows: str = ""
    grades: Callable[[np.ndarray, float], np.ndarray] | None = None
    lowest: Callable[[float], float] | None = None
    mean: str = ""
    digits: int | None = None
    cut: bool = False
    preset: str = ""
    seen_in: tuple[str, ...] = ()

    @property
    def mistake(self) -> bool:
        """Whether no conventions have it."""
        return not (self.choices or self.preset)

    def concerns(self, measure: Measure) -> bool:
        """Whether it can move this measure at all."""
        if self.measure is not None:
            return self.measure(measure) is not None
        if self.choices:
            return any(
                not CHOICES[name].concerns or name in measure.conventions for name in self.choices
            )
        return self.grades is None or isinstance(measure, DCG)


@dataclass(frozen=True, kw_only=True)
class _OddDCG(nDCG):
    """nDCG as it is not meant."""

    by: str = ""
    top_only: bool = False

    def weight_under(self, chosen: Conventions) -> Callable[[np.ndarray], np.ndarray]:
        return _DISCOUNTS.get(self.by) or super().weight_under(chosen)

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        if self.top_only:
            near = hits.within(self.k)
            hits = replace(hits, query=hits.query[near], grade=hits.grade[near])
            return replace(self, top_only=False).divisor(hits, chosen.but(ideal="retrieved"))
        return super().divisor(hits, chosen)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        if self.top_only:
            raise ValueError("Which items are in the first k is open.")
        return super().expected_credit(hits, ties, chosen)


_DISCOUNTS = {
    "rank + 2": lambda rank: 1 / np.log2(np.asarray(rank) + 2),
    "1 / rank": lambda rank: 1 / np.asarray(rank, dtype=float),
}


@dataclass(frozen=True, kw_only=True)
class _OddAP(AP):
    """AP as it is not meant."""

    over_k: bool = False
    first_rank: int = 1

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        return np.where(hits.within(self.k), hits.nth / (hits.rank + self.first_rank - 1), 0.0)

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        return (
            np.full(hits.n_queries, float(self.k)) if self.over_k else super().divisor(hits, chosen)
        )

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        if self.first_rank != 1:
            raise ValueError("No exact mean is known.")
        return super().expected_credit(hits, ties, chosen)


@dataclass(frozen=True, kw_only=True)
class _OddRR(RR):
    """RR as it is not meant."""

    every_hit: bool = False
    first_rank: int = 1

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        counts = hits.within(self.k) & (self.every_hit | (hits.nth == 1))
        return np.where(counts, 1 / (hits.rank + self.first_rank - 1), 0.0)

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        if self.every_hit:
            return hits.per_query(hits.within(self.k))
        return super().divisor(hits, chosen)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        raise ValueError("No exact mean is known.")


@dataclass(frozen=True, kw_only=True)
class _OddShare(P):
    """P or R over something else."""

    over: str = ""

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        k = math.inf if self.k is None else float(self.k)
        return np.minimum(hits.n_retrieved if self.over == "shown" else hits.n_relevant, k)


def _odd(kind: type[Measure], of: type[Measure], **otherwise: object) -> Callable:
    """A function from a measure of some kind to one that departs from it, and None from others."""

    def change(measure: Measure) -> Measure | None:
        needs_k = bool(otherwise.keys() & {"over_k", "top_only"})
        if not isinstance(measure, of) or (needs_k and measure.k is None):
            return None
        if isinstance(measure, kind):
            return replace(measure, **otherwise)
        shared = {each.name for each in fields(kind)}
        same = {each.name: getattr(measure, each.name) for each in fields(measure)}
        return kind(**{name: same[name] for name in same if name in shared}, **otherwise)

    return change


MISTAKES: tuple[Departure, ...] = (
    Departure(of="order", says=N_("the lowest score comes first"), rows="ascending"),
    Departure(
        of="order", says=N_("the rows are ranked as they stand, whatever the scores"), rows="rows"
    ),
    Departure(of="order", says=N_("the items are ranked by their identifiers"), rows="ids"),
    Departure(
        of="order",
        says=N_("scores are compared as float32"),
        rows="float32",
        seen_in=("pytrec_eval", "ir_measures", "torchmetrics", "xgboost", "mteb"),
    ),
    Departure(
        of="queries",
        says=N_(
            "the first query of the run is joined with the first of the qrels, the second with "
            "the second, and so on"
        ),
        rows="positions",
    ),
    Departure(
        of="copies",
        says=N_("each copy of a repeated item counts as a hit"),
        rows="counted",
        seen_in=("llama_index", "lenskit", "spark"),
    ),
    Departure(
        of="copies",
        says=N_("each copy of a repeated item is an item of its own, also in the ideal"),
        rows="apart",
        seen_in=("sklearn", "torchmetrics", "xgboost", "lightgbm", "catboost", "phoenix"),
    ),
    Departure(
        of="copies",
        says=N_("a repeated item counts once, and its copies keep their ranks"),
        rows="once",
        seen_in=("haystack", "trulens"),
    ),
    Departure(
        of="itself",
        says=N_("an item that is the query itself is left out"),
        rows="itself",
        seen_in=("mteb",),
    ),
    Departure(of="lowest", says=N_("relevant begins at grade 2"), lowest=lambda top: 2),
    Departure(of="lowest", says=N_("relevant begins at grade 3"), lowest=lambda top: 3),
    Departure(of="lowest", says=N_("only the highest grade is relevant"), lowest=lambda top: top),
    Departure(
        of="grades",
        says=N_("the grades are the wrong way round"),
        grades=lambda grade, top: top + 1 - grade,
    ),
    Departure(
        of="grades", says=N_("the grades are one too high"), grades=lambda grade, top: grade + 1
    ),
    Departure(
        of="grades", says=N_("the grades are one too low"), grades=lambda grade, top: grade - 1
    ),
    Departure(
        of="ideal",
        says=N_("the ideal order holds the items above the cutoff only"),
        measure=_odd(_OddDCG, nDCG, top_only=True),
    ),
    Departure(
        of="discount",
        says=N_("a gain is divided by log2(rank + 2), as if ranks began at 2"),
        measure=_odd(_OddDCG, nDCG, by="rank + 2"),
    ),
    Departure(
        of="discount",
        says=N_("a gain is divided by its rank"),
        measure=_odd(_OddDCG, nDCG, by="1 / rank"),
    ),
    Departure(
        of="denominator", says=N_("AP divides by the cutoff"), measure=_odd(_OddAP, AP, over_k=True)
    ),
    Departure(
        of="ranks", says=N_("the first rank is 2 to AP"), measure=_odd(_OddAP, AP, first_rank=2)
    ),
    Departure(
        of="ranks", says=N_("the first rank is 2 to RR"), measure=_odd(_OddRR, RR, first_rank=2)
    ),
    Departure(
        of="hits",
        says=N_("RR is the mean over all hits, not of the first"),
        measure=_odd(_OddRR, RR, every_hit=True),
    ),
    Departure(
        of="denominator",
        says=N_("P divides by the items that there are, up to the cutoff"),
        measure=_odd(_OddShare, P, over="shown"),
        seen_in=("xgboost", "catboost", "llama_index", "lenskit", "mlflow", "trulens", "ragas"),
    ),
    Departure(
        of="denominator",
        says=N_("the divisor is the smaller of the cutoff and the number of relevant items"),
        measure=_odd(_OddShare, (P, R), over="capped"),
    ),
    Departure(of="mean", says=N_("the mean is over the queries of the run"), mean="run"),
    Departure(of="mean", says=N_("the mean is over queries that found something"), mean="found"),
    Departure(
        of="mean", says=N_("sums over all queries are divided once (micro average)"), mean="micro"
    ),
    Departure(of="rounding", says=N_("each query is rounded to 4 digits first"), digits=4),
    Departure(of="rounding", says=N_("each query is rounded to 2 digits first"), digits=2),
    Departure(of="printing", says=N_("the digits are cut off, not rounded"), cut=True),
)


def conventions_otherwise(base: Conventions, *, low_grades: bool) -> Iterator[Departure]:
    """A departure for each option that some conventions do not have, in the order of the table.

    Args:
        base: the conventions.
        low_grades: whether a lowest relevant grade is given, so that there are low ones.
    """
    for name, choice in CHOICES.items():
        if choice.of_low_grades and not low_grades:
            continue
        for option in choice.options:
            if option not in ("error", getattr(base, name)):
                of = {"ties": "order"}.get(name, name)
                yield Departure(of=of, says=choice.clause(option, 1), choices={name: option})


def cutoffs_otherwise(k: int | None) -> Iterator[Departure]:
    """Other cutoffs than this one."""

    def cut(at: int | None) -> Callable[[Measure], Measure | None]:
        return lambda measure: replace(measure, k=at) if measure.k == k else None

    if k is not None:
        yield Departure(of="cutoff", says=N_("there is no cutoff"), measure=cut(None))
    near = () if k is None else (k - 1, k + 1)
    for other in dict.fromkeys((*near, *_CUTOFFS)):
        if other not in (0, k):
            yield Departure(
                of="cutoff", says=text(N_("the cutoff is {k}"), k=other), measure=cut(other)
            )


def measures_otherwise(asked: Measure) -> Iterator[Departure]:
    """Other measures than this one, with its cutoff."""

    def other(kind: type[Measure]) -> Callable[[Measure], Measure | None]:
        return lambda measure: kind(k=measure.k) if measure == asked else None

    for name in ("RR", "AP", "nDCG", "DCG", "P", "R", "Success"):
        if name != asked.name and not (name in ("P", "Success") and asked.k is None):
            there = str(MEASURES[name](k=asked.k))
            says = text(N_("it is {measure} in place of {other}"), measure=there, other=str(asked))
            yield Departure(of="measure", says=says, measure=other(MEASURES[name]))
