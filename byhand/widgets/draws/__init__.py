"""Samples of queries that are drawn again and again, and what a test finds in them."""

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from byhand.errors import DataError
from byhand.figures import GAP, HIT_EDGE, INK
from byhand.statistics import (
    comparison_power,
    complete,
    mean_interval,
)
from byhand.widgets.dial import Slider, steps
from byhand.widgets.live import Live
from byhand.widgets.phrases import say
from byhand.widgets.picture import Picture
from byhand.words import typeset

_QUERIES = (10, 16, 20, 30, 50, 75, 100, 150, 200, 300, 400)
_AIM = 0.8  # the power that a goal asks for
_GOAL_DRAWS = 100
_INTERVALS = 24  # that the picture has


class IntervalSamples(Live):
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
        >>> IntervalSamples([0.5, 0.25, -0.25, 0], n=30)
        IntervalSamples(truth=0.050, n=30, draws=0)
    """

    truth = Slider(0.05, steps(0, 0.1, 0.01), digits=3)
    n = Slider(50, _QUERIES)
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
        sd, truths = float(self._seen.std()), type(self).truth.values
        power = {str(n): [comparison_power(sd, each, n) for each in truths] for n in _QUERIES}
        fixed = {"differences": self._seen.tolist(), "names": [*map(str, names)], "seed": seed}
        fixed["dials"] = [type(self).truth.shown, type(self).n.shown]
        # number of queries -> power for each stop of `truth`; the ends of the axis
        fixed |= {"power": power, "low": -1.2 * sd, "high": truths[-1] + 1.2 * sd}
        if goal is not None:
            fixed["goal"] = self._goal(goal, sd)
        super().__init__("draws", fixed=fixed, **start)

    def _goal(self, goal: float, sd: float) -> dict[str, float]:
        """Where the dials have to stand, and how often is to be drawn."""
        truth = type(self).truth.nearest("goal", goal)
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
            color = HIT_EDGE if hold else GAP
            ax.plot([low, high], [y, y], color=color)
            ax.plot([each.mean()], [y], "o", color=color, fillstyle="full" if hold else "none")
        for at, line in ((0, ":"), (self.truth, "--")):
            ax.axvline(at, color=INK, linestyle=line, linewidth=1)
        a, b = self.fixed["names"]
        ax.set(yticks=[], xlabel=say("draws", "axis", name=a, other=b))
        ax.spines["left"].set_visible(False)
        known = {"queries": self.n, "draws": _INTERVALS, "truth": typeset(f"{self.truth:+.3f}")}
        ax.set_label(say("draws", "intervals", n=int(holds.sum()), **known))
        return picture

    @property
    def _line(self) -> str:
        return f"truth={self.truth:.3f}, n={self.n}, draws={self.draws:,}"
