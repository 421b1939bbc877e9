"""Reports made whole: what they call the systems, what they look at, and how they can end."""

import gzip
import os
import re
import signal
import subprocess
import sys
import time
from html import unescape
from pathlib import Path

import nbformat
import pandas as pd
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from byhand.report.data_page import LESSON
from byhand.report.data_report import Request, write_report
from byhand.report.here import write_page
from helpers.cells import tags_of
from helpers.notebooks import execute

# Python imports this file when it starts, and so does the kernel
LISTENER = """
import os, sys

def listen(event, arguments):
    # a number is a folder that was opened by its name before
    if event in ("os.listdir", "os.scandir") and not isinstance(arguments[0], int):
        line = os.path.abspath(os.fsdecode(arguments[0] or "."))
        with open({log!r}, "a") as log:
            print(line, file=log)

sys.addaudithook(listen)
"""


def write_run(path, *items):
    path.parent.mkdir(exist_ok=True)
    rows = [f"{q} Q0 {item} 0 {-n} s" for q in "ab" for n, item in enumerate(items)]
    path.write_bytes(gzip.compress("\n".join(rows).encode()))


@pytest.fixture(scope="module", params=["relative", "absolute"])
def report(request, tmp_path_factory):
    """A report on files that differ in their folder only, and which folders were listed for it."""
    top = tmp_path_factory.mktemp("someones-machine")
    folder = top / "proj"
    write_run(folder / "run.txt.gz", "D", "x")
    write_run(folder / "b" / "run.txt.gz", "x", "D")
    rows = [("a", "D", 1), ("b", "D", 1)]
    names = ["query_id", "doc_id", "relevance"]
    pd.DataFrame(rows, columns=names).to_csv(folder / "qrels.csv", index=False)
    (top / "sitecustomize.py").write_text(LISTENER.format(log=str(top / "log")))
    start = folder if request.param == "absolute" else Path()
    paths = (str(start / name) for name in ("run.txt.gz", "qrels.csv", "b/run.txt.gz"))
    run, qrels, against = paths
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("PYTHONPATH", str(top), prepend=os.pathsep)
        asked = Request(run=run, qrels=qrels, against=(against,), measures=("RR",))
        write_report(asked, top / "report.html", save={"csv": top / "values.csv"})
    listed = {Path(line) for line in (top / "log").read_text().splitlines()}
    return folder, (top / "report.html").read_text(encoding="utf-8"), listed


class TestReport:
    def test_calls_each_system_one_name_throughout(self, report):
        _, html, _ = report
        text = unescape(re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", "", html, flags=re.DOTALL))
        assert "Ranking report: run against b/run" in html.partition("</title>")[0]
        for part in (
            "Ranking report: run against b/run",
            "Over 2 queries, run gets a mean RR",
            "above that of b/run",
            "run of b/run",
            "The run of run is run.txt.gz",
            "RR of b/run",
        ):
            assert part in text
        assert "proj/run" not in text

    def test_names_no_folder_of_the_machine(self, report):
        folder, html, _ = report
        assert folder.parent.name not in html
        assert "proj" not in html

    def test_lists_no_folder_of_the_user(self, report):
        folder, _, listed = report
        assert listed
        assert not [path for path in listed if path.is_relative_to(folder)]

    def test_values_of_each_query_are_written(self, report):
        values = pd.read_csv(report[0].parent / "values.csv")
        assert values["system"].tolist() == ["run", "run", "b/run", "b/run"]
        assert values["RR"].tolist() == [1, 1, 0.5, 0.5]


class TestFromWithinTheLesson:
    def test_it_is_the_page_that_the_command_writes(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        write_run(tmp_path / "run.gz", "D", "x")
        write_run(tmp_path / "old.gz", "x", "D")
        (tmp_path / "qrels").write_text("a 0 D 1\nb 0 D 1\n")
        lesson = nbformat.read(LESSON, as_version=4)
        place = next(n for n, cell in enumerate(lesson.cells) if "parameters" in tags_of(cell))
        chosen = new_code_cell(
            "run, qrels, against = 'run.gz', 'qrels', 'old.gz'\n"
            "measures = 'RR'\nreport = 'within.html'"
        )
        lesson.cells.insert(place + 1, chosen)
        execute(lesson, tmp_path)
        asked = Request(run="run.gz", qrels="qrels", against=("old.gz",), measures=("RR",))
        write_report(asked, tmp_path / "report.html")
        within = (tmp_path / "within.html").read_text(encoding="utf-8")
        assert "<figure><img src=" in within
        assert within == (tmp_path / "report.html").read_text(encoding="utf-8")

    def test_it_needs_nothing_that_a_browser_s_python_has_not(self):
        missing = ("nbformat", "nbclient", "jupyter_client", "zmq", "jsonschema")
        code = (
            f"import sys\nsys.modules.update(dict.fromkeys({missing}))\n"
            "import byhand.report.here, byhand.report.steps"
        )
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_without_a_notebook_it_names_the_command(self, monkeypatch, tmp_path):
        monkeypatch.setattr("byhand.report.here.get_ipython", lambda: None)
        with pytest.raises(RuntimeError, match="ranking-report"):
            write_page({}, tmp_path / "report.html")


@pytest.fixture
def ends_with(tmp_path):
    """How the command ends if this is the code of the lesson: its status, and its one line.

    In a process of its own: in this one, a browser that other tests use may hold the event loop,
    and with it the signals.
    """

    def end(code, before=""):
        first = new_code_cell("run = None", metadata={"tags": ["parameters"]})
        lesson = new_notebook(cells=[first, new_code_cell(code)])
        nbformat.write(lesson, tmp_path / "lesson.ipynb")
        write_run(tmp_path / "run.gz", "D")
        (tmp_path / "qrels").write_text("q1 0 D 1\n")
        files = [str(tmp_path / name) for name in ("run.gz", "qrels", "report.html")]
        command = (
            # with it, jsonschema builds a grammar of IRIs for two seconds, which nothing here needs
            "import sys\nsys.modules['rfc3987_syntax'] = None\n"
            "from pathlib import Path\nfrom byhand.report import command, running\n"
            f"running.LESSON = Path({str(tmp_path / 'lesson.ipynb')!r})\n{before}\n"
            "import byhand.__main__, sys\n"
            f"sys.argv = ['', {files[0]!r}, '--qrels', {files[1]!r}, '-o', {files[2]!r}]\n"
            "byhand.__main__.ranking_report()"
        )
        room = tmp_path / "room"
        room.mkdir(exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-c", command],
            capture_output=True,
            text=True,
            env={**os.environ, "TMPDIR": str(room)},
        )
        (line,) = done.stderr.splitlines()
        found = {path.name for path in tmp_path.iterdir()}
        assert found <= {"lesson.ipynb", "run.gz", "qrels", "pid", "room"}
        assert [*room.iterdir()] == []
        return done.returncode, line

    return end


def runs(process):
    """Whether a process still does anything; one that ended may wait for us to hear of it."""
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class TestEnds:
    def test_only_a_complaint_about_data_is_about_the_data(self, ends_with):
        raises = "from byhand import DataError\nraise {}"
        assert ends_with(raises.format("DataError('no column')")) == (
            2,
            "ranking-report: no column",
        )
        assert ends_with(raises.format("ValueError('a bug')")) == (
            2,
            "ranking-report: code cell 3: ValueError: a bug",
        )

    def test_a_kernel_that_dies_is_no_interruption(self, ends_with):
        status, line = ends_with("import os, tempfile\ntempfile.mkdtemp()\nos._exit(1)")
        assert status == 2
        assert "stopped by itself, most likely since it ran out of memory" in line

    @pytest.mark.parametrize("stop", ["SIGINT", "SIGHUP"])
    def test_an_interruption_is_no_kernel_that_died_and_stops_it(self, ends_with, tmp_path, stop):
        status, line = ends_with(
            "import os, pathlib, signal, tempfile, time\n"
            "pathlib.Path(tempfile.mkdtemp(), 'spilled').touch()\n"
            f"pathlib.Path({str(tmp_path)!r}, 'pid').write_text(str(os.getpid()))\n"
            f"os.kill(os.getppid(), signal.{stop})\n"
            "time.sleep(100)"
        )
        expected = "ranking-report: interrupted; no file was left half written"
        assert (status, line) == (128 + getattr(signal, stop), expected)
        kernel = int((tmp_path / "pid").read_text())
        for _ in range(300):  # it may take its time to go on a busy machine
            if not runs(kernel):
                break
            time.sleep(0.1)
        assert not runs(kernel)

    def test_an_interruption_while_the_kernel_starts(self, ends_with):
        never_starts = """
import asyncio, os, signal
from helpers.notebooks import ThisPython
async def start(*_, **__):
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.sleep(100)
ThisPython.start_kernel = start
"""
        assert ends_with("1", never_starts)[0] == 130
