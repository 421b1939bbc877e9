"""How many queries it takes: against textbook tables, at the ends, and for pilots."""

import numpy as np
import pytest
from scipy import stats

from byhand import queries_needed, smallest_difference
from byhand.statistics import comparison_power


@pytest.mark.parametrize(
    ("d", "power", "alpha", "n"),
    # G*Power, two-sided t test of matched pairs
    [(0.2, 0.8, 0.05, 199), (0.5, 0.8, 0.05, 34), (0.8, 0.8, 0.05, 15), (0.5, 0.95, 0.05, 54)],
)
def test_as_in_the_tables(d, power, alpha, n):
    assert queries_needed(d, d**2, power=power, alpha=alpha) == n
    assert queries_needed(d, -(d**2), power=power, alpha=alpha) == n
    assert comparison_power(d, -(d**2), n - 1, alpha=alpha) < power
    assert comparison_power(0, d, n) == 1
    assert comparison_power(0, 0, n) == 0


def test_where_only_the_estimated_deviation_varies_it_is_that_of_chi_squared():
    # twice the least difference that two queries show at so strict a level
    least = stats.t.isf(1e-6 / 2, 1) / np.sqrt(2)
    shown = comparison_power(1, 2 * least, 2, alpha=1e-6)
    assert shown == pytest.approx(stats.chi2.cdf(4, 1), rel=1e-5)


@pytest.mark.parametrize(
    ("sd", "difference", "needed"),
    # (1.96 + 0.84)^2 over the square of the standardised difference
    # what rounding leaves of constant differences, 1e-16, is as good as 0
    [(each, 0.1, 2) for each in (0, 1e-300, 1e-16, 1e-9)]
    + [(1, 1e-4, 7.8489e8), (1, 1e-12, 7.8489e24)],
)
def test_extremes(sd, difference, needed):
    found = queries_needed(sd, difference)
    assert found == pytest.approx(needed, rel=1e-4)
    if needed > 2:
        assert smallest_difference(sd, found) == pytest.approx(difference)
    assert comparison_power(0.3, difference, 10**40) == 1


@pytest.mark.parametrize("queries", [2, 3, 34, 200, 10_000])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 30])
def test_the_smallest_difference_is_what_so_many_queries_are_needed_for(queries, alpha):
    least = smallest_difference(0.3, queries, alpha=alpha)
    assert queries_needed(0.3, least, alpha=alpha) <= queries
    assert queries_needed(0.3, least * 0.999, alpha=alpha) > queries
    assert smallest_difference(0, queries) == 0


def test_the_difference_of_a_pilot_advises_too_few():
    assert queries_needed(1, 0.2773) == 105
    drawn = np.random.default_rng(30).normal(0.2773, 1, (10_000, 30))
    told = drawn[stats.ttest_1samp(drawn, 0, axis=1).pvalue <= 0.05]
    advised = np.median([queries_needed(row.std(ddof=1), row.mean()) for row in told])
    assert advised == pytest.approx(37, abs=1)  # as the docstring says
