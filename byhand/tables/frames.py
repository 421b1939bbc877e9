"""One table of whatever a user holds, a run or qrels, becomes one checked thing."""

import re
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, get_args

import numpy as np
import pandas as pd

from byhand.column_map import ColumnNames, Columns, check_mapping, find_columns
from byhand.columns import JUDGED_RUN, OURS, QRELS, RUN, TableKind, names_of, plain, type_of
from byhand.duplicates import Duplicates, left_out, unordered
from byhand.errors import DataError
from byhand.files.streams import Stream
from byhand.tables.arrow import frame_of_arrow, from_arrow
from byhand.tables.counting import Repeats, Run
from byhand.tables.engines import engine_of
from byhand.tables.finite_numbers import finite_numbers
from byhand.tables.held import HOLDS, LISTS, frame_of_held, in_arguments, negated, rows_of_lists
from byhand.tables.lazy import Check, LazyQrels, LazyRun, LazyTable
from byhand.tables.qrels import Qrels
from byhand.tables.rows import Rows, checked_rows

if TYPE_CHECKING:
    import pyarrow as pa

# in `attrs` of qrels: how many rows of a table that is run and qrels have no grade
UNGRADED = "ungraded"
# what columns of relevant items are called, beside those of retrieved ones
_GOLD = re.compile("gold|relevan|reference|truth|expected|label|answer|positive|correct", re.I)
# how learned rankers call their columns; a column of numbers that may hold ids, by its name
_OF_RANKERS = {"group": "query_id", "y_true": "relevance", "y_pred": "score"}
_ID = re.compile(r"(?i:(^|[\W_])(id|no|nr|key|name)$)|[a-z](I[Dd]|N[or])$")
_SOME = 100  # rows, which tell what type of values the columns hold


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
        how = {"once": bool(run is not None and run.repeated), "judged": run is not None}
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


# ---- the columns of a frame ---------------------------------------------------------------------


def named(frame: pd.DataFrame, wanted: TableKind, given: ColumnNames | None) -> pd.DataFrame:
    """A frame with our columns, by its names for them or the usual ones; a row for each item."""
    names = [*frame.columns]
    ours = {*wanted.needs} <= {*names} and len({*names}) == len(names)
    if ours and not given and _first_list(frame["doc_id"]) is None:
        return frame
    with in_arguments(wanted.kind):
        return _named(frame, wanted, check_mapping(given))


def _named(frame: pd.DataFrame, wanted: TableKind, given: dict) -> pd.DataFrame:
    levels = [each for each in frame.index.names if isinstance(each, str)]
    if levels := [each for each in levels if each not in frame.columns]:
        frame = frame.reset_index(level=levels)
    names = [*map(str, frame.columns)]
    firsts = {place: _first_list(frame.iloc[:, place]) for place in range(len(names))}
    lists = {place: first for place, first in firsts.items() if first is not None}
    for place in lists:  # "doc_ids" are what "doc_id" is
        one = plain(names[place]).removesuffix("s")
        ours = next((ours for ours in OURS if one in names_of(ours)), "")
        if ours and names[place] not in given and ours not in (*given.values(), *names):
            given[names[place]] = ours
    some = frame.head(_SOME)
    types = [type_of(lists.get(at, some.iloc[:, at].dropna())) for at in range(len(names))]
    found = _found(names, types, {*lists}, wanted, given)
    places = found.positions
    kept = frame.iloc[:, [*places.values()]].set_axis([*places], axis=1)
    if "doc_id" not in places:  # of a learned ranker: each row is an item
        kept = kept.assign(doc_id=np.arange(1, len(kept) + 1).astype(str))
    elif places["doc_id"] in lists:
        kept = _of_lists(kept, wanted)
    if found.grade is not None:  # every row is a hit, and a hit may be there more than once
        kept = kept.assign(relevance=found.grade).drop_duplicates(["query_id", "doc_id"])
    kept.attrs = {
        **frame.attrs,
        **kept.attrs,
        "notes": [*frame.attrs.get("notes", []), *found.notes],
    }
    return kept


def _found(
    names: list[str], types: list[str], lists: set[int], wanted: TableKind, given: dict
) -> Columns:
    """Which columns are ours; lists need no number, and the rows of a learned ranker no item."""
    try:
        return find_columns(names, wanted, given, wanted.kind, types=types)
    except DataError as error:
        if "doc_id" in error.missing and len(lists) > 1:
            raise _which_lists(names, [names[at] for at in lists], wanted) from None
        if wanted is JUDGED_RUN and "doc_id" in error.missing:
            ours = {**_OF_RANKERS, **given}
            known = {name: of for name, of in ours.items() if name in names}
            known = {
                name: of for name, of in known.items() if name in given or of not in given.values()
            }
            unnamed = replace(wanted, needs=wanted.needs[1:])
            found = find_columns(names, unnamed, known, wanted.kind, types=types)
            left = [at for at, name in enumerate(names) if name in found.others]
            if any(types[at] in ("text", "nested") or _ID.search(names[at]) for at in left):
                raise
            return found
        if not lists or [*error.missing] != [wanted.needs[2]]:
            raise
        found = find_columns(
            names, replace(wanted, needs=wanted.needs[:2]), given, wanted.kind, types=types
        )
        others = lists - {*found.positions.values()}
        if found.positions["doc_id"] not in lists or "fraction" in [types[at] for at in others]:
            raise  # an order is that of a list only, and without any scores
        return found


def _which_lists(names: list[str], lists: list[str], wanted: TableKind) -> DataError:
    """What to say of a frame with lists of retrieved and of relevant items by other names."""
    query = next((name for name in names if plain(name) in names_of("query_id")), names[0])
    gold = [name for name in lists if _GOLD.search(name)] or lists[1:]
    found = [name for name in lists if name not in gold] or lists[:1]
    passed = (
        f"{kind}_columns={ {query: 'query_id', of[0]: 'doc_id'} }"
        for kind, of in (("run", found), ("qrels", gold))
    )
    return DataError(
        f"{wanted.kind} has lists in {' and '.join(map(repr, lists))}, and no column 'doc_id' says "
        f"which of them are its items. If their names say so, this is it. Pass {', '.join(passed)}."
    )


def _of_lists(frame: pd.DataFrame, wanted: TableKind) -> pd.DataFrame:
    """A row an item, of a frame with a list of items in each row."""
    columns = {name: frame[name].tolist() for name in frame}
    numbers = columns.get(wanted.needs[2], [None] * len(frame))
    if "rank" in columns:
        numbers = [negated(each) if isinstance(each, LISTS) else each for each in columns["rank"]]
    return rows_of_lists(columns["query_id"], columns["doc_id"], wanted, numbers)


def _first_list(column: pd.Series) -> list | None:
    """The first list among the first cells of a column; None if there is none."""
    if column.dtype != object and "list" not in str(column.dtype):
        return None
    first = next((each for each in column.head(_SOME) if isinstance(each, HOLDS)), None)
    return None if first is None else [*first]
