"""A mean beside a random order of the same items: the lift, its interval, and p by enumeration."""

from itertools import permutations

import numpy as np
import pytest
from needs import MANY_SAMPLES
from scipy import stats

from byhand import Conventions, chance
from byhand.metrics import Evaluation, Tables
from byhand.statistics import lift_interval, mean_interval, paired_t_p, random_order_p


def skilled(rng, shape, skill):
    """The RR of lists of 20 to 1,000 items, a tenth or fewer of them relevant; and chance."""
    n = np.round(np.exp(rng.uniform(np.log(20), np.log(1000), shape))).astype(int)
    relevant = 1 + np.minimum(rng.geometric(0.1, shape), n // 2)
    best = stats.norm.isf(1 - rng.random(shape) ** (1 / relevant)) + skill
    return 1 / (1 + rng.binomial(n - relevant, stats.norm.sf(best))), chance(n, relevant, "RR")


class TestLift:
    @MANY_SAMPLES
    @pytest.mark.parametrize("n", [10, 60])
    def test_it_holds_the_true_lift(self, n):
        values, levels = skilled(np.random.default_rng(99), 50_000, 0.8)
        truth = values.mean() / levels.mean()
        drawn = skilled(np.random.default_rng(n), (500, n), 0.8)
        ends = np.array([lift_interval(*each) for each in zip(*drawn, strict=True)])
        held = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
        assert 0.93 < held[~np.isnan(ends[:, 0])].mean() < 0.975

    def test_its_ends_are_where_the_t_test_just_rejects(self):
        values, levels = skilled(np.random.default_rng(3), 40, 0.8)
        for end in lift_interval(values, levels):
            assert paired_t_p(values - end * levels) == pytest.approx(0.05, abs=1e-12)
            assert stats.ttest_rel(values, end * levels).pvalue == pytest.approx(0.05, abs=1e-12)

    def test_of_one_level_it_is_that_of_the_mean(self):
        values = np.random.default_rng(3).random(12)
        wanted = [end / 0.25 for end in mean_interval(values)]
        assert lift_interval(values, np.full(12, 0.25)) == pytest.approx(wanted, abs=1e-12)

    @pytest.mark.parametrize("levels", [[0.5], [0, 0, 0], [1, 0, 0, 0]])
    @pytest.mark.filterwarnings("error")
    def test_where_levels_bound_nothing_there_is_none(self, levels):
        assert np.isnan(lift_interval(np.linspace(1, 0, len(levels)), np.array(levels))).all()


def lists(lengths, relevant, judged=()):
    """A run, best first, and qrels of which these ranks are relevant, with these grades."""
    run = {f"q{q}": {f"d{i}": -i for i in range(n)} for q, n in enumerate(lengths)}
    qrels = {
        f"q{q}": {f"d{rank - 1}": 1 + place for place, rank in enumerate(ranks)}
        for q, ranks in enumerate(relevant)
    }
    return run, qrels


class TestRandomOrder:
    @pytest.mark.parametrize("relevant", [[(2,), (1, 2)], [(1, 3), (4, 2)], [(2,), range(1, 9)]])
    @pytest.mark.parametrize("measure", ["RR", "AP@2", "nDCG"])
    @pytest.mark.parametrize("how", ["trec_eval -c", "mlflow"])  # whose ideal is cut with the list
    def test_it_is_the_share_of_all_orders(self, relevant, measure, how):
        lengths = (3, 4)
        run, qrels = lists(lengths, relevant)
        found = []
        for query, n in zip(run, lengths, strict=True):
            one = {f"q{place}": order for place, order in enumerate(permutations(range(n)))}
            orders = {q: {f"d{i}": -r for i, r in enumerate(order)} for q, order in one.items()}
            judged = dict.fromkeys(orders, qrels[query])
            table = Evaluation(Tables(orders, judged), [measure], conventions=how).table()
            found.append(table[measure].to_numpy())
        means = np.add.outer(*found).ravel() / 2
        evaluation = Evaluation(Tables(run, qrels), [measure], conventions=how)
        apart = np.abs(means - means.mean())
        mean = evaluation.table()[measure].mean()
        wanted = (apart >= abs(mean - means.mean()) - 1e-12).mean()
        p, orders = random_order_p(evaluation)[measure]
        assert orders == 999
        assert p == pytest.approx(wanted, abs=4 * np.sqrt(0.25 / orders))

    def test_many_items_are_compared_with_the_spread_of_a_few_orders(self):
        rng = np.random.default_rng(4)
        run, qrels = lists([30] * 3000, [(rng.permutation(30) + 1)[:9] for _ in range(3000)])
        run["q0"] = {f"d{i}": -i for i in range(1000)}
        evaluation = Evaluation(Tables(run, qrels), ["P@10"])
        p, orders = random_order_p(evaluation)["P@10"]
        assert orders == 0
        values = evaluation.table("chance")
        # of 10 out of 30, of which 9 are relevant: hypergeometric
        error = np.sqrt(stats.hypergeom(30, 9, 10).var() / 100 / 3000)
        apart = (values["P@10"] - values["P@10 chance"]).mean()
        assert p == pytest.approx(2 * stats.norm.sf(abs(apart) / error), rel=0.05)

    def test_where_nothing_could_come_out_otherwise_there_is_none(self):
        run, qrels = lists([3], [(1, 2, 3)])
        for measures, conventions in (("RR", "trec_eval -c"), ("AP@2", "torchmetrics")):
            evaluation = Evaluation(Tables(run, qrels), measures, conventions=conventions)
            ((p, orders),) = random_order_p(evaluation).values()
            assert (np.isnan(p), orders) == (True, 0)

    def test_a_query_that_is_left_out_does_not_count(self):
        run, qrels = lists([40, 5], [(1,), (1,)])
        skip = Conventions(missing="skip")
        alone, less = (
            random_order_p(Evaluation(Tables({"q0": run["q0"]}, of), "RR", conventions=skip))["RR"]
            for of in ({"q0": qrels["q0"]}, qrels)
        )
        assert less[0] == pytest.approx(alone[0], abs=0.03)
