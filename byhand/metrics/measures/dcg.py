"""DCG, discounted cumulative gain."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits, at_ranks
from byhand.metrics.measures.measure import RankWeighted, option

_MOST = 1000  # 2^1000 is as much as ten million gains may be for their sum to be a number
_GAINS = {"log2": "linear", "exp-log2": "exponential"}


@dataclass(frozen=True, kw_only=True)
class DCG(RankWeighted):
    """Discounted cumulative gain.

    Attributes:
        dcg: the gain that the name asks for, as ir_measures writes it: `"log2"` is linear,
            `"exp-log2"` exponential; None leaves it to the conventions.

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
        """The discount at these ranks: 1 / log2(rank + 1)."""
        return 1 / np.log2(np.asarray(rank) + 1)

    def weight_under(self, chosen: Conventions) -> Callable[[np.ndarray], np.ndarray]:
        """The discount; Järvelin and Kekäläinen wrote it with max(log2(rank), 1)."""
        if chosen.discount == "log2":
            return self.weight
        return lambda rank: 1 / np.maximum(np.log2(rank), 1)

    def worth(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) the gain of each hit."""
        return self.gain(hits.grade, chosen)

    def steps(self, hits: Hits, rank: np.ndarray, chosen: Conventions) -> dict[str, np.ndarray]:
        """The discount of each rank, and the gain of the item that stands there."""
        gains = at_ranks(hits.rank, self.worth(hits, chosen), len(rank))
        return {"discount": self.weight_under(chosen)(rank), "gain": gains}

    def as_named(self, chosen: Conventions) -> Conventions:
        """The conventions, with the gain that the name asks for."""
        return chosen if self.dcg is None else chosen.but(gain=_GAINS[self.dcg])

    def gain(self, grade: np.ndarray, chosen: Conventions) -> np.ndarray:
        """What these grades are worth."""
        return gain_of(grade, self.as_named(chosen).gain)


def gain_of(grade: np.ndarray, gain: str) -> np.ndarray:
    """What a grade is worth: the grade itself, 2^grade - 1 (Burges et al. 2005), or 1."""
    if gain == "binary":
        return np.ones(len(grade))
    highest, scale = np.max(grade, initial=0), "Map the grades to a scale such as 0 to 4"
    if gain == "linear":
        if highest > 2.0**_MOST:
            raise DataError(f"A grade is {highest:g}, more than can be added up. {scale}.")
        return np.asarray(grade, dtype=float)
    if highest > _MOST:
        raise DataError(
            f"A grade is {highest:g}, and 2^{highest:g} - 1 is more than a number can hold. "
            f"{scale}, or pass gain='linear'."
        )
    return np.exp2(grade) - 1
