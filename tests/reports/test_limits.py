"""What the system refuses: files of another user, and memory."""

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest
from commands import report as main

import byhand

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs users and /proc")
NOBODY = 65534


@contextmanager
def as_another_user():
    """Whoever runs the tests: root may read everything, so it becomes somebody else."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.fixture
def folder():
    """A folder that everybody may look into, and nobody write into, with a run and its qrels."""
    # another user may not be allowed to import what this takes
    byhand.report({"q": {"d": 0.5, "e": 0.4}}, {"q": {"d": 1}}).html()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        (path / "run").write_text("q Q0 d 1 0.5 t\n")
        (path / "qrels").write_text("q 0 d 1\n")
        path.chmod(0o555)
        yield path
        path.chmod(0o755)


def refused(capsys, *arguments):
    with pytest.raises(SystemExit) as end, as_another_user():
        main([str(argument) for argument in arguments])
    (line,) = capsys.readouterr().err.splitlines()
    return end.value.code, line


@pytest.mark.parametrize("name", ["run", "qrels"])
def test_a_file_that_may_not_be_read(capsys, folder, name):
    (folder / name).chmod(0)
    out = folder / "report.html"
    status, line = refused(capsys, folder / "run", "--qrels", folder / "qrels", "-o", out)
    assert status == 2
    assert f"{folder / name}" in line
    assert "ermission denied" in line


def test_a_folder_that_may_not_be_written_into(capsys, folder):
    out = folder / "report.html"
    status, line = refused(capsys, folder / "run", "--qrels", folder / "qrels", "-o", out)
    assert status == 2
    assert "ermission denied" in line
    assert {path.name for path in folder.iterdir()} == {"run", "qrels"}


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_files_that_need_more_memory_than_there_is(tmp_path, form):
    for name, n_rows in (("small", 1), ("run", 10**6)):
        table = pa.table({"doc_id": ["d"] * n_rows, "score": [0.5] * n_rows})
        table = table.append_column("relevance", pa.array([1] * n_rows))
        writer = {"csv": pacsv.write_csv, "parquet": pq.write_table}[form]
        writer(table, tmp_path / f"{name}.{form}")
    # pyarrow aborts where it cannot start a thread: it has them before the limit is set
    code = f"""
import resource
from byhand import read_judged_run
from byhand.reports.report_command import main
read_judged_run("small.{form}")
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (24 << 20),) * 2)
try:
    read_judged_run("run.{form}")
except MemoryError as error:
    print(error)
main(["run.{form}", "-o", "report.html"])
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "OMP_NUM_THREADS": "1", "ARROW_IO_THREADS": "1"},
    )
    assert (done.returncode, done.stdout) == (2, f"There is not enough memory for run.{form}.\n")
    said = [line for line in done.stderr.splitlines() if not line.startswith("Reading ")]
    assert said == ["ranking-report: there is not enough memory for these files"]
    assert not (tmp_path / "report.html").exists()
