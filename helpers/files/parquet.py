"""Parquet: only the columns that are needed."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq

from helpers.errors import DataError
from helpers.files.columns import Columns, Wanted, find_columns
from helpers.files.file import File, Progress


class ParquetFile:
    """A Parquet file whose footer has been read."""

    def __init__(self, file: File, wanted: Wanted, given: dict[object, str]) -> None:
        """Find our columns.

        Raises:
            DataError: a torn file, or a column that is missing.
        """
        self._file = file
        self._unpacked: pa.Buffer | None = None
        if file.gzipped:
            with file.open() as handle:
                self._unpacked = pa.py_buffer(handle.read())
        try:
            with pq.ParquetFile(self._unpacked or str(file.path)) as parquet:
                names, self._n_rows = parquet.schema_arrow.names, parquet.metadata.num_rows
        except (pa.ArrowException, OSError) as error:
            raise self._torn(error) from None
        self.columns: Columns = find_columns(names, wanted, given, file.name)

    def _torn(self, error: Exception) -> DataError:
        reason = str(error).splitlines()[0][:120]
        return DataError(
            f"{self._file.name} begins as a Parquet file but is torn ({reason}). "
            "Write, copy or download it again."
        )

    def read(self) -> dict[str, pa.ChunkedArray]:
        """Our columns, with the types that they have in the file.

        Raises:
            DataError: a torn file.
        """
        theirs = {ours: self.columns.names[place] for ours, place in self.columns.positions.items()}
        try:
            if self._unpacked:
                table = pq.read_table(self._unpacked, columns=list(theirs.values()))
                return {ours: table.column(name) for ours, name in theirs.items()}
            fields = {ours: pads.field(name) for ours, name in theirs.items()}
            scanner = pads.dataset(str(self._file.path), format="parquet").scanner(columns=fields)
            table = pa.Table.from_batches(self._counted(scanner), scanner.projected_schema)
        except (pa.ArrowException, OSError) as error:
            raise self._torn(error) from None
        return {ours: table.column(ours) for ours in theirs}

    def _counted(self, scanner: pads.Scanner) -> Iterator[pa.RecordBatch]:
        """The batches of rows, telling how far it is if that takes long."""
        progress, done = Progress(self._file.name, self._n_rows), 0
        for batch in scanner.to_batches():
            done += len(batch)
            progress.at(done)
            yield batch
        progress.end()


def row_place(row: int) -> str:
    """Where a row stands in a file that has no lines."""
    return f"row {row} (counted from 0)"
