"""Differences of two systems: what is rounding, and what is not."""

from byhand.statistics import differences


class TestDifferences:
    def test_rounding_is_a_tie_and_a_difference_is_not(self):
        a, b = [0.1 + 0.2, 1 / 100_000, 1.0], [0.3, 1 / 99_999, 0.0]
        assert differences(a, b).tolist() == [0, 1 / 100_000 - 1 / 99_999, 1]

    def test_what_is_small_depends_on_the_values(self):
        assert differences([1e-14], [2e-14]).tolist() == [-1e-14]
        assert differences([1e9 + 1e-5, 3], [1e9, 4]).tolist() == [0, -1]
