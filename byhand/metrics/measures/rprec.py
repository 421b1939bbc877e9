"""Rprec, R-precision: the precision at the rank R."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures.measure import Binary
from byhand.metrics.measures.ties import Ties


@dataclass(frozen=True, kw_only=True)
class Rprec(Binary):
    """R-precision.

    Example:
        >>> Rprec().of_list(["a", "x", "b"], {"a", "b"})  # of the first two, one
        0.5
    """

    name = "Rprec"
    meaning = "the share of relevant items in the first R ranks, if R items are relevant"
    source = "Manning, Raghavan and Schütze 2008, section 8.4; `Rprec` of trec_eval"
    aliases = ("R_PRECISION", "RPRECISION", "R_PREC")
    workings: ClassVar = {"hits so far": "rel", "precision": "rel"}

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return 1 for each hit in the first R ranks, and 0 for others (H,)."""
        return np.where(hits.rank <= self._deepest(hits.n_relevant)[hits.query], 1.0, 0.0)

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the number (Q,) of relevant items."""
        return hits.n_relevant

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """Return the expected number (Q,) of hits in the first R ranks, over the orders of ties."""
        deepest = self._deepest(hits.n_relevant)[ties.query]
        reach = np.clip(deepest - ties.above, 0, ties.size)
        return ties.per_query(ties.hits / ties.size * reach)

    def _deepest(self, n_relevant: np.ndarray) -> np.ndarray:
        return n_relevant if self.k is None else np.minimum(n_relevant, self.k)
