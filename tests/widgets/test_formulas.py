"""Formulas to try: several queries and their mean, one list on the bench."""

from fractions import Fraction
from itertools import permutations, product
from math import inf

import pytest

from byhand import DataError, measure_list, ndcg
from byhand.widgets import Explorer, FormulaComparison, Goal, Queries
from helpers import worked_example

SEARCHES = {name: tuple(case) for name, case in worked_example("cooking", "searches").items()}
PAGES = {name: tuple(case) for name, case in worked_example("cooking", "tomato soup").items()}
EIGHT = [f"D{n}" for n in range(1, 9)]
PAGES |= {f"hit {n}": (EIGHT, {EIGHT[n - 1]}) for n in range(1, 9)}
PAGES["one soup"] = (EIGHT, EIGHT[:1])
FIRST = ["rank", "line", "first five", "1/rank"]
SHARES = ["P@5", "recall", "mean 1/rank", "mean share, who arrived", "AP"]
GRADED = ["sum of grades", "grade / rank", "grade / log2"]
MEANS = ("mean rank", "mean of all", "mean of hits")
THREE = {name: SEARCHES[name] for name in ("tomato soup", "bread", "gyoza")}


def fractions(*values: float | None) -> str:
    """The values as the lessons write them."""
    found = (None if each is None else Fraction(each).limit_denominator(10_000) for each in values)
    return " ".join(map(str, found))


@pytest.mark.parametrize(
    ("page", "formulas", "out", "longer", "values"),
    [
        ("hit 2", FIRST, "", False, "2 7/8 1 1/2"),
        ("hit 2", FIRST, "", True, "2 99/100 1 1/2"),  # useless items below move the line alone
        ("hit 8", FIRST, "", False, "8 1/8 0 1/8"),
        ("lone", FIRST, "minestrone", False, "None 0 0 0"),
        ("today", SHARES, "", False, "2/5 3/5 1/5 5/9 1/3"),
        ("perfect", SHARES, "", False, "1 1 137/300 1 1"),
        ("late", SHARES, "", False, "2/5 3/5 37/300 23/60 23/100"),
        # of who arrived, a lost soup raises the mean; of all, it does not
        ("today", SHARES[3:], "bisque", False, "7/12 7/30"),
        ("today", GRADED[:2], "", True, "6 5/3"),
        ("one soup", GRADED, "", False, "1 1 1"),
    ],
)
def test_what_a_formula_makes_of_a_list(page, formulas, out, longer, values):
    bench = FormulaComparison({page: PAGES[page]}, formulas, extra=92)
    if out:
        bench.lists[page].order = [item for item in PAGES[page][0] if item != out]
    bench.longer = longer
    assert fractions(*(each[page] for each in bench.values.values())) == values


@pytest.mark.parametrize(
    ("formula", "measure"),
    [("1/rank", "RR"), ("AP", "AP"), ("P@5", "P@5"), ("recall", "R"), ("grade / log2", "DCG")],
)
def test_a_formula_that_is_a_measure_has_its_values(formula, measure):
    found = FormulaComparison(PAGES, [formula]).values[formula]
    for name, (ranked, grades) in PAGES.items():
        value = Explorer(ranked, grades, max_grade=3, measures=measure).values[measure]
        assert found[name] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("formula", "never", "mean"),
    [
        ("mean rank", 6, "4"),
        ("mean rank", 1000, "1006/3"),
        ("mean of all", 6, "11/36"),
        ("mean of all", None, "1/4"),
        ("mean of hits", None, "3/8"),
    ],
)
def test_what_a_formula_makes_of_queries(formula, never, mean):
    queries = Queries(THREE, formulas=MEANS, never=True)
    queries.formula, queries.never = formula, never
    assert fractions(queries.mean) == mean


def test_a_worse_search_raises_the_mean_of_hits():
    queries = Queries(THREE, formulas=["mean of hits"])
    queries.lists["bread"].order = [each for each in THREE["bread"][0] if each != "focaccia"]
    assert queries.values == {"tomato soup": 0.5, "bread": None, "gyoza": None}
    assert queries.mean == 0.5
    never = Queries({"gyoza": (["tart"], ["dumplings"])}, formulas=MEANS)
    assert (never.mean, repr(never)[-17:]) == (inf, "mean rank RR = ?)")
    never.formula = "mean of hits"
    assert (never.mean, repr(never)[-20:]) == (None, "mean of hits RR = ?)")


def test_formulas_have_the_names_that_they_are_given():
    names = {"mean of hits": "the notes' code", "mean of all": "their formula"}
    queries = Queries(THREE, formulas=names)
    assert repr(queries).endswith("; the notes' code = 3/8)")
    assert queries.picture().alt.startswith("The notes' code is 3/8. ")
    bench = FormulaComparison({"today": PAGES["today"]}, {"AP": "their code", "1/rank": ""})
    assert repr(bench).endswith("; their code: 1/3; 1/rank: 1/2)")
    assert bench.picture().alt.endswith(" Their code: 1/3. 1 / rank: 1/2.")


def test_several_queries_keep_the_grades_of_their_items():
    page, grades = ["tart", "bisque", "ketchup", "harira"], {"bisque": 3, "harira": 1, "rasam": 2}
    queries = Queries({"soup": (page, grades)}, measure="nDCG@10")
    assert queries.mean == pytest.approx(ndcg(page, grades, k=10), abs=1e-12)
    assert ndcg(page, [*grades], k=10) != pytest.approx(queries.mean, abs=1e-3)


@pytest.mark.parametrize("measure", ["RR", "AP"])
@pytest.mark.parametrize("aim", ["highest", "lowest", "reach", "nearest"])
def test_the_best_mean_is_the_best_of_all_orders(aim, measure):
    lists = {"a": (["x", "y"], {"y", "z"}), "b": (["x", "y", "z"], {"z"}), "c": (["x"], {"x"})}
    value = {"reach": (("1/2",), 1 / 2), "nearest": ((0.7,), 0.7)}.get(aim, ((), None))
    goal = getattr(Goal, aim)(measure, *value[0])
    queries = Queries(lists, measure=measure, goal=goal)
    every = []
    for ranked, relevant in lists.values():
        items = {*ranked, *relevant}
        orders = [each for n in range(len(items) + 1) for each in permutations(items, n)]
        every.append({measure_list(measure, each, relevant) for each in orders})
    means = [Fraction(sum(each)).limit_denominator(10**6) / 3 for each in product(*every)]
    best = max(goal.score({measure: float(each)}) for each in means)
    assert queries.fixed["best"] == pytest.approx(best, abs=1e-12)
    assert queries.reached == (aim == "reach" and measure == "RR" and queries.mean == 0.5)


def test_a_goal_of_several_lists_is_about_their_mean():
    queries = Queries(THREE, goal=Goal.reach("RR", "1/2"), formulas=["mean of hits"])
    said = "Make MRR = 1/2. Mean RR of queries with a hit is 3/8. "
    assert queries.picture().alt.startswith(said)
    assert repr(queries).endswith("= 3/8; goal not reached)")
    queries.lists["tomato soup"].move("minestrone", to=1)
    queries.lists["gyoza"].move("dumplings", to=4)
    assert (queries.mean, queries.reached) == (0.5, True)
    assert repr(queries).endswith("= 1/2; goal reached)")


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (Goal.reach("RR", 0.97), r"No order of these items reaches .*MRR = 0.97.*can be 0, 1/18"),
        (Goal.highest("AP"), "about the mean of their RR"),
    ],
)
def test_a_goal_of_several_lists_that_cannot_be_is_refused(goal, words):
    with pytest.raises(DataError, match=words):
        Queries(THREE, goal=goal)
