"""Ties as the exact means over their orders see them.

Items with an equal score share m ranks, a + 1 to a + m, and each order of them is as likely as
any other. McSherry and Najork 2008, "Computing information retrieval performance measures
efficiently in the presence of tied scores", work out precision, recall, RR, AP and nDCG.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from byhand.metrics.hits import Hits, first_of_tie, sum_per_query


@dataclass(frozen=True)
class Ties:
    """The ties that hold a hit; a hit that is not tied is a tie of one item."""

    n_queries: int
    tie_of_hit: np.ndarray  # (H,) in which tie each hit is
    query: np.ndarray  # (T,) whose tie it is
    above: np.ndarray  # (T,) a, how many items stand above it
    size: np.ndarray  # (T,) m, how many items are in it
    hits: np.ndarray  # (T,) r, how many of them are hits
    before: np.ndarray  # (T,) c, how many hits of the query stand above it
    reach: np.ndarray  # (T,) how many of its ranks lie within the cutoff

    @classmethod
    def of(cls, hits: Hits, k: int | None) -> "Ties":
        """The ties of these hits; `k` is the cutoff."""
        first_of_hit, n_hits = first_of_tie(hits.query, hits.top)
        first, tie_of_hit = np.unique(first_of_hit, return_inverse=True)
        above, size = hits.top[first] - 1, hits.tied[first]
        deepest = int((above + size).max(initial=0))
        reach = np.clip(deepest if k is None else min(k, deepest), above, above + size) - above
        query, before = hits.query[first], hits.nth[first] - 1
        return cls(hits.n_queries, tie_of_hit, query, above, size, n_hits[first], before, reach)

    def total(self, weights: np.ndarray) -> np.ndarray:
        """(T,) the sum over each tie's hits of `weights` (H,)."""
        return sum_per_query(self.tie_of_hit, weights, len(self.query))

    def per_query(self, weights: np.ndarray) -> np.ndarray:
        """(Q,) the sum over each query's ties of `weights` (T,)."""
        return sum_per_query(self.query, weights, self.n_queries)

    def over_ranks(self, weight: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """(T,) the weights of the ranks of each tie within the cutoff, added up."""
        last = int((self.above + self.reach).max(initial=0))
        total = np.concatenate([[0.0], np.cumsum(weight(np.arange(1, last + 1)))])
        return total[self.above + self.reach] - total[self.above]
