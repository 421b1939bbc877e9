"""Folders and globs, read or as lazy tables: what they hold, and what is said if they do not."""

import gc
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from refused import alike, message_of

from byhand import DataError, evaluate, preflight, read_qrels, read_run, scan, tie_range

RUN = pd.DataFrame({"qid": [*"ppppqq"], "docno": [*"abcdxy"], "sim": [3.0, 1, 1, 0, 2, 2]})
QRELS = pd.DataFrame({"query_id": [*"pprq"], "doc_id": [*"czay"], "relevance": [2, 1, 1, 0]})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A run in two Parquet files with parts of each query, beside the mark of an engine."""
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "run"
    place.mkdir()
    RUN[::2].to_parquet(place / "1.parquet")
    RUN[1::2].to_parquet(place / "2.parquet")
    (place / "_SUCCESS").touch()
    return place


WAYS = {"read": read_run, "scanned": scan, "scanned in parts": partial(scan, memory="1KB")}


@pytest.fixture(params=WAYS)
def reader(request, monkeypatch):
    """`read_run` and `scan`, neither of which needs DuckDB or Ibis."""
    for name in ("duckdb", "ibis"):
        monkeypatch.setitem(sys.modules, name, None)
    return WAYS[request.param]


@pytest.mark.parametrize("how", ["folder", "path", "glob", "list"])
@pytest.mark.missing_queries
def test_several_files_are_one_run(folder, how, reader):
    files = [str(folder / name) for name in ("2.parquet", "1.parquet")]
    paths = {"folder": str(folder), "path": folder, "glob": f"{folder}/*.parquet", "list": files}
    run = reader(paths[how])
    found, expected = evaluate(run, QRELS), evaluate(RUN, QRELS)
    pd.testing.assert_frame_equal(found, expected)
    assert found.attrs == expected.attrs
    named = f"{files[0 if how == 'list' else 1]} and 1 more"
    assert run.attrs["file"] == named
    if reader is not read_run:
        assert repr(run) == f"{named}: Parquet, to be read when it is asked for"


@pytest.mark.parametrize("paths", ["runs", "ru?s", "runs/*", "runs/**", ["runs/1.csv", "runs/far"]])
def test_folders_are_read_with_linked_files_and_without_marker_files(tmp_path, monkeypatch, paths):
    monkeypatch.chdir(tmp_path)
    for place, items in {"runs": ["a", "b"], "elsewhere": ["c", "d"]}.items():
        Path(place).mkdir()
        for number, item in enumerate(items):
            Path(place, f"{number}.csv").write_text(f"query_id,doc_id,score\nq1,{item},1\n")
    Path("runs/0.csv").rename("runs/1.csv" if "/*" in paths else "runs/_1.csv")
    Path("runs/far").symlink_to("../elsewhere")
    assert len(read_run(paths)) == 3


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """The folder of temporary files."""
    place = tmp_path / "scratch"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    return place


@pytest.fixture
def large(tmp_path):
    """A run of several files, in the order of its queries and in none; and qrels."""
    run = pd.DataFrame({"query_id": np.arange(3600) // 40, "doc_id": np.arange(3600) % 40})
    run = run.astype(str).assign(score=np.random.default_rng(0).integers(0, 9, len(run)))
    for name, table in {"grouped": run, "shuffled": run.sample(frac=1, random_state=0)}.items():
        (tmp_path / name).mkdir()
        for part in range(3):
            table[part * 1200 :][:1200].to_parquet(tmp_path / name / f"{part}.parquet")
    return run, run.sample(300, random_state=1).rename(columns={"score": "relevance"}), tmp_path


@pytest.mark.parametrize("how", ["grouped", "shuffled"])
def test_what_memory_does_not_hold_is_counted_some_queries_at_a_time(large, how, scratch):
    rows, qrels, folder = large
    run = scan(folder / how, memory="200KB")
    there, here = tie_range(run, qrels), tie_range(rows, qrels)
    pd.testing.assert_frame_equal(there, here)
    assert there.attrs == here.attrs
    assert repr(preflight(run, qrels)) == repr(preflight(rows, qrels))
    # rows that are grouped by query are read in order
    assert bool([*scratch.rglob("*.arrow")]) == (how == "shuffled")
    del run
    gc.collect()
    assert not [*scratch.iterdir()]


def test_scratch_is_empty_after_an_error_and_too_small_a_disk_is_said_before(large, scratch):
    rows, qrels, folder = large
    rows[-1:].assign(score=99).to_parquet(folder / "shuffled" / "9.parquet")
    run = scan(folder / "shuffled", memory="200KB")
    with pytest.raises(DataError, match=r"'89' has item '39' twice\. Each item"):
        evaluate(run, qrels)
    assert not [*scratch.rglob("*.arrow")]
    scratch.rmdir()
    said = rf"Splitting it into files in {scratch} failed: No such .* Set TMPDIR"
    with pytest.raises(DataError, match=said):
        evaluate(run, qrels)


def test_too_little_memory_is_refused_with_what_is_enough(large, monkeypatch):
    monkeypatch.setattr("byhand.files.streams._LITTLE", 0)
    rows, qrels, folder = large
    said = message_of(scan, folder / "shuffled", memory="lots")
    assert said == "memory='lots' is not an amount of memory. Pass memory='2GB', for example."
    with pytest.raises(DataError, match=r"memory='20KB' is too little: .* take about") as caught:
        evaluate(scan(folder / "shuffled", memory="20KB"), qrels)
    (enough,) = re.findall("memory='([^']+)' or more", str(caught.value))
    run = scan(folder / "shuffled", memory=enough)
    pd.testing.assert_frame_equal(evaluate(run, qrels), evaluate(rows, qrels))


STYLES = {
    "CSV": RUN.to_csv(index=False),
    "decimal commas": RUN.to_csv(index=False, sep=";", decimal=","),
    "JSON": RUN.to_json(orient="records", lines=True),
    "TREC": "".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in RUN.itertuples(index=False)),
    "text in Parquet": RUN.astype({"sim": str}).to_parquet(row_group_size=2),
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.missing_queries
def test_a_large_file_is_read_as_its_rows_come(write, in_blocks, style):
    in_blocks(40, rows=2)
    run = scan(write(STYLES[style]), memory="0.6KB")  # what two rows take
    pd.testing.assert_frame_equal(evaluate(run, QRELS), evaluate(RUN, QRELS))


@pytest.mark.parametrize("of", [read_qrels, partial(scan, kind="qrels")])
def test_clicks_of_several_files_count_once(tmp_path, of):
    for number, rows in enumerate(([0, 3, 4], [0, 2, 4, 4])):
        clicks = RUN.loc[rows, ["qid", "docno"]].set_axis(["qid", "track"], axis=1)
        clicks.to_csv(tmp_path / f"{number}.csv", index=False)
    qrels = of(tmp_path, columns={"track": "doc_id"}, relevance=np.int64(1))
    judged = RUN.loc[[0, 2, 3, 4], ["qid", "docno"]].assign(relevance=1)
    pd.testing.assert_frame_equal(evaluate(RUN, qrels), evaluate(RUN, judged))
    assert "Every row is relevant" in qrels.attrs["notes"][0]


# a third file, what is said of it, and, if that is less, what is said of it as a lazy table
ROW = pd.DataFrame({"qid": ["p"], "docno": ["a"], "sim": [0.5]})
WRONG = [
    (
        RUN.rename(columns={"qid": "topic"}),
        "run/3.parquet has 'topic' as its query_id, but run/1.parquet has 'qid'. …",
    ),
    (None, "… has 'CSV, separated by commas' as its format, but run/1.parquet has 'Parquet'. …"),
    (
        ROW,
        "… 'a' twice, in row 0 … of run/1.parquet and row 0 … of run/3.parquet. Each item must…",
        "run: query 'p' has item 'a' twice. Each item…",
    ),
    (ROW.assign(sim=np.nan), "run/3.parquet, row 0 …, column 'sim' (score): the value is missing…"),
]


@pytest.mark.parametrize("case", WRONG, ids=["a name", "a format", "a repeat", "no score"])
def test_an_odd_file_or_row_is_named(folder, case, reader):
    table, *messages = case
    RUN.to_csv(folder / "3.parquet") if table is None else table.to_parquet(folder / "3.parquet")
    said = message_of(lambda: evaluate(reader("run"), QRELS))
    assert alike(said, messages[0 if reader is read_run else -1])


MEASURED = """
import resource, sys
import pandas, pyarrow.dataset, pyarrow.parquet
import byhand.tables.scan
from byhand import evaluate, scan

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

imported = peak()
run, qrels = scan(sys.argv[1], memory="250MB"), scan(sys.argv[2], "qrels", memory="250MB")
print(evaluate(run, qrels, "RR")["RR"].sum(), peak() - imported)
"""


def test_memory_is_kept_within_a_third_where_queries_are_many(tmp_path):
    files = [tmp_path / "run.parquet", tmp_path / "qrels.parquet"]
    queries, items = 40_000, 50
    place = np.random.default_rng(0).permutation(queries * items)
    run = pd.DataFrame({"query_id": place // items, "doc_id": place})
    run = run.astype(str).radd(["user-", "item-"]).assign(score=place % items)
    run.to_parquet(files[0], row_group_size=1 << 17)
    best = run[run["score"] == items - 2].rename(columns={"score": "relevance"})
    best.to_parquet(files[1])
    with pytest.raises(
        DataError, match=r"too little for more than 1,000,000 rows .*='250MB' or more"
    ):
        evaluate(scan(files[0], memory="100MB"), best)
    measured = [sys.executable, "-c", MEASURED, *files]
    found = subprocess.run(measured, capture_output=True, text=True, check=True).stdout
    total, peak = map(float, found.split())
    assert total == queries / 2
    assert peak < 250e6 * 4 / 3


def test_a_clash_of_judgements_names_both_files(tmp_path):
    for name, grade in {"a": 1, "b": 2}.items():
        QRELS[:2].assign(relevance=grade).to_csv(tmp_path / f"{name}.csv", index=False)
    places = r"in line 2 of .*a\.csv and line 2 of .*b\.csv"
    with pytest.raises(DataError, match=f"b\\.csv: query 'p' has item 'c' twice, {places}"):
        read_qrels(tmp_path)
    with pytest.raises(DataError, match=r"qrels: query 'p' has item 'c' twice"):
        evaluate(RUN, scan(tmp_path, "qrels"))


@pytest.mark.parametrize("again", [RUN[::-2], RUN[::2].assign(sim=0.5)])
def test_a_file_that_is_replaced_is_noticed(folder, again):
    run = scan(folder)
    again.to_parquet(folder / "1.parquet")
    with pytest.raises(DataError, match=r"1\.parquet changed while it was read"):
        evaluate(run, QRELS)


NAMES = ["a[1].parquet", "*.parquet", "sim=9/a.parquet", "s3:x.parquet", "file:x", "gs:a", "_x"]


@pytest.mark.parametrize("name", [*NAMES, ".x", "a b%20.parquet"])
@pytest.mark.missing_queries
def test_a_name_that_could_be_a_pattern_an_address_or_a_part_is_a_file(
    tmp_path, monkeypatch, reader, name
):
    monkeypatch.chdir(tmp_path)
    Path("sim=9").mkdir()
    RUN.assign(sim=9.0).to_parquet("a1.parquet")  # what a glob would find
    Path(name).write_bytes(RUN.to_parquet())
    pd.testing.assert_frame_equal(evaluate(reader(name), QRELS), evaluate(RUN, QRELS))


@pytest.mark.parametrize(
    ("first", "then", "says"),
    [
        ("0,5", "0.25", "numbers above have a comma … Use the same decimal mark in all rows."),
        ("0.5", "0,25", "'0,25' is not a finite number … with a decimal point: fix the row."),
    ],
)
def test_later_parts_have_the_decimal_mark_of_earlier_ones(write, in_blocks, first, then, says):
    rows = [f"q{n};d;{first if n < 50 else then:>4}\n" for n in range(10, 90)]
    in_blocks(len(rows[0]))  # a part has numbers of one kind
    run = scan(write("qid;docno;score\n" + "".join(rows)), memory="1KB")
    said = message_of(evaluate, run, {"q11": ["d"]})
    assert alike(said, f"file, line 42, column 'score': …{says}")
