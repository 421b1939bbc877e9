"""Formulas to try: several queries and their mean, one list on the bench."""

from fractions import Fraction
from itertools import permutations, product
from math import inf

import pytest

from byhand import measure_list, ndcg
from byhand.widgets import Explorer, FormulaComparison, Goal, Queries
from byhand.widgets.queries import MEANS
from helpers import worked_example

PAGES = {name: tuple(case) for name, case in worked_example("cooking", "tomato soup").items()}
EIGHT = [f"D{n}" for n in range(1, 9)]
PAGES |= {f"hit {n}": (EIGHT, {EIGHT[n - 1]}) for n in range(1, 9)}


@pytest.mark.parametrize(
    ("page", "formulas", "out", "longer", "values"),
    [
        ("hit 2", ["rank", "line", "first five", "1/rank"], "", True, [2, 99 / 100, 1, 1 / 2]),
        ("lone", ["rank", "line", "first five"], "minestrone", False, [None, 0, 0]),
        ("today", ["recall", "mean 1/rank"], "", False, [3 / 5, 1 / 5]),
        # of who arrived, a lost soup raises the mean; of all, it does not
        ("today", ["mean share, who arrived", "AP"], "bisque", False, [7 / 12, 7 / 30]),
        ("today", ["sum of grades", "grade / rank"], "", True, [6, 5 / 3]),
    ],
)
def test_what_a_formula_makes_of_a_list(page, formulas, out, longer, values):
    bench = FormulaComparison({page: PAGES[page]}, formulas, extra=92)
    bench.lists[page].order = [item for item in PAGES[page][0] if item != out]
    bench.longer = longer
    expected = zip(formulas, values, strict=True)
    assert bench.values == {name: {page: pytest.approx(value)} for name, value in expected}


@pytest.mark.parametrize(
    ("formula", "measure"),
    [("1/rank", "RR"), ("AP", "AP"), ("P@5", "P@5"), ("recall", "R"), ("grade / log2", "DCG")],
)
def test_a_formula_that_is_a_measure_has_its_values(formula, measure):
    found = FormulaComparison(PAGES, [formula]).values[formula]
    for name, (ranked, grades) in PAGES.items():
        value = Explorer(ranked, grades, max_grade=3, measures=measure).values[measure]
        assert found[name] == pytest.approx(value, abs=1e-12)


def test_a_query_without_a_hit_is_at_no_rank_or_left_out():
    never = Queries({"gyoza": (["tart"], ["dumplings"])}, formulas=MEANS)
    assert (never.mean, repr(never)[-17:]) == (inf, "mean rank RR = ?)")
    never.formula = "mean of hits"
    assert (never.mean, repr(never)[-20:]) == (None, "mean of hits RR = ?)")


def test_formulas_have_the_names_that_they_are_given():
    bench = FormulaComparison({"today": PAGES["today"]}, {"AP": "their code", "1/rank": ""})
    assert repr(bench).endswith("; their code: 1/3; 1/rank: 1/2)")
    assert bench.picture().alt.endswith(" Their code: 1/3. 1 / rank: 1/2.")


def test_several_queries_keep_the_grades_of_their_items():
    page, grades = ["tart", "bisque", "ketchup", "harira"], {"bisque": 3, "harira": 1, "rasam": 2}
    queries = Queries({"soup": (page, grades)}, measure="nDCG@10")
    assert queries.mean == pytest.approx(ndcg(page, grades, k=10), abs=1e-12)
    assert ndcg(page, [*grades], k=10) != pytest.approx(queries.mean, abs=1e-3)


@pytest.mark.parametrize("measure", ["RR", "AP"])
@pytest.mark.parametrize(
    ("aim", "value"), [("highest", []), ("lowest", []), ("reach", ["1/2"]), ("nearest", [0.7])]
)
def test_the_best_mean_is_the_best_of_all_orders(aim, value, measure):
    lists = {"a": (["x", "y"], {"y", "z"}), "b": (["x", "y", "z"], {"z"}), "c": (["x"], {"x"})}
    goal = getattr(Goal, aim)(measure, *value)
    queries = Queries(lists, measure=measure, goal=goal)
    every = []
    for ranked, relevant in lists.values():
        items = {*ranked, *relevant}
        orders = [each for n in range(len(items) + 1) for each in permutations(items, n)]
        every.append({measure_list(measure, each, relevant) for each in orders})
    means = [Fraction(sum(each)).limit_denominator(10**6) / 3 for each in product(*every)]
    best = max(goal.score({measure: float(each)}) for each in means)
    assert queries.fixed["best"] == pytest.approx(best, abs=1e-12)


def test_a_goal_of_several_lists_is_about_their_mean():
    lists = {"bread": (["tart", "focaccia"], {"focaccia"}), "gyoza": ([], {"dumplings"})}
    queries = Queries(lists, goal=Goal.reach("RR", "1/2"))
    assert repr(queries).endswith("mean of all RR = 1/4; goal not reached)")
    queries.lists["bread"].move("focaccia", to=1)
    assert repr(queries).endswith("mean of all RR = 1/2; goal reached)")
