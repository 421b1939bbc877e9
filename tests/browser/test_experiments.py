"""Experiments with dials on a page without Python: their numbers are those of the library."""

import random
import re
from math import comb

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from scipy import stats

from byhand import chance
from byhand.widgets import Draws, Negatives, RandomOrders
from byhand.widgets.negatives import ranks_among


@pytest.mark.parametrize(
    ("kept", "fits"),
    [
        ({"draws": 500, "n": 100, "truth": 0.05}, True),
        *(({"draws": each}, False) for each in (1e9, -1, 0.5, "7", [])),
        *(({"n": each}, False) for each in (55, 0, 1e9)),
    ],
)
def test_a_page_takes_back_what_was_kept_where_dials_and_counts_can_stand(live: Page, kept, fits):
    given = live.evaluate(
        """([state, values]) => {
          const model = new live.PageModel(state);
          try { model.give({ values, within: [] }); } catch { return null; }
          return Object.fromEntries(Object.keys(values).map((name) => [name, model.get(name)]));
        }""",
        [Draws([0.5, 0.25, -0.5, 0]).page_state(), kept],
    )
    assert given == (kept if fits else None)


KNOWN = {"A": [100] * 5, "B": [40, 40, 8437, 9266, 4482], "C": [212, 2, 743, 5342, 1548]}


def cases(n: int) -> list[tuple[int, int, int]]:
    """Ranks, numbers of items and of negatives."""
    dice = random.Random(5)
    sizes = [dice.choice([2, 3, 10, 200, 10_000]) for _ in range(n)]
    return [(dice.randint(1, size), size, dice.randint(1, size - 1)) for size in sizes]


class TestNegatives:
    def test_the_ranks_among_negatives_are_hypergeometric_in_python_and_in_the_browser(self, live):
        asked = cases(50)
        found = live.evaluate("(asked) => asked.map((each) => live.ranksAmong(...each))", asked)
        for (rank, n_items, negatives), answer in zip(asked, found, strict=True):
            first, likely = ranks_among(rank, n_items, negatives)
            assert answer["first"] == first
            assert answer["likely"] == pytest.approx(likely.tolist(), abs=1e-12)
            before = np.arange(first - 1, first - 1 + len(likely))
            known = stats.hypergeom(n_items - 1, rank - 1, negatives).pmf(before)
            assert likely == pytest.approx(known, rel=1e-8, abs=1e-15)
            if n_items <= 200:
                whole = comb(n_items - 1, negatives)
                ways = [
                    comb(rank - 1, x) * comb(n_items - rank, negatives - x) for x in before.tolist()
                ]
                assert sum(ways) == whole
                assert likely == pytest.approx([each / whole for each in ways], abs=1e-12)

    def test_the_example_of_krichene_and_rendle_comes_out(self):
        """Their table has 1.000, 0.400, 0.567 ± 0.092 and AP 0.630, 0.336, 0.325 ± 0.13 or less."""
        for measure, sampled, true in [
            ("HR", [1.0, 0.4, 0.567], [0, 0, 0.2]),
            ("RR", [0.633, 0.340, 0.325], [0.01, 0.01, 0.101]),
        ]:
            shown = Negatives(KNOWN, n_items=10_000)
            shown.measure = measure
            assert list(shown.values.values()) == pytest.approx(sampled, abs=0.0006)
            shown.negatives = 9999
            assert list(shown.values.values()) == pytest.approx(true, abs=0.0006)

    def test_anywhere_is_the_mean_over_all_ranks(self):
        for measure, name in (("HR", "HR@2"), ("RR", "RR")):
            shown = Negatives({"all": range(1, 31)}, n_items=30, k=2, negatives=6)
            shown.measure = measure
            assert shown.values["all"] == pytest.approx(shown.chance, abs=1e-12)
            assert shown.chance == chance(7, 1, name)

    def test_a_dial_shows_when_two_change_places(self, show):
        shown = Negatives({"steady": KNOWN["A"], "<b>": KNOWN["C"]}, n_items=10_000)
        page = show(shown)
        dial, said = page.find("input[type=range]"), page.find(".rm-verdict")
        expect(said).to_have_text(
            "Among 100 negatives the highest is steady. Among all 9,999 it is <b>."
        )
        stops = shown.stops["negatives"].values
        for negatives, words in [
            (
                9,
                re.compile("Among 9 negatives the highest value is shared. .* the highest is <b>."),
            ),
            (1200, "Among 1,200 negatives the highest is steady. Among all 9,999 it is <b>."),
            (1500, "✓ Among 1,500 negatives the highest is <b>, as among all 9,999."),
            (9999, "✓ All 9,999 others are drawn: these are the true values."),
        ]:
            dial.fill(str(stops.index(negatives)))
            expect(said).to_have_text(words)
            expect(dial).to_have_attribute("aria-valuetext", f"{negatives:,}")
            shown.negatives = negatives
            values = [*shown.values.items(), ("random order", shown.chance)]
            line = ", ".join(f"{name} {value:.3f}" for name, value in values)
            picture = page.find("[role=img]").get_attribute("aria-label")
            assert picture == f"HR@10 for 1 to 9,999 negatives. Among {negatives:,}: {line}."
        page.press("RR")
        for negatives, is_right in [(400, False), (500, True)]:
            dial.fill(str(stops.index(negatives)))
            expect(said).to_have_class(f"rm-verdict rm-{'good' if is_right else 'warn'}")
        dial.press("ArrowLeft")
        expect(said).to_contain_text("Among 400 negatives the highest is steady.")


class TestRandomOrders:
    def test_more_relevant_items_bring_the_first_nearer_and_the_levels_up(self, show):
        page = show(RandomOrders(10_000))
        dial, facts = page.find("input[type=range]"), page.find(".rm-facts-of")
        dots = page.find("svg .rm-chart-dot[data-look=hit]")
        at = "(dots) => dots.map((dot) => dot.cx.baseVal.value)"
        few = dots.evaluate_all(at)
        expect(facts).to_contain_text("0.0018")
        dial.press("End")
        expect(facts).to_contain_text(f"{chance(10_000, 17):.4f}")
        expect(facts).to_contain_text("6.2 times that with 2 relevant")
        many = dots.evaluate_all(at)
        assert len(few) == len(many) == 12
        assert all(b <= a for a, b in zip(few, many, strict=True))
        assert sum(many) < sum(few) / 2
