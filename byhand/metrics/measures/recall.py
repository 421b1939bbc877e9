"""R, recall: R@k."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures.measure import Binary, RankWeighted, option


@dataclass(frozen=True, kw_only=True)
class R(RankWeighted, Binary):
    """Recall.

    Attributes:
        denominator: what the name asks to divide by: `"relevant"` for all relevant items,
            `"capped"` for min(R, k); None leaves it to the conventions.

    Example:
        >>> R(k=3, denominator="capped").of_list(["b", "z", "w"], {"b", "c", "d", "e"})  # 1/3
        0.3333333333333333
    """

    denominator: Literal["relevant", "capped"] | None = option(
        None,
        str,
        "denominator='relevant' and denominator='capped'",
        choices=("relevant", "capped"),
    )

    name = "R"
    meaning = "the share of the relevant items that stand in the first k ranks"
    source = "Manning, Raghavan and Schütze 2008, section 8.3"
    aliases = ("RECALL", "SET_RECALL")
    workings: ClassVar = {"hits so far": "rel"}

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) how many relevant items there are; capped, at most as many as the cutoff."""
        if self.k is None or self.as_named(chosen).denominator != "capped":
            return hits.n_relevant
        return np.minimum(hits.n_relevant, float(self.k))

    def as_named(self, chosen: Conventions) -> Conventions:
        """The conventions, with the divisor that the name asks for."""
        return chosen if self.denominator is None else chosen.but(denominator=self.denominator)
