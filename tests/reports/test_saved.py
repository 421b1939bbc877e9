"""What a report is written to beside its page: values, numbers, a table for a paper or a chat."""

import hashlib
import json
import os
import stat
import threading
from pathlib import Path

import pandas as pd
import pytest
from small_runs import NEW, OLD, QRELS

import byhand
from byhand import DataError, compare, read_qrels, read_run


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A run and qrels in the current folder, and a folder beside them."""
    monkeypatch.chdir(tmp_path)
    Path("run.csv").write_text("query_id,doc_id,score\nq1,a,1\n")
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,a,1\n")
    Path("groups.csv").write_text("query_id,group\nq1,en\n")
    Path("elsewhere").mkdir()


@pytest.fixture
def report():
    return byhand.report("run.csv", "qrels.csv", measures="RR", groups="groups.csv")


def test_numbers_are_those_of_evaluate_and_compare():
    measures = ["nDCG@10", "AP", "RR"]
    sample = byhand.report([NEW, OLD], QRELS, measures=measures)
    sample.save("values.csv", "all.json")
    told = json.loads(Path("all.json").read_text())
    answered = pd.read_csv("values.csv").groupby("system")["answered"].sum()
    assert answered.tolist() == [197, 200]
    runs = {"sample-new": read_run(NEW), "sample-old": read_run(OLD)}
    table = compare(runs, read_qrels(QRELS), measures, correct="primary")
    for row, wanted in zip(told["comparison"], table.to_dict("records"), strict=True):
        assert {name: row[name] for name in wanted} == wanted
    for row in told["means"]:
        assert row["lift"] == row["mean"] / row["chance"] > 1
    mean = told["means"][4]  # of RR
    wanted = f"**{mean['mean']:.3f}** [{mean['low']:.3f}, {mean['high']:.3f}]"
    assert sample.to_markdown().splitlines()[2].endswith(f" {wanted} |")


def test_the_ending_says_what_is_written(report):
    paths = ["A.HTM", Path("b.json"), "c.csv", "d.tex", "e.md"]
    assert report.save(*paths) == [*map(Path, paths)]
    begins = ["<!doctype html>", "{", "query_id,", "\\begin{table}", "| System | RR |\n"]
    for path, text in zip(paths, begins, strict=True):
        assert Path(path).read_text().startswith(text)
    assert Path("e.md").read_text().endswith("| :-- | --: |\n| run | 1.000 |\n")


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ([], "No path was passed. Pass a file name that ends in .html, .csv, "),
        (["x.pdf"], "x.pdf has no known extension. Pass a file name that ends in .html"),
        ([""], "'' is not a path. Pass a file"),
        (["gone/x.html"], "There is no folder 'gone' to write gone/x.html into. Create it"),
        (["x.html", "./x.html"], "./x.html is passed twice. Pass a different path"),
        (["./qrels.csv"], "qrels.csv is an input file and cannot be overwritten."),
    ],
)
def test_what_cannot_be_written_is_refused_and_nothing_is_touched(report, paths, message):
    before = {path: path.read_bytes() for path in Path().glob("*.*")}
    with pytest.raises(DataError) as error:
        report.save(*paths)
    assert str(error.value).startswith(message)
    assert {path: path.read_bytes() for path in Path().glob("*.*")} == before


@pytest.mark.parametrize("what", ["run.csv", "qrels.csv", "groups.csv"])
def test_a_hash_is_of_the_bytes_that_were_read(report, what):
    before = hashlib.sha256(Path(what).read_bytes()).hexdigest()
    Path("new").write_text("query_id,doc_id,score,relevance,group\nq1,a,1,1,ko\n")
    Path("new").replace(what)
    os.chdir("elsewhere")
    report.save("all.json")
    files = json.loads(Path("all.json").read_text())["files"]
    assert {"file": what, "sha256": before} in [file for each in files.values() for file in each]


def test_a_pipe_takes_what_is_written_and_stays_a_pipe(report):
    path, heard = Path("pipe.md"), []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: heard.append(path.read_text()), daemon=True)
    reader.start()
    report.save(path)
    reader.join(10)
    assert heard == [report.to_markdown()]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_an_old_file_keeps_its_rights_and_a_link_stays_one(report):
    old, link = Path("elsewhere/old.md"), Path("link.md")
    old.touch()
    old.chmod(0o640)
    link.symlink_to(old)
    report.save(link)
    assert link.is_symlink()
    assert old.read_text() == report.to_markdown()
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
