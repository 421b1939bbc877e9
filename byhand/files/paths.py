"""What a path leads to: a file, those of a folder, those that a glob matches, or a pipe."""

import os
import stat
import time
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from glob import glob, has_magic
from os import PathLike, fspath
from pathlib import Path

from byhand.errors import DataError

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


def is_glob(path: str) -> bool:
    """Whether a path is a pattern, and not a file that happens to be called so."""
    return has_magic(path) and not os.path.exists(path)


def matched(paths: object) -> list:
    """Every file that a path, a folder, a glob or a list of them stands for.

    What begins with a dot or an underscore in a folder is left out, as engines leave marks there.
    What is no path comes back as it is, for `File.at` to complain about.
    """
    if isinstance(paths, list | tuple) and paths:
        if all(isinstance(each, str | PathLike) for each in paths):
            return [file for each in paths for file in matched(each)]
        return [paths]
    if not isinstance(paths, str | PathLike):
        return [paths]
    name = fspath(paths)
    if os.path.isdir(name):
        inside = sorted(place for place in Path(name).rglob("*") if place.is_file())
        hidden = [
            any(part.startswith((".", "_")) for part in place.relative_to(name).parts)
            for place in inside
        ]
        found = [str(place) for place, hid in zip(inside, hidden, strict=True) if not hid]
        if not found:
            raise DataError(f"The folder {name} holds no files. Expected those of a table.")
        return found
    if not is_glob(name):
        return [name]
    found = sorted(place for place in glob(name, recursive=True) if Path(place).is_file())
    if not found:
        raise DataError(f"{name} matches no file. {near(Path(name))}")
    return found


def named_shortly(files: Sequence[str]) -> str:
    """What to call several files: the first, and how many more."""
    return files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1:,} more"


def is_pipe(path: str | PathLike[str]) -> bool:
    """Whether a path leads to a pipe and not to a file on disk."""
    mode = os.stat(path).st_mode
    if kind := _NO_FILES.get(stat.S_IFMT(mode)):
        raise DataError(f"{fspath(path)} is {kind}, not a file. Save the data as a file first.")
    return stat.S_ISFIFO(mode)


def chunks(path: str | PathLike[str]) -> Iterator[bytes]:
    """What is written into a pipe; a DataError if nothing comes, and nobody has it open to write.

    A pipe is read once, from its first byte to its last, and never waited for in vain.
    """
    # opened in any other way, a pipe without a writer is waited for without end
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        first = _first_byte(pipe)
        if first == b"":
            raise DataError(
                f"{fspath(path)} is a pipe that nobody writes into. Start what writes first "
                "(a pipe can be read only once), or save its output as a file."
            )
        os.set_blocking(pipe, True)
        yield first or b""
        while chunk := os.read(pipe, 1 << 20):
            yield chunk
    finally:
        os.close(pipe)


def _first_byte(pipe: int) -> bytes | None:
    """The first byte of a pipe; none if there is a writer who waits, empty if there is none."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            first = os.read(pipe, 1)
        except BlockingIOError:
            return None
        if first or time.monotonic() > until:
            return first
        time.sleep(0.01)
