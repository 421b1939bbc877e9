"""Against scikit-learn: nDCG over the items that were scored, and AP as label ranking."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import (
    average_precision_score,
    dcg_score,
    label_ranking_average_precision_score,
    ndcg_score,
)

from byhand import Conventions, evaluate

RETRIEVED = Conventions(ideal="retrieved")


def scored_matrix(seed, *, n_queries=40, n_items=30, max_grade=4):
    """Grades and scores of the same items for every query, no two scores equal."""
    rng = np.random.default_rng(seed)
    grades = rng.integers(0, max_grade + 1, (n_queries, n_items))
    grades[rng.random(grades.shape) < 0.6] = 0
    grades[0] = 0
    scores = np.array([rng.permutation(n_items) for _ in range(n_queries)]) / 8
    return grades, scores


def as_tables(grades, scores):
    query, item = (axis.ravel() for axis in np.indices(grades.shape))
    run = pd.DataFrame({"query_id": query, "doc_id": item, "score": scores.ravel()})
    qrels = pd.DataFrame({"query_id": query, "doc_id": item, "relevance": grades.ravel()})
    # judged items that nobody retrieved: scikit-learn never hears of them
    extra = pd.DataFrame({"query_id": range(len(grades)), "doc_id": 999, "relevance": 3})
    return run, pd.concat([qrels, extra]), qrels


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("k", [None, 1, 3, 10, 50])
@pytest.mark.parametrize("seed", range(3))
def test_ndcg_over_the_retrieved_items(seed, k, gain):
    grades, scores = scored_matrix(seed)
    worth = grades if gain == "linear" else 2.0**grades - 1
    run, qrels, _ = as_tables(grades, scores)
    names = [name if k is None else f"{name}@{k}" for name in ("nDCG", "DCG")]
    found = evaluate(run, qrels, names, conventions=RETRIEVED.but(gain=gain))
    for row, query in enumerate(found.index):
        one = worth[row : row + 1], scores[row : row + 1]
        expected = [f(*one, k=k, ignore_ties=True) for f in (ndcg_score, dcg_score)]
        assert found.loc[query].tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_mean_ndcg_under_the_judged_ideal_when_all_was_retrieved(seed):
    grades, scores = scored_matrix(seed)
    run, _, qrels = as_tables(grades, scores)
    expected = ndcg_score(grades, scores, ignore_ties=True)
    assert evaluate(run, qrels, "nDCG")["nDCG"].mean() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(3, 6))
def test_ap_is_label_ranking_average_precision(seed):
    grades, scores = scored_matrix(seed, max_grade=1)
    run, _, qrels = as_tables(grades, scores)
    found = evaluate(run, qrels, "AP")["AP"].to_numpy()
    for row in range(len(grades)):
        one = grades[row : row + 1], scores[row : row + 1]
        # a query without a relevant item is 1 to scikit-learn and 0 to trec_eval
        expected = label_ranking_average_precision_score(*one) if grades[row].any() else 0
        assert found[row] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(6, 9))
def test_ap_is_average_precision_score(seed):
    grades, scores = scored_matrix(seed, max_grade=1)
    run, _, qrels = as_tables(grades, scores)
    found = evaluate(run, qrels, "AP")["AP"].to_numpy()
    expected = [average_precision_score(*row) for row in zip(grades[1:], scores[1:], strict=True)]
    assert found[1:].tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(9, 12))
def test_label_ranking_with_ties_counts_the_ones_it_ties_with_as_ahead(seed):
    grades, scores = scored_matrix(seed, max_grade=1)
    tied = np.floor(scores)
    one_hit = np.zeros_like(grades)
    one_hit[np.arange(len(grades)), np.argmax(grades, axis=1)] = 1
    run, _, qrels = as_tables(one_hit, tied)
    worst = evaluate(run, qrels, "AP", conventions=Conventions(ties="worst"))["AP"].mean()
    expected = label_ranking_average_precision_score(one_hit, tied)
    assert worst == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [None, 1, 3, 5, 12])
def test_the_preset_takes_the_mean_over_ties(k):
    grades, scores = scored_matrix(11, max_grade=3)
    tied = scores // 1
    run, _, qrels = as_tables(grades, tied)
    name = "nDCG" if k is None else f"nDCG@{k}"
    ours = evaluate(run, qrels, [name], conventions="sklearn")[name].mean()
    assert ours == pytest.approx(ndcg_score(grades, tied, k=k), abs=1e-12)
