"""A file on disk as blocks of whole lines: opened, unpacked, and why it may be no text."""

import gzip
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, Self

from helpers.errors import DataError

HEAD = 1 << 16
BLOCK = 1 << 24
_BOM = b"\xef\xbb\xbf"
_AS_TEXT = "Save it as CSV with UTF-8 text."
_AS_GZIP = "Unpack it first; of packed files only gzip is read."
_PAGE = ("an HTML page", "Download the file itself, not the page that shows it.")
_OTHER_KINDS = {
    b"PK\x03\x04": (
        "a zip archive or an Excel workbook",
        "Unpack the archive, or save the sheet as CSV with UTF-8 text.",
    ),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", _AS_TEXT),
    b"BZh91AY": ("packed with bzip2", _AS_GZIP),
    b"\xfd7zXZ": ("packed with xz", _AS_GZIP),
    b"\x28\xb5\x2f\xfd": ("packed with zstd", _AS_GZIP),
    b"ARROW1\0\0": (
        "an Arrow (Feather) file",
        "Save it as Parquet: pandas' read_feather, to_parquet.",
    ),
    b"\x89HDF": ("an HDF5 file", "Save its table as Parquet, for example with pandas."),
    b"\x93NUMPY": ("a numpy array", "Save a table with named columns, as CSV or Parquet."),
    b"\x80": ("a Python pickle", "Save its table as Parquet, for example with pandas' to_parquet."),
    b"SQLite format": ("an SQLite database", "Export its table as CSV."),
    b"%PDF": ("a PDF", _AS_TEXT),
    b"\xff\xfe": ("text in UTF-16", "Save it as UTF-8."),
    b"\xfe\xff": ("text in UTF-16", "Save it as UTF-8."),
    b"<!doctype html": _PAGE,
    b"<!DOCTYPE html": _PAGE,
    b"<html>": _PAGE,
    b"<html lang": _PAGE,
    b"version https://git-lfs": (
        "only a pointer of Git LFS, not the data",
        "Fetch the data with `git lfs pull`.",
    ),
}


@dataclass(frozen=True)
class File:
    """A file that is there, is no folder and is not empty; its format has still to be found.

    Attributes:
        path: where it is.
        name: the path as the user wrote it, for messages.
        gzipped: whether it is packed.
        head: its first bytes, unpacked, without a byte order mark.
    """

    path: Path
    name: str
    gzipped: bool = False
    head: bytes = b""

    @classmethod
    def at(cls, path: str | PathLike[str]) -> Self:
        """Open a file and look at its beginning.

        Raises:
            DataError: no path, no such file, a folder, or an empty, unreadable or torn file.
        """
        try:
            file = cls(Path(path), fspath(path))
        except TypeError:
            raise DataError(
                f"A {type(path).__name__} is not the path of a file. Pass the path as text; a "
                "table in memory needs no reading: evaluate takes a DataFrame as it is."
            ) from None
        with file._reading(), open(file.path, "rb") as handle:
            start = handle.read(2)
        if not start:
            raise DataError(f"{file.name} is empty: 0 bytes. Was it written to its end?")
        file = cls(file.path, file.name, start == b"\x1f\x8b")
        with file.open() as handle:
            head = handle.read(HEAD).removeprefix(_BOM)
        if not head.strip():
            raise DataError(f"{file.name} holds nothing but blank space. Was it written fully?")
        return cls(file.path, file.name, file.gzipped, head)

    @property
    def is_text(self) -> bool:
        """Whether the content is lines of text that are not known to hold no table."""
        return not self._not_text()

    def refusal(self) -> DataError:
        """What to say of a file of no format that is read."""
        return DataError(f"{self.name} {self._not_text() or 'holds no table that is known here.'}")

    def _not_text(self) -> str:
        for mark, (kind, mend) in _OTHER_KINDS.items():
            if self.head.startswith(mark):
                return f"is {kind}. {mend}"
        if b"\0" in self.head:
            return (
                f"is a binary file, not text: byte {self.head.index(0)} is zero. "
                "Expected a TREC file, CSV, TSV, JSON Lines or Parquet."
            )
        if b"\r" in self.head[:-1] and b"\n" not in self.head:
            return (
                "ends its lines with bare carriage returns, as old Macs did. "
                "Save it with Unix or Windows line ends."
            )
        return ""

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn what the system says about a file into what its owner can do."""
        try:
            yield
        except FileNotFoundError:
            raise DataError(f"There is no file {self.name}. {_near(self.path)}") from None
        except IsADirectoryError:
            raise DataError(f"{self.name} is a folder. Pass the path of one file in it.") from None
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise DataError(
                f"{self.name} is torn: it begins as a gzip file but cannot be unpacked to its end "
                f"({error}). Download or pack it again."
            ) from None
        except OSError as error:
            raise DataError(f"{self.name} cannot be read: {error.strerror or error}.") from None

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The unpacked content, from its first byte."""
        with self._reading(), open(self.path, "rb") as raw, self._unpacked(raw) as handle:
            yield handle

    def _unpacked(self, raw: BinaryIO) -> BinaryIO:
        return gzip.GzipFile(fileobj=raw) if self.gzipped else raw

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line that is not blank, with its number from 1 and without its line end."""
        with self.open() as handle:
            for number, line in enumerate(handle, start=1):
                if number == 1:
                    line = line.removeprefix(_BOM)
                line = line.rstrip(b"\r\n")
                if line.strip():
                    yield number, line

    def blocks(self) -> Iterator[bytes]:
        """The content in blocks of whole lines, telling how far it is if that takes long."""
        progress = Progress(self.name, self.path.stat().st_size)
        with self._reading(), open(self.path, "rb") as raw, self._unpacked(raw) as handle:
            rest = handle.read(len(_BOM)).removeprefix(_BOM)
            while data := handle.read(BLOCK):
                if b"\0" in data:
                    raise self._torn()
                end = data.rfind(b"\n") + 1
                if end:
                    yield rest + data[:end]
                    rest = data[end:]
                else:
                    rest += data
                progress.at(raw.tell())
            if rest:
                yield rest
        progress.end()

    def _torn(self) -> DataError:
        line = next((n for n, line in self.lines() if b"\0" in line), 1)
        return DataError(
            f"{self.name}, line {line} holds a zero byte, which is no text: the file is torn. "
            "Write, copy or download it again."
        )


def _near(path: Path) -> str:
    """What stands where a missing file was looked for."""
    folder = "the current folder" if path.parent == Path() else str(path.parent)
    if not path.parent.is_dir():
        return f"Nor is there a folder {folder}: check the path."
    names = [found.name for found in path.parent.iterdir()]
    close = get_close_matches(path.name, names, n=1)
    likely = f" Did you mean {close[0]!r}?" if close else ""
    return f"Looked in {folder}, which holds {len(names)} other names: check the path.{likely}"


class Progress:
    """One line that says how far a long read is: on stderr, in a notebook below the cell."""

    def __init__(self, name: str, total: int) -> None:
        self._name, self._total = name, max(total, 1)
        self._next = time.monotonic() + 2
        self._shown = False

    def at(self, done: int) -> None:
        """Tell how much is done, if it is time to."""
        now = time.monotonic()
        if now >= self._next:
            self._show(f"{min(done / self._total, 1):4.0%}")
            self._next = now + (2 if _in_notebook() else 0.5)

    def end(self) -> None:
        """Close the line, if there is one."""
        if self._shown:
            self._show("100%", end="\n")

    def _show(self, share: str, end: str = "") -> None:
        stream = sys.stdout if _in_notebook() else sys.stderr
        # a log keeps every line it gets: one is enough
        if stream.isatty() or _in_notebook():
            print(f"\rReading {self._name}: {share}", end=end, file=stream, flush=True)
        elif not self._shown:
            print(f"Reading {self._name} …", file=stream, flush=True)
        self._shown = True


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return hasattr(shell, "kernel")
