"""RR, the reciprocal rank, and MRR, its mean over queries."""

from dataclasses import dataclass

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures.measure import Binary
from byhand.metrics.measures.ties import Ties


class FirstHit(Binary):
    """A measure of the first hit only: one over a function of its rank."""

    def price(self, rank: np.ndarray) -> np.ndarray:
        """Return the divisor if the first hit is at these ranks."""
        return np.ones(len(rank))

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the credit (H,): 1 / `price` for the first hit of each query, 0 for others."""
        return np.where(hits.within(self.k) & (hits.nth == 1), 1 / self.price(hits.rank), 0.0)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """Return the mean credit (Q,) over the possible ranks of the first hit in its tie."""
        first = np.flatnonzero((ties.before == 0) & (ties.reach > 0))
        values = np.zeros(ties.n_queries)
        shapes = np.stack([ties.above, ties.size, ties.hits, ties.reach])[:, first]
        shapes, inverse = np.unique(shapes, axis=1, return_inverse=True)
        means = [self._mean_of_tie(*shape) for shape in shapes.T.tolist()]
        values[ties.query[first]] = np.array(means, dtype=float)[inverse.ravel()]
        return values

    def _mean_of_tie(self, above: int, size: int, hits: int, reach: int) -> float:
        """Compute the mean credit.

        Item j of the tie is the first hit with probability C(m - j, r - 1) / C(m, r). Each of these
        probabilities follows from the previous one, without factorials.
        """
        nth = np.arange(1, min(reach, size - hits + 1))
        ratios = (size - hits - nth + 1) / (size - nth)
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
        """Return the rank."""
        return rank
