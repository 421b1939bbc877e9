"""Rare falls that a sample of queries may not have, and what lets them pass."""

import numpy as np
import pandas as pd
import traitlets

from byhand.errors import DataError
from byhand.figures import draw_bars
from byhand.statistics import (
    mean_bounds,
    mean_interval,
)
from byhand.widgets.experiment import Dial, Experiment, ExperimentFixed, steps
from byhand.widgets.phrases import say
from byhand.widgets.picture import Picture
from byhand.words import localised

_ALPHA = 0.05  # how often each end may be wrong
_SAMPLES = 100  # that the picture has


class DropsFixed(ExperimentFixed):
    """What its view has to know, once."""

    max_drop: float
    little: float
    seed: int
    alpha: float


class Drops(Experiment):
    """A change that ruins few queries, and samples of it: does a t interval pass it, does the gate?

    A share of all queries falls by as much as the reader chooses, and every other query loses a
    little, evenly spread from 0 up. Each sample is judged twice for whether the mean dropped by
    more than it may: by the two ends of Student's t interval, and by those of `mean_bounds`, as
    `non_inferiority` does.

    Args:
        max_drop: by how much the mean may drop, above 0 and below 1.
        little: the most that a query loses which is not ruined, from 0 to `max_drop`.
        seed: from which samples are drawn, alike each time.
        start: where the dials stand at first: `share`, of the queries that fall; `fall`, by how
            much; `n`, how many queries a sample has.

    Raises:
        DataError: a number out of its range, or a dial where it cannot stand.

    Example:
        >>> drops = Drops(n=100)
        >>> drops, round(drops.truth, 4)
        (Drops(share=0.020, fall=1.0, n=100, draws=0), -0.0229)
    """

    fixed: DropsFixed
    share = Dial(0.02, (0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1), digits=3)
    fall = Dial(1.0, steps(0.1, 1, 0.1), digits=1)
    n = Dial(50, (25, 50, 100, 150, 200, 300, 500))
    draws = traitlets.Int(0, min=0, max=500).tag(sync=True)

    def __init__(
        self, *, max_drop: float = 0.02, little: float = 0.006, seed: int = 0, **start: float
    ) -> None:
        if not 0 < max_drop < 1:
            raise DataError(
                "max_drop is {max_drop!r}. Expected a number between 0 and 1.", [max_drop]
            )
        if not 0 <= little <= max_drop:
            raise DataError(
                "little is {little!r}. Expected a number from 0 to {max_drop:g}.",
                [little, max_drop],
            )
        fixed = {"max_drop": max_drop, "little": little, "seed": seed, "alpha": _ALPHA}
        super().__init__("drops", fixed=fixed, **start)

    @property
    def truth(self) -> float:
        """The mean change over all queries."""
        return -self.share * self.fall - (1 - self.share) * self.fixed["little"] / 2

    def picture(self) -> Picture:
        """What is said of a hundred samples."""
        rng = np.random.default_rng(self.fixed["seed"])
        hit, lost = rng.random((2, _SAMPLES, self.n))
        samples = np.where(hit < self.share, -self.fall, -self.fixed["little"] * lost)
        ends = {
            say("drops", "t"): [mean_interval(each, confidence=1 - 2 * _ALPHA) for each in samples],
            say("drops", "gate"): [mean_bounds(each, 1, alpha=_ALPHA) for each in samples],
        }
        limit = -self.fixed["max_drop"]
        said = {
            say("drops", "held"): {who: sum(a > limit for a, _ in e) for who, e in ends.items()},
            say("drops", "dropped"): {who: sum(b < limit for _, b in e) for who, e in ends.items()},
        }
        fell = {"share": localised(f"{self.share:.1%}"), "fall": localised(f"{self.fall:.1f}")}
        title = say("drops", "pictured", samples=_SAMPLES, n=self.n, **fell)
        picture = Picture((6.4, 3.1))
        ax = picture.axes_at(0.1, 0.14, 0.87, 0.72)
        draw_bars(pd.DataFrame(said), title=title, ylabel=say("drops", "samples"), digits=0, ax=ax)
        return picture
