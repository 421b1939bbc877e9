"""nDCG: DCG over the DCG of the ideal order."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits, nth_of_query, sum_per_query
from byhand.metrics.lists import Relevant
from byhand.metrics.measures.dcg import DCG
from byhand.metrics.measures.measure import DEFAULT


@dataclass(frozen=True, kw_only=True)
class nDCG(DCG):  # noqa: N801, the field writes it so
    """Normalised discounted cumulative gain.

    Example:
        >>> nDCG(k=1).of_list(["a", "b"], {"a": 1, "b": 2})
        0.5
    """

    name = "nDCG"
    meaning = "DCG divided by the DCG of the best order there is"
    highest = 1.0

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) the DCG of each query's best order of all judged items, or of the retrieved ones."""
        query, grade = hits.relevant_query, hits.relevant_grade
        if chosen.ideal == "retrieved":
            order = np.lexsort((-hits.grade, hits.query))
            query, grade = hits.query, hits.grade[order]
        rank = nth_of_query(query)
        ideal = self.gain(grade, chosen) * self.weight(rank)
        if self.k is not None:
            ideal[rank > self.k] = 0
        return sum_per_query(query, ideal, hits.n_queries)


def ndcg(
    ranked: Sequence[Hashable],
    relevant: Relevant,
    *,
    k: int | None = None,
    gain: str = "linear",
    ideal: str = "judged",
) -> float:
    """DCG divided by the DCG of the ideal order.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.
        gain: a grade is worth itself (`"linear"`), 2^grade - 1 (`"exponential"`) or 1
            (`"binary"`).
        ideal: the best order of all judged items (`"judged"`), or of those that are in
            `ranked` (`"retrieved"`).

    Raises:
        DataError: a repeated item in `ranked`.

    Source:
        Järvelin and Kekäläinen 2002, section 2.3, with log2(rank + 1).

    Example:
        >>> ndcg(["x", "y", "a"], {"a": 1})  # (1/2) / 1
        0.5
    """
    return nDCG(k=k).of_list(ranked, relevant, DEFAULT.but(gain=gain, ideal=ideal))
