"""Runs and qrels as checked columns: what a user's frame must hold before anything is counted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import Self

import numpy as np
import pandas as pd

from byhand.columns import OURS, Type, advice, guess, listed, names_of, plain, type_of_arrow
from byhand.errors import DataError, both, shown
from byhand.parallel import blocks
from byhand.tables.frames import OF_ARROW, of_dictionary
from byhand.tables.pairs import Pairs

ABOVE_ZERO = float(np.nextafter(0, 1))


@dataclass(frozen=True)
class Run(Pairs):
    """A run whose columns are there, whose ids are present and whose scores are finite."""

    score: np.ndarray

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Self:
        """Check a frame with `query_id`, `doc_id` and `score`; or `rank`, for minus the rank.

        Raises:
            DataError: a missing column, a missing id, a score that is no finite number.
        """
        if is_ranked([*frame.columns] if isinstance(frame, pd.DataFrame) else ()):
            _require(frame, "run", ("query_id", "doc_id", "rank"))
            score = -_numbers(frame["rank"], "run: rank", "a rank").astype(float)
        else:
            _require(frame, "run", ("query_id", "doc_id", "score"))
            score = _numbers(frame["score"], "run: score", "a score")
        return cls(**cls.ids_of(frame, "run"), score=score)

    @cached_property
    def falls(self) -> bool:
        """Whether each query's rows stand together, and from the highest score to the lowest."""
        if self.bounds is None:
            return False
        for start, stop in blocks(len(self)):
            block = self.score[start : stop + 1]
            rises = start + 1 + np.flatnonzero(block[1:] > block[:-1])
            if (self.bounds[np.searchsorted(self.bounds, rises)] != rises).any():
                return False
        return True

    def scores(self, rows: slice | np.ndarray) -> np.ndarray:
        """The scores of some rows as they compare exactly: whole numbers as such, else float64."""
        score = self.score[rows]
        return score.astype({"i": np.int64, "u": np.uint64}.get(score.dtype.kind, float))


@dataclass(frozen=True)
class Qrels:
    """The judged queries, and their relevant items.

    Attributes:
        query_ids: (Q,) every judged query as text, in order of first appearance.
        query: (R,) for each relevant item the position of its query in `query_ids`.
        doc: (R,) its id as text; not there if its row is known.
        grade: (R,) its grade.
        row: (R,) its row in the run, where one table says both; else None.
    """

    query_ids: np.ndarray
    query: np.ndarray
    doc: np.ndarray
    grade: np.ndarray
    row: np.ndarray | None = None


@dataclass(frozen=True)
class Judgements(Pairs):
    """Qrels whose columns are there, whose ids are present and not repeated, with finite grades.

    Attributes:
        grade: (N,) the grades.
        in_run: whether the rows are those of the run: one table says both.
    """

    grade: np.ndarray
    in_run: bool
    _wanted: dict[float, Qrels] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, frame: pd.DataFrame, *, run: Run | None = None) -> Self:
        """Check a frame with `query_id`, `doc_id` and `relevance`.

        Args:
            frame: the qrels.
            run: the checked run, if it was made of the same frame.

        Raises:
            DataError: a missing column, a missing id, a relevance that is no finite number, a
                repeated (query, item), or no rows.
        """
        _require(frame, "qrels", ("query_id", "doc_id", "relevance"))
        if len(frame) == 0:
            raise DataError("qrels: no rows. Without judgements there is nothing to evaluate.")
        grade = _numbers(frame["relevance"], "qrels: relevance", "a grade")
        ids = cls.ids_of(frame, "qrels") if run is None else run.ids_as("qrels")
        found = cls(**ids, grade=grade, in_run=run is not None)
        found.refuse_repeats(found.numbers())
        return found

    def wanted(self, lowest: float) -> Qrels:
        """The judged queries, and the items of at least this grade."""
        if lowest not in self._wanted:
            row = np.flatnonzero(self.grade >= lowest)
            doc = row[:0] if self.in_run else self.doc.text(row)
            grade, place = self.grade[row].astype(float), row if self.in_run else None
            self._wanted[lowest] = Qrels(self.query_ids, self.query[row], doc, grade, place)
        return self._wanted[lowest]


@dataclass(frozen=True)
class Change:
    """How the owner of a table changes it.

    Attributes:
        renamed: the call that gives columns our names, from the table's name and {theirs: ours}.
        negated: the call that makes a score of a rank, from the table's name and the rank's.
    """

    renamed: Callable[[str, Mapping[str, str]], str]
    negated: Callable[[str, str], str]


IN_PANDAS = Change(
    lambda name, columns: f"{name}.rename(columns={dict(columns)})",
    lambda name, rank: f"{name}.assign(score=-{name}[{rank!r}])",
)
IN_ARROW = Change(
    lambda name, columns: f"pa.table({name}).rename_columns({dict(columns)})",
    lambda name, rank: (
        f"pa.table({name}).append_column('score', pc.negate(pa.table({name})[{rank!r}]))"
    ),
)


def is_ranked(names: Sequence[object]) -> bool:
    """Whether a run of these columns has ranks and no scores.

    Example:
        >>> is_ranked(["query_id", "doc_id", "rank"])
        True
    """
    return "rank" in names and "score" not in names


def _require(frame: object, name: str, columns: tuple[str, ...]) -> None:
    if not isinstance(frame, pd.DataFrame):
        raise DataError(
            f"{name} is a {type(frame).__name__}, not a pandas DataFrame. Expected a table with "
            f"the columns {', '.join(columns)}: pd.DataFrame({name}) may be all it takes."
        )
    names = list(frame.columns)
    if set(columns) <= set(names) and len(set(names)) == len(names):
        return
    types = {each: _type_of(dtype) for each, dtype in zip(names, frame.dtypes, strict=True)}
    if frame.attrs == OF_ARROW:
        require_columns(names, name, columns, types=types, change=IN_ARROW)
    levels = [level for level in frame.index.names if isinstance(level, str)]
    require_columns(names, name, columns, index=levels, types=types)


def _type_of(dtype: object) -> Type:
    if isinstance(dtype, pd.ArrowDtype):
        return type_of_arrow(dtype.pyarrow_dtype)
    if pd.api.types.is_bool_dtype(dtype):
        return "truth"
    if pd.api.types.is_numeric_dtype(dtype):
        return "whole" if pd.api.types.is_integer_dtype(dtype) else "fraction"
    return "" if pd.api.types.is_object_dtype(dtype) else "text"


def require_columns(
    names: Sequence[object],
    name: str,
    columns: tuple[str, ...],
    *,
    index: Sequence[str] = (),
    types: Mapping[str, Type] | None = None,
    change: Change = IN_PANDAS,
) -> None:
    """Complain about columns that a table lacks, or has twice.

    Args:
        names: its columns.
        name: what the table is called.
        columns: those that it has to have.
        index: the names in its index.
        types: what type of values the columns hold, where that is known.
        change: how its owner changes a table.

    Raises:
        DataError: what is missing, and what may be all it takes.
    """
    names = list(names)
    for ours in columns:
        if (many := names.count(ours)) > 1:
            raise DataError(f"{name}: {many} columns are called {ours!r}; keep one.", table=name)
    if missing := [ours for ours in columns if ours not in names]:
        what = f"column{'s' * (len(missing) > 1)} {both([repr(ours) for ours in missing])}"
        mend = _mend(names, index, name, missing, columns, types, change)
        found = f"{name}: no {what}. Columns found: {listed(names)}. {mend}"
        raise DataError(found, table=name, missing=missing)


def _mend(
    names: Sequence[object],
    index: Sequence[str],
    name: str,
    missing: Sequence[str],
    columns: Sequence[str],
    types: Mapping[str, Type] | None,
    change: Change,
) -> str:
    """What may be all that a table with missing columns takes, to paste."""
    one = len(missing) == 1
    expected = f"Expected the columns {', '.join(columns)}."
    absent = [ours for ours in missing if ours not in index]
    if not absent:
        return f"{'It is' if one else 'They are'} in the index: pass {name}.reset_index()."
    others = [theirs for theirs in (*names, *index) if isinstance(theirs, str)]
    found = guess(absent, [theirs for theirs in others if theirs not in OURS], types)
    rank = next((theirs for theirs in others if plain(theirs) in names_of("rank")), None)
    if missing == ["score"] and rank and not (found and found.basis == "name"):
        return f"Its score is minus the rank: {change.negated(name, rank)}."
    if not found:
        hits = "If every row is a hit, as in a log of clicks: qrels.assign(relevance=1)."
        return f"{expected} {hits}" if absent == ["relevance"] and change is IN_PANDAS else expected
    calls = " or ".join(_call(name, way, [*index], missing, change) for way in found.ways)
    return f"{advice(missing, columns, found, then=':')} {calls}."


def _call(
    name: str, way: Mapping[str, str], index: Sequence[str], missing: Sequence[str], change: Change
) -> str:
    """What gives a table's columns our names, and makes scores of ranks."""
    table = name + ".reset_index()" * (not {*index}.isdisjoint([*way, *missing]))
    rank = next((theirs for theirs, ours in way.items() if ours == "rank"), None)
    table = table if rank is None else change.negated(table, rank)
    named = {theirs: ours for theirs, ours in way.items() if ours != "rank"}
    return change.renamed(table, named) if named else table


def _numbers(column: pd.Series, what: str, thing: str) -> np.ndarray:
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
    for start, stop in blocks(len(values)):
        finite = np.isfinite(values[start:stop])
        if not finite.all():
            row = start + int(finite.argmin())
            raise DataError(
                f"{what} is {values[row]} at row {shown(column.index[row])}. {thing.capitalize()} "
                "is a finite number: mend the row or remove it."
            )
    return values


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
