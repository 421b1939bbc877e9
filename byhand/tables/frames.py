"""Turn one table of any type, a run or qrels, into a checked table."""

from dataclasses import replace
from os import PathLike
from typing import get_args

import pandas as pd
import pyarrow as pa

from byhand.duplicates import Duplicates, unordered
from byhand.errors import DataError
from byhand.files.streams import Stream
from byhand.naming import QRELS, RUN, ColumnNames, TableKind
from byhand.tables.columns import frame_of_arrow, from_arrow
from byhand.tables.containers import frame_of_containers, in_arguments
from byhand.tables.counting import Run, without_repeats
from byhand.tables.databases import engine_of
from byhand.tables.frame_columns import with_our_columns
from byhand.tables.lazy import LazyQrels, LazyRun
from byhand.tables.qrels import Qrels, graded
from byhand.tables.rows import Rows
from byhand.tables.scan import scan


def run_of(
    table: object,
    *,
    columns: ColumnNames | None = None,
    duplicates: Duplicates | None = None,
    memory: str | None = None,
) -> Run | LazyRun:
    """Check a run of any type that `evaluate` accepts; a checked run is returned unchanged.

    With `memory`, files are scanned.
    """
    if duplicates not in (None, *get_args(Duplicates)):
        known = ", ".join(map(repr, (None, *get_args(Duplicates))))
        raise ValueError(f"duplicates={duplicates!r} is not an option; choose from {known}.")
    if isinstance(table, Run | LazyRun):
        return table
    if (stream := stream_of(table, RUN, columns, memory)) is None:
        return _run_of(frame_of(table, RUN, columns, duplicates), duplicates)
    duplicates = duplicates or stream.duplicates
    if duplicates == "first":
        raise unordered()

    def check(table: pa.Table) -> Run:
        return replace(_run_of(frame_of_arrow(table), duplicates), ordered=False)

    return LazyRun(stream, check, duplicates).in_memory()


def _run_of(frame: pd.DataFrame, duplicates: Duplicates | None) -> Run:
    once = without_repeats(frame, duplicates)
    return replace(Run.of(once), repeated=once.attrs["repeated"] if duplicates else None)


def qrels_of(
    table: object,
    *,
    columns: ColumnNames | None = None,
    run: Run | LazyRun | None = None,
    memory: str | None = None,
) -> Qrels | LazyQrels:
    """Check qrels of any type.

    If `run` is from the same table, rows without a grade are unjudged items. If repeated rows were
    left out of the run, they are also left out of the qrels, if their grades agree.
    """
    if isinstance(table, Qrels | LazyQrels):
        return table
    judged, repeated = run is not None, bool(run is not None and run.repeated)
    if (stream := stream_of(table, QRELS, columns, memory)) is None:
        frame = frame_of(table, QRELS, columns)
        shared = run if isinstance(run, Run) and frame is table else None
        found = _qrels_of(frame, judged, repeated and isinstance(run, Run), shared)
    else:
        once = stream.once or repeated

        def check(table: pa.Table) -> Qrels:
            return _qrels_of(frame_of_arrow(table), judged, once, ordered=False)

        found = LazyQrels(stream, check).in_memory()
    if not len(found) and not len(found.row_counts):
        raise DataError("qrels has no rows. Pass the table that contains the judgements.")
    return replace(found, own=judged)


def _qrels_of(
    frame: pd.DataFrame,
    judged: bool,
    once: bool,
    shared: Rows | None = None,
    *,
    ordered: bool = True,
) -> Qrels:
    """Check a frame of qrels; `judged` if it is also the run, `once` if rows may repeat."""
    rows = graded(frame) if judged else frame
    shared = shared if rows is frame and not once else None
    found = replace(Qrels.of(rows, shared), ordered=ordered)
    if once:
        return found.once()
    found.unrepeated()
    return found


def is_streamed(table: object) -> bool:
    """Test whether a table is read in pieces."""
    return isinstance(table, Stream) or engine_of(table) is not None


def stream_of(
    table: object, wanted: TableKind, columns: ColumnNames | None, memory: str | None = None
) -> Stream | None:
    """Return a checked stream of a table, or None for a table or file to hold in memory."""
    if memory is not None and isinstance(table, str | PathLike):
        return scan(table, wanted.kind, columns=columns, memory=memory)
    stream = table if isinstance(table, Stream) else engine_of(table)
    return None if stream is None else stream.checked(wanted, columns)


def frame_of(
    table: object,
    wanted: TableKind,
    columns: ColumnNames | None = None,
    duplicates: Duplicates | None = None,
) -> pd.DataFrame:
    """Return a table in memory or in a file as a frame with our columns.

    Text and numbers of Arrow are not copied.
    """
    if isinstance(table, str | PathLike):
        from byhand.tables.reading import read_table

        with in_arguments(wanted.table):
            return read_table(table, wanted, columns, duplicates)
    table = from_arrow(table)
    if not isinstance(table, pd.DataFrame):
        table = frame_of_containers(table, wanted, columns)
    if not isinstance(table, pd.DataFrame):
        raise DataError(
            f"{wanted.kind} is of type {type(table).__name__}. Pass a table with the columns "
            f"{', '.join(wanted.needs)}, a file, or a dict of queries and their items.",
            table=wanted.table,
        )
    return with_our_columns(table, wanted, columns)
