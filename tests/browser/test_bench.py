"""Formulas to try, as a reader does, on a page without Python; its numbers are Python's."""

import random
import re
from dataclasses import asdict

import pytest
from explorer_page import ExplorerPage
from playwright.sync_api import Page, expect

from byhand.widgets import FormulaComparison, Goal, Queries
from byhand.widgets.bench import FORMULAS
from byhand.widgets.queries import MEANS, of_query
from helpers import worked_example

SEARCHES = {name: tuple(case) for name, case in worked_example("cooking", "searches").items()}
THREE = {name: SEARCHES[name] for name in ("tomato soup", "bread", "gyoza")}

EIGHT = [f"D{n}" for n in range(1, 9)]
LONE = FormulaComparison(
    {"lone": (EIGHT, {"D2"})}, ["rank", "line", "first five", "1/rank"], extra=92
)
GRADED = FormulaComparison(
    {"old": (["a", "b"], {"a": 1, "b": 2}), "new": (["c", "b", "a"], {"a": 1, "b": 2})},
    ["sum of grades", "grade / rank"],
)


def numbers(page: ExplorerPage) -> list[str]:
    """What the formulas say now."""
    return page.find(".rm-choice-number").all_text_contents()


def number(page: ExplorerPage):
    return page.find(".rm-result")


def query(page: ExplorerPage, nth: int) -> ExplorerPage:
    """One of the lists, as a page of its own."""
    return ExplorerPage(page.page, scope=f"main .rm-beside > :nth-child({nth + 1})")


def test_what_a_query_brings_to_a_mean_is_that_of_python(live: Page):
    dice = random.Random(2)
    asked = []
    for _ in range(400):
        first = dice.choice([None, dice.randint(1, 1000)])
        never = dice.choice([None, dice.randint(1, 1000)])
        asked.append((dice.choice(MEANS), first, 1 / first if first else 0.0, never))
    found = live.evaluate("(asked) => asked.map((each) => live.ofQuery(...each))", asked)
    assert found == [of_query(*each) for each in asked]


def test_every_formula_agrees_on_random_lists(live: Page):
    dice = random.Random(4)
    lists = []
    for _ in range(400):
        items = [f"D{n}" for n in range(dice.randint(0, 12))]
        grades = {item: dice.choice([0, 0, 1, 2, 3]) for item in items}
        order = dice.sample(items, dice.randint(0, len(items)))
        lists.append((order, grades, dice.choice([0, 92])))
    formulas = FORMULAS.values()
    found = live.evaluate(
        """([lists, formulas]) => lists.map(([order, grades, extra]) => formulas.map((formula) => {
          const found = live.tried(formula, live.listOf(order, grades), extra);
          const added = found.shares.reduce((total, each) => total + each, 0);
          return [found.value, added];
        }))""",
        [lists, [asdict(formula) for formula in formulas]],
    )
    for (order, grades, extra), row in zip(lists, found, strict=True):
        hits = [(n, grades[item]) for n, item in enumerate(order, start=1) if grades[item]]
        relevant = sum(grade > 0 for grade in grades.values())
        for formula, (value, added) in zip(formulas, row, strict=True):
            expected = formula.value(hits, n=len(order) + extra, relevant=relevant)
            assert (value is None) == (expected is None)
            assert [value or 0, added] == pytest.approx([expected or 0] * 2, abs=1e-12)


class TestBench:
    def test_four_numbers_follow_the_hit(self, show):
        page = show(LONE)
        assert numbers(page) == ["2", "7/8", "1", "1/2"]
        page.grip("D2").press("ArrowUp")
        assert numbers(page) == ["1", "1", "1", "1"]
        assert page.find(".rm-moved-by").all_text_contents() == ["−1", "+1/8", "±0", "+1/2"]
        page.hold("D2", "D5")
        expect(page.find(".rm-ghost")).to_have_count(1)
        held = int(numbers(page)[0])
        assert held > 2
        assert numbers(page)[3] == f"1/{held}"  # before it is let go
        page.page.keyboard.press("Escape")
        page.page.mouse.up()
        page.grip("D2").press("Delete")
        assert numbers(page) == ["?", "0", "0", "0"]
        page.page.keyboard.press("Control+z")
        page.page.keyboard.press("Control+z")
        assert numbers(page) == ["2", "7/8", "1", "1/2"]

    def test_useless_items_move_the_line(self, show):
        page = show(LONE)
        page.press("longer")
        assert numbers(page) == ["2", "99/100", "1", "1/2"]
        expect(page.find(".rm-below")).to_have_text("and 92 more below, none of them relevant")
        page.press("reset")
        assert numbers(page) == ["2", "7/8", "1", "1/2"]

    def test_two_lists_are_told_apart_or_not(self, show):
        page = show(GRADED)
        assert numbers(page) == ["3", "3", "2", "1.333"]
        wins = page.find(".rm-try >> nth=1 >> .rm-wins")
        expect(wins).to_have_text(re.compile("old"))
        expect(page.find(".rm-try >> nth=0 >> .rm-wins")).to_have_count(0)
        page.press("'grade / rank'")
        expect(page.find(".rm-formula")).to_have_text(
            ["grade / rank=1+2/2", "grade / rank=2/2+1/3"]
        )
        expect(number(page)).to_have_text(["2", "1.333"])


class TestQueries:
    def test_a_row_that_is_dragged_takes_the_mean_with_it(self, show):
        page = show(Queries(THREE))
        expect(number(page)).to_have_text("0.250")
        gyoza = query(page, 2)
        gyoza.hold("dumplings", "omelette")
        expect(number(page)).to_have_text("0.333")  # before it is let go
        page.page.keyboard.press("Escape")
        expect(number(page)).to_have_text("0.250")
        page.page.mouse.up()
        expect(number(page)).to_have_text("0.250")
        high = page.find("> div").bounding_box()["height"]
        gyoza.drag_with_mouse("dumplings", "omelette")
        expect(number(page)).to_have_text("0.333")
        order = page.page.evaluate("() => model.get('fixed').ranks[2].get('order')")
        assert order == ["lasagne", "tart", "salad", "dumplings", "omelette", "ketchup"]
        assert page.find("> div").bounding_box()["height"] == high  # nothing below it jumps
        page.press("reset")
        expect(number(page)).to_have_text("0.250")

    def test_on_a_phone_one_list_is_seen_at_a_time(self, show):
        page = show(Queries(THREE), width=390)
        bread, gyoza = query(page, 1), query(page, 2)
        expect(bread.find(".rm-scroll")).to_have_count(1)
        expect(bread.grip("focaccia")).to_be_hidden()
        page.press("list-1")
        expect(gyoza.grip("dumplings")).to_be_hidden()
        bread.grip("focaccia").press("ArrowUp")
        expect(number(page)).to_have_text("0.278")
        page.find(".rm-search").nth(2).click()  # its name beside its bar does the same
        expect(bread.grip("focaccia")).to_be_hidden()
        expect(gyoza.grip("dumplings")).to_be_visible()

    def test_any_rank_may_be_given_to_never_and_far_away_1_over_it_is_0(self, show):
        page = show(Queries(THREE, formulas=MEANS, never=True))
        slider = page.find("input[type=range]")
        for key, rank, value, share in [("", "6", "4", "11/36"), ("End", "∞", "?", "1/4")]:
            if key:
                slider.press(key)
            expect(page.find("output")).to_have_text(rank)
            expect(number(page)).to_have_text(value)
            expect(page.find("[data-name='mean of all'] b")).to_have_text(share)
        slider.press("ArrowLeft")
        expect(page.find("output")).to_have_text("1,000")
        expect(number(page)).to_have_text("335.3")
        page.press("'mean of all'")
        slider.press("End")
        expect(page.find(".rm-query >> nth=2 >> .rm-end")).to_have_text("0")

    def test_a_goal_over_several_lists_says_how_far_one_is(self, show):
        text = "Make MRR 1/2 in two drags."
        page = show(Queries(THREE, goal=Goal.reach("RR", "1/2", text=text), formulas=MEANS[:2]))
        title, verdict = page.find(".rm-title"), page.find(".rm-verdict")
        expect(title).to_have_text(text)
        expect(verdict).to_have_text("MRR is 0.250, still 0.250 away.")
        query(page, 0).drag_with_mouse("minestrone", "ketchup")
        expect(verdict).to_have_text("MRR is 0.417, still 0.083 away.")
        query(page, 2).hold("dumplings", "omelette")
        expect(verdict).to_have_text("✓ Reached.")
        page.page.keyboard.press("Escape")
        page.page.mouse.up()
        expect(verdict).to_have_text("MRR is 0.417, still 0.083 away.")
        high = page.find("> div").bounding_box()["height"]
        query(page, 2).grip("dumplings").press("Insert")
        query(page, 2).grip("dumplings").press("ArrowUp")
        query(page, 2).grip("dumplings").press("ArrowUp")
        expect(verdict).to_have_text("✓ Reached.")
        assert page.find("> div").bounding_box()["height"] == high
        page.press("reset")
        expect(verdict).to_have_text("MRR is 0.250, still 0.250 away.")


def test_a_list_may_become_empty(show):
    page = show(FormulaComparison({"one": (["D1"], {"D1"})}, ["rank", "line", "1/rank"]))
    page.grip("D1").press("Delete")
    expect(page.find(".rm-choice-number")).to_have_text(["?", "0", "0"])
    drawn = page.find("path").evaluate_all("all => all.map((each) => each.getAttribute('d'))")
    assert not re.search("Infinity|NaN", " ".join(filter(None, drawn)))
