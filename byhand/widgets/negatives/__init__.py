"""A hit rate among sampled negatives: what it makes of the same ranks as their number grows."""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain

import numpy as np
import pandas as pd
import traitlets

from byhand.errors import DataError
from byhand.figures import INK, draw_lines
from byhand.metrics.chance import chance
from byhand.widgets.experiment import Dial, Experiment, ExperimentFixed, Stops
from byhand.widgets.phrases import say
from byhand.widgets.picture import Picture
from byhand.words import in_row, localised

_FIRST = (1, 2, 3, 4, 5, 6, 7, 8, 9)  # stops of the dial, then so many in each decade
_DECADE = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)


@cache
def ranks_among(rank: int, n_items: int, negatives: int) -> tuple[int, np.ndarray]:
    """The first rank that an item may have among sampled others, and how likely each is from there.

    The others are drawn without replacement: those before it follow the hypergeometric
    distribution (Krichene and Rendle 2020, "On sampled metrics for item recommendation", draw with
    replacement).
    """
    before, after = rank - 1, n_items - rank
    least, most = max(0, negatives - after), min(negatives, before)
    above = np.arange(least, most, dtype=float)
    # from each number of items before it to the next; from the likeliest on nothing gets too large
    rises = (before - above) * (negatives - above) / ((above + 1) * (after - negatives + above + 1))
    top = int((rises > 1).sum())
    down, up = np.cumprod(1 / rises[:top][::-1])[::-1], np.cumprod(rises[top:])
    weights = np.concatenate([down, [1.0], up])
    return least + 1, weights / weights.sum()


class NegativesFixed(ExperimentFixed):
    """What its view has to know, once."""

    names: list[str]
    places: list[list[int]]  # the ranks of each system
    items: int
    k: int


class Negatives(Experiment):
    """The hit rate and the RR of systems whose one relevant item is ranked among sampled others.

    Expected values, so that none of what is seen comes from the luck of a sample.

    Args:
        systems: name -> the rank of each user's relevant item among all items, from 1.
        n_items: how many items there are.
        k: the cutoff of the hit rate.
        negatives: how many of the other items are drawn at first; one of the stops of the dial.

    Attributes:
        negatives: how many are drawn now.
        measure: which measure is shown, `"HR"` or `"RR"`.

    Raises:
        DataError: no systems, a rank that is none, or negatives at which the dial cannot stand.

    Example:
        >>> sampled = Negatives({"steady": [100, 100], "bold": [2, 5000]}, n_items=10_000)
        >>> sampled
        Negatives(HR@10 among 100 negatives: steady 1.000, bold 0.500, random order 0.099)
        >>> sampled.negatives = 9999  # all the others
        >>> sampled.values
        {'steady': 0.0, 'bold': 0.5}
    """

    fixed: NegativesFixed
    negatives = Dial(100, ())
    measure = traitlets.Enum(["HR", "RR"], "HR").tag(sync=True)

    def __init__(
        self,
        systems: Mapping[str, Iterable[int]],
        n_items: int,
        *,
        k: int = 10,
        negatives: int = 100,
    ) -> None:
        if not isinstance(systems, Mapping) or not systems:
            raise DataError(
                "systems is {systems!r}. Expected ranks by the names of systems: {{'steady': "
                "[100, 100], 'bold': [2, 5000]}}.",
                [systems],
            )
        self.systems = {str(name): [*ranks] for name, ranks in systems.items()}
        self.n_items, self.k = n_items, k
        for name, ranks in self.systems.items():
            for rank in ranks or [None]:
                _check_rank(name, rank, n_items)
        decades = (each * 10**ten for ten in range(len(str(n_items)) - 1) for each in _DECADE)
        stops = (*_FIRST, *decades, n_items - 1)
        fixed = {"names": [*self.systems], "places": [*self.systems.values()]}
        super().__init__(
            "negatives",
            fixed=fixed | {"items": n_items, "k": k},
            stops={"negatives": Stops(tuple(sorted({n for n in stops if n < n_items})))},
            negatives=negatives,
        )

    @property
    def values(self) -> dict[str, float]:
        """What the measure shown is expected to be for each system."""
        return self._at(self.negatives)

    @property
    def chance(self) -> float:
        """The same for an item that stands anywhere."""
        return chance(self.negatives + 1, 1, self._name)

    @property
    def _name(self) -> str:
        return f"HR@{self.k}" if self.measure == "HR" else "RR"

    def _at(self, negatives: int) -> dict[str, float]:
        each = {rank: self._expected(rank, negatives) for rank in {*chain(*self.systems.values())}}
        return {
            name: float(np.mean([each[rank] for rank in ranks]))
            for name, ranks in self.systems.items()
        }

    def _expected(self, rank: int, negatives: int) -> float:
        first, likely = ranks_among(rank, self.n_items, negatives)
        if self.measure == "HR":
            return float(likely[: max(0, self.k + 1 - first)].sum())
        return float((likely / np.arange(first, first + len(likely))).sum())

    def picture(self) -> Picture:
        """The measure over the number of negatives."""
        stops = self.stops["negatives"].values
        table = pd.DataFrame({n: self._at(n) for n in stops}).T.rename_axis(say("negatives", "x"))
        table[say("negatives", "chance")] = chance(np.array(stops) + 1, 1, self._name)
        picture = Picture((6.4, 3.4))
        ax = picture.axes_at(0.1, 0.17, 0.87, 0.7)
        draw_lines(table, title=self._name, ylabel=self._name, logx=True, ax=ax)
        ax.axvline(self.negatives, color=INK, linewidth=1)
        values = [*self.values.items(), (say("negatives", "chance"), self.chance)]
        said = in_row(localised(f"{name} {value:.3f}") for name, value in values)
        known = {"measure": self._name, "all": self.n_items - 1, "values": said}
        words = say("negatives", "picture", n=self.negatives, **known)
        ax.set_label(f"{ax.get_label()} {words}")
        return picture

    @property
    def _line(self) -> str:
        values = [*self.values.items(), ("random order", self.chance)]
        said = ", ".join(f"{name} {value:.3f}" for name, value in values)
        return f"{self._name} among {self.negatives:,} negatives: {said}"


def _check_rank(name: str, rank: object, most: int) -> None:
    """Raise a `DataError` for what is no rank up to the `most` that there is."""
    whole = isinstance(rank, int) and not isinstance(rank, bool)
    if not whole or not 1 <= rank <= most:
        raise DataError(
            "{name!r} has the rank {rank!r}. A rank is a whole number from 1 to {most:,}, as "
            "there are so many items.",
            [name, rank, most],
        )
