"""What is published of a lesson that somebody has answered: on pages, and as a notebook."""

import shutil

import nbformat
from nbformat.v4 import new_output

import helpers.site
import lite.site
from helpers.places import NOTEBOOKS

MINE = {
    "02-a": 'my_secret = 1 / 3\nanswer = my_secret\ncheck("02-a", answer)',
    "02-b": "answer = my_secret  # and no call",
}


def test_no_answer_of_a_learner_is_published(tmp_path, monkeypatch):
    notebooks = shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")
    path = notebooks / "02-mean-reciprocal-rank.ipynb"
    lesson = nbformat.read(path, as_version=4)
    for cell in lesson.cells:
        for name, mine in MINE.items():
            if f'check("{name}"' in cell.source and "exercise" in cell.metadata.get("tags", []):
                cell.source = mine
                cell.outputs = [new_output("stream", text="Right: my_secret")]
    lesson.metadata["widgets"] = {"state": "my_secret"}
    nbformat.write(lesson, path)
    assert path.read_text(encoding="utf-8").count("my_secret") == 6
    monkeypatch.setattr(helpers.site, "NOTEBOOKS", notebooks)
    monkeypatch.setattr(lite.site, "ROOT", tmp_path)
    helpers.site.write_pages(tmp_path)
    lite.site.copy_contents(tmp_path / "lite")
    for made in (f"{path.stem}.html", f"lite/notebooks/{path.name}"):
        text = (tmp_path / made).read_text(encoding="utf-8")
        assert "02-a" in text
        assert "my_secret" not in text
