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

CUTOFFS = {"": None, "@1": 1, "@3": 3, "@10": 10, "@50": 50}


def scored_matrix(seed, *, max_grade=1):
    """Grades and scores of 30 items for every query, no two scores equal."""
    rng = np.random.default_rng(seed)
    grades = rng.integers(0, max_grade + 1, (40, 30))
    grades[rng.random(grades.shape) < 0.6] = 0
    grades[0] = 0
    return grades, rng.permuted(np.tile(np.arange(30) / 8, (40, 1)), axis=1)


def as_tables(grades, scores):
    query, item = (axis.ravel() for axis in np.indices(grades.shape))
    run = pd.DataFrame({"query_id": query, "doc_id": item, "score": scores.ravel()})
    return run, run.drop(columns="score").assign(relevance=grades.ravel())


@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_ndcg_over_the_retrieved_items(gain):
    grades, scores = scored_matrix(0, max_grade=4)
    worth = grades if gain == "linear" else 2.0**grades - 1
    run, qrels = as_tables(grades, scores)
    # judged items that nobody retrieved: scikit-learn never hears of them
    extra = pd.DataFrame({"query_id": range(len(grades)), "doc_id": 999, "relevance": 3})
    chosen = Conventions(ideal="retrieved", gain=gain)
    for name, theirs in (("nDCG", ndcg_score), ("DCG", dcg_score)):
        names = [name + cutoff for cutoff in CUTOFFS]
        found = evaluate(run, pd.concat([qrels, extra]), names, conventions=chosen)
        expected = [theirs(worth, scores, k=k, ignore_ties=True) for k in CUTOFFS.values()]
        assert found.mean().tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(3, 6))
def test_ap_is_average_precision_and_that_of_label_ranking(seed):
    grades, scores = scored_matrix(seed)
    found = evaluate(*as_tables(grades, scores), "AP")["AP"].to_numpy()
    some = grades.any(axis=1)
    expected = [*map(average_precision_score, grades[some], scores[some])]
    assert found[some].tolist() == pytest.approx(expected, abs=1e-12)
    ranking = label_ranking_average_precision_score(grades[some], scores[some])
    assert found[some].mean() == pytest.approx(ranking, abs=1e-12)
    assert (found[~some] == 0).all()  # 1 to scikit-learn's label ranking


@pytest.mark.parametrize("seed", range(9, 12))
def test_label_ranking_with_ties_counts_the_ones_it_ties_with_as_ahead(seed):
    grades, scores = scored_matrix(seed)
    one_hit = np.eye(30, dtype=int)[grades.argmax(axis=1)]
    run, qrels = as_tables(one_hit, scores // 1)
    worst = evaluate(run, qrels, "AP", conventions=Conventions(ties="worst"))["AP"].mean()
    expected = label_ranking_average_precision_score(one_hit, scores // 1)
    assert worst == pytest.approx(expected, abs=1e-12)


def test_the_preset_takes_the_mean_over_ties():
    grades, scores = scored_matrix(11, max_grade=3)
    names = [f"nDCG{cutoff}" for cutoff in CUTOFFS]
    ours = evaluate(*as_tables(grades, scores // 1), names, conventions="sklearn").mean()
    expected = [ndcg_score(grades, scores // 1, k=k) for k in CUTOFFS.values()]
    assert ours.tolist() == pytest.approx(expected, abs=1e-12)
