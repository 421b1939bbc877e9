"""Coins that are tossed again and again, and the means that they make."""

from typing import TypedDict

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from byhand.figures import bins_of, draw_histogram
from byhand.statistics import (
    Resampling,
    as_far_from,
    complete,
    tossed_means,
)
from byhand.widgets.live import Live
from byhand.widgets.phrases import say
from byhand.widgets.picture import Picture

_TOSSES = 1000  # that the picture has


class TossesFixed(TypedDict):
    """What its view has to know, once."""

    differences: list[float]
    names: list[str]
    seed: int
    far: float
    width: float  # of a bin
    last: int  # the bin that is furthest from the middle


class CoinTosses(Live):
    """Coins that keep or turn round the difference of each query, and the means that they make.

    If it made no difference which of two systems produced which value, the difference of a query
    could as well have the other sign. A toss decides that for all queries; the share of tosses
    whose mean is as far from 0 as the one that was seen, or farther, is the p of the
    randomisation test.

    Args:
        differences: one a query, finite: the value of the one system minus that of the other.
        names: what the two systems are called.
        seed: from which the coins are tossed, alike each time.

    Attributes:
        tosses: how many tosses there were so far.
        reached: in how many of them the mean was as far from 0 as the one seen, or farther.

    Raises:
        DataError: no differences, or one that is no finite number.

    Example:
        >>> coins = CoinTosses([0.5, 0.25, 0], names=("new", "old"))
        >>> coins, coins.p  # of no toss, what was seen counts as one
        (CoinTosses(new - old on 3 queries: mean +0.250; 0 tosses), 1.0)
    """

    fixed: TossesFixed
    tosses = traitlets.Int(0, min=0).tag(sync=True)
    reached = traitlets.Int(0, min=0).tag(sync=True)

    def __init__(
        self, differences: ArrayLike, *, names: tuple[str, str] = ("A", "B"), seed: int = 0
    ) -> None:
        self._seen, self.names = complete(differences, "differences"), [*map(str, names)]
        self.far, self._seed = max(0.0, as_far_from(self._seen)), seed
        sizes = np.abs(self._seen)
        # of the means of tosses: none is beyond that of all heads, and they spread as sums do
        spread = float(np.sqrt((sizes**2).sum())) / len(sizes)
        width, last = bins_of(float(sizes.mean()), spread, self.far)
        fixed: TossesFixed = {
            "differences": self._seen.tolist(),
            "names": self.names,
            "seed": seed,
            "far": self.far,
            "width": width,
            "last": last,
        }
        super().__init__("tosses", fixed=fixed)

    @property
    def p(self) -> float:
        """The p of the tosses so far, what was seen among them: never 0."""
        return (self.reached + 1) / (self.tosses + 1)

    def reset(self) -> None:
        """Forget the tosses."""
        self.tosses = self.reached = 0

    def picture(self) -> Picture:
        """The differences, and the means of a thousand tosses."""
        picture, axis = Picture((6.4, 4.6)), " − ".join(self.names)
        above, below = (picture.axes_at(0.1, y, 0.87, 0.3) for y in (0.62, 0.12))
        title, mean = say("tosses", "queries", n=len(self._seen)), self._seen.mean()
        marks = {say("tosses", "mean of all"): mean}
        draw_histogram(self._seen, title=title, xlabel=axis, marks=marks, ax=above)
        tossed = tossed_means(self._seen, Resampling(permutations=_TOSSES, rng=self._seed))
        beyond = abs(mean) or None
        draw_histogram(tossed, title=say("tosses", "bars"), xlabel=axis, beyond=beyond, ax=below)
        return picture

    @property
    def _line(self) -> str:
        queries, mean = f"{len(self._seen)} queries", f"mean {self._seen.mean():+z.3f}"
        said = f", {self.reached} as far: p = {self.p:.3f}" if self.tosses else ""
        return f"{' - '.join(self.names)} on {queries}: {mean}; {self.tosses} tosses{said}"
