"""Differences between two systems: gains by query, and rank changes of items."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from byhand.reports.number_text import NOTHING

RANKS = 20  # most ranks in a list
_NAMED = 3  # most items to name
_PART = 0.1  # least share of a difference that an item must cause to be named
_STEPS = 200  # most bars in a figure


@dataclass(frozen=True)
class Gains:
    """The differences of two systems by query, highest first."""

    values: pd.Series

    @property
    def won(self) -> pd.Series:
        """The positive differences, largest first."""
        return self.values[self.values > 0]

    @property
    def lost(self) -> pd.Series:
        """The losses, largest first."""
        return self.values[self.values < 0].sort_values(kind="stable")

    @property
    def half(self) -> int:
        """The smallest number of queries with half of the total gain."""
        return int((self.won.cumsum() < self.won.sum() / 2 - NOTHING).sum()) + 1

    def steps(self, values: pd.Series) -> list[float]:
        """Return the relative heights of evenly spaced bars, at most `_STEPS`."""
        seen = np.linspace(0, len(values) - 1, min(len(values), _STEPS)).round().astype(int)
        return (values.abs() / values.abs().max()).iloc[seen].tolist()


@dataclass(frozen=True)
class ItemMove:
    """An item's ranks in two lists, older first, and what it adds to the measure there."""

    item: str
    grade: float | None  # None if unjudged
    fill: float  # grade / highest grade; 0 if not relevant
    ranks: tuple[int | None, int | None]  # None if not retrieved
    adds: tuple[float, float]

    @property
    def change(self) -> float:
        """The change of the measure due to this item."""
        return self.adds[1] - self.adds[0]

    @property
    def went(self) -> str:
        """`"rose"`, `"fell"` or `"kept"`; a missing item ranks lowest."""
        before, after = (rank or np.inf for rank in self.ranks)
        return "kept" if before == after else "rose" if after < before else "fell"

    def within(self, side: int, k: int) -> bool:
        """Return whether the item is among the first k of a list."""
        return (self.ranks[side] or np.inf) <= k


@dataclass(frozen=True)
class ListPair:
    """Two lists of a query side by side, the older first."""

    places: list[ItemMove]
    top: int  # cutoff
    graded: bool  # whether the grades of relevant items differ

    @property
    def k(self) -> int:
        """The number of ranks to show."""
        return min(self.top, RANKS)

    @cached_property
    def rows(self) -> tuple[list[ItemMove], list[ItemMove]]:
        """The rows of each list: its first k, and the relevant ones of the other's first k."""
        return self._rows(0), self._rows(1)

    def _rows(self, side: int) -> list[ItemMove]:
        def shown(move: ItemMove) -> bool:
            return move.within(side, self.k) or (move.fill and move.within(1 - side, self.k))

        return sorted(filter(shown, self.places), key=lambda move: move.ranks[side] or np.inf)

    @cached_property
    def heights(self) -> list[dict[str, float]]:
        """For each list, item -> vertical position in rows, half a row lower beyond the first k."""
        return [
            {move.item: n + (0.5 if move.within(side, self.k) else 1) for n, move in rows}
            for side, rows in enumerate(map(enumerate, self.rows))
        ]

    @property
    def lines(self) -> list[tuple[ItemMove, float | None, float | None]]:
        """Each item with its positions on the left and on the right; None if it is not shown."""
        shown = {move.item: move for rows in self.rows for move in rows}
        return [(move, *(at.get(item) for at in self.heights)) for item, move in shown.items()]

    @property
    def height(self) -> float:
        """The height of the taller list, in rows."""
        return max(max(at.values(), default=0) for at in self.heights) + 0.5

    @property
    def most(self) -> float:
        """The highest contribution of an item."""
        return max((max(move.adds) for move in self.rows[1]), default=0)

    @property
    def named(self) -> list[ItemMove]:
        """The items that caused most of the difference, largest change first."""
        total = sum(move.change for move in self.places)
        large = [p for p in self.places if p.change and p.change * total >= _PART * total**2]
        return sorted(large, key=lambda move: -abs(move.change))[:_NAMED]

    def common(self, k: int) -> int:
        """Return the number of items among the first k of both lists."""
        return sum(move.within(0, k) and move.within(1, k) for move in self.places)

    @property
    def came(self) -> list[ItemMove]:
        """The unjudged items that are new in the first `top` ranks."""
        new = [p for p in self.places if p.within(1, self.top) and not p.within(0, self.top)]
        return [move for move in new if move.grade is None]
