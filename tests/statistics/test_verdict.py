"""The rule that gives a verdict: its edges, and how often it is wrong."""

import numpy as np
import pytest

from byhand.statistics import (
    Resampling,
    Verdict,
    fewest_queries,
    mean_interval,
    randomisation_p,
    verdict,
    verdict_rule,
)


@pytest.mark.parametrize(
    ("p", "low", "high", "options", "found"),
    [
        (0.05, 0.001, 0.1, {}, Verdict.A_HIGHER),
        (0.05, -0.1, -0.001, {}, Verdict.B_HIGHER),
        (0.051, 0.001, 0.1, {}, Verdict.CANNOT_TELL),  # the interval alone does not say it
        (0.04, 0, 0.1, {}, Verdict.CANNOT_TELL),  # nor does p
        (0.04, -0.1, 0.1, {}, Verdict.CANNOT_TELL),
        (0.03, np.nan, np.nan, {}, Verdict.CANNOT_TELL),
        (0.03, 0.1, 0.2, {"alpha": 0.01}, Verdict.CANNOT_TELL),
        (0.03, 0.1, 0.2, {"differ": 6}, Verdict.A_HIGHER),
        (0.03, 0.1, 0.2, {"differ": 5}, Verdict.TOO_FEW),
        (1, 0, 0, {"differ": 0}, Verdict.TOO_FEW),
        (0.0001, 0.1, 0.2, {"missing": 0.05}, Verdict.A_HIGHER),
        (0.0001, 0.1, 0.2, {"missing": 0.051}, Verdict.WITHHELD),
        (0.125, 0.1, 0.2, {"missing": 0.5, "differ": 4}, Verdict.WITHHELD),
    ],
)
def test_the_rule(p, low, high, options, found):
    assert verdict(p, low, high, **{"differ": 50} | options) is found


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.0625, 0.01, 0.5])
def test_fewest_queries_is_where_the_exact_p_can_reach_alpha(alpha):
    n = fewest_queries(alpha)
    assert randomisation_p(np.ones(n)) <= alpha < randomisation_p(np.ones(n - 1))


def test_the_words_say_the_numbers_of_the_rule():
    said = verdict_rule(alpha=0.01)
    for part in ("at most 0.01", "the 99% interval", "fewer than 8 queries", "more than 5%"):
        assert part in said


@pytest.mark.parametrize("n", [8, 30, 120])
def test_two_equal_systems_are_rarely_told_apart(n):
    rng, how = np.random.default_rng(n), Resampling(permutations=999)
    wrong = 0
    for _ in range(1000):
        difference = 1 / rng.geometric(0.3, n) - 1 / rng.geometric(0.3, n)
        ends = mean_interval(difference)
        found = verdict(
            randomisation_p(difference, how), *ends, differ=np.count_nonzero(difference)
        )
        wrong += found in (Verdict.A_HIGHER, Verdict.B_HIGHER)
    assert wrong / 1000 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000)
