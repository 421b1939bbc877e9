"""Parquet: only the columns that are needed.

What pyarrow needs for it takes as long to import as all the rest, so it waits for such a file.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import pyarrow as pa

from byhand.column_map import ColumnNames, find_columns
from byhand.columns import TableKind, type_of_arrow
from byhand.errors import DataError
from byhand.files.file import File, Progress
from byhand.files.head import Head
from byhand.files.table_file import FEW, SMALL, TableFile
from byhand.words import Message

# what pyarrow says of bytes that are not what they should be
BROKEN = (pa.ArrowException, OSError, ValueError, KeyError, OverflowError)


@dataclass(frozen=True)
class Parquet(TableFile):
    """What the footer of a Parquet file says."""

    types: tuple[pa.DataType, ...]  # of all its columns
    n_rows: int
    origin: str | pa.Buffer  # its path, or the content if it was unpacked

    @classmethod
    def of(cls, head: Head, wanted: TableKind, given: ColumnNames) -> Self | None:
        """Find our columns by the footer."""
        file = head.file
        # and not as a text whose first id is PAR1
        if not file.head.startswith(b"PAR1") or min(file.head[4:64], default=0) >= 9:
            return None
        import pyarrow.parquet as pq

        origin = str(file.path.absolute())  # as pyarrow takes "s3:a" for a file of another host
        if file.gzipped or file.content:
            with file.open() as handle:
                origin = pa.py_buffer(handle.read())
        try:
            with pq.ParquetFile(origin) as parquet:
                schema, n_rows = parquet.schema_arrow, parquet.metadata.num_rows
        except BROKEN as error:
            raise _torn(file, error) from None
        types = [type_of_arrow(each) for each in schema.types]
        columns = find_columns(schema.names, wanted, given, file.name, types=types)
        return cls(file, "Parquet", columns, tuple(schema.types), n_rows, origin)

    def stored(self, ours: str) -> str:
        """The type of a column as the file stores it; kinds of text are all one."""
        kind = self.types[self.columns.positions[ours]]
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        return str(kind).removeprefix("large_").removesuffix("_view")

    def tables(self, *, few: bool = False) -> Iterator[pa.Table]:
        """Our columns, some rows at a time, with the types that they have in the file."""
        import pyarrow.dataset as pads
        from pyarrow.fs import LocalFileSystem

        small = (
            {"use_buffered_stream": True, "buffer_size": SMALL, "pre_buffer": False} if few else {}
        )
        checked = pads.ParquetFragmentScanOptions(page_checksum_verification=True, **small)
        form = pads.ParquetFileFormat(default_fragment_scan_options=checked)
        # by position: the names of other columns may repeat
        fields = {ours: pads.field(place) for ours, place in self.columns.positions.items()}
        disk = LocalFileSystem() if isinstance(self.origin, str) else None
        at_once = {"batch_size": FEW, "batch_readahead": 1, "use_threads": False} if few else {}
        progress, rows = Progress(self.file.name, self.n_rows), 0
        try:
            fragment = form.make_fragment(self.origin, disk)
            for batch in fragment.scanner(columns=fields, **at_once).to_batches():
                batch.validate(full=True)  # pyarrow takes text in any encoding
                rows += len(batch)
                if not few:
                    progress.at(rows)
                yield pa.Table.from_batches([batch])
        except BROKEN as error:
            raise _torn(self.file, error) from None
        progress.end()
        if rows != self.n_rows:
            raise _torn(self.file, Message("{n:,} of {all:,} rows", n=rows, all=self.n_rows))

    def place(self, row: int) -> str:
        """Where a row stands: Parquet has no lines."""
        return Message("row {row} (counted from 0)", row=row)


def _torn(file: File, error: Exception | str) -> DataError:
    """What to say of a file that pyarrow cannot read to its end."""
    if isinstance(error, MemoryError):  # pyarrow's own is one of its exceptions, too
        raise error
    reason = error
    if isinstance(error, Exception):
        reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
    return DataError(
        "{file} begins as a Parquet file but is torn ({reason}). Write, copy or download it again.",
        [file.name, reason],
    )
