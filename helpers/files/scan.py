"""Folders and globs as one lazy table: what does not fit into memory is read where it lies.

DuckDB reads Parquet by itself, only the columns and the rows that a question needs. Files of any
other format are first read, one after the other, by the readers of this package, with all their
checks, and laid down as Parquet in a folder that is removed in the end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob, has_magic
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import pyarrow as pa
import pyarrow.parquet as pq

from helpers.errors import DataError, shown
from helpers.files.columns import JUDGED_RUN, QRELS, RUN, Wanted
from helpers.files.file import near
from helpers.files.format import Layout
from helpers.files.parquet import ParquetLayout
from helpers.files.read import layout_of, read

INSTALL = "pip install 'ranking-metrics-by-hand[engines]', or 'ibis-framework[duckdb]'"
Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


@dataclass(frozen=True, eq=False)
class Scan:
    """A lazy table: files that `evaluate`, `preflight` and `compare` read without holding them.

    Attributes:
        relation: the table, as a relation of DuckDB.
        attrs: the `file` or files, their `format`, the `other columns`, and `notes`, as of a frame
            that was read.
        room: the folder for what is laid down or spilled; it goes with the scan.
    """

    relation: object
    attrs: dict[str, object]
    room: TemporaryDirectory = field(repr=False)

    def close(self) -> None:
        """Let go of the files and remove what was laid down; done by itself, sooner or later."""
        self.room.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{self.attrs['file']}: {self.attrs['format']}, to be read when it is asked for"


def scan_run(
    paths: Paths,
    *,
    columns: Mapping[object, str] | None = None,
    memory: str = "2GB",
    folder: str | PathLike[str] | None = None,
) -> Scan:
    """What a system ranked, in as many files as it takes, as a table that is not held in memory.

    Args:
        paths: a file, a folder, a glob such as `"runs/*.parquet"`, or a list of them. All files
            have the same format, columns and types.
        columns: the files' names for our columns, as in `read_run`.
        memory: what DuckDB may hold; what is more goes to disk.
        folder: where that is; None for the system's own place for such files.

    Returns:
        A lazy table with `query_id`, `doc_id` and `score`, for `evaluate`, `preflight` and
        `compare`. Parquet stays where it is; a file of another format is read whole, one at a
        time, and laid down as Parquet.

    Raises:
        DataError: nothing that matches, files that differ, what is wrong with one of them; or
            DuckDB is not installed.
    """
    return _scan(paths, RUN, columns, memory, folder)


def scan_qrels(
    paths: Paths,
    *,
    columns: Mapping[object, str] | None = None,
    memory: str = "2GB",
    folder: str | PathLike[str] | None = None,
) -> Scan:
    """What is relevant, as a table that is not held in memory; as `scan_run`, with `relevance`.

    Args:
        paths, columns, memory, folder: as in `scan_run`.

    Raises:
        DataError: as `scan_run`.
    """
    return _scan(paths, QRELS, columns, memory, folder)


def scan_judged_run(
    paths: Paths,
    *,
    columns: Mapping[object, str] | None = None,
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
    columns: Mapping[object, str] | None,
    memory: str,
    folder: str | PathLike[str] | None,
) -> Scan:
    try:
        duckdb = import_module("duckdb")
        import_module("ibis")
    except ImportError as error:
        raise DataError(
            f"scan_{wanted.kind.replace(' ', '_')} needs {error.name}, which is not installed: "
            f"{INSTALL}."
        ) from None
    files = [file for path in _listed(paths) for file in matched(path)]
    layouts = {file: layout_of(file, wanted, columns=columns) for file in files}
    _refuse_odd(layouts)
    first = next(iter(layouts.values()))
    room = _room(folder)
    config = {
        "memory_limit": memory,
        "temp_directory": room.name,
        "preserve_insertion_order": False,
    }
    try:
        connection = duckdb.connect(config=config)
    except duckdb.Error as error:
        raise DataError(f"memory={memory!r} is no amount of memory ({error}). Try '2GB'.") from None
    if isinstance(first, ParquetLayout) and all(is_plain(layout) for layout in layouts.values()):
        places = [layout.source for layout in layouts.values()]
        relation = connection.sql(_select(first, wanted), params=[places])
    else:
        places = [str(_laid_down(file, wanted, columns, room, n)) for n, file in enumerate(files)]
        relation = connection.read_parquet(places)
    names = [str(file) for file in files]
    attrs = {
        "file": names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more",
        "format": first.kind,
        "other columns": first.columns.others,
        "notes": list(dict.fromkeys(n for each in layouts.values() for n in each.columns.notes)),
    }
    return Scan(relation, attrs, room)


def _listed(paths: Paths) -> list[str | PathLike[str]]:
    return [paths] if isinstance(paths, str | PathLike) else list(paths)


def matched(path: str | PathLike[str]) -> list[str]:
    """The files that a path stands for: itself, those of a folder, or those a glob matches.

    What begins with a dot or an underscore in a folder is left out, as engines leave marks there.

    Raises:
        DataError: there are none.

    Example:
        >>> matched("no/such/*.parquet")
        Traceback (most recent call last):
        ...
        helpers.errors.DataError: no/such/*.parquet matches no file. \
Nor is there a folder no/such: check the path.
    """
    name = fspath(path)
    if Path(name).is_dir():
        inside = sorted(place for place in Path(name).rglob("*") if place.is_file())
        found = [
            str(place)
            for place in inside
            if not any(part.startswith((".", "_")) for part in place.relative_to(name).parts)
        ]
        if not found:
            raise DataError(f"The folder {name} holds no files. Expected those of a table.")
        return found
    if Path(name).exists() or not has_magic(name):
        return [name]
    found = sorted(place for place in glob(name, recursive=True) if Path(place).is_file())
    if not found:
        raise DataError(f"{name} matches no file. {near(Path(name))}")
    return found


def _refuse_odd(layouts: Mapping[str, Layout]) -> None:
    """Complain about the first file that has another format, other columns or other types."""
    (first, one), *others = layouts.items()
    for file, layout in others:
        if layout.kind != one.kind:
            raise DataError(
                f"{file} is {layout.kind}, where {first} is {one.kind}. Files of one table have "
                "one format: name those that belong together."
            )
        theirs = layout.columns.theirs
        for ours in {**one.columns.theirs, **theirs}:
            names = [each.get(ours) for each in (theirs, one.columns.theirs)]
            if names[0] != names[1]:
                found, expected = (shown(name) if name else "nothing" for name in names)
                raise DataError(
                    f"{file} has {found} for {ours}, where {first} has {expected}. Files of one "
                    "table have the same columns: rename those of one of them."
                )
            kinds = [_type(each, ours) for each in (layout, one)]
            if kinds[0] != kinds[1]:
                raise DataError(
                    f"{file} holds {kinds[0]} in {layout.columns.named(ours)}, where {first} holds "
                    f"{kinds[1]}. Files of one table have the same types: write one of them anew."
                )


def _type(layout: Layout, ours: str) -> str:
    """The type of a column as the file stores it; text of which pyarrow makes it a kind is text."""
    if not isinstance(layout, ParquetLayout):
        return "text"
    kind = layout.types[layout.columns.positions[ours]]
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return str(kind).removeprefix("large_").removesuffix("_view")


def is_plain(layout: ParquetLayout) -> bool:
    """Whether DuckDB can read a Parquet file where it lies: not if it was packed once more."""
    return isinstance(layout.source, str)


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
            chosen[ours] = _number(_type(layout, ours), theirs[ours], truth=ours == "relevance")
        elif ours in wanted.needs:
            chosen[ours] = f"-({_number(_type(layout, 'rank'), theirs['rank'])})::DOUBLE"
    listed = ", ".join(f"{how} AS {ours}" for ours, how in chosen.items())
    return f"SELECT {listed}, filename AS file FROM read_parquet($1, filename=true)"


def _number(kind: str, column: str, *, truth: bool = False) -> str:
    """A column as numbers; of text that is none, NULL, which the checks of every run find."""
    if kind != "string":
        return column
    number = f"TRY_CAST({column} AS DOUBLE)"
    if not truth:
        return number
    return f"CASE lower(trim({column})) WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE {number} END"


def _laid_down(
    file: str,
    wanted: Wanted,
    columns: Mapping[object, str] | None,
    room: TemporaryDirectory,
    number: int,
) -> Path:
    """A file of any format as Parquet."""
    frame = read(file, wanted, columns)
    types = dict.fromkeys({"score", "relevance"} & {*frame.columns}, float)
    table = pa.Table.from_pandas(frame.astype(types), preserve_index=False)
    names = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), len(table)), [file])
    place = Path(room.name, f"{number:06}.parquet")
    pq.write_table(table.append_column("file", names), place, compression="zstd")
    return place


def _room(folder: str | PathLike[str] | None) -> TemporaryDirectory:
    try:
        return TemporaryDirectory(prefix="ranking-", dir=folder, ignore_cleanup_errors=True)
    except OSError as error:
        raise DataError(f"folder={folder!r} cannot be written to: {error.strerror}.") from None
