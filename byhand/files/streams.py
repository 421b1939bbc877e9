"""Stream tables that do not fit in memory, a few queries at a time, each with all its rows.

If the rows of each query are consecutive, they are read in order. Otherwise they are distributed
once, by a hash of the query, to files that fit in memory.
"""

from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, suppress
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any, Self, TypeVar
from weakref import finalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from byhand.duplicates import Duplicates
from byhand.errors import DataError
from byhand.hashes import arrow_hashes
from byhand.memory import as_text
from byhand.naming import ColumnNames, TableKind
from byhand.parallel import in_threads

PIECE = 1 << 17  # rows that are read and dealt out together
_A_ROW = 200  # bytes of a row while it is read and counted
_PARTS = 64  # files that scattered rows are dealt out to
_LITTLE = 1 << 24  # negligible bytes
_LEAST, _MANY = 250_000_000, 1_000_000  # bytes for dealing out more than _MANY rows
Answer = TypeVar("Answer")


class _ScatteredError(Exception):
    """Raised if the rows of a query are not consecutive."""


class Stream:
    """A table that is read in pieces; subclasses define `checked` and `pieces`.

    Args:
        attrs: Metadata of the table.
        memory: The maximum number of bytes for the rows in memory at a time.
    """

    duplicates: Duplicates | None = None  # the repeated row to keep; None refuses repeats
    once = False  # True: judgements may repeat, because every row is relevant

    def __init__(self, attrs: dict[str, Any], memory: int) -> None:
        self.attrs, self.memory = attrs, memory
        self._files: list[Path] = []  # each with all rows of some queries
        self._room = ExitStack()
        finalize(self, self._room.close)

    def checked(self, wanted: TableKind, given: ColumnNames | None) -> Self:
        """Return the table with our columns; raise a DataError if one is missing."""
        raise NotImplementedError

    def pieces(self) -> Generator[pa.Table]:
        """Read the rows in pieces, with our columns."""
        raise NotImplementedError

    def rows_at_once(self, beside: int = 0) -> int:
        """Return how many rows fit in memory for counting, next to `beside` bytes."""
        if beside > max(self.memory * 2 // 3, _LITTLE):
            raise DataError(
                f"memory={as_text(self.memory)!r} is too little: the relevant items and the "
                f"queries alone take about {as_text(beside)}. Pass memory="
                f"{as_text(beside * 3 // 2)!r} or more."
            )
        return max((self.memory - beside * (beside > _LITTLE)) // _A_ROW, 1)

    def whole(self) -> pa.Table | None:
        """Return all rows, or None if memory may not be enough."""
        kept, rows = [], 0
        with closing(self.pieces()) as pieces:
            for piece in pieces:
                kept.append(piece)
                rows += len(piece)
                if rows > self.rows_at_once():
                    return None
        return pa.concat_tables(kept, promote_options="permissive")

    def fold(self, call: Callable[[pa.Table], Answer], beside: int = 0) -> list[Answer]:
        """Call a function on each part, which contains all rows of its queries."""
        rows = self.rows_at_once(beside)
        try:
            if not self._files:
                with suppress(_ScatteredError), closing(self._in_order(rows)) as parts:
                    return [call(part) for part in parts]
                self._files = self._dealt_out()
            return [call(part) for part in filter(len, map(_read, self._files))]
        except BaseException as error:
            self._files = []
            self._room.close()  # removes the files before the table itself goes
            if isinstance(error, OSError):
                raise DataError(
                    f"{self.attrs.get('file', 'A table')} needs more than "
                    f"memory={as_text(self.memory)!r}, and its rows are not grouped by query. "
                    f"Splitting it into files in {gettempdir()} failed: "
                    f"{error.strerror}. Set TMPDIR to a folder on a larger disk, or pass more "
                    "memory."
                ) from None
            raise

    def _in_order(self, most: int) -> Generator[pa.Table]:
        """Yield parts of the rows in order, if the rows of each query are consecutive."""
        kept, rows, done, last = [], 0, set(), None
        with closing(self.pieces()) as pieces:
            for piece in filter(len, pieces):
                new = begins(piece["query_id"])
                named = piece["query_id"].take(new).to_pylist()
                others = named[named[0] == last :]
                if len({*named}) < len(named) or not done.isdisjoint(others):
                    raise _ScatteredError
                done.update(others)
                last, cut = named[-1], int(new[-1])
                if rows + cut > most and (cut or others == named):
                    yield pa.concat_tables([*kept, piece.slice(0, cut)])
                    kept, rows, piece = [], 0, piece.slice(cut)
                kept.append(piece)
                rows += len(piece)
        if kept:
            yield pa.concat_tables(kept)

    def _dealt_out(self) -> list[Path]:
        """Distribute the rows to files, each with all rows of some queries."""
        folder = TemporaryDirectory(prefix="ranking-", ignore_cleanup_errors=True)
        room = Path(self._room.enter_context(folder))
        files, writers, rows = [room / f"{part}.arrow" for part in range(_PARTS)], [], 0
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with ExitStack() as opened:
            pieces = opened.enter_context(closing(self.pieces()))
            for ends, ordered in in_threads(_by_hash, filter(len, pieces)):
                rows += len(ordered)
                if rows > _MANY and self.memory < _LEAST:
                    raise DataError(
                        f"memory={as_text(self.memory)!r} is too little for more than {_MANY:,} "
                        "rows that are not grouped by query. Pass "
                        f"memory={as_text(_LEAST)!r} or more."
                    )
                for file in files[len(writers) :]:
                    writer = pa.ipc.new_file(str(file), ordered.schema, options=options)
                    writers.append(opened.enter_context(writer))
                for writer, (start, stop) in zip(writers, pairwise(ends), strict=True):
                    writer.write_table(ordered.slice(start, stop - start))
        pa.default_memory_pool().release_unused()  # free memory for counting
        return files


def begins(column: pa.ChunkedArray) -> np.ndarray:
    """Return the rows whose value differs from that of the row before."""
    differs = pc.not_equal(column.slice(1), column.slice(0, len(column) - 1))
    return np.flatnonzero(np.append(True, pc.fill_null(differs, True).to_numpy()))


def _read(file: Path) -> pa.Table:
    with pa.OSFile(str(file)) as opened:
        return pa.ipc.open_file(opened).read_all()


def _by_hash(table: pa.Table) -> tuple[np.ndarray, pa.Table]:
    """Sort rows by a hash of their query, and return the bounds of each part."""
    queries = table["query_id"].combine_chunks().cast(pa.large_string()).fill_null("")
    part = (arrow_hashes(queries) % np.uint64(_PARTS)).astype(np.uint8)
    order = np.argsort(part, kind="stable")
    ends = np.searchsorted(part[order], np.arange(_PARTS + 1))
    return ends, table.combine_chunks().take(order)
