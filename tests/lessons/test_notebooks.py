"""Guards of the lessons: how they are kept, and that nbval really compares their numbers."""

import copy
import re
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers import notebooks
from helpers.notebooks import is_widget, solution_of, tags_of
from helpers.site import course_notebooks

ROOT = Path(__file__).parents[2]
CHECK = "nbval-check-output"  # the tag of a cell whose output nbval compares
TAGS = {CHECK, "parameters", "predict", "exercise", "solution", "in-sight", "out-of-sight"}
# what differs on another machine: a path, a traceback, an address in memory
OF_ONE_MACHINE = re.compile(
    r"(?<![\w.<])/(?:home|Users|root|tmp|private|var|usr|opt|mnt|srv)/|\b[A-Z]:\\\w"
    rf"|{re.escape(str(ROOT))}|Traceback|\b0x[0-9a-fA-F]{{5,}}"
)


def texts(cell):
    """Every text in a cell's outputs, pictures left out."""
    for output in cell.get("outputs", ()):
        for kind, value in output.get("data", {"text/plain": output.get("text", "")}).items():
            if kind.startswith("text/") or kind == "image/svg+xml":
                yield re.sub(r"(data:image/png;base64,)[\w+/=]+", r"\1", value)


@pytest.mark.parametrize("path", course_notebooks(), ids=lambda path: path.stem)
class TestLesson:
    def test_it_is_run_from_top_to_bottom_and_saved_clean(self, path):
        text = path.read_text(encoding="utf-8")
        notebook = nbformat.reads(text, as_version=4)
        nbformat.validate(notebook)
        cleaned = copy.deepcopy(notebook)
        notebooks.clean(cleaned)
        assert nbformat.writes(cleaned) + "\n" == text, "not clean: run `make notebooks`"
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
        assert not [cell for cell in code if any(map(OF_ONE_MACHINE.search, texts(cell)))]
        assert re.fullmatch(r"(\d\d-)?[a-z][a-z0-9]*(-[a-z0-9]+)*\.ipynb", path.name)
        assert path.stat().st_size < 1_500_000

    def test_its_tags_mark_solutions_and_what_nbval_can_compare(self, path):
        cells = nbformat.read(path, as_version=4).cells
        for cell, after in pairwise([*cells, new_markdown_cell()]):
            tags = tags_of(cell)
            assert {*tags} <= TAGS
            assert ("exercise" in tags) == ("solution" in tags_of(after)), cell.source
            assert "solution" not in tags or solution_of(cell.source)
            assert CHECK not in tags or any(map(str.strip, texts(cell))), cell.source


# --- Running and cleaning --------------------------------------------------------------------


def written(path, code):
    notebook = new_notebook(cells=[new_code_cell(code)])
    path.write_text(nbformat.writes(notebook), encoding="utf-8")
    return path.read_bytes()


def test_a_lesson_that_is_run_twice_is_the_same(tmp_path, capsys, monkeypatch):
    # without a home Matplotlib warns of a folder that has another name each time
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))
    path = tmp_path / "01-halves.ipynb"
    written(
        path,
        "import ipywidgets\nimport matplotlib.pyplot as plt\n"
        "for n in range(3):\n    print(n, flush=True)\n"
        "plt.plot([1, 2])\nipywidgets.IntSlider()",
    )
    assert notebooks.main([str(path)]) == 0
    once = path.read_bytes()
    assert notebooks.main([str(path)]) == 0
    assert path.read_bytes() == once
    assert capsys.readouterr().out == f"{path} ... updated\n{path} ... unchanged\n"
    (cell,) = nbformat.reads(once, as_version=4).cells
    assert cell.outputs[0].text == "0\n1\n2\n"
    assert [is_widget(each) for each in cell.outputs].count(True) == 1


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print('new')\nraise KeyError('D4')", "code cell 1: KeyError: 'D4'"),
        ("import os\nos._exit(1)", "the kernel stopped, most likely because"),
    ],
)
def test_a_lesson_that_does_not_run_to_its_end_stays_as_it_was(tmp_path, capsys, code, said):
    path = tmp_path / "01-halves.ipynb"
    before = written(path, code)
    assert notebooks.main([str(path)]) == 1
    assert path.read_bytes() == before
    assert said in capsys.readouterr().err
