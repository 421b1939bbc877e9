"""What a reader does with goals, questions, lists of one's own, formulas to try, and queries."""

import re
from collections.abc import Callable

import pytest
from explorer_page import ExplorerPage
from page_checks import SPILLS
from playwright.sync_api import expect

from byhand.widgets import (
    Challenge,
    Explorer,
    FormulaComparison,
    Goal,
    OwnList,
    OwnQueries,
    Prediction,
    Queries,
)
from byhand.widgets.prediction.answers import Choice, Number, Order, Several
from byhand.widgets.queries import MEANS
from helpers import worked_example

Show = Callable[..., ExplorerPage]


def test_a_challenge_by_keyboard(show: Show):
    place = show(Challenge(["D1", "D2", "D3", "D4"], {"D3", "D4"}, Goal.highest("AP")))
    verdict, title, more = (place.find(f".rm-{each}") for each in ("verdict", "title", "more"))
    expect(title).to_have_text("Make AP as high as you can.")
    expect(verdict).to_have_text("AP is 0.417. It can still rise by 0.583.")
    place.press("solution")
    expect(more).to_have_text("This is a solution.")
    place.press("reset", "undo")
    assert place.page.evaluate("model.get('done')") is False  # what was shown is not reached
    place.press("reset")
    for item in ("D3", "D4"):
        place.grip(item).press("Home")
    expect(verdict).to_have_text("✓ Reached: no order of these 4 items does better.")
    expect(place.button("Show a solution")).to_be_hidden()  # there is nothing left to show
    assert place.page.evaluate("model.get('done')") is True


@pytest.mark.parametrize("way", ["reach", "solution", "skip"])
def test_a_challenge_covers_until_its_goal_is_settled(show: Show, way: str):
    place = show(Challenge(["a", "b", "c"], {"c"}, Goal.reach("RR", 1), covers=True))
    cover = place.find(".rm-cover")
    expect(cover).to_contain_text("covered until you reach")
    if way == "skip":
        place.button("Skip the goal").press("Enter")
        expect(place.button("Show a solution")).to_be_focused()
    elif way == "solution":
        place.press("solution")
    else:
        place.grip("c").press("Home")
    expect(cover).to_be_hidden()
    expect(place.button("Skip the goal")).to_be_hidden()
    assert place.page.evaluate("model.get('covers')") is (way != "skip")
    place.press("reset")
    expect(cover).to_be_hidden()


def test_a_challenge_of_means_shows_the_lists_beside(show: Show):
    beside = {"Q1": (["D4", "D2"], {"D4"}), "Q2": (["D2", "D4"], {"D4"})}
    goal = Goal.reach("RR", "2/3")
    place = show(Challenge(["D5", "D3", "D1", "D4"], {"D4"}, goal, beside=beside, caption="Q3"))
    others, verdict = place.find(".rm-means"), place.find(".rm-verdict")
    expect(others.locator(".rm-mean-is")).to_have_text("mean0.583")  # at no row of a query
    expect(verdict).to_have_text("MRR is 0.583, still 0.083 away.")
    expect(others.locator(".rm-query").nth(1)).to_have_text("Q21/2")
    expect(others.locator(".rm-query").nth(2)).to_have_text("Q31/4")
    place.hold("D4", "D3")
    expect(others.locator(".rm-result")).to_have_text("0.667")
    expect(verdict).to_have_text("✓ Reached.")
    place.page.mouse.up()
    expect(verdict).to_have_text("✓ Reached.")


def test_after_two_wrong_answers_it_may_be_shown_and_is_asked_anew(show: Show):
    hints = ["Where is the first?", "At rank 4."]
    place = show(Prediction("RR?", Number(answer=0.25, why="One over four.", hints=hints)))
    field, verdict, tell = (
        place.find(each) for each in (".rm-text", ".rm-verdict", "[data-name=show]")
    )
    for text, said in (
        ("1/4 mddxab", "This is not a number: “1/4 mddxab”. Write it as 0.25 or as 1/4."),
        ("1", "Not yet. Where is the first?"),
        ("2", "Not yet. At rank 4."),
    ):
        expect(tell).to_be_hidden()
        field.fill(text)
        field.press("Enter")
        expect(verdict).to_have_text(said)
    tell.press("Enter")
    expect(verdict).to_have_text("The answer: 0.25 (1/4).")
    place.button("Try again").press("Enter")
    field.fill("1/4")
    field.press("Enter")
    expect(verdict).to_have_text("✓ Right: the answer is 0.25 (1/4).")
    expect(place.find(".rm-more")).to_have_text("One over four.")


def test_an_exercise_wants_an_answer_first_and_the_same_again_is_no_further_try(show: Show):
    letters, said = {each: each for each in "abc"}, {"hints": ["Which?"], "why": "So."}
    place = show(Prediction("", Choice(answer="b", options=letters)))
    check, verdict = place.button("Check"), place.find(".rm-verdict")
    check.press("Enter")
    expect(verdict).to_have_text(re.compile("a, b, c"))
    parts = Order(answer=list("vwxyz"), start=list("zyxwv"), parts=[3, 2], **said)
    place = show(Prediction("", parts), width=390)  # each part may be arranged in any way
    place.grip("w").press("Home")
    for _ in range(2):
        check.press("Enter")
        expect(verdict).to_have_text("Not yet. Which?")
        expect(place.button("Show the answer")).to_be_hidden()
    place.grip("x").press("Home")
    expect(verdict).to_have_text("")  # it was of another order
    place.grip("v").press("Home")
    check.press("Enter")
    expect(verdict).to_contain_text("✓ Right")
    expect(place.find(".rm-more")).to_have_text("So.")
    assert place.page.evaluate(SPILLS) <= 0
    tall = place.find(".rm-button:visible").all()
    assert min(each.bounding_box()["height"] for each in tall) >= 44


def test_an_opinion_is_taken_as_it_is_and_shown_beside_that_of_others(show: Show):
    options = {each: each for each in "abc"}
    place = show(
        Prediction("", Several(answer="ac", options=options, opinion="{n} of {of} agree."))
    )
    for option in "bc":
        place.page.get_by_label(option, exact=True).press("Space")
    expect(place.find(".rm-theirs")).to_have_count(0)
    place.button("Check").press("Enter")
    expect(place.find(".rm-verdict")).to_have_text("1 of 3 agree.")
    expect(place.find(".rm-option:has(.rm-theirs)")).to_have_text(["a●", "c●"])
    place.button("Try again").press("Enter")
    expect(place.find(".rm-theirs")).to_have_count(0)


def test_queries_of_ones_own_have_a_mean_and_what_is_dragged_becomes_text(show: Show):
    place = show(OwnQueries("museum\nMarket\nMuseum *\n\nharbour\nPier", label="Your places"))
    field = place.page.get_by_label("Your places", exact=True)
    mean, verdict = place.find(".rm-means .rm-result"), place.find(".rm-verdict")
    field.fill("museum\nMarket\nMuseum *\n\nharbour\nPier *\n\nisland")
    expect(mean).to_have_text("0.500")
    place.grip("Museum").press("Home")
    expect(field).to_have_value("museum\nMuseum *\nMarket\n\nharbour\nPier *\n\nisland")
    expect(mean).to_have_text("0.667")
    field.fill("museum\nMarket\n\nmuseum\n")
    expect(verdict).to_contain_text("Line 4 has the search “museum” again")
    field.fill("museum\nMarket\n\nharbour\nPier\nPier")
    expect(verdict).to_contain_text("Line 6 has “Pier” again, as line 5 does")
    expect(mean).to_have_text("0.667")


def test_what_is_written_becomes_a_list_and_what_is_dragged_becomes_text(show: Show):
    own = show(OwnList("Museum\nMarket *\nHarbour"))
    field, status = own.find("textarea"), own.find("[role=status]").first
    assert own.values == ["RR = 0.500", "AP = 0.500", "nDCG = 0.631"]
    own.hold("Harbour", "Market")
    expect(own.find(".rm-drop")).to_be_visible()  # where to drop is said, as in any list
    own.page.keyboard.press("Escape")
    own.page.mouse.up()
    expect(own.find(".rm-drop")).to_be_hidden()
    field.fill("Hotel\nBeach **\n---\nPier *")
    own.expect_order("Hotel", "Beach")
    own.grip("Pier").press("Home")
    expect(field).to_have_value("Pier *\nHotel\nBeach **")
    own.grip("Beach").press("2")
    own.grip("Hotel").press("Delete")
    expect(field).to_have_value("Pier *\nBeach **\n---\nHotel")
    own.press("undo")
    expect(field).to_have_value("Pier *\nHotel\nBeach **")
    for text, words in (
        ("a\nb\na", "Line 3 has “a” again, as line 1 does."),
        ("", "Write one item per line, rank 1 first."),
    ):
        field.fill(text)
        expect(status).to_contain_text(words)
        expect(own.find("[inert]")).to_have_count(1)
    field.fill("a *")
    expect(status).to_have_text("")
    assert own.values[0] == "RR = 1.000"


@pytest.mark.parametrize("relevant", [{"D1"}, {"D1", "D3"}])
def test_a_table_of_means_stands_below_the_list_and_its_tray(show: Show, relevant: set[str]):
    means = {"all": {"first": (["D1"], {"D1"}), "second": (["D1", "D2"], {"D2"})}}
    page = show(Explorer(["D1", "D2"], relevant, measures="RR", means=means))
    table = page.find("table").bounding_box()
    for above in (page.find(".rm-dock").bounding_box(), page.find(".rm-lens").bounding_box()):
        assert above["y"] + above["height"] <= table["y"]
    expect(page.find("table")).to_contain_text("0.7500")
    page.grip("D2").press("Home")
    expect(page.find("td").last).to_have_text("1.0000")


class TestFormulas:
    def test_four_numbers_follow_the_hit(self, show: Show):
        items = [f"D{n}" for n in range(1, 9)]
        four = ["rank", "line", "first five", "1/rank"]
        page = show(FormulaComparison({"lone": (items, {"D2"})}, four, extra=92))
        numbers = page.find(".rm-choice-number")
        expect(numbers).to_have_text(["2", "7/8", "1", "1/2"])
        page.press("longer")  # useless items move the line
        expect(numbers).to_have_text(["2", "99/100", "1", "1/2"])
        expect(page.find(".rm-below")).to_have_text("and 92 more below, none of them relevant")
        page.press("reset")
        page.grip("D2").press("ArrowUp")
        expect(numbers).to_have_text(["1", "1", "1", "1"])
        expect(page.find(".rm-moved-by")).to_have_text(["−1", "+1/8", "±0", "+1/2"])
        page.grip("D2").press("Delete")
        expect(numbers).to_have_text(["?", "0", "0", "0"])
        drawn = page.find("path").evaluate_all("all => all.map((each) => each.getAttribute('d'))")
        assert not re.search("Infinity|NaN", " ".join(filter(None, drawn)))

    def test_two_lists_are_told_apart_or_not(self, show: Show):
        lists = {"old": (["a", "b"], {"a": 1, "b": 2}), "new": (["c", "b", "a"], {"a": 1, "b": 2})}
        page = show(FormulaComparison(lists, ["sum of grades", "grade / rank"]))
        expect(page.find(".rm-choice-number")).to_have_text(["3", "3", "2", "1.333"])
        expect(page.find(".rm-try >> nth=1 >> .rm-wins")).to_contain_text("old")
        expect(page.find(".rm-try >> nth=0 >> .rm-wins")).to_have_count(0)
        page.press("'grade / rank'")
        said = ["old=1+2/2", "new=2/2+1/3"]
        expect(page.find(".rm-formula")).to_have_text(said)
        expect(page.find(".rm-result")).to_have_text(["2", "1.333"])


CASES = worked_example("cooking", "searches")
THREE = {name: tuple(CASES[name]) for name in ("tomato soup", "bread", "gyoza")}


def query(page: ExplorerPage, nth: int) -> ExplorerPage:
    """One of the lists, as a page of its own."""
    return ExplorerPage(page.page, scope=f"main .rm-beside > :nth-child({nth + 1})")


class TestQueries:
    def test_on_a_phone_one_list_is_seen_at_a_time(self, show: Show):
        page = show(Queries(THREE), width=390)
        bread, gyoza = query(page, 1), query(page, 2)
        expect(bread.grip("focaccia")).to_be_hidden()
        page.press("list-1")
        expect(gyoza.grip("dumplings")).to_be_hidden()
        bread.grip("focaccia").press("ArrowUp")
        expect(page.find(".rm-result")).to_have_text("0.278")
        page.find(".rm-search").nth(2).click()  # its name beside its bar does the same
        expect(bread.grip("focaccia")).to_be_hidden()
        expect(gyoza.grip("dumplings")).to_be_visible()

    def test_any_rank_may_be_given_to_never_and_far_away_1_over_it_is_0(self, show: Show):
        page = show(Queries(THREE, formulas=MEANS, never=True))
        slider, number = page.find("input[type=range]"), page.find(".rm-result")
        for key, rank, value, share in [("", "6", "4", "11/36"), ("End", "∞", "?", "1/4")]:
            if key:
                slider.press(key)
            expect(page.find("output")).to_have_text(rank)
            expect(number).to_have_text(value)
            expect(page.find("[data-name='mean of all'] b")).to_have_text(share)
        slider.press("ArrowLeft")
        expect(page.find("output")).to_have_text("1,000")
        expect(number).to_have_text("335.3")
        page.press("'mean of all'")
        slider.press("End")
        expect(page.find(".rm-query >> nth=2 >> .rm-end")).to_have_text("0")

    def test_a_goal_over_several_lists_says_how_far_one_is(self, show: Show):
        text = "Make MRR 1/2 in two drags."
        page = show(Queries(THREE, goal=Goal.reach("RR", "1/2", text=text), formulas=MEANS[:2]))
        verdict, gyoza = page.find(".rm-verdict"), query(page, 2)
        expect(page.find(".rm-title")).to_have_text(text)
        expect(verdict).to_have_text("MRR is 0.250, still 0.250 away.")
        high = page.find("> div").bounding_box()["height"]
        query(page, 0).drag_with_mouse("minestrone", "ketchup")
        expect(verdict).to_have_text("MRR is 0.417, still 0.083 away.")
        gyoza.hold("dumplings", "omelette")
        expect(verdict).to_have_text("✓ Reached.")
        page.page.keyboard.press("Escape")
        page.page.mouse.up()
        expect(verdict).to_have_text("MRR is 0.417, still 0.083 away.")
        for key in ("Insert", "ArrowUp", "ArrowUp"):
            gyoza.grip("dumplings").press(key)
        expect(verdict).to_have_text("✓ Reached.")
        order = page.page.evaluate("() => model.get('fixed').ranks[2].get('order')")
        assert order == ["lasagne", "tart", "salad", "dumplings", "omelette", "ketchup"]
        assert page.find("> div").bounding_box()["height"] == high  # nothing below it jumps
        page.press("reset")
        expect(verdict).to_have_text("MRR is 0.250, still 0.250 away.")
