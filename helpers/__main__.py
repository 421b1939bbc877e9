"""Every command of the package: `python -m helpers NAME …`, `ranking-report`, `ranking-gate`.

A command that is told to stop, or that cannot start, says so in one line and leaves nothing behind,
from its first moment on: nothing but Python's own is imported before that is arranged.
"""

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from io import TextIOWrapper
from traceback import print_exception
from types import FrameType
from typing import NoReturn

from helpers.errors import failure, printable

_COMMANDS = {
    "report": "helpers.report.command",
    "gate": "helpers.report.gate",
    "notebooks": "helpers.lessons.notebooks",
    "pages": "helpers.report.lessons",
}
# Ctrl+C, a terminal that is closed, and `kill`; Windows does not have all of them
_STOPS = [each for each in signal.Signals if each.name in ("SIGINT", "SIGHUP", "SIGTERM")]


def run(command: str, arguments: list[str] | None = None, *, called: str = "") -> NoReturn:
    """Run a command, and end the process with its exit status.

    Whatever else ends it is none of a command's answers: 128 + n if signal n stopped it, and 2,
    with one line that says why, for anything that went wrong.

    Args:
        command: which one.
        arguments: what the user typed after it; None for what they did type.
        called: what the user calls it.
    """
    called = called or command
    _on_stop(lambda number, _: _end(called, number))
    try:
        _open_streams()
        main = import_module(_COMMANDS[command]).main
        _on_stop(_unwind)
        status = _status(main, arguments)
        sys.stdout.flush()
    except KeyboardInterrupt as stop:
        _end(called, *stop.args)
    except BaseException as error:
        _fail(called, error)
    sys.exit(status)


def _status(main: Callable[[list[str] | None], int], arguments: list[str] | None) -> int:
    try:
        return main(arguments)
    except SystemExit as end:  # as argparse ends, for --help and for what was typed wrong
        return end.code


class _Shown(TextIOWrapper):
    """A standard stream through which no text from the data can steer a terminal."""

    _lost: OSError | None = None

    def write(self, text: str) -> int:
        """Write what is printable as it is, and control characters as Python writes them."""
        begins = text[: text.startswith("\r")]  # a line that overwrites itself
        with self._kept():
            return super().write(begins + printable(text[len(begins) :]))

    def flush(self) -> None:
        """Write what waits; say so if this or anything before could not be written."""
        with self._kept():
            super().flush()

    @contextmanager
    def _kept(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._lost = OSError(error.errno, error.strerror, "standard output")
        if self._lost:  # argparse ignores it
            raise self._lost


def _open_streams() -> None:
    """Let everything that is printed pass through one place.

    Raises:
        OSError: there is nothing to print to.
    """
    if sys.stderr is None:  # else the next file that is opened would get what is said there
        sys.stderr = sys.__stderr__ = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed", "standard output")
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        shown = _Shown(
            stream.buffer,
            encoding=stream.encoding,
            errors="backslashreplace",  # a letter that the terminal has not stops no answer
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )
        setattr(sys, name, shown)


def _on_stop(handler: object) -> None:
    for number in _STOPS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, handler)


def _unwind(number: int, _: FrameType | None) -> NoReturn:
    _on_stop(signal.SIG_IGN)  # a second Ctrl+C does not disturb the tidying up
    raise KeyboardInterrupt(number)


def _end(called: str, number: int = signal.SIGINT) -> NoReturn:
    with suppress(OSError):  # the terminal may be gone
        os.write(2, f"{called}: interrupted; no file was left half written\n".encode())
    os._exit(128 + number)


def _fail(called: str, error: BaseException) -> NoReturn:
    known: BaseException | None = error  # what a library said last may hide what went wrong
    while known and not isinstance(known, OSError | MemoryError | ImportError):
        known = known.__context__
    line = failure(known) if known else "this is a mistake of the program. Please report it:"
    with suppress(OSError):  # there may be nothing to write to
        os.write(2, f"{called}: {printable(line)}\n".encode(errors="backslashreplace"))
        if not known:
            print_exception(error)
    os._exit(2)


def ranking_report() -> NoReturn:
    """The command `ranking-report`."""
    run("report", called="ranking-report")


def ranking_gate() -> NoReturn:
    """The command `ranking-gate`."""
    run("gate", called="ranking-gate")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in _COMMANDS:
        names = ", ".join(_COMMANDS)
        print(f"Usage: python -m helpers NAME …, where NAME is one of {names}", file=sys.stderr)
        sys.exit(2)
    run(sys.argv[1], sys.argv[2:], called=f"python -m helpers {sys.argv[1]}")
