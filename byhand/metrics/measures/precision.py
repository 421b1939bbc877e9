"""P, precision: P@k."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.lists import Relevant
from byhand.metrics.measures.measure import Binary, RankWeighted


@dataclass(frozen=True, kw_only=True)
class P(RankWeighted, Binary):
    """Precision.

    Example:
        >>> P(k=2).of_list(["a", "x", "b"], {"a", "b"})
        0.5
    """

    name = "P"
    meaning = "the share of relevant items among the first k; without k, among all retrieved"
    source = "Manning, Raghavan and Schütze 2008, section 8.4; k as the divisor as in trec_eval"
    aliases = ("PRECISION", "SET_P")
    workings: ClassVar = {"hits so far": "rel", "precision": "rel"}

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) how many ranks are looked at."""
        return hits.n_retrieved if self.k is None else np.full(hits.n_queries, float(self.k))


def precision(ranked: Sequence[Hashable], relevant: Relevant, *, k: int | None = None) -> float:
    """The share of the first k ranks that hold a relevant item.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff; a shorter list is still divided by k. None divides by the length.

    Raises:
        DataError: a repeated item in `ranked`.

    Source:
        Manning, Raghavan and Schütze 2008, section 8.4; k as the divisor as in trec_eval.

    Example:
        >>> precision(["a", "x", "b"], {"a", "b"}, k=2)
        0.5
    """
    return P(k=k).of_list(ranked, relevant)
