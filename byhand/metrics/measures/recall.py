"""R, recall: R@k."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures.measure import Binary, RankWeighted, share
from byhand.metrics.unjudged_lists import Chain


@dataclass(frozen=True, kw_only=True)
class R(RankWeighted, Binary):
    """Recall."""

    name = "R"
    meaning = "the share of the relevant items that stand in the first k ranks"
    source = "Manning, Raghavan and Schütze 2008, section 8.3"
    aliases = ("RECALL", "SET_RECALL")
    workings: ClassVar = {"hits so far": "rel"}

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) how many relevant items there are."""
        return hits.n_relevant

    def along(self, lists: Chain, chosen: Conventions) -> np.ndarray:
        """(M,) the value as one unjudged item after the other is relevant."""
        deepest = lists.n_retrieved[lists.whose] if self.k is None else np.array(self.k)
        return share(lists.within(deepest), lists.total)
