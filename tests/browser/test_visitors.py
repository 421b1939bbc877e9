"""Visitors who walk: what they get is the metric of the library, and what a reader sees of it."""

import random

import pytest
from playwright.sync_api import Page, expect

from byhand import average_precision, reciprocal_rank
from byhand.widgets import Visitors

TODAY = [*"kmglfbst"]
SOUPS = [*"mgbhr"]  # two are not on the page
WALKED = """([lists, kind]) => lists.map(([order, grades]) =>
  live.gotByAll(live.visitorsOf(live.listOf(order, grades), kind)))"""


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


def test_values_are_of_the_list_as_it_is():
    visitors = Visitors(TODAY, SOUPS)
    visitors.ranks.move("m", to=1)
    order = visitors.ranks.order
    expected = {"RR": reciprocal_rank(order, SOUPS), "AP": average_precision(order, SOUPS)}
    assert visitors.values == expected


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
