"""Folders and globs as one lazy table: what does not fit into memory is read where it lies.

Parquet stays where it is, and only the columns that are needed are read. Files of any other format
are first read, with all their checks, and laid down as Parquet as their rows come, in a folder that
is removed in the end.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from shutil import rmtree
from typing import Self
from warnings import warn
from weakref import finalize

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from byhand.duplicates import Duplicates, unordered
from byhand.errors import DataError
from byhand.files import read as whole
from byhand.files.forms import Form, form_of
from byhand.files.lines import Passed, tables
from byhand.files.paths import Paths, are_one, matched
from byhand.files.reading import Part, about, forms_of, parts_of, saying_both
from byhand.files.streams import Stream, rows_in, scratch_folder
from byhand.files.values import rounded, shared_type, telling
from byhand.memory import MEMORY, in_bytes
from byhand.naming import (
    JUDGED_RUN,
    QRELS,
    RUN,
    ColumnNames,
    TableKind,
    check_files,
    check_mapping,
    columns_of,
    find_columns,
    with_grade,
)
from byhand.words import N_

# a file takes up to eight times its size in memory, while it is read and counted
_GROWS = 8
_AT_ONCE = 1_000_000  # rows of a file that are laid down together
FilePath = str | PathLike[str]


class Scan(Stream):
    """A lazy table: files that `evaluate`, `preflight` and `compare` read without holding them.

    Args:
        files: Parquet with numbers for scores, and what each is called in messages.
        attrs: as of a frame that was read: file, format, other columns, notes.
        memory, scratch: as in `Stream`.
        room: where files were laid down; it goes with the scan.
        duplicates: which of repeated rows stays; None refuses them.
    """

    def __init__(
        self,
        files: Sequence[tuple[str, Form]],
        attrs: dict[str, object],
        memory: int,
        scratch: FilePath | None,
        room: Path,
        duplicates: Duplicates | None,
    ) -> None:
        super().__init__(attrs, memory, scratch)
        self.files, self.room, self.duplicates = files, room, duplicates
        finalize(self, rmtree, room, ignore_errors=True)

    def checked(self, wanted: TableKind, given: ColumnNames | None) -> Self:
        """The same, if it has the wanted columns."""
        names = [*self._numbers(), "query_id", "doc_id"]
        if given or wanted.needs[2] not in names:
            find_columns(names, wanted, check_mapping(given), wanted.kind)
        return self

    def pieces(self) -> Iterator[tuple[str, pa.Table]]:
        """The rows of the files, read with all checks of their readers."""
        kinds = self._numbers()
        for name, source in self.files:
            with source.file.unchanged():
                for part in parts_of(source, min(_AT_ONCE, self.rows_at_once)):
                    table = part.table()
                    for number, kind in kinds.items():
                        place = table.column_names.index(number)
                        table = table.set_column(place, number, table[number].cast(kind))
                    yield name, table

    def whole(self) -> pa.Table | None:
        """All rows together; None if memory may not hold them."""
        return super().whole() if len(self) <= self.rows_at_once else None

    def n_rows(self) -> int:
        """How many rows the files have."""
        return sum(source.n_rows for _, source in self.files)

    __len__ = n_rows

    def _numbers(self) -> dict[str, pa.DataType]:
        """Scores and grades, and of which type they are: long whole numbers keep their digits."""
        numbers, (_, source) = {}, self.files[0]
        for ours, position in source.columns.positions.items():
            if ours in ("score", "rank"):
                kind = source.types[position]
                whole_number = ours == "score" and pa.types.is_integer(kind)
                unsigned = pa.types.is_uint64(kind)
                exact = pa.uint64() if unsigned else pa.int64()
                numbers["score"] = exact if whole_number else pa.float64()
            elif ours == "relevance":
                numbers["relevance"] = pa.float64()
        return numbers

    def close(self) -> None:
        """Remove what was laid down; done by itself, sooner or later."""
        self.forget_dealt()
        rmtree(self.room, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{self.attrs['file']}: {self.attrs['format']}, to be read when it is asked for"


Table = pd.DataFrame | Scan
Check = Callable[[Sequence[Part]], None] | None


def scan_run(
    paths: Paths,
    *,
    columns: ColumnNames | None = None,
    duplicates: Duplicates | None = None,
    memory: str = "2GB",
    scratch: FilePath | None = None,
    folder: FilePath | None = None,
) -> Scan:
    """What a system ranked, in as many files as it takes, as a table that is not held in memory.

    Args:
        paths: a file, a folder, a glob such as `"runs/*.parquet"`, or a list of them. All files
            have the same format, columns and types.
        columns: the files' names for our columns, as in `read_run`.
        duplicates: `"best"` keeps the row with the highest score where several have one query and
            item; None refuses them.
        memory: what the process may take. Relevant items come on top, some 200 bytes each.
        scratch: a folder for what is laid down, and for what is dealt out by query if the rows are
            more and lie in no order of their queries; None for the system's own place for such
            files. It is empty again when the table is gone, and after an error.
        folder: as scratch, by the name that this had before.

    Returns:
        A lazy table with `query_id`, `doc_id` and `score`, for `evaluate`, `preflight` and
        `compare`. Parquet with numbers for scores stays where it is; any other file is read, a
        million rows at a time or as many as memory holds, and laid down as Parquet.

    Raises:
        DataError: nothing that matches, files that differ, what is wrong with one of them.
    """
    return _scan(paths, RUN, columns, memory, _called(scratch, folder), duplicates)


def scan_qrels(
    paths: Paths,
    *,
    columns: ColumnNames | None = None,
    relevance: float | None = None,
    memory: str = "2GB",
    scratch: FilePath | None = None,
    folder: FilePath | None = None,
) -> Scan:
    """What is relevant, as a table that is not held in memory; as `scan_run`, with `relevance`.

    Args:
        paths, columns, memory, scratch, folder: as in `scan_run`.
        relevance: the grade of every row, as in `read_qrels`.

    Raises:
        DataError: as `scan_run`.
    """
    return _scan(paths, QRELS, with_grade(columns, relevance), memory, _called(scratch, folder))


def scan_judged_run(
    paths: Paths,
    *,
    columns: ColumnNames | None = None,
    duplicates: Duplicates | None = None,
    memory: str = "2GB",
    scratch: FilePath | None = None,
    folder: FilePath | None = None,
) -> Scan:
    """Scores and relevance in one table that is not held in memory: `evaluate(table, table)`.

    Args:
        paths, columns, duplicates, memory, scratch, folder: as in `scan_run`.

    Raises:
        DataError: as `scan_run`.
    """
    return _scan(paths, JUDGED_RUN, columns, memory, _called(scratch, folder), duplicates)


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
                    differ = N_("{said} If the runs differ, name the columns of each: {each}.")
                    raise DataError(differ, [error.message, each], table=error.table) from None
            raise
    if not own:
        return tables, of_qrels(qrels, columns=qrels_columns)
    return tables, tables[0] if len(tables) == 1 else None


def _says_what_is_relevant(run: FilePath, columns: ColumnNames | None) -> bool:
    try:
        forms_of(run, JUDGED_RUN, columns)
    except DataError as error:
        return "relevance" not in error.missing
    return True


def is_large(path: FilePath, memory: str) -> bool:
    """Whether the files of a path may be more than memory holds, and are better scanned."""
    files = [Path(file) for file in matched(path)]
    size = sum(file.stat().st_size for file in files if file.is_file()) * _GROWS
    return size > in_bytes(memory)


def _called(scratch: FilePath | None, folder: FilePath | None) -> FilePath | None:
    """The scratch folder, by either name."""
    if folder is not None:
        warn("folder= is called scratch= from now on.", DeprecationWarning, stacklevel=3)
    return scratch if folder is None else folder


def _scan(
    paths: Paths,
    wanted: TableKind,
    columns: ColumnNames | None,
    memory: str,
    scratch: FilePath | None,
    duplicates: Duplicates | None = None,
) -> Scan:
    if duplicates == "first":
        raise unordered()
    most = in_bytes(memory)
    sources = forms_of(paths, wanted, columns)
    with ExitStack() as undo:
        room = scratch_folder(scratch)
        undo.callback(rmtree, room, ignore_errors=True)
        if sources[0].columns.grade is not None:  # of such rows many may be one judgement
            frame = whole.read_qrels(paths, columns=columns)
            attrs = frame.attrs
            _write(frame, place := str(room / "judged.parquet"))
            files = [(sources[0].file.name, form_of(place, wanted))]
        elif all(map(_is_plain, sources)):
            files = [(each.file.name, each) for each in sources]
            attrs = whole.attrs_from(sources, [], 0)
            attrs["notes"] += _rounded(sources)
        else:
            check = None if duplicates else partial(whole.refuse_repeats, given=columns)
            files, attrs = _laid_down(sources, wanted, room, min(_AT_ONCE, rows_in(most)), check)
        scan = Scan(files, attrs, most, scratch, room, duplicates)
        undo.pop_all()  # from here on the room goes with the scan
    return scan


def _rounded(sources: Sequence[Form]) -> list[str]:
    """A note as a reader has it, if scores that are not whole numbers are that large."""
    if "score" not in (positions := sources[0].columns.positions):
        return []
    if pa.types.is_integer(sources[0].types[positions["score"]]):
        return []
    most = 0.0
    with suppress(DataError):  # a torn file is refused once it is asked
        for source in sources:
            only = replace(source.columns, positions={"score": positions["score"]})
            for table in tables(replace(source, columns=only), Passed()):
                largest = pc.max(pc.abs(table["score"].cast(pa.float64(), safe=False)))
                most = max(most, largest.as_py() or 0)
    return rounded([np.array([most])])


def _is_plain(source: Form) -> bool:
    """Whether a file is read where it lies: Parquet with numbers for scores and grades."""
    if source.kind != "Parquet" or not isinstance(source.origin, str):
        return False
    numbers = {"score", "rank", "relevance"} & {*source.columns.positions}
    types = {ours: source.stored(ours) for ours in numbers}
    lists = source.columns.listed or source.stored("doc_id").startswith("list<")
    plain = "string" not in types.values() and types.get("score") != "bool"
    return plain and not lists and "doc_id" in source.columns.positions


def _laid_down(
    sources: list[Form], wanted: TableKind, room: Path, rows: int, check: Check
) -> tuple[list[tuple[str, Form]], dict[str, object]]:
    """Files of any format as Parquet, with their names, and what the table says of them."""
    places, names, scores, later = [], [], [], []
    for number, source in enumerate(sources):
        with about(wanted, source.file.name), source.file.unchanged():
            laid = [*_lay_down(source, room / f"{number:06}", rows, check, passed := Passed())]
        later += passed.notes()
        for place, told in laid:
            places.append(place)
            names.append(source.file.name)
            scores += told
    if not places:
        raise whole.no_rows(sources[0], wanted)
    if len({each.dtype for each in scores}) > 1:
        kind = shared_type(scores)
        scores = [each.astype(kind) for each in scores]
        for place in places:
            _write(pd.read_parquet(place).astype({"score": kind}), place)
    files = [form_of(place, wanted) for place in places]
    attrs = whole.attrs_from(sources, [*later, *rounded(scores)], 0)
    return [*zip(names, files, strict=True)], attrs


def _lay_down(
    source: Form, folder: Path, rows: int, check: Check, passed: Passed
) -> Iterator[tuple[str, list[np.ndarray]]]:
    """Each file of rows: where it is, and its telling scores."""
    folder.mkdir()
    for number, part in enumerate(parts_of(source, rows, passed)):
        frame, place = part.frame(), str(folder / f"{number:06}.parquet")
        if "relevance" in frame:
            frame = frame.astype({"relevance": float})  # it is whole in some files only
        _write(frame, place)
        if check and not number and len(frame) < rows:
            check([part])
        scores = [telling(frame["score"].to_numpy())] if "score" in frame else []
        yield place, scores


def _write(frame: pd.DataFrame, place: str) -> None:
    frame.to_parquet(place, compression="zstd", index=False)
