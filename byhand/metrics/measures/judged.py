"""Judged, the share of judged items: Judged@k."""

from dataclasses import dataclass

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits, JudgedHits
from byhand.metrics.measures.measure import RankWeighted


@dataclass(frozen=True, kw_only=True)
class Judged(RankWeighted):
    """The share of judged items; in a list in memory, those with a grade.

    Example:
        >>> Judged(k=2).of_list(["a", "x", "b"], {"a": 1, "b": 0})
        0.5
    """

    name = "Judged"
    meaning = "the share of items with a judgement among the first k, or among all retrieved"
    source = "ir_measures 0.4.3, Judged@k"
    of_judged = True

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the number (Q,) of retrieved items within the cutoff."""
        return hits.n_retrieved if self.k is None else np.minimum(hits.n_retrieved, float(self.k))

    def counted(self, hits: Hits) -> Hits:
        """Return every judged item as a hit."""
        return hits.judged if isinstance(hits, JudgedHits) else hits
