"""Ties in the mean, and chance: against every order of the tied items."""

import re
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from math import comb

import numpy as np
import pytest

from byhand import Conventions, DataError, chance, chance_levels, evaluate, tie_range
from byhand.metrics import CHOICES, chance_at_mean

MEASURES = ["RR", "AP", "nDCG", "DCG", "ERR", "RBP", "P", "R", "Rprec", "Success"]
NAMES = [name + cutoff for name in MEASURES for cutoff in ("", "@1", "@2", "@3", "@5", "@9")]
BPREF = ["Bpref", "Bpref(rel=2)"]  # its mean is not known with a cutoff, nor for unknown judgements
NAMES += ["AP(rel=2)", "AP(rel=2)@3", "RR(rel=2)", "ERR(max_rel=2)@3", "RBP(rel=2,p=0.5)@2"]
DENOMINATORS = CHOICES["denominator"].options


def known(names, denominator):
    """Those whose mean over orders is known: not AP@k over the hits found."""
    return [name for name in names if denominator != "retrieved" or not re.match("AP.*@", name)]


def random_case(rng):
    """A run of tied groups, as lists of items, and grades, also of an item that it lacks."""
    sizes = rng.integers(1, 4, size=rng.integers(1, 4))
    items = [f"d{i}" for i in range(sizes.sum())]
    groups = [list(group) for group in np.split(items, np.cumsum(sizes)[:-1])]
    return groups, {item: int(rng.integers(0, 3)) for item in [*items, "missed"]}


@pytest.mark.parametrize(
    "choices",
    [
        *({"denominator": denominator} for denominator in DENOMINATORS),
        {"gain": "exponential"},
        {"ideal": "retrieved"},
        {"ideal": "uncut"},
        {"ideal": "length", "discount": "log2_from_2"},
        {"ties": "doc_id"},
    ],
    ids=lambda choices: "-".join(choices.values()),
)
def test_is_the_mean_and_the_bounds_over_all_orders(choices):
    rng = np.random.default_rng(7)
    chosen, untied = Conventions(**{"ties": "expected", **choices}), Conventions(**choices)
    names = known(NAMES, chosen.denominator) + BPREF
    run, qrels, orders, qrels_of_order, case_of_order = {}, {}, {}, {}, []
    for case in range(40):
        groups, qrels[case] = random_case(rng)
        run[case] = {item: -place for place, group in enumerate(groups) for item in group}
        for order in product(*map(permutations, groups)):
            name = f"order {len(orders)}"
            orders[name], qrels_of_order[name] = [*chain(*order)], qrels[case]
            case_of_order.append(case)
    found = tie_range(run, qrels, names, conventions=chosen)
    values = evaluate(orders, qrels_of_order, names, conventions=untied).groupby(case_of_order)
    for name in names:
        expected = {f"{name} best": values[name].max(), f"{name} worst": values[name].min()}
        if chosen.ties == "expected":
            expected[name] = values[name].mean()
        for column, of_case in expected.items():
            assert found[column].tolist() == pytest.approx(of_case.tolist(), abs=1e-12), column


def test_where_a_cutoff_splits_a_tie_ap_over_the_hits_found_is_refused():
    chosen = Conventions(ties="expected", denominator="retrieved")
    split, whole = {"q": {"a": 2, "b": 1, "c": 1}}, {"q": {"a": 1, "b": 1, "c": 0}}
    qrels = {"q": {"a": 1, "x": 1}}
    for function in (evaluate, tie_range):
        assert function(whole, qrels, "AP@2", conventions=chosen)["AP@2"]["q"] == 3 / 4
        assert function(split, qrels, "AP@2", conventions=chosen)["AP@2"]["q"] == 1
        with pytest.raises(
            DataError, match=r"AP@2 with denominator='retrieved' is .*'trec_eval -c'"
        ):
            function(split, {"q": {"b": 1}}, "AP@2", conventions=chosen)
    with pytest.raises(ValueError, match="no exact mean, range or chance level"):
        chance_levels(split, qrels, "AP@2", conventions=chosen)
    assert chance(2, 1, "AP@2", conventions=chosen) == 3 / 4


@pytest.mark.parametrize("denominator", DENOMINATORS)
def test_chance_is_the_mean_over_all_orders(denominator):
    # AP alone is divided by it
    names = [name for name in NAMES if denominator == "relevant" or name.startswith("AP")]
    chosen = Conventions(denominator=denominator)
    for n, r in ((1, 0), (1, 1), (4, 2), (5, 1), (5, 4), (6, 3)):
        orders = [*combinations(range(n), r)]
        grades = {str(hits): {each: int(each in hits) for each in range(n)} for hits in orders}
        lists = {each: [*range(n)] for each in grades}
        values = evaluate(lists, grades, names, conventions=chosen).mean()
        for name in known(names, denominator):
            found = chance(n, r, name, conventions=chosen)
            assert found == pytest.approx(values[name], abs=1e-12), (name, n, r)


def test_chance_is_quick_and_right_for_a_million_items():
    # with one relevant item E[RR] is H(n) / n
    n = 10**6
    harmonic = np.log(n) + 0.5772156649015329 + 1 / (2 * n) - 1 / (12 * n**2)
    assert chance(n, 1) == pytest.approx(harmonic / n, rel=1e-11)
    for few in (63, 64, 65, 300):
        exact = sum(Fraction(1, rank) for rank in range(1, few + 1)) / few
        assert chance(few, 1, "AP") == pytest.approx(float(exact), abs=1e-15)
    assert chance(n, n) == 1
    assert chance(n, n // 2, "AP") == pytest.approx(0.5, abs=1e-5)
    discounts = 1 / np.log2(np.arange(2, 22))
    assert chance(300, 50, "DCG@20") == pytest.approx(discounts.sum() / 6, abs=1e-12)
    assert chance(n, 17, "Success@1000") == pytest.approx(1 - (1 - 0.001) ** 17, rel=1e-4)


def test_a_level_between_two_whole_numbers_lies_between_theirs():
    lengths = np.array([10, 1_000])
    expected = 0.31 * chance(lengths, 1) + 0.69 * chance(lengths, 2)
    assert chance_at_mean(lengths, 1.69) == pytest.approx(expected, abs=1e-15)
    assert chance_at_mean(7, 7, "AP") == 1


@pytest.mark.filterwarnings("ignore::byhand.metrics.NoCommonItemsWarning")
def test_a_level_is_that_of_what_was_retrieved_and_a_lift_a_mean_over_a_mean():
    run, measures = {"q": {"a": 3, "b": 2, "c": 1}}, ["RR", "AP", "RR(rel=2)"]
    row = chance_levels(run, {"q": {"b": 1, "x": 2}}, measures).iloc[0]
    assert row["RR(rel=2) chance"] == 0
    assert row["RR chance"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3, abs=1e-12)
    # the item that was not retrieved stays in the denominator
    assert row["AP chance"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3 / 2, abs=1e-12)
    found = chance_levels({"p": {"a": 1}, "q": {"a": 2, "b": 1}}, {"p": {"a": 1}, "q": {"a": 1}})
    assert found["RR"].tolist() == [1, 1]
    assert found["RR chance"].tolist() == [1, 0.75]
    assert found.attrs["lift"]["RR"] == 1 / 0.875
    assert np.isnan(chance_levels({"q": {"a": 1}}, {"q": {"x": 1}}).attrs["lift"]["RR"])


def test_chance_of_err_is_right_where_hardly_anyone_reads_to_the_end():
    n, r, stop = 300, 150, Fraction(1, 2)

    def reading(j):  # the share that goes on after j items, over how many of them are hits
        ways = (comb(r, i) * comb(n - r, j - i) * (1 - stop) ** i for i in range(min(r, j) + 1))
        return sum(ways) / comb(n, j)

    left = [reading(j) for j in range(n + 1)]
    expected = sum((left[j - 1] - left[j]) / j for j in range(1, n + 1))
    assert chance(n, r, "ERR(max_rel=1)") == pytest.approx(float(expected), abs=1e-14)
