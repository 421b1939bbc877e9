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
        denominator: the divisor in the name: `"relevant"` for all relevant items, `"capped"` for
            min(R, k); None, the default, uses that of the conventions.

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
    meaning = "the share of the relevant items in the first k ranks"
    source = "Manning, Raghavan and Schütze 2008, section 8.3"
    aliases = ("RECALL", "SET_RECALL")
    workings: ClassVar = {"hits so far": "rel"}

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the number (Q,) of relevant items, or min(R, k) if it is capped."""
        if self.k is None or self.as_named(chosen).denominator != "capped":
            return hits.n_relevant
        return np.minimum(hits.n_relevant, float(self.k))

    def as_named(self, chosen: Conventions) -> Conventions:
        """Return the conventions with the divisor of the measure's own name."""
        return chosen if self.denominator is None else chosen.but(denominator=self.denominator)
