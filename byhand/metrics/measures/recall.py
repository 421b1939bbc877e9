"""R, recall: R@k."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.lists import Relevant
from byhand.metrics.measures.measure import Binary, RankWeighted


@dataclass(frozen=True, kw_only=True)
class R(RankWeighted, Binary):
    """Recall.

    Example:
        >>> R(k=1).of_list(["a", "x", "b"], {"a", "b"})
        0.5
    """

    name = "R"
    meaning = "the share of the relevant items that stand in the first k ranks"
    source = "Manning, Raghavan and Schütze 2008, section 8.3"
    aliases = ("RECALL", "SET_RECALL")
    workings: ClassVar = {"hits so far": "rel"}

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) how many relevant items there are."""
        return hits.n_relevant


def recall(ranked: Sequence[Hashable], relevant: Relevant, *, k: int | None = None) -> float:
    """The share of the relevant items that stand in the first k ranks.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff; None for the whole list.

    Raises:
        DataError: a repeated item in `ranked`.

    Source:
        Manning, Raghavan and Schütze 2008, section 8.3.

    Example:
        >>> recall(["a", "x", "b"], {"a", "b", "c", "d"})
        0.5
    """
    return R(k=k).of_list(ranked, relevant)
