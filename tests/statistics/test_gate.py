"""May it ship: bounds, what is said of single samples, and power."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from byhand.statistics import Outcome, gate_power, mean_bounds, non_inferiority, queries_to_tell


def series(values):
    return pd.Series(values, [f"q{n}" for n in range(len(values))], dtype=float)


class TestBounds:
    @pytest.mark.parametrize(("n", "lost"), [(1, 0), (6, 0), (5, 2), (25, 1), (300, 40), (5000, 0)])
    @pytest.mark.parametrize("alpha", [0.025, 0.05, 0.2])
    def test_they_are_quantiles_of_randomly_weighted_means(self, n, lost, alpha):
        # the weight of those lost and of one more; of none it is the rule of three
        weight = stats.beta.isf(alpha, lost + 1, n - lost)
        fallen = np.where(np.arange(n) < lost, -0.5, 0)
        assert mean_bounds(fallen, 0.5, alpha=alpha)[0] == pytest.approx(-weight / 2, rel=0.03)
        assert mean_bounds(-fallen, 0.5, alpha=alpha)[1] == pytest.approx(weight / 2, rel=0.03)


class TestOneSample:
    def test_what_it_says_with_it(self):
        new, old = series([0.5] * 40 + [0.75] * 60), series([0.5] * 100)
        found = non_inferiority(new, old[::-1], max_drop=0.02)
        assert found.outcome is Outcome.HELD
        means = (found.mean_new, found.mean_old, found.difference)
        assert means == pytest.approx((0.65, 0.5, 0.15))
        assert (found.queries, found.differ, found.needed) == (100, 60, None)
        assert (found.low, found.high) == mean_bounds((new - old).to_numpy(), 1)
        assert (found.max_drop, found.alpha) == (0.02, 0.05)

    @pytest.mark.parametrize(
        ("change", "max_drop", "outcome"),
        [
            (-0.005, 0.01, Outcome.HELD),
            (-0.02, 0.01, Outcome.DROPPED),
            (0.02, 0, Outcome.HELD),
            (-0.01, 0.01, Outcome.LOWER),
            (-0.001, 0.002, Outcome.INCONCLUSIVE),
        ],
    )
    def test_a_constant_difference(self, change, max_drop, outcome):
        old = series(np.linspace(0.2, 0.8, 1000))
        assert non_inferiority(old + change, old, max_drop=max_drop).outcome is outcome

    def test_a_limit_that_is_a_share_of_the_old_mean(self):
        old = series([1.0] * 100 + [0.0] * 2900)
        new = old.where(np.arange(3000) >= 30, 0)
        absolute = non_inferiority(new, old, max_drop=0.02)
        assert (absolute.outcome, absolute.max_drop_share) == (Outcome.HELD, None)
        found = non_inferiority(new, old, max_drop=0.05, relative=True)
        assert found.outcome is Outcome.DROPPED
        assert (found.max_drop, found.max_drop_share) == (pytest.approx(0.05 / 30), 0.05)
        # what is lost is what the old mean is made of: known as well as that is
        old = series([1.0] * 40 + [0.5] * 40)
        new = old.where(old == 1, 0)
        limit = 0.44  # of the mean of .75, of which a third was lost
        assert non_inferiority(new, old, max_drop=limit * 0.75).outcome is Outcome.HELD
        relative = non_inferiority(new, old, max_drop=limit, relative=True)
        assert relative.outcome is Outcome.LOWER

    @pytest.mark.parametrize(("n", "max_drop"), [(1, 0), (5, 0.01), (200, 0)])
    def test_only_the_same_rankings_pass_without_a_test(self, n, max_drop):
        values = series(np.linspace(0.1, 0.3, n))
        noise = 1e-17 * np.arange(n)  # of another order of summation
        same = {"max_drop": max_drop, "same_rankings": True}
        found = non_inferiority(values + noise, values, **same)
        assert (found.outcome, found.differ, found.needed) == (Outcome.HELD, 0, None)
        found = non_inferiority(values + noise, values, max_drop=max_drop)
        assert (found.outcome, found.same_rankings) == (Outcome.INCONCLUSIVE, False)
        assert not non_inferiority(values - 0.001, values + 0.001, **same).same_rankings


class TestPower:
    def test_without_an_added_value_it_is_the_textbook_s(self):
        # (z of 5% + z of 20%)^2 sd^2 / away^2
        n = queries_to_tell(0.3, 0.03, most=0)
        assert n == np.ceil((1.6449 + 0.8416) ** 2 * 100)
        assert gate_power(n, 0.3, 0.03, most=0) == pytest.approx(0.8, abs=0.001)
        with pytest.raises(ValueError, match="away=0: expected a number above 0"):
            gate_power(n, 0.3, 0)

    @pytest.mark.parametrize(
        ("sd", "away", "needed"),
        [(0, 0.01, pytest.approx(300, rel=0.1)), (0.3, 0, None), (0.3, 1e-6, None)],
    )
    def test_without_spread_it_is_nearly_the_rule_of_three_and_else_no_number_may_do(
        self, sd, away, needed
    ):
        assert queries_to_tell(sd, away, most=1) == needed
