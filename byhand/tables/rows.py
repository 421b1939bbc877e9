"""The checked rows of a table in memory: which query each belongs to, and which of them repeat."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Self, TypeVar

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.parallel import BLOCK, blocks, in_threads
from byhand.tables.columns import Ids, id_column

Answer = TypeVar("Answer")
_SORTED = 1 << 12  # rows of some queries that are sorted together
# in `attrs` of a frame in which some queries have no row: of all, in order, text -> id as given
QUERIES = "queries"


class RepeatedError(DataError):
    """A (query, item) is in two rows."""

    query: str
    doc: str


@dataclass(frozen=True)
class RowKeys:
    """The numbers of a table's rows, sorted.

    The number of a row is the position of its query, then as much of its item's key as there is
    room for, then the row itself. In their order the rows of a query with one key are neighbours,
    and a wanted key is found by bisection. What is found by key is compared as text, so that no two
    ids are ever taken for one.
    """

    ascending: np.ndarray  # (N,)
    row_bits: int  # how many of their bits are for the row
    query_bits: int  # how many are for the position of the query

    def lowest(self, query: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the lowest number that rows with these queries and keys of items can have."""
        key = (keys >> np.uint64(self.row_bits + self.query_bits)) << np.uint64(self.row_bits)
        return key | (query.astype(np.uint64) << np.uint64(64 - self.query_bits))

    def find(self, lowest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which of some wanted numbers rows have, but for their own part; and these rows."""
        order = np.argsort(lowest)
        wanted = lowest[order]
        first = np.searchsorted(self.ascending, wanted)
        last = np.searchsorted(self.ascending, wanted | self._row_mask, side="right")
        many = last - first  # one row at most, unless two items share a key
        place = np.arange(many.sum()) + np.repeat(last - np.cumsum(many), many)
        return np.repeat(order, many), self._rows(place)

    def alike(self) -> np.ndarray:
        """Return the rows that share query and key with another row, ascending."""

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


@dataclass(frozen=True)
class Rows:
    """The rows of a checked table in memory: which query each belongs to, and its item."""

    query: np.ndarray  # (N,) for each row the position of its query in `query_ids`
    query_ids: np.ndarray  # (Q,) the queries as text, in order of first appearance
    sizes: np.ndarray  # (Q,) how many rows each query has
    doc: Ids
    labels: pd.Index  # (N,) what the index calls each row
    attrs: Mapping[str, object]  # what is known of the table beside its rows
    given: Callable[[str], object]  # from the text of a query to its id as the owner wrote it
    lazy: ClassVar[bool] = False
    name: ClassVar[str]
    number: ClassVar[str]
    advice: ClassVar[str]  # what to do about repeats

    @classmethod
    def of(cls, frame: pd.DataFrame, **numbers: object) -> Self:
        """Check the ids of a frame; the rows of each query are counted by stretches."""
        query = id_column(frame["query_id"], f"{cls.name}: query_id")
        doc = id_column(frame["doc_id"], f"{cls.name}: doc_id")
        known = frame.attrs.get(QUERIES, {})
        places: dict[str, int] = {text: place for place, text in enumerate(known)}
        codes = np.empty(len(frame), dtype=np.int32)
        cuts = blocks(len(frame))
        found = in_threads(lambda block: query.stretches(*block), cuts)
        for (start, stop), (new, which, texts) in zip(cuts, found, strict=True):
            here = np.array([places.setdefault(each, len(places)) for each in texts], np.int32)
            codes[start:stop] = np.repeat(here[which], np.diff(new, append=stop - start))
        query_ids, sizes = np.array([*places], object), np.bincount(codes, minlength=len(places))
        given = known.get if known else query.given
        return cls(codes, query_ids, sizes, doc, frame.index, frame.attrs, given, **numbers)

    def __len__(self) -> int:
        return len(self.labels)

    def fold(self, call: Callable[[Self], Answer]) -> list[Answer]:
        """Return what a call makes of each part of the rows: of all of them, here."""
        return [call(self)]

    @property
    def row_counts(self) -> pd.Series:
        """How many rows each query has."""
        return pd.Series(self.sizes, self.query_ids)

    def rows_of(self, queries: Sequence[str] | None = None) -> pd.DataFrame:
        """Return the rows of a few queries, or all, with text for ids."""
        rows = np.arange(len(self))
        if queries is not None:
            rows = np.flatnonzero(pd.Index(self.query_ids).isin(queries)[self.query])
        return self._ids(rows).assign(**{self.number: getattr(self, self.number)[rows]})

    def head(self, rows: int) -> pd.DataFrame:
        """Return the ids of the first rows."""
        return self._ids(np.arange(min(len(self), rows)))

    def _ids(self, rows: np.ndarray) -> pd.DataFrame:
        ids = {"query_id": self.query_ids[self.query[rows]], "doc_id": self.doc.text(rows)}
        return pd.DataFrame(ids, dtype=object)

    @cached_property
    def bounds(self) -> np.ndarray | None:
        """(Q + 1,) where each query's rows begin and end; None unless they are neighbours."""
        if (self.query[1:] < self.query[:-1]).any():
            return None
        return np.concatenate([[0], np.cumsum(self.sizes)])

    def keys(self) -> RowKeys:
        """Number the rows."""
        n_rows = len(self)
        bits = n_rows.bit_length(), len(self.query_ids).bit_length()
        found = RowKeys(np.empty(n_rows, np.uint64), *bits)

        def fill(block: tuple[int, int]) -> None:
            rows = slice(*block)
            numbers = found.lowest(self.query[rows], self.doc.keys(*block))
            found.ascending[rows] = numbers | np.arange(*block, dtype=np.uint64)

        list(in_threads(fill, blocks(n_rows)))
        # numbers begin with the query: if rows of a query are neighbours, some queries are sorted
        # at a time, and few, as twice as many take more than twice as long
        bounds = np.array([0, n_rows]) if self.bounds is None else self.bounds
        cuts = np.unique(bounds[np.searchsorted(bounds, np.arange(0, n_rows, _SORTED))])
        cuts = np.append(cuts, n_rows)

        def sort(block: np.ndarray) -> None:
            for start, stop in pairwise(block):
                found.ascending[start:stop].sort()

        several = BLOCK // _SORTED
        pieces = (cuts[first : first + several + 1] for first in range(0, len(cuts), several))
        list(in_threads(sort, pieces))
        return found

    def unrepeated(self) -> RowKeys:
        """Number the rows; a RepeatedError names the first row that repeats another one."""
        keys, named = self.alike()
        repeated = named.duplicated().to_numpy()
        if not repeated.any():
            return keys
        query, doc = named.iloc[place := repeated.argmax()]
        first = ((named["query"] == query) & (named["doc"] == doc)).to_numpy().argmax()
        a, b = named.index[[first, place]]
        one, two = (shown(self.labels[row]) for row in (a, b))
        where = f"at {'rank' if self.labels.name == 'rank' else 'row'}s {one} and {two}"
        if one == two:
            where = f"at rows {a} and {b} (counted from 0; the index calls both {one})"
        raise twice(self.name, self.query_ids[query], doc, where, self.advice)

    def kept(self, best: np.ndarray | None = None) -> np.ndarray:
        """(N,) True for the one row that stays of each (query, item).

        It is the first of them, or of these keys (N,) the first that has the highest.
        """
        _, named = self.alike()
        if best is not None:
            named = named.iloc[np.argsort(falling(best[named.index]), kind="stable")]
        kept = np.ones(len(self), dtype=bool)
        kept[named.index[named.duplicated()]] = False
        return kept

    def alike(self) -> tuple[RowKeys, pd.DataFrame]:
        """Number the rows; of those that may repeat others return the `query` and `doc`."""
        keys = self.keys()
        rows = keys.alike()
        doc = pd.Series(self.doc.text(rows), index=rows, dtype=object)
        return keys, pd.DataFrame({"query": self.query[rows], "doc": doc}, index=rows)


def twice(name: str, query: str, doc: str, where: str, advice: str) -> RepeatedError:
    """Return the error for a (query, item) that is in two rows."""
    error = RepeatedError(
        f"{name}: query {shown(query)} has item {shown(doc)} twice, {where}. A query holds each "
        f"item once: {advice}."
    )
    error.query, error.doc = query, doc
    return error


def falling(score: np.ndarray) -> np.ndarray:
    """Return what ascends as scores fall."""
    return -score if score.dtype.kind == "f" else ~score  # ~ turns all whole numbers round
