"""Tests, intervals and effect sizes: against scipy, enumeration, and what they promise."""

import tracemalloc
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from helpers.statistics.resampling import (
    Resampling,
    bootstrap_interval,
    differences,
    holm,
    is_exact,
    paired_rank_biserial,
    randomisation_p,
    standardised,
    wilcoxon_p,
)

# of reciprocal ranks, with repeated sizes and a zero
SIX = np.array([1 / 2, 1 / 6, 1 / 3, -1 / 6, 1 / 12, 1 / 2])
some_differences = st.lists(
    st.integers(-6, 6).map(lambda sixths: sixths / 6), min_size=1, max_size=12
).map(np.array)


def simulated(n, seed=0):
    rng = np.random.default_rng(seed)
    first = 1 / rng.geometric(0.3, n)
    return first - np.where(rng.random(n) < 0.5, first, 1 / rng.geometric(0.25, n))


def sign_flips(values):
    return np.array([np.dot(signs, values) for signs in product((-1, 1), repeat=len(values))])


class TestDifferences:
    def test_rounding_is_a_tie_and_a_difference_is_not(self):
        a, b = [0.1 + 0.2, 1 / 100_000, 1.0], [0.3, 1 / 99_999, 0.0]
        assert differences(a, b).tolist() == [0, 1 / 100_000 - 1 / 99_999, 1]

    def test_what_is_small_depends_on_the_values(self):
        assert differences([1e-14], [2e-14]).tolist() == [-1e-14]
        assert differences([1e9 + 1e-5, 3], [1e9, 4]).tolist() == [0, -1]


class TestRandomisation:
    def test_six_queries_by_hand(self):
        # mean 17/72: in twelfths the differences are 6 2 4 -2 1 6, together 17. A sum of 17 or
        # more needs all of 6 2 4 2 1 6 (21) but at most 2 of it turned: nothing, 1, or a 2
        assert randomisation_p(SIX) == 2 * 4 / 64

    @given(some_differences)
    def test_few_queries_are_enumerated(self, values):
        sums = sign_flips(values)
        farther = np.abs(sums) >= abs(values.sum()) - 1e-9
        assert randomisation_p(values) == pytest.approx(farther.mean(), abs=1e-12)

    def test_many_queries_are_drawn_and_agree_with_the_normal_limit(self):
        values = simulated(400)
        z = abs(values.sum()) / np.sqrt((values**2).sum())
        p = randomisation_p(values, Resampling(permutations=20_000))
        assert p == pytest.approx(2 * stats.norm.sf(z), abs=0.015)

    def test_drawn_as_scipy_s_permutation_test(self):
        values = simulated(30, seed=2)
        drawn = stats.permutation_test(
            (values,), np.mean, permutation_type="samples", n_resamples=20_000, rng=1
        )
        assert 0.02 < drawn.pvalue < 0.9
        found = randomisation_p(values, Resampling(permutations=20_000))
        assert found == pytest.approx(drawn.pvalue, abs=0.015)

    def test_enumerating_and_drawing_agree(self):
        drawn = randomisation_p(SIX.repeat(2), Resampling(permutations=4000))
        exact = randomisation_p(SIX.repeat(2), Resampling(permutations=4096))
        assert drawn != exact
        assert drawn == pytest.approx(exact, abs=0.01)

    def test_drawn_it_is_never_zero(self):
        assert randomisation_p(np.ones(40), Resampling(permutations=999)) == 2 / 1000

    @given(some_differences, st.integers(1, 300))
    def test_it_is_exact_where_all_assignments_are_no_more_than_are_drawn(self, values, drawn):
        how = Resampling(permutations=drawn)
        signs = np.count_nonzero(values)
        assert is_exact(values, how) == (signs < 2 or 2**signs <= drawn)
        if is_exact(values, how):
            assert randomisation_p(values, how) == randomisation_p(values)

    @pytest.mark.parametrize("n", [0, 1, 30])
    def test_ties_change_nothing(self, n):
        zeros = np.zeros(n)
        assert randomisation_p(np.append(SIX, zeros)) == randomisation_p(SIX)
        assert randomisation_p(zeros) == 1

    def test_false_alarms_are_as_rare_as_promised(self):
        rng = np.random.default_rng(7)
        how = Resampling(permutations=199)
        alarms = 0
        for _ in range(1000):
            x, y = 1 / rng.geometric(0.2, (2, 40))  # skewed, and no difference between them
            alarms += randomisation_p(differences(x, y), how) <= 0.05
        assert 0.03 < alarms / 1000 < 0.07


class TestWilcoxon:
    @pytest.mark.parametrize("n", [5, 12, 40, 300])
    def test_it_is_scipy_s(self, n):
        values = simulated(n)
        equal_are_equal = np.round(values, 9)
        expected = stats.wilcoxon(equal_are_equal[values != 0]).pvalue
        assert wilcoxon_p(values) == pytest.approx(expected, abs=1e-12)

    def test_ties_change_nothing(self):
        values = np.arange(1, 21) * np.where(np.arange(20) % 3, 1, -1)  # few enough to be exact
        assert wilcoxon_p(np.append(values, [0, 0, 0])) == wilcoxon_p(values)
        assert wilcoxon_p(values) == stats.wilcoxon(values, method="exact").pvalue

    def test_equal_sizes_stay_tied_in_spite_of_rounding(self):
        noisy = np.array([0.3 - 0.2, 0.1, 0.2, 0.4 - 0.2, -(0.5 - 0.4)])
        clean = np.array([0.1, 0.1, 0.2, 0.2, -0.1])
        assert len(set(np.abs(noisy))) > len(set(np.abs(clean)))
        assert wilcoxon_p(noisy) == wilcoxon_p(clean)
        assert paired_rank_biserial(noisy) == paired_rank_biserial(clean)


class TestEffectSizes:
    def test_rank_biserial_by_hand(self):
        # sizes in twelfths 6 2 4 2 1 6 have ranks 5.5 2.5 4 2.5 1 5.5, one 2.5 is against
        assert paired_rank_biserial(SIX) == pytest.approx((21 - 2 * 2.5) / 21, abs=1e-12)

    @given(some_differences)
    def test_rank_biserial_counts_the_pairs(self, values):
        # the sum of ranks for a is the number of pairs i <= j whose mean is above 0, ties half
        kept = values[values != 0]
        means = [kept[i] + kept[j] for i in range(len(kept)) for j in range(i, len(kept))]
        signs = np.sign(np.round(means, 9))
        expected = signs.mean() if len(kept) else 0
        assert paired_rank_biserial(values) == pytest.approx(expected, abs=1e-12)

    def test_standardised_is_the_one_sample_t_without_the_root_of_n(self):
        values = simulated(50)
        t = stats.ttest_1samp(values, 0).statistic
        assert standardised(values) == pytest.approx(t / np.sqrt(50), abs=1e-12)

    def test_a_constant_difference_is_infinitely_clear(self):
        assert standardised(np.array([0.1, 0.3 - 0.2, 0.2 - 0.1])) == np.inf
        assert standardised(np.full(3, -0.5)) == -np.inf


class TestInterval:
    def test_it_is_the_middle_of_the_resampled_means(self):
        values = simulated(60)
        rng = np.random.default_rng(5)
        means = rng.choice(values, (20_000, 60)).mean(axis=1)
        expected = np.quantile(means, [0.05, 0.95])
        found = bootstrap_interval((values,), np.mean, Resampling(confidence=0.9))
        assert found == pytest.approx(expected, abs=0.003)

    def test_more_confidence_is_wider(self):
        ends = [
            bootstrap_interval((SIX,), np.mean, Resampling(confidence=confidence))
            for confidence in (0.5, 0.95)
        ]
        assert ends[1][0] < ends[0][0] < SIX.mean() < ends[0][1] < ends[1][1]

    def test_it_covers_the_true_mean_about_as_often_as_it_says(self):
        truth = np.mean([simulated(100_000, seed).mean() for seed in range(20)])
        how = Resampling(resamples=400)
        covered = 0
        for seed in range(400):
            low, high = bootstrap_interval((simulated(80, seed),), np.mean, how)
            covered += low <= truth <= high
        assert 0.91 < covered / 400 < 0.98

    def test_it_is_too_narrow_for_few_queries_as_the_docstring_says(self):
        truth = np.mean([simulated(100_000, seed).mean() for seed in range(20)])
        how = Resampling(resamples=400)
        ends = [bootstrap_interval((simulated(10, s),), np.mean, how) for s in range(300)]
        assert np.mean([low <= truth <= high for low, high in ends]) < 0.91

    def test_the_ends_are_percentiles_and_are_not_mirrored(self):
        # the mean of 4 draws is X / 4 with X of Binomial(4, 1/4): P(X = 0) = 81/256,
        # P(X >= 3) = 13/256 and P(X = 4) = 1/256, so 2.5% from the ends are 0 and 3
        assert bootstrap_interval((np.array([0.0, 0, 0, 1]),), np.mean) == (0, 0.75)

    def test_one_value_says_nothing_of_how_values_vary(self):
        assert np.isnan(bootstrap_interval((np.array([0.5]),), np.mean)).all()


class TestHolm:
    def test_worked_by_hand(self):
        # 4 * 0.01, 3 * 0.02, 2 * 0.03 (as large as the one before), 1 * 0.5
        found = holm([0.03, 0.01, 0.5, 0.02])
        assert found == pytest.approx([0.06, 0.04, 0.5, 0.06], abs=1e-12)

    def test_none_is_smaller_than_the_one_before_or_above_one(self):
        assert holm([0.04, 0.015, 0.01]) == pytest.approx([0.04, 0.03, 0.03], abs=1e-12)
        assert holm([0.5, 0.8, 0.9]).tolist() == [1, 1, 1]

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0.001, 0.999))
    def test_it_rejects_what_the_stepwise_procedure_rejects(self, p, level):
        rejected = set()
        for step, place in enumerate(np.argsort(p, kind="stable")):
            if p[place] * (len(p) - step) > level:
                break
            rejected.add(int(place))
        assert set(np.flatnonzero(holm(p) <= level)) == rejected


class TestResampling:
    @pytest.mark.parametrize(
        "wrong",
        [{"permutations": 0}, {"resamples": 1.5}, {"resamples": True}, {"confidence": 95}],
        ids=str,
    )
    def test_an_option_out_of_range_is_refused(self, wrong):
        (name,) = wrong
        with pytest.raises(ValueError, match=rf"{name}=.*: expected .*such as"):
            Resampling(**wrong)

    def test_a_seed_begins_anew_and_a_generator_goes_on(self):
        values, seed = simulated(30), Resampling(permutations=99, rng=4)
        assert randomisation_p(values, seed) == randomisation_p(values, seed)
        generator = Resampling(rng=np.random.default_rng(4))
        first, second = (bootstrap_interval((values,), np.mean, generator) for _ in "ab")
        assert first != second
        assert first == bootstrap_interval((values,), np.mean, Resampling(rng=4))

    @pytest.mark.parametrize("n", [1, 2, 20])
    @pytest.mark.parametrize("value", [0.0, 0.25])
    @pytest.mark.filterwarnings("error")
    def test_constant_differences_need_no_excuse(self, n, value):
        values = np.full(n, value)
        assert 0 < randomisation_p(values) <= 1
        assert 0 < wilcoxon_p(values) <= 1
        assert paired_rank_biserial(values) == (value > 0)
        if n > 1:
            assert bootstrap_interval((values,), np.mean) == (value, value)

    @pytest.mark.parametrize(
        "draw",
        [randomisation_p, lambda values, how: bootstrap_interval((values,), np.mean, how)],
        ids=["p", "interval"],
    )
    def test_what_is_drawn_is_not_all_in_memory_at_once(self, draw):
        values = np.random.default_rng(0).random(10_000)
        tracemalloc.start()
        draw(values, Resampling(permutations=2000, resamples=2000))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2000 * 10_000 * 8 / 2

    def test_the_size_of_a_batch_changes_no_p(self, monkeypatch):
        values, how = simulated(30), Resampling(permutations=1000)
        whole = randomisation_p(values, how)
        monkeypatch.setattr("helpers.statistics.resampling._CELLS", 30 * 8)
        assert randomisation_p(values, how) == whole
