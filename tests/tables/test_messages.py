"""What is wrong with the data: each message says what, where, what was expected, what to do."""

import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from refused import message_of

import byhand.naming
from byhand import (
    Conventions,
    DataError,
    average_precision,
    compare,
    dcg,
    evaluate,
    explain,
    mean_average_precision,
    mean_reciprocal_rank,
    ndcg,
    preflight,
    read_qrels,
    read_run,
    reciprocal_rank,
)

RUN = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [0.9, 0.4]})
QRELS = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
NESTED_RUN = {"q1": {"a": 0.5, "b": 2.0, 7: 1}, "q2": {}, 3: {"a": 1}}
NESTED_QRELS = {"q1": {"a": 2, "7": 1}, "q2": {"a": 1}, "3": {"a": 0, "b": 1}}
ENGINE_RUN = pd.DataFrame(
    {"query_id": [*"pppq"], "doc_id": [*"abcx"], "score": [0.5, 0.5, 0.1, 1.0]}
)
ENGINE_QRELS = pd.DataFrame({"query_id": [*"pr"], "doc_id": [*"az"], "relevance": [1, 2]})


def said(of):
    """Case -> what is said of it, from the text table beside this file."""
    text = Path(__file__).with_name("messages.txt").read_text(encoding="utf-8")
    return dict(re.findall(rf"^{of}: (.+) \| (.+)$", text, re.MULTILINE))


def test_a_notebook_shows_an_error_as_a_message_that_can_be_pasted():
    error = DataError("No column 'doc_id'", columns={"the-page " * 20: "doc_id"})
    assert error._render_traceback_() == [f"DataError: {error}"]


def test_an_error_is_a_value_error_and_survives_a_process_of_its_own():
    assert issubclass(DataError, ValueError)
    error = DataError("If 'sim' is it,", columns={"sim": "score"}, table="run", missing=["score"])
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == "If 'sim' is it, pass columns={'sim': 'score'}."
    assert vars(copy) == vars(error)


def run(**columns):
    """The run with other columns."""
    return RUN.assign(**columns), QRELS


def qrels(**columns):
    """The qrels with other columns."""
    return RUN, QRELS.assign(**columns)


def named(*names):
    """The run with other names of columns."""
    return RUN.set_axis(names, axis=1), QRELS


def by_name(run, **names):
    return run.rename(columns=names), QRELS


def objects(*values):
    return pd.Series(values, dtype=object)


def cells(**columns):
    """A run with a list of one item in a cell, and further columns."""
    return pd.DataFrame({"query_id": ["q1"], "doc_ids": [["a"]], **columns}), NESTED_QRELS


JUDGED = RUN.assign(doc_id="a", relevance=[1, 0])
TABLES = {
    "no frame": ({"query_id": ["q"]}, QRELS),
    "missing column": (RUN.drop(columns="score"), QRELS),
    "no columns": (RUN, pd.DataFrame()),
    "columns of two levels": named(*[("x", name) for name in RUN]),
    "columns by names of their own": named("A", "B", "C"),
    "a rank and a score": (named("A", "B", "C")[0].assign(Rang=1), QRELS),
    "one of two by another name": by_name(RUN[["query_id", "doc_id"]], doc_id="docno"),
    "a name that comes close": named("query_id", "doc_id", "bm25_score"),
    "rating in the run": named("query_id", "doc_id", "rating"),
    "clicks and no grades": (RUN, QRELS.drop(columns="relevance")),
    "column twice": (pd.concat([RUN, RUN["score"]], axis=1), QRELS),
    "no rows in the run": (RUN[:0], QRELS),
    "no rows in the run, nor dtypes": (pd.DataFrame(columns=[*RUN]), QRELS),
    "no rows in the qrels": (RUN, QRELS[:0]),
    "no query in common": qrels(query_id="Q"),
    "missing id": run(doc_id=["a", None]),
    "missing query": qrels(query_id=np.nan),
    "fractional ids": run(doc_id=[1.0, 2.0]),
    "truth values as ids": run(query_id=[True, False]),
    "a fraction among ids": run(doc_id=objects("a", 1.5)),
    "a truth value among ids": run(doc_id=objects(True, "a")),
    "bytes as ids": qrels(doc_id=objects(b"a")),
    "fractional categories": run(doc_id=pd.Categorical([0.5, 1.5])),
    "score as text": run(score=objects("0.9", "0.4")),
    "text among scores": run(score=objects(1, "2")),
    "complex score": run(score=[1j, 2]),
    "no score": run(score=[0.9, np.nan]),
    "missing nullable score": run(score=pd.array([None, 1], dtype="Int64")),
    "endless score": (RUN.assign(score=[-np.inf, 0]).set_index(pd.Index([7, 8])), QRELS),
    "no rank": (RUN.drop(columns="score").assign(rank=[1, np.nan]), QRELS),
    "no grade": qrels(relevance=np.nan),
    "item twice in the run": (pd.concat([RUN, RUN[:1]], ignore_index=True), QRELS),
    "item twice in the qrels": (RUN, JUDGED[["query_id", "doc_id", "relevance"]]),
    "item twice under one label": (pd.concat([RUN, RUN]), QRELS),
    "a column that is not there": (RUN, QRELS, {"qrels_columns": {"Note": "relevance"}}),
    "a number": (7, QRELS),
    "a series of single items": (pd.Series(["a", "b"], index=["q1", "q1"]), NESTED_QRELS),
    "text for a query": ({"q1": "a"}, NESTED_QRELS),
    "a set in a run": ({"q1": {"a", "b"}}, NESTED_QRELS),
    "an item twice in a list": ({"q1": ["a", "b", "a"]}, NESTED_QRELS),
    "scores that rise": ({"q1": [("a", 0.2), ("b", 0.7)]}, NESTED_QRELS),
    "no item in a list": ({"q1": ["a", None]}, NESTED_QRELS),
    "a list among gold items": (NESTED_RUN, {"q1": ["a", ["b"]]}),
    "a rank that is none": cells(ranks=[[None]]),
    "dicts and one item": ({"q1": [{"id": "a", "doc_id": "a", "score": 1}, "b"]}, NESTED_QRELS),
    "pairs and one without": ({"q1": [("a", 0.7), "b"]}, NESTED_QRELS),
    "two lists of one query": (
        pd.DataFrame({"query_id": ["q", "q"], "docs": [["a", "b"], ["c"]]}),
        QRELS,
    ),
    "two names of one query": ({1: ["a"], "1": ["b"]}, {"1": ["b"]}),
    "a score of too many digits": ({"q": {"a": 10**400, "b": 1}}, QRELS),
    "a grade of too many digits": (RUN, {"q": {"a": 10**400}}),
    "more scores than items": cells(scores=[[0.7, 0.2]]),
    "one score for a list": cells(score=[0.7]),
    "a cell without a list": (pd.DataFrame({"qid": [1, 2], "docs": [None, ["a"]]}), NESTED_QRELS),
    "lists of scores by a name of their own": cells(Wert=[[0.7]]),
    "lists of another number": ([["a"]], [["a"], ["b"]]),
    "lists here, queries there": ([["a"]], NESTED_QRELS),
    "a column with two levels of lists": ({"q1": [["a"]]}, NESTED_QRELS),
    "columns of two lengths": ({"query_id": ["q", "q"], "doc_id": ["a"]}, QRELS),
    "a repeat with two grades in one table": (JUDGED, JUDGED, {"duplicates": "best"}),
    "the dict of one query": ({"a": 0.5}, NESTED_QRELS),
    "a dict with a level more": ({"bm25": NESTED_RUN}, NESTED_QRELS),
    "text in a dict": ({"q1": {"a": "high"}}, NESTED_QRELS),
    "nothing in a dict": ({}, NESTED_QRELS),
}
MESSAGES = said("table")


@pytest.mark.parametrize("case", TABLES)
def test_tables(case):
    old, new = "object values, such as 'high'", "str values, such as 'high'"  # since pandas 3
    run, qrels, *options = TABLES[case]
    options = {name: value for each in options for name, value in each.items()}
    assert message_of(evaluate, run, qrels, **options).replace(old, new) == MESSAGES[case]
    problem, *_ = preflight(run, qrels, **options).problems
    assert problem.replace(old, new).startswith(MESSAGES[case])


IN_ENGINE = {
    "no query": {"query_id": ["p", None, "p", "q"]},
    "no item": {"doc_id": ["a", "b", None, "x"]},
    "an infinite score": {"score": [0.5, -np.inf, 0.5, 0.5]},
    "a repeat nobody judged": {"doc_id": [*"abbx"]},
    "fractional ids": {"doc_id": [1.5, 2, 3, 4]},
    "scores as text": {"score": "1"},
}
ENGINE_RUNS = {case: ENGINE_RUN.assign(**columns) for case, columns in IN_ENGINE.items()} | {
    "other names": ENGINE_RUN.rename(columns={"query_id": "Frage"}),
    "no rows": ENGINE_RUN[:0],
    "strangers": ENGINE_RUN[3:],
}


@pytest.mark.parametrize("case", ENGINE_RUNS)
def test_tables_in_an_engine(case):
    run = pytest.importorskip("duckdb").connect().from_df(ENGINE_RUNS[case])
    message = said("engine")[case]
    assert message_of(evaluate, run, ENGINE_QRELS) == message
    assert preflight(run, ENGINE_QRELS).problems == (message,)


@pytest.mark.parametrize("ours", ["query_id", "doc_id", "score", "relevance"])
def test_a_column_may_have_any_name_that_it_may_have_in_a_file(tmp_path, ours):
    tables = {"run": RUN, "qrels": QRELS}
    name, reader = ("qrels", read_qrels) if ours == "relevance" else ("run", read_run)
    path = tmp_path / "file.csv"
    expected = evaluate(RUN, QRELS)
    for theirs in set(byhand.naming.names_of(ours)) - {ours}:
        frame = tables[name].rename(columns={ours: theirs})
        frame.to_csv(path, index=False)
        assert reader(path)[ours].tolist() == tables[name][ours].tolist()
        pd.testing.assert_frame_equal(evaluate(**{**tables, name: frame}), expected)


def test_a_bad_number_far_down_is_found():
    run = pd.DataFrame({"query_id": "q", "doc_id": range(200_000), "score": 1.0})
    run.loc[150_000, "score"] = np.inf
    expected = (
        "score is not a finite number in 1 of 200000 rows, the first, inf, at row 150000: item"
    )
    assert expected in message_of(evaluate, run, QRELS)


@pytest.mark.parametrize("first", [0, 150_000])
def test_a_repeat_far_apart_and_among_strangers_is_found(first):
    n = 200_000
    run = pd.DataFrame({"query_id": ["q"] + ["s"] * n, "doc_id": [*range(n), first], "score": 1.0})
    run.loc[first, "query_id"] = "s"
    qrels = QRELS if first else QRELS.assign(query_id="s")
    expected = f"run: query 's' has item '{first}' twice, at rows {first} and {n}."
    assert expected in message_of(evaluate, run, qrels)


def test_the_first_repeat_in_the_table_is_the_one_named():
    run = pd.DataFrame({"query_id": "q", "doc_id": list("abcdecba"), "score": 1.0})
    assert "query 'q' has item 'c' twice, at rows 2 and 5." in message_of(evaluate, run, QRELS)
    run = pd.DataFrame({"query_id": ["q", "r"], "doc_id": "a", "score": 1.0})
    assert evaluate(run, QRELS, "RR")["RR"].tolist() == [1]


LISTS = {
    "repeat": (["D4", "D1", "D4"], {"D4"}),
    "text as ranked": ("ABC", ["A"]),
    "text as relevant": (["A"], "A"),
    "bytes as relevant": (["A"], b"A"),
    "one number as relevant": ([7], 7),
    "set as ranked": ({"A", "B"}, ["A"]),
    "scores as ranked": ({"A": 0.1, "B": 0.9}, ["A"]),
    "table as ranked": (pd.DataFrame({"A": [1]}), ["A"]),
    "series as relevant": (["A"], pd.Series({"A": 2})),
    "list as an item": ([["A"], "B"], ["A"]),
    "list as a relevant item": (["A"], [["A"]]),
    "no grade": (["A"], {"A": float("nan")}),
    "grade as a word": (["A"], {"A": "high"}),
    "grade that only Python reads": (["A"], {"A": "1_0"}),
    "None as a grade": (["A"], {"A": None}),
}


@pytest.mark.parametrize("function", [reciprocal_rank, average_precision, ndcg, explain])
@pytest.mark.parametrize("case", LISTS)
def test_lists(case, function):
    assert message_of(function, *LISTS[case]) == said("list")[case]


EXPONENTIAL = Conventions(gain="exponential")
CALLS = {
    "grades beyond their sum": lambda: ndcg(["A", "B"], {"A": 1.0, "B": 1e308}),
    "grades beyond a power": lambda: ndcg(["A"], {"A": 5000}, gain="exponential"),
    "grades of a table beyond a power": lambda: evaluate(
        RUN, QRELS.assign(relevance=5000), conventions=EXPONENTIAL
    ),
    "one of several runs": lambda: compare({"a": RUN, "b": RUN.assign(score=np.nan)}, QRELS),
    "no cases": lambda: mean_reciprocal_rank([]),
    "no cases of AP": lambda: mean_average_precision([]),
    "a case that is no pair": lambda: mean_reciprocal_rank([(["a"], ["a"]), 7]),
    "one case": lambda: mean_reciprocal_rank((["a", "b", "c"], {"a"})),
}


@pytest.mark.parametrize("case", CALLS)
def test_calls(case):
    assert message_of(CALLS[case]) == said("call")[case]


def test_grades_that_just_fit_and_one_that_does_not():
    assert message_of(dcg, ["A"], {"A": 10**400}).startswith("The grade of 'A' is 1000")
    most = 2.0**1000
    assert dcg(["A", "B", "C"], {"A": most, "C": most}) == 1.5 * most
    assert ndcg(["A"], {"A": 5000}) == 1


@pytest.mark.parametrize(
    ("ranked", "relevant"),
    [
        (["x", "a"], {"a": True, "x": False}),
        (("x", "a"), ("a",)),
        (np.array(["x", "a"]), np.array(["a"])),
        (pd.Series(["x", "a"]), frozenset("a")),
        (iter(["x", "a"]), iter(["a"])),
        (pd.Index(["x", "a"]), dict.fromkeys("a", 1).keys()),
        ([1, 2], np.array([2])),
        (range(1, 3), [2, 2]),
        ([("x", 1), ("a", 1)], {("a", 1)}),
    ],
)
def test_any_sequence_and_any_set_will_do(ranked, relevant):
    assert reciprocal_rank(ranked, relevant) == 1 / 2
