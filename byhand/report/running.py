"""Lesson 10 with a user's parameters, run from top to bottom."""

import sys
from collections.abc import Callable, Mapping

import nbformat
from nbformat import NotebookNode

from byhand.errors import DataError
from byhand.report.data_page import INJECTED, LESSON, assignments
from helpers.cells import tags_of
from helpers.notebooks import LessonError, execute


def with_parameters(notebook: NotebookNode, parameters: Mapping[str, object]) -> None:
    """Put a cell with these parameters after the one that is tagged `parameters`, in place.

    Raises:
        LessonError: no cell has that tag.

    Example:
        >>> from nbformat.v4 import new_code_cell, new_notebook
        >>> cell = new_code_cell("run = 'a.csv'", metadata={"tags": ["parameters"]})
        >>> notebook = new_notebook(cells=[cell])
        >>> with_parameters(notebook, {"run": "b.csv"})
        >>> notebook.cells[1].source
        "run = 'b.csv'"
    """
    for place, cell in enumerate(notebook.cells):
        if "parameters" in tags_of(cell):
            injected = nbformat.v4.new_code_cell(assignments(parameters))
            injected.metadata["tags"] = [INJECTED]
            notebook.cells.insert(place + 1, injected)
            return
    raise LessonError("The notebook has no cell that is tagged 'parameters'.")


def rewrite_parameters(notebook: NotebookNode, parameters: Mapping[str, object]) -> None:
    """Let the injected cell show other values than those it was run with, in place."""
    for cell in notebook.cells:
        if INJECTED in tags_of(cell):
            cell.source = assignments(parameters)


def run_lesson(
    parameters: Mapping[str, object],
    *,
    room: str | None = None,
    done: Callable[[int, int], None] = lambda *_: None,
    told: Callable[[str], None] = lambda _: None,
) -> NotebookNode:
    """Lesson 10, run with these parameters; its cells for people in JupyterLab are not run.

    Args:
        parameters: values of the names in its parameters cell; paths are absolute.
        room: a folder for whatever the cells need for a while; None for the system's.
        done: called after each code cell with how many have been run, and of how many.
        told: called with what a cell prints.

    Raises:
        DataError: what is wrong with the data.
        OSError: a disk that is full.
        MemoryError: data that are too big.
        LessonError: anything else that went wrong.
        KeyboardInterrupt: Ctrl+C.
    """
    if not LESSON.is_file():
        raise LessonError(
            f"The report is made by {LESSON.name}, which is not beside the package. Install the "
            "project from its folder: pip install -e ."
        )
    notebook = nbformat.read(LESSON, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if "lab-only" not in tags_of(cell)]
    with_parameters(notebook, parameters)
    total = sum(cell.cell_type == "code" for cell in notebook.cells)
    try:
        options = {"seconds": None, "room": room, "told": told}
        execute(notebook, LESSON.parent, done=lambda n: done(n, total), **options)
    except LessonError as error:
        cause = error.__cause__
        name = getattr(cause, "ename", "")
        # numpy and pyarrow have a MemoryError of their own
        for kind in (DataError, OSError, MemoryError):
            if name.endswith(kind.__name__):
                raise kind(cause.evalue) from None
        raise
    return notebook


class Bar:
    """How far the report is, as a line on stderr that overwrites itself; only in a terminal."""

    _WIDTH = 24

    def __init__(self, *, shown: bool = True) -> None:
        self._shown, self._steps = shown and sys.stderr.isatty(), ""
        self._last = ""

    def __call__(self, done: int, total: int) -> None:
        """Show that so many of all cells have been run."""
        full = self._WIDTH * done // max(total, 1)
        self._steps = f"[{'#' * full}{'.' * (self._WIDTH - full)}] {done} of {total} steps"
        self._print(self._steps)

    def told(self, text: str) -> None:
        """Show what the step that is being run says of its own progress."""
        if last := text.strip().rpartition("\r")[2]:
            self._print(f"{self._steps}. {last}")

    def end(self) -> None:
        """Clear the line."""
        self._print("")

    def _print(self, text: str) -> None:
        if self._shown:
            for line in (" " * len(self._last), text):
                print(f"\r{line}", end="", file=sys.stderr, flush=True)
            self._last = text
