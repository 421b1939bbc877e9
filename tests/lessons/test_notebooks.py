"""Guards of the lessons: how they are kept, and that nbval really compares their numbers."""

import copy
import os
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers import notebooks
from helpers.notebooks import Solution, is_widget, solution_of
from helpers.site import course_notebooks

ROOT = Path(__file__).parents[2]
LESSONS = course_notebooks()
CHECK = "nbval-check-output"  # the tag of a cell whose output nbval compares
TAGS = {"parameters", "predict", "exercise", "solution", "in-sight", "out-of-sight"}
LARGEST = 1_500_000  # bytes

HOME = Path(os.path.expanduser("~"))  # "~" of a user who has none
HERE = "|".join(re.escape(str(folder)) for folder in {ROOT, HOME} if len(folder.parts) > 1)
NOT_IN_AN_OUTPUT = {
    "a path of one machine": re.compile(
        rf"(?<![\w.<])/(?:home|Users|root|tmp|private|var|usr|opt|mnt|srv)/|\b[A-Z]:\\\w|{HERE}"
    ),
    "a traceback": re.compile(r"Traceback"),
    "a memory address": re.compile(r"\b0x[0-9a-fA-F]{5,}"),
}


def texts(cell):
    """Every text in a cell's outputs, pictures left out."""
    for output in cell.get("outputs", []):
        if "text" in output:
            yield output.text
        for kind, value in output.get("data", {}).items():
            if kind.startswith("text/") or kind == "image/svg+xml":
                yield re.sub(r"(data:image/png;base64,)[\w+/=]+", r"\1", value)


def problems(path):
    """What is wrong with the way the lesson at `path` is kept."""
    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    if not re.fullmatch(r"(\d\d-)?[a-z][a-z0-9]*(-[a-z0-9]+)*\.ipynb", path.name):
        yield "the file name is not NN-words.ipynb or words.ipynb"
    if path.stat().st_size > LARGEST:
        yield f"more than {LARGEST:,} bytes"
    cleaned = copy.deepcopy(notebook)
    notebooks.clean(cleaned)
    if notebook.nbformat_minor < 5 or nbformat.writes(cleaned) + "\n" != text:
        yield "not clean: run `make notebooks`"
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        yield "not run from top to bottom, every cell once: run `make notebooks`"
    yield from tag_problems(path, notebook)
    for number, cell in enumerate(code, start=1):
        for problem in cell_problems(cell):
            yield f"code cell {number}: {problem}"


def tag_problems(path, notebook):
    """What is wrong with the tags of a lesson as a whole."""
    count = Counter(tag for cell in notebook.cells for tag in cell.metadata.get("tags", []))
    if unknown := set(count) - TAGS - {CHECK}:
        yield f"unknown tags {sorted(unknown)}"
    if path.name[:2] not in {"00", "12"} and path.name[0].isdigit():  # an entrance, a report
        if not count["predict"]:
            yield "nothing to predict"
        if count["exercise"] < 2:
            yield "fewer than two exercises"
    for cell, after in pairwise([*notebook.cells, new_markdown_cell()]):
        tags, tags_after = (each.metadata.get("tags", []) for each in (cell, after))
        if ("exercise" in tags) != ("solution" in tags_after):
            yield "a solution does not stand right after its exercise"
        if "solution" in tags and not (cell.cell_type == "markdown" and solution_of(cell.source)):
            yield "a solution that has not the form of one"
        if CHECK in tags and cell.cell_type != "code":
            yield "nbval compares nothing here: it is no code"


def cell_problems(cell):
    """What is wrong with one code cell."""
    marked = CHECK in cell.metadata.get("tags", [])
    if "NBVAL" in cell.source:
        yield f"a mark of tests that the reader sees: use the tag {CHECK}"
    if marked and (cell.execution_count is None or not any(map(str.strip, texts(cell)))):
        yield "nbval compares nothing here: it has not been run, or has no output"
    if any(output.output_type == "error" for output in cell.outputs):
        yield "it ended in an error"
    for text in texts(cell):
        for what, pattern in NOT_IN_AN_OUTPUT.items():
            if found := pattern.search(text):
                yield f"its output holds {what}: {found[0]}"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_is_well_kept(path):
    assert list(problems(path)) == []


# --- Running and cleaning --------------------------------------------------------------------

SAID = "Right: 1/4 = 0.2500. It is the fourth of four sides."
WRONG = Solution('from helpers import check\n\ncheck("08-a", 1)', SAID).markdown


def written(path, *codes, solution=""):
    cells = [new_code_cell(each) for each in codes]
    cells += [new_markdown_cell(solution)] * bool(solution)
    path.write_text(nbformat.writes(new_notebook(cells=cells)), encoding="utf-8")
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
    ("code", "solution", "said"),
    [
        ("print('new')\nraise KeyError('D4')", "", "code cell 1: KeyError: 'D4'"),
        ("import os\nos._exit(1)", "", "the kernel stopped, most likely because"),
        ("1", WRONG, r"a solution is not right: [^N]+Not yet\."),
    ],
)
def test_a_lesson_that_does_not_run_to_its_end_stays_as_it_was(
    tmp_path, capsys, code, solution, said
):
    path = tmp_path / "01-halves.ipynb"
    before = written(path, code, solution=solution)
    assert notebooks.main([str(path)]) == 1
    assert path.read_bytes() == before
    assert re.search(said, capsys.readouterr().err)
