"""How far a long read is."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread


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


@contextmanager
def watched(name: str, percent: Callable[[], float]) -> Iterator[None]:
    """Show how far something is that has to be asked for it.

    Args:
        name: what is read.
        percent: how far it is; below 0 if that is not known.
    """
    progress, over = Progress(name, 100), Event()

    def watch() -> None:
        while not over.wait(0.5):
            progress.at(max(percent(), 0))

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        progress.end()


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return hasattr(shell, "kernel")
