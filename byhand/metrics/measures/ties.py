"""Ties, for exact means over all orders of items with equal scores.

Items with an equal score share m ranks, a + 1 to a + m, and all their orders are equally likely.
McSherry and Najork 2008, "Computing information retrieval performance measures efficiently in the
presence of tied scores", derive the means of precision, recall, RR, AP and nDCG.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from byhand.metrics.hits import Hits, first_of_tie, sum_per_query


@dataclass(frozen=True)
class Ties:
    """The ties that contain a hit; a hit that is not tied is a tie of one item."""

    n_queries: int
    tie_of_hit: np.ndarray  # (H,) tie of each hit
    query: np.ndarray  # (T,) query of the tie
    above: np.ndarray  # (T,) a, number of items above it
    size: np.ndarray  # (T,) m, number of its items
    hits: np.ndarray  # (T,) r, number of its hits
    before: np.ndarray  # (T,) c, number of hits of the query above it
    reach: np.ndarray  # (T,) number of its ranks within the cutoff

    @classmethod
    def of(cls, hits: Hits, k: int | None) -> "Ties":
        """Return the ties of these hits; `k` is the cutoff."""
        first_of_hit, n_hits = first_of_tie(hits.query, hits.top)
        first, tie_of_hit = np.unique(first_of_hit, return_inverse=True)
        above, size = hits.top[first] - 1, hits.tied[first]
        deepest = int((above + size).max(initial=0))
        reach = np.clip(deepest if k is None else min(k, deepest), above, above + size) - above
        query, before = hits.query[first], hits.nth[first] - 1
        return cls(hits.n_queries, tie_of_hit, query, above, size, n_hits[first], before, reach)

    def total(self, weights: np.ndarray) -> np.ndarray:
        """Return the sum (T,) of `weights` (H,) over the hits of each tie."""
        return sum_per_query(self.tie_of_hit, weights, len(self.query))

    def per_query(self, weights: np.ndarray) -> np.ndarray:
        """Return the sum (Q,) of `weights` (T,) over the ties of each query."""
        return sum_per_query(self.query, weights, self.n_queries)

    def over_ranks(self, weight: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Return the sum (T,) of the weights of the ranks of each tie within the cutoff."""
        last = int((self.above + self.reach).max(initial=0))
        total = np.concatenate([[0.0], np.cumsum(weight(np.arange(1, last + 1)))])
        return total[self.above + self.reach] - total[self.above]
