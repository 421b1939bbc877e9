"""Open a file: recognise its content from the first bytes, and read blocks of whole lines."""

import codecs
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import file_digest
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, Self

from byhand.errors import DataError
from byhand.files.paths import is_pipe, matched, near, read_pipe, refuse_odd


@dataclass
class Limits:
    """The amounts that are read at a time: bytes, except for `rows`."""

    head: int = 1 << 16  # the beginning, which decides the format
    block: int = 1 << 23  # parsed at a time
    thread: int = 1 << 22  # parsed by one thread of pyarrow
    rows: int = 100_000  # yielded at a time by Python's parsers
    line: int = 1 << 26  # the longest line


LIMITS = Limits()
BOM = b"\xef\xbb\xbf"
_CUT = " The file ends in the middle of that line: was it written and copied completely?"
_CSV = "Save it as CSV with UTF-8 text."
_PARQUET = "Save its table as Parquet, for example with pandas' to_parquet."
_UNPACK = "Decompress it first: only gzip files can be read as they are."
_OTHERS = {  # first bytes: what the file is, and what to do
    b"PK\x03\x04": "a zip archive or an Excel workbook. Unpack the archive, or save the sheet as "
    "CSV with UTF-8 text.",
    b"\xd0\xcf\x11\xe0": f"an old Excel workbook. {_CSV}",
    b"BZh91AY": f"compressed with bzip2. {_UNPACK}",
    b"\xfd7zXZ": f"compressed with xz. {_UNPACK}",
    b"\x28\xb5\x2f\xfd": f"compressed with zstd. {_UNPACK}",
    b"\x04\x22\x4d\x18": "compressed with lz4. Decompress it first. ranx does not compress files "
    "whose name ends in .json.",
    b"ARROW1\0\0": f"an Arrow (Feather) file. {_PARQUET}",
    b"\x89HDF": f"an HDF5 file. {_PARQUET}",
    b"\x93NUMPY": f"a numpy array. {_PARQUET}",
    b"\x80": f"a Python pickle. {_PARQUET}",
    b"SQLite format": f"an SQLite database. {_CSV}",
    b"%PDF": f"a PDF. {_CSV}",
    b"version https://git-lfs": "only a Git LFS pointer, not the data. Fetch the data with "
    "`git lfs pull`.",
}
_PAGE = "an HTML page. Download the file itself, not the page that shows it."
_OTHERS |= dict.fromkeys((b"<!doctype html", b"<!DOCTYPE html", b"<html>", b"<html lang"), _PAGE)
_TOPICS = (
    "a TREC topics file with tags. Texts can be read from CSV, TSV, JSON Lines and Parquet: write "
    "the columns query_id and text."
)
_OTHERS |= dict.fromkeys((b"<top>", b"<topic"), _TOPICS)


@dataclass(frozen=True)
class File:
    """An existing file that is not empty."""

    path: Path
    name: str  # the path as the user wrote it, for messages
    stamp: tuple[int, ...] = ()  # device, inode, size and time at opening; pipes: ()
    content: bytes | None = None  # of a pipe, or UTF-16 converted to UTF-8
    gzipped: bool = False
    head: bytes = b""  # the first bytes, unpacked, without a BOM
    last: bytes = b""  # the last byte, unless packed: gzip detects truncation itself

    @classmethod
    def at(cls, path: str | PathLike[str]) -> Self:
        """Open a file and read its beginning."""
        if not isinstance(path, str | PathLike):
            raise DataError(
                f"Expected the path of a file, but got a value of type {type(path).__name__}. Pass "
                "the path as text. To evaluate a table in memory, pass it to evaluate directly."
            )
        place, name = Path(path).absolute(), fspath(path)
        refuse_odd(name)
        with _explained(place, name):
            piped = is_pipe(name)
            content = b"".join(read_pipe(name)) if piped else None
            file = cls(place, name, () if piped else _stamp(place), content)
            with file._raw() as raw:
                return file._looked_at(raw)

    def _looked_at(self, raw: BinaryIO) -> Self:
        """Return the file with what its first and last bytes show."""
        start, name = raw.read(2), self.name
        if not start:
            raise DataError(f"{name} is empty: 0 bytes. Write or copy it again.")
        raw.seek(0)
        gzipped = start == b"\x1f\x8b"
        handle = gzip.GzipFile(fileobj=raw) if gzipped else raw
        content = self.content
        head = handle.read(LIMITS.head)
        if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            try:
                content, gzipped = (head + handle.read()).decode("utf-16").encode(), False
            except UnicodeError as error:
                raise DataError(
                    f"{name} is damaged: it begins as UTF-16 text but is not valid UTF-16 "
                    f"throughout ({error.reason}). Save it again, preferably as UTF-8."
                ) from None
            handle = raw = io.BytesIO(content)
            head = handle.read(LIMITS.head)
        head = head.removeprefix(BOM)
        while not head.strip() and (more := handle.read(LIMITS.head)):
            head = more
        if not head.strip():
            raise DataError(f"{name} contains only blanks. Write or copy it again.")
        raw.seek(-1, os.SEEK_END)
        last = b"" if gzipped else raw.read(1)
        return replace(self, content=content, gzipped=gzipped, head=head, last=last)

    def refuse_other(self) -> None:
        """Refuse content that is not text."""
        for mark, what in _OTHERS.items():
            if self.head.startswith(mark):
                raise DataError(f"{self.name} is {what}")
        if b"\0" in self.head:
            raise DataError(
                f"{self.name} is a binary file, not text: byte {self.head.index(0)} is zero. "
                "Expected a TREC file, CSV, TSV, JSON or Parquet."
            )

    def _raw(self) -> BinaryIO:
        return open(self.path, "rb") if self.content is None else io.BytesIO(self.content)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the unpacked content."""
        with _explained(self.path, self.name), self._raw() as raw:
            yield gzip.GzipFile(fileobj=raw) if self.gzipped else raw

    @cached_property
    def sha256(self) -> str:
        """Return the hash of the file, which must not have changed since it was opened."""
        with self.unchanged(), _explained(self.path, self.name), self._raw() as raw:
            return file_digest(raw, "sha256").hexdigest()

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Raise a DataError if the file changed since it was opened."""
        try:
            yield
        except DataError:
            self._refuse_changed()
            raise
        self._refuse_changed()

    def _refuse_changed(self) -> None:
        with _explained(self.path, self.name):
            now = _stamp(self.path) if self.stamp else ()
        if now != self.stamp:
            had, has = self.stamp[2], now[2]
            sizes = "" if has == had else f": it had {had:,} bytes, now it has {has:,}"
            raise DataError(
                f"{self.name} changed while it was read{sizes}. Read it again once no program is "
                "writing to it."
            )

    def blocks(self, size: int = 0) -> Iterator[bytes | bytearray]:
        """Yield blocks of whole lines, split only where `bytes.splitlines` would split."""
        with self.open() as handle:
            size, lines, done = size or LIMITS.block, 0, 0
            rest = handle.read(len(BOM)).removeprefix(BOM)
            while len(data := _after(rest, handle, max(size, len(rest)))) > len(rest):
                # a final carriage return may be the first half of a line break
                end = max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) + 1
                rest, done = data[end:], done + end
                if len(rest) > LIMITS.line:
                    raise DataError(
                        f"{self.name} has a line of more than {LIMITS.line:,} bytes, which begins "
                        f"at byte {done:,}. Expected each row on a line of its own: add line "
                        "breaks."
                    )
                if end:
                    del data[end:]
                    yield self._whole(data, lines)
                    lines += line_ends(data)
            if rest:
                yield self._whole(rest, lines)

    def _whole(self, block: bytes | bytearray, lines: int = 0) -> bytes | bytearray:
        """Return a block after `lines` lines; refuse zero bytes."""
        if (zero := block.find(0)) >= 0:
            raise DataError(
                f"{self.name}, line {lines + line_ends(block[:zero]) + 1} contains a zero byte, "
                "which is not text: the file is damaged. Write, copy or download it again."
            )
        return block

    def text(self) -> str:
        """Return the whole content; raise a DataError if it is not UTF-8."""
        with self.open() as handle:
            content = self._whole(handle.read().removeprefix(BOM))
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            begins = content.rfind(b"\n", 0, error.start) + 1
            line = content[begins : error.end + 10]
            return self.decoded(line, content.count(b"\n", 0, begins) + 1)

    def lines(self, size: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield every line with its number from 1, and with its line break."""
        number = 0
        for block in self.blocks(size):
            for line in bytes(block).splitlines(keepends=True):
                number += 1
                yield number, line

    def decoded(self, line: bytes, number: int) -> str:
        """Return a line as text; raise a DataError if it is not UTF-8."""
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            around = line[max(error.start - 10, 0) : error.start + 10]
            around = around.decode("latin-1").rstrip("\r\n")
            raise DataError(
                f"{self.name}, line {number} contains the byte 0x{line[error.start]:02x}, which "
                f"is not UTF-8 text. Read as Latin-1 it would be {around!r}; if that looks right, "
                "save the file as UTF-8 (in a spreadsheet: CSV UTF-8)."
            ) from None

    def if_cut(self, number: int) -> str:
        """Return a hint if a line is the last one and has no line break, or ""."""
        last, line = 0, b""
        for last, line in self.lines():  # noqa: B007
            pass
        return _CUT * (number >= last and not line.endswith((b"\r", b"\n")))


def line_ends(block: bytes | bytearray) -> int:
    """Count the line breaks in a block."""
    carriages = block.count(b"\r")
    return block.count(b"\n") + carriages - (block.count(b"\r\n") if carriages else 0)


def _after(rest: bytes | bytearray, handle: BinaryIO, size: int) -> bytearray:
    """Return the rest of a block and the next `size` bytes, with only one copy."""
    data = bytearray(len(rest) + size)
    data[: len(rest)] = rest
    with memoryview(data) as view:
        found = handle.readinto(view[len(rest) :])
    del data[len(rest) + found :]
    return data


def _stamp(path: Path) -> tuple[int, ...]:
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


@contextmanager
def _explained(path: Path, name: str) -> Iterator[None]:
    """Turn errors of the operating system into a DataError."""
    try:
        yield
    except FileNotFoundError:
        raise DataError(f"There is no file {name}. {near(Path(name))}") from None
    except IsADirectoryError:
        raise DataError(f"{name} is a folder. Pass the path of one file in it.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(
            f"{name} is damaged: it begins as a gzip file but cannot be unpacked completely "
            f"({error}). Download or compress it again."
        ) from None
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror or error}.") from None


def originals(paths: object) -> list[File]:
    """Return the files of some paths, without pipes and unreadable files."""
    found = []
    with suppress(OSError, DataError):
        for path in matched(paths):
            if not is_pipe(path):
                found.append(File(Path(path).absolute(), fspath(path), _stamp(Path(path))))
    return found
