"""Check runs and their qrels of any type together, for all measures and comparisons."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from os import PathLike
from typing import Unpack

import numpy as np
import pandas as pd

from byhand.duplicates import Duplicates, Reading
from byhand.errors import DataError, both, shown
from byhand.files.paths import are_one
from byhand.files.streams import Stream
from byhand.naming import JUDGED_RUN, ColumnNames, columns_of
from byhand.tables.columns import finite_numbers, from_arrow
from byhand.tables.containers import check_positions
from byhand.tables.counting import Run
from byhand.tables.frames import frame_of, is_streamed, qrels_of, run_of, stream_of
from byhand.tables.lazy import LazyQrels, LazyRun
from byhand.tables.qrels import UNGRADED, Qrels, graded
from byhand.tables.scan import Scan
from byhand.tables.swapped import refuse_swapped

# key in `attrs` of qrels taken from runs: the names of these runs
FROM_RUNS = "from runs"
_APART = "Pass the judgements as a separate table: qrels, or --qrels in the command."
_NOT_HELD = (
    "Runs with their own judgements can only be combined in memory, and one of these runs is not "
    f"in memory. {_APART}"
)
AnyRun, AnyQrels = Run | LazyRun, Qrels | LazyQrels
_About = Callable[[str | None], AbstractContextManager[None]]


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
    about: _About | None = None,
    drop_self: bool = False,
    **reading: object,
) -> tuple[dict[str | None, AnyRun], AnyQrels]:
    """Check runs by name and their qrels, which may be one of the runs.

    Errors name the run if there are several, or go through `about`, a context for each run and one
    for the qrels (None). If they are appended to `refused`, the refused table is None or missing.
    `drop_self` removes the query itself. With `memory`, files are scanned.
    """
    about = about or partial(_naming_run, several=len(runs) > 1, refused=refused)
    checked, judged = _checked(runs, qrels, about, refused, **reading)
    if drop_self:
        checked = {name: run.without_query_itself() for name, run in checked.items()}
        judged = None if judged is None else judged.without_query_itself()
    return checked, judged


def _checked(
    runs: Mapping[str | None, object],
    qrels: object,
    about: _About,
    refused: list[str] | None,
    *,
    run_columns: Mapping[object, object] | None = None,
    qrels_columns: ColumnNames | None = None,
    **options: object,
) -> tuple[dict[str | None, AnyRun], AnyQrels]:
    """Check tables; if the qrels are one of several runs, all runs contribute judgements."""
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
            columns = _of_both(columns, qrels_columns)[0] if needed else columns
            found = _judged(run, columns, needed=needed, **options)
            if isinstance(found, Stream):
                raise DataError(_NOT_HELD)
            if found is not None:
                frames[name] = found
    given |= {name: (frame, None) for name, frame in frames.items()}
    for name, (run, columns) in given.items():
        with about(name):
            check_positions(run, qrels)
            checked[name] = run_of(run, columns=columns, **options)
    with about(None):
        if frames:
            return checked, _judged_together(checked, frames)
        if of_both and refused:
            return checked, None  # the table of both is refused already
        judged = qrels_of(qrels, columns=qrels_columns, memory=options.get("memory"))
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
    run, judged, known, memory = None, None, None, options.get("memory")
    columns, of_qrels = _of_both(columns, qrels_columns)
    with about(names[0]):
        table = table if is_streamed(table) else from_arrow(table)
        check_positions(table, table)
        found = _judged(table, columns, **options) if columns == of_qrels else None
        if isinstance(found, Scan) or (isinstance(found, pd.DataFrame) and "query_id" in found):
            table, columns, of_qrels = found, None, None
        known = table
        run = run_of(table, columns=columns, **options)
    with about(None):
        if known is not None:
            judged = qrels_of(known, columns=of_qrels, run=run, memory=memory)
    return dict.fromkeys(names, run), judged


def _of_both(
    of_run: ColumnNames | None, of_qrels: ColumnNames | None
) -> tuple[ColumnNames | None, ColumnNames | None]:
    """Return the columns of one table as run and as qrels.

    They are equal unless `of_qrels` chooses other ids or a grade for the judgements alone.
    """
    if not (isinstance(of_run, Mapping | None) and isinstance(of_qrels, Mapping)):
        return of_run, of_qrels or of_run
    known = of_run or {}
    more = {theirs: ours for theirs, ours in of_qrels.items() if known.get(theirs) != ours}
    added = [*more.values()]
    clash = known.keys() & more or any(ours in known.values() for ours in added)
    judged = added in ([], ["relevance"]) or "score" in added or "rank" in added
    if clash or not judged:
        return of_run, of_qrels
    return {**known, **more}, {**known, **more}


def _judged(
    table: object,
    columns: ColumnNames | None,
    *,
    needed: bool = True,
    duplicates: Duplicates | None = None,
    memory: str | None = None,
) -> pd.DataFrame | Stream | None:
    """Return a judged run; None if it has no relevance and none is `needed`."""
    try:
        if (stream := stream_of(table, JUDGED_RUN, columns, memory)) is not None:
            return stream
        table = from_arrow(table)
        if isinstance(table, str | PathLike | pd.DataFrame):
            return frame_of(table, JUDGED_RUN, columns, duplicates)
    except DataError as error:
        if needed or "relevance" not in error.missing:
            raise
    return None  # outside of frames, numbers are either scores or grades


def _judged_together(runs: Mapping[str, AnyRun], frames: Mapping[str, pd.DataFrame]) -> Qrels:
    """Combine the judgements of the `frames` of several runs.

    Raises:
        DataError: If two grades contradict each other, an unjudged run has items that no other run
            has, or a table is not in memory.
    """
    if any(run.lazy for run in runs.values()):
        raise DataError(_NOT_HELD)
    judged = {name: graded(frame) for name, frame in frames.items()}
    parts = []
    for name, each in judged.items():
        grades = finite_numbers(each, "relevance", name).astype(float)
        parts.append(each[["query_id", "doc_id"]].assign(relevance=grades))
    found = Qrels.of(frame := pd.concat(parts, ignore_index=True))
    if clash := found.contradiction():
        names = np.repeat([*judged], [len(each) for each in parts])[[*clash]]
        query, doc = map(shown, frame[["query_id", "doc_id"]].iloc[clash[0]])
        one, other = found.relevance[[*clash]]
        raise DataError(
            f"Item {doc} of query {query} has grade {one:g} in {names[0]}, but {other:g} in "
            f"{names[1]}. Change one of them, or pass the judgements as a separate table: "
            "qrels, or --qrels in the command."
        )
    frame = frame[found.rows_to_keep()]
    ungraded = sum(each.attrs.get(UNGRADED, 0) for each in judged.values())
    frame.attrs = {FROM_RUNS: [*judged], UNGRADED: ungraded}
    found = Qrels.of(frame)
    known = found.wanted(-np.inf)
    for name in (each for each in runs if each not in judged):
        if unknown := len(runs[name]) - len(runs[name].hits(known, ties="").item):
            raise DataError(
                f"{name} has no judgements, and {unknown:,} of its items are not in "
                f"{both([*judged])}, so they are unjudged. {_APART}"
            )
    return found


@contextmanager
def _naming_run(run: str | None, *, several: bool, refused: list[str] | None) -> Iterator[None]:
    """Name the run in errors if there are several; or append errors to `refused`."""
    try:
        yield
    except DataError as error:
        if refused is not None:
            refused.append(f"{run}: {error}" if several and run else str(error))
            return
        if several and run:
            error.message = f"runs[{shown(run)}]: {error.message}"
        raise
