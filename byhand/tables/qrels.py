"""Checked qrels in memory, and what of them is relevant."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import pandas as pd

from byhand.tables.columns import finite_numbers
from byhand.tables.rows import Rows

ABOVE_ZERO = float(np.nextafter(0, 1))


@dataclass(frozen=True, eq=False)
class RelevantItems:
    """The judged queries, and their relevant items."""

    query_ids: np.ndarray  # (Q,) every judged query as text, in order of first appearance
    query: np.ndarray  # (R,) for each relevant item the position of its query in `query_ids`
    doc: np.ndarray  # (R,) its id as text; not there if its row is known
    grade: np.ndarray  # (R,) its grade
    row: np.ndarray | None = None  # (R,) its row in the run, if one table is run and qrels

    def places(self, queries: Sequence[str]) -> np.ndarray:
        """Return the place of each of some queries among the judged ones, or -1."""
        return np.array([self._positions.get(each, -1) for each in queries], dtype=np.int32)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {text: position for position, text in enumerate(self.query_ids)}


@dataclass(frozen=True)
class Qrels(Rows):
    """Checked qrels in memory."""

    relevance: np.ndarray  # (N,) finite grades
    name: ClassVar[str] = "qrels"
    number: ClassVar[str] = "relevance"
    advice: ClassVar[str] = (
        "keep one of them, for example with drop_duplicates(['query_id', 'doc_id'])"
    )
    _wanted: dict[tuple[float, bool], RelevantItems] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, frame: pd.DataFrame, shared: Rows | None = None) -> Self:
        """Check a frame with our columns, but for repeats; `shared` are its rows as a run."""
        grades = finite_numbers(frame, "relevance", "qrels")
        if shared is None:
            return super().of(frame, relevance=grades)
        return cls(*(getattr(shared, each.name) for each in fields(Rows)), relevance=grades)

    def by_query_id(self) -> Self:
        """Return the same rows, their queries in the order of their ids."""
        order = np.argsort(self.query_ids)
        place = np.empty(len(order), self.query.dtype)
        place[order] = np.arange(len(order))
        ordered = {"query_ids": self.query_ids[order], "sizes": self.sizes[order]}
        return replace(self, query=place[self.query], **ordered, _wanted={})

    def grades(self) -> np.ndarray:
        """Return the different grades, ascending."""
        return np.unique(self.relevance)

    def once(self) -> np.ndarray:
        """(N,) as `kept`; a DataError if two rows of one (query, item) have different grades."""
        if self.contradiction():
            self.unrepeated()
        return self.kept()

    def contradiction(self) -> tuple[int, int] | None:
        """Return two rows that give one (query, item) different grades; None if there are none."""
        _, named = self.alike()
        graded = named.assign(grade=self.relevance[named.index]).drop_duplicates()
        again = graded.duplicated(["query", "doc"])
        if not again.any():
            return None
        second = again.idxmax()
        same = (graded[["query", "doc"]] == graded.loc[second, ["query", "doc"]]).all(axis=1)
        return int(same.idxmax()), int(second)

    def wanted(self, lowest: float, run: object = None) -> RelevantItems:
        """Return the judged queries and items of at least this grade; by row in a `run` of them."""
        known = isinstance(run, Rows) and run.doc is self.doc
        if (lowest, known) not in self._wanted:
            row = np.flatnonzero(self.relevance >= lowest)
            doc, place = (row[:0], row) if known else (self.doc.text(row), None)
            grade = self.relevance[row].astype(float)
            found = RelevantItems(self.query_ids, self.query[row], doc, grade, place)
            self._wanted[lowest, known] = found
        return self._wanted[lowest, known]
