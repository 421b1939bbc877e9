"""A report on folders and globs, which are not held in memory: the same as one on files."""

import re
import shutil
import sys
from os import urandom
from pathlib import Path

import pandas as pd
import pytest
from small_runs import NEW, OLD, QRELS, shown

from byhand import DataError, read_qrels, read_run
from byhand.files.scan import is_large
from byhand.parallel import MEMORY
from byhand.report import steps
from byhand.report.running import Bar
from byhand.report.steps import read_own_data, results_of
from byhand.report.steps.lists import lists_shown
from byhand.reports import gate
from byhand.reports.command import main
from byhand.reports.request import system_names

READ = {"run": NEW, "against": OLD, "qrels": QRELS}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The sample as two folders of Parquet, of which each has parts of every query."""
    place = tmp_path_factory.mktemp("scanned")
    for role in ("run", "against"):
        folder = place / READ[role].name.partition(".")[0]
        folder.mkdir()
        for part in range(3):
            read_run(READ[role])[part::3].to_parquet(folder / f"{part}.parquet")
    read_qrels(QRELS).to_parquet(place / "qrels.parquet")
    return place


@pytest.fixture(scope="module")
def both(folders):
    """Results out of memory, and of the same tables scanned."""
    scanned = folders / "sample-new", folders / "qrels.parquet", f"{folders}/sample-old/*.parquet"
    found = []
    for files in ((NEW, QRELS, OLD), scanned):
        tables = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("byhand.files.scan.is_large", lambda *_, of=files: of is scanned)
            shown(lambda *paths, tables=tables: tables.append(read_own_data(*paths)), *files)
        found.append(results_of(tables[0], ["nDCG@10", "AP"]))
    return found


def test_systems_are_called_alike(both):
    assert [each.data.systems for each in both] == [["sample-new", "sample-old"]] * 2
    assert [each.data.scanned for each in both] == [False, True]


def test_values_means_and_comparison_are_the_same(both):
    here, there = both
    for name in here.tables:
        pd.testing.assert_frame_equal(there.tables[name], here.tables[name].sort_index())
        assert set(there.missing[name]) == set(here.missing[name])
    pd.testing.assert_frame_equal(there.means, here.means)
    pd.testing.assert_frame_equal(there.comparison, here.comparison)


def test_lists_are_the_same(both):
    queries = ["q001", "q100"]
    assert lists_shown(both[1], "sample-new", queries) == lists_shown(
        both[0], "sample-new", queries
    )


STEPS = ["show_summary", "show_means", "show_worst", "show_best", "show_comparison", "show_ties"]


@pytest.mark.parametrize("step", STEPS)
def test_what_is_displayed_is_the_same(both, step):
    here, there = (shown(getattr(steps, step), results) for results in both)
    assert there == here


def test_what_moved_is_the_same_but_for_the_whole(both):
    (here, *_), (there, *_) = (shown(steps.show_moved, results) for results in both)
    start = here.index("sample-new lost most against sample-old:")
    assert there.startswith("How alike the rankings are is said for the queries below only: these")
    assert there.endswith(here[start:])


def test_what_it_does_not_compute_is_said(both):
    text, _, _ = shown(steps.show_unjudged, both[1])
    assert "the range is left out: it takes long" in text


@pytest.mark.parametrize("memory", [MEMORY, "60MB"])
def test_the_command_takes_a_folder_and_a_glob(folders, tmp_path, memory):
    output = tmp_path / "report.html"
    new = tmp_path / "sample-new"
    shutil.copytree(folders / "sample-new", new)
    if memory != MEMORY:  # so large that it is scanned
        part = read_run(new / "0.parquet")
        note = [urandom(10_000_000 // len(part)) for _ in part.index]
        part.assign(note=note).to_parquet(new / "0.parquet")
        assert is_large(new, memory)
    runs = [str(new), "--against", f"{folders}/sample-old/*.parquet", "--memory", memory]
    assert main([*runs, "--qrels", str(folders / "qrels.parquet"), "-o", str(output)]) == 0
    html = output.read_text(encoding="utf-8")
    assert "Ranking report: sample-new against sample-old" in html
    assert str(folders) not in html


def test_the_gate_takes_folders_without_duckdb(folders, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    options = [str(folders / "sample-new"), str(folders / "sample-old"), "--qrels", str(QRELS)]
    assert gate.main(options) == gate.main([str(NEW), str(OLD), "--qrels", str(QRELS)])
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert gate.main([*options, "--memory", "1KB"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    found = r"sample-new may take \d MB of memory, which is more than 1KB, and duckdb, which would"
    assert re.search(
        f"{found} .* is not installed. Allow more memory, or install it: .* pip ins", line
    )


def test_the_command_does_not_write_over_a_file_of_a_folder(folders, capsys):
    target = folders / "sample-new" / "1.parquet"
    with pytest.raises(SystemExit):
        main([str(folders / "sample-new"), "--qrels", str(QRELS), "-o", str(target)])
    assert "is one of the files to read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no*"], "no* matches no file. Looked in"),
        ([str(NEW), "--memory", "much"], "'much' is no amount of memory, such as 2GB"),
    ],
)
def test_complaints_are_one_line(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").touch()
    with pytest.raises(SystemExit):
        main([*arguments, "--qrels", str(QRELS), "-o", "report.html"])
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_what_is_scanned(tmp_path):
    file = tmp_path / "a.parquet"
    file.write_bytes(b"x" * 1000)
    for path in (file, tmp_path, f"{tmp_path}/*"):
        assert [is_large(path, memory) for memory in ("7KB", "9KB", MEMORY)] == [True, False, False]
    with pytest.raises(DataError, match="memory='2' is no amount of memory"):
        is_large(file, "2")


def test_names_of_folders_and_globs():
    assert system_names([Path("runs/new"), "runs/old/part-*.parquet"]) == ["new", "part-*"]
    assert system_names(["a/new/*.parquet", "a/old/**/*.parquet"]) == ["new", "old"]
    assert system_names(["*.parquet"]) == ["*"]


def test_the_bar_says_what_the_step_says(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    bar = Bar()
    bar(3, 20)
    bar.told("\rReading run:  10%\rReading run:  20%")
    bar.told("\n")
    assert capsys.readouterr().err.endswith("] 3 of 20 steps. Reading run:  20%")


def test_a_disk_too_full_to_spill_is_said_to_be(capsys, monkeypatch, tmp_path):
    lack = "DuckDB has too little room on disk (20.0 MiB used)."

    def stopped(*_, **__):
        raise MemoryError(f"{lack} Give it a folder on a larger disk. The search needs most.")

    monkeypatch.setattr("byhand.report.data_report.run_lesson", stopped)
    with pytest.raises(SystemExit):
        main([str(NEW), "--qrels", str(QRELS), "-o", str(tmp_path / "x.html")])
    ways = "--memory 8GB gives it more memory, TMPDIR=/large/disk before it a larger disk"
    assert capsys.readouterr().err == f"ranking-report: {lack} {ways}\n"
    assert [*tmp_path.iterdir()] == []
