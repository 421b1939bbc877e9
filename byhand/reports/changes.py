"""What moved between two systems: on which queries one gains, and where the items of one went."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from byhand.reports.number_text import NOTHING

RANKS = 20  # of how many ranks a list shows the items
_NAMED = 3  # items that moved
_PART = 0.1  # of a difference, which an item has to make up to be named
_STEPS = 200  # of the outline of a figure


@dataclass(frozen=True)
class Gains:
    """What a system gets on each query, minus what another gets there: the highest first."""

    values: pd.Series

    @property
    def won(self) -> pd.Series:
        """Those above 0."""
        return self.values[self.values > 0]

    @property
    def lost(self) -> pd.Series:
        """Those below 0, the lowest first."""
        return self.values[self.values < 0].sort_values(kind="stable")

    @property
    def half(self) -> int:
        """How many of those that gain most make half of all that is gained."""
        return int((self.won.cumsum() < self.won.sum() / 2 - NOTHING).sum()) + 1

    def steps(self, values: pd.Series) -> list[float]:
        """How high a bar is for each of so many queries as one can see, 1 for the highest."""
        seen = np.linspace(0, len(values) - 1, min(len(values), _STEPS)).round().astype(int)
        return (values.abs() / values.abs().max()).iloc[seen].tolist()


@dataclass(frozen=True)
class ItemMove:
    """Where an item stands in two lists, the older first, and what it adds to the measure there."""

    item: str
    grade: float | None  # None where nobody judged it
    fill: float  # the part of the highest grade; 0 of an item that is not relevant
    ranks: tuple[int | None, int | None]  # None where it was not retrieved
    adds: tuple[float, float]

    @property
    def change(self) -> float:
        """What its move changes."""
        return self.adds[1] - self.adds[0]

    @property
    def went(self) -> str:
        """Whether it `"rose"`, `"fell"` or `"kept"` its rank; not to be retrieved is the lowest."""
        before, after = (rank or np.inf for rank in self.ranks)
        return "kept" if before == after else "rose" if after < before else "fell"

    def within(self, side: int, k: int) -> bool:
        """Whether it is among the first k of a list."""
        return (self.ranks[side] or np.inf) <= k


@dataclass(frozen=True)
class ListPair:
    """Two lists of a query side by side, the older first."""

    places: list[ItemMove]
    top: int  # how many items matter most
    graded: bool  # whether relevant ones differ in their grade

    @property
    def k(self) -> int:
        """Of how many ranks the items are shown."""
        return min(self.top, RANKS)

    @cached_property
    def rows(self) -> tuple[list[ItemMove], list[ItemMove]]:
        """The rows of each list: its first k, and what is relevant of the other's."""
        return self._rows(0), self._rows(1)

    def _rows(self, side: int) -> list[ItemMove]:
        def shown(place: ItemMove) -> bool:
            return place.within(side, self.k) or (place.fill and place.within(1 - side, self.k))

        return sorted(filter(shown, self.places), key=lambda place: place.ranks[side] or np.inf)

    @cached_property
    def heights(self) -> list[dict[str, float]]:
        """Item -> how far down it stands in each list, in rows: half a row more beyond the k."""
        return [
            {place.item: n + (0.5 if place.within(side, self.k) else 1) for n, place in rows}
            for side, rows in enumerate(map(enumerate, self.rows))
        ]

    @property
    def lines(self) -> list[tuple[ItemMove, float | None, float | None]]:
        """Each item with how far down it stands on the left and on the right; None for nowhere."""
        shown = {place.item: place for rows in self.rows for place in rows}
        return [(place, *(at.get(item) for at in self.heights)) for item, place in shown.items()]

    @property
    def height(self) -> float:
        """Of the higher of the two."""
        return max(max(at.values(), default=0) for at in self.heights) + 0.5

    @property
    def most(self) -> float:
        """The most that an item adds."""
        return max((max(place.adds) for place in self.rows[1]), default=0)

    @property
    def named(self) -> list[ItemMove]:
        """The items that made up most of the difference, the largest first."""
        total = sum(place.change for place in self.places)
        large = [p for p in self.places if p.change and p.change * total >= _PART * total**2]
        return sorted(large, key=lambda place: -abs(place.change))[:_NAMED]

    def common(self, k: int) -> int:
        """How many of the first k items are in both."""
        return sum(place.within(0, k) and place.within(1, k) for place in self.places)

    @property
    def came(self) -> list[ItemMove]:
        """The items that came up among the first and that nobody judged."""
        new = [p for p in self.places if p.within(1, self.top) and not p.within(0, self.top)]
        return [place for place in new if place.grade is None]
