"""A report on folders and globs, which are not held in memory: the same as one on files."""

import sys

import pandas as pd
import pytest
from small_runs import NEW, OLD, QRELS

from byhand import read_qrels, read_run, report, scan
from byhand.reports import gate_command as gate
from byhand.reports.system_names import system_names

MEASURES = ["nDCG@10", "AP"]
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
    """The report on the sample held, and on the same tables scanned."""
    runs = {
        "sample-new": scan(folders / "sample-new", memory="2MB"),
        "sample-old": scan(f"{folders}/sample-old/*.parquet", memory="2MB"),
    }
    qrels = scan(folders / "qrels.parquet", "qrels")
    return report([NEW, OLD], QRELS, measures=MEASURES), report(runs, qrels, measures=MEASURES)


def test_values_means_and_comparison_are_the_same(both):
    here, there = (each.results for each in both)
    assert [each["in_memory"] for each in (here, there)] == [True, False]
    for name, values in here["queries"].items():
        pd.testing.assert_frame_equal(there["queries"][name], values.sort_index())
        assert set(there["missing"][name]) == set(here["missing"][name])
    assert (there["means"], there["comparison"]) == (here["means"], here["comparison"])


@pytest.mark.parametrize("memory", ["4GB", "2MB"])
def test_the_gate_takes_folders(folders, monkeypatch, capsys, memory):
    monkeypatch.setitem(sys.modules, "duckdb", None)  # which it does not need
    options = [str(folders / "sample-new"), str(folders / "sample-old"), "--qrels", str(QRELS)]
    found = gate.main([*options, "--memory", memory])
    assert found == gate.main([str(NEW), str(OLD), "--qrels", str(QRELS)])
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


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
