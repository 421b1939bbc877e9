"""The Challenge, the Prediction, the OwnList and the IntervalSamples on a page."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from explorer_page import ExplorerPage
from page_checks import SPILLS
from playwright.sync_api import expect

from byhand.statistics import queries_needed
from byhand.widgets import (
    Challenge,
    FormulaComparison,
    Goal,
    IntervalSamples,
    OwnList,
    OwnQueries,
    Prediction,
)
from byhand.widgets.prediction.answers import Choice, Number, Order, Several, answer_state

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
    place.open_more()
    place.button("Reset").press("Enter")
    for item in ("D3", "D4"):
        place.grip(item).press("Home")
    expect(verdict).to_have_text("✓ Reached: no order of these 4 items does better.")
    expect(place.button("Show a solution")).to_be_hidden()  # there is nothing left to show
    assert place.page.evaluate("model.get('done')") is True
    expect(place.find(".rm-out, button.rm-grade")).to_have_count(0)  # only the order changes


@pytest.mark.parametrize("way", ["reach", "solution", "skip"])
def test_a_challenge_covers_until_its_goal_is_settled(show: Show, way: str):
    place = show(Challenge(["a", "b", "c"], {"c"}, Goal.reach("RR", 1), covers=True))
    cover = place.find(".rm-cover")
    expect(cover).to_contain_text("covered until you reach")
    expect(place.find(".rm-asking")).to_have_count(1)
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


def test_what_a_challenge_does_not_retrieve_has_no_grip(show: Show):
    place = show(Challenge(["D1", "D2"], {"D2", "D9"}, Goal.highest("AP")))
    expect(place.row("D9").get_by_role("button")).to_have_count(0)
    expect(place.grip("D1")).to_be_visible()
    box = place.row("D9").bounding_box()
    place.page.mouse.move(box["x"] + 40, box["y"] + 8)
    place.page.mouse.down()
    place.page.mouse.move(box["x"] + 40, box["y"] - 60, steps=4)
    expect(place.find(".rm-ghost")).to_have_count(0)
    place.page.mouse.up()


def test_a_challenge_of_means_shows_the_lists_beside(show: Show):
    beside = {"Q1": (["D4", "D2"], {"D4"}), "Q2": (["D2", "D4"], {"D4"})}
    goal = Goal.reach("RR", "2/3")
    place = show(Challenge(["D5", "D3", "D1", "D4"], {"D4"}, goal, beside=beside))
    others = place.find(".rm-means")
    expect(others.locator(".rm-result")).to_have_text("0.583")
    expect(others.locator(".rm-mean-is")).to_have_text("mean0.583")  # at no row of a query
    expect(place.find(".rm-verdict")).to_have_text("MRR is 0.583, still 0.083 away.")
    expect(others.locator(".rm-query").nth(1)).to_have_text("Q21/2")
    expect(others.locator(".rm-query").nth(2)).to_have_text("this list1/4")
    place.hold("D4", "D3")
    expect(others.locator(".rm-result")).to_have_text("0.667")
    expect(place.find(".rm-verdict")).to_have_text("✓ Reached.")
    place.page.mouse.up()
    expect(place.find(".rm-verdict")).to_have_text("✓ Reached.")
    place = show(Challenge(["D1", "D4"], {"D4"}, goal, beside=beside, caption="Q3"))
    expect(place.find(".rm-query").nth(2)).to_have_text("Q31/2")
    expect(place.find(".rm-caption")).to_have_text("Q3")


def test_what_was_said_of_another_order_goes(show: Show):
    place = show(Prediction("Best first?", Order(answer=["c", "a", "b"], start=["a", "b", "c"])))
    verdict = place.find(".rm-verdict")
    place.press("commit")
    expect(verdict).to_have_text(re.compile("^Not yet"))
    place.grip("c").press("ArrowUp")
    expect(verdict).to_have_text("")
    place.grip("c").press("ArrowUp")
    place.press("commit")
    expect(verdict).to_have_text(re.compile("^✓ Right"))


def test_a_number_is_hinted_at_twice_then_shown_and_asked_anew(show: Show):
    hints, slips = ["Where is the first?", "At rank 4."], {4: "That is the rank."}
    place = show(
        Prediction(
            "What is RR?", Number(answer=0.25, why="One over four.", hints=hints, slips=slips)
        )
    )
    field, verdict, tell = (
        place.find(each) for each in (".rm-text", ".rm-verdict", "[data-name=show]")
    )
    for guess, said in (
        ("1/4 mddxab", "This is not a number: “1/4 mddxab”. Write it as 0.25 or as 1/4."),
        ("1", "Not yet. Where is the first?"),
        ("4", "Not yet. That is the rank. At rank 4."),
    ):
        expect(tell).to_be_hidden()
        field.fill(guess)
        field.press("Enter")
        expect(verdict).to_have_text(said)
    expect(tell).to_be_visible()
    field.fill("1/4")
    place.press("commit")
    expect(verdict).to_have_text("✓ Right: the answer is 0.25 (1/4).")
    expect(place.find(".rm-more")).to_have_text("One over four.")
    place.button("Try again").press("Enter")
    for guess in ("2", "3"):
        field.fill(guess)
        field.press("Enter")
    expect(verdict).to_have_text("Not yet. At rank 4.")
    tell.press("Enter")
    expect(verdict).to_have_text("The answer: 0.25 (1/4).")


# kind -> how a wrong guess is entered, what is said to it, and how the right one is entered
ENTERED = {
    "choice": ("a", "Not yet. No.", "b"),
    "several": ("a", "Not yet. One more.", "ac"),
    "order": ("", "Not yet. Turn it.", "z"),
}


def exercise(kind: str) -> dict:
    """What a page has of an exercise of that kind."""
    said, letters = {"hints": ["Which?"], "why": "So."}, {each: each for each in "abc"}
    return answer_state(
        {
            "choice": Choice(answer="b", options=letters, slips={"a": "No."}, **said),
            "several": Several(answer="ac", options=letters, slips={"a": "One more."}, **said),
            "order": Order(
                answer=["z", "x", "y"], start=list("xyz"), slips={"x > z": "Turn it."}, **said
            ),
        }[kind]
    )


@pytest.mark.parametrize("width", [1000, 390])
@pytest.mark.parametrize("kind", ENTERED)
def test_an_exercise_is_answered_by_key_with_the_hints_of_check(show: Show, kind: str, width: int):
    place = show(exercise(kind), width=width)
    wrong, said, right = ENTERED[kind]
    check, verdict = place.button("Check"), place.find(".rm-verdict")

    def enter(letters: str) -> None:
        if kind == "order":
            for item in letters:
                place.grip(item).press("Home")
            return
        for letter in letters:
            option = place.page.get_by_label(letter, exact=True)
            if not option.is_checked():
                option.press("Space")

    if kind in ("choice", "several"):
        check.press("Enter")
        expect(verdict).to_have_text(re.compile("a, b, c"))
    enter(wrong)
    check.press("Enter")
    expect(verdict).to_have_text(said)
    expect(place.button("Show the answer")).to_be_hidden()
    check.press("Enter")
    expect(place.button("Show the answer")).to_be_hidden()  # the same again is no further try
    enter(right)
    check.press("Enter")
    expect(verdict).to_contain_text("✓ Right")
    expect(place.find(".rm-more")).to_have_text("So.")
    expect(place.find(".rm-cover")).to_be_hidden()
    assert place.page.evaluate(SPILLS) <= 0
    tall = "(nodes) => nodes.filter((node) => node.offsetHeight).map((node) => node.offsetHeight)"
    assert min(place.find(".rm-button, .rm-option").evaluate_all(tall)) >= 44


def test_an_order_in_parts_is_right_however_each_part_is_arranged(show: Show):
    answer = Order(answer=list("vwxyz"), start=list("zyxwv"), parts=[3, 2], hints=["Which?"])
    place = show(answer_state(answer))
    check, verdict = place.button("Check"), place.find(".rm-verdict")
    how = place.find(".rm-hint > span:visible")
    place.grip("w").press("Home")
    check.press("Enter")
    expect(verdict).to_have_text("Not yet. Which?")
    expect(how).to_have_count(1)
    place.grip("x").press("Home")
    place.grip("v").press("Home")
    check.press("Enter")
    expect(verdict).to_have_text("✓ Right.")
    expect(how).to_have_count(0)  # nothing is left to drag


def test_an_opinion_is_taken_as_it_is_and_shown_beside_that_of_others(show: Show):
    options = {each: each for each in "abc"}
    opinion = Several(answer="ac", options=options, opinion="{n} of {of} agree.", why="So.")
    place = show(answer_state(opinion))
    place.page.get_by_label("b", exact=True).press("Space")
    place.page.get_by_label("c", exact=True).press("Space")
    expect(place.find(".rm-theirs")).to_have_count(0)
    place.button("Check").press("Enter")
    expect(place.find(".rm-verdict")).to_have_text("1 of 3 agree.")
    expect(place.find(".rm-option:has(.rm-theirs)")).to_have_text(["a●", "c●"])
    place.button("Try again").press("Enter")
    expect(place.find(".rm-theirs")).to_have_count(0)


def test_an_item_is_dragged_from_one_list_to_the_other(show: Show):
    lists = {"old": (["D1", "D4"], {"D1"}), "new": (["D2", "D4"], {"D1", "D4"})}
    place = show(FormulaComparison(lists, ["1/rank"]))
    old, new = (place.find(".rm-ranked").nth(n) for n in (0, 1))
    old.locator("[data-id=D1] .rm-grip").hover()
    goal = new.locator(".rm-row[data-id=D2]").bounding_box()
    place.page.mouse.down()
    place.page.mouse.move(goal["x"] + 30, goal["y"] + 10, steps=6)
    place.page.mouse.up()
    expect(old.locator(".rm-scroll .rm-label")).to_have_text(["D4"])
    expect(old.locator(".rm-dock .rm-label")).to_have_text(["D1"])
    expect(new.locator(".rm-scroll .rm-label")).to_have_text(["D1", "D2", "D4"])
    new.locator("[data-id=D1] .rm-grip").press("Control+z")
    expect(old.locator(".rm-scroll .rm-label")).to_have_text(["D1", "D4"])
    expect(new.locator(".rm-scroll .rm-label")).to_have_text(["D2", "D4"])


@pytest.fixture
def own(show: Show) -> ExplorerPage:
    return show(OwnList("Museum\nMarket *\nHarbour"))


def test_queries_of_ones_own_have_a_mean_and_what_is_dragged_becomes_text(show: Show):
    place = show(OwnQueries("museum\nMarket\nMuseum *\n\nharbour\nPier", label="Your places"))
    field, mean = (
        place.page.get_by_label("Your places", exact=True),
        place.find(".rm-means .rm-result"),
    )
    expect(mean).to_have_text("0.250")
    field.fill("museum\nMarket\nMuseum *\n\nharbour\nPier *\n\nisland")
    expect(mean).to_have_text("0.500")
    place.grip("Museum").press("Home")
    expect(field).to_have_value("museum\nMuseum *\nMarket\n\nharbour\nPier *\n\nisland")
    expect(mean).to_have_text("0.667")
    field.fill("museum\nMarket\n\nmuseum\n")
    expect(place.find(".rm-verdict")).to_contain_text("Line 4 has the search “museum” again")
    field.fill("museum\nMarket\n\nharbour\nPier\nPier")
    expect(place.find(".rm-verdict")).to_contain_text("Line 6 has “Pier” again, as line 5 does")
    expect(mean).to_have_text("0.667")


def test_what_is_written_becomes_a_list_and_what_is_dragged_becomes_text(own: ExplorerPage):
    field = own.find("textarea")
    assert own.values == ["RR = 0.500", "AP = 0.500", "nDCG = 0.631"]
    field.fill("Hotel\nBeach **\n---\nPier *")
    own.expect_order("Hotel", "Beach")
    own.grip("Pier").press("Home")
    expect(field).to_have_value("Pier *\nHotel\nBeach **")
    own.grip("Beach").press("2")
    own.grip("Hotel").press("Delete")
    expect(field).to_have_value("Pier *\nBeach **\n---\nHotel")
    assert own.values[:2] == ["RR = 1.000", "AP = 1.000"]
    own.press("undo")
    expect(field).to_have_value("Pier *\nHotel\nBeach **")


def test_a_mistake_is_said_with_its_line_and_mended(own: ExplorerPage):
    field, status = own.find("textarea"), own.find("[role=status]").first
    for text, words in [
        ("a\nb\na", "Line 3 has “a” again, as line 1 does."),
        ("*", "Line 1 has stars, but no item."),
        ("", "Write one item per line, best first."),
    ]:
        field.fill(text)
        expect(status).to_contain_text(words)
        expect(own.find("[inert]")).to_have_count(1)
    field.fill("a *")
    expect(status).to_have_text("")
    assert own.values[0] == "RR = 1.000"


@pytest.fixture
def samples(show: Show) -> ExplorerPage:
    return show(IntervalSamples(np.linspace(-0.3, 0.4, 60), names=("<b>", "old"), n=30, goal=0.05))


def test_samples_are_drawn_and_the_goal_is_noticed(samples: ExplorerPage):
    """The power is 80% or more from 150 of its stops on: the spread is 0.206."""
    verdict, facts = samples.find(".rm-verdict"), samples.find(".rm-value")
    assert queries_needed(np.linspace(-0.3, 0.4, 60).std(), 0.05) in range(101, 151)
    expect(verdict.last).to_have_text("No sample yet. Draw one.")
    samples.button("Draw").press("Enter")
    expect(verdict.last).to_contain_text("Sample 1: mean ")
    samples.button("Draw 100 times").press("Space")
    expect(verdict.last).to_contain_text("Sample 101: mean ")
    assert samples.find("svg .rm-chart-range").count() == 24
    assert re.fullmatch(r"9\d%|100%", facts.first.text_content())
    expect(verdict.first).to_have_text("")
    dial = samples.find("[data-name=n]")
    held = dial.bounding_box()
    for said in ("50", "75", "100", "150"):
        dial.press("ArrowRight")
        expect(dial).to_have_attribute("aria-valuetext", said)
    expect(verdict.first).to_contain_text("✓ Goal reached: with 150 queries the power is 8")
    expect(verdict.first).to_contain_text("Of your 101 samples ")
    expect(verdict.last).to_have_text("101 samples, drawn again with these settings.")
    assert dial.bounding_box() == held  # what is said does not push it out of a hand
    samples.press("draw")
    expect(verdict.last).to_contain_text("Sample 102: mean ")
    dial.press("ArrowRight")
    expect(verdict.first).to_have_text(re.compile(r"With 200 queries .* Fewer queries will do\."))
    samples.button("Start over").press("Enter")
    expect(verdict.first).to_have_text("")
    expect(facts.first).to_have_text("–")
