"""Two independent groups: against scipy, by counting every arrangement, and when data is bad."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from byhand import compare_groups

A = 1 / np.random.default_rng(0).geometric(0.05, 60)
B = 1 / np.random.default_rng(1).geometric(0.10, 45)


def test_against_scipy_and_pair_counting():
    row = compare_groups(A, B).iloc[0]
    expected = stats.mannwhitneyu(A, B, method="asymptotic")
    assert (row["U"], row["p"], row["exact"]) == (expected.statistic, expected.pvalue, False)
    above = np.sign(A[:, None] - B)
    assert row["superiority"] == pytest.approx((1 + above.mean()) / 2, abs=1e-12)
    assert (row["n_a"], row["n_b"]) == (60, 45)
    assert row["difference"] == A.mean() - B.mean()
    assert (row["median_a"], row["median_b"]) == (np.median(A), np.median(B))


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 6), (2, 5), (4, 4), (6, 3), (6, 6)])
def test_it_counts_every_arrangement_and_swapping_the_groups_flips_the_signs(n, m):
    a, b = (np.random.default_rng(n + m).integers(0, 7, size) / 6 for size in (n, m))
    there, back = (compare_groups(*pair).iloc[0] for pair in ((a, b), (b, a)))
    assert back["difference"] == pytest.approx(-there["difference"], abs=1e-12)
    assert back["superiority"] == pytest.approx(1 - there["superiority"], abs=1e-12)
    joined = np.concatenate([a, b])

    def from_the_middle(chosen):
        others = np.delete(joined, chosen)
        return np.sign(joined[list(chosen)][:, None] - others).sum()

    seen = from_the_middle(range(len(a)))
    assert 2 * there["U"] - len(a) * len(b) == seen == len(a) * len(b) - 2 * back["U"]
    ways = combinations(range(len(joined)), len(a))
    far = np.mean([abs(from_the_middle(way)) >= abs(seen) for way in ways])
    assert there["p"] == pytest.approx(far, abs=1e-12) == back["p"]


def test_groups_of_one_value():
    row = compare_groups(pd.Series([0.5, 0.5, 0.5]), (0.5, 0.5)).iloc[0]
    assert row["p"] == 1
    assert (row[["difference", "low", "high"]] == 0).all()


@pytest.mark.parametrize(("n", "m"), [(3, 4), (25, 30), (50, 50), (2, 900)])
def test_without_ties_it_is_scipy_s_exact_one(n, m):
    rng = np.random.default_rng(n)
    a, b = rng.random(n) + 0.2, rng.random(m)
    expected = stats.mannwhitneyu(a, b, method="exact")
    found = compare_groups(a, b)[["U", "p"]].iloc[0].tolist()
    assert found == pytest.approx(list(expected), abs=1e-12)
