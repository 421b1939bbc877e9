"""Parquet: only the columns that are needed.

What pyarrow needs for it takes as long to import as all the rest, so it waits for such a file.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from byhand.columns import Wanted, type_of_arrow
from byhand.errors import DataError
from byhand.files.file import File, Progress
from byhand.files.header import Given, Layout, find_columns

# what pyarrow says of bytes that are not what they should be
BROKEN = (pa.ArrowException, OSError, ValueError, KeyError, OverflowError)


@dataclass(frozen=True)
class ParquetLayout(Layout):
    """What the footer of a Parquet file says, and the path, or the content if it was unpacked."""

    file: File
    types: tuple[pa.DataType, ...]
    n_rows: int
    source: str | pa.Buffer

    def stored(self, ours: str) -> str:
        """The type of a column as the file stores it; kinds of text are all one."""
        kind = self.types[self.columns.positions[ours]]
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        return str(kind).removeprefix("large_").removesuffix("_view")


def recognises(file: File) -> bool:
    """Whether the content begins as Parquet does, and not as a text whose first id is PAR1."""
    return file.head.startswith(b"PAR1") and min(file.head[4:64], default=0) < 9


def find(file: File, wanted: Wanted, given: Given) -> ParquetLayout:
    """Find our columns by the footer."""
    import pyarrow.parquet as pq

    source = str(file.path.absolute())  # as pyarrow takes "s3:a" for a file of another host
    if file.gzipped or file.content:
        with file.open() as handle:
            source = pa.py_buffer(handle.read())
    try:
        with pq.ParquetFile(source) as parquet:
            schema, n_rows = parquet.schema_arrow, parquet.metadata.num_rows
    except BROKEN as error:
        raise torn(file, error) from None
    types = [type_of_arrow(each) for each in schema.types]
    columns = find_columns(schema.names, wanted, given, file.name, types=types)
    return ParquetLayout("Parquet", columns, file, tuple(schema.types), n_rows, source)


def torn(file: File, error: Exception | str) -> DataError:
    """What to say of a file that pyarrow cannot read to its end."""
    if isinstance(error, MemoryError):  # pyarrow's own is one of its exceptions, too
        raise error
    reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
    return DataError(
        f"{file.name} begins as a Parquet file but is torn ({reason}). "
        "Write, copy or download it again."
    )


def read(file: File, layout: ParquetLayout, *, few: bool = False) -> Iterator[pa.Table]:
    """Our columns, some rows at a time, with the types that they have in the file."""
    progress, rows = Progress(file.name, layout.n_rows), 0
    try:
        for batch in _few(layout) if few else _many(layout):
            batch.validate(full=True)  # pyarrow takes text in any encoding
            rows += len(batch)
            if not few:
                progress.at(rows)
            yield pa.Table.from_batches([batch])
    except BROKEN as error:
        raise torn(file, error) from None
    progress.end()
    if rows != layout.n_rows:
        raise torn(file, f"{rows:,} of {layout.n_rows:,} rows")


def _many(layout: ParquetLayout) -> Iterator[pa.RecordBatch]:
    """As many rows at a time as go well, on all cores."""
    import pyarrow.dataset as pads
    from pyarrow.fs import LocalFileSystem

    checked = pads.ParquetFragmentScanOptions(page_checksum_verification=True)
    form = pads.ParquetFileFormat(default_fragment_scan_options=checked)
    # by position: the names of other columns may repeat
    fields = {ours: pads.field(place) for ours, place in layout.columns.positions.items()}
    disk = LocalFileSystem() if isinstance(layout.source, str) else None
    yield from form.make_fragment(layout.source, disk).scanner(columns=fields).to_batches()


def _few(layout: ParquetLayout) -> Iterator[pa.RecordBatch]:
    """A few rows at a time, where nothing of them is kept."""
    import pyarrow.parquet as pq

    options = {"buffer_size": 1 << 20, "pre_buffer": False, "page_checksum_verification": True}
    theirs = layout.columns.theirs
    with pq.ParquetFile(layout.source, **options) as parquet:
        names = [*theirs.values()]
        for batch in parquet.iter_batches(1 << 10, columns=names, use_threads=False):
            yield pa.record_batch([batch.column(name) for name in names], [*theirs])


def place(file: File, layout: ParquetLayout, row: int) -> str:
    """Where a row stands: Parquet has no lines."""
    return f"row {row} (counted from 0)"
