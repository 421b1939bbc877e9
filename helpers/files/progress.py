"""How far a long read is."""

import sys
import time


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
