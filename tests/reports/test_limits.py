"""What the system refuses: files of another user, and memory."""

import os
import subprocess
import sys

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs users and /proc")


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
