"""Parquet: only the columns that are needed."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq

from helpers.errors import DataError
from helpers.files.columns import Wanted, find_columns
from helpers.files.file import File, Progress
from helpers.files.format import Layout


@dataclass(frozen=True)
class ParquetLayout(Layout):
    """What the footer of a Parquet file says, and the content if it had to be unpacked."""

    n_rows: int
    unpacked: pa.Buffer | None


def recognises(file: File) -> bool:
    """Whether the content begins as Parquet does, and not as a text whose first id is PAR1."""
    return file.head.startswith(b"PAR1") and min(file.head[4:64], default=0) < 9


def find(file: File, wanted: Wanted, given: dict[object, str]) -> ParquetLayout:
    """Find our columns by the footer.

    Raises:
        DataError: a torn file, or a column that is missing.
    """
    unpacked = None
    if file.gzipped:
        with file.open() as handle:
            unpacked = pa.py_buffer(handle.read())
    try:
        with pq.ParquetFile(unpacked or str(file.path)) as parquet:
            names, n_rows = parquet.schema_arrow.names, parquet.metadata.num_rows
    except (pa.ArrowException, OSError) as error:
        raise _torn(file, error) from None
    columns = find_columns(names, wanted, given, file.name)
    return ParquetLayout("Parquet", columns, n_rows, unpacked)


def _torn(file: File, error: Exception) -> DataError:
    reason = str(error).splitlines()[0][:120]
    return DataError(
        f"{file.name} begins as a Parquet file but is torn ({reason}). "
        "Write, copy or download it again."
    )


def read(file: File, layout: ParquetLayout) -> dict[str, pa.ChunkedArray]:
    """Our columns, with the types that they have in the file.

    Raises:
        DataError: a torn file.
    """
    theirs = layout.columns.theirs
    try:
        if layout.unpacked:
            table = pq.read_table(layout.unpacked, columns=list(theirs.values()))
            return {ours: table.column(name) for ours, name in theirs.items()}
        fields = {ours: pads.field(name) for ours, name in theirs.items()}
        scanner = pads.dataset(str(file.path), format="parquet").scanner(columns=fields)
        batches = _counted(scanner, file, layout)
        table = pa.Table.from_batches(batches, scanner.projected_schema)
    except (pa.ArrowException, OSError) as error:
        raise _torn(file, error) from None
    return {ours: table.column(ours) for ours in theirs}


def _counted(scanner: pads.Scanner, file: File, layout: ParquetLayout) -> Iterator[pa.RecordBatch]:
    """The batches of rows, telling how far it is if that takes long."""
    progress, done = Progress(file.name, layout.n_rows), 0
    for batch in scanner.to_batches():
        done += len(batch)
        progress.at(done)
        yield batch
    progress.end()


def place(file: File, layout: ParquetLayout, row: int) -> str:
    """Where a row stands: Parquet has no lines."""
    return f"row {row} (counted from 0)"
