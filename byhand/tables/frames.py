"""The one door in: whatever a user holds for a run or for qrels becomes one checked thing."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from inspect import Parameter, signature
from os import PathLike
from typing import TYPE_CHECKING, TypedDict, Unpack, get_args

import numpy as np
import pandas as pd

from byhand.column_map import ColumnNames, columns_of
from byhand.columns import JUDGED_RUN, QRELS, RUN, TableKind
from byhand.duplicates import Duplicates, left_out, unordered
from byhand.errors import DataError, both, shown
from byhand.files.paths import are_one
from byhand.files.streams import Stream
from byhand.tables.arrow import frame_of_arrow, from_arrow
from byhand.tables.counting import Qrels, Repeats, Rows, Run, checked_rows
from byhand.tables.engines import engine_of
from byhand.tables.finite_numbers import finite_numbers
from byhand.tables.held import check_places, frame_of_held, named
from byhand.tables.lazy import Check, LazyQrels, LazyRun, LazyTable
from byhand.tables.swapped import refuse_hashtags, refuse_swapped

if TYPE_CHECKING:
    import pyarrow as pa

# of qrels that are known from the rows of runs only: which runs these are
FROM_RUNS = "from runs"
_ELSEWHERE = "Say what is relevant in a table of its own: qrels, or --qrels in the command."
_NOT_HELD = (
    "Runs that say themselves what is relevant are taken together in memory only, and one of these "
    f"is not held there. {_ELSEWHERE}"
)


class Reading(TypedDict, total=False):
    """How to take what a user holds, as `evaluate` says of each."""

    run_columns: ColumnNames | None
    qrels_columns: ColumnNames | None
    duplicates: Duplicates | None
    repeats: Repeats


def check_options(
    function: Callable, given: Mapping[str, object], instead: Mapping[str, str] | None = None
) -> None:
    """Refuse what is no option of a function; `instead` says what it has for some of them."""
    own = signature(function).parameters.values()
    named = [each.name for each in own if each.kind is not Parameter.VAR_KEYWORD]
    options = [*dict.fromkeys([*named, *Reading.__annotations__])]
    for name in given.keys() - options:
        near = get_close_matches(name, options, n=1)
        hint = (instead or {}).get(name) or (f"Do you mean {near[0]}?" if near else "")
        raise TypeError(
            f"{function.__name__} has no option {name}. {hint + ' ' * bool(hint)}"
            f"The options are {both(options)}."
        )


def tables_of(
    run: object, qrels: object, *, refused: list[str] | None = None, **reading: Unpack[Reading]
) -> tuple[Run | LazyRun, Qrels | LazyQrels]:
    """A run and qrels, checked; what is wrong with either is raised, or `refused` takes it."""
    runs, judged = several_of({None: run}, qrels, refused=refused, **reading)
    return runs.get(None), judged


def several_of(
    runs: Mapping[str | None, object],
    qrels: object,
    *,
    refused: list[str] | None = None,
    run_columns: Mapping[object, object] | None = None,
    qrels_columns: ColumnNames | None = None,
    **options: object,
) -> tuple[dict[str | None, Run | LazyRun], Qrels | LazyQrels]:
    """Runs by name and their qrels, which may be one of them: its ids are looked at once.

    A complaint about one of several runs names it. Where `refused` takes what is wrong, what is
    refused is None, or not there. Where the qrels are one of several runs, all of these say what
    is relevant.
    """
    checked, same, judged, saying = {}, None, None, {}
    held = {name: (run, qrels) for name, run in runs.items()}
    of_both = {name: are_one(*both) for name, both in held.items()}
    together = len({*of_both.values()}) == 2
    for name, run in runs.items():
        with _told(name if len(runs) > 1 else None, refused):
            is_file = isinstance(run, str | PathLike)
            columns = columns_of(run_columns, run if is_file else name or "")
            of_qrels = of_both[name]
            if together or (of_qrels and is_file):
                found = _judged(run, columns, options.get("duplicates"), needed=of_qrels)
                if found is not None:
                    saying[name], run, columns = found, found, None
            if of_qrels and not isinstance(run, Run | LazyRun):
                run = qrels = from_arrow(run)
                qrels_columns = qrels_columns or columns
            check_places(run, qrels)
            with _swapped_columns(run, qrels, columns):
                checked[name] = run_of(run, columns=columns, **options)
            if of_qrels:
                same = checked[name]
    with _told(None, refused):
        if together and saying:
            return checked, judged_together({**checked, **saying})
        judged = qrels_of(qrels, columns=qrels_columns, run=same)
    for name, run in checked.items():
        with _told(name if len(runs) > 1 else None, refused):
            refuse_hashtags(run, judged)
    named = run_columns or qrels_columns or not isinstance(judged, Qrels)
    for name, run in checked.items():
        if isinstance(run, Run) and run is not same and not named:
            with _told(name if len(runs) > 1 else None, refused):
                refuse_swapped(run, judged, held[name])
    return checked, judged


@contextmanager
def _swapped_columns(run: object, qrels: object, columns: ColumnNames | None) -> Iterator[None]:
    """Say of a table that is no run where it has the columns of qrels, and these those of a run."""
    try:
        yield
    except DataError as error:
        if "score" in error.missing and not columns and _fits(run, QRELS) and _fits(qrels, RUN):
            raise DataError(
                "run has the columns of qrels, and qrels those of a run. Other tools take them the "
                "other way round; here the run comes first, as in evaluate(run, qrels)."
            ) from None
        raise


def _fits(table: object, wanted: TableKind) -> bool:
    try:
        return not _is_streamed(table) and len(frame_of(table, wanted)) > 0
    except DataError:
        return False


def _judged(
    table: object, columns: ColumnNames | None, duplicates: Duplicates | None, *, needed: bool
) -> pd.DataFrame | None:
    """A table that says of its items how relevant they are; None of one that need not."""
    try:
        if isinstance(table, str | PathLike):
            from byhand.files.read import read_judged_run, saying_both

            with saying_both(table) if needed else nullcontext():
                return read_judged_run(table, columns=columns, duplicates=duplicates)
        if _is_streamed(table):
            raise DataError(_NOT_HELD)
        table = from_arrow(table)
        # elsewhere numbers are scores or grades
        return named(table, JUDGED_RUN, columns) if isinstance(table, pd.DataFrame) else None
    except DataError as error:
        if needed or "relevance" not in error.missing:
            raise
        return None


def judged_together(runs: Mapping[str, object]) -> Qrels:
    """What several runs say is relevant, each of them of its own items.

    Args:
        runs: frames with our columns or checked runs, by name; those that say it have a column
            `relevance`.

    Raises:
        DataError: one grade contradicts another, or a run that says nothing holds items that no
            other has; or a table is not in memory.
    """
    if not all(isinstance(each, pd.DataFrame | Run) for each in runs.values()):
        raise DataError(_NOT_HELD)
    frames = {name: run for name, run in runs.items() if isinstance(run, pd.DataFrame)}
    judged = {name: frame for name, frame in frames.items() if "relevance" in frame}
    parts = [
        each[["query_id", "doc_id"]].assign(
            relevance=finite_numbers(each["relevance"], f"{name}: relevance").astype(float)
        )
        for name, each in judged.items()
    ]
    found = _judgements(frame := pd.concat(parts, ignore_index=True))
    if clash := found.contradiction():
        of_row = np.repeat([*judged], [len(each) for each in parts])
        ids, (a, b) = found.rows_of().loc[[*clash]], clash
        raise DataError(
            f"{of_row[a]} gives item {shown(ids['doc_id'].iloc[0])} of query "
            f"{shown(ids['query_id'].iloc[0])} grade {found.relevance[a]:g}, and {of_row[b]} "
            f"grade {found.relevance[b]:g}. What is relevant is taken from all runs together: mend "
            f"one of them. Or: {_ELSEWHERE[0].lower()}{_ELSEWHERE[1:]}"
        )
    frame = frame[found.kept()]
    frame.attrs = {FROM_RUNS: [*judged]}
    found = _judgements(frame)
    known = found.wanted(-np.inf)
    for name in (each for each in runs if each not in judged):
        checked = run_of(runs[name])
        if unknown := len(checked) - len(checked.hits(known, ties="").item):
            raise DataError(
                f"{name} does not say which of its items are relevant, and {unknown:,} of them are "
                f"not in {both([*judged])}: nobody knows whether they are. {_ELSEWHERE}"
            )
    return found


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
        score = finite_numbers(frame["score"], "run: score")
    else:
        score = -finite_numbers(frame["rank"], "run: rank").astype(float)
    return Run(**checked_rows(frame, "run").as_fields(), score=score)


def qrels_of(
    table: object, *, columns: ColumnNames | None = None, run: Run | LazyRun | None = None
) -> Qrels | LazyQrels:
    """Checked qrels, in which an engine looks for repeats only later.

    Where one table says both, and rows of its run were left out for others of the same (query,
    item), so are theirs here, if their grades agree.
    """
    if isinstance(table, Qrels | LazyQrels):
        return table
    if (stream := _stream_of(table, QRELS, columns)) is not None:
        once = bool(run is not None and run.repeated)
        found = _streamed(LazyQrels, stream, partial(_streamed_qrels, once=once), once=once)
    else:
        frame = frame_of(table, QRELS, columns)
        shared = run if isinstance(run, Run) and frame is table else None
        if isinstance(run, Run) and run.repeated:
            frame, shared = frame[_judgements(frame).once()], None
        found = _judgements(frame, shared)
    if len(found) == 0:
        raise DataError("qrels: no rows. Without judgements there is nothing to evaluate.")
    if stream is None:
        found.unrepeated()
    return found


def _streamed_qrels(table: "pa.Table", *, once: bool) -> Qrels:
    frame = frame_of_arrow(table)
    if once:
        frame = frame[_judgements(frame).once()]
    found = _judgements(frame).by_query_id()
    found.unrepeated()
    return found


def _judgements(frame: pd.DataFrame, shared: Run | None = None) -> Qrels:
    grades = finite_numbers(frame["relevance"], "qrels: relevance")
    return Qrels(**(shared or checked_rows(frame, "qrels")).as_fields(), relevance=grades)


def _is_streamed(table: object) -> bool:
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
            lazy = kind(stream, check, **options)
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

        if wanted is QRELS:
            return read_qrels(table, columns=columns)
        return read_run(table, columns=columns, duplicates=duplicates)
    table = from_arrow(table)
    if not isinstance(table, pd.DataFrame):
        table = frame_of_held(table, wanted, columns)
    if not isinstance(table, pd.DataFrame):
        raise DataError(
            f"{wanted.kind} is of type {type(table).__name__}. Expected a table with the columns "
            f"{', '.join(wanted.needs)}, a file, or a dict of queries and their items.",
            table=wanted.kind,
        )
    return named(table, wanted, columns)
