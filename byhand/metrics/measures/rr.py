"""RR, the reciprocal rank, and MRR, its mean."""

from dataclasses import dataclass

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures.measure import Binary
from byhand.metrics.measures.ties import Ties


class FirstHit(Binary):
    """A measure to which only the first hit of a query counts: one over something of its rank."""

    def price(self, rank: np.ndarray) -> np.ndarray:
        """What 1 is divided by if the first hit stands at these ranks."""
        return np.ones(len(rank))

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) 1 over the price for the first hit of a query, 0 for the others."""
        return np.where(hits.within(self.k) & (hits.nth == 1), 1 / self.price(hits.rank), 0.0)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """(Q,) the same, averaged over where in its tie the first hit of a query may stand."""
        first = np.flatnonzero((ties.before == 0) & (ties.reach > 0))
        values = np.zeros(ties.n_queries)
        shapes = np.stack([ties.above, ties.size, ties.hits, ties.reach])[:, first]
        shapes, place = np.unique(shapes, axis=1, return_inverse=True)
        means = [self._mean_of_tie(*shape) for shape in shapes.T.tolist()]
        values[ties.query[first]] = np.array(means, dtype=float)[place.ravel()]
        return values

    def _mean_of_tie(self, above: int, size: int, hits: int, reach: int) -> float:
        """The chance that the first hit stands at place j is C(m - j, r - 1) / C(m, r).

        Each follows from the one before it, which needs no factorials.
        """
        places = np.arange(1, min(reach, size - hits + 1))
        ratios = (size - hits - places + 1) / (size - places)
        chances = np.cumprod(np.concatenate([[hits / size], ratios]))
        return float(np.sum(chances / self.price(above + np.arange(1, len(chances) + 1))))


@dataclass(frozen=True, kw_only=True)
class RR(FirstHit):
    """The reciprocal rank."""

    name = "RR"
    meaning = "one divided by the rank of the first relevant item; 0 if there is none"
    source = 'Voorhees 1999, "The TREC-8 Question Answering Track Report"'
    aliases = ("MRR", "RECIP_RANK", "RECIPROCAL_RANK", "MEAN_RECIPROCAL_RANK")

    def price(self, rank: np.ndarray) -> np.ndarray:
        """The rank."""
        return rank
