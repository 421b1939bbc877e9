"""`ranking-report`, from its arguments to its files, and `byhand.report`, which does the same."""

import os
import re
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pandas as pd
import pytest
from small_runs import DATA, NEW, QRELS

import byhand
from byhand import DataError, evaluate, read_qrels, read_run
from byhand.reports.gate_command import main as gate
from byhand.reports.report_command import main
from byhand.reports.system_names import system_names

ROOT = DATA.parent
SMALL = ("run.csv", "--qrels", "qrels.csv", "--measures", "RR")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder to stand in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def small():
    write(run="query_id,doc_id,score\nq1,d1,1\nq2,d1,1\n")
    write(qrels="query_id,doc_id,relevance\nq1,d1,1\nq2,d1,0\n")


def write(**texts):
    for name, text in texts.items():
        Path(f"{name}.csv").write_text(text)


def fails(capsys, *arguments):
    """The one line that a call ends with."""
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    assert (end.value.code, printed.out) == (2, "")
    (line,) = printed.err.splitlines()
    return line.removeprefix("ranking-report: ")


class TestReport:
    def test_pipes_of_this_process_and_others(self):
        os.mkfifo("judged")
        writer = Thread(target=lambda: Path("judged").write_bytes(Path(QRELS).read_bytes()))
        writer.start()
        arguments = ["/dev/stdin", "--qrels", "judged", "-o", "x" * 245 + ".html", "-o", "p.csv"]
        done = subprocess.run(
            [sys.executable, "-m", "byhand", "report", *arguments, "--measures", "RR"],
            input=Path(NEW).read_bytes(),
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        writer.join()
        assert done.returncode == 0
        found = pd.read_csv("p.csv").set_index("query_id")
        assert set(found["system"]) == {"stdin"}
        wanted = evaluate(read_run(NEW), read_qrels(QRELS), "RR")
        assert found["RR"].to_dict() == pytest.approx(wanted["RR"].to_dict())


class TestInPython:
    def test_pages_name_options_that_there_are(self, capsys):
        pages = [ROOT / "README.md", *(ROOT / f"docs/{name}.md" for name in ("report", "gate"))]
        about = " ".join(page.read_text(encoding="utf-8") for page in pages)
        helps = ""
        for command in (main, gate):
            with pytest.raises(SystemExit):
                command(["--help"])
            helps += capsys.readouterr().out
        known, named = ({*re.findall(r"(?<!-)--[a-z][a-z-]*", each)} for each in (helps, about))
        assert named <= known, named - known

    def test_several_systems(self, small):
        run = read_run("run.csv")
        for runs, names in (
            (["run.csv", run], None),
            (["run.csv", run], ["new", None]),
            ({"b": run, "a": "run.csv"}, None),
        ):
            report = byhand.report(runs, "qrels.csv", measures="RR", names=names, path="x.html")
            title = {None: "b against a", "new": "new against run 2"}[names and names[0]]
            if isinstance(runs, list) and not names:
                title = "run against run 2"
            assert report.title == f"Ranking report: {title}"
            assert report.title in Path("x.html").read_text()
        with pytest.raises(DataError, match="names: two systems are called 'a'"):
            byhand.report([run, run], "qrels.csv", names=["a", "a"])
        with pytest.raises(DataError, match="There is no folder 'absent' to write"):
            byhand.report(run, "qrels.csv", path="absent/x.html")

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"matters": -1}, "matters: expected a difference above 0, but got -1"),
            ({"relevant_from": "x"}, "relevant_from: expected a grade above 0, but got 'x'"),
            ({"memory": "much"}, "memory: expected an amount of memory, such as 2GB, but got"),
            ({"measures": "infAP"}, "'infAP' is not a measure"),
            ({"run_columns": {"A": "b"}}, "'b' is not one of our columns"),
        ],
    )
    def test_options_that_are_none(self, small, options, said):
        with pytest.raises(DataError, match=re.escape(said)):
            byhand.report("run.csv", "qrels.csv", **options)


class TestWhereItGoes:
    @pytest.mark.parametrize(
        ("error", "said"),
        [
            (OSError(28, "No space left on device"), "[Errno 28] No space left on device"),
            (
                MemoryError("malloc failed"),
                "There is not enough memory. Free some, or pass a smaller --memory.",
            ),
        ],
    )
    def test_what_ends_it_halfway_leaves_nothing(self, capsys, small, monkeypatch, error, said):
        def stopped(*_):
            raise error

        Path("x.html").write_text("old")
        Path("tmp").mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(Path("tmp").resolve()))
        monkeypatch.setattr("byhand.reports.report.latex_text", stopped)
        options = ["-o", "x.html", "-o", "x.csv", "-o", "x.tex"]
        assert fails(capsys, *SMALL, *options) == said
        assert Path("x.html").read_text() == "old"
        names = {path.name for path in Path().rglob("*")}
        assert names == {"qrels.csv", "run.csv", "tmp", "x.html"}


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["x/bm25.txt.gz"], ["bm25"]),
        (["run.csv", "run.parquet"], ["run.csv", "run.parquet"]),
        (["a/b/run.csv", "a/c/run.csv"], ["b/run", "c/run"]),
        (["v1.5.run", "v1.6.run"], ["v1.5", "v1.6"]),
        (["run.txt.gz", "b/run.txt.gz"], ["run", "b/run"]),
        (["../run.csv", "run.csv"], ["../run", "run"]),
        (["runs/new", "runs/old/part-*.parquet"], ["new", "part-*"]),
        (["a/new/*.parquet", "a/old/**/*.parquet"], ["new", "old"]),
    ],
)
def test_names_of_systems(paths, names):
    assert system_names(paths) == names
