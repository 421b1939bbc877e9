"""The one door in: whatever a user holds for a run or for qrels becomes one checked thing."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from numbers import Real
from os import PathLike
from typing import TYPE_CHECKING, ClassVar, TypedDict, Unpack, get_args

import numpy as np
import pandas as pd

from byhand.columns import QRELS, RUN, Duplicates, Wanted, left_out
from byhand.errors import DataError, shown
from byhand.files.header import Given, columns_of
from byhand.files.unread import Scan
from byhand.parallel import blocks, in_threads
from byhand.tables.counting import Qrels, Rows, Run, no_number
from byhand.tables.engines import engine_of
from byhand.tables.held import check_places, frame_of_held
from byhand.tables.ids import id_column, of_dictionary
from byhand.tables.lazy import LazyQrels, LazyRun, Repeats
from byhand.tables.lazy_columns import LazyTable
from byhand.tables.named import named

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True)
class Judgements(Rows):
    """Checked qrels in memory: ids that are there and not repeated, finite grades (N,)."""

    relevance: np.ndarray
    number: ClassVar[str] = "relevance"
    mend: ClassVar[str] = (
        "keep one of them, for example with drop_duplicates(['query_id', 'doc_id'])"
    )
    _wanted: dict[tuple[float, bool], Qrels] = field(default_factory=dict, repr=False)

    def once(self) -> np.ndarray:
        """(N,) whether a row stays, if of those with one (query, item) only the first does.

        Raises:
            DataError: two of them with different grades.
        """
        _, named = self._alike()
        graded = named.assign(grade=self.relevance[named.index])
        if len(graded.drop_duplicates()) > len(named.drop_duplicates()):
            self.unrepeated()
        return self.kept("first")

    def wanted(self, lowest: float, run: Run | LazyRun | None = None) -> Qrels:
        """The judged queries, and the items of at least this grade.

        Args:
            lowest: the grade.
            run: where they will be looked for; their rows are known if the same table says both.
        """
        known = isinstance(run, Run) and run.doc is self.doc
        if (lowest, known) not in self._wanted:
            row = np.flatnonzero(self.relevance >= lowest)
            doc, place = (row[:0], row) if known else (self.doc.text(row), None)
            grade = self.relevance[row].astype(float)
            found = Qrels(self.query_ids, self.query[row], doc, grade, place)
            self._wanted[lowest, known] = found
        return self._wanted[lowest, known]


class Reading(TypedDict, total=False):
    """How to take what a user holds, as `evaluate` says of each."""

    run_columns: Given | None
    qrels_columns: Given | None
    duplicates: Duplicates | None
    repeats: Repeats


def tables_of(
    run: object, qrels: object, *, refused: list[str] | None = None, **reading: Unpack[Reading]
) -> tuple[Run | LazyRun, Judgements | LazyQrels]:
    """A run and qrels, checked; of one table that says both the ids are looked at once.

    Args:
        run, qrels: as for `evaluate`; or checked already.
        refused: takes what is wrong with either instead of raising it; what is refused is None.
        reading: options of `evaluate`.

    Raises:
        DataError, ValueError: as `run_of` and `qrels_of`.

    Example:
        >>> run, qrels = tables_of({"q": ["b", "a"]}, {"q": {"a"}})
        >>> run.score.tolist(), qrels.relevance.tolist()
        ([-1, -2], [1])
    """
    runs, judged = several_of({None: run}, qrels, refused=refused, **reading)
    return runs.get(None), judged


def several_of(
    runs: Mapping[str | None, object],
    qrels: object,
    *,
    refused: list[str] | None = None,
    run_columns: Mapping[object, object] | None = None,
    qrels_columns: Given | None = None,
    **options: object,
) -> tuple[dict[str | None, Run | LazyRun], Judgements | LazyQrels]:
    """Runs by name and their qrels, which may be one of them, checked as by `tables_of`.

    Raises:
        DataError: as `tables_of`, with the name of the run.
    """
    checked, same, judged = {}, None, None
    for name, run in runs.items():
        with _told(name if len(runs) > 1 else None, refused):
            is_file = isinstance(run, str | PathLike)
            columns = columns_of(run_columns, run if is_file else name or "")
            of_qrels = run is qrels or (
                is_file and isinstance(qrels, str | PathLike) and run == qrels
            )
            if of_qrels and is_file:
                from byhand.files.read import read_judged_run

                run = read_judged_run(run, columns=columns, duplicates=options.get("duplicates"))
                columns = None
            if of_qrels and not isinstance(run, Run | LazyRun):
                run = qrels = _of_arrow(run)
                qrels_columns = qrels_columns or columns
            check_places(run, qrels)
            checked[name] = run_of(run, columns=columns, **options)
            if of_qrels:
                same = checked[name]
    with _told(None, refused):
        judged = qrels_of(qrels, columns=qrels_columns, run=same)
    return checked, judged


@contextmanager
def _told(run: str | None, refused: list[str] | None) -> Iterator[None]:
    """Say in a complaint which of several runs it is about; or keep it for later."""
    try:
        yield
    except DataError as error:
        if refused is not None:
            refused.append(f"{run}: {error}" if run else str(error))
        elif run is None:
            raise
        else:
            raise DataError(f"Evaluating runs[{shown(run)}]: {error}") from None


def run_of(
    table: object,
    *,
    columns: Given | None = None,
    duplicates: Duplicates | None = None,
    repeats: Repeats = "all",
) -> Run | LazyRun:
    """A checked run.

    Args:
        table: whatever `evaluate` takes; or a checked run.
        columns: its names for our columns.
        duplicates: which row of a repeated (query, item) is kept; None refuses it.
        repeats: where to look for repeats in a run that lives in an engine.

    Raises:
        DataError: a missing column, a missing id, a score that is no finite number.
        ValueError: an unknown option.
    """
    for name, option, options in (
        ("repeats", repeats, get_args(Repeats)),
        ("duplicates", duplicates, (None, *get_args(Duplicates))),
    ):
        if option not in options:
            known = ", ".join(map(repr, options))
            raise ValueError(f"{name}={option!r} is not an option; choose from {known}.")
    if isinstance(table, Run | LazyRun):
        return table
    options = {"repeats": repeats, "duplicates": duplicates}
    lazy = _in_engine(LazyRun, table, RUN, columns, **options)
    if lazy is not None:
        return lazy
    frame = frame_of(table, RUN, columns, duplicates)
    run = _run(frame)
    if duplicates is None:
        return run
    kept = run.kept(duplicates)
    found = run if kept.all() else _run(frame[kept])
    repeated = int((~kept).sum())
    notes = [*run.attrs.get("notes", []), *left_out(repeated, duplicates)]
    repeated += run.attrs.get("repeated", 0)  # by a reader, already
    return replace(found, repeated=repeated, attrs={**run.attrs, "notes": notes})


def _run(frame: pd.DataFrame) -> Run:
    if "score" in frame:
        score = _numbers(frame["score"], "run: score")
    else:
        score = -_numbers(frame["rank"], "run: rank").astype(float)
    return Run(**_rows(frame, "run"), score=score)


def qrels_of(
    table: object, *, columns: Given | None = None, run: Run | LazyRun | None = None
) -> Judgements | LazyQrels:
    """Checked qrels.

    Args:
        table: as for `run_of`, with `relevance` for a number.
        columns: its names for our columns.
        run: the checked run, if the same table says both: where rows of it were left out for
            others of the same (query, item), so are theirs here, if their grades agree.

    Raises:
        DataError: a missing column, a missing id, a relevance that is no finite number, a repeated
            (query, item), which an engine looks for later, or no rows.
    """
    if isinstance(table, Judgements | LazyQrels):
        return table
    found = _in_engine(LazyQrels, table, QRELS, columns)
    if found is None:
        frame = frame_of(table, QRELS, columns)
        alone = _judgements(frame, {}) if isinstance(run, Run) and run.repeated else None
        if alone is not None:
            frame = frame[alone.once()]
        shared = isinstance(run, Run) and not run.repeated and frame is table
        found = _judgements(frame, run.ids_as("qrels") if shared else {})
    if len(found) == 0:
        raise DataError("qrels: no rows. Without judgements there is nothing to evaluate.")
    if not found.lazy:
        found.unrepeated()
    return found


def _judgements(frame: pd.DataFrame, ids: Mapping[str, object]) -> Judgements:
    grades = _numbers(frame["relevance"], "qrels: relevance")
    return Judgements(**(ids or _rows(frame, "qrels")), relevance=grades)


def _in_engine(
    kind: type[LazyTable], table: object, wanted: Wanted, columns: Given | None, **options: object
) -> LazyTable | None:
    """A checked table in an engine, None for one that is in memory; a scan is checked once."""
    known = {}
    if isinstance(table, Scan):
        known = table.known
        if "duplicates" in options:
            options["duplicates"] = options["duplicates"] or table.duplicates
    asked = kind, *options.values()
    if asked not in known:
        if (engine := engine_of(table)) is None:
            return None
        known[asked] = kind.checked(engine, wanted, columns, **options)
    return known[asked]


def frame_of(
    table: object,
    wanted: Wanted,
    columns: Given | None = None,
    duplicates: Duplicates | None = None,
) -> pd.DataFrame:
    """Whatever a user holds in memory or in a file, as a frame with our columns.

    Text and numbers of Arrow are not copied.

    Raises:
        DataError: a file that cannot be read, a lack of columns, or what could be read in two ways.
    """
    if isinstance(table, str | PathLike):
        from byhand.files.read import read_qrels, read_run

        if wanted is QRELS:
            return read_qrels(table, columns=columns)
        return read_run(table, columns=columns, duplicates=duplicates)
    table = _of_arrow(table)
    if not isinstance(table, pd.DataFrame):
        table = frame_of_held(table, wanted, columns)
    if not isinstance(table, pd.DataFrame):
        raise DataError(
            f"{wanted.kind} is of type {type(table).__name__}. Expected a table with the columns "
            f"{', '.join(wanted.needs)}, a file, or a dict of queries and their items.",
            table=wanted.kind,
        )
    return named(table, wanted, columns)


def _of_arrow(table: object) -> object:
    """A table that speaks Arrow's C stream interface as a frame, anything else as it is."""
    if isinstance(table, pd.DataFrame) or not hasattr(table, "__arrow_c_stream__"):
        return table
    import pyarrow as pa

    try:
        found = pa.table(table)
    except (pa.ArrowInvalid, TypeError):  # one column, not a table
        return table
    return found.to_pandas(types_mapper=_kept, ignore_metadata=True)


def _kept(kind: "pyarrow.DataType") -> object:
    """The dtype that keeps a column as it is; categories and truth values have one in pandas."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return None
    return pd.BooleanDtype() if pa.types.is_boolean(kind) else pd.ArrowDtype(kind)


def _rows(frame: pd.DataFrame, name: str) -> dict[str, object]:
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


def _numbers(column: pd.Series, what: str) -> np.ndarray:
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
