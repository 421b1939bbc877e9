"""What reports and commands say, word for word; `golden.py` writes it anew."""

from importlib.util import find_spec

from branches import Branches
from golden import FOLDER, NAMES, texts_of

from byhand.reports.page import page


def test_all_that_templates_can_say_is_what_they_said(tmp_path, monkeypatch):
    branches, engine = Branches(), find_spec("duckdb")
    branches.record(monkeypatch)
    for name in NAMES:
        if engine or name != "scanned":
            (tmp_path / name).mkdir()
            wanted = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
            assert texts_of(name, tmp_path / name) == wanted
    # of a lesson
    page(title="", body="", head="a", contents="b", alternates={"ko": "ko.html"}, style="")
    never = sorted(branches.unseen.values())
    assert not engine or not never, "no text has these: add a report to rare.py, or delete them"
