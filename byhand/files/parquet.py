"""Read the needed columns of Parquet files.

A separate module, because its imports are slow.
"""

from collections.abc import Iterator, Mapping

import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq
from pyarrow.fs import LocalFileSystem

from byhand.errors import DataError
from byhand.files.opening import File

# errors of pyarrow for invalid bytes
_BROKEN = (pa.ArrowException, OSError, ValueError, KeyError, OverflowError)
_SMALL, _FEW = 1 << 20, 1 << 10  # bytes and rows of small batches


def footer(file: File) -> tuple[str | pa.Buffer, pa.Schema, int]:
    """Return the path or the content, the schema, and the number of rows."""
    origin = str(file.path)  # absolute, because pyarrow reads "s3:a" as an address
    if file.gzipped or file.content:
        with file.open() as handle:
            origin = pa.py_buffer(handle.read())
    try:
        with pq.ParquetFile(origin) as parquet:
            return origin, parquet.schema_arrow, parquet.metadata.num_rows
    except _BROKEN as error:
        raise _torn(file, error) from None


def batches_of(file: File, positions: Mapping[str, int], *, few: bool) -> Iterator[pa.Table]:
    """Yield our columns, some rows at a time, with the types of the file."""
    origin, _, n_rows = footer(file)
    small = {"use_buffered_stream": True, "buffer_size": _SMALL, "pre_buffer": False}
    checked = {"page_checksum_verification": True, **(small if few else {})}
    form = pads.ParquetFileFormat(
        default_fragment_scan_options=pads.ParquetFragmentScanOptions(**checked)
    )
    # by position, because names of other columns may repeat
    fields = {ours: pads.field(place) for ours, place in positions.items()}
    at_once = {"batch_size": _FEW, "batch_readahead": 1, "use_threads": False} if few else {}
    rows = 0
    try:
        disk = LocalFileSystem() if isinstance(origin, str) else None
        fragment = form.make_fragment(origin, disk)
        for batch in fragment.scanner(columns=fields, **at_once).to_batches():
            batch.validate(full=True)  # pyarrow accepts invalid UTF-8
            rows += len(batch)
            yield pa.Table.from_batches([batch])
    except _BROKEN as error:
        raise _torn(file, error) from None
    if rows != n_rows:
        raise _torn(file, f"{rows:,} of {n_rows:,} rows")


def _torn(file: File, error: Exception | str) -> DataError:
    if isinstance(error, MemoryError):  # pyarrow's is also an ArrowException
        raise error
    reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
    return DataError(
        f"{file.name} begins as a Parquet file but is damaged ({reason}). Write, copy or download "
        "it again."
    )
