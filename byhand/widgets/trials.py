"""What is drawn or tossed again and again, and what comes of it in the long run."""

import numpy as np
import pandas as pd
import traitlets
from numpy.typing import ArrayLike

from byhand.errors import DataError
from byhand.figures import BLUE, INK, ORANGE, bins_of, draw_bars, draw_histogram
from byhand.statistics import (
    Resampling,
    as_far_from,
    comparison_power,
    complete,
    mean_bounds,
    mean_interval,
    tossed_means,
)
from byhand.widgets.dials import Dial, Experiment, steps
from byhand.widgets.live import Live, Picture
from byhand.widgets.words import say
from byhand.words import localised

_QUERIES = (10, 16, 20, 30, 50, 75, 100, 150, 200, 300, 400)
_AIM = 0.8  # the power that a goal asks for
_GOAL_DRAWS = 100
_ALPHA = 0.05  # how often each end may be wrong
# what a picture has: intervals, samples, tosses
_INTERVALS, _SAMPLES, _TOSSES = 24, 100, 1000


class Draws(Experiment):
    """Samples of queries, drawn again and again: their intervals, and what the t test finds.

    The world is that of the differences given, moved so that their mean is the true difference
    that the reader chooses. A query may be drawn again.

    Args:
        differences: one a query, finite: the value of the one system minus that of the other.
        names: what the two systems are called.
        seed: from which samples are drawn, alike each time.
        goal: a true difference, one of the stops of `truth`: the reader looks for the fewest
            queries with a power of 80% for it, and draws 100 samples of so many.
        start: where the dials stand at first: `truth`, the true mean difference, and `n`, how many
            queries a sample has.

    Raises:
        DataError: no differences, one that is no finite number, a dial where it cannot stand, or a
            goal that cannot be reached.

    Example:
        >>> Draws([0.5, 0.25, -0.25, 0], n=30)
        Draws(truth=0.050, n=30, draws=0)
    """

    truth = Dial(0.05, steps(0, 0.1, 0.01), digits=3)
    n = Dial(50, _QUERIES)
    draws = traitlets.Int(0, min=0, max=1000).tag(sync=True)

    def __init__(
        self,
        differences: ArrayLike,
        *,
        names: tuple[str, str] = ("A", "B"),
        seed: int = 0,
        goal: float | None = None,
        **start: float,
    ) -> None:
        self._seen = complete(differences, "differences")
        sd, truths = float(self._seen.std()), type(self).truth.stops.values
        power = {str(n): [comparison_power(sd, each, n) for each in truths] for n in _QUERIES}
        fixed = {"differences": self._seen.tolist(), "names": [*map(str, names)], "seed": seed}
        fixed |= {"power": power, "from": -1.2 * sd, "to": truths[-1] + 1.2 * sd}
        if goal is not None:
            fixed["goal"] = self._goal(goal, sd)
        super().__init__("draws", fixed=fixed, **start)

    def _goal(self, goal: float, sd: float) -> dict[str, float]:
        """Where the dials have to stand, and how often is to be drawn."""
        truth = type(self).truth.stops.nearest("goal", goal)
        enough = [n for n in _QUERIES if comparison_power(sd, truth, n) >= _AIM]
        if not enough:
            raise DataError(
                f"goal is {goal!r}: even {_QUERIES[-1]} queries find so little in less than "
                f"{_AIM:.0%} of samples. Give a larger one."
            )
        return {"truth": truth, "n": enough[0], "draws": _GOAL_DRAWS, "power": _AIM}

    def picture(self) -> Picture:
        """The intervals of some samples."""
        world = self._seen - self._seen.mean() + self.truth
        rng = np.random.default_rng(self.fixed["seed"])
        samples = rng.choice(world, size=(_INTERVALS, self.n))
        ends = np.array([mean_interval(each) for each in samples])
        holds = (ends[:, 0] <= self.truth) & (self.truth <= ends[:, 1])
        picture = Picture((6.4, 3.6))
        ax = picture.axes_at(0.04, 0.15, 0.92, 0.82)
        for y, (each, (low, high), hold) in enumerate(zip(samples, ends, holds, strict=True)):
            color = BLUE if hold else ORANGE
            ax.plot([low, high], [y, y], color=color)
            ax.plot([each.mean()], [y], "o", color=color, fillstyle="full" if hold else "none")
        for at, line in ((0, ":"), (self.truth, "--")):
            ax.axvline(at, color=INK, linestyle=line, linewidth=1)
        a, b = self.fixed["names"]
        ax.set(yticks=[], xlabel=say("draws", "axis", name=a, other=b))
        ax.spines["left"].set_visible(False)
        known = {"queries": self.n, "draws": _INTERVALS, "truth": localised(f"{self.truth:+.3f}")}
        ax.set_label(say("draws", "intervals", n=int(holds.sum()), **known))
        return picture


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

    share = Dial(0.02, (0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1), digits=3)
    fall = Dial(1.0, steps(0.1, 1, 0.1), digits=1)
    n = Dial(50, (25, 50, 100, 150, 200, 300, 500))
    draws = traitlets.Int(0, min=0, max=500).tag(sync=True)

    def __init__(
        self, *, max_drop: float = 0.02, little: float = 0.006, seed: int = 0, **start: float
    ) -> None:
        if not 0 < max_drop < 1:
            raise DataError(f"max_drop is {max_drop!r}. Expected a number between 0 and 1.")
        if not 0 <= little <= max_drop:
            raise DataError(f"little is {little!r}. Expected a number from 0 to {max_drop:g}.")
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
        fixed = {"names": self.names, "far": self.far, "seed": seed, "width": width, "last": last}
        super().__init__("tosses", fixed=fixed | {"differences": self._seen.tolist()})

    @property
    def p(self) -> float:
        """The p of the tosses so far, what was seen among them: never 0."""
        return (self.reached + 1) / (self.tosses + 1)

    def reset(self) -> None:
        """Forget the tosses."""
        self.tosses = self.reached = 0

    def picture(self) -> Picture:
        """The differences, and the means of a thousand tosses."""
        picture, axis = Picture((6.4, 4.6)), " - ".join(self.names)
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
