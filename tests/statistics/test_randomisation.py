"""The randomisation test: against enumeration, scipy, and what it promises."""

from itertools import product

import numpy as np
import pytest

from byhand.statistics import Resampling, holm, is_exact, p_text, randomisation_p

# of reciprocal ranks, with repeated sizes and a zero
SIX = np.array([1 / 2, 1 / 6, 1 / 3, -1 / 6, 1 / 12, 1 / 2])


def sign_flips(values):
    return np.array([np.dot(signs, values) for signs in product((-1, 1), repeat=len(values))])


class TestRandomisation:
    @pytest.mark.parametrize("permutations", [1, 2, 63, 64, 2047, 2048])
    def test_few_queries_are_enumerated_where_that_takes_no_more_than_are_drawn(self, permutations):
        how, rng = Resampling(permutations=permutations), np.random.default_rng(permutations)
        for n in range(1, 12):
            values = rng.integers(-6, 7, n) / 6
            farther = np.abs(sign_flips(values)) >= abs(values.sum()) - 1e-9
            assert randomisation_p(values) == pytest.approx(farther.mean(), abs=1e-12)
            signs = np.count_nonzero(values)
            assert is_exact(values, how) == (signs < 2 or 2**signs <= permutations)
            if is_exact(values, how):
                assert randomisation_p(values, how) == randomisation_p(values)

    @pytest.mark.parametrize("n", [0, 1, 30])
    def test_ties_change_nothing_and_drawn_it_is_never_zero(self, n):
        assert randomisation_p(np.append(SIX, np.zeros(n))) == randomisation_p(SIX)
        assert randomisation_p(np.zeros(n)) == 1
        assert randomisation_p(np.ones(40 + n), Resampling(permutations=999)) == 1 / 1000


@pytest.mark.parametrize(
    ("p", "corrected"),
    [
        # 4 * 0.01, 3 * 0.02, 2 * 0.03 (as large as the one before), 1 * 0.5
        ([0.03, 0.01, 0.5, 0.02], [0.06, 0.04, 0.5, 0.06]),
        ([0.04, 0.015, 0.01], [0.04, 0.03, 0.03]),  # none is smaller than the one before
        ([0.5, 0.8, 0.9], [1, 1, 1]),
    ],
)
def test_holm_by_hand(p, corrected):
    assert holm(p) == pytest.approx(corrected, abs=1e-12)


@pytest.mark.parametrize(
    ("p", "permutations", "text"),
    [
        # of a drawn p no digit that other draws would change: the standard errors are 0.0007,
        # 0.005, 0.00004 and 0.0002
        (0.05342, 100_000, "0.053"),
        (0.5034, 10_000, "0.50"),
        (0.00021, 100_000, "0.0002"),
        (0.0006, 10_000, "0.001"),
        (1.0, 10_000, "1"),
        (3 / 100_001, 100_000, "< 0.0001"),
        (1 / 100_001, 100_000, "≤ 0.00001"),
        (1 / 5001, 5000, "≤ 0.0002"),
        (2 / 5, 4, "0.4"),
        (1 / 2, 1, "≤ 0.5"),
        # counted or computed it keeps its digits
        (0.125, None, "0.125"),
        (2 / 2**13, None, "0.000244"),
        (3.1234e-17, None, "3.1e-17"),
    ],
)
def test_a_p_is_written_with_the_digits_that_it_has(p, permutations, text):
    assert p_text(p, exact=False, permutations=permutations) == text
    assert permutations or p_text(p, exact=True, permutations=100_000) == text
