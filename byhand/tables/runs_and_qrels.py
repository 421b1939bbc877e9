"""Check runs and their qrels of any type together; the entry point of all measures."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from os import PathLike
from typing import TypedDict, Unpack

import pandas as pd

from byhand.duplicates import Duplicates
from byhand.errors import DataError, shown
from byhand.files.paths import are_one
from byhand.naming import ColumnNames, columns_of
from byhand.tables.arrow import from_arrow
from byhand.tables.containers import check_positions
from byhand.tables.counting import Run
from byhand.tables.frames import qrels_of, run_of
from byhand.tables.judged_runs import judged_frame, judged_together
from byhand.tables.lazy import LazyQrels, LazyRun
from byhand.tables.qrels import Qrels
from byhand.tables.query_itself import without_query_itself
from byhand.tables.swapped import refuse_swapped

AnyRun, AnyQrels = Run | LazyRun, Qrels | LazyQrels
_About = Callable[[str | None], AbstractContextManager[None]]


class Reading(TypedDict, total=False):
    """The options of `evaluate` for reading tables."""

    run_columns: ColumnNames | None
    qrels_columns: ColumnNames | None
    duplicates: Duplicates | None
    drop_self: bool


def tables_of(
    run: object, qrels: object, *, refused: list[str] | None = None, **reading: Unpack[Reading]
) -> tuple[AnyRun, AnyQrels]:
    """Check a run and its qrels; errors are raised, or appended to `refused`."""
    runs, judged = several_of({None: run}, qrels, refused=refused, **reading)
    return runs.get(None), judged


def several_of(
    runs: Mapping[str | None, object],
    qrels: object,
    *,
    refused: list[str] | None = None,
    drop_self: bool = False,
    **reading: object,
) -> tuple[dict[str | None, AnyRun], AnyQrels]:
    """Check runs by name and their qrels; `drop_self` removes the query itself."""
    checked, judged = _checked(runs, qrels, refused=refused, **reading)
    if drop_self:
        checked = {name: without_query_itself(run) for name, run in checked.items()}
        judged = None if judged is None else without_query_itself(judged)
    return checked, judged


def _checked(
    runs: Mapping[str | None, object],
    qrels: object,
    *,
    refused: list[str] | None = None,
    run_columns: Mapping[object, object] | None = None,
    qrels_columns: ColumnNames | None = None,
    **options: object,
) -> tuple[dict[str | None, AnyRun], AnyQrels]:
    """Check runs by name and their qrels, which may be one of the runs.

    Errors name the run if there are several. If errors are appended to `refused`, the refused table
    is None or missing. If the qrels are one of several runs, all runs contribute judgements.
    """
    about = partial(_naming_run, several=len(runs) > 1, refused=refused)
    given = {
        name: (run, columns_of(run_columns, run if isinstance(run, str | PathLike) else name or ""))
        for name, run in runs.items()
    }
    of_both = [name for name, run in runs.items() if are_one(run, qrels)]
    if 0 < len(of_both) == len(runs):
        return _one_table(of_both, *given[of_both[0]], qrels_columns, about, options)
    frames, checked, judged = {}, {}, None
    for name, (run, columns) in given.items() if of_both else ():
        with about(name):  # every judged run contributes judgements
            needed = name in of_both
            found = judged_frame(run, columns, options.get("duplicates"), needed=needed)
            if found is not None:
                frames[name] = found
    given |= {name: (frame, None) for name, frame in frames.items()}
    for name, (run, columns) in given.items():
        with about(name):
            check_positions(run, qrels)
            checked[name] = run_of(run, columns=columns, **options)
    with about(None):
        if frames:
            return checked, judged_together({**checked, **frames})
        judged = qrels_of(qrels, columns=qrels_columns)
    for name, run in () if run_columns or qrels_columns else checked.items():
        with about(name):
            refuse_swapped(run, judged)
    return checked, judged


def _one_table(
    names: Sequence[str | None],
    table: object,
    columns: ColumnNames | None,
    qrels_columns: ColumnNames | None,
    about: _About,
    options: Mapping[str, object],
) -> tuple[dict[str | None, AnyRun], AnyQrels]:
    """Check one table that is run and qrels, under one name or several."""
    run = judged = None
    with about(names[0]):
        if isinstance(table, str | PathLike):
            table = judged_frame(table, columns, options.get("duplicates"), needed=True)
            columns = None
        table = from_arrow(table)
        check_positions(table, table)
        if isinstance(table, pd.DataFrame) and not qrels_columns:
            found = judged_frame(table, columns, None, needed=False)
            if found is not None and "query_id" in found:
                table, columns = found, None
        run = run_of(table, columns=columns, **options)
    with about(None):
        judged = qrels_of(table, columns=qrels_columns or columns, run=run)
    return dict.fromkeys(names, run), judged


@contextmanager
def _naming_run(run: str | None, *, several: bool, refused: list[str] | None) -> Iterator[None]:
    """Name the run in errors if there are several; or append errors to `refused`."""
    try:
        yield
    except DataError as error:
        if refused is not None:
            refused.append(f"{run}: {error}" if several and run else str(error))
        elif several and run:
            raise DataError(f"Evaluating runs[{shown(run)}]: {error}") from None
        else:
            raise
