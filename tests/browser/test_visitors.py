"""Visitors who walk: what they get is the metric of the library, and what a reader sees of it."""

import random

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from byhand import average_precision, measure_list, reciprocal_rank
from byhand.widgets import Visitors

TODAY = [*"kmglfbst"]
SOUPS = [*"mgbhr"]  # two are not on the page
WALKED = """([lists, kind]) => lists.map(([order, grades]) =>
  live.gotByAll(live.visitorsOf(live.listOf(order, grades), kind)))"""
STOPS = "([n, p]) => Array.from({ length: n }, (_, visitor) => live.stopOf(5, visitor, p))"


def lists(n: int) -> list[tuple[list[str], list[str]]]:
    dice, items = random.Random(9), [f"D{i}" for i in range(14)]
    return [
        (dice.sample(items, dice.randint(0, 12)), dice.sample(items, dice.randint(0, 6)))
        for _ in range(n)
    ]


@pytest.mark.parametrize(("kind", "known"), [("RR", reciprocal_rank), ("AP", average_precision)])
def test_what_visitors_get_is_the_metric(live: Page, kind: str, known):
    asked = lists(500)
    given = [[order, dict.fromkeys(relevant, 1)] for order, relevant in asked]
    assert live.evaluate(WALKED, [given, kind]) == pytest.approx([known(*each) for each in asked])


@pytest.mark.parametrize("p", [0.05, 0.5, 0.8, 0.95])
def test_the_share_that_stops_at_something_good_comes_near_rbp(live: Page, p: float):
    n = 10_000
    stops = np.array(live.evaluate(STOPS, [n, p]))
    assert stops.mean() == pytest.approx(1 / (1 - p), rel=0.05)
    for ranked, relevant in lists(40):
        hits = [rank for rank, item in enumerate(ranked, 1) if item in relevant]
        known = measure_list(f"RBP(p={p})", ranked, relevant)
        assert np.isin(stops, hits).mean() == pytest.approx(known, abs=4 * (0.25 / n) ** 0.5)


def test_values_are_of_the_list_as_it_is_and_of_the_chance_as_it_is_set():
    visitors = Visitors(TODAY, SOUPS, p=0.5)
    visitors.ranks.move("m", to=1)
    visitors.p = 0.8
    order = visitors.ranks.order
    expected = [f(order, SOUPS) for f in (reciprocal_rank, average_precision)]
    assert [*visitors.values.values()] == [*expected, measure_list("RBP", order, SOUPS)]


def test_of_ap_each_walks_to_the_next_soup_and_two_for_ever(show):
    page = show(Visitors(TODAY, SOUPS, measures="AP"))
    words, said, big = (
        page.find(each) for each in (".rm-walk-words", "> div > .rm-said", ".rm-number-now")
    )
    expect(words).to_have_text("Visitor 1 wants 1 good one.")
    page.press("step", "step")
    expect(words).to_have_text("Visitor 1 stops: 1 good of 2 read.")
    page.press(*["step"] * (3 + 6))
    expect(said).to_have_text("Visitor 3 stops: 3 good of 6 read.")
    seen = []
    for _ in range(14):
        page.press("step")
        seen.append(big.text_content())
    assert seen[7:] == ["3/8", "3/9", "3/10", "3/20", "3/100", "3/1,000", "0"]
    assert page.find(".rm-share").all_text_contents() == ["1/2", "2/3", "3/6", "0"]
    page.button("Play").click()
    expect(said).to_have_text(
        "Visitor 5 reads on for ever: 3 good of ever more rows, which comes to 0. "
        "AP is what the 5 visitors got on average: 0.333.",
        timeout=9000,
    )
    # the number follows the list, by hand and by keys
    page.drag_with_mouse("h", "f")
    expect(big).to_have_text("0.468")
    page.grip("m").press("Delete")
    expect(big).to_have_text(f"{average_precision([*'kglhfbst'], SOUPS):.3f}")
    page.press("over")
    page.expect_order(*TODAY)
    expect(words).to_have_text("Visitor 1 wants 1 good one.")


WHOLE = """(root) => {
  const edge = root.getBoundingClientRect();
  return [...root.querySelectorAll(".rm-walks text")].filter((each) => {
    const { left, right, top } = each.getBoundingClientRect();
    return left < edge.left || right > edge.right || top < edge.top;
  }).map((each) => each.textContent);
}"""


@pytest.mark.parametrize("width", [820, 374, 344])
def test_before_anybody_walks_each_visitor_and_each_row_has_its_place(show, width: int):
    page = show(Visitors(TODAY, SOUPS, measures=["RR", "AP"]), width=width, height=844)
    for measure, n in (("RR", 1), ("AP", 5)):
        page.press(measure)
        expect(page.find(".rm-walks .rm-unread")).to_have_count(n * len(TODAY))
        expect(page.find(".rm-number-now")).to_have_text("?")
        heads = " ".join(page.find(".rm-walks text").all_text_contents())
        assert "good share so far" in heads
        assert page.find("> div").evaluate(WHOLE) == []
    page.press("step")
    expect(page.find(".rm-number-now")).to_have_text("0/1")
    expect(page.find(".rm-walks .rm-unread")).to_have_count(5 * len(TODAY) - 1)


def test_of_rbp_visitors_pile_up_and_follow_the_list_and_the_chance(live: Page, show):
    page = show(Visitors(TODAY, SOUPS, measures=["AP", "RBP"]))
    page.press("RBP", *["send-many"] * 30)
    words = page.find(".rm-walk-words")

    def expect_shares(order: str, p: float) -> None:
        known = measure_list(f"RBP(p={p})", [*order], SOUPS)
        expect(words).to_contain_text(f" = {known:.3f}. ")
        share = float(words.text_content().removesuffix(".").split()[-1])
        assert share == pytest.approx(known, abs=0.04)
        expect(words).to_contain_text("of 3,000 visitors stopped at a good one")

    expect_shares("kmglfbst", 0.8)
    page.grip("m").press("Home")
    expect_shares("mkglfbst", 0.8)
    page.find("input[type=range]").fill("9")
    expect_shares("mkglfbst", 0.5)
    assert live.evaluate("[model.get('p'), model.get('walked')]") == [0.5, 3000]
    page.press("step")
    expect(page.find("> div > .rm-said")).to_contain_text("Visitor 3,001 ")


def test_play_sends_several_visitors_of_rbp_one_after_the_other(show):
    page = show(Visitors(TODAY, SOUPS, measures="RBP", p=0.05))
    page.press("play")
    expect(page.button("Pause")).to_be_visible()
    words = page.find(".rm-walk-words")
    expect(words).to_contain_text("of 10 visitors stopped at a good one", timeout=20_000)
    expect(page.button("Play")).to_be_visible()
    page.press("play")
    expect(words).to_contain_text("of 20 visitors", timeout=20_000)
