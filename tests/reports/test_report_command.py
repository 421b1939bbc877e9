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
from byhand.reports.report_command import main
from byhand.reports.system_names import system_names


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder to stand in."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def small():
    Path("run.csv").write_text("query_id,doc_id,score\nq1,d1,1\nq2,d1,1\n")
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,d1,1\nq2,d1,0\n")


def test_pipes_of_this_process_and_others():
    os.mkfifo("judged")
    writer = Thread(target=lambda: Path("judged").write_bytes(Path(QRELS).read_bytes()))
    writer.start()
    arguments = ["/dev/stdin", "--qrels", "judged", "-o", "x" * 245 + ".html", "-o", "p.csv"]
    done = subprocess.run(
        [sys.executable, "-m", "byhand", "report", *arguments, "--measures", "RR"],
        input=Path(NEW).read_bytes(),
        env=os.environ | {"PYTHONPATH": str(DATA.parent)},
    )
    writer.join()
    assert done.returncode == 0
    found = pd.read_csv("p.csv").set_index("query_id")
    assert set(found["system"]) == {"stdin"}
    wanted = evaluate(read_run(NEW), read_qrels(QRELS), "RR")
    assert found["RR"].to_dict() == pytest.approx(wanted["RR"].to_dict())


@pytest.mark.parametrize(
    ("names", "title"), [(None, "run against run 2"), (["new", None], "new against run 2")]
)
def test_what_has_no_name_is_called_by_its_file_or_its_place(small, names, title):
    runs = ["run.csv", read_run("run.csv")]
    found = byhand.report(runs, "qrels.csv", measures="RR", names=names, path="x.html")
    assert found.title == f"Ranking report: {title}"
    assert found.title in Path("x.html").read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"memory": "much"}, "memory: expected an amount of memory, such as 2GB, but got"),
        ({"run_columns": {"A": "b"}}, "'b' is not one of our columns"),
        ({"names": ["a", "a"]}, "names: two systems are called 'a'"),
        ({"language": "xx"}, "language: There is no language 'xx'"),
    ],
)
def test_an_option_that_is_none_is_named(small, options, said):
    with pytest.raises(DataError, match=re.escape(said)):
        byhand.report(["run.csv", read_run("run.csv")], "qrels.csv", **options)


def test_what_is_advised_for_one_file_of_several_keeps_the_columns_of_the_others(small):
    run = read_run("run.csv")
    for name, columns in {
        "a.csv": ["query_id", "Page", "Sure"],
        "b.csv": ["query_id", "Kante", "Wert"],
    }.items():
        run.set_axis(columns, axis=1).to_csv(name, index=False)
    columns = None
    for file in ("a.csv", "b.csv"):
        with pytest.raises(
            DataError, match=f"^{file} has no columns 'doc_id' and 'score'"
        ) as caught:
            byhand.report(["a.csv", "b.csv"], "qrels.csv", run_columns=columns)
        (columns,) = caught.value.ways
        assert f"pass run_columns={columns}." in str(caught.value)
    assert byhand.report(["a.csv", "b.csv"], "qrels.csv", run_columns=columns)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device"), "[Errno 28] No space left on device"),
        (
            MemoryError("malloc"),
            "There is not enough memory. Free some, or pass a smaller --memory.",
        ),
    ],
)
def test_what_ends_it_halfway_is_said_and_leaves_nothing(small, capsys, monkeypatch, error, said):
    def stopped(*_):
        raise error

    Path("x.html").write_text("old")
    Path("tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(Path("tmp").resolve()))
    monkeypatch.setattr("byhand.reports.report.latex_text", stopped)
    typed = "run.csv --qrels qrels.csv --measures RR -o x.html -o x.csv -o x.tex"
    with pytest.raises(SystemExit) as end:
        main(typed.split())
    assert (end.value.code, *capsys.readouterr()) == (2, "", f"ranking-report: {said}\n")
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
