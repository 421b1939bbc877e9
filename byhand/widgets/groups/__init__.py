"""Two groups whose labels are dealt anew: how far apart would chance put them?"""

from collections.abc import Mapping
from typing import TypedDict

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from byhand.errors import DataError
from byhand.figures import draw_histogram
from byhand.statistics import complete
from byhand.widgets.live import Live
from byhand.widgets.phrases import say
from byhand.widgets.picture import Picture
from byhand.words import typeset

_MOST = 10_000  # deals


class GroupsFixed(TypedDict):
    """What its view has to know, once."""

    names: list[str]
    values: list[list[float]]
    low: float  # ends of the axis, of differences
    high: float
    seed: int


class ShuffledGroups(Live):
    """Two groups of values whose labels are dealt anew, and the differences that this makes.

    If it made no difference in which group a value is, the labels could as well be dealt out
    anew. The difference of the means of each such deal lands in a heap, and the one that was seen
    stands in it as a line: the share of deals as far from 0, or farther, is the p of this test,
    which says that the groups differ, and not why.

    Args:
        groups: name -> its values, finite, one a query; two groups.
        seed: from which labels are dealt, alike each time.

    Attributes:
        shuffles: how many deals there were so far, 10,000 at most.
        reached: in how many of them the difference was as far from 0 as the one seen, or farther.

    Raises:
        DataError: not two groups, an empty one, or a value that is no finite number.

    Source:
        Fisher 1935, "The Design of Experiments"; Pitman 1937.

    Example:
        >>> groups = ShuffledGroups({"many": [0.5, 0.2, 0.1], "few": [0.1, 0.05, 0.01]})
        >>> groups, groups.p  # of no deal, what was seen counts as one
        (ShuffledGroups(many - few: +0.213; 0 deals), 1.0)
    """

    fixed: GroupsFixed
    shuffles = traitlets.Int(0, min=0, max=_MOST).tag(sync=True)
    reached = traitlets.Int(0, min=0).tag(sync=True)

    def __init__(self, groups: Mapping[str, ArrayLike], *, seed: int = 0) -> None:
        if not isinstance(groups, Mapping) or len(groups) != 2:
            raise DataError(
                "groups is {groups!r}. Expected two: {{'many': values, 'few': values}}.", [groups]
            )
        self.names = [*map(str, groups)]
        self._a, self._b = (complete(values, str(name)) for name, values in groups.items())
        every = np.concatenate([self._a, self._b])
        self.difference = float(self._a.mean() - self._b.mean())
        spread = float(every.std() * np.sqrt(1 / len(self._a) + 1 / len(self._b)))
        end = max(4 * spread, 1.1 * abs(self.difference))
        fixed: GroupsFixed = {
            "names": self.names,
            "values": [self._a.tolist(), self._b.tolist()],
            "low": -end,
            "high": end,
            "seed": seed,
        }
        super().__init__("groups", fixed=fixed)

    @property
    def p(self) -> float:
        """The p of the deals so far, what was seen among them: never 0."""
        return (self.reached + 1) / (self.shuffles + 1)

    def reset(self) -> None:
        """Forget the deals."""
        self.shuffles = self.reached = 0

    def picture(self) -> Picture:
        """The differences of a thousand deals."""
        rng, every = np.random.default_rng(self.fixed["seed"]), np.concatenate([self._a, self._b])
        dealt = rng.permuted(np.tile(every, (1000, 1)), axis=1)
        first, second = np.split(dealt, [len(self._a)], axis=1)
        picture = Picture((6.4, 3))
        draw_histogram(
            first.mean(axis=1) - second.mean(axis=1),
            title=say("groups", "dealt", difference=typeset(f"{self.difference:+.3f}")),
            xlabel=" − ".join(self.names),
            beyond=abs(self.difference) or None,
            ax=picture.axes_at(0.1, 0.18, 0.87, 0.68),
        )
        return picture

    @property
    def _line(self) -> str:
        said = f", {self.reached} as far: p = {self.p:.3f}" if self.shuffles else ""
        return f"{' - '.join(self.names)}: {self.difference:+.3f}; {self.shuffles} deals{said}"
