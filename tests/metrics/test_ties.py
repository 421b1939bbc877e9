"""Equal scores: hand-made cases for each tie order."""

import numpy as np
import pandas as pd
import pytest

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


@pytest.mark.parametrize(
    ("items", "scores", "ties", "expected"),
    [
        ("acb", [1, 1, 1], "doc_id", "cba"),
        ("acb", [1, 1, 1], "doc_id_ascending", "abc"),
        ([10, 9, 100], [1, 1, 1], "doc_id", [9, 100, 10]),  # as text
        (["", "d", "d1"], [0, 0, 0], "doc_id", ["d1", "d", ""]),
        # by code point, as UTF-8 bytes are
        (["Z", "a", "é", "ド", "\uffee", "🗼"], [0] * 6, "doc_id", "🗼\uffeeドéaZ"),
        ("bca", [1, 1, 1], "input", "bca"),
        ("abcde", [2, 2, 1, 1, 1], "doc_id", "baedc"),  # two ties
        ("abcde", [2, 2, 1, 1, 1], "input", "abcde"),
    ],
)
def test_orders(items, scores, ties, expected):
    found = ranks(list(items), scores, items, ties)
    assert sorted(found, key=found.get) == list(expected)
    assert sorted(found.values()) == list(range(1, len(items) + 1))


@pytest.mark.parametrize(("ties", "rank"), [("doc_id", 2), ("input", 1), ("best", 1), ("worst", 2)])
def test_minus_zero_equals_zero(ties, rank):
    assert ranks(["a", "b"], [-0.0, 0.0], ["a"], ties) == {"a": rank}


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
    assert evaluate(run, {"q": {"b": 1}}, "RR")["RR"].tolist() == [0]


@pytest.mark.parametrize(("dtype", "rr"), [("float64", 1 / 2), ("float32", 1)])
def test_scores_are_compared_in_the_precision_they_come_in(dtype, rr):
    run = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": [1.0, 1.0 + 1e-12]})
    best = Conventions(ties="best")
    found = evaluate(run.astype({"score": dtype}), {"q": {"a": 1}}, "RR", conventions=best)
    assert found["RR"]["q"] == rr
