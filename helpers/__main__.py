"""Every command of the package: `python -m helpers NAME …`, `ranking-report`, `ranking-gate`.

A command that is told to stop says so in one line and leaves nothing behind, from its first moment
on: so nothing that takes long to import is imported before that is arranged.
"""

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import NoReturn

_COMMANDS = {
    "report": "helpers.report.command",
    "gate": "helpers.report.gate",
    "notebooks": "helpers.lessons.notebooks",
    "pages": "helpers.report.lessons",
}
# Ctrl+C, a terminal that is closed, and `kill`; Windows does not have all of them
_STOPS = [each for each in signal.Signals if each.name in ("SIGINT", "SIGHUP", "SIGTERM")]


def run(command: str, arguments: list[str] | None = None, *, called: str = "") -> NoReturn:
    """Run a command, and end the process with its exit status: 128 + n if signal n stopped it.

    Args:
        command: which one.
        arguments: what the user typed after it; None for what they did type.
        called: what the user calls it.
    """
    called = called or command
    _on_stop(lambda number, _: _end(called, number))
    main = import_module(_COMMANDS[command]).main
    _on_stop(_unwind)
    try:
        status = main(arguments)
    except KeyboardInterrupt as stop:
        _end(called, *stop.args)
    sys.exit(status)


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


def ranking_report() -> NoReturn:
    """The command `ranking-report`."""
    run("report", called="ranking-report")


def ranking_gate() -> NoReturn:
    """The command `ranking-gate`."""
    run("gate", called="ranking-gate")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in _COMMANDS:
        sys.exit(f"Usage: python -m helpers NAME …, where NAME is one of {', '.join(_COMMANDS)}")
    run(sys.argv[1], sys.argv[2:], called=f"python -m helpers {sys.argv[1]}")
