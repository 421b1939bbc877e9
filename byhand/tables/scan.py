"""Lazy tables: files that may not fit in memory and are read again for each use."""

from collections.abc import Generator, Sequence
from os import PathLike
from pathlib import Path
from typing import Literal, Self

import pyarrow as pa

from byhand.duplicates import Duplicates, unordered
from byhand.files.forms import Form
from byhand.files.lines import notes_of
from byhand.files.parts import (
    Part,
    attrs_from,
    errors_about,
    forms_of,
    no_rows,
    parts_of,
)
from byhand.files.paths import Paths, matched
from byhand.files.streams import PIECE, Stream
from byhand.memory import in_bytes
from byhand.naming import (
    JUDGED_RUN,
    QRELS,
    RUN,
    ColumnNames,
    TableKind,
    check_mapping,
    find_columns,
    with_grade,
)

# peak memory of reading and counting, as a multiple of the file size
_GROWS = 8
_KINDS = {each.kind: each for each in (RUN, QRELS, JUDGED_RUN)}
FilePath = str | PathLike[str]
Kind = Literal["run", "qrels", "judged run"]


class Scan(Stream):
    """A lazy table: files that are read in pieces at each use."""

    def __init__(
        self, wanted: TableKind, files: Sequence[Form], memory: str, duplicates: Duplicates | None
    ) -> None:
        super().__init__(attrs_from(files, [], 0), in_bytes(memory))
        self.wanted, self.files, self.duplicates = wanted, files, duplicates
        self.once = files[0].columns.grade is not None  # click logs repeat hits
        self._at_once, self._rows = min(PIECE, self.rows_at_once()), 0

    def checked(self, wanted: TableKind, given: ColumnNames | None) -> Self:
        """Return the table if it has the wanted columns."""
        names = ["query_id", "doc_id", *self.wanted.needs]
        if given or wanted.needs[2] not in names:
            find_columns(names, wanted, check_mapping(given), wanted.kind)
        return self

    def pieces(self) -> Generator[pa.Table]:
        """Read the rows of the files, with all checks of the readers."""
        rows = 0
        for form in self.files:
            with errors_about(self.wanted, form.file.name):
                for part in parts_of(form, self._at_once):
                    rows += len(part)
                    yield _table(part)
                    pa.default_memory_pool().release_unused()
            self.attrs["notes"] = [*dict.fromkeys([*self.attrs["notes"], *notes_of(form)])]
        if not rows:
            raise no_rows(self.files[0], self.wanted)
        self._rows = rows

    def __len__(self) -> int:
        """Return the number of rows, which are read once to count them."""
        return self._rows or sum(map(len, self.pieces()))

    def __repr__(self) -> str:
        return f"{self.attrs['file']}: {self.attrs['format']}, to be read when it is asked for"


def _table(part: Part) -> pa.Table:
    """Return the rows of a part, with the same types in every part."""
    numbers = {name: each.astype(float, copy=False) for name, each in part.numbers.items()}
    return pa.table({**part.ids, **numbers})


def scan(
    paths: Paths,
    kind: Kind = "run",
    *,
    columns: ColumnNames | None = None,
    relevance: float | None = None,
    duplicates: Duplicates | None = None,
    memory: str = "2GB",
) -> Scan:
    """Return a lazy table of files that are read in pieces, not all at once.

    Args:
        paths: A file, a folder, a glob such as `"runs/*.parquet"`, or a list of them. All files
            have the same format, columns and types.
        kind: The kind of table: `"run"` (the default), `"qrels"` or `"judged run"`, as for
            `read_run`, `read_qrels` and `read_judged_run`.
        columns, relevance: The column names or the grade of all rows, as in these readers.
        duplicates: `"best"` keeps the highest score of repeated rows. None (the default) raises a
            DataError. `"first"` is not possible, because the rows have no order.
        memory: The memory that the process may use besides its libraries, by default `"2GB"`. Each
            relevant item and each judged query takes about 280 bytes. Rows that do not fit and are
            not grouped by query are split into files in a temporary folder (see `TMPDIR`), which is
            removed with the table and after an error. Splitting more than a million rows needs at
            least 250MB.
            If `memory` is too small, a DataError states how much is needed.

    Returns:
        A lazy table for every function that takes a run or qrels; only `unjudged_range` and
        `which_conventions` need one that fits into memory. For a judged run, call
        `evaluate(table, table)`. Its rows are read and checked at each call.

    Raises:
        DataError: If no file matches, the files differ, or one of them is invalid.
        ValueError: If the kind is unknown.

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
    return Scan(_KINDS[kind], files, memory, duplicates)


def is_large(path: FilePath, memory: str) -> bool:
    """Test whether the files of a path may need more memory than allowed."""
    files = [Path(file) for file in matched(path)]
    size = sum(file.stat().st_size for file in files if file.is_file()) * _GROWS
    return size > in_bytes(memory)
