"""The exact mean of each measure over all orders of the tied items.

Items with an equal score share m ranks, a + 1 to a + m, and each order of them is as likely as
any other. McSherry and Najork 2008, "Computing information retrieval performance measures
efficiently in the presence of tied scores", do this for precision, recall, RR, AP and nDCG.
"""

from dataclasses import dataclass

import numpy as np

from helpers.metrics.conventions import Conventions
from helpers.metrics.formulas import Formula, discount, gain_of, ideal_dcg, share
from helpers.metrics.hits import Hits, first_of_tie, sum_per_query


@dataclass(frozen=True)
class _Ties:
    """The ties that hold a hit; a hit that is not tied is a tie of one item.

    Attributes:
        query: (T,) whose tie it is.
        above: (T,) a, how many items stand above it.
        size: (T,) m, how many items are in it.
        hits: (T,) r, how many of them are hits.
        before: (T,) c, how many hits of the query stand above it.
        reach: (T,) how many of its ranks lie within the cutoff.
    """

    query: np.ndarray
    above: np.ndarray
    size: np.ndarray
    hits: np.ndarray
    before: np.ndarray
    reach: np.ndarray

    @classmethod
    def of(cls, hits: Hits, k: int | None) -> "_Ties":
        first_of_hit, n_hits = first_of_tie(hits.query, hits.top)
        first = np.unique(first_of_hit)
        above, size = hits.top[first] - 1, hits.tied[first]
        reach = size if k is None else np.clip(k - above, 0, size)
        return cls(hits.query[first], above, size, n_hits[first], hits.nth[first] - 1, reach)


def _reciprocals(above: np.ndarray, count: np.ndarray) -> np.ndarray:
    """1 / (above + 1) + ... + 1 / (above + count)."""
    from scipy.special import digamma

    return digamma(above + count + 1.0) - digamma(above + 1.0)


def _discounts(above: np.ndarray, count: np.ndarray) -> np.ndarray:
    """The discounts of the ranks above + 1 to above + count, added up."""
    last = int((above + count).max(initial=0))
    total = np.concatenate([[0.0], np.cumsum(discount(np.arange(1, last + 1)))])
    return total[above + count] - total[above]


def _first_hit_chances(size: int, hits: int, reach: int) -> np.ndarray:
    """The chance that the first of the hits stands at place 1, 2, ... of a tie.

    At place j it is C(m - j, r - 1) / C(m, r); each follows from the one before it, which
    needs no factorials.
    """
    places = np.arange(1, min(reach, size - hits + 1))
    ratios = (size - hits - places + 1) / (size - places)
    return np.cumprod(np.concatenate([[hits / size], ratios]))


def _rr(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    ties = _Ties.of(hits, k)
    first = np.flatnonzero((ties.before == 0) & (ties.reach > 0))
    values = np.zeros(hits.n_queries)
    shapes = np.stack([ties.above, ties.size, ties.hits, ties.reach])[:, first]
    shapes, place = np.unique(shapes, axis=1, return_inverse=True)
    means = [_rr_of_tie(*shape) for shape in shapes.T.tolist()]
    values[ties.query[first]] = np.array(means, dtype=float)[place.ravel()]
    return values


def _rr_of_tie(above: int, size: int, hits: int, reach: int) -> float:
    chances = _first_hit_chances(size, hits, reach)
    return float(np.sum(chances / (above + np.arange(1, len(chances) + 1))))


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


def _ap(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    ties = _Ties.of(hits, k)
    precisions = _precisions(ties.above, ties.size, ties.hits, ties.before, ties.reach)
    total = sum_per_query(ties.query, precisions, hits.n_queries)
    if chosen.denominator == "retrieved":
        return _ap_by_hits_found(hits, ties, precisions)
    divisor = hits.n_relevant.astype(float)
    if k is not None and chosen.denominator == "capped":
        divisor = np.minimum(divisor, k)
    return share(total, divisor)


def _ap_by_hits_found(hits: Hits, ties: _Ties, precisions: np.ndarray) -> np.ndarray:
    """AP over the hits found: where the cutoff splits a tie, how many those are is chance, too."""
    from scipy.stats import hypergeom

    whole = ties.reach == ties.size

    def per_query(weights: np.ndarray) -> np.ndarray:
        return sum_per_query(ties.query[whole], weights[whole], hits.n_queries)

    total, found = per_query(precisions), per_query(ties.hits.astype(float))
    values = share(total, found)
    for split in np.flatnonzero(~whole & (ties.reach > 0)):
        query, reach = ties.query[split], ties.reach[split]
        n_hits = np.arange(min(ties.hits[split], reach) + 1)
        chance = hypergeom.pmf(n_hits, ties.size[split], ties.hits[split], reach)
        each = np.ones_like(n_hits)
        sums = total[query] + _precisions(
            ties.above[split] * each, reach * each, n_hits, ties.before[split] * each, reach * each
        )
        values[query] = np.sum(chance * share(sums, found[query] + n_hits))
    return values


def _dcg(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    ties = _Ties.of(hits, k)
    first, _ = first_of_tie(hits.query, hits.top)
    gains = np.bincount(first, weights=gain_of(hits.grade, chosen.gain))
    each = gains[np.unique(first)] / ties.size * _discounts(ties.above, ties.reach)
    return sum_per_query(ties.query, each, hits.n_queries)


def _ndcg(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    best = ideal_dcg(hits, k=k, gain=chosen.gain, ideal=chosen.ideal)
    return share(_dcg(hits, k, chosen), best)


def _found(hits: Hits, k: int | None) -> np.ndarray:
    ties = _Ties.of(hits, k)
    each = ties.hits * ties.reach / ties.size
    return sum_per_query(ties.query, each, hits.n_queries)


def _precision(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    return share(_found(hits, k), hits.n_retrieved if k is None else np.full(hits.n_queries, k))


def _recall(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    return share(_found(hits, k), hits.n_relevant)


def _success(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    ties = _Ties.of(hits, k)
    values = np.zeros(hits.n_queries)
    for first in np.flatnonzero((ties.before == 0) & (ties.reach > 0)):
        few, many = sorted((int(ties.hits[first]), int(ties.reach[first])))
        size = ties.size[first]
        # no hit within reach: C(m - r, reach) / C(m, reach), factor by factor
        misses = 0.0 if few + many > size else np.prod(1 - many / (size - np.arange(few)))
        values[ties.query[first]] = 1 - misses
    return values


EXPECTED: dict[str, Formula] = {
    "RR": _rr,
    "AP": _ap,
    "nDCG": _ndcg,
    "DCG": _dcg,
    "P": _precision,
    "R": _recall,
    "Success": _success,
}
