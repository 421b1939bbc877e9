"""What a reader does with goals, questions, lists of one's own, formulas to try, and queries."""

import re

from explorer_page import ExplorerPage
from playwright.sync_api import expect

from byhand import widgets
from byhand.widgets import Challenge, FormulaComparison, Goal, Prediction, Queries
from byhand.widgets.prediction.answers import Choice, Number, Order, Several
from byhand.widgets.queries import MEANS
from helpers import worked_example

LETTERS = {each: each for each in "abc"}
CASES = worked_example("cooking", "searches")
THREE = {name: tuple(CASES[name]) for name in ("tomato soup", "bread", "gyoza")}


def query(page: ExplorerPage, nth: int) -> ExplorerPage:
    """One of the lists, as a page of its own."""
    return ExplorerPage(page.page, scope=f"main .rm-beside > :nth-child({nth + 1})")


def test_a_challenge_by_keyboard(show):
    goal = Goal.highest("AP")
    place = show(Challenge(["D1", "D2", "D3", "D4"], {"D3", "D4"}, goal, covers=True))
    said, cover = place.find(".rm-title, .rm-verdict, .rm-more"), place.find(".rm-cover")
    asked, far = "Make AP as high as you can.", "AP is 0.417. It can still rise by 0.583."
    reached = "✓ Reached: no order of these 4 items does better."
    expect(said).to_have_text([asked, far, ""])
    expect(cover).to_contain_text("covered until you reach")
    place.press("solution")
    expect(said).to_have_text([asked, reached, "This is a solution."])
    expect(cover).to_be_hidden()
    place.press("reset", "undo")
    assert place.page.evaluate("model.get('done')") is False  # what was shown is not reached
    place.press("reset")
    expect(said).to_have_text([asked, far, ""])
    for item in ("D3", "D4"):
        place.grip(item).press("Home")
    expect(said).to_have_text([asked, reached, ""])
    expect(place.button("Show a solution")).to_be_hidden()  # there is nothing left to show
    assert place.page.evaluate("model.get('done')") is True


def test_a_goal_may_be_skipped(show):
    place = show(Challenge(["a", "b", "c"], {"c"}, Goal.reach("RR", 1), covers=True))
    place.button("Skip the goal").press("Enter")
    expect(place.button("Show a solution")).to_be_focused()
    expect(place.find(".rm-cover, [data-name=skip]").filter(visible=True)).to_have_count(0)


def test_a_goal_may_be_about_the_mean_with_lists_beside(show):
    beside = {"Q1": (["D4", "D2"], {"D4"}), "Q2": (["D2", "D4"], {"D4"})}
    goal = Goal.reach("RR", "2/3")
    place = show(Challenge(["D5", "D3", "D1", "D4"], {"D4"}, goal, beside=beside, caption="Q3"))
    said = place.find(".rm-verdict, .rm-query, .rm-mean-is")
    far = "MRR is 0.583, still 0.083 away."
    expect(said).to_have_text([far, "Q11", "Q21/2", "Q31/4", "mean0.583"])
    place.hold("D4", "D3")
    expect(said).to_have_text(["✓ Reached.", "Q11", "Q21/2", "Q31/2", "mean0.667"])
    place.page.mouse.up()


def test_after_two_wrong_answers_it_may_be_shown_and_is_asked_anew(show):
    place = show(Prediction("RR?", Number(answer=0.25, hints=["Where is the first?"])))
    field, verdict = place.find(".rm-text"), place.find(".rm-verdict")
    tell = place.find("[data-name=show]")
    for text in ("1", "1/4 mddxab", "2"):
        expect(tell).to_be_hidden()
        field.fill(text)
        field.press("Enter")
    tell.press("Enter")
    expect(verdict).to_have_text("The answer: 0.25 (1/4).")
    place.button("Try again").press("Enter")
    field.fill("1/4")
    field.press("Enter")
    expect(verdict).to_have_text("✓ Right: the answer is 0.25 (1/4).")


def test_an_exercise_wants_an_answer_first(show):
    place = show(Prediction("", Choice(answer="b", options=LETTERS)))
    place.button("Check").press("Enter")
    expect(place.find(".rm-verdict")).to_have_text("Choose one of these: a, b, c.")


def test_the_same_order_again_is_no_further_try_and_another_has_no_verdict_yet(show):
    order = Order(answer=list("vwxyz"), start=list("zyxwv"), parts=[3, 2], hints=["Which?"])
    place = show(Prediction("", order), width=390)
    check, verdict = place.button("Check"), place.find(".rm-verdict")
    place.grip("w").press("Home")
    for _ in range(2):
        check.press("Enter")
        expect(verdict).to_have_text("Not yet. Which?")
        expect(place.button("Show the answer")).to_be_hidden()
    place.grip("x").press("Home")
    expect(verdict).to_have_text("")
    place.grip("v").press("Home")  # each part may be arranged in any way
    check.press("Enter")
    expect(verdict).to_contain_text("✓ Right")
    assert place.button("Try again").bounding_box()["height"] >= 44  # for a finger


def test_an_opinion_is_taken_as_it_is_and_shown_beside_that_of_others(show):
    opinion = Several(answer="ac", options=LETTERS, opinion="{n} of {of} agree.")
    place = show(Prediction("", opinion))
    options = place.find(".rm-option")
    for nth in (1, 2):
        options.nth(nth).locator("input").press("Space")
    expect(options).to_have_text(["a", "b", "c"])
    place.button("Check").press("Enter")
    expect(place.find(".rm-verdict")).to_have_text("1 of 3 agree.")
    expect(options).to_have_text(["a●", "b", "c●"])
    place.button("Try again").press("Enter")
    expect(options).to_have_text(["a", "b", "c"])


def test_queries_of_ones_own_have_a_mean_and_what_is_dragged_becomes_text(show):
    place = show(widgets.OwnQueries("museum\nMarket\nMuseum *\n\nharbour\nPier", label="Places"))
    field, said = place.page.get_by_label("Places"), place.find(".rm-verdict, .rm-result")
    field.fill("museum\nMarket\nMuseum *\n\nharbour\nPier *\n\nisland")
    expect(said).to_have_text(["", "0.500"])
    place.grip("Museum").press("Home")
    expect(field).to_have_value("museum\nMuseum *\nMarket\n\nharbour\nPier *\n\nisland")
    expect(said).to_have_text(["", "0.667"])
    for text, words in {
        "museum\nMarket\n\nmuseum\n": "Line 4 has the search “museum” again, as line 1 does.",
        "museum\nMarket\n\nharbour\nPier\nPier": "Line 6 has “Pier” again, as line 5 does.",
    }.items():
        field.fill(text)
        expect(said).to_contain_text([words, "0.667"])


def test_what_is_written_becomes_a_list_and_what_is_dragged_becomes_text(show):
    own = show(widgets.OwnList("Museum\nMarket *\nHarbour"))
    field, said = own.find("textarea"), own.find(".rm-verdict")
    assert own.values == ["RR = 0.500", "AP = 0.500", "nDCG = 0.631"]
    field.fill("Hotel\nBeach **\n---\nPier *")
    own.expect_order("Hotel", "Beach")
    own.grip("Pier").press("Home")
    own.grip("Beach").press("2")
    own.grip("Hotel").press("Delete")
    expect(field).to_have_value("Pier *\nBeach **\n---\nHotel")
    own.press("undo")
    expect(field).to_have_value("Pier *\nHotel\nBeach **")
    for text, words in {
        "a\nb\na": "Line 3 has “a” again, as line 1 does.",
        "": "Write one item per line, rank 1 first.",
    }.items():
        field.fill(text)
        expect(said).to_contain_text(words)
        expect(own.find("[inert]")).to_have_count(1)
    field.fill("a *")
    expect(said).to_have_text("")
    assert own.values[0] == "RR = 1.000"


def test_four_numbers_and_their_scale_follow_the_hit(show):
    items = [f"D{n}" for n in range(1, 9)]
    four = ["rank", "line", "first five", "1/rank"]
    page = show(FormulaComparison({"lone": (items, {"D2"})}, four, extra=92))
    numbers, ticks = page.find(".rm-choice-number"), page.find(".rm-ticks > span")
    expect(numbers).to_have_text(["2", "7/8", "1", "1/2"])
    expect(ticks).to_have_text(["0", "4", "8"])
    page.press("longer")  # useless items move the line
    expect(numbers).to_have_text(["2", "99/100", "1", "1/2"])
    expect(page.find(".rm-rescaled")).to_have_text(["0", "50", "100"])
    expect(page.find(".rm-below")).to_have_text("and 92 more below, none of them relevant")
    page.press("reset")
    page.grip("D2").press("ArrowUp")
    expect(page.find(".rm-moved-by")).to_have_text(["−1", "+1/8", "±0", "+1/2"])
    page.grip("D2").press("Delete")
    expect(numbers).to_have_text(["?", "0", "0", "0"])
    expect(ticks).to_have_text(["0", "4", "7"])  # a rank is a whole number
    drawn = page.find("path").evaluate_all("all => all.map((each) => each.getAttribute('d'))")
    assert not re.search("Infinity|NaN", " ".join(filter(None, drawn)))
    page.press("'1/rank'")
    expect(ticks).to_have_text(["0", "1/2", "1"])


def test_two_lists_are_told_apart_or_not(show):
    lists = {"old": (["a", "b"], {"a": 1, "b": 2}), "new": (["c", "b", "a"], {"a": 1, "b": 2})}
    page = show(FormulaComparison(lists, ["sum of grades", "grade / rank"]))
    expect(page.find(".rm-choice-number")).to_have_text(["3", "3", "2", "1.333"])
    expect(page.find(".rm-try >> nth=1 >> .rm-wins")).to_contain_text("old")
    expect(page.find(".rm-wins")).to_have_count(1)
    page.press("'grade / rank'")
    expect(page.find(".rm-formula")).to_have_text(["old=1+2/2", "new=2/2+1/3"])
    expect(page.find(".rm-result")).to_have_text(["2", "1.333"])


def test_on_a_phone_one_list_is_seen_at_a_time(show):
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


def test_any_rank_may_be_given_to_never_and_far_away_1_over_it_is_0(show):
    page = show(Queries(THREE, formulas=MEANS, never=True))
    slider = page.find("input[type=range]")
    said = page.find("[data-name='mean of all'] b, output, .rm-result")
    expect(said).to_have_text(["11/36", "6", "4"])
    slider.press("End")
    expect(said).to_have_text(["1/4", "∞", "?"])
    slider.press("ArrowLeft")
    expect(said).to_have_text(["0.250", "1,000", "335.3"])
    page.press("'mean of all'")
    slider.press("End")
    expect(page.find(".rm-query .rm-end").nth(2)).to_have_text("0")


def test_a_goal_over_several_lists_says_how_far_one_is(show):
    goal = Goal.reach("RR", "1/2", text="Make MRR 1/2 in two drags.")
    page = show(Queries(THREE, goal=goal, formulas=MEANS[:2]))
    said, gyoza = page.find(".rm-title, .rm-verdict"), query(page, 2)
    expect(said).to_have_text([goal.text, "MRR is 0.250, still 0.250 away."])
    high = page.find("> div").bounding_box()["height"]
    query(page, 0).drag_with_mouse("minestrone", "ketchup")
    gyoza.hold("dumplings", "omelette")
    expect(said).to_have_text([goal.text, "✓ Reached."])
    page.page.keyboard.press("Escape")
    page.page.mouse.up()
    expect(said).to_have_text([goal.text, "MRR is 0.417, still 0.083 away."])
    for key in ("Insert", "ArrowUp", "ArrowUp"):
        gyoza.grip("dumplings").press(key)
    gyoza.expect_order("lasagne", "tart", "salad", "dumplings", "omelette", "ketchup")
    expect(said).to_have_text([goal.text, "✓ Reached."])
    assert page.find("> div").bounding_box()["height"] == high  # nothing below it jumps
    page.press("reset")
    expect(said).to_have_text([goal.text, "MRR is 0.250, still 0.250 away."])
