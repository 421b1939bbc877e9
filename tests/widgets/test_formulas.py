"""Formulas to try: several queries and their mean, dots on a rank axis, one list on the bench."""

import json
from fractions import Fraction
from math import inf

import pytest

from byhand import DataError
from byhand.widgets import Bench, Explorer, FirstHits, Queries
from byhand.widgets.queries import FORMULAS, of_query
from helpers import worked_example

SEARCHES = {name: tuple(case) for name, case in worked_example("cooking", "searches").items()}
PAGES = {name: tuple(case) for name, case in worked_example("cooking", "tomato soup").items()}
FIRST = ["rank", "line", "first five", "1/rank"]
SHARES = ["P@5", "recall", "mean 1/rank", "mean share, who arrived", "AP"]
GRADED = ["sum of grades", "grade x line", "grade / rank", "grade / log2"]
THREE = {name: SEARCHES[name] for name in ("tomato soup", "bread", "gyoza")}


def as_fraction(value: float | None) -> Fraction | None:
    return None if value is None else Fraction(value).limit_denominator(10_000)


def lone(rank: int) -> tuple[list[str], set[str]]:
    """A list of eight with its one hit at a rank."""
    items = [f"D{n}" for n in range(1, 9)]
    return items, {items[rank - 1]}


class TestBench:
    @pytest.mark.parametrize(
        ("rank", "values"),
        [
            (1, [1, 1, 1, 1]),
            (2, [2, Fraction(7, 8), 1, Fraction(1, 2)]),
            (7, [7, Fraction(1, 4), 0, Fraction(1, 7)]),
            (8, [8, Fraction(1, 8), 0, Fraction(1, 8)]),
        ],
    )
    def test_four_numbers_for_how_soon(self, rank, values):
        bench = Bench({"lone": lone(rank)}, FIRST, extra=92)
        assert [as_fraction(each["lone"]) for each in bench.values.values()] == values

    def test_without_a_hit_three_say_0_and_the_rank_says_nothing(self):
        bench = Bench({"lone": PAGES["lone"]}, FIRST)
        bench.lists["lone"].take_out("minestrone")
        assert [each["lone"] for each in bench.values.values()] == [None, 0, 0, 0]

    def test_useless_items_below_move_the_line_alone(self):
        bench = Bench({"lone": lone(2)}, FIRST, extra=92)
        bench.longer = True
        values = [as_fraction(each["lone"]) for each in bench.values.values()]
        assert values == [2, Fraction(99, 100), 1, Fraction(1, 2)]
        bench.reset()
        assert as_fraction(bench.values["line"]["lone"]) == Fraction(7, 8)

    @pytest.mark.parametrize(
        ("name", "values"),
        [
            (
                "today",
                [Fraction(2, 5), Fraction(3, 5), Fraction(1, 5), Fraction(5, 9), Fraction(1, 3)],
            ),
            ("perfect", [1, 1, Fraction(137, 300), 1, 1]),
            (
                "late",
                [
                    Fraction(2, 5),
                    Fraction(3, 5),
                    Fraction(37, 300),
                    Fraction(23, 60),
                    Fraction(23, 100),
                ],
            ),
        ],
    )
    def test_what_precision_recall_and_two_means_see(self, name, values):
        bench = Bench({name: PAGES[name]}, SHARES)
        assert [as_fraction(each[name]) for each in bench.values.values()] == values

    def test_of_who_arrived_a_lost_soup_raises_the_mean_and_of_all_it_does_not(self):
        bench = Bench({"today": PAGES["today"]}, SHARES)
        bench.lists["today"].take_out("bisque")
        values = [as_fraction(bench.values[name]["today"]) for name in SHARES[3:]]
        assert values == [Fraction(7, 12), Fraction(7, 30)]

    def test_sums_of_grades(self):
        two = {name: PAGES[name] for name in ("today", "upside down")}
        bench = Bench(two, GRADED, extra=92)
        assert bench.values["sum of grades"] == {"today": 6, "upside down": 6}
        assert bench.values["grade / log2"]["today"] == pytest.approx(2.7, abs=5e-3)
        assert as_fraction(bench.values["grade x line"]["today"]) == Fraction(7, 2)
        bench.longer = True
        assert as_fraction(bench.values["grade x line"]["today"]) == Fraction(29, 5)

    def test_one_soup_on_top_or_three_below(self):
        items = [f"D{n}" for n in range(1, 9)]
        bench = Bench({"one": (items, items[:1]), "three": (items, items[3:6])}, GRADED)
        assert as_fraction(bench.values["grade / rank"]["three"]) == Fraction(37, 60)
        assert bench.values["grade / log2"]["three"] == pytest.approx(1.1737, abs=5e-5)
        assert {each["one"] for each in bench.values.values()} == {1}

    @pytest.mark.parametrize(
        ("formula", "measure"),
        [("1/rank", "RR"), ("AP", "AP"), ("P@5", "P@5"), ("recall", "R"), ("grade / log2", "DCG")],
    )
    def test_a_formula_that_is_a_measure_has_its_values(self, formula, measure):
        found = Bench(PAGES, [formula]).values[formula]
        for name, (ranked, grades) in PAGES.items():
            value = Explorer(ranked, grades, max_grade=3, measures=measure).values[measure]
            assert found[name] == pytest.approx(value, abs=1e-12)


class TestQueries:
    @pytest.mark.parametrize(
        ("formula", "never", "mean"),
        [
            ("mean rank", 6, 4),
            ("mean rank", 12, 6),
            ("mean rank", 1000, Fraction(1006, 3)),
            ("mean of all", 6, Fraction(11, 36)),
            ("mean of all", 1000, Fraction(751, 3000)),
            ("mean of all", None, Fraction(1, 4)),
            ("mean of hits", 6, Fraction(3, 8)),
            ("mean of hits", None, Fraction(3, 8)),
        ],
    )
    def test_the_mean_of_the_storyboard(self, formula, never, mean):
        queries = Queries(THREE, formulas=FORMULAS, never=True)
        queries.formula, queries.never = formula, never
        assert as_fraction(queries.mean) == mean

    def test_a_worse_search_raises_the_mean_of_hits(self):
        queries = Queries(THREE, formulas=["mean of hits"])
        queries.lists["bread"].take_out("focaccia")
        assert queries.mean == 0.5
        assert queries.values == {"tomato soup": 0.5, "bread": None, "gyoza": None}
        queries.reset()
        assert queries.mean == 0.375

    def test_an_item_that_was_missed_can_be_brought_in(self):
        queries = Queries(THREE)
        queries.lists["gyoza"].move("dumplings", to=6)
        assert as_fraction(queries.mean) == Fraction(11, 36)
        queries.lists["gyoza"].move("dumplings", to=4)
        assert as_fraction(queries.mean) == Fraction(1, 3)

    def test_map_and_what_two_repairs_bring(self):
        queries = Queries(SEARCHES, measure="AP")
        assert [as_fraction(value) for value in queries.values.values()] == [
            Fraction(1, 3),
            Fraction(3, 4),
            Fraction(1, 4),
            0,
        ]
        before = as_fraction(queries.mean)
        queries.lists["gyoza"].move("dumplings", to=1)
        assert as_fraction(queries.mean) - before == Fraction(1, 4)
        queries.reset()
        soups = ["bisque", "gazpacho", "harira", "minestrone", "rasam"]
        for rank, soup in enumerate(soups, start=1):
            queries.lists["tomato soup"].move(soup, to=rank)
        assert as_fraction(queries.mean) - before == Fraction(1, 6)

    def test_without_any_hit_there_may_be_no_mean(self):
        queries = Queries({"gyoza": (["tart"], ["dumplings"])}, formulas=FORMULAS)
        assert queries.mean == inf
        assert repr(queries).endswith("mean rank RR = ?)")
        queries.formula = "mean of hits"
        assert queries.mean is None
        assert repr(queries).endswith("mean of hits RR = ?)")

    def test_a_query_left_out_brings_nothing_and_one_without_a_rank_0(self):
        assert [of_query(name, 4, 0.25, 6) for name in FORMULAS] == [4, 0.25, 0.25]
        assert [of_query(name, None, 0.0, None) for name in FORMULAS] == [inf, 0, None]


@pytest.mark.parametrize(
    ("ranks", "mrr", "mean"),
    [
        ([2, 2, 2, 2], Fraction(1, 2), 2),
        ([2, 1, 3, 6], Fraction(1, 2), 3),
        ([2, 1, 2, None], Fraction(1, 2), None),
        ([1, 1, 1, 1000], Fraction(3001, 4000), Fraction(1003, 4)),
        ([None], 0, None),
    ],
)
def test_1_over_mrr_is_no_mean_rank(ranks, mrr, mean):
    hits = FirstHits({"case": ranks})
    assert as_fraction(hits.mrr) == mrr
    assert hits.mean_rank == mean
    assert hits.picture().alt.startswith("First hits, case: ")


def test_cases_keep_their_order_in_a_notebook_which_sorts_what_it_stores():
    fixed = FirstHits({"steady": [2], "one far": [9]}).fixed
    assert json.loads(json.dumps(fixed, sort_keys=True))["cases"] == ["steady", "one far"]


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda: Queries({}), r"lists is \{\}. Expected lists by their names"),
        (lambda: Queries([(["a"], "a")]), "Expected lists by their names"),
        (lambda: Queries(THREE, formulas=["mean"]), "no formula 'mean' here.* are: 'mean rank', "),
        (lambda: setattr(Queries(THREE), "formula", "x"), "no formula 'x' here"),
        (lambda: Queries(THREE, measure="AP", never=True), "take measure='RR'"),
        (lambda: Queries(THREE, measure="AP", formulas=["mean rank"]), "take measure='RR'"),
        (lambda: Bench({}, FIRST), r"lists is \{\}. Expected lists by their names"),
        (lambda: Bench({"x": lone(1)}, ["RR"]), "no formula 'RR' here. .*from are: 'rank', "),
        (lambda: Bench({"x": lone(1)}, []), "There is no formula. .*from are: 'rank', "),
        (lambda: setattr(Bench({"x": lone(1)}, FIRST), "formula", "AP2"), "no formula 'AP2'"),
        (lambda: FirstHits([2, 2]), r"cases is \[2, 2\]. Expected ranks by the names"),
        (lambda: FirstHits({"a": [1], "b": [1, 2]}), "'b' has 2 ranks for 1 queries"),
        (lambda: FirstHits({"a": [1]}, queries=["x", "y"]), "'a' has 1 ranks for 2 queries"),
        *((lambda r=r: FirstHits({"a": [r]}), "A rank is a whole") for r in (0, 0.5, 1001, True)),
        (lambda: setattr(FirstHits({"a": [1]}), "case", "b"), "no case 'b'. Those there are: a."),
        (lambda: Queries(THREE, measure="Judged"), "no formula for that measure"),
    ],
)
def test_a_mistake_is_said_to_whoever_made_it(mistake, said):
    with pytest.raises(DataError, match=said):
        mistake()
