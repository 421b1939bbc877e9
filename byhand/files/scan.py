"""Folders and globs as one lazy table: what does not fit into memory is read where it lies.

DuckDB reads Parquet by itself, only the columns and the rows that a question needs. Files of any
other format are first read, one after the other, by the readers of this package, with all their
checks, and laid down as Parquet in a folder that is removed in the end.
"""

from contextlib import ExitStack, suppress
from glob import escape
from os import PathLike, fspath
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from byhand.columns import JUDGED_RUN, QRELS, RUN, Wanted
from byhand.errors import DataError
from byhand.files.folders import Paths, matched, named_shortly, stored_type
from byhand.files.format import Layout
from byhand.files.header import Given, with_grade
from byhand.files.layouts import layouts_of
from byhand.files.memory import amount
from byhand.files.parquet import ParquetLayout
from byhand.files.read import read, rounded
from byhand.files.scanned import Scan, install, missing, needed
from byhand.files.values import shared_type, telling

# a file takes up to eight times its size in memory, while it is read and counted
_GROWS = 8
# a folder may be called score=9, which is no column
_AS_NAMED = "filename=true, hive_partitioning=false"
_LAID_DOWN = "hive_partitioning=false"


def scan_run(
    paths: Paths,
    *,
    columns: Given | None = None,
    memory: str = "2GB",
    folder: str | PathLike[str] | None = None,
) -> Scan:
    """What a system ranked, in as many files as it takes, as a table that is not held in memory.

    Args:
        paths: a file, a folder, a glob such as `"runs/*.parquet"`, or a list of them. All files
            have the same format, columns and types.
        columns: the files' names for our columns, as in `read_run`.
        memory: what the process may take; what is more goes to disk. Relevant items come on top,
            some 200 bytes each.
        folder: where that is; None for the system's own place for such files.

    Returns:
        A lazy table with `query_id`, `doc_id` and `score`, for `evaluate`, `preflight` and
        `compare`. Parquet with numbers for scores stays where it is; any other file is read whole,
        one at a time, and laid down as Parquet.

    Raises:
        DataError: nothing that matches, files that differ, what is wrong with one of them; or
            DuckDB is not installed.
    """
    return _scan(paths, RUN, columns, memory, folder)


def scan_qrels(
    paths: Paths,
    *,
    columns: Given | None = None,
    relevance: float | None = None,
    memory: str = "2GB",
    folder: str | PathLike[str] | None = None,
) -> Scan:
    """What is relevant, as a table that is not held in memory; as `scan_run`, with `relevance`.

    Args:
        paths, columns, memory, folder: as in `scan_run`.
        relevance: the grade of every row, as in `read_qrels`.

    Raises:
        DataError: as `scan_run`.
    """
    return _scan(paths, QRELS, with_grade(columns, relevance), memory, folder)


def scan_judged_run(
    paths: Paths,
    *,
    columns: Given | None = None,
    memory: str = "2GB",
    folder: str | PathLike[str] | None = None,
) -> Scan:
    """Scores and relevance in one table that is not held in memory: `evaluate(table, table)`.

    Args:
        paths, columns, memory, folder: as in `scan_run`.

    Raises:
        DataError: as `scan_run`.
    """
    return _scan(paths, JUDGED_RUN, columns, memory, folder)


def _scan(
    paths: Paths,
    wanted: Wanted,
    columns: Given | None,
    memory: str,
    folder: str | PathLike[str] | None,
) -> Scan:
    for engine in ("duckdb", "ibis"):
        needed(engine, f"scan_{wanted.kind.replace(' ', '_')}")
    layouts = layouts_of(paths, wanted, columns)
    with ExitStack() as undo:
        room = _room(folder)
        undo.callback(rmtree, room, ignore_errors=True)
        scan = _in_room(layouts, wanted, columns, memory, room)
        undo.pop_all()  # from here on it goes with the scan
    return scan


def _in_room(
    layouts: dict[str, Layout],
    wanted: Wanted,
    columns: Given | None,
    memory: str,
    room: Path,
) -> Scan:
    import duckdb

    config = {
        "memory_limit": f"{amount(memory) * 3 // 4}B",  # Python and what comes here need some, too
        "temp_directory": str(room),
        "preserve_insertion_order": False,
        "enable_external_file_cache": False,  # the system keeps files in memory that nobody needs
    }
    first = next(iter(layouts.values()))
    connection = duckdb.connect(config=config)
    connection.execute("SET enable_progress_bar=true; SET enable_progress_bar_print=false")
    lie = isinstance(first, ParquetLayout) and all(is_plain(each) for each in layouts.values())
    if lie:
        places, select = [layout.source for layout in layouts.values()], _select(first, wanted)
        notes = [note for each in layouts.values() for note in each.columns.notes]
    else:
        places, notes = _laid_down([*layouts], wanted, columns, room)
        select = f"FROM read_parquet($1, {_LAID_DOWN})"
    relation = connection.sql(select, params=[[escape(place) for place in places]])
    if first.columns.grade is not None:
        relation = relation.aggregate(
            "query_id, doc_id, any_value(relevance) AS relevance, any_value(file) AS file"
        )
    attrs = {
        "file": named_shortly([*layouts]),
        "format": first.kind,
        "other columns": first.columns.others,
        "notes": [*dict.fromkeys(notes)],
    }
    files = tuple(layout.file for layout in layouts.values()) if lie else ()
    scan = Scan(relation, connection, attrs, files, room)
    if lie and wanted.scored:
        attrs["notes"] += _rounded(scan)
    return scan


def _rounded(scan: Scan) -> list[str]:
    """A note as `read` has it, if scores that are not whole numbers are that large."""
    import duckdb

    relation = scan.relation.project("score")
    with suppress(duckdb.Error), scan.watched():  # a torn file is refused once it is asked
        if "INT" not in str(relation.types[0]):
            ((most,),) = relation.aggregate("max(abs(score))").fetchall()
            return rounded(np.array([most], float)) if most is not None else []
    return []


def is_large(path: str | PathLike[str], memory: str) -> bool:
    """Whether a path is better scanned than read: its files may be more than memory holds.

    One file is read where there is no DuckDB.

    Args:
        path: a file, a folder or a glob.
        memory: how much memory there is.

    Raises:
        DataError: no file that matches, no amount of memory, or files that take more where there
            is no DuckDB.
    """
    files, most = matched(path), amount(memory)
    size = sum(Path(file).stat().st_size for file in files if Path(file).is_file()) * _GROWS
    if size <= most or (len(files) == 1 and missing()):
        return False
    if missing():
        raise DataError(
            f"{fspath(path)} may take {size / 1e6:,.0f} MB of memory, which is more than {memory}, "
            f"and {missing()}, which would leave it on the disk, is not installed. Allow more "
            f"memory, or install it: {install()}"
        )
    return True


def is_plain(layout: ParquetLayout) -> bool:
    """Whether DuckDB reads a Parquet file where it lies, and as this package does.

    Not one that was packed once more, has text or truth values for scores, or names that are one
    to DuckDB, which has one more and knows no case.
    """
    names = [name.lower() for name in (*layout.columns.names, "filename")]
    numbers = {"score", "rank", "relevance"} & {*layout.columns.positions}
    types = {ours: stored_type(layout, ours) for ours in numbers}
    alike = "string" not in types.values() and types.get("score") != "bool"
    return isinstance(layout.source, str) and len({*names}) == len(names) and alike


def _select(layout: ParquetLayout, wanted: Wanted) -> str:
    """Our columns out of files that DuckDB reads by itself."""
    theirs = {
        ours: '"' + name.replace('"', '""') + '"' for ours, name in layout.columns.theirs.items()
    }
    chosen = {
        "query_id": theirs.get("query_id", "'all'"),
        "doc_id": theirs["doc_id"],
    }
    for ours in ("score", "relevance"):
        if ours in theirs:
            chosen[ours] = theirs[ours]
        elif ours == "relevance" and layout.columns.grade is not None:
            chosen[ours] = repr(layout.columns.grade)
        elif ours in wanted.needs:
            chosen[ours] = f"-({theirs['rank']})::DOUBLE"
    listed = ", ".join(f"{how} AS {ours}" for ours, how in chosen.items())
    return f"SELECT {listed}, filename AS file FROM read_parquet($1, {_AS_NAMED})"


def _laid_down(
    files: list[str], wanted: Wanted, columns: Given | None, room: Path
) -> tuple[list[str], list[str]]:
    """Files of any format as Parquet, and the notes on them."""
    places, notes, scores = [], [], []
    for number, file in enumerate(files):
        frame = read(file, wanted, columns)
        notes += frame.attrs["notes"]
        if "relevance" in frame:
            frame = frame.astype({"relevance": float})  # it is whole in some files only
        if "score" in frame:
            scores.append(telling(frame["score"].to_numpy()))
        table = pa.Table.from_pandas(frame, preserve_index=False)
        names = pa.repeat(pa.scalar(0, pa.int32()), len(table))
        names = pa.DictionaryArray.from_arrays(names, [file])
        places.append(str(Path(room, f"{number:06}.parquet")))
        pq.write_table(table.append_column("file", names), places[-1], compression="zstd")
    if len({each.dtype for each in scores}) > 1:
        kind = shared_type(scores)
        notes += rounded(np.concatenate([each.astype(kind) for each in scores]))
        for place in places:
            table = pq.read_table(place)
            number = table.schema.get_field_index("score")
            table = table.set_column(
                number, "score", table["score"].cast(pa.from_numpy_dtype(kind), safe=False)
            )
            pq.write_table(table, place, compression="zstd")
    return places, notes


def _room(folder: str | PathLike[str] | None) -> Path:
    try:
        return Path(mkdtemp(prefix="ranking-", dir=folder))
    except OSError as error:
        raise DataError(f"folder={folder!r} cannot be written to: {error.strerror}.") from None
