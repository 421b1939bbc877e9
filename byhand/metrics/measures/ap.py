"""AP, average precision, and MAP, its mean."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures.measure import DEFAULT, Binary, share
from byhand.metrics.measures.ties import Tie, Ties


@dataclass(frozen=True, kw_only=True)
class AP(Binary):
    """Average precision.

    Example:
        >>> AP(k=2).of_list(["C", "x", "D"], ["C", "D"])
        0.5
    """

    name = "AP"
    meaning = "the precisions at the ranks of the relevant items, over the number of those"
    source = (
        'Manning, Raghavan and Schütze 2008, "Introduction to Information Retrieval", section 8.4'
    )
    aliases = ("MAP",)
    workings: ClassVar = {"hits so far": "rel", "precision": "rel"}

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) the precision at each hit."""
        return np.where(hits.within(self.k), hits.nth / hits.rank, 0.0)

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) the relevant items of a query, or what else the conventions divide by."""
        if chosen.denominator == "retrieved":
            return hits.per_query(hits.within(self.k))
        if chosen.denominator == "capped" and self.k is not None:
            return np.minimum(hits.n_relevant, float(self.k))
        return hits.n_relevant

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """(Q,) the precisions at the hits, added up, in the mean."""
        return ties.per_query(_of_ties(ties))

    def expected(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) the mean; where the cutoff splits a tie, how many hits are found is chance, too."""
        if chosen.denominator != "retrieved" or self.k is None:
            return super().expected(hits, chosen)
        ties = Ties.of(self.counted(hits), self.k)
        total = ties.per_query(np.where(ties.reach == ties.size, _of_ties(ties), 0))
        return _over_hits_found(ties, total, _mean_earned, _mean_value)

    def bounds(self, hits: Hits, chosen: Conventions = DEFAULT) -> tuple[np.ndarray, np.ndarray]:
        """(Q,) the least and the greatest value over all orders of the tied items.

        Over the hits found, one more within the cutoff can lower AP. So each number of them that
        a split tie can leave there is tried, at the last places or at the first.
        """
        if chosen.denominator != "retrieved" or self.k is None:
            return super().bounds(hits, chosen)
        hits = self.counted(hits)
        ties = Ties.of(hits, self.k)
        whole = (ties.reach == ties.size)[ties.tie_of_hit]

        def bound(order: Hits, earned: _Earned, pick: Callable) -> np.ndarray:
            total = hits.per_query(np.where(whole, self.credit(order, chosen), 0))
            return _over_hits_found(ties, total, earned, lambda tie, found, values: pick(values))

        return bound(hits.worst, _earned_last, np.min), bound(hits.best, _earned_first, np.max)


def _precisions(
    above: np.ndarray, size: np.ndarray, hits: np.ndarray, before: np.ndarray, reach: np.ndarray
) -> np.ndarray:
    """The precisions at a tie's hits within reach, added up, in the mean.

    Place j holds a hit with chance r / m. If it does, (j - 1)(r - 1) / (m - 1) of the other
    hits of the tie are expected above it, besides the c hits before the tie.
    """
    growth = share((hits - 1).astype(float), size - 1)
    at_start = before + 1 - growth * (above + 1)
    return hits / size * (reach * growth + at_start * _reciprocals(above, reach))


def _of_ties(ties: Ties) -> np.ndarray:
    return _precisions(ties.above, ties.size, ties.hits, ties.before, ties.reach)


def _reciprocals(above: np.ndarray, count: np.ndarray) -> np.ndarray:
    """1 / (above + 1) + ... + 1 / (above + count)."""
    from scipy.special import digamma

    return digamma(above + count + 1.0) - digamma(above + 1.0)


_Earned = Callable[[Tie, np.ndarray], np.ndarray]


def _over_hits_found(
    ties: Ties,
    total: np.ndarray,
    earned: _Earned,
    value: Callable[[Tie, np.ndarray, np.ndarray], float],
) -> np.ndarray:
    """(Q,) AP over the hits found, whose number is open where the cutoff splits a tie.

    Args:
        ties: the ties.
        total: (Q,) the precisions at the hits of the ties that are not split, added up.
        earned: what is added to it by each number of hits found in a split tie.
        value: what to make of the values that follow from those numbers.
    """
    whole = ties.reach == ties.size
    values = share(total, ties.per_query(np.where(whole, ties.hits, 0)))
    for place in np.flatnonzero(~whole & (ties.reach > 0)):
        tie = ties.at(place)
        found = np.arange(max(0, tie.hits - tie.size + tie.reach), min(tie.hits, tie.reach) + 1)
        possible = share(total[tie.query] + earned(tie, found), tie.before + found)
        values[tie.query] = value(tie, found, possible)
    return values


def _mean_earned(tie: Tie, found: np.ndarray) -> np.ndarray:
    above, reach, before = (np.full(len(found), n) for n in (tie.above, tie.reach, tie.before))
    return _precisions(above, reach, found, before, reach)


def _mean_value(tie: Tie, found: np.ndarray, values: np.ndarray) -> float:
    from scipy.stats import hypergeom

    return float(np.sum(hypergeom.pmf(found, tie.size, tie.hits, tie.reach) * values))


def _earned_first(tie: Tie, found: np.ndarray) -> np.ndarray:
    """The precisions of hits at the first places of a tie, added up."""
    nth = np.arange(1, found.max() + 1)
    total = np.concatenate([[0], np.cumsum((tie.before + nth) / (tie.above + nth))])
    return total[found]


def _earned_last(tie: Tie, found: np.ndarray) -> np.ndarray:
    """The precisions of hits at the last places of a tie within reach, added up."""
    end = tie.above + tie.reach
    ranks = [np.arange(end - n + 1, end + 1) for n in found]
    return np.array([np.sum((tie.before + 1 + np.arange(len(rank))) / rank) for rank in ranks])
