"""Parquet: only the columns that are needed."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from helpers.errors import DataError
from helpers.files.columns import Wanted, find_columns
from helpers.files.file import File
from helpers.files.format import Layout
from helpers.files.progress import Progress

_BATCH = 1 << 17
# what pyarrow says of bytes that are not what they should be
_BROKEN = (pa.ArrowException, OSError, ValueError, KeyError, MemoryError, OverflowError)


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
    if file.gzipped or file.content:
        with file.open() as handle:
            unpacked = pa.py_buffer(handle.read())
    try:
        with _opened(file, unpacked) as parquet:
            names, n_rows = parquet.schema_arrow.names, parquet.metadata.num_rows
    except _BROKEN as error:
        raise _torn(file, error) from None
    columns = find_columns(names, wanted, given, file.name)
    return ParquetLayout("Parquet", columns, n_rows, unpacked)


def _opened(file: File, unpacked: pa.Buffer | None) -> pq.ParquetFile:
    # absolute, as pyarrow takes "s3:a" for another host's
    source = unpacked or str(file.path.absolute())
    return pq.ParquetFile(source, page_checksum_verification=True)


def _torn(file: File, error: Exception | str) -> DataError:
    reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
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
        with _opened(file, layout.unpacked) as parquet:
            fields = [parquet.schema_arrow.field(name) for name in theirs.values()]
            batches = list(_counted(parquet, fields, file, layout))
        table = pa.Table.from_batches(batches, pa.schema(fields))
        table.validate(full=True)
    except _BROKEN as error:
        raise _torn(file, error) from None
    if len(table) != layout.n_rows:
        raise _torn(file, f"{len(table):,} of {layout.n_rows:,} rows")
    return {ours: table.column(name) for ours, name in theirs.items()}


def _counted(
    parquet: pq.ParquetFile, fields: list[pa.Field], file: File, layout: ParquetLayout
) -> Iterator[pa.RecordBatch]:
    """The batches of rows, telling how far it is if that takes long."""
    names = [field.name for field in fields]
    progress, done = Progress(file.name, layout.n_rows), 0
    for batch in parquet.iter_batches(_BATCH, columns=names):
        done += len(batch)
        progress.at(done)
        yield batch.select(names)
    progress.end()


def place(file: File, layout: ParquetLayout, row: int) -> str:
    """Where a row stands: Parquet has no lines."""
    return f"row {row} (counted from 0)"
