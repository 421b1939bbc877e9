"""DCG, discounted cumulative gain."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits, at_ranks
from byhand.metrics.measures.measure import RankWeighted, option

_MOST = 1000  # the sum of ten million gains of 2^1000 is still finite
_GAINS = {"log2": "linear", "exp-log2": "exponential"}


@dataclass(frozen=True, kw_only=True)
class DCG(RankWeighted):
    """Discounted cumulative gain.

    Attributes:
        dcg: the gain in ir_measures' notation: `"log2"` is linear, `"exp-log2"` exponential; None,
            the default, uses that of the conventions.

    Example:
        >>> DCG(dcg="exp-log2").of_list(["a", "b", "c"], {"a": 3, "c": 2})  # 7/1 + 3/2
        8.5
    """

    dcg: Literal["log2", "exp-log2"] | None = option(
        None, str, "dcg='log2' and dcg='exp-log2'", choices=(*_GAINS,)
    )

    name = "DCG"
    meaning = "the gains, each times the discount at its rank, added up"
    source = (
        'Järvelin and Kekäläinen 2002, "Cumulated gain-based evaluation of IR techniques", '
        "sections 2.2 and 2.3, in the form with log2(rank + 1)"
    )
    aliases = ("DISCOUNTED_CUMULATIVE_GAIN",)
    workings: ClassVar = {"discount": "discount", "gain": "gain"}
    highest: ClassVar[float | None] = None

    def weight(self, rank: np.ndarray) -> np.ndarray:
        """Return the discount at these ranks: 1 / log2(rank + 1)."""
        return 1 / np.log2(np.asarray(rank) + 1)

    def weight_under(self, chosen: Conventions) -> Callable[[np.ndarray], np.ndarray]:
        """Return the discount; that of Järvelin and Kekäläinen is 1 / max(log2(rank), 1)."""
        if chosen.discount == "log2":
            return self.weight
        return lambda rank: 1 / np.maximum(np.log2(rank), 1)

    def worth(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the gain (H,) of each hit."""
        return self.gain(hits.grade, chosen)

    def steps(self, hits: Hits, rank: np.ndarray, chosen: Conventions) -> dict[str, np.ndarray]:
        """Return the discount of each rank, and the gain of its item."""
        gains = at_ranks(hits.rank, self.worth(hits, chosen), len(rank))
        return {"discount": self.weight_under(chosen)(rank), "gain": gains}

    def as_named(self, chosen: Conventions) -> Conventions:
        """Return the conventions with the gain of the measure's own name."""
        return chosen if self.dcg is None else chosen.but(gain=_GAINS[self.dcg])

    def gain(self, grade: np.ndarray, chosen: Conventions) -> np.ndarray:
        """Return the gain of these grades."""
        return gain_of(grade, self.as_named(chosen).gain)


def gain_of(grade: np.ndarray, gain: str) -> np.ndarray:
    """Return the gain of grades: the grade, 2^grade - 1 (Burges et al. 2005), or 1."""
    if gain == "binary":
        return np.ones(len(grade))
    highest, scale = np.max(grade, initial=0), "Map the grades to a scale such as 0 to 4"
    if gain == "linear":
        if highest > 2.0**_MOST:
            raise DataError(f"A grade is {highest:g}, too large to be summed. {scale}.")
        return np.asarray(grade, dtype=float)
    if highest > _MOST:
        raise DataError(
            f"A grade is {highest:g}, and 2^{highest:g} - 1 is too large to be computed. "
            f"{scale}, or pass gain='linear' to ndcg, dcg or Conventions."
        )
    return np.exp2(grade) - 1
