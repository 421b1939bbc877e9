"""Shuffles: each is as likely as it should be, and their mean settles on the chance level."""

import re
from itertools import combinations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from byhand import chance
from byhand.widgets import Shuffles


@pytest.mark.parametrize(("items", "relevant"), [(8, 3), (6, 1), (5, 5), (7, 4)])
def test_the_first_relevant_item_is_where_it_is_in_all_orders(live: Page, items, relevant):
    found = live.evaluate("(asked) => live.firstRanks(...asked)", [items, relevant])
    firsts = [min(ranks) for ranks in combinations(range(1, items + 1), relevant)]
    expected = np.bincount(firsts)[1:] / len(firsts)
    assert found == pytest.approx(expected.tolist(), abs=1e-12)


def test_the_level_is_that_of_python(live: Page):
    for items in Shuffles.items.stops.values:
        for relevant in Shuffles.relevant.stops.values:
            found = live.evaluate(
                "(asked) => live.levelOf(live.firstRanks(...asked))", [items, relevant]
            )
            assert found == pytest.approx(chance(items, relevant), abs=1e-12)


def test_first_ranks_are_drawn_as_often_as_they_are_likely(live: Page):
    drawn = live.evaluate(
        """() => Array.from({ length: 20000 }, (_, draw) =>
          live.firstOf(live.firstRanks(8, 3), { seed: 3, draw }))"""
    )
    firsts = [min(ranks) for ranks in combinations(range(1, 9), 3)]
    likely = np.bincount(firsts)[1:] / len(firsts)
    error = np.sqrt(likely * (1 - likely) / len(drawn))
    assert (np.abs(np.bincount(drawn)[1:] / len(drawn) - likely) < 4.5 * error).all()


@pytest.mark.parametrize("width", [1000, 390])
def test_the_mean_settles_on_the_chance_level(show, width):
    page = show(Shuffles(), width=width)
    said, picture = page.find(".rm-verdict"), page.find("[role=img]")
    expect(said).to_have_text("Nothing shuffled yet.")
    expect(picture).to_have_attribute("aria-label", re.compile("^3 of 8 .* RR is 0.609.$"))
    page.button("Shuffle").press("Enter")
    words = said.text_content()
    rank, value, mean = re.search(r"rank (\d+), RR is ([\d.]+)\. .* is ([\d.]+)\.$", words).groups()
    assert float(value) == float(mean) == pytest.approx(1 / int(rank), abs=0.0006)
    for _ in range(10):
        page.button("Shuffle 100 times").press("Enter")
    expect(said).to_contain_text("Shuffle 1,000: ")
    expect(page.button("Shuffle")).to_have_attribute("aria-disabled", "true")
    for items in (8, 1000):
        stops = Shuffles.items.stops.values
        page.find("input >> nth=0").fill(str(stops.index(items)))
        expect(picture).to_have_attribute("aria-label", re.compile(f" of {items:,} items, 3 of"))
        label = picture.get_attribute("aria-label")
        mean, level = map(float, re.search(r"mean is (.+), the .* level (.+)\.$", label).groups())
        assert level == pytest.approx(chance(items, 3), abs=0.0006)
        assert mean == pytest.approx(level, abs=0.05)
    page.button("Start over").press("Enter")
    expect(said).to_have_text("Nothing shuffled yet.")
