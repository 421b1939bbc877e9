"""Rows that memory does not hold, as they come from where they lie, and some queries at a time.

Where the rows of each query come together they are taken as they come. Where they do not, they are
dealt out once, by a hash of their query, into files of which memory holds each.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from math import ceil
from os import PathLike, fspath
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from threading import RLock
from typing import TYPE_CHECKING, Any, Self, TypeVar
from weakref import finalize

import numpy as np

from byhand.duplicates import Duplicates
from byhand.errors import DataError
from byhand.files.opening import Progress
from byhand.hashes import arrow_hashes
from byhand.naming import ColumnNames, TableKind
from byhand.parallel import in_threads
from byhand.words import Message

if TYPE_CHECKING:
    import pyarrow as pa

_A_ROW = 300  # bytes that a row of a part may take, while it is read and counted
_SOME = 1 << 19  # rows that are dealt out together
_MOST_PARTS = 200  # each of them is an open file
Answer = TypeVar("Answer")


def rows_in(memory: int) -> int:
    """How many rows so many bytes hold, while they are read and counted."""
    return max(memory // _A_ROW, 1)


class _ScatteredError(Exception):
    """A query goes on after others."""


class Stream:
    """A large table: its rows with our columns, as they come.

    Each kind says what its `pieces` are, how many rows there are in all, and whether it can be
    `checked` to have the wanted columns.

    Args:
        attrs: what is known of the table beside its rows.
        memory: how many bytes what is held of it at a time may take.
        scratch: a folder for what is dealt out; None for the system's own place for such files.
    """

    duplicates: Duplicates | None = None  # which of repeated rows stays; None refuses them

    def __init__(
        self, attrs: dict[str, Any], memory: int, scratch: str | PathLike[str] | None = None
    ) -> None:
        self.attrs, self.scratch = attrs, scratch
        self.rows_at_once = rows_in(memory)
        self.known: dict[object, Any] = {}  # what was found out already
        self.lock = RLock()  # one question at a time, whichever thread asks
        self._dealt: list[Path] = []  # files, each with all rows of some queries
        self._room = ExitStack()
        finalize(self, self._room.close)

    def checked(self, wanted: TableKind, given: ColumnNames | None) -> Self:
        """Our columns of it; a DataError if it lacks one."""
        raise NotImplementedError

    def pieces(self) -> "Iterator[tuple[str, pa.Table]]":
        """Some rows after others, each time with the file that they stand in, if it is known."""
        raise NotImplementedError

    def n_rows(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def whole(self) -> "pa.Table | None":
        """All rows together; None if memory may not hold them."""
        import pyarrow as pa

        held, rows = [], 0
        for _, piece in self.pieces():
            held.append(piece)
            rows += len(piece)
            if rows > self.rows_at_once:
                return None
        return pa.concat_tables(held, promote_options="permissive") if held else None

    def each(self, call: "Callable[[pa.Table], Answer]") -> list[tuple[str, Answer]]:
        """The answers of all pieces, with their files; a query may stand in several."""
        with self.lock:
            return [(file, call(piece)) for file, piece in self.pieces()]

    def fold(self, call: "Callable[[pa.Table], Answer]") -> list[Answer]:
        """The answers of all parts, each of which has all rows of its queries."""
        with self.lock:
            try:
                if not self._dealt:
                    try:
                        return [call(part) for part in self._together()]
                    except _ScatteredError:
                        self._deal()
                return [call(part) for part in map(_read, self._dealt) if len(part)]
            except BaseException:
                self.forget_dealt()
                raise

    def forget_dealt(self) -> None:
        """Remove what was dealt out; done by itself, sooner or later."""
        self._dealt = []
        self._room.close()

    def _together(self) -> "Iterator[pa.Table]":
        """Parts of the rows as they come, as long as no query goes on after others."""
        import pyarrow as pa

        held, rows, done, last = [], 0, set(), None
        for _, piece in filter(lambda each: len(each[1]), self.pieces()):
            new = begins(piece["query_id"])
            queries = piece["query_id"].take(new)
            if len(queries.unique()) < len(queries):
                raise _ScatteredError
            named = queries.to_pylist()
            others = named[named[0] == last :]
            if not done.isdisjoint(others):
                raise _ScatteredError
            done.update(others)
            last = named[-1]
            cut = int(new[-1])
            if rows + cut > self.rows_at_once and (cut or others == named):
                yield pa.concat_tables([*held, piece.slice(0, cut)])
                held, rows, piece = [], 0, piece.slice(cut)
            held.append(piece)
            rows += len(piece)
        if held:
            yield pa.concat_tables(held)

    def _deal(self) -> None:
        """Lay the rows down in files, in each of them all rows of some queries."""
        import pyarrow as pa

        rows = self.n_rows()
        parts = min(ceil(1.2 * rows / self.rows_at_once), _MOST_PARTS)
        room, name = self._make_room(), self.attrs.get("file", "a table")
        progress = Progress(f"{name}, dealt out by query in {room}", rows)
        writers, done = [], 0
        with ExitStack() as open_files:
            for dealt in in_threads(lambda piece: _split(piece, parts), self._some()):
                if not writers:
                    self._check_room(dealt, rows)
                    self._dealt = [room / f"{part}.arrow" for part in range(parts)]
                    for file in self._dealt:
                        writer = _writer(str(file), dealt[0].schema)
                        writers.append(open_files.enter_context(writer))
                try:
                    for writer, part in zip(writers, dealt, strict=True):
                        writer.write_table(part)
                except OSError as error:
                    raise self._too_small(str(error)) from None
                progress.at(done := done + sum(map(len, dealt)))
        progress.end()
        pa.default_memory_pool().release_unused()  # what is counted next needs the room

    def _some(self) -> "Iterator[pa.Table]":
        """Pieces of which each is worth dealing out."""
        import pyarrow as pa

        held, rows = [], 0
        for _, piece in self.pieces():
            held.append(piece)
            rows += len(piece)
            if rows >= min(_SOME, self.rows_at_once):
                yield pa.concat_tables(held)
                held, rows = [], 0
        if rows:
            yield pa.concat_tables(held)

    def _make_room(self) -> Path:
        room = scratch_folder(self.scratch)
        self._room.callback(rmtree, room, ignore_errors=True)
        return room

    def _check_room(self, dealt: "list[pa.Table]", rows: int) -> None:
        """Refuse to begin what the disk would not hold, going by the first rows."""
        import pyarrow as pa

        some, written = pa.concat_tables(dealt), pa.BufferOutputStream()
        with _writer(written, some.schema) as writer:
            writer.write_table(some)
        needed = written.tell() / len(some) * rows
        free = shutil.disk_usage(self._where).free
        if needed > free:
            raise self._too_small(needed / 1e9, free / 1e9)

    @property
    def _where(self) -> str:
        return fspath(self.scratch or gettempdir())

    def _too_small(self, needed: float, free: float) -> DataError:
        unnamed = Message("A table")
        return DataError(
            "{file} is more than memory may hold and its rows lie in no order of their queries, "
            "so they are dealt out into files in {where}, which is too small: {needed:,.1f} GB "
            "are needed, {free:,.1f} GB free. Name a folder on a larger disk, as in scan_run(…, "
            "scratch='/large/disk') or by TMPDIR, or give more memory.",
            [self.attrs.get("file", unnamed), self._where, needed, free],
        )


def scratch_folder(place: str | PathLike[str] | None) -> Path:
    """A new folder in a place, or where the system has such."""
    try:
        return Path(mkdtemp(prefix="ranking-", dir=place))
    except OSError as error:
        raise DataError(
            "scratch={place!r} cannot be written to: {error}.", [place, error.strerror]
        ) from None


def _writer(
    place: "str | pa.BufferOutputStream", schema: "pa.Schema"
) -> "pa.ipc.RecordBatchFileWriter":
    import pyarrow as pa

    options = pa.ipc.IpcWriteOptions(compression="zstd")
    return pa.ipc.new_file(place, schema, options=options)


def _read(file: Path) -> "pa.Table":
    import pyarrow as pa

    with pa.memory_map(str(file)) as mapped:
        return pa.ipc.open_file(mapped).read_all()


def begins(column: "pa.ChunkedArray") -> np.ndarray:
    """The rows whose value is not that of the row before."""
    import pyarrow.compute as pc

    differs = pc.not_equal(column.slice(1), column.slice(0, len(column) - 1))
    return np.flatnonzero(np.append(True, pc.fill_null(differs, True).to_numpy()))


def _split(table: "pa.Table", parts: int) -> "list[pa.Table]":
    """The rows of a table by a hash of their query."""
    import pyarrow as pa

    queries = table["query_id"].combine_chunks()
    coded = queries.dictionary_encode(null_encoding="encode")
    hashes = arrow_hashes(coded.dictionary.cast(pa.large_string()))
    part = (hashes % np.uint64(parts)).astype(np.uint8)[coded.indices.to_numpy()]
    order = np.argsort(part, kind="stable")
    dealt = table.take(order)
    ends = np.searchsorted(part[order], np.arange(parts + 1))
    return [dealt.slice(start, stop - start) for start, stop in pairwise(ends)]
