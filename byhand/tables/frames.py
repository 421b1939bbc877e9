"""One table of whatever a user holds, a run or qrels, becomes one checked thing."""

from dataclasses import replace
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, get_args

import numpy as np
import pandas as pd

from byhand.duplicates import Duplicates, left_out, unordered
from byhand.errors import DataError
from byhand.files.streams import Stream
from byhand.naming import QRELS, RUN, ColumnNames, TableKind
from byhand.tables.arrow import frame_of_arrow, from_arrow
from byhand.tables.counting import Repeats, Run
from byhand.tables.databases import engine_of
from byhand.tables.finite_numbers import finite_numbers
from byhand.tables.frame_columns import named
from byhand.tables.held import frame_of_held, in_arguments
from byhand.tables.lazy import Check, LazyQrels, LazyRun, LazyTable
from byhand.tables.qrels import Qrels
from byhand.tables.rows import Rows, checked_rows

if TYPE_CHECKING:
    import pyarrow as pa

# in `attrs` of qrels: how many rows of a table that is run and qrels have no grade
UNGRADED = "ungraded"


def run_of(
    table: object,
    *,
    columns: ColumnNames | None = None,
    duplicates: Duplicates | None = None,
    repeats: Repeats = "all",
) -> Run | LazyRun:
    """A checked run, of whatever `evaluate` takes; or as it is, if it is one."""
    for name, option, options in (
        ("repeats", repeats, get_args(Repeats)),
        ("duplicates", duplicates, (None, *get_args(Duplicates))),
    ):
        if option not in options:
            known = ", ".join(map(repr, options))
            raise ValueError(f"{name}={option!r} is not an option; choose from {known}.")
    if isinstance(table, Run | LazyRun):
        return table
    if (stream := _stream_of(table, RUN, columns)) is not None:
        options = {"duplicates": duplicates or stream.duplicates, "repeats": repeats}
        if options["duplicates"] == "first":
            raise unordered()
        return _streamed(LazyRun, stream, partial(_streamed_run, **options), **options)
    return _run_of(frame_of(table, RUN, columns, duplicates), duplicates)


def _streamed_run(table: "pa.Table", *, duplicates: Duplicates | None, repeats: Repeats) -> Run:
    return replace(_run_of(frame_of_arrow(table), duplicates), repeats=repeats)


def _run_of(frame: pd.DataFrame, duplicates: Duplicates | None) -> Run:
    run = _run(frame)
    if duplicates is None:
        return run
    kept = run.kept(run.score if duplicates == "best" else None)
    found = run if kept.all() else _run(frame[kept])
    repeated = int((~kept).sum())
    notes = [*run.attrs.get("notes", []), *left_out(repeated, duplicates)]
    repeated += run.attrs.get("repeated", 0)  # by a reader, already
    return replace(found, repeated=repeated, attrs={**run.attrs, "notes": notes})


def _run(frame: pd.DataFrame) -> Run:
    if "score" in frame:
        score = finite_numbers(frame, "score", "run")
    else:
        score = -finite_numbers(frame, "rank", "run").astype(float)
    return Run(**checked_rows(frame, "run").as_fields(), score=score)


def qrels_of(
    table: object,
    *,
    columns: ColumnNames | None = None,
    run: Run | LazyRun | None = None,
) -> Qrels | LazyQrels:
    """Checked qrels, in which an engine looks for repeats only later.

    If `run` is of the same table, a row without a grade says that its item is not judged; and
    where rows of the run were left out for others of the same (query, item), so are those of the
    qrels, if their grades agree.
    """
    if isinstance(table, Qrels | LazyQrels):
        return table
    if (stream := _stream_of(table, QRELS, columns)) is not None:
        how = {
            "once": stream.once or bool(run is not None and run.repeated),
            "judged": run is not None,
        }
        check = partial(_streamed_qrels, **how)
        found = _streamed(LazyQrels, stream, check, **how)
    else:
        whole = frame = frame_of(table, QRELS, columns)
        shared = run if isinstance(run, Run) and frame is table else None
        if run is not None:
            frame = graded(frame)
        if isinstance(run, Run) and run.repeated:
            frame = frame[judgements(frame).once()]
        found = judgements(frame, shared if frame is whole else None)
    if not len(found) and not len(found.row_counts):
        raise DataError("qrels: no rows. Without judgements there is nothing to evaluate.")
    if stream is None:
        found.unrepeated()
    return found


def graded(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows that have a grade, of a table whose other rows are retrieved and not judged."""
    grades = frame["relevance"]
    missing = grades.isna().to_numpy(bool)
    if grades.dtype == object:
        missing = missing | (grades == "").to_numpy(bool)
    elif str(grades.dtype) in ("double[pyarrow]", "float[pyarrow]"):  # to Arrow NaN is a number
        missing = np.isnan(grades.to_numpy(float, na_value=np.nan))
    if not missing.any():
        return frame
    found = frame[~missing]
    found.attrs = {**frame.attrs, UNGRADED: int(missing.sum())}
    return found


def _streamed_qrels(table: "pa.Table", *, once: bool, judged: bool) -> Qrels:
    frame = frame_of_arrow(table)
    frame = graded(frame) if judged else frame
    if once:
        frame = frame[judgements(frame).once()]
    found = judgements(frame).by_query_id()
    found.unrepeated()
    return found


def judgements(frame: pd.DataFrame, shared: Run | None = None) -> Qrels:
    """Qrels of a frame with our columns, whose repeats are still there."""
    grades = finite_numbers(frame, "relevance", "qrels")
    return Qrels(**(shared or checked_rows(frame, "qrels")).as_fields(), relevance=grades)


def is_streamed(table: object) -> bool:
    """Whether the rows of a table come here some at a time."""
    return isinstance(table, Stream) or engine_of(table) is not None


def _stream_of(table: object, wanted: TableKind, columns: ColumnNames | None) -> Stream | None:
    """What brings rows here of a table that is not in memory; None for one that is."""
    if isinstance(table, Stream):
        return table.checked(wanted, columns)
    engine = engine_of(table)
    return engine and engine.checked(wanted, columns)


def _streamed(
    kind: type[LazyTable], stream: Stream, check: Check, **options: object
) -> LazyTable | Rows:
    """A checked table, which memory may hold; a scan is looked at once."""
    asked = kind, *options.values()
    with stream.lock:
        if asked not in stream.known:
            own = {name: each for name, each in options.items() if name != "judged"}
            lazy = kind(stream, check, **own)
            held = lazy.held()
            stream.known[asked] = lazy if held is None else held
        return stream.known[asked]


def frame_of(
    table: object,
    wanted: TableKind,
    columns: ColumnNames | None = None,
    duplicates: Duplicates | None = None,
) -> pd.DataFrame:
    """Whatever a user holds in memory or in a file, as a frame with our columns.

    Text and numbers of Arrow are not copied.
    """
    if isinstance(table, str | PathLike):
        from byhand.files.read import read_qrels, read_run

        with in_arguments(wanted.kind):
            if wanted is QRELS:
                return read_qrels(table, columns=columns)
            return read_run(table, columns=columns, duplicates=duplicates)
    table = from_arrow(table)
    if not isinstance(table, pd.DataFrame):
        table = frame_of_held(table, wanted, columns)
    if not isinstance(table, pd.DataFrame):
        raise DataError(
            f"{wanted.kind} is of type {type(table).__name__}. Pass a table with the columns "
            f"{', '.join(wanted.needs)}, a file, or a dict of queries and their items.",
            table=wanted.kind,
        )
    return named(table, wanted, columns)
