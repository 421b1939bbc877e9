"""Intervals: against scipy, by hand, and how often they hold the truth."""

import numpy as np
import pytest
from scipy import stats

from byhand.statistics import (
    difference_interval,
    interval_caution,
    mean_interval,
    superiority_interval,
)


def reciprocal_ranks(rng, shape, skill=0.3):
    return np.where(rng.random(shape) < 0.1, 0, 1 / rng.geometric(skill, shape))


def paired(rng, shape):
    first = reciprocal_ranks(rng, shape)
    return first - np.where(rng.random(shape) < 0.5, first, reciprocal_ranks(rng, shape, 0.25))


def coverage(intervals, truth):
    return np.mean([low <= truth <= high for low, high in intervals])


class TestMean:
    @pytest.mark.parametrize("n", [3, 5, 40])
    def test_it_is_scipy_s(self, n):
        values = reciprocal_ranks(np.random.default_rng(n), n)
        expected = stats.ttest_1samp(values, 0).confidence_interval(0.9)
        assert mean_interval(values, confidence=0.9) == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize("n", [8, 12, 20])
    def test_it_holds_a_mean_difference_of_few_queries(self, n):
        # percentiles of resamples hold it in 79%, 87% and 90%
        rng = np.random.default_rng(n)
        truth = paired(np.random.default_rng(99), 4_000_000).mean()
        held = coverage([mean_interval(paired(rng, n)) for _ in range(3000)], truth)
        assert 0.93 < held < 0.975

    def test_one_value_says_nothing_of_how_values_vary(self):
        assert np.isnan(mean_interval(np.array([0.5]))).all()

    @pytest.mark.parametrize("value", [0.0, 0.25])
    @pytest.mark.filterwarnings("error")
    def test_values_that_do_not_vary(self, value):
        assert mean_interval(np.full(20, value)) == (value, value)
        assert "These 20 values vary so little" in interval_caution(np.full(20, value))


class TestDifference:
    @pytest.mark.parametrize(("n", "m"), [(3, 3), (5, 40), (60, 30)])
    def test_it_is_scipy_s(self, n, m):
        rng = np.random.default_rng(n)
        a, b = reciprocal_ranks(rng, n), reciprocal_ranks(rng, m, 0.1)
        expected = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
        assert difference_interval(a, b) == pytest.approx(expected, abs=1e-12)

    def test_one_value_says_nothing_of_how_values_vary(self):
        assert np.isnan(difference_interval(np.array([0.5]), np.array([0.5, 0.6]))).all()

    @pytest.mark.filterwarnings("error")
    def test_values_that_do_not_vary(self):
        assert difference_interval(np.ones(3), np.full(4, 0.5)) == (0.5, 0.5)


class TestSuperiority:
    @pytest.mark.parametrize(("share", "n", "m"), [(0.5, 5, 7), (0.9, 12, 3), (1 / 32, 4, 4)])
    def test_the_ends_are_where_the_score_reaches_z(self, share, n, m):
        def score(chance):
            size = (n + m) / 2
            # Newcombe's own form of the variance
            variance = 2 * size - 1 - (3 * size - 3) / ((2 - chance) * (1 + chance))
            return (share - chance) / np.sqrt(variance * chance * (1 - chance) / (n * m))

        low, high = superiority_interval(share, n, m)
        z = stats.norm.isf(0.025)
        assert [score(low), score(high)] == pytest.approx([z, -z], abs=1e-6)

    def test_groups_that_do_not_overlap_leave_it_open_how_far(self):
        low, high = superiority_interval(1.0, 4, 4)
        assert (low, high) == (pytest.approx(0.582, abs=0.001), 1)
        assert superiority_interval(0.0, 4, 4) == pytest.approx((0, 1 - low), abs=1e-9)
        assert superiority_interval(1.0, 150, 150)[0] > 0.97

    @pytest.mark.parametrize(("n", "m"), [(4, 4), (8, 40), (50, 50)])
    def test_it_holds_the_truth_about_as_often_as_it_says(self, n, m):
        rng = np.random.default_rng(n)
        truth = stats.norm.cdf(2.5 / np.sqrt(2))  # percentiles hold it in 35% of 4 against 4
        shares = [
            (rng.normal(2.5, 1, n)[:, None] > rng.normal(0, 1, m)).mean() for _ in range(1000)
        ]
        assert coverage([superiority_interval(share, n, m) for share in shares], truth) > 0.93


class TestCaution:
    def test_few_values(self):
        assert interval_caution(np.array([0.5])) is None  # there is no interval
        assert interval_caution(np.linspace(0, 1, 2)).startswith("With 2 values")
        assert interval_caution(np.linspace(0, 1, 9)).startswith("With 9 values")
        assert interval_caution(np.linspace(0, 1, 10)) is None

    def test_skewed_values(self):
        # one 1 among n - 1 zeros: the skewness is (n - 2) / sqrt(n - 1)
        one_in = np.eye(100)[0]
        assert "(9.8)" in interval_caution(one_in)
        assert "(-9.8)" in interval_caution(-one_in)
        assert interval_caution(np.tile([0.0, 0, 0, 1], 5)) is None  # 2 / sqrt(3), of 20

    def test_it_speaks_where_the_interval_fails(self):
        rng = np.random.default_rng(0)
        skewed = np.exp(rng.normal(0, 2, (2000, 50)))
        held = coverage(map(mean_interval, skewed), np.exp(2))
        assert held < 0.8
        assert np.mean([interval_caution(sample) is not None for sample in skewed]) > 0.9

    @pytest.mark.parametrize("n", [25, 50, 100, 200])
    def test_where_few_queries_change_by_much_no_interval_misses_without_a_caution(self, n):
        rng = np.random.default_rng(n)
        few, shape = rng.random((2, 1000, n)), (1000, n)
        fall = np.where(few[0] < 0.04, -0.5, rng.uniform(0, 0.042, shape))
        anew = np.where(
            few[1] < 0.05, reciprocal_ranks(rng, shape) - reciprocal_ranks(rng, shape), 0
        )
        for samples in (fall, anew):
            missed = [low > 0.0002 or high < 0.0002 for low, high in map(mean_interval, samples)]
            silent = [interval_caution(sample) is None for sample in samples]
            assert np.mean(missed) > (0.3 if n == 25 else 0.03)
            assert np.logical_and(missed, silent).mean() <= 0.015

    def test_it_is_silent_where_the_interval_holds(self):
        rng = np.random.default_rng(0)
        samples = reciprocal_ranks(rng, (2000, 50))
        assert not any(map(interval_caution, samples))


@pytest.mark.parametrize(
    "interval",
    [
        lambda **options: mean_interval(np.arange(3.0), **options),
        lambda **options: difference_interval(np.arange(3.0), np.arange(3.0), **options),
        lambda **options: superiority_interval(0.5, 3, 3, **options),
    ],
    ids=["mean", "difference", "superiority"],
)
def test_confidence(interval):
    (low, high), (lower, higher) = interval(confidence=0.5), interval(confidence=0.95)
    assert lower < low < high < higher
    with pytest.raises(ValueError, match="confidence=95: expected"):
        interval(confidence=95)
