"""Pipes: read once, from their first byte to their last, and never waited for in vain."""

import os
import stat
import time
from collections.abc import Iterator

from byhand.errors import DataError

_PATIENCE = 1.0  # seconds that whoever writes may take to start
_CHUNK = 1 << 20
_KINDS = {
    stat.S_IFCHR: "a device, such as a terminal",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def is_pipe(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to a pipe and not to a file on disk.

    Raises:
        DataError: it leads to neither, nor to a folder.
        OSError: it leads to nothing.
    """
    mode = os.stat(path).st_mode
    kind = _KINDS.get(stat.S_IFMT(mode))
    if kind:
        raise DataError(f"{os.fspath(path)} is {kind}, not a file. Save the data as a file first.")
    return stat.S_ISFIFO(mode)


def chunks(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """What is written into a pipe.

    Raises:
        DataError: nothing comes, and nobody has it open to write.
    """
    # opened in any other way, a pipe without a writer is waited for without end
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        first = _first_byte(pipe)
        if first == b"":
            raise DataError(
                f"{os.fspath(path)} is a pipe that nobody writes into. Start what writes first "
                "(a pipe can be read only once), or save its output as a file."
            )
        os.set_blocking(pipe, True)
        yield first or b""
        while chunk := os.read(pipe, _CHUNK):
            yield chunk
    finally:
        os.close(pipe)


def _first_byte(pipe: int) -> bytes | None:
    """The first byte of a pipe; none if there is a writer who waits, empty if there is none."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            first = os.read(pipe, 1)
        except BlockingIOError:
            return None
        if first or time.monotonic() > until:
            return first
        time.sleep(0.01)
