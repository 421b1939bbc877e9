"""A notebook alone in an empty folder: with the two wheels and Jupyter, and nothing else."""

import json
import os
import re
import shutil
import subprocess
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution
from pathlib import Path

import nbformat
import pytest
from hatchling import build
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from packaging.requirements import Requirement
from test_package import build_in

import byhand
from byhand.words import ENGLISH, languages, speaking
from helpers.exercises import NO_ANSWER
from helpers.html import body_html
from helpers.lessons import lesson_in
from helpers.markdown import Markdown
from helpers.notebooks import ALONE, clean, tags_of
from helpers.translation import gettext

ROOT = Path(__file__).parents[1]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
OURS = {"ranking-metrics-by-hand", "ranking-metrics-by-hand-course"}
# nothing of the repository, of the user or of an index
ENVIRONMENT = {
    **{name: each for name, each in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))},
    **{"PYTHONNOUSERSITE": "1", "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull},
}
WHERE = "import byhand, helpers\nprint(byhand.__file__, helpers.__file__)"
Distributions = dict[str, Distribution]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """The library's, and the course's."""
    folder = tmp_path_factory.mktemp("dist")
    return tuple(build_in(each, build.build_wheel, folder) for each in (ROOT, ROOT / "helpers"))


@pytest.fixture(scope="module")
def brought(wheels: tuple[Path, ...], tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    """What the course's wheel brings, itself among it, and a kernel of Jupyter."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    for wheel in wheels:
        shutil.unpack_archive(wheel, unpacked, "zip")
    return needed("ranking-metrics-by-hand-course", "ipykernel", beside=unpacked)


def needed(*names: str, beside: Path | None = None) -> Distributions:
    """These distributions and all that they require; those in the folder `beside` come first."""
    found: dict[str, Distribution] = {}
    wanted, seen = [Requirement(name) for name in names], set()
    while wanted:
        one = wanted.pop()
        if str(one) in seen:
            continue
        seen.add(str(one))
        here = Distribution.discover(name=one.name, path=[str(beside)])
        each = found[one.name] = next(iter(here), None) or Distribution.from_name(one.name)
        for more in map(Requirement, each.requires or ()):
            extras = ("", *one.extras)
            if not more.marker or any(more.marker.evaluate({"extra": it}) for it in extras):
                wanted.append(more)
    return found


def environment(folder: Path, distributions: Iterable[Distribution]) -> Path:
    """The Python of a new environment that has these, and nothing else."""
    venv.create(folder, symlinks=True)
    (site,) = folder.rglob("site-packages")
    for each in distributions:
        for top in {file.parts[0] for file in each.files} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(each.locate_file(top))
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def python(brought: Distributions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment(tmp_path_factory.mktemp("alone"), brought.values())


def run(notebook: NotebookNode, folder: Path, python: Path) -> None:
    """Run its cells in `folder`, by the kernel of that Python, up to the first error."""
    kernels = python.parent / "kernels"
    (kernels / "alone").mkdir(parents=True, exist_ok=True)
    start = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": start, "display_name": "alone", "language": "python"}
    (kernels / "alone" / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    specs = KernelSpecManager(kernel_dirs=[str(kernels)], ensure_native_kernel=False)
    manager = AsyncKernelManager(kernel_name="alone", kernel_spec_manager=specs)
    where = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, manager, timeout=600, resources=where)
    client.execute(env=ENVIRONMENT, cleanup_kc=True)


def texts(cell: NotebookNode) -> list[object]:
    """What a cell shows, but for pictures."""
    shown = (each.get("text", each.get("data", {})) for each in cell.outputs)
    return [
        {kind: text for kind, text in each.items() if kind.startswith("text/")}
        if isinstance(each, dict)
        else each
        for each in shown
    ]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_notebook_runs_alone_and_shows_what_it_shows_here(path, python, tmp_path):
    kept, notebook = (nbformat.read(path, as_version=4) for _ in range(2))
    notebook.cells.append(new_code_cell(WHERE))
    run(notebook, tmp_path, python)
    for place in notebook.cells.pop().outputs[0].text.split():
        assert Path(place).is_relative_to(python.parents[1])
    assert [*tmp_path.iterdir()] == []
    clean(notebook)
    pairs = [*zip(notebook.cells, kept.cells, strict=True)]
    shown = [[*map(texts, pair)] for pair in pairs if "nbval-check-output" in tags_of(pair[1])]
    assert [now for now, _before in shown] == [before for _now, before in shown]
    assert shown or path.stem.startswith("exam-")


@pytest.mark.parametrize("language", [each for each in languages() if each != ENGLISH])
def test_a_notebook_in_another_language_speaks_it_alone(language, python, tmp_path):
    notebook = lesson_in(language, ROOT / "notebooks" / "01-reciprocal-rank.ipynb")
    run(notebook, tmp_path, python)
    with speaking(language):
        said = gettext(NO_ANSWER)
    answers = [str(cell.outputs) for cell in notebook.cells if "exercise" in tags_of(cell)]
    assert answers
    assert said != NO_ANSWER
    assert all(said in each for each in answers)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_notebook_begins_with_what_installs_the_course_and_shows_nothing_where_it_is(path):
    cells = nbformat.read(path, as_version=4).cells
    assert [ALONE in tags_of(cell) for cell in cells[:3]] == [False, True, False]
    first = nbformat.read(LESSONS[0], as_version=4).cells[1]
    assert (cells[1].source, cells[1].outputs) == (first.source, [])
    page = body_html(new_notebook(cells=cells), Markdown(path.parent, str))
    assert "find_spec" not in page


def test_the_first_cell_installs_the_wheels_beside_it_or_says_that_they_are_wanted(
    wheels, brought, tmp_path
):
    without = {name: each for name, each in brought.items() if name not in OURS} | needed("pip")
    python = environment(tmp_path / "environment", without.values())
    folder = tmp_path / "downloads"
    folder.mkdir()
    notebook = nbformat.read(LESSONS[0], as_version=4)
    with pytest.raises(CellExecutionError, match=r"Put its two files that end in \.whl beside"):
        run(notebook, folder, python)
    for wheel in wheels:
        shutil.copy(wheel, folder)
    run(notebook, folder, python)


def test_all_that_the_course_brings_can_be_used(brought, python, tmp_path):
    about = brought["ranking-metrics-by-hand-course"]
    assert about.version == byhand.__version__
    assert about.requires == [f"ranking-metrics-by-hand[notebook]=={byhand.__version__}"]
    assert not {"jupyterlab", "nbformat", "scikit-learn"} & {*brought}
    modules = [each.stem for each in about.files if each.suffix == ".py" and each.stem[0] != "_"]
    assert "exercises" in modules

    def said(*arguments: str) -> str:
        command = [python, *arguments]
        return subprocess.check_output(command, cwd=tmp_path, env=ENVIRONMENT, text=True)

    said("-c", "".join(f"import helpers.{each}\n" for each in modules))
    commands = re.findall(r"^ +(\w+) {2,}", said("-m", "helpers", "--help"), re.MULTILINE)
    assert commands == ["answers"]
    asked = 'from helpers import *; print(check("exam-1-a", 1)); print(answers())'
    assert "\nexam-1\n" in said("-c", asked)


IN_COLAB = """
import sys, types
output = types.ModuleType("google.colab.output")
output._widgets = types.SimpleNamespace(_installed_url=None)
output.enable_custom_widget_manager = lambda: vars(output._widgets).update(_installed_url="there")
sys.modules[output.__name__] = output
from byhand.widgets import RankedList
data, metadata = RankedList(["a", "b"], {"b"})._repr_mimebundle_()
print(metadata["application/vnd.jupyter.widget-view+json"]["colab"]["custom_widget_manager"])
"""


def test_a_list_asks_colab_for_the_widgets_of_others(python, tmp_path):
    """As Colab's own module does it, as far as a list can tell: nothing else of it is here."""
    command = [python, "-c", IN_COLAB]
    said = subprocess.check_output(command, cwd=tmp_path, env=ENVIRONMENT, text=True)
    assert said == "{'url': 'there'}\n"
