"""Whether two judges agree, held to scikit-learn's numbers."""

import numpy as np
import pandas as pd
import pytest

from byhand import DataError
from byhand.statistics import agreement

sklearn = pytest.importorskip("sklearn.metrics")

PAIRS = [(f"q{query}", f"d{item}") for query in range(20) for item in range(12)]
EVERY = pd.DataFrame(PAIRS, columns=["query_id", "doc_id"])


def judged(seed: int, top: int) -> pd.DataFrame:
    """Judgements of some pairs, which lean on what the pairs are."""
    rng = np.random.default_rng(seed)
    grades = np.arange(len(EVERY)) % 5 + rng.normal(0, 1.5, len(EVERY))
    table = EVERY.assign(relevance=grades.round().clip(0, top).astype(int))
    return table.sample(frac=0.7, random_state=seed)


@pytest.mark.parametrize("top", [1, 2, 4])
def test_kappa_is_that_of_scikit_learn_over_what_both_have_judged(top):
    a, b = judged(1, top), judged(2, top)
    found, both = agreement(a, b), a.merge(b, on=["query_id", "doc_id"])
    grades = [both["relevance_x"], both["relevance_y"]]
    assert found.n == len(both) < len(a)
    assert found.table.to_numpy().tolist() == sklearn.confusion_matrix(*grades).tolist()
    assert found.table.index.tolist() == [*range(top + 1)]
    assert found.agreed == pytest.approx((grades[0] == grades[1]).mean(), abs=1e-15)
    assert found.kappa == pytest.approx(sklearn.cohen_kappa_score(*grades), abs=1e-12)
    linear = sklearn.cohen_kappa_score(*grades, weights="linear")
    assert found.weighted == pytest.approx(linear, abs=1e-12)
    turned = agreement(b, a)
    assert turned.kappa == pytest.approx(found.kappa, abs=1e-12)
    assert turned.table.T.to_numpy().tolist() == found.table.to_numpy().tolist()


def test_grades_that_nobody_gave_count_in_how_far_apart_two_are():
    a, b = (judged(seed, 2).replace({"relevance": {2: 4}}) for seed in (1, 2))
    both = a.merge(b, on=["query_id", "doc_id"])
    grades = both["relevance_x"], both["relevance_y"]
    wanted = sklearn.cohen_kappa_score(*grades, labels=range(5), weights="linear")
    assert agreement(a, b).weighted == pytest.approx(wanted, abs=1e-12)


def test_one_grade_for_all_leaves_nothing_to_agree_in_and_no_pair_in_common_is_refused():
    a = EVERY.assign(relevance=1)
    found = agreement(a, a)
    assert np.isnan(found.kappa)
    assert (found.agreed, found.n) == (1.0, len(EVERY))
    assert agreement(judged(1, 4), judged(1, 4)).kappa == 1.0
    with pytest.raises(DataError, match=r"no \(query, item\) pair in common"):
        agreement(a, a.assign(query_id="other " + a["query_id"]))
