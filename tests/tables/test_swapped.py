"""Qrels and run the other way round, as other tools take them, are refused; what is not stays."""

from math import log2

import pandas as pd
import pytest
from refused import message_of

from byhand import compare, evaluate, preflight


def many(queries, items, number):
    """Nested dicts of so many queries with so many items, and `number` of both places."""
    return {f"q{q}": {f"d{q}-{d}": number(q, d) for d in range(items)} for q in range(queries)}


def score(query, item):
    return 20 - item - query / 7


def grade(query, item):
    return (query + item) % 3


SWAPPED = {  # (qrels, run)
    "whole scores": (many(3, 9, grade), many(3, 40, lambda q, d: 1000 - 7 * d - q)),
    "the first of each only": (many(30, 3, grade), many(30, 1, score)),
    "deeper judged than retrieved": (many(3, 40, grade), many(3, 10, score)),
    "reciprocal rank fusion of one query": (
        {"q": {"d0-1": 1}},
        many(1, 5, lambda q, d: 1 / (61 + d)) | {"q": {}},
    ),
}
GOLDS = [(1, lambda q, d: 1), (4, grade), (30, lambda q, d: int(d == q))]
OF_RANKS = {
    "1 / (60 + rank)": lambda q, d: 1 / (61 + d),
    "1 / rank": lambda q, d: 1 / (1 + d),
    "1 / (rank + 2)": lambda q, d: 1 / (2 + d),
    "1 - 0.1 rank": lambda q, d: 1 - 0.1 * d,
    "1 - 0.1 rank from 1": lambda q, d: 0.9 - 0.1 * d,
    "0.9 ^ rank": lambda q, d: 0.9**d,
    "1 / log2(1 + rank)": lambda q, d: 1 / log2(2 + d),
}


@pytest.mark.parametrize("case", SWAPPED)
def test_qrels_and_run_in_the_order_of_other_tools_are_refused(case):
    qrels, run = SWAPPED[case]
    refused = message_of(evaluate, qrels, run)
    assert "the run comes first, as in evaluate" in refused
    assert "the run comes first" in message_of(compare, {"a": run, "b": qrels}, run)
    assert preflight(qrels, run).problems == (refused,)


@pytest.mark.parametrize("made", OF_RANKS)
@pytest.mark.parametrize(("queries", "items"), [(5, 10), (20, 5), (2, 8)])
def test_scores_made_from_ranks_in_the_place_of_qrels_are_refused(made, queries, items):
    run = many(queries, items, OF_RANKS[made])
    for judged, of_items in GOLDS:
        qrels = many(queries, judged, of_items)
        assert len(evaluate(run, qrels, ["MRR@10"])) == queries
        assert "the run comes first, as in evaluate" in message_of(evaluate, qrels, run)


IN_ORDER = {
    "grades of a reranker, judged by shares": (
        many(4, 9, grade),
        many(4, 8, lambda q, d: round(1 / (2 + d + q), 4)),
    ),
    "ranks for scores": (many(30, 10, lambda q, d: 10 - d), many(30, 50, grade)),
    "ranks counted down, judged by how often each was bought": (
        many(9, 10, lambda q, d: 10 - d),
        many(9, 30, lambda q, d: 1 + (q * 37 + d * 101) % 2003),
    ),
    "few retrieved, many relevant": (many(5, 10, score), many(5, 100, lambda q, d: 1)),
    "halves for grades of two items each": (
        many(9, 3, lambda q, d: d % 2 + 1),
        many(9, 2, lambda q, d: [1, 0.5][d]),
    ),
    "quarters for grades": (
        many(9, 6, lambda q, d: 5 - d),
        many(9, 5, lambda q, d: [1, 0.75, 0.5, 0.25, 0][(q + d) % 5]),
    ),
    "a ranking in lists": ({"q1": ["a", "b"]}, {"q1": {"a": 1 / 61, "b": 1 / 62}}),
}


@pytest.mark.parametrize("case", IN_ORDER)
def test_what_is_in_order_is_not_taken_for_swapped(case):
    run, qrels = IN_ORDER[case]
    assert len(evaluate(run, qrels, ["MRR@10"])) == len(qrels)


def test_names_of_columns_say_which_is_which():
    run = pd.DataFrame({"query_id": "q", "doc_id": range(30), "score": [2, 1, 0] * 10})
    qrels = run[["query_id", "doc_id"]].assign(relevance=1 / (61 + run.index))
    assert len(evaluate(run, qrels)) == 1
