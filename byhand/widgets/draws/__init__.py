"""A widget that draws samples of queries, with their intervals and the power of the t test."""

import numpy as np
import traitlets
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from byhand.errors import DataError
from byhand.figures import GAP, HIT_EDGE, INK
from byhand.statistics import CONFIDENCE, comparison_power, complete, mean_interval
from byhand.widgets.live import Live
from byhand.widgets.phrases import say
from byhand.widgets.picture import Picture
from byhand.words import typeset

_QUERIES = (10, 16, 20, 30, 50, 75, 100, 150, 200, 300, 400)
_TRUTHS = tuple(n / 100 for n in range(11))
_AIM = 0.8  # power that a goal requires
_GOAL_DRAWS = 100
_INTERVALS = 24  # intervals in the picture


class IntervalSamples(Live):
    """Draw samples of queries; show their confidence intervals and results of the t test.

    The population is the given differences, shifted to the true mean that the reader chooses.
    Queries are drawn with replacement.

    Args:
        differences: difference of each query, finite: the first system minus the second.
        names: names of the two systems; "A" and "B" by default.
        seed: seed of the samples; 0 by default.
        goal: a true difference, one of the stops of `truth`; None by default. The reader looks for
            the fewest queries with 80% power for it, and draws 100 samples of that size.
        start: initial values of `truth`, the true mean difference, 0.05 by default; `n`, the number
            of queries in a sample, 50 by default; and `draws`, the number of samples drawn so far,
            0 by default.

    Raises:
        DataError: If there are no differences, one is not finite, or the goal cannot be reached.
        TraitError: If a value is not a stop of its slider.

    Example:
        >>> IntervalSamples([0.5, 0.25, -0.25, 0], n=30)
        IntervalSamples(truth=0.050, n=30, draws=0)
    """

    truth = traitlets.Enum(_TRUTHS, 0.05).tag(sync=True)
    n = traitlets.Enum(_QUERIES, 50).tag(sync=True)
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
        sd = float(self._seen.std())
        power = {str(n): [comparison_power(sd, each, n) for each in _TRUTHS] for n in _QUERIES}
        fixed = {"differences": self._seen.tolist(), "names": [*map(str, names)], "seed": seed}
        fixed["stops"] = {"truth": _TRUTHS, "n": _QUERIES}
        # number of queries -> half an interval, in standard errors
        reach = {str(n): -float(stdtrit(n - 1, (1 - CONFIDENCE) / 2)) for n in _QUERIES}
        # power: number of queries -> power at each stop of `truth`; low, high: ends of the axis
        fixed |= {"power": power, "low": -1.2 * sd, "high": _TRUTHS[-1] + 1.2 * sd, "reach": reach}
        if goal is not None:
            fixed["goal"] = self._goal(goal, sd)
        super().__init__("draws", fixed=fixed, **start)

    def _goal(self, goal: float, sd: float) -> dict[str, float]:
        """Return the slider positions and the number of samples that reach the goal."""
        if goal not in _TRUTHS:
            raise DataError(f"goal is {goal!r}. Expected one of {_TRUTHS}.")
        enough = [n for n in _QUERIES if comparison_power(sd, goal, n) >= _AIM]
        if not enough:
            raise DataError(
                f"goal is {goal!r}: even with {_QUERIES[-1]} queries, fewer than {_AIM:.0%} of "
                "samples find a difference that small. Pass a larger goal."
            )
        return {"truth": goal, "n": enough[0], "draws": _GOAL_DRAWS, "power": _AIM}

    def picture(self) -> Picture:
        """Draw the intervals of the first samples."""
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
