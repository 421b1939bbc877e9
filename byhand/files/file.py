"""Files: what a path leads to, as blocks of whole lines; and files that are written."""

import codecs
import gzip
import io
import os
import re
import stat
import sys
import tempfile
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from glob import glob, has_magic
from hashlib import file_digest
from os import PathLike, fspath
from pathlib import Path
from shutil import rmtree
from typing import BinaryIO, Self

from byhand.errors import DataError

HEAD = 1 << 16
BLOCK = 1 << 23
LONGEST = 1 << 26
BLANK = 1 << 20  # no table holds so much of nothing, and Python counts its lines one by one
BOM = b"\xef\xbb\xbf"

_AS_TEXT = "Save it as CSV with UTF-8 text."
_AS_GZIP = "Unpack it first; of packed files only gzip is read."
_AS_PARQUET = "Save its table as Parquet, for example with pandas' to_parquet."
# contents that are no table, and what to do with each
_NO_TABLES = {
    b"PK\x03\x04": "a zip archive or an Excel workbook. Unpack the archive, or save the sheet as "
    "CSV with UTF-8 text.",
    b"\xd0\xcf\x11\xe0": f"an old Excel workbook. {_AS_TEXT}",
    b"BZh91AY": f"packed with bzip2. {_AS_GZIP}",
    b"\xfd7zXZ": f"packed with xz. {_AS_GZIP}",
    b"\x28\xb5\x2f\xfd": f"packed with zstd. {_AS_GZIP}",
    b"\x04\x22\x4d\x18": "packed with lz4. Unpack it first; ranx saves under a name that ends in "
    ".json without packing.",
    b"ARROW1\0\0": "an Arrow (Feather) file. Save it as Parquet: pandas' read_feather, to_parquet.",
    b"\x89HDF": f"an HDF5 file. {_AS_PARQUET}",
    b"\x93NUMPY": "a numpy array. Save a table with named columns, as CSV or Parquet.",
    b"\x80": f"a Python pickle. {_AS_PARQUET}",
    b"SQLite format": "an SQLite database. Export its table as CSV.",
    b"%PDF": f"a PDF. {_AS_TEXT}",
    b"version https://git-lfs": "only a pointer of Git LFS, not the data. Fetch the data with "
    "`git lfs pull`.",
} | dict.fromkeys(
    (b"<!doctype html", b"<!DOCTYPE html", b"<html>", b"<html lang"),
    "an HTML page. Download the file itself, not the page that shows it.",
)


@dataclass(frozen=True)
class File:
    """A file that is there, is no folder and is not empty; its format has still to be found."""

    path: Path
    name: str  # the path as the user wrote it, for messages
    stamp: tuple[int, ...] = ()  # device, number, size and time when it was opened; none of a pipe
    content: bytes | None = None  # of a pipe, which is read only once; the UTF-8 of UTF-16
    gzipped: bool = False
    head: bytes = b""  # the first bytes that are not all blank, unpacked, without a mark of order

    @classmethod
    def at(cls, path: str | PathLike[str]) -> Self:
        """Open a file and look at its beginning."""
        try:
            place, name = Path(path).absolute(), fspath(path)
        except TypeError:
            raise DataError(
                f"A {type(path).__name__} is not the path of a file. Pass the path as text; a "
                "table in memory needs no reading: evaluate takes a DataFrame as it is."
            ) from None
        _refuse_odd(name)
        with _explained(place, name):
            piped = is_pipe(name)
            content = b"".join(read_pipe(name)) if piped else None
            file = cls(place, name, () if piped else _stamp(place), content)
            with file._raw() as handle:
                start = handle.read(2)
        if not start:
            raise DataError(f"{name} is empty: 0 bytes. Was it written to its end?")
        file = replace(file, gzipped=start == b"\x1f\x8b")
        with file.open() as handle:
            if handle.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
                handle.seek(0)
                file = replace(file, content=_from_wide(handle.read(), name), gzipped=False)
        with file.open() as handle:
            head = handle.read(HEAD).removeprefix(BOM)
            while not head.strip() and (more := handle.read(HEAD)):
                head = more
        if not head.strip():
            raise DataError(f"{name} holds nothing but blank space. Was it written fully?")
        return replace(file, head=head)

    @cached_property
    def no_table(self) -> str:
        """Why the content is no text that could hold a table; empty if it may be one."""
        for mark, kind in _NO_TABLES.items():
            if self.head.startswith(mark):
                return f"is {kind}"
        if b"\0" in self.head:
            zero = self.head.index(0)
            expected = "Expected a TREC file, CSV, TSV, JSON or Parquet."
            return f"is a binary file, not text: byte {zero} is zero. {expected}"
        return ""

    def _raw(self) -> BinaryIO:
        return open(self.path, "rb") if self.content is None else io.BytesIO(self.content)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The unpacked content, from its first byte."""
        with _explained(self.path, self.name), self._raw() as raw:
            yield gzip.GzipFile(fileobj=raw) if self.gzipped else raw

    @cached_property
    def sha256(self) -> str:
        """The hash of the bytes that the file had when it was opened; refused if it has others."""
        with self.unchanged(), _explained(self.path, self.name), self._raw() as raw:
            return file_digest(raw, "sha256").hexdigest()

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Refuse what was read inside if the file is not the one that was opened any more."""
        try:
            yield
        except DataError:
            self._refuse_changed()
            raise
        self._refuse_changed()

    def _refuse_changed(self) -> None:
        if not self.stamp:
            return
        with _explained(self.path, self.name):
            now = _stamp(self.path)
        if now != self.stamp:
            sizes = f"it had {self.stamp[2]:,} bytes, and now has {now[2]:,}"
            raise DataError(
                f"{self.name} changed while it was read: {sizes}. Read it again when nothing "
                "writes to it any more."
            )

    def blocks(self, size: int = 0) -> Iterator[bytes | bytearray]:
        """The content in blocks of whole lines, which end as `bytes.splitlines` has it."""
        for block in self._whole_lines(size or BLOCK):
            if b"\0" in block:
                lines = _numbered(self._whole_lines(BLOCK))
                raise self._torn_in(next(number for number, line in lines if b"\0" in line))
            yield block

    def _torn_in(self, line: int) -> DataError:
        return DataError(
            f"{self.name}, line {line} holds a zero byte, which is no text: the file is torn. "
            "Write, copy or download it again."
        )

    def _whole_lines(self, size: int) -> Iterator[bytes | bytearray]:
        with self._told() as (handle, tell):
            rest, done, blank = handle.read(len(BOM)).removeprefix(BOM), 0, 0
            while len(data := _after(rest, handle, max(size, len(rest)))) > len(rest):
                if len(data) > LONGEST:
                    self._refuse_long(data, done)
                # at the very end a carriage return may be the first half of a line end
                end = max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) + 1
                rest, done = data[end:], done + end
                if end:
                    del data[end:]
                    blank = blank + end if data.isspace() else 0
                    if blank > BLANK:
                        raise DataError(
                            f"{self.name} holds {blank:,} bytes of blank space, from byte "
                            f"{done - blank:,} on. Was it written fully?"
                        )
                    yield data
                tell()
            if rest:
                yield rest

    def _refuse_long(self, data: bytearray, place: int) -> None:
        for line in data.splitlines(keepends=True):
            if len(line) > LONGEST:
                raise DataError(
                    f"{self.name} has a line of more than {LONGEST:,} bytes, which begins at byte "
                    f"{place:,}. Expected a line for each row: write line ends."
                )
            place += len(line)

    def text(self) -> str:
        """The whole content; a DataError if it is not UTF-8."""
        with self.open() as handle:
            content = handle.read().removeprefix(BOM)
        if (zero := content.find(b"\0")) >= 0:
            raise self._torn_in(content.count(b"\n", 0, zero) + 1)
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            begins = content.rfind(b"\n", 0, error.start) + 1
            line = content[begins : error.end + 10]
            return self.decoded(line, content.count(b"\n", 0, begins) + 1)

    @contextmanager
    def _told(self) -> Iterator[tuple[BinaryIO, Callable[[], None]]]:
        """The content to be read, and what tells how far that is, if it takes long."""
        with self.open() as handle:
            packed = getattr(handle, "fileobj", handle)
            total = self.stamp[2] if self.content is None else len(self.content)
            progress = Progress(self.name, total)
            yield handle, lambda: progress.at(packed.tell())
            progress.end()

    def lines(self, size: int = 0) -> Iterator[tuple[int, bytes]]:
        """Every line with its number from 1, and with its line end."""
        return _numbered(self.blocks(size))

    def filled_lines(self, size: int = 0) -> Iterator[tuple[int, bytes]]:
        """Every line that is not blank, with its number from 1 and without its line end."""
        for number, line in self.lines(size):
            if line.strip():
                yield number, line.rstrip(b"\r\n")

    def decoded(self, line: bytes, number: int) -> str:
        """A line as text; a DataError if its bytes are not UTF-8."""
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            near = line[max(error.start - 10, 0) : error.start + 10].decode("latin-1")
            raise DataError(
                f"{self.name}, line {number} holds the byte 0x{line[error.start]:02x}, which is "
                f"not UTF-8 text. Read as Latin-1 it would be {near!r}; if that looks right, save "
                "the file as UTF-8 (in a spreadsheet: CSV UTF-8)."
            ) from None

    def if_cut(self, number: int) -> str:
        """What to add to a complaint about a line, if it is the last and nothing ends it."""
        ((last, line),) = deque(self.lines(), maxlen=1)
        if number < last or line.endswith((b"\r", b"\n")):
            return ""
        return " The file ends in the middle of that line: was it written, or copied, to its end?"

    @property
    def last_byte(self) -> bytes:
        """The last byte of a content that is not packed: what packs a file does so to its end."""
        if self.gzipped:
            return b""
        with self.open() as handle:
            handle.seek(-1, os.SEEK_END)
            return handle.read(1)


def _from_wide(content: bytes, name: str) -> bytes:
    """The UTF-8 of a text in UTF-16 that a mark begins."""
    try:
        return content.decode("utf-16").encode()
    except UnicodeError as error:
        raise DataError(
            f"{name} is torn: it begins as text in UTF-16 and goes on as something else "
            f"({error.reason}). Save it anew, best as UTF-8."
        ) from None


def _after(rest: bytes | bytearray, handle: BinaryIO, size: int) -> bytearray:
    """What is left of a block, and the next so many bytes behind it, copied only once."""
    data = bytearray(len(rest) + size)
    data[: len(rest)] = rest
    with memoryview(data) as view:
        found = handle.readinto(view[len(rest) :])
    del data[len(rest) + found :]
    return data


def _numbered(blocks: Iterator[bytes | bytearray]) -> Iterator[tuple[int, bytes]]:
    number = 0
    for block in blocks:
        for line in bytes(block).splitlines(keepends=True):
            number += 1
            yield number, line


def _stamp(path: Path) -> tuple[int, ...]:
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


@contextmanager
def _explained(path: Path, name: str) -> Iterator[None]:
    """Turn what the system says about a file into what its owner can do."""
    try:
        yield
    except FileNotFoundError:
        raise DataError(f"There is no file {name}. {near(Path(name))}") from None
    except IsADirectoryError:
        raise DataError(f"{name} is a folder. Pass the path of one file in it.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(
            f"{name} is torn: it begins as a gzip file but cannot be unpacked to its end "
            f"({error}). Download or pack it again."
        ) from None
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror or error}.") from None


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


_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+):/", re.IGNORECASE)  # a drive has one letter
_PANDAS = {"csv": "csv({!r})", "parquet": "parquet({!r})", "jsonl": "json({!r}, lines=True)"}


def _refuse_odd(path: str) -> None:
    """Refuse what is no path: an address of another host, nothing at all, or with a zero byte."""
    if not path:
        raise DataError("A path is empty. Name a file, a folder or a glob.")
    if "\0" in path:
        raise DataError(f"{path!r} holds a zero byte, which no path does.")
    if not (scheme := _ADDRESS.match(path)) or os.path.exists(path):
        return
    if scheme[1].lower() == "file":
        local = f"/{path[scheme.end() :].lstrip('/')}"
        raise DataError(f"{path} is an address. Name the file by its path, as in {local}.")
    address = path if "://" in path else path.replace(":/", "://", 1)  # as `Path` shortens it
    ways = ""
    if read := _PANDAS.get(address.rpartition(".")[2].lower()):
        pandas = "" if has_magic(path) else f"pandas reads it, pd.read_{read.format(address)}, and "
        asked = f"duckdb.sql({f'FROM {address!r}'!r})"
        ways = f" In Python, {pandas}DuckDB asks it where it lies, {asked}: pass what you get."
    raise DataError(
        f"{address} is an address, and only files on this machine are read. Download it, or mount "
        f"what it is in as a folder, and name the path there.{ways}"
    )


PATIENCE = 1.0  # seconds that whoever writes into a pipe may take to start
Paths = str | PathLike[str] | Sequence[str | PathLike[str]]
_NO_FILES = {
    stat.S_IFCHR: "a device, such as a terminal",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def near(path: Path) -> str:
    """What stands where a missing file was looked for."""
    if path.is_symlink():
        return f"It is a link to {path.readlink()}, which is not there: mend the link."
    folder = "the current folder" if path.parent == Path() else str(path.parent)
    if not path.parent.is_dir():
        return f"Nor is there a folder {folder}: check the path."
    try:
        names = [found.name for found in path.parent.iterdir()]
    except OSError as error:
        return f"The folder {folder} cannot be listed: {error.strerror}."
    close = get_close_matches(path.name, names, n=1)
    likely = f" Did you mean {close[0]!r}?" if close else ""
    return f"Looked in {folder}, which holds {len(names)} other names: check the path.{likely}"


def is_paths(held: object) -> bool:
    """Whether something is a path, or a list of paths."""
    several = held if isinstance(held, list | tuple) else [held]
    return bool(several) and all(isinstance(each, str | PathLike) for each in several)


def are_one(one: object, other: object) -> bool:
    """Whether two paths lead to one file, or two names to one table."""
    if isinstance(one, str | PathLike) and isinstance(other, str | PathLike):
        return Path(one).resolve() == Path(other).resolve()
    return one is other


def is_glob(path: str) -> bool:
    """Whether a path is a pattern, and not a file that happens to be called so."""
    return has_magic(path) and not os.path.exists(path)


def matched(paths: object) -> list:
    """Every file that a path, a folder, a glob or a list of them stands for.

    What is no path comes back as it is, for `File.at` to complain about.
    """
    if isinstance(paths, list | tuple) and paths:
        odd = [each for each in paths if not isinstance(each, str | PathLike)]
        return odd[:1] or [file for each in paths for file in matched(each)]
    if not isinstance(paths, str | PathLike):
        return [paths]
    name = fspath(paths)
    _refuse_odd(name)
    if os.path.isdir(name):
        found = [file for file, passed_over in _files_in(name) if not passed_over]
        if not found:
            raise DataError(f"The folder {name} holds no files. Expected those of a table.")
        return found
    if not is_glob(name):
        return [name]
    places, found = sorted(glob(name, recursive=True)), []
    for place in places:
        if not os.path.isdir(place):  # a link that leads nowhere is complained about
            found.append(place)
        elif "**" not in name:  # else what is in it is matched itself
            found += [file for file, passed_over in _files_in(place) if not passed_over]
    if not found:
        raise DataError(f"{name} matches no file. {near(Path(name))}")
    return found


def originals(paths: object) -> list[File]:
    """The files that paths stand for, as they are now; no pipe, nor what reading complains of."""
    found = []
    with suppress(OSError, DataError):
        for path in matched(paths):
            if not is_pipe(path):
                found.append(File(Path(path).absolute(), fspath(path), _stamp(Path(path))))
    return found


def passed_over(paths: object) -> list[str]:
    """The files that `matched` leaves out of folders, as far as they may be some of the table."""
    if isinstance(paths, list | tuple):
        return [file for each in paths for file in passed_over(each)]
    if not isinstance(paths, str | PathLike):
        return []
    if not os.path.isdir(paths):
        folders = [each for each in glob(fspath(paths)) if os.path.isdir(each)]
        return passed_over(folders)
    files = [*_files_in(fspath(paths))]
    endings = {Path(file).suffix for file, passed in files if not passed}
    left = (file for file, passed in files if passed and Path(file).suffix in endings)
    return [file for file in left if os.path.isfile(file) and os.path.getsize(file)]


def _files_in(folder: str) -> Iterator[tuple[str, bool]]:
    """Every file below a folder, and whether it is passed over, as engines leave marks there.

    Such marks begin with a dot or an underscore, or are in a folder that does.
    """

    def refuse(error: OSError) -> None:
        raise DataError(f"The folder {error.filename} cannot be listed: {error.strerror}.")

    found = []
    for here, _, names in os.walk(folder, onerror=refuse, followlinks=True):
        found += [Path(here, name) for name in names]
    for place in sorted(found):
        parts = place.relative_to(folder).parts
        yield str(place), any(part.startswith((".", "_")) for part in parts)


def is_pipe(path: str | PathLike[str]) -> bool:
    """Whether a path leads to a pipe and not to a file on disk."""
    mode = os.stat(path).st_mode
    if kind := _NO_FILES.get(stat.S_IFMT(mode)):
        raise DataError(f"{fspath(path)} is {kind}, not a file. Save the data as a file first.")
    return stat.S_ISFIFO(mode)


def read_pipe(path: str | PathLike[str]) -> Iterator[bytes]:
    """What is written into a pipe; a DataError if nothing comes, and nobody has it open to write.

    A pipe is read once, from its first byte to its last, and never waited for in vain.
    """
    # opened in any other way, a pipe without a writer is waited for without end
    pipe, until = os.open(path, os.O_RDONLY | os.O_NONBLOCK), time.monotonic() + PATIENCE
    try:
        with suppress(BlockingIOError):  # there is a writer, who waits
            while not (first := os.read(pipe, 1)):
                if time.monotonic() > until:
                    raise DataError(
                        f"{fspath(path)} is a pipe that nobody writes into. Start what writes "
                        "first (a pipe can be read only once), or save its output as a file."
                    )
                time.sleep(0.01)
            yield first
        os.set_blocking(pipe, True)
        while chunk := os.read(pipe, 1 << 20):
            yield chunk
    finally:
        os.close(pipe)


def refuse_source(path: str | PathLike[str], sources: Iterable[str | PathLike[str]]) -> None:
    """Refuse to write where something is read, and to an address."""
    _refuse_address(path)
    if Path(path).resolve() in {Path(file).resolve() for file in sources}:
        raise DataError(f"{path} is one of the files to read: write to another one.")


def _refuse_address(path: str | PathLike[str]) -> None:
    if _ADDRESS.match(str(path)) and not os.path.exists(Path(path).parent):
        raise DataError(
            f"{path} is an address, and files are written on this machine only: name a path here."
        )


def place_for(path: str | PathLike[str]) -> Path:
    """Where a file that is to be written lies; an error if there is no folder for it."""
    _refuse_address(path)
    target = Path(path).resolve()
    if not target.parent.is_dir():
        raise DataError(f"There is no folder {target.parent.name!r} to write {path} into.")
    return target


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Where to write what takes the place of `path` if all goes well, and else vanishes."""
    # a device or a pipe takes what is written to it; the drive of notebooks in the browser waits
    # for ever where a folder is made for a moment
    if sys.platform == "emscripten" or (path.exists() and not path.is_file()):
        with tempfile.TemporaryDirectory() as folder:
            new = Path(folder) / path.name
            yield new
            path.write_bytes(new.read_bytes())
        return
    path = place_for(path)  # what a link points to is replaced, not the link
    # in a folder of its own the system gives a new file the rights that any new file gets
    folder = path.parent / f".{path.name[:20]}.{os.urandom(6).hex()}"
    try:  # a signal in the midst of `tempfile.mkdtemp` would leave the folder there
        folder.mkdir(mode=0o700)
        yield (new := folder / path.name)
        if path.exists():
            new.chmod(path.stat().st_mode & 0o777)
        new.replace(path)
        folder.rmdir()  # where no more files can be opened, `rmtree` cannot
    finally:
        rmtree(folder, ignore_errors=True)
