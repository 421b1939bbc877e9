"""Intervals: against scipy, and when they may not hold the truth."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from simulations import TRUTHS, cautioned, truth_of, worst

from byhand import evaluate, read_qrels, read_run
from byhand.statistics import difference_interval, interval_caution, mean_interval, paired_t_p

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("n", "m"), [(3, 3), (5, 40), (60, 30)])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_they_are_scipy_s(n, m, confidence):
    rng = np.random.default_rng(n)
    a, b = 1 / rng.geometric(0.3, n), 1 / rng.geometric(0.1, m)
    test = stats.ttest_1samp(a, 0)
    expected = test.confidence_interval(confidence)
    assert mean_interval(a, confidence=confidence) == pytest.approx(expected, abs=1e-12)
    assert paired_t_p(a) == pytest.approx(test.pvalue, abs=1e-12)
    expected = stats.ttest_ind(a, b, equal_var=False).confidence_interval(confidence)
    assert difference_interval(a, b, confidence=confidence) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("value", [0.0, 0.25])
def test_values_that_do_not_vary_and_one_that_says_nothing_of_how_they_do(value):
    assert mean_interval(np.full(20, value)) == (value, value)
    assert "These 20 values vary so little" in interval_caution(np.full(20, value))
    assert difference_interval(np.ones(3), np.full(4, value)) == (1 - value, 1 - value)
    assert np.isnan(mean_interval(np.array([value]))).all()
    assert paired_t_p(np.full(3, value)) == pytest.approx(np.nan if value else 1, nan_ok=True)
    assert paired_t_p(np.array([value])) == pytest.approx(np.nan if value else 1, nan_ok=True)
    assert np.isnan(difference_interval(np.array([value]), np.array([0.5, 0.6]))).all()


@pytest.mark.parametrize(
    ("name", "n", "held"),
    # as the docstring says
    [("3% fall by 1, half differ", 25, 0.74), ("3% fall by 1, half differ", 100, 0.91)]
    + [(name, n, 0.945) for name in ("RR", "AP") for n in (12, 50)],
)
def test_how_often_it_holds_a_mean(name, n, held):
    found = cautioned(name, n, 1500, truth_of(name))["held"]
    assert found == pytest.approx(held, abs=0.03)


class TestCaution:
    @pytest.mark.parametrize(
        ("values", "says"),
        [
            (np.array([0.5]), None),  # there is no interval
            (np.linspace(0, 1, 9), "With 9 values"),
            (np.linspace(0, 1, 10), None),
            # one 1 among n - 1 zeros: the skewness is (n - 2) / sqrt(n - 1)
            (np.eye(100)[0], "(9.8)"),
            (1 - np.eye(100)[0], "(-9.8)"),
            (np.tile([0.0, 0, 0, 1], 3), "(1.2)"),  # 2 / sqrt(3), of 12 and of 16
            (np.tile([0.0, 0, 0, 1], 4), None),
            # 20 values d and -d: the interval reaches 0.48 d, and three may be 1 - d farther off
            (np.tile([0.23, -0.23], 10), "These 20 values vary so little"),
            (np.tile([0.25, -0.25], 10), None),
            (np.tile([3.0, 3.3], 10), "These 20 values vary so little"),
        ],
    )
    def test_it_speaks_of_few_values_and_of_skewed_ones(self, values, says):
        found = interval_caution(values, lowest=0 if values.min() >= 0 else None)
        assert found is None if says is None else says in found

    def test_of_a_clear_side_it_speaks_only_if_what_is_not_seen_could_turn_it(self):
        # four of 50 values of -1 leave of a mean m only m - 4 * (1 + m) / 50, which is 0 at 2 / 23
        for mean, said in ((0.1, False), (0.08, True), (-0.1, False), (-0.08, True)):
            values = mean + np.tile([0.02, -0.02], 25)
            assert "These 50 values vary so little" in interval_caution(values)
            assert bool(interval_caution(values, side=True)) is said
        assert interval_caution(np.full(50, 0.3), side=True) is None

    def test_of_a_change_that_touches_few_queries_it_speaks_as_often_as_the_docs_say(self):
        qrels = read_qrels(ROOT / "data" / "sample-qrels.csv")
        new, old = (
            evaluate(read_run(ROOT / "data" / f"sample-{name}.txt.gz"), qrels, "nDCG@10")["nDCG@10"]
            for name in ("new", "old")
        )
        changes, rng = new - old, np.random.default_rng(0)
        found = []
        for n in (25, 50, 100, 200):
            touched = rng.random((2000, n)) < 0.05
            samples = np.where(touched, rng.choice(changes, size=touched.shape), 0)
            low, high = np.transpose([mean_interval(sample) for sample in samples])
            held = np.mean((low <= 0.05 * changes.mean()) & (0.05 * changes.mean() <= high))
            warned = np.mean([interval_caution(sample) is not None for sample in samples])
            found.append((f"{held:.0%}", f"{warned:.0%}"))
        said = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
        assert all(f"| {' | '.join(row)} |" in said for row in zip(*found, strict=True))

    def test_few_of_all_samples_and_few_of_those_without_a_caution_miss_the_truth(self):
        rows = [
            cautioned(name, n, 400, truth)
            for name, truth in TRUTHS.items()
            for n in (25, 50, 100, 200)
        ]
        assert np.mean([row["held"] for row in rows]) < 0.9
        of_all, of_these, seldom = worst(rows).values()
        assert max(of_all, of_these) < 0.09  # 7.5%, and what 400 samples may differ from it
        assert seldom < 0.03
        for name, n, least in (("RR, paired", 25, 0.85), ("AP, paired", 100, 0.95)):
            assert cautioned(name, n, 400, 0)["silent"] > least
