"""Tables as lists, in the order that `evaluate` counts in."""

import pandas as pd
import pytest

import byhand
from byhand import evaluate, lists_of, measure_list

RUN = pd.DataFrame(
    [("q2", "b", 1.0), ("q1", "x", 0.5), ("q1", "é", 0.5), ("q1", "z", 0.5), ("q1", "a", 0.9)],
    columns=["query_id", "doc_id", "score"],
)
QRELS = pd.DataFrame(
    [("q1", "z", 2), ("q3", "c", 1), ("q1", "a", 0), ("q1", "w", 0.5), ("q2", "b", 1)],
    columns=["query_id", "doc_id", "relevance"],
)


def test_equal_scores_are_in_the_order_that_evaluate_counts_in():
    found = lists_of(RUN, QRELS)
    assert found == {
        "q1": (["a", "é", "z", "x"], {"z": 2, "w": 0.5}),
        "q3": ([], {"c": 1}),
        "q2": (["b"], {"b": 1}),
    }
    with pytest.warns(byhand.metrics.MissingQueriesWarning):
        counted = evaluate(RUN, QRELS, ["AP", "RR@2", "nDCG"])
    for query, case in found.items():
        by_list = [measure_list(name, *case) for name in counted]
        assert counted.loc[query].tolist() == pytest.approx(by_list, abs=1e-12)


def test_texts_follow_ids_a_title_before_a_text_and_a_long_one_is_cut():
    docs = pd.DataFrame({"doc_id": ["a", "b"], "title": ["A", ""], "text": ["of a", "b " * 40]})
    queries = {"q": "가" * 70}
    ((query, (ranked, judged)),) = lists_of(
        {"q": ["a", "b", "c"]}, {"q": {"a": 2, "z": 1}}, query_texts=queries, doc_texts=docs
    ).items()
    assert query == f"q · {'가' * 59}…"
    assert ranked == ["a · A", f"b · {'b ' * 29}b…", "c"]
    assert judged == {"a · A": 2, "z": 1}
