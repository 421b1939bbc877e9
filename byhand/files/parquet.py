"""Parquet: only the columns that are needed.

What pyarrow needs for it takes as long to import as all the rest, so it waits for such a file.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from byhand.columns import Wanted, type_of_arrow
from byhand.errors import DataError
from byhand.files.file import File
from byhand.files.format import Layout
from byhand.files.header import Given, find_columns
from byhand.files.progress import Progress

if TYPE_CHECKING:
    from pyarrow.dataset import Scanner

# what pyarrow says of bytes that are not what they should be
BROKEN = (pa.ArrowException, OSError, ValueError, KeyError, OverflowError)


@dataclass(frozen=True)
class ParquetLayout(Layout):
    """What the footer of a Parquet file says, and the path, or the content if it was unpacked."""

    file: File

    types: tuple[pa.DataType, ...]
    n_rows: int
    source: str | pa.Buffer


def recognises(file: File) -> bool:
    """Whether the content begins as Parquet does, and not as a text whose first id is PAR1."""
    return file.head.startswith(b"PAR1") and min(file.head[4:64], default=0) < 9


def find(file: File, wanted: Wanted, given: Given) -> ParquetLayout:
    """Find our columns by the footer.

    Raises:
        DataError: a torn file, or a column that is missing.
    """
    import pyarrow.parquet as pq

    source = str(file.path.absolute())  # as pyarrow takes "s3:a" for a file of another host
    if file.gzipped or file.content:
        with file.open() as handle:
            source = pa.py_buffer(handle.read())
    try:
        with pq.ParquetFile(source) as parquet:
            schema, n_rows = parquet.schema_arrow, parquet.metadata.num_rows
    except MemoryError:
        raise
    except BROKEN as error:
        raise torn(file, error) from None
    types = [type_of_arrow(each) for each in schema.types]
    columns = find_columns(schema.names, wanted, given, file.name, types=types)
    return ParquetLayout("Parquet", columns, file, tuple(schema.types), n_rows, source)


def torn(file: File, error: Exception | str) -> DataError:
    """What to say of a file that pyarrow cannot read to its end."""
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
    import pyarrow.dataset as pads
    from pyarrow.fs import LocalFileSystem

    checked = pads.ParquetFragmentScanOptions(page_checksum_verification=True)
    form = pads.ParquetFileFormat(default_fragment_scan_options=checked)
    # by position: the names of other columns may repeat
    fields = {ours: pads.field(place) for ours, place in layout.columns.positions.items()}
    try:
        disk = LocalFileSystem() if isinstance(layout.source, str) else None
        fragment = form.make_fragment(layout.source, disk)
        scanner = fragment.scanner(columns=fields)
        batches = _counted(scanner, file, layout)
        table = pa.Table.from_batches(batches, scanner.projected_schema)
    except MemoryError:
        raise
    except BROKEN as error:
        raise torn(file, error) from None
    if len(table) != layout.n_rows:
        raise torn(file, f"{len(table):,} of {layout.n_rows:,} rows")
    return {ours: table.column(ours) for ours in fields}


def batches(file: File, layout: ParquetLayout) -> Iterator[pa.Table]:
    """Our columns as `read` gives them, a few rows at a time.

    Raises:
        DataError: as `read`.
    """
    import pyarrow.parquet as pq

    options = {"buffer_size": 1 << 20, "pre_buffer": False, "page_checksum_verification": True}
    theirs, rows = layout.columns.theirs, 0
    try:
        with pq.ParquetFile(layout.source, **options) as parquet:
            for batch in parquet.iter_batches(
                1 << 10, columns=[*theirs.values()], use_threads=False
            ):
                batch.validate(full=True)
                rows += len(batch)
                yield pa.table({ours: batch.column(name) for ours, name in theirs.items()})
    except MemoryError:
        raise
    except BROKEN as error:
        raise torn(file, error) from None
    if rows != layout.n_rows:
        raise torn(file, f"{rows:,} of {layout.n_rows:,} rows")


def _counted(scanner: "Scanner", file: File, layout: ParquetLayout) -> Iterator[pa.RecordBatch]:
    """The batches of rows, telling how far it is if that takes long."""
    progress, done = Progress(file.name, layout.n_rows), 0
    for batch in scanner.to_batches():
        batch.validate(full=True)  # pyarrow takes text in any encoding
        done += len(batch)
        progress.at(done)
        yield batch
    progress.end()


def place(file: File, layout: ParquetLayout, row: int) -> str:
    """Where a row stands: Parquet has no lines."""
    return f"row {row} (counted from 0)"
