"""The browser's coins against the package's randomisation test."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from browser_harness import Reader
from explorer_page import ExplorerPage
from playwright.sync_api import Browser, Page, expect

from byhand.report.page import Page as Around
from byhand.statistics import as_far_from, randomisation_p
from byhand.widgets import CoinTosses
from byhand.widgets.embed import live_html

FEW = np.array([0.5, 0.25, -0.125, 0.0, 0.3, -0.1, 0.2])
SEED, TOSSES = 7, 20_000
MANY = np.random.default_rng(1).normal(0.04, 0.2, 60)


@pytest.mark.parametrize("differences", [FEW, FEW[:3], np.array([0.1, 0.2, 0.3, -0.6])])
def test_of_few_queries_each_way_once_gives_the_exact_p(live: Page, differences: np.ndarray):
    signs = list(product([1, -1], repeat=len(differences)))
    means = live.evaluate(
        "([differences, signs]) => signs.map((each) => live.meanOf(differences, each))",
        [differences.tolist(), signs],
    )
    far = CoinTosses(differences).far
    assert np.mean(np.abs(means) >= far) == randomisation_p(differences)


def test_of_many_queries_the_share_is_p_within_its_error(live: Page):
    far = as_far_from(MANY)
    means = np.array(
        live.evaluate(
            """([differences, seed, tosses]) => Array.from({ length: tosses }, (_, toss) =>
              live.meanOf(differences, live.coinsOf(seed, toss, differences.length)))""",
            [MANY.tolist(), SEED, TOSSES],
        )
    )
    p = randomisation_p(MANY)
    assert 0.02 < p < 0.5
    assert np.mean(np.abs(means) >= far) == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / TOSSES))


def test_the_coins_are_fair_and_do_not_hang_together(live: Page):
    coins = np.array(
        live.evaluate(
            "(n) => Array.from({ length: n }, (_, toss) => live.coinsOf(0, toss, 40))", TOSSES
        )
    )
    assert set(np.unique(coins)) == {-1, 1}
    limit = 5 / np.sqrt(TOSSES)
    assert np.abs(coins.mean(axis=0)).max() < limit
    together = np.corrcoef(coins.T) - np.eye(40)
    assert np.abs(together).max() < limit
    one_after_another = (coins[1:] * coins[:-1]).mean(axis=0)
    assert np.abs(one_after_another).max() < limit


class TestOnAPage:
    @pytest.fixture(params=[1100, 360], ids=["wide", "phone"])
    def place(
        self, request: pytest.FixtureRequest, chromium: Browser, tmp_path: Path
    ) -> Iterator[ExplorerPage]:
        body = live_html(CoinTosses(FEW, names=("<b>", "old")).page_state(), "<p>still</p>")
        path = tmp_path / "page.html"
        path.write_text(Around(title="Coins", head="<h1>Coins</h1>", body=body).html(), "utf-8")
        context = chromium.new_context(
            viewport={"width": request.param, "height": 900}, reduced_motion="reduce", offline=True
        )
        tab = context.new_page()
        complaints: list[str] = []
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("console", lambda said: complaints.append(said.text))
        tab.goto(path.as_uri())
        yield ExplorerPage(Reader(tab, None, "page"), scope="[data-live]")
        assert complaints == []
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert tab.evaluate(wider) <= 0
        context.close()

    def test_by_keyboard_one_toss_and_a_hundred_and_over_again(self, place: ExplorerPage):
        verdict, picture = place.find(".rm-verdict"), place.find("[role=img]")
        expect(verdict).to_have_text(
            "No toss yet: these are the queries as they were seen, with a mean of +0.146."
        )
        place.button("Toss").press("Enter")
        expect(verdict).to_contain_text("Toss 1: mean ")
        place.button("Toss 100 times").press("Space")
        expect(verdict).to_contain_text("Toss 101: mean ")
        label = re.compile(r"^7 queries, \d of them turned round: mean .*the means of 101 tosses")
        expect(picture).to_have_attribute("aria-label", label)
        place.button("Start over").press("Enter")
        expect(verdict).to_contain_text("No toss yet")
        expect(place.button("Start over")).to_have_attribute("aria-disabled", "true")

    def test_each_toss_is_in_the_histogram_and_far_ones_are_counted(self, place: ExplorerPage):
        for _ in range(10):
            place.button("Toss 100 times").click()
        said = place.find(".rm-more").text_content()
        reached = int(said.partition(" of 1000")[0])
        p = (reached + 1) / 1001
        assert said == (
            f"{reached} of 1000 are as far from 0 as +0.146; "
            f"what was seen is one more: ({reached} + 1) / (1000 + 1) = {p:.3f}."
        )
        assert place.find(".rm-verdict").text_content().endswith(f" So far p ≈ {p:.3f}.")
        exact = randomisation_p(FEW)
        assert p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 1000))
        tall = "(bars) => bars.map((bar) => bar.height.baseVal.value)"
        bars = np.array(place.find("rect.rm-toss").evaluate_all(tall))
        far = np.array(place.find("rect.rm-toss-far").evaluate_all(tall))
        assert far.sum() / bars.sum() == pytest.approx(reached / 1000)

    def test_what_is_turned_round_stands_on_the_other_side(self, place: ExplorerPage):
        dots = place.find("circle.rm-coin")
        where = (
            "(dots) => dots.map((dot) => [dot.dataset.coin, new DOMMatrix(dot.style.transform).e])"
        )
        before = dots.evaluate_all(where)
        assert [coin for coin, _ in before] == ["none" if not each else "kept" for each in FEW]
        middle = before[3][1]
        place.button("Toss").click()
        after = dots.evaluate_all(where)
        turned = [coin == "turned" for coin, _ in after]
        assert 0 < sum(turned) < len(FEW)
        for was, now, round_ in zip(before, after, turned, strict=True):
            side = -1 if round_ else 1
            assert now[1] - middle == pytest.approx(side * (was[1] - middle), abs=1)

    def test_names_are_text(self, place: ExplorerPage):
        expect(place.find("svg")).to_contain_text("<b> better →")
