"""Equal scores: hand-made cases for each tie order."""

import numpy as np
import pandas as pd
import pytest

import byhand.parallel
from byhand import Conventions, evaluate


def ranks(items, scores, relevant, ties):
    """The rank of each relevant item, found by asking for it alone."""
    run = pd.DataFrame({"query_id": "q", "doc_id": items, "score": scores})
    found = {}
    for item in relevant:
        qrels = pd.DataFrame({"query_id": "q", "doc_id": [item], "relevance": 1})
        rr = evaluate(run, qrels, "RR", conventions=Conventions(ties=ties))["RR"]["q"]
        found[item] = round(1 / rr)
    return found


def test_doc_id_puts_the_greater_text_first():
    assert ranks(["a", "c", "b"], [1, 1, 1], "abc", "doc_id") == {"c": 1, "b": 2, "a": 3}


def test_doc_id_compares_text_not_numbers():
    assert ranks([10, 9, 100], [1, 1, 1], [10, 9, 100], "doc_id") == {9: 1, 100: 2, 10: 3}


def test_doc_id_orders_by_code_point_as_utf8_bytes_do():
    items = ["Z", "a", "é", "ド", "\uffee", "🗼"]
    expected = sorted(items, key=lambda item: item.encode(), reverse=True)
    found = ranks(items, [0] * 6, items, "doc_id")
    assert sorted(items, key=found.get) == expected == items[::-1]


def test_doc_id_puts_a_longer_text_before_its_prefix():
    assert ranks(["", "d", "d1"], [0] * 3, ["", "d", "d1"], "doc_id") == {"d1": 1, "d": 2, "": 3}


def test_input_keeps_the_order_of_the_table():
    assert ranks(["b", "c", "a"], [1, 1, 1], "abc", "input") == {"b": 1, "c": 2, "a": 3}


@pytest.mark.parametrize(("ties", "rank"), [("doc_id", 3), ("input", 4), ("best", 2), ("worst", 5)])
def test_only_items_with_the_same_score_are_tied(ties, rank):
    items, scores = ["top", "y", "a", "m", "f", "low"], [9, 5, 5, 5, 5, 4]
    assert ranks(items, scores, ["m"], ties) == {"m": rank}


def graded(ties, measures):
    """Five items with one score; high and low are relevant, the others are not."""
    run = pd.DataFrame(
        {"query_id": "q", "doc_id": ["low", "x", "high", "y", "zero"], "score": [0.5] * 5}
    )
    qrels = pd.DataFrame(
        {"query_id": "q", "doc_id": ["low", "high", "zero"], "relevance": [1, 3, 0]}
    )
    found = evaluate(run, qrels, measures, conventions=Conventions(ties=ties))
    return found.loc["q"].tolist()


def test_best_puts_relevant_items_first_and_the_highest_grade_foremost():
    assert graded("best", ["RR(rel=3)", "AP", "nDCG"]) == [1, 1, 1]


def test_worst_puts_relevant_items_last_and_the_lowest_grade_foremost():
    assert graded("worst", ["RR", "RR(rel=3)"]) == [1 / 4, 1 / 5]


def test_two_groups_of_ties_in_one_query_are_apart():
    items, scores = ["a", "b", "c", "d", "e"], [2, 2, 1, 1, 1]
    assert ranks(items, scores, "abcde", "doc_id") == {"b": 1, "a": 2, "e": 3, "d": 4, "c": 5}
    assert ranks(items, scores, "abcde", "input") == {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}


def test_equal_scores_of_different_queries_are_not_tied():
    run = pd.DataFrame({"query_id": ["q", "r"], "doc_id": ["a", "b"], "score": [1.0, 1.0]})
    qrels = pd.DataFrame({"query_id": ["q", "r"], "doc_id": ["a", "b"], "relevance": 1})
    assert evaluate(run, qrels, "RR")["RR"].tolist() == [1, 1]


@pytest.mark.parametrize("ties", ["doc_id", "input", "best", "worst"])
def test_minus_zero_equals_zero(ties):
    expected = {"doc_id": 2, "input": 1, "best": 1, "worst": 2}
    assert ranks(["a", "b"], [-0.0, 0.0], ["a"], ties) == {"a": expected[ties]}


@pytest.mark.parametrize("block", [1, 2, 7])
@pytest.mark.parametrize(("ties", "rank"), [("doc_id", 81), ("input", 20), ("best", 1)])
def test_ties_that_span_blocks(monkeypatch, block, ties, rank):
    monkeypatch.setattr(byhand.parallel, "BLOCK", block)
    items = [f"{i:03d}" for i in range(100)]
    assert ranks(items, [0.25] * 100, ["019"], ties) == {"019": rank}


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64", "UInt64", "int64[pyarrow]"])
@pytest.mark.parametrize("score", [2**62, 2**63 - 2])
def test_whole_scores_are_compared_as_whole_numbers(dtype, score):
    scores = pd.Series([score, score + 1, score + 1]).astype(dtype)
    assert ranks(["c", "a", "b"], scores, "abc", "input") == {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize(("dtype", "ends"), [("int64", [-(2**63), 2**63 - 1]), ("uint64", [0, -1])])
def test_the_lowest_and_the_highest_whole_score_stand_where_they_belong(dtype, ends):
    low, high = np.array(ends).astype(dtype)
    scores = np.array([low, high, high - low.dtype.type(1), 0], dtype=dtype)
    expected = {"a": 3 + (low < 0), "b": 1, "c": 2}
    assert ranks(["a", "b", "c", "d"], scores, "abc", "input") == expected
    run = pd.DataFrame({"query_id": ["q", "r"], "doc_id": "a", "score": [low, high]})
    qrels = pd.DataFrame({"query_id": ["q"], "doc_id": ["b"], "relevance": [1]})
    assert evaluate(run, qrels, "RR")["RR"].tolist() == [0]


def test_scores_are_compared_in_the_precision_they_come_in():
    run = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": [1.0, 1.0 + 1e-12]})
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["a"], "relevance": [1]})
    best = Conventions(ties="best")
    assert evaluate(run, qrels, "RR", conventions=best)["RR"]["q"] == 1 / 2
    narrow = run.astype({"score": "float32"})
    assert evaluate(narrow, qrels, "RR", conventions=best)["RR"]["q"] == 1
