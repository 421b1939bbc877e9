"""Effect sizes and the signed-rank test: against scipy and by hand."""

import numpy as np
import pytest
from hypothesis import given
from paired_differences import SIX, simulated, some_differences
from scipy import stats

from byhand.statistics.effects import paired_rank_biserial, standardised, wilcoxon_p


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


@pytest.mark.parametrize("n", [1, 2, 20])
@pytest.mark.parametrize("value", [0.0, 0.25])
@pytest.mark.filterwarnings("error")
def test_constant_differences_need_no_excuse(n, value):
    values = np.full(n, value)
    assert 0 < wilcoxon_p(values) <= 1
    assert paired_rank_biserial(values) == (value > 0)
