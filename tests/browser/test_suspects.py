"""A number is typed digit by digit: the ways that are left are those of which_conventions."""

import random

import pytest
from playwright.sync_api import Page, expect

from byhand import which_conventions
from byhand.widgets import Suspects
from helpers import worked_example

SEARCHES = worked_example("cooking", "searches")
RUN = {query: list(case.ranked) for query, case in SEARCHES.items()}
QRELS = {query: dict(case.relevant) for query, case in SEARCHES.items()}
SHOWN = Suspects(RUN, QRELS, "nDCG@3")
EXPLAINED = """([fixed, texts]) => texts.map((text) => {
  const asked = live.printed(text, fixed.percent);
  if (!asked) return null;
  const { found, expected } = live.explained(fixed.ways, asked);
  return [found.map(([, , at]) => at.map((each) => fixed.departures[each])), expected];
})"""


def numbers(n: int) -> list[str]:
    """Numbers in print, near to values that there are and not, of one to six digits."""
    dice = random.Random(2)
    values = [value for value, *_ in SHOWN.fixed["ways"]]
    near = [dice.choice(values) + dice.choice([0, 0, 1e-4, 0.02]) for _ in range(n)]
    shapes = ["{:.1f}", "{:.2f}", "{:.3f}", "{:.4f}", "{:.6f}", "{:.2%}"]
    return [dice.choice(shapes).format(value) for value in near]


def test_what_a_browser_finds_is_what_the_library_finds(live: Page):
    texts = [*numbers(150), "", "x", ".", "0,4", "41.5"]
    found = live.evaluate(EXPLAINED, [SHOWN.page_state()["fixed"], texts])
    for text, answer in zip(texts, found, strict=True):
        SHOWN.number = text
        if answer is None:
            assert SHOWN.explanations == []
            continue
        explanations, expected = answer
        told = ["; ".join(each) or "the conventions given" for each in explanations]
        assert told == SHOWN.explanations, text
        asked = which_conventions(RUN, QRELS, {"nDCG@3": text})
        assert told == asked["explanation"].tolist()
        if told:
            assert expected == pytest.approx(asked["by_chance"][0], abs=1e-12)


def test_with_each_digit_fewer_are_left(show):
    page = show(Suspects(RUN, QRELS, "nDCG@3"))
    default, *values = [value for value, *_ in SHOWN.fixed["ways"]]
    # what a digit takes for the default is explained at once, and by no more than that
    wanted = next(value for value in values if f"{value:.1f}" != f"{default:.1f}")
    field, left = page.find("input[type=text]"), []
    expect(page.find(".rm-verdict")).to_contain_text("Type the number that was reported")
    for text in (f"{wanted:.1f}", f"{wanted:.2f}", f"{wanted:.5f}"):
        field.fill(text)
        expect(page.find(".rm-verdict")).to_contain_text(text)
        shown = page.find(".rm-suspects li").count()
        left.append(shown + (8 if page.find("p.rm-quiet").inner_text() else 0))
    assert left == sorted(left, reverse=True)
    assert left[0] > left[-1] >= 1
    field.fill("7.77777")
    expect(page.find(".rm-verdict")).to_contain_text("None of")


def test_it_says_in_one_line_how_many_are_left_and_takes_the_library_s_options():
    assert repr(SHOWN).startswith("Suspects(nDCG@3 = ")
    few = Suspects(RUN, QRELS, "AP", departures=1, number="1")
    assert len(few.fixed["ways"]) < len(Suspects(RUN, QRELS, "AP").fixed["ways"])
    assert few.picture().alt
