"""Rows as numbers: which of them hold a wanted item, and which repeat another.

The number of a row is the position of its query, then as much of its item's key as there is room
for, then the row itself. In their order the rows of a query with one key are neighbours, and a
wanted key is found by bisection. What is found by key has still to be compared as text.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from byhand.parallel import BLOCK, blocks, cores, in_threads

# fewer rows are not sorted on their own, and more rows by more than one thread
FEW, MANY = 1 << 10, 1 << 18


@dataclass(frozen=True)
class Numbers:
    """The numbers of a table's rows.

    Attributes:
        ascending: (N,) the numbers.
        row_bits: how many of their bits say the row.
        query_bits: how many say the position of the query.
    """

    ascending: np.ndarray
    row_bits: int
    query_bits: int

    @classmethod
    def of(
        cls,
        query: np.ndarray,
        keys: Callable[[int, int], np.ndarray],
        n_queries: int,
        bounds: np.ndarray | None,
    ) -> Self:
        """Number some rows, and sort the numbers.

        Args:
            query: (N,) for each row the position of its query.
            keys: the keys of the items in the rows from one up to another.
            n_queries: how many queries there are.
            bounds: (n_queries + 1,) where each query's rows begin and end, if they stand together.
        """
        n_rows = len(query)
        found = cls(np.empty(n_rows, np.uint64), n_rows.bit_length(), n_queries.bit_length())

        def fill(block: tuple[int, int]) -> None:
            numbers = found.lowest(query[slice(*block)], keys(*block))
            numbers |= np.arange(*block, dtype=np.uint64)
            found.ascending[slice(*block)] = numbers

        list(in_threads(fill, blocks(n_rows)))
        # numbers begin with the query: where rows stand together each query is sorted on its own
        _sort(found.ascending, np.array([0, n_rows]) if bounds is None else bounds)
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


def _sort(numbers: np.ndarray, bounds: np.ndarray) -> None:
    """Sort numbers that already ascend from one stretch between `bounds` to the next."""
    threads, cuts = cores(), _apart(bounds, FEW)
    for start, stop in pairwise(cuts.tolist()):
        if threads > 1 and stop - start > MANY:
            inner = (stop - start) * np.arange(1, threads) // threads
            numbers[start:stop].partition(inner)
            cuts = np.union1d(cuts, start + inner)

    def sort(stretch: tuple[int, int]) -> None:
        first, last = np.searchsorted(cuts, stretch)
        for start, stop in pairwise(cuts[first : last + 1].tolist()):
            numbers[start:stop].sort()

    list(in_threads(sort, pairwise(_apart(cuts, BLOCK).tolist())))


def _apart(bounds: np.ndarray, rows: int) -> np.ndarray:
    """Those of some ascending bounds that are, but for the last, at least so many rows apart."""
    end = bounds[-1:]
    return np.union1d(bounds[np.searchsorted(bounds, np.arange(0, *end, rows))], end)
