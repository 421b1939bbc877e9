"""What is wrong with the data: each message says what, where, what was expected, what to do."""

import pickle
import sqlite3  # noqa: F401 - a case calls it
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa  # noqa: F401 - a case calls it
import pytest
from lazy_cases import Stream, in_arrow, in_duckdb  # noqa: F401
from refused import cases_of, message_of, refusal_of

import byhand
from byhand import (
    DataError,
    average_precision,
    dcg,
    evaluate,
    explain,
    ndcg,
    preflight,
    read_qrels,
    read_run,
    reciprocal_rank,
)
from byhand.naming import names_of

RUN = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [0.9, 0.4]})
QRELS = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
JUDGED = RUN.assign(doc_id="a", relevance=[1, 0])
NESTED_RUN = {"q1": {"a": 0.5, "b": 2.0, 7: 1}, "q2": {}, 3: {"a": 1}}
NESTED_QRELS = {"q1": {"a": 2, "7": 1}, "q2": {"a": 1}, "3": {"a": 0, "b": 1}}
FOUR = pd.DataFrame({"query_id": [*"pppq"], "doc_id": [*"abcx"], "score": [0.5, 0.5, 0.1, 1.0]})
FOUR_QRELS = pd.DataFrame({"query_id": [*"pr"], "doc_id": [*"az"], "relevance": [1, 2]})

RANKER = pd.DataFrame({"group": 1, "y_true": [0, 1, 2], "y_pred": [0.1, 0.2, 0.3]})


def objects(*values):
    return pd.Series(values, dtype=object)


def cells(**columns):
    """A run with a list of one item in a cell, and further columns."""
    return pd.DataFrame({"query_id": ["q1"], "doc_ids": [["a"]], **columns})


def selected(columns):
    """A table of DuckDB with query p and these columns."""
    duckdb = pytest.importorskip("duckdb")
    return duckdb.connect().sql(f"SELECT 'p' query_id, {columns} FROM range(3)")


def connected(by):
    """A connection to DuckDB, by itself or by Ibis."""
    duckdb = pytest.importorskip("duckdb")
    return (duckdb if by == "duckdb" else pytest.importorskip(by).duckdb).connect()


NAMES = {name: getattr(byhand, name) for name in byhand.__all__} | globals()
CASES = cases_of(Path(__file__).with_name("messages.txt"))
TABLES = [name for name, (call, _) in CASES.items() if call.startswith("evaluate")]
LISTS = [name for name, (call, _) in CASES.items() if call.startswith("ndcg")]


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_explained(name):
    call, (said,) = CASES[name]
    assert refusal_of(call, NAMES) == said


@pytest.mark.parametrize("name", TABLES)
def test_preflight_says_the_same(name):
    call, (said,) = CASES[name]
    assert eval(call, NAMES | {"evaluate": preflight}).problems[0].startswith(said)


@pytest.mark.parametrize("function", [reciprocal_rank, average_precision, explain])
@pytest.mark.parametrize("name", LISTS)
def test_every_function_of_one_list_says_the_same(name, function):
    call, (said,) = CASES[name]
    assert refusal_of(call, NAMES | {"ndcg": function}) == said


def test_a_notebook_shows_an_error_as_a_message_that_can_be_pasted():
    error = DataError("If 'sim' is it,", columns={"the-page " * 20: "score"}, table="run")
    assert error._render_traceback_() == [f"DataError: {error}"]
    copy = pickle.loads(pickle.dumps(error))  # of a process of its own
    assert (str(copy), vars(copy)) == (str(error), vars(error))
    assert isinstance(copy, ValueError)


def test_an_error_of_several_runs_carries_what_is_missing_and_what_to_pass():
    with pytest.raises(DataError) as caught:
        byhand.compare({"a": RUN, "b": RUN.rename(columns={"score": "bm25_score"})}, QRELS)
    found = caught.value
    assert str(found).startswith("runs['b']: run has no column 'score' (or 'rank'). Columns found:")
    assert str(found).endswith("pass run_columns={'bm25_score': 'score'}.")
    assert (found.table, found.missing, found.ways) == (
        "run",
        ("score",),
        ({"bm25_score": "score"},),
    )


@pytest.mark.parametrize("ours", ["query_id", "doc_id", "score", "relevance"])
def test_a_column_may_have_any_name_that_it_may_have_in_a_file(tmp_path, ours):
    tables = {"run": RUN, "qrels": QRELS}
    name, reader = ("qrels", read_qrels) if ours == "relevance" else ("run", read_run)
    path = tmp_path / "file.csv"
    expected = evaluate(RUN, QRELS)
    for theirs in set(names_of(ours)) - {ours}:
        frame = tables[name].rename(columns={ours: theirs})
        frame.to_csv(path, index=False)
        assert reader(path)[ours].tolist() == tables[name][ours].tolist()
        pd.testing.assert_frame_equal(evaluate(**{**tables, name: frame}), expected)


def test_a_bad_number_far_down_is_found():
    run = pd.DataFrame({"query_id": "q", "doc_id": range(200_000), "score": 1.0})
    run.loc[150_000, "score"] = np.inf
    assert "1 of 200000 rows. The first is inf, at row 150000" in message_of(evaluate, run, QRELS)


@pytest.mark.parametrize("first", [0, 150_000])
def test_a_repeat_far_apart_and_among_strangers_is_found(first):
    n = 200_000
    run = pd.DataFrame({"query_id": ["q"] + ["s"] * n, "doc_id": [*range(n), first], "score": 1.0})
    run.loc[first, "query_id"] = "s"
    qrels = QRELS if first else QRELS.assign(query_id="s")
    expected = f"run: query 's' has item '{first}' twice, at rows {first} and {n}."
    assert expected in message_of(evaluate, run, qrels)


def test_grades_that_just_fit_and_one_that_does_not():
    assert message_of(dcg, ["A"], {"A": 10**400}).startswith("The grade of 'A' is 1000")
    most = 2.0**1000
    assert dcg(["A", "B", "C"], {"A": most, "C": most}) == 1.5 * most
    assert ndcg(["A"], {"A": 5000}) == 1


@pytest.mark.parametrize(
    ("ranked", "relevant"),
    [
        (("x", "a"), {"a": True, "x": False}),
        (np.array(["x", "a"]), np.array(["a"])),
        (pd.Series(["x", "a"]), frozenset("a")),
        (iter(["x", "a"]), iter(["a"])),
        (pd.Index(["x", "a"]), dict.fromkeys("a", 1).keys()),
        (range(1, 3), [2, 2]),
        ([("x", 1), ("a", 1)], {("a", 1)}),
    ],
)
def test_any_sequence_and_any_set_will_do(ranked, relevant):
    assert reciprocal_rank(ranked, relevant) == 1 / 2
