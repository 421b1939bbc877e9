"""The different scores among the hits of a query, between which each row of it has one place."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from byhand.tables.counting import accumulate


@dataclass(frozen=True)
class Levels:
    """By query, from its highest score to its lowest.

    Attributes:
        hit: (L,) a hit at each level.
        of_hit: (H,) the level of each hit.
        lowest: (L,) the score of the level.
        highest: (L,) the highest score below the level above it.
        start: where each query's levels begin, and where the last one's end.
    """

    hit: np.ndarray
    of_hit: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    start: np.ndarray

    @classmethod
    def of(cls, query: np.ndarray, score: np.ndarray) -> Self:
        """The levels of some hits.

        Args:
            query: (H,) the query of each hit.
            score: (H,) its score, of numpy's whole numbers or float64.

        Example:
            >>> levels = Levels.of(np.array([0, 0, 0]), np.array([5, 9, 5]))
            >>> levels.of_hit.tolist(), levels.lowest.tolist(), levels.highest.tolist()[1]
            ([1, 0, 1], [9, 5], 8)
        """
        order = np.lexsort((score, query))[::-1]
        query, ordered = query[order], score[order]
        first = np.append(True, query[1:] != query[:-1])  # of its query
        new = first | np.append(True, ordered[1:] != ordered[:-1])
        of_hit = np.empty_like(order)
        of_hit[order] = np.cumsum(new) - 1
        lowest, top = ordered[new], first[new]
        whole = lowest.dtype.kind in "iu"
        most = (np.iinfo if whole else np.finfo)(lowest.dtype).max
        below = lowest - 1 if whole else np.nextafter(lowest, -most)
        highest = np.where(top, most, np.roll(below, 1))
        return cls(order[new], of_hit, lowest, highest, np.append(np.flatnonzero(top), len(lowest)))

    def above(self, rows: np.ndarray, tied: np.ndarray) -> np.ndarray:
        """(H,) how many rows of its query have a higher score than each hit.

        Args:
            rows: (L,) how many have a score from the lowest up to the highest of each level.
            tied: (L,) how many of these have the lowest.

        Example:
            >>> levels = Levels.of(np.array([0, 0]), np.array([0.9, 0.1]))
            >>> levels.above(np.array([3, 4]), np.array([1, 1])).tolist()
            [2, 6]
        """
        return (accumulate(rows, self.start) - tied)[self.of_hit]
