"""Tables of any library, and one table that says both: the same values."""

import json
from decimal import Decimal
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lazy_cases import CASES, Stream, assert_same_values, in_arrow, random_case

from byhand import compare, evaluate, preflight, report, scan, tie_range


def streamed(frame, kind=None):
    """A frame in chunks of three rows, its text of one kind."""
    table = in_arrow(frame)
    for place, field in enumerate(table.schema):
        if kind and (pa.types.is_string(field.type) or pa.types.is_large_string(field.type)):
            # not a cast: pyarrow before 25 may end the process when it exports views of its making
            ids = pa.array(table[field.name].to_pylist(), kind)
            table = table.set_column(place, field.name, ids)
    return Stream(pa.Table.from_batches(table.to_batches(max_chunksize=3), table.schema))


KINDS = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_values_are_the_same_however_the_rows_are_held(case):
    run, qrels = random_case(*case)
    kind, falling = KINDS[CASES.index(case) % 4], run.sort_values("score", ascending=False)
    held = streamed(run, kind), streamed(qrels.astype({"doc_id": str}), kind)
    assert_same_values(held, (run, qrels))
    for rows in (run, falling):
        in_order = rows.sort_values("query_id", kind="stable", key=lambda ids: ids.astype(str))
        assert_same_values((in_order, qrels), (run, qrels))


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_a_judged_table_has_the_values_of_a_run_and_its_qrels(case):
    run, _ = random_case(*case)
    grades = np.random.default_rng(0).choice([-1, 0, 1, 2, 2.5], len(run))
    table = run.assign(relevance=grades)
    for relevant_from in (None, 2):
        apart = table, table.copy()
        assert_same_values((table, table), apart, relevant_from=relevant_from)
    own, apart = preflight(table, table), preflight(table, table.copy())
    assert "never retrieved" in own.notes[0]
    assert (own.facts, own.notes[1:]) == (apart.facts, apart.notes)


def test_lists_in_cells_of_a_judged_run_keep_their_scores(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    # d3 ties with d1 and comes first; d2 is unjudged
    cells = {
        "query_id": ["q1", "q2"],
        "doc_ids": [["d1", "d3", "d2"], ["d4"]],
        "scores": [[2, 2, 1], [1]],
        "relevance": [[1, 0, None], [2]],
    }
    table, path = pa.table(cells), tmp_path / "table.parquet"
    pq.write_table(table, path)
    (tmp_path / "lines").write_text("".join(f"{json.dumps(row)}\n" for row in table.to_pylist()))
    (tmp_path / "records").write_text(json.dumps(table.to_pylist()))
    of_memory = [pd.DataFrame(cells), table, Stream(table), path, *tmp_path.glob("*s")]
    for each in (*of_memory, duckdb.from_arrow(table), scan(path, "judged run", memory="1MB")):
        found = evaluate(each, each, ["RR", "P@3", "Judged@3"])
        assert found.loc["q1"].tolist() == [1 / 2, 1 / 3, 2 / 3]
        assert found.loc["q2"].tolist() == [1, 1 / 3, 1]
        assert preflight(each, each, measures=["RR"]).problems == ()
        (means,) = report(each, each, measures=["RR"]).results["means"]
        assert means["mean"] == 3 / 4
    for each in of_memory:
        both = compare({"a": each, "b": pd.DataFrame(cells)}, each, ["RR"])
        assert both[["mean_a", "mean_b"]].iloc[0].tolist() == [3 / 4, 3 / 4]


@pytest.mark.parametrize("kind", ["frame", "csv", "parquet", "json"])
def test_columns_of_a_judged_table_may_be_named_as_of_qrels(tmp_path, kind):
    table = pd.DataFrame({"Frage": [*"qqr"], "doc_id": [*"abc"], "score": [1.0, 3, 2]})
    table["Hit"], table["other"], path = [1, 0, 1], [*"bac"], tmp_path / kind
    if kind == "json":
        table.to_json(path, orient="records")
    elif kind != "frame":
        getattr(table, f"to_{kind}")(path, index=False)
    held = table if kind == "frame" else path
    ids, grades = {"Frage": "query_id"}, {"Hit": "relevance"}
    for of_run, of_qrels, expected in (
        ({}, {**ids, **grades, "score": "score"}, [1 / 2, 1]),  # for both
        (ids, grades, [1 / 2, 1]),
        (ids, {**ids, **grades}, [1 / 2, 1]),
        (ids, {**ids, **grades, "other": "doc_id"}, [1, 1]),  # for the qrels only
        (ids, {**ids, "relevance": 1}, [1, 1]),  # every row is relevant
        ({}, {**ids, **grades, "score": "rank"}, [1, 1]),  # for both
    ):
        named = {"run_columns": of_run, "qrels_columns": of_qrels}
        assert evaluate(held, held, "RR", **named)["RR"].tolist() == expected
        assert preflight(held, held, measures=["RR"], **named).problems == ()
        both = compare({"a": held, "b": held}, held, ["RR"], **named)
        assert both[["mean_a", "mean_b"]].iloc[0].tolist() == [np.mean(expected)] * 2
        for memory in ("2GB", "1KB") if kind != "frame" else ():  # files are read or scanned
            made = report(held, held, measures=["RR"], memory=memory, **named).results
            assert [row["mean"] for row in made["means"]] == [np.mean(expected)]
    beside = table.assign(score=[3.0, 1, 2])
    both = compare({"a": held, "b": beside}, held, ["RR"], run_columns=ids, qrels_columns=grades)
    assert both[["mean_a", "mean_b"]].iloc[0].tolist() == [3 / 4, 1]


def test_of_a_judged_table_of_duckdb_only_our_columns_are_read():
    duckdb = pytest.importorskip("duckdb")
    columns = "'q' AS query_id, 'a' AS doc_id, n AS score, 1 AS relevance"
    odd = f"SELECT {columns}, CASE WHEN n = 1 THEN error('read') END AS other FROM range(1, 2) t(n)"
    table = duckdb.sql(odd)
    assert evaluate(table, table, "RR")["RR"].tolist() == [1]


def test_qrels_that_are_one_of_the_runs():
    run, _ = random_case("whole", "numbers")
    table = run.assign(relevance=np.arange(len(run)) % 3)
    runs = {"one": table, "two": run.assign(score=-run["score"])[::-1]}
    expected = compare(runs, table.copy(), ["RR", "nDCG"])
    for order in (1, -1):
        some = dict([*runs.items()][::order])
        found = compare(some, table, ["RR", "nDCG"], pairs=[("one", "two")])
        pd.testing.assert_frame_equal(found, expected)


def arrow(values):
    return pd.Series(pd.arrays.ArrowExtensionArray(values))


HOWS = {
    "objects": lambda column: column.astype(object),
    "Decimals": lambda column: pd.Series([Decimal(str(each)) for each in column], dtype=object),
    "categories": lambda column: column.astype("category"),
    "dictionaries": lambda column: arrow(pa.array(column).dictionary_encode()),
}
OF_GRADES = {
    "truth of Arrow": lambda column: arrow(pa.array(column).cast(pa.bool_())),
    "objects of truth": lambda column: pd.Series([True, 1, np.False_], dtype=object),
}


@pytest.mark.parametrize("how", [*HOWS, *OF_GRADES])
def test_numbers_of_any_dtype(how):
    run = pd.DataFrame({"query_id": "q", "doc_id": [*"abc"], "score": [0.5, 2, 2]})
    qrels = pd.DataFrame({"query_id": "q", "doc_id": [*"abc"], "relevance": [1, 1, 0]})
    expected = tie_range(run, qrels)
    if how in HOWS:
        found = tie_range(run.assign(score=HOWS[how](run["score"])), qrels)
        pd.testing.assert_frame_equal(found, expected)
    grades = (HOWS | OF_GRADES)[how](qrels["relevance"])
    pd.testing.assert_frame_equal(tie_range(run, qrels.assign(relevance=grades)), expected)


def test_ids_that_are_uuids():
    items = [UUID(int=n << 124) for n in (1, 9, 15, 8)]
    run = pd.DataFrame({"query_id": "q", "doc_id": items, "score": 0.5})
    qrels = pd.DataFrame({"query_id": "q", "doc_id": [*map(str, items)], "relevance": [1, 0, 0, 1]})
    expected = evaluate(run.astype({"doc_id": str}), qrels)
    pd.testing.assert_frame_equal(evaluate(run, qrels), expected)
    ids = pa.array([each.bytes for each in items], pa.binary(16))
    ids = pa.ExtensionArray.from_storage(pa.uuid(), ids)
    run = pa.table({"query_id": ["q"] * 4, "doc_id": ids, "score": run["score"]})
    pd.testing.assert_frame_equal(evaluate(run, qrels), expected)
