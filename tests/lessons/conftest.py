"""After the cells of a lesson, in the kernel that ran them: each marked cell again, each solution.

A cell that prints something else the second time reads a name that a later cell has changed. The
last one goes first, or a cell would find what one before it has just put right.

One kernel runs all lessons of a process, as it takes longer to start than most of them, and forgets
between them what they have named.

A reader's copy beside the lessons is only run: its lists and its answers are the reader's own.
"""

from collections import defaultdict
from itertools import groupby
from tempfile import TemporaryDirectory

import pytest
from nbformat.v4 import new_code_cell, new_output
from nbval import kernel as kernels, plugin
from nbval.plugin import IPyNbCell, IPyNbFile

from helpers.exercises import Reply, forget
from helpers.notebooks import FORGET, solution_of
from helpers.places import NOTEBOOKS
from helpers.site import course_notebooks

IDLE = []  # the kernel that has run a lesson
SET_UP = IPyNbFile.setup
ROOM = TemporaryDirectory()


def _begun(*name, **options):
    return IDLE.pop() if IDLE else kernels.RunningKernel(*name, **options)


def _done(lesson):
    if lesson.kernel and lesson.kernel.is_alive():
        lesson.kernel.await_reply(lesson.kernel.execute_cell_input(FORGET))
        IDLE.append(lesson.kernel)


def _begin(lesson):
    SET_UP(lesson)
    # a lesson that writes a file may do so, also where nobody may write beside the lessons
    folder = ROOM.name if lesson.path in course_notebooks() else lesson.path.parent
    go = f"__import__('os').chdir({str(folder)!r})"
    lesson.kernel.await_reply(lesson.kernel.execute_cell_input(go))


def pytest_configure():
    plugin.RunningKernel = _begun
    IPyNbFile.setup, IPyNbFile.teardown = _begin, _done
    kernels.pformat = len  # each message would be laid out for a log, at great length


def pytest_unconfigure():
    for kernel in IDLE:
        kernel.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Put them behind the cells of each lesson that is run as a whole."""
    copies = {*NOTEBOOKS.glob("*.ipynb")} - {*course_notebooks()}
    grouped = [(file, [*cells]) for file, cells in groupby(items, lambda item: item.parent)]
    items.clear()
    for file, cells in grouped:
        items += cells
        if file.path in copies:
            for cell in cells:
                cell.options["check"] = False
        elif isinstance(file, IPyNbFile) and len(cells) == _n_code(file):
            items += _second_run(file, cells)


def _n_code(lesson):
    return sum(cell.cell_type == "code" for cell in lesson.nb.cells)


def _second_run(lesson, cells):
    for cell in reversed(cells):
        if cell.options["check"]:
            yield _item(lesson, f"{cell.name} again", cell.cell_num, cell.cell)
    for place, cell in enumerate(lesson.nb.cells):
        solution = solution_of(cell.source)
        if solution:
            yield _item(lesson, f"Solution in cell {place}", place, _as_code(solution))


def _item(lesson, name, number, cell):
    options = defaultdict(bool, check=True)
    return IPyNbCell.from_parent(lesson, name=name, cell_num=number, cell=cell, options=options)


def _as_code(solution):
    """A cell that ends in the verdict which the solution promises."""
    shown, _ = Reply(solution.said, "good")._repr_mimebundle_()
    output = new_output("execute_result", shown, execution_count=1)
    return new_code_cell(solution.code, execution_count=1, outputs=[output])


@pytest.fixture(autouse=True)
def fresh():
    """A kernel that has seen no answer yet."""
    forget()
