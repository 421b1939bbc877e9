"""AP, average precision, and MAP, its mean over queries."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures.measure import DEFAULT, Binary, share
from byhand.metrics.measures.ties import Ties


@dataclass(frozen=True, kw_only=True)
class AP(Binary):
    """Average precision."""

    name = "AP"
    meaning = "the precisions at the ranks of the relevant items, over the number of those"
    source = (
        'Manning, Raghavan and Schütze 2008, "Introduction to Information Retrieval", section '
        "8.4: divided by all relevant items, retrieved or not"
    )
    aliases = ("MAP", "AVERAGE_PRECISION", "MEAN_AVERAGE_PRECISION")
    workings: ClassVar = {"hits so far": "rel", "precision": "rel"}

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the precision (H,) at each hit."""
        return np.where(hits.within(self.k), hits.nth / hits.rank, 0.0)

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the number (Q,) of relevant items, or another divisor of the conventions."""
        if chosen.denominator == "retrieved":
            return hits.per_query(hits.within(self.k))
        if chosen.denominator == "capped" and self.k is not None:
            return np.minimum(hits.n_relevant, float(self.k))
        return hits.n_relevant

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """Return the expected sum (Q,) of the precisions at the hits.

        A tie has m items, r of them hits, and follows c earlier hits. Item j is a hit with
        probability r / m. In that case, (j - 1)(r - 1) / (m - 1) of the other hits of the tie are
        expected above it, in addition to these c.
        """
        self._refuse_open_divisor(ties, chosen)
        growth = share((ties.hits - 1).astype(float), ties.size - 1)
        at_start = ties.before + 1 - growth * (ties.above + 1)
        reciprocals = _reciprocals(ties.above, ties.reach)
        return ties.per_query(
            ties.hits / ties.size * (ties.reach * growth + at_start * reciprocals)
        )

    def bounds(self, hits: Hits, chosen: Conventions = DEFAULT) -> tuple[np.ndarray, np.ndarray]:
        """Return the minimum and maximum (Q,) over all orders of the tied items."""
        self._refuse_open_divisor(Ties.of(self.counted(hits), self.k), chosen)
        return super().bounds(hits, chosen)

    def _refuse_open_divisor(self, ties: Ties, chosen: Conventions) -> None:
        split = (ties.reach > 0) & (ties.reach < ties.size)
        if chosen.denominator == "retrieved" and split.any():
            raise DataError(
                f"{self} with denominator='retrieved' is divided by the number of relevant items "
                "retrieved, which varies if the cutoff is inside a group of equal scores (for a "
                "chance level, all are equal). There is no exact mean, range or chance level. Pass "
                "conventions with another denominator, such as conventions='trec_eval -c', or "
                "remove the cutoff. For evaluate, ties='doc_id' is also enough."
            )


def _reciprocals(above: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Compute 1 / (above + 1) + ... + 1 / (above + count)."""
    return _harmonic(above + count) - _harmonic(above)


def _harmonic(n: np.ndarray) -> np.ndarray:
    """Compute 1 + 1/2 + ... + 1/n for each n, 0 or more; from 64 on by Euler's series."""
    first = np.cumsum([0, *(1 / np.arange(1, 64))])
    far = np.maximum(n, 64.0)
    series = (1 / 2 - (1 / 12 - (1 / 120 - 1 / (252 * far**2)) / far**2) / far) / far
    return np.where(n < 64, first[np.minimum(n, 63)], np.log(far) + np.euler_gamma + series)
