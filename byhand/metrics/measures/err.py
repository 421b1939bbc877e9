"""ERR, the expected reciprocal rank: RR for grades."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits, at_ranks
from byhand.metrics.measures.measure import Measure, option
from byhand.metrics.measures.ties import Ties

_NOBODY = 1e-18  # share of users that is too small to change a value


@dataclass(frozen=True, kw_only=True)
class ERR(Measure):
    """The expected reciprocal rank.

    With one relevant item of the highest grade, it is RR times 1 - 2^-max_rel, the probability of
    stopping there. If that probability were 1 for each relevant item, ERR would be RR.

    Attributes:
        max_rel: the highest possible grade; 4 by default, independent of the data.

    Example:
        >>> ERR(max_rel=1).of_list(["x", "a", "b"], {"a", "b"})  # 1/2 * 1/2 + 1/2 * 1/2 * 1/3
        0.3333333333333333
    """

    max_rel: int = option(4, int, "max_rel=1, max_rel=2 and so on", least=1, below=1e300)

    name = "ERR"
    aliases = ("EXPECTED_RECIPROCAL_RANK",)
    meaning = (
        "the mean of 1 / rank over readers who go down the list and stop at an item with "
        "probability (2^grade - 1) / 2^max_rel"
    )
    source = (
        'Chapelle, Metzler, Zhang and Grinspan 2009, "Expected reciprocal rank for graded '
        'relevance"; max_rel=4 unless it is given, as in gdeval of the TREC Web tracks'
    )
    workings: ClassVar = {"reached": "max_rel", "stopped": "max_rel"}

    def check_grade(self, highest: float) -> None:
        """Refuse a grade above the highest possible one."""
        if highest > self.max_rel:
            enough = replace(self, max_rel=int(np.ceil(highest)))
            raise DataError(
                f"A grade is {highest:g}, but {self} allows grades up to {self.max_rel}. If "
                f"{highest:g} is the highest possible grade, pass '{enough}'. Values with "
                "different max_rel cannot be compared."
            )

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the share (H,) of users who stop at each hit, divided by its rank."""
        stop = self._stop(hits)
        return np.where(hits.within(self.k), _reached(hits, stop) * stop / hits.rank, 0.0)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """Return the expected credit (Q,) over the orders of each tie."""
        stop = self._stop(hits)
        starts = np.searchsorted(ties.tie_of_hit, np.arange(len(ties.query)))
        earned = np.where(ties.reach > 0, stop[starts] / (ties.above + 1), 0.0)
        known: dict[tuple, float] = {}  # compute each distinct tie only once
        for tie in np.flatnonzero((ties.size > 1) & (ties.reach > 0)):
            stops = np.sort(stop[starts[tie] : starts[tie] + ties.hits[tie]])
            shape = int(ties.above[tie]), int(ties.size[tie]), int(ties.reach[tie])
            key = (*shape, stops.tobytes())
            if key not in known:
                known[key] = _mean_of_tie(*shape, stops)
            earned[tie] = known[key]
        return ties.per_query(_reached(hits, stop)[starts] * earned)

    def steps(self, hits: Hits, rank: np.ndarray, chosen: Conventions) -> dict[str, np.ndarray]:
        """Return the share of users who reach each rank, and the share of those who stop there."""
        stop = at_ranks(hits.rank, self._stop(hits), len(rank))
        return {"reached": np.cumprod([1, *(1 - stop)])[:-1], "stopped": stop}

    def _stop(self, hits: Hits) -> np.ndarray:
        """Return the probability (H,) of stopping at a hit that is reached."""
        self.check_grade(hits.relevant_grade.max(initial=0))
        return np.exp2(hits.grade - self.max_rel) - np.exp2(-float(self.max_rel))


def _reached(hits: Hits, stop: np.ndarray) -> np.ndarray:
    left = pd.Series(1 - stop).groupby(hits.query).cumprod().to_numpy()
    return np.where(hits.nth == 1, 1.0, np.roll(left, 1))


def _mean_of_tie(above: int, size: int, reach: int, stops: np.ndarray) -> float:
    """Compute the expected credit of a tie, for users who reach it.

    The share still reading after j of m items is the mean of the product of 1 - stop over all sets
    of j items. It is computed item by item: the m-th of m items is in a set with probability j / m.
    """
    # by Maclaurin's inequality at most (1 - the mean stop)^j are still reading after j items
    deepest = np.log(_NOBODY) / np.log1p(-stops.sum() / size) if stops.sum() < size else 1
    ranks = np.arange(1, min(reach, int(np.ceil(deepest))) + 1)
    reading = np.ones(len(ranks) + 1)
    for n, stop in enumerate(stops, start=size - len(stops) + 1):
        among = np.minimum(ranks, n) / n
        reading[1:] = (1 - among) * reading[1:] + among * (1 - stop) * reading[:-1]
    return float(np.sum(-np.diff(reading) / (above + ranks)))
