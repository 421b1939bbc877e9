"""nDCG: DCG over the DCG of the ideal order."""

from dataclasses import dataclass

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits, sum_per_query
from byhand.metrics.measures.dcg import DCG


@dataclass(frozen=True, kw_only=True)
class nDCG(DCG):  # noqa: N801, the field writes it so
    """Normalised discounted cumulative gain."""

    name = "nDCG"
    meaning = "DCG divided by the DCG of the best order there is"
    aliases = ("NORMALIZED_DCG", "NORMALIZED_DISCOUNTED_CUMULATIVE_GAIN")
    highest = 1.0

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the DCG (Q,) of each query's ideal order, as the conventions define it."""
        query, grade, rank = hits.relevant_query, hits.relevant_grade, hits.nth_relevant
        if chosen.ideal == "retrieved":
            order = np.lexsort((-hits.grade, hits.query))
            query, grade, rank = hits.query, hits.grade[order], hits.nth
        weights = self.weight_under(chosen)(np.arange(1, rank.max(initial=0) + 1))
        ideal = self.gain(grade, chosen) * weights[rank - 1]
        if self.k is not None and chosen.ideal != "uncut":
            ideal[rank > self.k] = 0
        if chosen.ideal == "length":
            ideal[rank > hits.n_retrieved[query]] = 0
        return sum_per_query(query, ideal, hits.n_queries)
