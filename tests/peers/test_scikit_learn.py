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

CUTOFFS = (None, 1, 3, 10, 50)


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
    return run, run.drop(columns="score").assign(relevance=grades.ravel())


def named(measure, k):
    return measure if k is None else f"{measure}@{k}"


@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_ndcg_over_the_retrieved_items(gain):
    grades, scores = scored_matrix(0)
    worth = grades if gain == "linear" else 2.0**grades - 1
    run, qrels = as_tables(grades, scores)
    # judged items that nobody retrieved: scikit-learn never hears of them
    extra = pd.DataFrame({"query_id": range(len(grades)), "doc_id": 999, "relevance": 3})
    chosen = Conventions(ideal="retrieved", gain=gain)
    names = [named(name, k) for k in CUTOFFS for name in ("nDCG", "DCG")]
    found = evaluate(run, pd.concat([qrels, extra]), names, conventions=chosen)
    for row, query in enumerate(found.index):
        one = worth[row : row + 1], scores[row : row + 1]
        expected = [
            f(*one, k=k, ignore_ties=True) for k in CUTOFFS for f in (ndcg_score, dcg_score)
        ]
        assert found.loc[query].tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(3, 6))
def test_ap_is_average_precision_and_that_of_label_ranking(seed):
    grades, scores = scored_matrix(seed, max_grade=1)
    found = evaluate(*as_tables(grades, scores), "AP")["AP"].to_numpy()
    for row in np.flatnonzero(grades.any(axis=1)):
        one = grades[row : row + 1], scores[row : row + 1]
        assert found[row] == pytest.approx(label_ranking_average_precision_score(*one), abs=1e-12)
        expected = average_precision_score(grades[row], scores[row])
        assert found[row] == pytest.approx(expected, abs=1e-12)
    assert (found[~grades.any(axis=1)] == 0).all()  # 1 to scikit-learn's label ranking


@pytest.mark.parametrize("seed", range(9, 12))
def test_label_ranking_with_ties_counts_the_ones_it_ties_with_as_ahead(seed):
    grades, scores = scored_matrix(seed, max_grade=1)
    one_hit = np.zeros_like(grades)
    one_hit[np.arange(len(grades)), np.argmax(grades, axis=1)] = 1
    run, qrels = as_tables(one_hit, np.floor(scores))
    worst = evaluate(run, qrels, "AP", conventions=Conventions(ties="worst"))["AP"].mean()
    expected = label_ranking_average_precision_score(one_hit, np.floor(scores))
    assert worst == pytest.approx(expected, abs=1e-12)


def test_the_preset_takes_the_mean_over_ties():
    grades, scores = scored_matrix(11, max_grade=3)
    names = [named("nDCG", k) for k in CUTOFFS]
    ours = evaluate(*as_tables(grades, scores // 1), names, conventions="sklearn").mean()
    expected = [ndcg_score(grades, scores // 1, k=k) for k in CUTOFFS]
    assert ours.tolist() == pytest.approx(expected, abs=1e-12)
