"""P, precision: P@k."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures.measure import Binary, RankWeighted


@dataclass(frozen=True, kw_only=True)
class P(RankWeighted, Binary):
    """Precision."""

    name = "P"
    meaning = "the share of relevant items among the first k; without k, among all retrieved"
    source = "Manning, Raghavan and Schütze 2008, section 8.4; k as the divisor as in trec_eval"
    aliases = ("PRECISION", "SET_P")
    workings: ClassVar = {"hits so far": "rel", "precision": "rel"}

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the number (Q,) of ranks to divide by."""
        return hits.n_retrieved if self.k is None else np.full(hits.n_queries, float(self.k))
