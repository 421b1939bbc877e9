"""Folders and globs as one lazy table: what does not fit into memory is read where it lies.

DuckDB reads Parquet by itself, only the columns and the rows that a question needs. Files of any
other format are first read, with all their checks, and laid down as Parquet as their rows come, in
a folder that is removed in the end.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext, suppress
from functools import partial
from glob import escape
from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import numpy as np
import pandas as pd

from byhand.column_map import ColumnNames, Columns, check_files, columns_of, with_grade
from byhand.columns import JUDGED_RUN, QRELS, RUN, TableKind
from byhand.duplicates import Duplicates, unordered
from byhand.errors import DataError
from byhand.files import read as whole
from byhand.files.lazy_scan import ENGINES, Scan, install, needed
from byhand.files.parquet import Parquet
from byhand.files.paths import Paths, are_one, matched
from byhand.files.read import about, saying_both, table_files
from byhand.files.table_file import TableFile
from byhand.files.values import rounded, shared_type, telling
from byhand.parallel import MEMORY, amount

# a file takes up to eight times its size in memory, while it is read and counted
_GROWS = 8
_AT_ONCE = 1_000_000  # rows of a file that are laid down together
FilePath = str | PathLike[str]
Table = pd.DataFrame | Scan
Check = Callable[[pd.DataFrame, Sequence[whole.Part]], None] | None


def scan_run(
    paths: Paths,
    *,
    columns: ColumnNames | None = None,
    duplicates: Duplicates | None = None,
    memory: str = "2GB",
    folder: FilePath | None = None,
) -> Scan:
    """What a system ranked, in as many files as it takes, as a table that is not held in memory.

    Args:
        paths: a file, a folder, a glob such as `"runs/*.parquet"`, or a list of them. All files
            have the same format, columns and types.
        columns: the files' names for our columns, as in `read_run`.
        duplicates: `"best"` keeps the row with the highest score where several have one query and
            item; None refuses them.
        memory: what the process may take; what is more goes to disk. Relevant items come on top,
            some 200 bytes each.
        folder: where that is; None for the system's own place for such files.

    Returns:
        A lazy table with `query_id`, `doc_id` and `score`, for `evaluate`, `preflight` and
        `compare`. Parquet with numbers for scores stays where it is; any other file is read, a
        million rows at a time, and laid down as Parquet.

    Raises:
        DataError: nothing that matches, files that differ, what is wrong with one of them; or
            DuckDB is not installed.
    """
    return _scan(paths, RUN, columns, memory, folder, duplicates)


def scan_qrels(
    paths: Paths,
    *,
    columns: ColumnNames | None = None,
    relevance: float | None = None,
    memory: str = "2GB",
    folder: FilePath | None = None,
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
    columns: ColumnNames | None = None,
    duplicates: Duplicates | None = None,
    memory: str = "2GB",
    folder: FilePath | None = None,
) -> Scan:
    """Scores and relevance in one table that is not held in memory: `evaluate(table, table)`.

    Args:
        paths, columns, duplicates, memory, folder: as in `scan_run`.

    Raises:
        DataError: as `scan_run`.
    """
    return _scan(paths, JUDGED_RUN, columns, memory, folder, duplicates)


def read_together(
    runs: Sequence[FilePath],
    qrels: FilePath | None = None,
    *,
    run_columns: Mapping[object, object] | None = None,
    qrels_columns: Mapping[object, str] | None = None,
    duplicates: Duplicates | None = None,
    memory: str = MEMORY,
) -> tuple[list[Table], Table | None]:
    """Read runs and what is relevant in them: all of them held in memory, or none.

    Without qrels, or where they are the file of a run, this run (the first) says what is relevant,
    and is both; if there are more, each that says it has a `relevance`, and the qrels are None:
    what all of them say. Where the names of the
    runs' columns differ, each file's stand under its path or name: `{"old.csv": {"Item":
    "doc_id"}}`. If memory would not hold the files of one of them, all are scanned.
    """
    of_run, of_qrels, of_judged = whole.read_run, whole.read_qrels, whole.read_judged_run
    if any(is_large(path, memory) for path in (*runs, qrels) if path is not None):
        scans = scan_run, scan_qrels, scan_judged_run
        of_run, of_qrels, of_judged = (partial(scan, memory=memory) for scan in scans)
    check_files(run_columns, runs)
    tables = []
    both = [are_one(path, qrels) for path in runs]
    own = qrels is None or any(both)
    for path, is_qrels in zip(runs, both, strict=True):
        columns, of = columns_of(run_columns, path), of_run
        if is_qrels and qrels_columns:
            columns = {**qrels_columns, **(columns or {})}
        try:
            first = qrels is None and not tables
            if is_qrels or first or (own and _says_what_is_relevant(path, columns)):
                of = of_judged
            with saying_both(path) if is_qrels else nullcontext():
                tables.append(of(path, columns=columns, duplicates=duplicates))
        except DataError as error:
            if len(runs) > 1:
                error.file = fspath(path)
                if not error.ways and columns:
                    each = f"run_columns={{{error.file!r}: {{…: …}}}}"
                    raise DataError(
                        f"{error.message} Where the runs differ, name the columns of each: {each}.",
                        table=error.table,
                    ) from None
            raise
    if not own:
        return tables, of_qrels(qrels, columns=qrels_columns)
    return tables, tables[0] if len(tables) == 1 else None


def _says_what_is_relevant(run: FilePath, columns: ColumnNames | None) -> bool:
    try:
        table_files(run, JUDGED_RUN, columns)
    except DataError as error:
        return "relevance" not in error.missing
    return True


def is_large(path: FilePath, memory: str) -> bool:
    """Whether the files of a path may be more than memory holds, and are better scanned than read.

    One file is read where there is no DuckDB.
    """
    files, most = matched(path), amount(memory)
    size = sum(Path(file).stat().st_size for file in files if Path(file).is_file()) * _GROWS
    if size <= most:
        return False
    if missing := next((name for name in ENGINES if find_spec(name) is None), ""):
        if len(files) == 1:
            return False
        raise DataError(
            f"{fspath(path)} may take {size / 1e6:,.0f} MB of memory, which is more than {memory}, "
            f"and {missing}, which would leave it on the disk, is not installed. Allow more "
            f"memory, or install it: {install()}"
        )
    return True


def _scan(
    paths: Paths,
    wanted: TableKind,
    columns: ColumnNames | None,
    memory: str,
    folder: FilePath | None,
    duplicates: Duplicates | None = None,
) -> Scan:
    if duplicates == "first":
        raise unordered()
    for engine in ENGINES:
        needed(engine, f"scan_{wanted.kind.replace(' ', '_')}")
    sources = table_files(paths, wanted, columns)
    first, files = sources[0].columns, ()
    with ExitStack() as undo:
        try:
            room = Path(mkdtemp(prefix="ranking-", dir=folder))
        except OSError as error:
            found = f"folder={folder!r} cannot be written to: {error.strerror}."
            raise DataError(found) from None
        undo.callback(rmtree, room, ignore_errors=True)
        connection = _connected(memory, room)
        if all(map(_is_plain, sources)):
            files, attrs = tuple(each.file for each in sources), whole.attrs_from(sources, [], 0)
            places, select = [each.origin for each in sources], _select(first, wanted)
        else:
            check = None if duplicates else partial(whole.refuse_repeats, given=columns)
            places, attrs = _laid_down(sources, wanted, room, check)
            select = "FROM read_parquet($1, hive_partitioning=false)"
        relation = connection.sql(select, params=[[escape(place) for place in places]])
        if first.grade is not None:
            relation = relation.aggregate(
                "query_id, doc_id, any_value(relevance) AS relevance, any_value(file) AS file"
            )
        scan = Scan(relation, connection, attrs, files, room, duplicates)
        if files and wanted.scored:
            attrs["notes"] += _rounded(scan)
        undo.pop_all()  # from here on the room goes with the scan
    return scan


def _connected(memory: str, room: Path) -> object:
    """A connection to DuckDB that keeps within this memory."""
    import duckdb

    config = {
        "memory_limit": f"{amount(memory) * 3 // 4}B",  # Python and what comes here need some, too
        "temp_directory": str(room),
        "preserve_insertion_order": False,
        "enable_external_file_cache": False,  # the system keeps files in memory that nobody needs
    }
    connection = duckdb.connect(config=config)
    connection.execute("SET enable_progress_bar=true; SET enable_progress_bar_print=false")
    return connection


def _rounded(scan: Scan) -> list[str]:
    """A note as a reader has it, if scores that are not whole numbers are that large."""
    import duckdb

    relation = scan.relation.project("score")
    with suppress(duckdb.Error), scan.watched():  # a torn file is refused once it is asked
        if "INT" not in str(relation.types[0]):
            ((most,),) = relation.aggregate("max(abs(score))").fetchall()
            return rounded([np.array([most], float)]) if most is not None else []
    return []


def _is_plain(source: TableFile) -> bool:
    """Whether DuckDB reads a file where it lies, and as this package does.

    No text or truth values for scores, nor names that are one to DuckDB, which knows no case.
    """
    if not isinstance(source, Parquet) or not isinstance(source.origin, str):
        return False
    names = [name.lower() for name in (*source.columns.names, "filename")]
    numbers = {"score", "rank", "relevance"} & {*source.columns.positions}
    types = {ours: source.stored(ours) for ours in numbers}
    alike = "string" not in types.values() and types.get("score") != "bool"
    return len({*names}) == len(names) and alike


def _select(columns: Columns, wanted: TableKind) -> str:
    """Our columns out of files that DuckDB reads by itself."""
    theirs = {ours: '"' + name.replace('"', '""') + '"' for ours, name in columns.theirs.items()}
    chosen = {"query_id": theirs.get("query_id", "'all'"), "doc_id": theirs["doc_id"]}
    for ours in ("score", "relevance"):
        if ours in theirs:
            chosen[ours] = theirs[ours]
        elif ours == "relevance" and columns.grade is not None:
            chosen[ours] = repr(columns.grade)
        elif ours in wanted.needs:
            chosen[ours] = f"-({theirs['rank']})::DOUBLE"
    listed = ", ".join(f"{how} AS {ours}" for ours, how in chosen.items())
    # a folder may be called score=9, which is no column
    options = "filename=true, hive_partitioning=false"
    return f"SELECT {listed}, filename AS file FROM read_parquet($1, {options})"


def _laid_down(
    sources: list[TableFile], wanted: TableKind, room: Path, check: Check
) -> tuple[list[str], dict[str, object]]:
    """Files of any format as Parquet, and what the table says of them."""
    places, scores, repeated = [], [], 0
    for number, source in enumerate(sources):
        with about(wanted, source.file.name), source.file.unchanged():
            laid = [*_lay_down(source, room / f"{number:06}", check)]
        for place, told, left_out in laid:
            places.append(place)
            scores += told
            repeated += left_out
    if not places:
        raise whole.no_rows(sources[0], wanted)
    if len({each.dtype for each in scores}) > 1:
        kind = shared_type(scores)
        scores = [each.astype(kind) for each in scores]
        for place in places:
            _write(pd.read_parquet(place).astype({"score": kind}), place)
    return places, whole.attrs_from(sources, scores, repeated)


def _lay_down(
    source: TableFile, folder: Path, check: Check
) -> Iterator[tuple[str, list[np.ndarray], int]]:
    """Each file of rows: where it is, its telling scores, and repeats left out."""
    folder.mkdir()
    for number, part in enumerate(whole.parts_of(source, _AT_ONCE)):
        frame, place = part.frame, str(folder / f"{number:06}.parquet")
        if source.columns.grade is not None:
            frame = frame.drop_duplicates(ignore_index=True)
        if "relevance" in frame:
            frame = frame.astype({"relevance": float})  # it is whole in some files only
        name = pd.Categorical.from_codes(np.zeros(len(frame), int), [source.file.name])
        _write(frame.assign(file=name), place)
        if check and not number and len(frame) < _AT_ONCE:
            check(frame, [part])
        scores = [telling(frame["score"].to_numpy())] if "score" in frame else []
        yield place, scores, len(part.frame) - len(frame)


def _write(frame: pd.DataFrame, place: str) -> None:
    frame.to_parquet(place, compression="zstd", index=False)
