"""The rows of a checked table in memory: ids that are there, finite numbers, and what repeats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import ClassVar

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.parallel import blocks, in_threads
from byhand.tables.ids import Ids, Numbers, id_column, of_dictionary


@dataclass(frozen=True)
class Rows:
    """The rows of a checked table in memory: which query each belongs to, and its item.

    Attributes:
        name: what the table is called.
        query: (N,) for each row the position of its query in `query_ids`.
        query_ids: (Q,) the queries as text, in order of first appearance.
        sizes: (Q,) how many rows each query has.
        doc: the items.
        labels: (N,) what the index calls each row.
        attrs: what is known of the table beside its rows.
    """

    name: str
    query: np.ndarray
    query_ids: np.ndarray
    sizes: np.ndarray
    doc: Ids
    labels: pd.Index
    attrs: Mapping[str, object]
    lazy: ClassVar[bool] = False
    number: ClassVar[str]
    mend: ClassVar[str]  # what to do about repeats

    def __len__(self) -> int:
        return len(self.labels)

    def ids_as(self, name: str) -> dict[str, object]:
        """The same ids, as fields of a table that is called something else."""
        return {**{each.name: getattr(self, each.name) for each in fields(Rows)}, "name": name}

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

    def unrepeated(self) -> Numbers:
        """A number for each row, by its query and its item.

        Raises:
            DataError: the first row that repeats the query and item of another one, and which one.
        """
        numbers, named = self._alike()
        repeated = named.duplicated().to_numpy()
        if not repeated.any():
            return numbers
        place = repeated.argmax()
        query, doc = named.iloc[place]
        first = ((named["query"] == query) & (named["doc"] == doc)).to_numpy().argmax()
        where = f"at {self._places(*named.index[[first, place]])}"
        raise twice(self.name, self.query_ids[query], doc, where, self.mend)

    def kept(self, best: np.ndarray | None = None) -> np.ndarray:
        """(N,) whether a row stays, if of those with one (query, item) only this one does.

        It is the first of them, or of these numbers (N,) the first that has the highest.
        """
        _, named = self._alike()
        if best is not None:
            named = named.iloc[np.argsort(falling(best[named.index]), kind="stable")]
        kept = np.ones(len(self), dtype=bool)
        kept[named.index[named.duplicated()]] = False
        return kept

    def _alike(self) -> tuple[Numbers, pd.DataFrame]:
        """Numbers of the rows; and of those rows that may repeat others the `query` and `doc`."""
        numbers = Numbers.of(self.query, self.doc, len(self.query_ids), self.bounds)
        rows = numbers.alike()
        doc = pd.Series(self.doc.text(rows), index=rows, dtype=object)
        return numbers, pd.DataFrame({"query": self.query[rows], "doc": doc}, index=rows)

    def _places(self, first: int, second: int) -> str:
        labels = shown(self.labels[first]), shown(self.labels[second])
        kind = "ranks" if self.labels.name == "rank" else "rows"
        if labels[0] != labels[1]:
            return f"{kind} {labels[0]} and {labels[1]}"
        return f"rows {first} and {second} (counted from 0; the index calls both {labels[0]})"


def no_number(what: str, bad: int, rows: int, where: str) -> DataError:
    """What to say of rows whose number is none, of which `where` tells one."""
    thing = {"score": "A score", "rank": "A rank"}.get(what.rpartition(" ")[2], "A grade")
    return DataError(
        f"{what} is no finite number in {bad} of {rows} rows, {where}. {thing} is a finite number: "
        "mend the row or remove it."
    )


def twice(name: str, query: str, doc: str, where: str, mend: str) -> DataError:
    """What to say of a (query, item) that stands in two rows."""
    return DataError(
        f"{name}: query {shown(query)} has item {shown(doc)} twice, {where}. A query holds each "
        f"item once: {mend}."
    )


def falling(score: np.ndarray) -> np.ndarray:
    """What ascends where scores fall."""
    return -score if score.dtype.kind == "f" else ~score  # ~ turns all whole numbers round


def fields_of(frame: pd.DataFrame, name: str) -> dict[str, object]:
    """The fields of `Rows`; of queries, rows are counted by stretches."""
    query = id_column(frame["query_id"], what=f"{name}: query_id")
    doc = id_column(frame["doc_id"], what=f"{name}: doc_id")
    places: dict[str, int] = {}
    sizes = np.zeros(0, dtype=np.intp)
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
    return {
        "name": name,
        "query": codes,
        "query_ids": query_ids,
        "sizes": sizes,
        "doc": doc,
        "labels": frame.index,
        "attrs": frame.attrs,
    }


def numbers_of(column: pd.Series, what: str) -> np.ndarray:
    """The column as finite numbers: not copied if its type is one of numpy's up to 64 bits."""
    column = _as_numbers(column)
    dtype = column.dtype
    if not pd.api.types.is_numeric_dtype(dtype) or dtype.kind == "c":
        if len(column) == 0:
            return np.empty(0)
        odd = next((each for each in column if isinstance(each, str | bytes)), column.iloc[0])
        raise DataError(
            f"{what} holds {dtype} values, such as {shown(odd)}. Expected numbers: convert the "
            "column, for example with pd.to_numeric."
        )
    if isinstance(dtype, np.dtype) and dtype.itemsize <= 8:
        values = column.to_numpy()
    elif pd.api.types.is_integer_dtype(dtype) and not column.hasnans:
        values = column.to_numpy(dtype=dtype.numpy_dtype)
    else:
        values = column.to_numpy(dtype=float, na_value=np.nan)
    if all(np.isfinite(values[start:stop]).all() for start, stop in blocks(len(values))):
        return values
    bad = ~np.isfinite(values)
    row = int(bad.argmax())
    where = f"the first, {values[row]}, at row {shown(column.index[row])}"
    raise no_number(what, int(bad.sum()), len(values), where)


def _as_numbers(column: pd.Series) -> pd.Series:
    """Categories, Arrow's own kinds and objects as the numbers or truth values that they are."""
    column = of_dictionary(column)
    dtype = column.dtype
    if isinstance(dtype, pd.ArrowDtype) and dtype.kind == "b":
        return column.astype("boolean")
    if isinstance(dtype, pd.CategoricalDtype) and dtype.categories.dtype.kind in "iufb":
        return column.astype(float if column.hasnans else dtype.categories.dtype)
    if not pd.api.types.is_object_dtype(dtype):
        return column
    found = column.infer_objects()
    if not pd.api.types.is_object_dtype(found):
        return found if pd.api.types.is_numeric_dtype(found) else column
    kinds = {*map(type, column[column.notna()])}
    numbers = all(issubclass(kind, Real | Decimal | np.bool_) for kind in kinds)
    return column.astype(float) if numbers else column
