"""How every command ends that does not come to its answer: with one line, and a status for it."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import byhand


@pytest.mark.parametrize(
    ("package", "typed", "status", "said"),
    [
        ("byhand", "preflight", 2, "no command 'preflight'.\nUsage: python -m byhand NAME"),
        ("byhand", "preflight --help", 2, "no command 'preflight'."),
        ("byhand", "", 2, "where NAME is one of report, gate"),
        ("byhand", "--help", 0, "where NAME is one of report, gate"),
        ("byhand", "--version", 0, byhand.__version__),
        ("byhand", "gate --help", 0, "python -m byhand docs gate"),
        ("helpers", "judge", 2, "where NAME is one of notebooks, lessons, pages"),
    ],
)
def test_what_there_is(package, typed, status, said):
    command = [sys.executable, "-m", package, *typed.split()]
    done = subprocess.run(command, capture_output=True, text=True)
    answer, other = (done.stderr, done.stdout)[:: 1 if status else -1]
    assert (done.returncode, other) == (status, "")
    assert said in answer


DATA = Path(__file__).parents[1] / "data"
NEW, OLD = (str(DATA / f"sample-{name}.txt.gz") for name in ("new", "old"))
REPORT = f"report {NEW} --qrels {DATA / 'sample-qrels.csv'} --measures RR"
GATE = f"gate {NEW} {OLD} --qrels {DATA / 'sample-qrels.csv'}"
ENVIRONMENT = os.environ | {"PYTHONPATH": str(DATA.parent), "OMP_NUM_THREADS": "1"}


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full and names of any bytes")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"{GATE} >/dev/full", "gate: standard output: No space left on device"),
        (f"{REPORT} -o - >/dev/full", "report: standard output: No space left on device"),
        ("report --help >&-", "report: standard output: it is closed"),
        (f"gate 'a\x1b[31m\x9b2J\u202e.csv' {OLD}", r"a\x1b[31m\x9b2J\u202e.csv"),
        (f"report {NEW} --qrels $'caf\\xe9'", "is not UTF-8"),
        ("report bad.parquet", "bad.parquet"),
    ],
)
def test_what_cannot_be_done_is_one_line_that_steers_no_terminal(tmp_path, line, said):
    torn = b"PAR1" + b"\x15\x00\x1b[31m" * 20 + (80).to_bytes(4, "little") + b"PAR1"
    (tmp_path / "bad.parquet").write_bytes(torn)
    command = f"{sys.executable} -m byhand {line}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, cwd=tmp_path, env=ENVIRONMENT
    )
    assert done.returncode == 2
    (shown,) = done.stderr.splitlines()
    assert said in shown
    assert set(map(ord, done.stdout + shown)).isdisjoint({*range(32), *range(127, 160), 0x202E})


# while it reads; and while it writes, where the page may be there before it hears of it, but whole
@pytest.mark.parametrize(("sign", "may_be"), [("tmp/ranking-*", []), (".x.html.*", ["x.html"])])
def test_a_command_that_is_told_to_stop_leaves_no_file_half_written(tmp_path, sign, may_be):
    (tmp_path / "tmp").mkdir()
    made = subprocess.Popen(
        [sys.executable, "-m", "byhand", *REPORT.split(), "-o", "x.html"],
        cwd=tmp_path,
        env=ENVIRONMENT | {"TMPDIR": str(tmp_path / "tmp")},
        stderr=subprocess.PIPE,
    )
    while not list(tmp_path.glob(sign)):
        assert made.poll() is None, made.stderr.read()
        time.sleep(0.001)
    time.sleep(0.01)  # Python itself leaves a folder that it is just making
    made.terminate()
    said = made.communicate()[1]
    left = [path for path in tmp_path.rglob("*") if path.name != "tmp"]
    assert [path.name for path in left] in ([], may_be)
    assert all(path.read_text(encoding="utf-8").rstrip().endswith("</html>") for path in left)
    if made.returncode or not left:
        assert made.returncode == 128 + signal.SIGTERM
        assert re.fullmatch(rb".*report: interrupted; no file was left half written\n", said)
