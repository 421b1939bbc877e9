"""Runs and qrels that may not fit in memory, counted in parts by the code for tables in memory.

The values are therefore identical. A table that fits is read into memory.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import ClassVar, Self, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa

from byhand.duplicates import Duplicates, left_out
from byhand.files.streams import Stream
from byhand.tables.counting import CountedHits, WeakCache, no_order, retrieved_counts
from byhand.tables.qrels import Qrels, RelevantItems
from byhand.tables.rows import Rows

_AN_ITEM = 280  # bytes of a relevant item or a judged query, with all derived data
Answer = TypeVar("Answer")
Check = Callable[[pa.Table], Rows]
_Facts = tuple[np.ndarray, np.ndarray, int]  # query ids, their numbers of rows, repeated rows


def _of_part(
    check: Check, call: Callable[[Rows], Answer], table: pa.Table
) -> tuple[Answer, _Facts]:
    rows = check(table)
    return call(rows), (rows.query_ids, rows.sizes, getattr(rows, "repeated", None) or 0)


@dataclass(frozen=True, eq=False)
class LazyTable:
    """A run or qrels with one part at a time in memory."""

    stream: Stream
    check: Check  # turns rows into a checked table in memory
    lazy: ClassVar[bool] = True
    name: ClassVar[str]
    number: ClassVar[str]

    @property
    def attrs(self) -> Mapping[str, object]:
        """Return the metadata of the table."""
        return self.stream.attrs

    def in_memory(self) -> Rows | Self:
        """Return the table in memory, if it fits."""
        if (whole := self.stream.whole()) is None:
            return self
        checked = self.check(whole)
        return replace(checked, attrs={**self.stream.attrs, **checked.attrs})

    def without_query_itself(self) -> Self:
        """Return the table without the rows whose item is their query; its queries stay."""
        check = self.check
        return replace(self, check=lambda rows: check(rows).without_query_itself())

    def fold(self, call: Callable[[Rows], Answer], beside: int = 0) -> list[Answer]:
        """Call a function on each part, with all rows of its queries.

        Meanwhile, other data take `beside` bytes of memory.
        """
        parts = self.stream.fold(partial(_of_part, self.check, call), beside)
        answers, facts = zip(*parts, strict=True) if parts else ((), ())
        self.__dict__.setdefault("_facts", facts)
        return [*answers]

    @cached_property
    def _facts(self) -> Sequence[_Facts]:
        """Return the facts of all parts, cached."""
        self.fold(len)
        return self.__dict__["_facts"]

    def __len__(self) -> int:
        return sum(int(sizes.sum()) for _, sizes, _ in self._facts)

    @property
    def row_counts(self) -> pd.Series:
        """Return the number of rows of each query."""
        none = np.zeros(0, dtype=object), np.zeros(0, dtype=np.intp), 0
        queries, sizes, _ = zip(none, *self._facts, strict=True)
        return pd.Series(np.concatenate(sizes), np.concatenate(queries))

    def rows_of(self, queries: Sequence[str] | None = None) -> pd.DataFrame:
        """Return the rows of some or all queries, with text ids."""
        none = pd.DataFrame(columns=["query_id", "doc_id", self.number])
        found = [rows for rows in self.fold(lambda rows: rows.rows_of(queries)) if len(rows)]
        return pd.concat(found, ignore_index=True) if found else none

    def head(self, rows: int) -> pd.DataFrame:
        """Return the ids of some rows; the database decides which."""
        with closing(self.stream.pieces()) as pieces:
            piece = next(filter(len, pieces))
        found = piece.slice(0, rows).select(["query_id", "doc_id"]).to_pydict()
        return pd.DataFrame({name: [*map(str, ids)] for name, ids in found.items()}, dtype=object)


@dataclass(frozen=True, eq=False)
class LazyRun(LazyTable):
    """A run with one part at a time in memory."""

    name: ClassVar[str] = "run"
    number: ClassVar[str] = "score"
    duplicates: Duplicates | None = None  # the repeated row to keep; None: repeats raise an error
    _known: WeakCache[RelevantItems, CountedHits] = field(default_factory=WeakCache, init=False)

    @property
    def attrs(self) -> Mapping[str, object]:
        """Return the metadata of the table."""
        if self.duplicates is None:
            return self.stream.attrs
        notes = [*self.stream.attrs.get("notes", []), *left_out(self.repeated, self.duplicates)]
        return {**self.stream.attrs, "notes": notes}

    @property
    def repeated(self) -> int | None:
        """Return the number of repeated rows left out; None if repeats raise a DataError."""
        return sum(repeated for *_, repeated in self._facts) if self.duplicates else None

    def hits(self, relevant: RelevantItems, *, ties: str) -> CountedHits:
        """Find and rank hits like `Run.hits`, except for `ties="input"`."""
        if ties == "input":
            raise no_order()
        if relevant not in self._known:
            beside = _AN_ITEM * (len(relevant.query) + len(relevant.query_ids))
            parts = self.fold(lambda run: run.ranked(relevant, "doc_id"), beside)
            sizes = self.row_counts
            queries = retrieved_counts(relevant, sizes.index.to_numpy(), sizes.to_numpy())
            columns = map(np.concatenate, zip(*parts, strict=True))
            self._known[relevant] = CountedHits(*columns, *queries)
        counted = self._known[relevant]
        if ties == "doc_id":
            return counted
        before = counted.rank - counted.top
        descending = counted.tied - 1 - before if ties == "doc_id_ascending" else 0
        return replace(counted, rank=counted.top + descending)


@dataclass(frozen=True, eq=False)
class LazyQrels(LazyTable):
    """Qrels with one part at a time in memory; only relevant items are kept."""

    name: ClassVar[str] = "qrels"
    number: ClassVar[str] = "relevance"
    own: bool = False  # True: the rows are those of the run
    _wanted: dict[float, RelevantItems] = field(default_factory=dict, init=False)

    def wanted(self, lowest: float, run: object = None) -> RelevantItems:
        """Return the judged queries, sorted by id, and the items of at least this grade."""
        if lowest not in self._wanted:
            parts = self.fold(lambda qrels: qrels.wanted(lowest))
            before = np.cumsum([0, *(len(part.query_ids) for part in parts)])
            query_ids = np.concatenate([part.query_ids for part in parts])
            query = [part.query + first for part, first in zip(parts, before, strict=False)]
            docs, grades = ([getattr(part, of) for part in parts] for of in ("doc", "grade"))
            columns = map(np.concatenate, (query, docs, grades))
            self._wanted[lowest] = RelevantItems(query_ids, *columns).by_query_id()
        return self._wanted[lowest]

    def grades(self) -> np.ndarray:
        """Return the different grades, ascending."""
        return np.unique(np.concatenate(self.fold(Qrels.grades)))
