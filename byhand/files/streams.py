"""Tables that memory does not hold: some queries at a time, each time with all of their rows.

Where the rows of each query come together they are taken as they come. Where they do not, they are
dealt out once, by a hash of their query, into files of which memory holds several.
"""

from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, suppress
from functools import partial
from itertools import pairwise
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from threading import RLock
from typing import TYPE_CHECKING, Any, Self, TypeVar
from weakref import finalize

import numpy as np

from byhand.duplicates import Duplicates
from byhand.errors import DataError
from byhand.hashes import arrow_hashes
from byhand.memory import as_text
from byhand.naming import ColumnNames, TableKind
from byhand.parallel import in_threads

if TYPE_CHECKING:
    import pyarrow as pa

PIECE = 1 << 17  # rows that are read, and dealt out, together
_A_ROW = 200  # bytes that a row of a part takes, while it is read and counted
_FINE = 2  # so many parts would fit together, as they are not of one size
_MOST_PARTS = 200  # each of them is an open file
_LITTLE = 1 << 24  # bytes that are not worth counting
_LEAST, _MANY = 250_000_000, 1_000_000  # bytes that it takes to deal out so many rows and more
Answer = TypeVar("Answer")


class _ScatteredError(Exception):
    """A query goes on after others."""


class Stream:
    """A large table: its rows with our columns, as they come.

    Each kind says what its `pieces` are, how many rows there are in all, and whether it can be
    `checked` to have the wanted columns.

    Args:
        attrs: what is known of the table beside its rows.
        memory: how many bytes what is held of it at a time may take.
    """

    duplicates: Duplicates | None = None  # which of repeated rows stays; None refuses them
    once = False  # whether a judgement may stand in several rows, as every row is a hit

    def __init__(self, attrs: dict[str, Any], memory: int) -> None:
        self.attrs, self.memory = attrs, memory
        self.known: dict[object, Any] = {}  # what was found out already
        self.lock = RLock()  # one question at a time, whichever thread asks
        self._dealt: list[Path] = []  # files with all rows of some queries
        self._room = ExitStack()
        finalize(self, self._room.close)

    def checked(self, wanted: TableKind, given: ColumnNames | None) -> Self:
        """Our columns of it; a DataError if it lacks one."""
        raise NotImplementedError

    def pieces(self) -> "Generator[tuple[str, pa.Table]]":
        """Some rows after others, each time with the file that they stand in, if it is known."""
        raise NotImplementedError

    def n_rows(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def rows_at_once(self, beside: int = 0) -> int:
        """How many rows memory holds while they are counted, `beside` so many bytes."""
        if beside > max(self.memory * 2 // 3, _LITTLE):
            raise DataError(
                f"memory={as_text(self.memory)!r} is too little: the relevant items and the "
                f"queries alone take about {as_text(beside)}. Pass memory="
                f"{as_text(beside * 3 // 2)!r} or more."
            )
        return max((self.memory - beside * (beside > _LITTLE)) // _A_ROW, 1)

    def whole(self) -> "pa.Table | None":
        """All rows together; None if memory may not hold them."""
        import pyarrow as pa

        held, rows = [], 0
        with closing(self.pieces()) as pieces:
            for _, piece in pieces:
                held.append(piece)
                rows += len(piece)
                if rows > self.rows_at_once():
                    return None
        return pa.concat_tables(held, promote_options="permissive")

    def rows_with(self, query: str, doc: str) -> list[tuple[str, dict[str, Any]]]:
        """The rows of a query's item, each with its file."""
        return [
            (file, row) for file, piece in self.pieces() for row in same_rows(query, doc, piece)
        ]

    def fold(self, call: "Callable[[pa.Table], Answer]", beside: int = 0) -> list[Answer]:
        """The answers of all parts, each of which has all rows of its queries."""
        with self.lock:
            rows = self.rows_at_once(beside)
            try:
                if not self._dealt:
                    with suppress(_ScatteredError), closing(self._together(rows)) as parts:
                        return [call(part) for part in parts]
                    try:
                        self._deal(rows)
                    except OSError as error:
                        raise self._no_room(error.strerror) from None
                return [call(part) for part in filter(len, map(_read, self._dealt))]
            except BaseException:
                self.forget_dealt()
                raise

    def forget_dealt(self) -> None:
        """Remove what was dealt out; done by itself, sooner or later."""
        self._dealt = []
        self._room.close()

    def _together(self, most: int) -> "Generator[pa.Table]":
        """Parts of the rows as they come, as long as no query goes on after others."""
        import pyarrow as pa

        held, rows, done, last = [], 0, set(), None
        with closing(self.pieces()) as pieces:
            for _, piece in filter(lambda each: len(each[1]), pieces):
                new = begins(piece["query_id"])
                named = piece["query_id"].take(new).to_pylist()
                others = named[named[0] == last :]
                if len({*named}) < len(named) or not done.isdisjoint(others):
                    raise _ScatteredError
                done.update(others)
                last, cut = named[-1], int(new[-1])
                if rows + cut > most and (cut or others == named):
                    yield pa.concat_tables([*held, piece.slice(0, cut)])
                    held, rows, piece = [], 0, piece.slice(cut)
                held.append(piece)
                rows += len(piece)
        if held:
            yield pa.concat_tables(held)

    def _deal(self, most: int) -> None:
        """Lay the rows down in files, in each of them all rows of some queries."""
        import pyarrow as pa

        rows = self.n_rows()
        if rows > _MANY and self.memory < _LEAST:
            raise DataError(
                f"memory={as_text(self.memory)!r} is too little to deal out {rows:,} rows by their "
                f"queries. Pass memory={as_text(_LEAST)!r} or more."
            )
        folder = TemporaryDirectory(prefix="ranking-", ignore_cleanup_errors=True)
        room = Path(self._room.enter_context(folder))
        parts = min(ceil(_FINE * rows / most), _MOST_PARTS)
        files, writers = [room / f"{part}.arrow" for part in range(parts)], []
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with ExitStack() as opened:
            pieces = opened.enter_context(closing(self.pieces()))
            pieces = (piece for _, piece in pieces if len(piece))
            for ends, dealt in in_threads(partial(_split, parts=parts), pieces):
                for file in files[len(writers) :]:
                    writer = pa.ipc.new_file(str(file), dealt.schema, options=options)
                    writers.append(opened.enter_context(writer))
                for writer, (start, stop) in zip(writers, pairwise(ends), strict=True):
                    writer.write_table(dealt.slice(start, stop - start))
        self._dealt = files
        pa.default_memory_pool().release_unused()  # what is counted next needs the room

    def _no_room(self, why: str) -> DataError:
        return DataError(
            f"{self.attrs.get('file', 'A table')} is more than memory may hold, and its rows are "
            f"not in the order of their queries, so they are dealt out into files in "
            f"{gettempdir()}, where there is no room: {why}. Set TMPDIR to a folder on a larger "
            "disk, or pass more memory."
        )


def same_rows(query: str, doc: str, piece: "pa.Table") -> list[dict[str, Any]]:
    """Those of some rows that are of a query's item."""
    import pyarrow as pa
    import pyarrow.compute as pc

    ids = [piece[name].cast(pa.large_string()) for name in ("query_id", "doc_id")]
    return piece.filter(pc.and_(pc.equal(ids[0], query), pc.equal(ids[1], doc))).to_pylist()


def begins(column: "pa.ChunkedArray") -> np.ndarray:
    """The rows whose value is not that of the row before."""
    import pyarrow.compute as pc

    differs = pc.not_equal(column.slice(1), column.slice(0, len(column) - 1))
    return np.flatnonzero(np.append(True, pc.fill_null(differs, True).to_numpy()))


def _read(file: Path) -> "pa.Table":
    import pyarrow as pa

    with pa.OSFile(str(file)) as opened:
        return pa.ipc.open_file(opened).read_all()


def _split(table: "pa.Table", parts: int) -> "tuple[np.ndarray, pa.Table]":
    """The rows of a table by a hash of their query, and where in them each part begins."""
    import pyarrow as pa

    queries = table["query_id"].combine_chunks().cast(pa.large_string()).fill_null("")
    part = (arrow_hashes(queries) % np.uint64(parts)).astype(np.uint8)
    order = np.argsort(part, kind="stable")
    ends = np.searchsorted(part[order], np.arange(parts + 1))
    return ends, table.combine_chunks().take(order)
