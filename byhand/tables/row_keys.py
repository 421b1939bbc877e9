"""Rows as numbers that tell them apart.

The number of a row is the position of its query, then as much of its item's key as there is room
for, then the row itself. In their order the rows of a query with one key are neighbours, and a
wanted key is found by bisection. What is found by key is compared as text, so that no two ids are
ever taken for one.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from byhand.parallel import BLOCK, blocks, in_threads
from byhand.tables.ids import Ids

_SORTED = 1 << 12  # rows of some queries that are sorted together


@dataclass(frozen=True)
class RowKeys:
    """The numbers of a table's rows."""

    ascending: np.ndarray  # (N,)
    row_bits: int  # how many of their bits say the row
    query_bits: int  # how many say the position of the query

    @classmethod
    def of(cls, query: np.ndarray, doc: Ids, n_queries: int, bounds: np.ndarray | None) -> Self:
        """The numbers of some rows; `bounds` are where each query's are, if they stand together."""
        n_rows = len(query)
        found = cls(np.empty(n_rows, np.uint64), n_rows.bit_length(), n_queries.bit_length())

        def fill(block: tuple[int, int]) -> None:
            numbers = found.lowest(query[slice(*block)], doc.keys(*block))
            numbers |= np.arange(*block, dtype=np.uint64)
            found.ascending[slice(*block)] = numbers

        list(in_threads(fill, blocks(n_rows)))
        # numbers begin with the query: where rows stand together, some queries are sorted at a
        # time, and few, as twice as many take more than twice as long
        bounds = np.array([0, n_rows]) if bounds is None else bounds
        cuts = np.unique(bounds[np.searchsorted(bounds, np.arange(0, n_rows, _SORTED))])
        cuts = np.append(cuts, n_rows)

        def sort(block: np.ndarray) -> None:
            for start, stop in pairwise(block):
                found.ascending[start:stop].sort()

        several = BLOCK // _SORTED
        pieces = (cuts[first : first + several + 1] for first in range(0, len(cuts), several))
        list(in_threads(sort, pieces))
        return found

    def lowest(self, query: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """The lowest number that a row could have, by its query and the key of its item."""
        key = (keys >> np.uint64(self.row_bits + self.query_bits)) << np.uint64(self.row_bits)
        return key | (query.astype(np.uint64) << np.uint64(64 - self.query_bits))

    def find(self, lowest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which of some wanted numbers a row has, but for its own part of it; and that row."""
        order = np.argsort(lowest)
        wanted = lowest[order]
        first = np.searchsorted(self.ascending, wanted)
        last = np.searchsorted(self.ascending, wanted | self._row_mask, side="right")
        many = last - first  # one row at most, unless two items share a key
        place = np.arange(many.sum()) + np.repeat(last - np.cumsum(many), many)
        return np.repeat(order, many), self._rows(place)

    def alike(self) -> np.ndarray:
        """The rows that share query and key with another row, ascending."""

        def found(block: tuple[int, int]) -> np.ndarray:
            start, stop = block
            numbers = self.ascending[start : stop + 1] >> np.uint64(self.row_bits)
            return start + np.flatnonzero(numbers[1:] == numbers[:-1])

        places = np.concatenate([[0][:0], *in_threads(found, blocks(len(self.ascending)))])
        return np.unique(self._rows(np.concatenate([places, places + 1]).astype(int)))

    @property
    def _row_mask(self) -> np.uint64:
        return np.uint64((1 << self.row_bits) - 1)

    def _rows(self, places: np.ndarray) -> np.ndarray:
        return (self.ascending[places] & self._row_mask).astype(np.int64)
