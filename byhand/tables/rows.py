"""The checked rows of a table in memory: which query each belongs to, and which of them repeat."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar, Self, TypeVar

import numpy as np
import pandas as pd

from byhand.duplicates import HAS_TWICE
from byhand.errors import DataError, shown
from byhand.parallel import blocks, in_threads
from byhand.tables.ids import Ids, id_column
from byhand.tables.row_keys import RowKeys
from byhand.words import N_, Message

Answer = TypeVar("Answer")
# in `attrs` of a frame in which some queries have no row: of all, in order, text -> id as given
QUERIES = "queries"


class RepeatedError(DataError):
    """A (query, item) stands in two rows."""

    query: str
    doc: str


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
    mend: ClassVar[str]  # what to do about repeats

    def __len__(self) -> int:
        return len(self.labels)

    def as_fields(self) -> dict[str, object]:
        """The same rows as fields of a table with numbers."""
        return {each.name: getattr(self, each.name) for each in fields(Rows)}

    def fold(self, call: Callable[[Self], Answer]) -> list[Answer]:
        """What a call makes of each part of the rows: of all of them, here."""
        return [call(self)]

    @property
    def row_counts(self) -> pd.Series:
        """How many rows each query has."""
        return pd.Series(self.sizes, self.query_ids)

    def rows_of(self, queries: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows of a few queries, or all, with text for ids."""
        rows = np.arange(len(self))
        if queries is not None:
            rows = np.flatnonzero(pd.Index(self.query_ids).isin(queries)[self.query])
        return self._ids(rows).assign(**{self.number: getattr(self, self.number)[rows]})

    def head(self, rows: int) -> pd.DataFrame:
        """The ids of the first rows."""
        return self._ids(np.arange(min(len(self), rows)))

    def _ids(self, rows: np.ndarray) -> pd.DataFrame:
        ids = {"query_id": self.query_ids[self.query[rows]], "doc_id": self.doc.text(rows)}
        return pd.DataFrame(ids, dtype=object)

    @cached_property
    def bounds(self) -> np.ndarray | None:
        """(Q + 1,) where each query's rows begin and end; None unless they stand together."""
        if (self.query[1:] < self.query[:-1]).any():
            return None
        return np.concatenate([[0], np.cumsum(self.sizes)])

    def keys(self) -> RowKeys:
        """A number for each row."""
        return RowKeys.of(self.query, self.doc, len(self.query_ids), self.bounds)

    def unrepeated(self) -> RowKeys:
        """A number for each row; a DataError names the first row that repeats another one."""
        keys, named = self._alike()
        repeated = named.duplicated().to_numpy()
        if not repeated.any():
            return keys
        query, doc = named.iloc[place := repeated.argmax()]
        first = ((named["query"] == query) & (named["doc"] == doc)).to_numpy().argmax()
        where = self._places(*named.index[[first, place]])
        raise twice(self.name, self.query_ids[query], doc, where, self.mend)

    def kept(self, best: np.ndarray | None = None) -> np.ndarray:
        """(N,) whether a row stays, if of those with one (query, item) only this one does.

        It is the first of them, or of these keys (N,) the first that has the highest.
        """
        _, named = self._alike()
        if best is not None:
            named = named.iloc[np.argsort(falling(best[named.index]), kind="stable")]
        kept = np.ones(len(self), dtype=bool)
        kept[named.index[named.duplicated()]] = False
        return kept

    def _alike(self) -> tuple[RowKeys, pd.DataFrame]:
        """Keys of the rows; and of those rows that may repeat others the `query` and `doc`."""
        keys = self.keys()
        rows = keys.alike()
        doc = pd.Series(self.doc.text(rows), index=rows, dtype=object)
        return keys, pd.DataFrame({"query": self.query[rows], "doc": doc}, index=rows)

    def _places(self, first: int, second: int) -> str:
        labels = shown(self.labels[first]), shown(self.labels[second])
        at = N_("at rows {first} and {second}")
        if labels[0] != labels[1]:
            at = N_("at ranks {first} and {second}") if self.labels.name == "rank" else at
            return Message(at, first=labels[0], second=labels[1])
        at = N_("at rows {first} and {second} (counted from 0; the index calls both {label})")
        return Message(at, first=first, second=second, label=labels[0])


def checked_rows(frame: pd.DataFrame, name: str) -> Rows:
    """The rows of a frame; those of each query are counted by stretches."""
    query = id_column(frame["query_id"], what=f"{name}: query_id")
    doc = id_column(frame["doc_id"], what=f"{name}: doc_id")
    known = frame.attrs.get(QUERIES, {})
    places: dict[str, int] = {text: place for place, text in enumerate(known)}
    sizes = np.zeros(len(places), dtype=np.intp)
    codes = np.empty(len(frame), dtype=np.int32)
    cuts = blocks(len(frame))
    found = in_threads(lambda block: query.stretches(*block), cuts)
    for (start, stop), (new, which, texts) in zip(cuts, found, strict=True):
        here = np.array([places.setdefault(text, len(places)) for text in texts], dtype=np.int32)
        lengths = np.diff(new, append=stop - start)
        codes[start:stop] = np.repeat(here[which], lengths)
        sizes = np.append(sizes, np.zeros(len(places) - len(sizes), dtype=np.intp))
        np.add.at(sizes, here[which], lengths)
    query_ids = np.array(list(places), dtype=object)
    return Rows(
        codes,
        query_ids,
        sizes,
        doc,
        frame.index,
        frame.attrs,
        known.__getitem__ if known else query.given,
    )


def twice(name: str, query: str, doc: str, where: str, mend: str) -> RepeatedError:
    """What to say of a (query, item) that stands in two rows."""
    error = RepeatedError(HAS_TWICE, [name, shown(query), shown(doc), where, mend])
    error.query, error.doc = query, doc
    return error


def falling(score: np.ndarray) -> np.ndarray:
    """What ascends where scores fall."""
    return -score if score.dtype.kind == "f" else ~score  # ~ turns all whole numbers round
