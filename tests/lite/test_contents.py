"""What is published of a lesson that somebody has answered: on pages, and as a notebook."""

import shutil
import zipfile

import nbformat
import pytest
from nbformat.v4 import new_output

import helpers.site
import lite.pyodide
import lite.site
from helpers.places import DATA, NOTEBOOKS
from helpers.site import course_notebooks, write_pages

LESSON = "01-reciprocal-rank.ipynb"
MINE = {
    "01-a": 'my_secret = 1 / 3\nanswer = my_secret\ncheck("01-a", answer)',
    "01-b": "answer = my_secret  # and no call",
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A copy of the lessons, which has no git beside it, where a learner saved one."""
    root = tmp_path / "project"
    shutil.copytree(NOTEBOOKS, root / "notebooks")
    shutil.copytree(DATA, root / "data")
    path = root / "notebooks" / LESSON
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        for name, mine in MINE.items():
            if f'check("{name}"' in cell.source and "exercise" in cell.metadata.get("tags", []):
                cell.source = mine
                cell.outputs = [new_output("stream", text="Right: my_secret")]
    notebook.metadata["widgets"] = {"state": "my_secret"}
    nbformat.write(notebook, path)
    monkeypatch.setattr(helpers.site, "NOTEBOOKS", root / "notebooks")
    monkeypatch.setattr(helpers.site, "DATA", root / "data")
    monkeypatch.setattr(lite.site, "ROOT", root)
    monkeypatch.setattr(lite.pyodide, "ROOT", root)
    return root


def test_a_page_has_no_answer_of_a_learner(project, tmp_path):
    assert "my_secret" in (project / "notebooks" / LESSON).read_text(encoding="utf-8")
    (page,) = (each for each in write_pages(tmp_path / "mine") if each.stem in LESSON)
    shutil.copy(NOTEBOOKS / LESSON, project / "notebooks")
    (other,) = (each for each in write_pages(tmp_path / "committed") if each.stem in LESSON)
    assert page.read_text(encoding="utf-8") == other.read_text(encoding="utf-8")


def test_nor_have_the_notebooks_for_the_browser_and_the_wheel_in_it(project, tmp_path):
    repository = NOTEBOOKS.parent
    for name in ("byhand", "helpers", "pyproject.toml", "README.md", "LICENSE"):
        (project / name).symlink_to(repository / name)
    work = tmp_path / "work"
    lite.site.copy_contents(work / "files")
    copies = work / "files" / "notebooks"
    for path in course_notebooks():
        if path.name != LESSON:
            assert (copies / path.name).read_bytes() == path.read_bytes()
    copied, committed = (nbformat.read(each / LESSON, 4) for each in (copies, NOTEBOOKS))
    assert [each.source for each in copied.cells] == [each.source for each in committed.cells]
    assert "my_secret" not in str(copied)
    with zipfile.ZipFile(lite.site.course_wheel(work)) as wheel:
        lesson = wheel.read(f"notebooks/{LESSON}").decode()
        names = wheel.namelist()
    assert "my_secret" not in lesson
    assert "byhand/widgets/browser/main.js" in names
    assert any(name.startswith("notebooks/images/") for name in names)
