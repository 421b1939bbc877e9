"""Run lessons from top to bottom and save them clean: `python -m helpers notebooks FILE …`."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL
from typing import NamedTuple

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from byhand.command_line import CommandParser
from byhand.reports.writing import replacing
from byhand.widgets.embed import LIVE
from byhand.words import ENGLISH, N_, speaking
from helpers.questions import ASKED, JUST_RIGHT, RIGHT, Question
from helpers.translation import LessonError, gettext as _, why

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
_WIDGET_MARK = "widget"  # metadata key of an output whose widget view was removed
_KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
FOUND_OUT = "values"  # metadata key of the values that `check` found in a solution
_KEPT_CELL_METADATA = {"tags", "editable", "deletable", FOUND_OUT}
_CELL_SECONDS, _KERNEL_SECONDS = 600, 60
SOLUTION = N_("Solution")
_SOLUTION = re.compile(
    r"<details><summary>(?P<label>[^\n<]+)</summary>\n\n"
    r"```python\n(?P<code>(?:(?!```).)+)\n```\n\n(?P<said>[^\n<]+)\n\n</details>",
    re.DOTALL,
)


class Solution(NamedTuple):
    """Code that ends in `check(...)` and its feedback, in a folded Markdown cell."""

    code: str
    said: str

    @property
    def markdown(self) -> str:
        """The source of the cell."""
        code = f"```python\n{self.code}\n```"
        opens = f"<details><summary>{_(SOLUTION)}</summary>"
        return f"{opens}\n\n{code}\n\n{self.said}\n\n</details>"


def solution_of(markdown: str) -> Solution | None:
    """Return the solution in a Markdown cell; None unless it has exactly this form."""
    found = _SOLUTION.fullmatch(markdown)
    known = found and found["label"] in (SOLUTION, _(SOLUTION))
    return Solution(found["code"], found["said"]) if known else None


def own_question(cell: NotebookNode) -> Question | None:
    """Return the question in a cell's outputs if it is not ours."""
    entries = (output.get("data", {}).get(ASKED) for output in cell.get("outputs", ()))
    return next((Question(**entry) for entry in entries if entry), None)


def tags_of(cell: NotebookNode) -> list[str]:
    """Return the tags of a cell; questions that are not ours get their tag automatically."""
    tags = cell.metadata.get("tags", [])
    if not own_question(cell):
        return tags
    return [*tags, "predict" if (live_state(cell) or {}).get("covers") else "exercise"]


def live_state(cell: NotebookNode) -> Mapping[str, object] | None:
    """Return the state of the widget in a cell's outputs; None if there is none."""
    states = (output.get("data", {}).get(LIVE) for output in cell.get("outputs", ()))
    return next(filter(None, states), None)


def is_widget(output: Mapping[str, Mapping[str, object]]) -> bool:
    """Return whether an output is or was a widget."""
    return WIDGET_VIEW in output.get("data", {}) or _WIDGET_MARK in output.get("metadata", {})


@contextmanager
def kernel(folder: Path) -> Iterator[Callable[[str], list[NotebookNode]]]:
    """Start a kernel of this Python in `folder`; yield a function from code to outputs."""
    manager = AsyncKernelManager(kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
    client = NotebookClient(new_notebook(), km=manager, timeout=_CELL_SECONDS, allow_errors=True)
    client.startup_timeout, client.coalesce_streams = _KERNEL_SECONDS, True
    # without long start-up errors, and without entries in the user's history
    client.extra_arguments = ["--log-level=CRITICAL", "--HistoryManager.enabled=False"]

    def run(code: str) -> list[NotebookNode]:
        client.nb.cells = [new_code_cell(code)]
        return client.execute_cell(client.nb.cells[0], 0).outputs

    try:
        with client.setup_kernel(cwd=str(folder), stderr=DEVNULL):
            yield run
    except DeadKernelError as error:
        raise LessonError(
            "the kernel stopped, most likely because it ran out of memory. Free some memory."
        ) from error
    except CellTimeoutError as error:
        raise LessonError(
            f"a cell took longer than {_CELL_SECONDS} seconds. Shorten it, or split it."
        ) from error
    except RuntimeError as error:
        raise LessonError(
            f"the kernel did not start ({error}). Free some memory, or allow more open files "
            "(ulimit -n)."
        ) from error


def clean(notebook: NotebookNode) -> None:
    """Remove data that differ between runs and machines from `notebook`, in place.

    Outputs after a prediction are folded, except further questions, so that they do not reveal the
    answer.
    """
    notebook.metadata = NotebookNode(
        kernelspec=NotebookNode(_KERNEL), language_info=NotebookNode(name="python")
    )
    asked = False
    for cell in notebook.cells:
        folded = {}  # the source of a question may be hidden because it has the answer
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            folded["source_hidden"] = True
        for key in set(cell.metadata) - _KEPT_CELL_METADATA:
            del cell.metadata[key]
        if cell.get("outputs") and asked and "predict" not in tags_of(cell):
            # JupyterLab unfolds outputs when the cell runs; code hosts ignore this
            folded["outputs_hidden"] = True
        if folded:
            cell.metadata["jupyter"] = NotebookNode(folded)
        asked = asked or "predict" in tags_of(cell)
        for output in cell.get("outputs", ()):
            # a view without its kernel shows an error
            if output.get("data", {}).pop(WIDGET_VIEW, None):
                output.metadata[_WIDGET_MARK] = True


# removes variables, answers and the last output; `freeze` speeds up later garbage collection
FORGET = """
[globals().pop(each) for each in {*globals()} - {*get_ipython().user_ns_hidden}]
[each.forget() for name, each in __import__("sys").modules.items() if name == "helpers.exercises"]
get_ipython().displayhook.flush()
__import__("gc").freeze()
"""


def run_with_solutions(lesson: NotebookNode, run: Callable[[str], list[NotebookNode]]) -> None:
    """Run a lesson in place, add the feedback of `check` to solutions, and reset the kernel."""
    cells = [cell for cell in lesson.cells if cell.cell_type == "code"]
    for number, cell in enumerate(cells, start=1):
        cell.outputs, cell.execution_count = run(cell.source), number
        if cell.outputs and cell.outputs[-1].output_type == "error":
            error = cell.outputs[-1]
            raise LessonError(f"code cell {number}: {error.ename}: {error.evalue}")
    for cell in lesson.cells:
        if solution := solution_of(cell.source):
            reply = _reply(solution, run(solution.code))
            cell.source = solution._replace(said=reply.data["text/plain"]).markdown
            cell.metadata.pop(FOUND_OUT, None)
            if reply.metadata:  # the last digits of floats depend on the machine
                cell.metadata[FOUND_OUT] = {
                    name: float(f"{value:.6g}") if isinstance(value, float) else value
                    for name, value in reply.metadata.items()
                }
    run(FORGET)


def _reply(solution: Solution, outputs: Sequence[NotebookNode]) -> NotebookNode:
    """Return the output of `check` for a solution."""
    last = outputs[-1] if outputs else NotebookNode()
    text = last.get("data", {}).get("text/plain", "")
    if not text.startswith((_(RIGHT).partition("{")[0], _(JUST_RIGHT))):
        found = text or last.get("evalue", "It prints no feedback.")
        raise LessonError(
            f"a solution is not right: {solution.code}\n{found}\nThe expected answer is in "
            "helpers/answers.toml, or in the lesson's own Question. Correct the solution or the "
            "answer, or remove the exercise."
        )
    return last


def read(path: Path) -> NotebookNode:
    """Read the notebook at `path`.

    Raises:
        LessonError: If the file is not a notebook, is damaged or is empty.
    """
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except OSError:
        raise
    except Exception as error:  # damaged files cause many types of errors
        reason = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise LessonError(
            f"it is not a notebook, or it is damaged ({reason}). Open it in JupyterLab and save "
            "it again, or restore a copy."
        ) from error
    if not notebook.cells:
        raise LessonError("it has no cells. Add some, or restore a copy.")
    return notebook


def refresh(path: Path) -> bool:
    """Run and clean the lesson at `path`; return whether the file changed.

    Raises:
        LessonError: If the lesson fails or has a wrong solution; the file is then unchanged.
    """
    notebook = read(path)
    with speaking(ENGLISH), kernel(path.parent) as run:
        run_with_solutions(notebook, run)
    clean(notebook)
    nbformat.validate(notebook)
    new = nbformat.writes(notebook).rstrip("\n") + "\n"
    if new == path.read_text(encoding="utf-8"):
        return False
    write(path, new)
    return True


def write(path: Path, text: str) -> None:
    """Write a text atomically, and create its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as new:
        new.write_text(text, encoding="utf-8", newline="\n")


_DESCRIPTION = """\
Run lessons from top to bottom and write them back clean.

A lesson is committed with its outputs, so nothing may be left behind that differs from one time, or
one machine, to the next.
"""


def main(arguments: list[str] | None = None) -> int:
    """Refresh the named lessons; continue after a failure."""
    parser = CommandParser("python -m helpers notebooks", _DESCRIPTION)
    parser.add_argument(
        "lessons", nargs="+", type=Path, metavar="FILE.ipynb", help="the lessons to run"
    )
    failed = False
    for path in parser.parse_args(arguments).lessons:
        print(f"{path} ... ", end="", flush=True)
        try:
            print("updated" if refresh(path) else "unchanged")
        except (LessonError, OSError) as error:
            failed = True
            print("FAILED, file left as it was")
            print(f"{path}: {why(error)}", file=sys.stderr)
    return int(failed)
