"""The commands `ranking-report` and `ranking-gate`, also as `python -m byhand NAME …`.

A command that is interrupted or cannot start prints one line and leaves no files. Signal handlers
come first, so this module imports only the standard library at its top.
"""

import errno
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from traceback import print_exception
from types import FrameType
from typing import NoReturn

from byhand import __version__
from byhand.errors import failure, printable

COMMANDS = {
    "report": (
        "byhand.reports.report_command",
        "write a page on how well each system did, and which is better",
    ),
    "gate": ("byhand.reports.gate_command", "test whether a new run may replace the old one"),
    "docs": ("byhand.manual", "print the pages on the library and its commands"),
}
_STDOUT = "standard output"
# Ctrl+C, a closed terminal, and `kill`; Windows lacks some
STOPS = [each for each in signal.Signals if each.name in ("SIGINT", "SIGHUP", "SIGTERM")]


def run(module: str, arguments: list[str] | None = None, *, called: str) -> NoReturn:
    """Run the `main` of a module, and end the process with its exit status.

    The status is 128 + n after signal n, and 2 after any error. An error prints one line; a bug
    also prints its traceback.

    Args:
        module: The module that contains `main`.
        arguments: The arguments of the command; by default those of the command line.
        called: The name of the command in messages.
    """
    stops: list[int] = []

    def unwind(number: int, _: FrameType | None) -> NoReturn:
        _on_stop(signal.SIG_IGN)  # a second Ctrl+C must not stop the clean-up
        stops.append(number)
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (interrupted libraries print errors)
        raise KeyboardInterrupt

    _on_stop(lambda number, _: _end(called, number))
    try:
        _open_streams()
        main = import_module(module).main
        _on_stop(unwind)
        try:
            status = main(arguments)
        except SystemExit as end:  # from argparse: --help or invalid arguments
            status = end.code
        sys.stdout.flush()
    except BaseException as error:
        if type(error) in (OSError, BrokenPipeError) and error.errno and not error.filename:
            error.filename = _STDOUT  # no file of ours has no name
        if not (stops or isinstance(error, KeyboardInterrupt)):
            _fail(called, error)
        _end(called, *stops)
    if stops:  # a library caught the interrupt
        _end(called, *stops)
    sys.exit(status)


def _open_streams() -> None:
    """Make every character printable, even if the terminal cannot encode it.

    Raises:
        OSError: If there is no standard output.
    """
    if sys.stderr is None:  # else the next opened file would receive errors
        sys.stderr = sys.__stderr__ = open(os.devnull, "w")  # noqa: SIM115 (as long as Python runs)
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed", _STDOUT)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")


def _on_stop(handler: object) -> None:
    for number in STOPS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # under nohup, for example
            signal.signal(number, handler)


def _end(called: str, number: int = signal.SIGINT) -> NoReturn:
    line = f"{called}: interrupted; no file was left half written\n"
    with suppress(OSError):  # the terminal may be gone
        os.write(2, line.encode(errors="backslashreplace"))
    os._exit(128 + number)


def _fail(called: str, error: BaseException) -> NoReturn:
    known: BaseException | None = error  # the last error may hide the cause
    while known and not isinstance(known, OSError | MemoryError | ImportError):
        known = known.__context__
    line = failure(known) if known else "this is a bug in the program. Please report it:"
    with suppress(OSError):  # there may be nothing to write to
        os.write(2, f"{called}: {printable(line)}\n".encode(errors="backslashreplace"))
        if not known:
            print_exception(error)
    os._exit(2)


def ranking_report() -> NoReturn:
    """Run the command `ranking-report`."""
    run(COMMANDS["report"][0], called="ranking-report")


def ranking_gate() -> NoReturn:
    """Run the command `ranking-gate`."""
    run(COMMANDS["gate"][0], called="ranking-gate")


def choose(package: str, commands: Mapping[str, tuple[str, str]]) -> NoReturn:
    """Run the command named after `python -m PACKAGE`, or list the commands.

    The exit status is 2 if there is no such command, even with `--help`.

    Args:
        package: The name of the package.
        commands: A mapping from the name of a command to its module and its description.
    """
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name in commands:
        run(commands[name][0], sys.argv[2:], called=f"python -m {package} {name}")
    if name == "--version":
        print(__version__)
        sys.exit(0)
    wants_help = name in ("-h", "--help")
    is_unknown = name and not wants_help
    lines = [f"There is no command {name!r}."] if is_unknown else []
    lines += [f"Usage: python -m {package} NAME …, where NAME is one of {', '.join(commands)}"]
    lines += [f"  {name:<10} {does}" for name, (_, does) in commands.items()]
    lines += [f"`python -m {package} NAME --help` lists the options."]
    print("\n".join(lines), file=sys.stdout if wants_help else sys.stderr)
    sys.exit(0 if wants_help else 2)


if __name__ == "__main__":
    choose("byhand", COMMANDS)
