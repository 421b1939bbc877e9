"""Queries that hang together: whole clusters are drawn and flipped."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from byhand.statistics import compare_values, mean_bounds, non_inferiority


def by_query(number: np.ndarray) -> dict[str, str]:
    return {f"q{n}": f"topic {topic}" for n, topic in enumerate(number)}


def row_of(difference: np.ndarray, number: np.ndarray, **how: object) -> pd.Series:
    """The comparison of two systems whose values differ by this, query by query."""
    clusters, halves = by_query(number), {"a": 0.5 + difference / 2, "b": 0.5 - difference / 2}
    tables = {name: pd.DataFrame({"RR": half}, [*clusters]) for name, half in halves.items()}
    return compare_values(tables, clusters=clusters, **how).iloc[0]


@pytest.mark.parametrize("sizes", [[1, 1], [1, 4], [2, 2, 2], [4, 1, 3, 1], [1, 2, 1, 4, 3, 2]])
def test_of_any_sizes_it_flips_each_whole(sizes):
    number = np.repeat(np.arange(len(sizes)), sizes)
    difference = np.random.default_rng(0).integers(-8, 9, len(number)) / 32
    found = row_of(difference, number)
    flips = [
        sum(sign * difference[number == n].sum() for n, sign in enumerate(signs))
        for signs in product([1, -1], repeat=len(sizes))
    ]
    assert found["p"] == np.mean(np.abs(flips) >= abs(difference.sum()))
    assert found["difference"] == pytest.approx(difference.mean(), abs=1e-12)
    residual = np.bincount(number, difference - difference.mean())
    error = np.sqrt(len(sizes) / (len(sizes) - 1) * (residual**2).sum()) / len(number)
    half = stats.t.isf(0.025, len(sizes) - 1) * error
    ends = [difference.mean() - half, difference.mean() + half]
    assert found[["low", "high"]].tolist() == pytest.approx(ends, abs=1e-12)


def test_the_gate_reckons_with_one_more_cluster():
    rng = np.random.default_rng(8)
    topics = rng.integers(-3, 4, 30) / 32
    new = pd.Series(0.5 + np.repeat(topics, 4), [f"q{n}" for n in range(120)])
    number = np.repeat(np.arange(30), 4)
    found = non_inferiority(new, new * 0 + 0.5, clusters=by_query(number))
    assert (found.low, found.high) == pytest.approx(mean_bounds(topics, 1.0), abs=1e-12)
    assert (found.queries, found.clusters) == (120, 30)
    # of which one may be larger than the others
    number = np.array([0, 0, 0, 1, 2])
    found = non_inferiority(new[:5], new[:5], clusters=by_query(number))
    assert found.low == pytest.approx(mean_bounds(np.zeros(3), 3 * 3 / 5)[0], abs=1e-12)


@pytest.mark.parametrize(
    ("sizes", "few"),
    [([40] * 5 + [1] * 35, 7), ([max(1, 200 // n) for n in range(1, 101)], 15), ([5] * 40, None)],
)
def test_clusters_of_unequal_sizes_say_less(sizes, few):
    number = np.repeat(np.arange(len(sizes)), sizes)
    topic = np.random.default_rng(2).choice([-0.4, 0.4], len(sizes))
    caution = row_of(topic[number], number, permutations=100)["caution"]
    said = f"The {len(sizes):,} clusters are so unequal that they count as only {few} of "
    assert caution.startswith(said) if few else not caution
