"""Judged, the share of items that somebody judged: Judged@k."""

from dataclasses import dataclass

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits, JudgedHits
from byhand.metrics.measures.measure import RankWeighted


@dataclass(frozen=True, kw_only=True)
class Judged(RankWeighted):
    """The share of judged items; of a list in memory, all those given with a grade count.

    Example:
        >>> Judged(k=2).of_list(["a", "x", "b"], {"a": 1, "b": 0})
        0.5
    """

    name = "Judged"
    meaning = "the share of items with a judgement among the first k, or among all retrieved"
    source = "ir_measures 0.4.3, Judged@k"
    of_judged = True

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) how many ranks there are to look at."""
        return hits.n_retrieved if self.k is None else np.minimum(hits.n_retrieved, float(self.k))

    def counted(self, hits: Hits) -> Hits:
        """Every judged item."""
        return hits.judged if isinstance(hits, JudgedHits) else hits
