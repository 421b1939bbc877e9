"""Success, also called hit rate: Success@k."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures.measure import Binary
from byhand.metrics.measures.ties import Ties


@dataclass(frozen=True, kw_only=True)
class Success(Binary):
    """Success, or hit rate."""

    name = "Success"
    meaning = "1 if a relevant item stands in the first k ranks, else 0"
    source = "`success_k` of trec_eval; also called hit rate"
    aliases = ("HIT", "HR", "HIT_RATE", "HITRATE")
    workings: ClassVar = {"hits so far": "rel"}

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) 1 for the first hit of a query, 0 for the others."""
        return np.where(hits.within(self.k) & (hits.nth == 1), 1.0, 0.0)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """(Q,) the chance of a hit within the cutoff: 1 - C(m - r, reach) / C(m, reach)."""
        values = np.zeros(ties.n_queries)
        for first in ties.may_be_first:
            few, many = sorted((int(ties.hits[first]), int(ties.reach[first])))
            size = ties.size[first]
            # factor by factor, as the factorials would be too large
            misses = 0.0 if few + many > size else np.prod(1 - many / (size - np.arange(few)))
            values[ties.query[first]] = 1 - misses
        return values
