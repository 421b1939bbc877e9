"""The checked rows of a table in memory, with their queries and repeats."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Self, TypeVar

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.parallel import BLOCK, blocks, in_threads
from byhand.tables.columns import Ids, id_column, keys_of

Answer = TypeVar("Answer")
_SORTED = 1 << 12  # rows that are sorted together
# key in `attrs` of a frame with queries without rows: all queries, text -> id as given
QUERIES = "queries"


@dataclass(frozen=True)
class RowKeys:
    """The keys of a table's rows, sorted.

    A key contains the position of the query, then as many bits of the item's hash as fit, then the
    row. So rows of a query with one hash are neighbours, and bisection finds a wanted hash. Matches
    are compared as text, so that colliding ids are never confused.
    """

    ascending: np.ndarray  # (N,)
    row_bits: int  # number of bits for the row
    query_bits: int  # number of bits for the position of the query

    def lowest(self, query: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the lowest possible key of rows with these queries and hashes of items."""
        key = (keys >> np.uint64(self.row_bits + self.query_bits)) << np.uint64(self.row_bits)
        return key | (query.astype(np.uint64) << np.uint64(64 - self.query_bits))

    def find(self, lowest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the matches of some lowest keys: the index of each, and its row."""
        order = np.argsort(lowest)
        wanted = lowest[order]
        first = np.searchsorted(self.ascending, wanted)
        last = np.searchsorted(self.ascending, wanted | self._row_mask, side="right")
        many = last - first  # at most one row, unless hashes collide
        place = np.arange(many.sum()) + np.repeat(last - np.cumsum(many), many)
        return np.repeat(order, many), self._rows(place)

    def alike(self) -> np.ndarray:
        """Return the rows that share query and hash with another row, ascending."""

        def repeated(block: tuple[int, int]) -> np.ndarray:
            start, stop = block
            numbers = self.ascending[start : stop + 1] >> np.uint64(self.row_bits)
            return start + np.flatnonzero(numbers[1:] == numbers[:-1])

        places = np.concatenate([[0][:0], *in_threads(repeated, blocks(len(self.ascending)))])
        return np.unique(self._rows(np.concatenate([places, places + 1]).astype(int)))

    @property
    def _row_mask(self) -> np.uint64:
        return np.uint64((1 << self.row_bits) - 1)

    def _rows(self, places: np.ndarray) -> np.ndarray:
        return (self.ascending[places] & self._row_mask).astype(np.int64)


@dataclass(frozen=True)
class Rows:
    """The checked rows of a table in memory."""

    query: np.ndarray  # (N,) position of each row's query in `query_ids`
    query_ids: np.ndarray  # (Q,) as text, in order of first appearance
    sizes: np.ndarray  # (Q,) number of rows of each query
    doc: Ids
    labels: pd.Index  # (N,) index labels of the rows
    attrs: Mapping[str, object]  # metadata of the table
    given: Callable[[str], object]  # converts the text of a query to the owner's id
    ordered: bool = field(default=True, kw_only=True)  # False: from a database or a scan
    lazy: ClassVar[bool] = False
    name: ClassVar[str] = "table"
    number: ClassVar[str]
    fix_of_repeats: ClassVar[str]  # advice on repeated rows

    @classmethod
    def of(cls, frame: pd.DataFrame, **numbers: object) -> Self:
        """Check the ids of a frame, and number its queries."""
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
        """Call a function on all rows, which are one part here."""
        return [call(self)]

    @property
    def row_counts(self) -> pd.Series:
        """Return the number of rows of each query."""
        return pd.Series(self.sizes, self.query_ids)

    def rows_of(self, queries: Sequence[str] | None = None) -> pd.DataFrame:
        """Return the rows of some or all queries, with text ids."""
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
        """Return the (Q + 1,) bounds of each query's rows; None unless they are consecutive."""
        if (self.query[1:] < self.query[:-1]).any():
            return None
        return np.concatenate([[0], np.cumsum(self.sizes)])

    def of_query_itself(self) -> np.ndarray:
        """Return the (n,) rows whose item is their query, ascending."""
        of_query = keys_of(self.query_ids)
        candidates = [
            start + np.flatnonzero(self.doc.keys(start, stop) == of_query[self.query[start:stop]])
            for start, stop in blocks(len(self))
        ]
        found = np.concatenate([np.zeros(0, dtype=np.intp), *candidates])
        same = self.doc.text(found) == self.query_ids[self.query[found]]  # keys may collide
        return found[same.astype(bool)]

    def without_query_itself(self) -> Self:
        """Return the table without the rows whose item is their query; its queries stay."""
        left_out = self.of_query_itself()
        if len(left_out) == len(self) > 0 and self.name == "run":
            raise DataError(
                "run: every list contains only the query itself, so drop_self=True leaves nothing "
                "to evaluate. Remove drop_self, or add the other retrieved items."
            )
        return self.take(np.delete(np.arange(len(self)), left_out)) if len(left_out) else self

    def take(self, rows: np.ndarray) -> Self:
        """Return a table of some rows; its queries stay."""
        query = self.query[rows]
        return replace(
            self,
            query=query,
            sizes=np.bincount(query, minlength=len(self.query_ids)),
            doc=self.doc.take(rows),
            labels=self.labels[rows],
            **{self.number: getattr(self, self.number)[rows]},
        )

    def keys(self) -> RowKeys:
        """Compute the sorted keys of the rows."""
        n_rows = len(self)
        bits = n_rows.bit_length(), len(self.query_ids).bit_length()
        keys = RowKeys(np.empty(n_rows, np.uint64), *bits)

        def fill(block: tuple[int, int]) -> None:
            rows = slice(*block)
            numbers = keys.lowest(self.query[rows], self.doc.keys(*block))
            keys.ascending[rows] = numbers | np.arange(*block, dtype=np.uint64)

        list(in_threads(fill, blocks(n_rows)))
        # keys begin with the query, so consecutive queries can be sorted in small blocks, which is
        # faster than sorting all rows
        bounds = np.array([0, n_rows]) if self.bounds is None else self.bounds
        cuts = np.unique(bounds[np.searchsorted(bounds, np.arange(0, n_rows, _SORTED))])
        cuts = np.append(cuts, n_rows)

        def sort(block: np.ndarray) -> None:
            for start, stop in pairwise(block):
                keys.ascending[start:stop].sort()

        several = BLOCK // _SORTED
        pieces = (cuts[first : first + several + 1] for first in range(0, len(cuts), several))
        list(in_threads(sort, pieces))
        return keys

    def unrepeated(self, error: Callable[[int, int], DataError] | None = None) -> RowKeys:
        """Compute the keys; raise an error for the first row that repeats another.

        `error` makes it of the two rows; by default, it names them by their labels.
        """
        keys = self.keys()
        named = self._named(keys)
        repeated = named.duplicated().to_numpy()
        if not repeated.any():
            return keys
        query, doc = named.iloc[second := repeated.argmax()]
        first = ((named["query"] == query) & (named["doc"] == doc)).to_numpy().argmax()
        raise (error or self._twice)(named.index[first], named.index[second])

    def _twice(self, a: int, b: int) -> DataError:
        query, doc = self.query_ids[self.query[a]], self.doc.text(np.array([a]))[0]
        one, two = (shown(self.labels[row]) for row in (a, b))
        where = f", at {'rank' if self.labels.name == 'rank' else 'row'}s {one} and {two}"
        if one == two:
            where = f", at rows {a} and {b} (counted from 0; the index calls both {one})"
        return DataError(
            f"{self.name}: query {shown(query)} has item {shown(doc)} "
            f"twice{where * self.ordered}. Each item must appear once per query: "
            f"{self.fix_of_repeats}."
        )

    def rows_to_keep(self, best: np.ndarray | None = None) -> np.ndarray:
        """Return an (N,) mask of the row to keep of each (query, item) pair.

        It is the first row, or the first with the highest value of `best` (N,).
        """
        named = self.alike
        if best is not None:
            named = named.iloc[np.argsort(-best[named.index], kind="stable")]
        kept = np.ones(len(self), dtype=bool)
        kept[named.index[named.duplicated()]] = False
        return kept

    @cached_property
    def alike(self) -> pd.DataFrame:
        """The `query` and `doc` of the rows that may repeat others."""
        return self._named(self.keys())

    def _named(self, keys: RowKeys) -> pd.DataFrame:
        rows = keys.alike()
        doc = pd.Series(self.doc.text(rows), index=rows, dtype=object)
        return pd.DataFrame({"query": self.query[rows], "doc": doc}, index=rows)
