"""Files of a table that memory may not hold: read where they lie, whenever they are asked for."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import nullcontext
from os import PathLike, fspath
from pathlib import Path
from typing import Literal, Self

import numpy as np
import pandas as pd
import pyarrow as pa

from byhand.duplicates import Duplicates, unordered
from byhand.errors import DataError
from byhand.files import read as whole
from byhand.files.forms import Form
from byhand.files.lines import Passed
from byhand.files.paths import Paths, are_one, matched
from byhand.files.reading import about, batches, forms_of, saying_both
from byhand.files.streams import PIECE, Stream
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

# a file takes up to eight times its size in memory, while it is read and counted
_GROWS = 8
_KINDS = {each.kind: each for each in (RUN, QRELS, JUDGED_RUN)}
FilePath = str | PathLike[str]
Kind = Literal["run", "qrels", "judged run"]


class Scan(Stream):
    """A lazy table: files that `evaluate`, `preflight` and `compare` read without holding them."""

    def __init__(
        self,
        wanted: TableKind,
        files: Sequence[Form],
        memory: str,
        scratch: FilePath | None,
        duplicates: Duplicates | None,
    ) -> None:
        super().__init__({}, in_bytes(memory), scratch)
        self.wanted, self.files, self.duplicates = wanted, files, duplicates
        self.once = files[0].columns.grade is not None  # each row a hit, of which some are clicked
        self._at_once = min(PIECE, self.rows_at_once())
        self._rows, scores, later = 0, [], []
        for file in files:
            passed = Passed()
            with about(wanted, file.file.name), file.file.unchanged():
                for rows, some in _looked_at(file, self._at_once, passed):
                    self._rows += rows
                    scores.append(some)
            later += passed.notes()
        if not self._rows:
            raise whole.no_rows(files[0], wanted)
        kind = shared_type(scores)
        self._score = pa.from_numpy_dtype(kind)
        later += rounded([some.astype(kind) for some in scores])
        self.attrs = whole.attrs_from(files, later, 0)

    def checked(self, wanted: TableKind, given: ColumnNames | None) -> Self:
        """The same, if it has the wanted columns."""
        names = ["query_id", "doc_id", *self.wanted.needs]
        if given or wanted.needs[2] not in names:
            find_columns(names, wanted, check_mapping(given), wanted.kind)
        return self

    def pieces(self) -> Generator[tuple[str, pa.Table]]:
        """The rows of the files, read with all checks of their readers."""
        kinds = {"score": self._score, "relevance": pa.float64()}
        for file in self.files:
            with about(self.wanted, file.file.name), file.file.unchanged():
                for table in batches(file, self._at_once):
                    columns = [
                        table[name].cast(kinds.get(name, table[name].type), safe=False)
                        for name in table.column_names
                    ]
                    yield file.file.name, pa.table(columns, names=table.column_names)
                    pa.default_memory_pool().release_unused()

    def n_rows(self) -> int:
        """How many rows the files have."""
        return self._rows

    __len__ = n_rows

    def close(self) -> None:
        """Remove what was dealt out; done by itself, sooner or later."""
        self.forget_dealt()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{self.attrs['file']}: {self.attrs['format']}, to be read when it is asked for"


Table = pd.DataFrame | Scan


def scan(
    paths: Paths,
    kind: Kind = "run",
    *,
    columns: ColumnNames | None = None,
    relevance: float | None = None,
    duplicates: Duplicates | None = None,
    memory: str = "2GB",
    scratch: FilePath | None = None,
) -> Scan:
    """Take a table of any number of files without holding it in memory.

    Args:
        paths: a file, a folder, a glob such as `"runs/*.parquet"`, or a list of them. All files
            have the same format, columns and types.
        kind: what the table is: `"run"`, `"qrels"` or `"judged run"`, as `read_run`, `read_qrels`
            and `read_judged_run` read it.
        columns, relevance, duplicates: as of these readers; `relevance` is for qrels, and of
            `duplicates` there is `"best"` only, as the rows have no order.
        memory: what the process may take beside its libraries, such as `"500MB"`. Relevant items
            count in it, some 280 bytes each, and to deal out a million rows and more takes 250MB;
            of less, a DataError says how much is needed.
        scratch: a folder for what is dealt out by query if the rows are more and lie in no order
            of their queries; None for the system's own place for such files. It is empty again
            when the table is gone, and after an error.

    Returns:
        A lazy table for `evaluate`, `preflight` and `compare`; with `"judged run"`,
        `evaluate(table, table)`. Text is read once now, with all checks, and Parquet once it is
        asked for.

    Raises:
        DataError: nothing that matches, files that differ, what is wrong with one of them.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from byhand import evaluate
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "run.csv")
        ...     _ = path.write_text("query_id,doc_id,score\\nq1,D7,0.5\\nq1,D4,2\\n")
        ...     evaluate(scan(path), {"q1": ["D7"]}, "RR")["RR"].tolist()
        [0.5]
    """
    if kind not in _KINDS:
        raise ValueError(f"kind={kind!r} is not an option; choose from {', '.join(_KINDS)}.")
    if duplicates == "first":
        raise unordered()
    files = forms_of(paths, _KINDS[kind], with_grade(columns, relevance))
    return Scan(_KINDS[kind], files, memory, scratch, duplicates)


def _looked_at(file: Form, rows: int, passed: Passed) -> Iterator[tuple[int, np.ndarray]]:
    """How many rows there are, and scores that tell of which type all are, of some after others.

    Of Parquet with numbers for scores its footer tells; any other file is read.
    """
    wanted = {"score", "rank", "relevance"} & {*file.columns.positions}
    types = {ours: file.stored(ours) for ours in wanted}
    in_text = {"string", "text"} & {*types.values()} or types.get("score") == "bool"
    in_text = in_text or "list<" in file.stored("doc_id")  # a row for each of its items
    if file.kind == "Parquet" and not (in_text or file.file.gzipped or file.file.content):
        import pyarrow.parquet as pq

        footer, place = pq.read_metadata(file.file.path), file.columns.positions.get("score")
        exact = place is not None and pa.types.is_integer(file.types[place])
        unsigned = exact and pa.types.is_uint64(file.types[place])
        some = [0]
        for group in map(footer.row_group, range(footer.num_row_groups)):
            for column in map(group.column, range(group.num_columns)):
                known = column.path_in_schema == file.columns.theirs.get("score")
                if known and (told := column.statistics) and told.has_min_max:
                    some += [float(told.min), float(told.max)] if not exact else []
        yield footer.num_rows, np.array(some, np.uint64 if unsigned else int if exact else float)
        return
    for table in batches(file, rows, passed):
        scores = table["score"].to_numpy() if "score" in table.column_names else np.zeros(1)
        yield len(table), telling(scores)


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
    what all of them say. Where the names of the runs' columns differ, each file's stand under its
    path or name: `{"old.csv": {"Item": "doc_id"}}`. If memory would not hold the files of one of
    them, all are scanned.
    """
    lazy = any(is_large(path, memory) for path in (*runs, qrels) if path is not None)

    def table_of(path: FilePath, wanted: TableKind, columns: ColumnNames | None) -> Table:
        options = {"columns": columns, "duplicates": duplicates if wanted is not QRELS else None}
        if lazy:
            return scan(path, wanted.kind, memory=memory, **options)
        if wanted is QRELS:
            return whole.read_qrels(path, columns=columns)
        read = whole.read_run if wanted is RUN else whole.read_judged_run
        return read(path, **options)

    check_files(run_columns, runs)
    tables = []
    both = [are_one(path, qrels) for path in runs]
    own = qrels is None or any(both)
    for path, is_qrels in zip(runs, both, strict=True):
        columns, wanted = columns_of(run_columns, path), RUN
        if is_qrels and qrels_columns:
            columns = {**qrels_columns, **(columns or {})}
        try:
            first = qrels is None and not tables
            if is_qrels or first or (own and _says_what_is_relevant(path, columns)):
                wanted = JUDGED_RUN
            with saying_both(path) if is_qrels else nullcontext():
                tables.append(table_of(path, wanted, columns))
        except DataError as error:
            if len(runs) > 1:
                error.file = fspath(path)
                if not error.ways and columns:
                    each = f"run_columns={{{error.file!r}: {{…: …}}}}"
                    raise DataError(
                        f"{error.message} If the runs differ, name the columns of each: {each}.",
                        table=error.table,
                    ) from None
            raise
    if not own:
        return tables, table_of(qrels, QRELS, qrels_columns)
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
