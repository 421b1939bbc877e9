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

_NOBODY = 1e-18  # no share of readers so small changes a value


@dataclass(frozen=True, kw_only=True)
class ERR(Measure):
    """The expected reciprocal rank.

    With one relevant item it is RR times the chance to stop there, 1 - 2^-max_rel where it has the
    highest grade. Were that chance 1 for each relevant item, ERR would be RR.

    Attributes:
        max_rel: the highest grade there can be: 4 unless it is given, whatever the grades are.

    Example:
        >>> ERR(max_rel=1).of_list(["x", "a", "b"], {"a", "b"})  # 1/2 * 1/2 + 1/2 * 1/2 * 1/3
        0.3333333333333333
    """

    max_rel: int = option(4, int, "max_rel=1, max_rel=2 and so on", least=1, below=1e300)

    name = "ERR"
    aliases = ("EXPECTED_RECIPROCAL_RANK",)
    meaning = (
        "the mean of 1 / rank over readers who go down the list and stop at an item with the "
        "chance (2^grade - 1) / 2^max_rel"
    )
    source = (
        'Chapelle, Metzler, Zhang and Grinspan 2009, "Expected reciprocal rank for graded '
        'relevance"; max_rel=4 unless it is given, as in gdeval of the TREC Web tracks'
    )
    workings: ClassVar = {"reached": "max_rel", "stopped": "max_rel"}

    def check_grade(self, highest: float) -> None:
        """Refuse a grade above the highest there can be."""
        if highest > self.max_rel:
            enough = replace(self, max_rel=int(np.ceil(highest)))
            raise DataError(
                f"A grade is {highest:g}, and {self} takes grades up to {self.max_rel}. If "
                f"{highest:g} is the highest grade there can be, pass {enough}. Values with "
                "different max_rel cannot be compared."
            )

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(H,) the share of readers who stop at each hit, over its rank."""
        stop = self._stop(hits)
        return np.where(hits.within(self.k), _reached(hits, stop) * stop / hits.rank, 0.0)

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """(Q,) the same, averaged over the orders of each tie; how many leave it is the same."""
        stop = self._stop(hits)
        starts = np.searchsorted(ties.tie_of_hit, np.arange(len(ties.query)))
        earned = np.where(ties.reach > 0, stop[starts] / (ties.above + 1), 0.0)
        known: dict[tuple, float] = {}  # ties that are alike are worked out once
        for tie in np.flatnonzero((ties.size > 1) & (ties.reach > 0)):
            stops = np.sort(stop[starts[tie] : starts[tie] + ties.hits[tie]])
            shape = int(ties.above[tie]), int(ties.size[tie]), int(ties.reach[tie])
            key = (*shape, stops.tobytes())
            if key not in known:
                known[key] = _mean_of_tie(*shape, stops)
            earned[tie] = known[key]
        return ties.per_query(_reached(hits, stop)[starts] * earned)

    def steps(self, hits: Hits, rank: np.ndarray, chosen: Conventions) -> dict[str, np.ndarray]:
        """Which share of readers gets to each rank, and which share of those stops there."""
        stop = at_ranks(hits.rank, self._stop(hits), len(rank))
        return {"reached": np.cumprod([1, *(1 - stop)])[:-1], "stopped": stop}

    def _stop(self, hits: Hits) -> np.ndarray:
        """(H,) the chance that a reader who gets to a hit stops there."""
        self.check_grade(hits.relevant_grade.max(initial=0))
        return np.exp2(hits.grade - self.max_rel) - np.exp2(-float(self.max_rel))


def _reached(hits: Hits, stop: np.ndarray) -> np.ndarray:
    """(H,) the share of readers who get to each hit."""
    left = pd.Series(1 - stop).groupby(hits.query).cumprod().to_numpy()
    return np.where(hits.nth == 1, 1.0, np.roll(left, 1))


def _mean_of_tie(above: int, size: int, reach: int, stops: np.ndarray) -> float:
    """What readers who come to a tie earn in it, over all orders of its items.

    The share still reading after j of m items is the mean, over all sets of j of them, of the
    product of 1 - stop. Item by item: of m items the m-th is in such a set with chance j / m.
    """
    # by Maclaurin's inequality at most (1 - the mean stop)^j are still reading after j items
    deepest = np.log(_NOBODY) / np.log1p(-stops.sum() / size) if stops.sum() < size else 1
    places = np.arange(1, min(reach, int(np.ceil(deepest))) + 1)
    reading = np.ones(len(places) + 1)
    for n, stop in enumerate(stops, start=size - len(stops) + 1):
        among = np.minimum(places, n) / n
        reading[1:] = (1 - among) * reading[1:] + among * (1 - stop) * reading[:-1]
    return float(np.sum(-np.diff(reading) / (above + places)))
