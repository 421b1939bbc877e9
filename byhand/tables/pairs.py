"""The ids of a table's rows: which query each row belongs to, and which item it names."""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.parallel import blocks, in_threads
from byhand.tables.ids import Ids, id_column
from byhand.tables.numbers import Numbers


@dataclass(frozen=True)
class Pairs:
    """The two id columns that runs and qrels share.

    Attributes:
        name: what the table is called.
        query: (N,) for each row the position of its query in `query_ids`.
        query_ids: (Q,) the queries as text, in order of first appearance.
        sizes: (Q,) how many rows each query has.
        doc: the items.
        labels: (N,) what the index calls each row.
    """

    name: str
    query: np.ndarray
    query_ids: np.ndarray
    sizes: np.ndarray
    doc: Ids
    labels: pd.Index

    @classmethod
    def ids_of(cls, frame: pd.DataFrame, name: str) -> dict[str, object]:
        """The ids of a frame, as fields."""
        query = id_column(frame["query_id"], what=f"{name}: query_id")
        doc = id_column(frame["doc_id"], what=f"{name}: doc_id")
        return {"name": name, "doc": doc, "labels": frame.index, **_queries(query, len(frame))}

    def ids_as(self, name: str) -> dict[str, object]:
        """The same ids, as fields of a table that is called something else."""
        return {**{each.name: getattr(self, each.name) for each in fields(Pairs)}, "name": name}

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def bounds(self) -> np.ndarray | None:
        """(Q + 1,) where each query's rows begin and end; None unless they stand together."""
        if (self.query[1:] < self.query[:-1]).any():
            return None
        return np.concatenate([[0], np.cumsum(self.sizes)])

    def numbers(self) -> Numbers:
        """A number for each row, by its query and its item."""
        return Numbers.of(self.query, self.doc.keys, len(self.query_ids), self.bounds)

    def refuse_repeats(self, numbers: Numbers) -> None:
        """Complain about a (query, item) that stands in two rows.

        Args:
            numbers: those of the rows.

        Raises:
            DataError: the first row that repeats another one, and which one.
        """
        rows = numbers.alike()
        ids = {"query": self.query[rows], "doc": pd.Series(self.doc.text(rows), dtype=object)}
        named = pd.DataFrame(ids)
        repeated = named.duplicated().to_numpy()
        if not repeated.any():
            return
        place = repeated.argmax()
        query, doc = named.iloc[place]
        first = ((named["query"] == query) & (named["doc"] == doc)).to_numpy().argmax()
        raise DataError(
            f"{self.name}: query {self.query_ids[query]!r} has item {doc!r} twice, at rows "
            f"{self._places(rows[first], rows[place])}. A query holds each item once: keep one of "
            "them, for example with drop_duplicates(['query_id', 'doc_id'])."
        )

    def _places(self, first: int, second: int) -> str:
        labels = shown(self.labels[first]), shown(self.labels[second])
        if labels[0] != labels[1]:
            return " and ".join(labels)
        return f"{first} and {second} (counted from 0; the index calls both {labels[0]})"


def _queries(column: Ids, n_rows: int) -> dict[str, np.ndarray]:
    """The fields of `Pairs` that speak of queries; rows of one query are counted by stretches."""
    places: dict[str, int] = {}
    sizes = np.zeros(0, dtype=np.intp)
    codes = np.empty(n_rows, dtype=np.int32)
    cuts = blocks(n_rows)
    found = in_threads(lambda block: column.stretches(*block), cuts)
    for (start, stop), (new, which, texts) in zip(cuts, found, strict=True):
        here = np.array([places.setdefault(text, len(places)) for text in texts], dtype=np.int32)
        lengths = np.diff(new, append=stop - start)
        codes[start:stop] = np.repeat(here[which], lengths)
        sizes = np.append(sizes, np.zeros(len(places) - len(sizes), dtype=np.intp))
        np.add.at(sizes, here[which], lengths)
    return {"query": codes, "query_ids": np.array(list(places), dtype=object), "sizes": sizes}
