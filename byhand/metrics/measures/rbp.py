"""RBP, rank-biased precision: RBP(p=0.8)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures.measure import Binary, RankWeighted, option


@dataclass(frozen=True, kw_only=True)
class RBP(RankWeighted, Binary):
    """Rank-biased precision.

    Attributes:
        p: the probability of continuing to the next rank, from 0 to below 1; 0.8 by default.
    """

    p: float = option(0.8, float, "p=0.5, p=0.8 and so on up to below 1", least=0, below=1)

    name = "RBP"
    aliases = ("RANK_BIASED_PRECISION",)
    meaning = "(1 - p) times the sum of p^(rank - 1) over the ranks of the relevant items"
    source = (
        'Moffat and Zobel 2008, "Rank-biased precision for measurement of retrieval '
        'effectiveness"; p=0.8 unless it is given, as in ir_measures'
    )
    workings: ClassVar = {"hits so far": "rel", "weight": "p"}

    def weight(self, rank: np.ndarray) -> np.ndarray:
        """Return the share of a user's attention at these ranks."""
        return (1 - self.p) * self.p ** (np.asarray(rank) - 1.0)

    def steps(self, hits: Hits, rank: np.ndarray, chosen: Conventions) -> dict[str, np.ndarray]:
        """Return the number of hits down to each rank, and the weight of the rank."""
        return super().steps(hits, rank, chosen) | {"weight": self.weight(rank)}
