"""Choosing files with the mouse, in lesson 10."""

import pandas as pd
import pytest

from helpers import DATA, FilePicker, picker

NEW, OLD = (str(DATA / f"sample-{name}.txt.gz") for name in ("new", "old"))
QRELS = str(DATA / "sample-qrels.csv")


@pytest.fixture
def folder(tmp_path):
    """A folder with three runs, and one within it."""
    (tmp_path / "inner").mkdir()
    for name in ("a.csv", "b.csv", "c.csv", "inner/d.csv", "inner/.hidden"):
        (tmp_path / name).write_text("qid,docno,score\nq,a,1\n")
    return tmp_path


def offered(held, role):
    return [name for name, _ in held._lists[role].options]


def test_keeps_what_it_was_given_also_what_is_no_file():
    frame = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1]})
    assert FilePicker(run="none.csv", qrels=QRELS).files == ("none.csv", QRELS, [])
    held = FilePicker(run=frame, against=[OLD, QRELS])
    assert held.files[0] is frame
    assert held.files[1:] == (None, [OLD, QRELS])
    names = "run 'in memory', against 'sample-old.txt.gz', 'sample-qrels.csv'"
    assert repr(held) == f"FilePicker({names})"


def test_walks_from_folder_to_folder(folder, monkeypatch):
    held = FilePicker(run=str(folder / "a.csv"))
    folders, runs = held._folders, held._lists["run"]
    folders.value = str(folder / "inner")
    assert offered(held, "run") == ["a.csv", "d.csv"]
    runs.value = (str(folder / "inner" / "d.csv"),)
    folders.value = dict(folders.options)["one up"]
    assert "a.csv" in offered(held, "run")
    assert held.files[0] == str(folder / "inner" / "d.csv")
    monkeypatch.chdir(folder / "inner")
    relative = FilePicker(run="d.csv")
    for _ in range(2):
        relative._folders.value = dict(relative._folders.options)["one up"]
    assert relative._folder.resolve() == folder.parent.resolve()


def test_offers_what_can_be_read_and_names_the_rest(tmp_path):
    (tmp_path / "run.csv").write_text("qid,docno,score\nq,a,1\n")
    (tmp_path / "judged.csv").write_text("qid,docno,score,label\nq,a,1,1\n")
    (tmp_path / "qrels.json").write_text('{"q": {"a": 1}}')
    (tmp_path / "own.csv").write_text("Edge,Score,ok\na,0.5,1\n")
    (tmp_path / "README.md").write_text("# Data, and where it comes from\n")
    (tmp_path / "table<1>.xlsx").write_bytes(b"PK\x03\x04")
    held = FilePicker(run=str(tmp_path / "run.csv"))
    assert offered(held, "run") == ["run.csv", "judged.csv", "qrels.json"]
    assert offered(held, "qrels") == ["(none)", "judged.csv", "qrels.json"]
    assert offered(held, "against") == ["(none)", "judged.csv", "qrels.json", "run.csv"]
    left_out = "<code>README.md</code>, <code>own.csv</code>, <code>table&lt;1&gt;.xlsx</code>"
    assert left_out in held._left_out.value


def test_a_choice_stays_until_other_files_are_named(folder):
    first = FilePicker(run=NEW, qrels=QRELS, against=[OLD])
    first._enter(folder)
    first._lists["run"].value = (str(folder / "b.csv"),)
    again = FilePicker(run=NEW, qrels=QRELS, against=[OLD], before=first)
    assert again.files == first.files == (str(folder / "b.csv"), QRELS, [OLD])
    assert again._folder == folder
    assert FilePicker(run=OLD, qrels=QRELS, before=again).files == (OLD, QRELS, [])


def test_says_how_far_it_looked_into_a_large_folder(folder, monkeypatch):
    monkeypatch.setattr(picker, "_MOST", 2)
    held = FilePicker(run=str(folder / "a.csv"))
    assert offered(held, "run") == ["a.csv", "b.csv"]
    assert "Only the first 2 files" in held._left_out.value
    assert "c.csv" not in held._left_out.value
