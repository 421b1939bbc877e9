"""RR, the reciprocal rank, and MRR, its mean."""

from dataclasses import dataclass

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures.measure import Binary
from byhand.metrics.measures.ties import Ties


@dataclass(frozen=True, kw_only=True)
class RR(Binary):
    """The reciprocal rank."""

    name = "RR"
    meaning = "one divided by the rank of the first relevant item; 0 if there is none"
    source = 'Voorhees 1999, "The TREC-8 Question Answering Track Report"'
    aliases = ("MRR", "RECIP_RANK")

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) 1 / rank for the first hit of a query, 0 for the others."""
        return np.where(hits.within(self.k) & (hits.nth == 1), 1 / hits.rank, 0.0)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """(Q,) 1 / rank of the first hit, averaged over where in its tie it may stand."""
        first = ties.may_be_first
        values = np.zeros(ties.n_queries)
        shapes = np.stack([ties.above, ties.size, ties.hits, ties.reach])[:, first]
        shapes, place = np.unique(shapes, axis=1, return_inverse=True)
        means = [_mean_of_tie(*shape) for shape in shapes.T.tolist()]
        values[ties.query[first]] = np.array(means, dtype=float)[place.ravel()]
        return values


def _mean_of_tie(above: int, size: int, hits: int, reach: int) -> float:
    chances = _first_hit_chances(size, hits, reach)
    return float(np.sum(chances / (above + np.arange(1, len(chances) + 1))))


def _first_hit_chances(size: int, hits: int, reach: int) -> np.ndarray:
    """The chance that the first of the hits stands at place 1, 2, ... of a tie.

    At place j it is C(m - j, r - 1) / C(m, r); each follows from the one before it, which
    needs no factorials.
    """
    places = np.arange(1, min(reach, size - hits + 1))
    ratios = (size - hits - places + 1) / (size - places)
    return np.cumprod(np.concatenate([[hits / size], ratios]))
