"""Checked qrels in memory, and their relevant items."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.tables.columns import finite_numbers
from byhand.tables.rows import Rows

# key in `attrs` of qrels: the number of rows of a judged run without a grade
UNGRADED = "ungraded"


@dataclass(frozen=True, eq=False)
class RelevantItems:
    """The judged queries, and their relevant items."""

    query_ids: np.ndarray  # (Q,) ids of all judged queries, in order of first appearance
    query: np.ndarray  # (R,) position of each item's query in `query_ids`
    doc: np.ndarray  # (R,) item ids; empty if rows are known
    grade: np.ndarray  # (R,)
    row: np.ndarray | None = None  # (R,) row in the run, if one table is run and qrels

    def by_query_id(self) -> Self:
        """Return the same items, with queries sorted by id."""
        order = np.argsort(self.query_ids)
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return replace(self, query_ids=self.query_ids[order], query=place[self.query])

    def positions(self, queries: Sequence[str]) -> np.ndarray:
        """Return the position of each query among the judged ones, or -1."""
        return np.array([self._position_of.get(each, -1) for each in queries], dtype=np.int32)

    @cached_property
    def _position_of(self) -> dict[str, int]:
        return {text: position for position, text in enumerate(self.query_ids)}


@dataclass(frozen=True)
class Qrels(Rows):
    """Checked qrels in memory."""

    relevance: np.ndarray  # (N,) finite grades
    own: bool = field(default=False, kw_only=True)  # True: the rows are those of the run
    name: ClassVar[str] = "qrels"
    number: ClassVar[str] = "relevance"
    _wanted: dict[tuple[float, bool], RelevantItems] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, frame: pd.DataFrame, shared: Rows | None = None) -> Self:
        """Check the columns of a frame, except for repeats; `shared` are the same rows as a run."""
        grades = finite_numbers(frame, "relevance", "qrels")
        if shared is None:
            return super().of(frame, relevance=grades)
        rows = {each.name: getattr(shared, each.name) for each in fields(Rows)}
        return cls(**rows, relevance=grades)

    @property
    def fix_of_repeats(self) -> str:
        """Return the advice on repeated rows."""
        example = ", for example with drop_duplicates(['query_id', 'doc_id'])" * self.ordered
        return f"keep one of them{example}"

    def grades(self) -> np.ndarray:
        """Return the different grades, ascending."""
        return np.unique(self.relevance)

    def once(self) -> Self:
        """Return the first of repeated rows; raise a DataError if their grades differ."""
        if clash := self.contradiction():
            name = self.attrs.get("file", self.name)
            query, doc = self.query_ids[self.query[clash[0]]], self.doc.text(np.array(clash))[0]
            one, other = self.relevance[[*clash]]
            raise DataError(
                f"{name}: query {shown(query)} has item {shown(doc)} twice, with relevance "
                f"{one:g} and {other:g}. Keep the one that is right."
            )
        return self.take(np.flatnonzero(self.rows_to_keep()))

    def contradiction(self) -> tuple[int, int] | None:
        """Return two rows with different grades for one (query, item), or None."""
        graded = self.alike.assign(grade=self.relevance[self.alike.index]).drop_duplicates()
        again = graded.duplicated(["query", "doc"])
        if not again.any():
            return None
        second = again.idxmax()
        same = (graded[["query", "doc"]] == graded.loc[second, ["query", "doc"]]).all(axis=1)
        return int(same.idxmax()), int(second)

    def wanted(self, lowest: float, run: object = None) -> RelevantItems:
        """Return the judged queries and the items of at least this grade.

        If `run` is the same table, the items are row numbers.
        """
        known = isinstance(run, Rows) and run.doc is self.doc
        if (lowest, known) not in self._wanted:
            row = np.flatnonzero(self.relevance >= lowest)
            doc, place = (row[:0], row) if known else (self.doc.text(row), None)
            grade = self.relevance[row].astype(float)
            found = RelevantItems(self.query_ids, self.query[row], doc, grade, place)
            self._wanted[lowest, known] = found if self.ordered else found.by_query_id()
        return self._wanted[lowest, known]


def graded(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with a grade; the others are unjudged."""
    grades = frame["relevance"]
    missing = grades.isna().to_numpy(bool)
    if grades.dtype == object:
        missing = missing | (grades == "").to_numpy(bool)
    elif str(grades.dtype) in ("double[pyarrow]", "float[pyarrow]"):  # NaN is not null in Arrow
        missing = np.isnan(grades.to_numpy(float, na_value=np.nan))
    if not missing.any():
        return frame
    found = frame[~missing]
    found.attrs = {**frame.attrs, UNGRADED: int(missing.sum())}
    return found
