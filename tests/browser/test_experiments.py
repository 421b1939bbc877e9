"""Experiments with dials on a page without Python: their numbers are those of the library."""

import random
import re
from math import comb

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect
from scipy import stats

from byhand import chance
from byhand.statistics import mean_bounds, mean_interval, non_inferiority
from byhand.widgets import Drops, Limit, Negatives, RandomOrders
from byhand.widgets.negatives import ranks_among


class TestDrops:
    def test_the_browsers_ends_are_those_of_the_gate(self, live: Page):
        samples = []
        for n in (1, 2, 25, 100, 500):
            for share in (0, 0.02, 0.1):
                rng = np.random.default_rng([n, round(100 * share)])
                drawn = np.where(rng.random(n) < share, -1, rng.uniform(-0.006, 0.002, n))
                samples += [drawn, np.zeros(n), rng.choice([-1, 0, 0.5], n)]
        found = live.evaluate(
            "(samples) => samples.map((each) => live.boundsOf(each, 1, 0.05))",
            [sample.tolist() for sample in samples],
        )
        expected = np.array([mean_bounds(sample, 1.0) for sample in samples])
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)

    @pytest.mark.parametrize(("n", "share"), [(25, 0.02), (150, 0), (500, 0.1)])
    def test_a_sample_with_rare_drops_is_drawn_and_judged_as_it_is_said(self, live: Page, n, share):
        fixed = Drops().page_state()["fixed"]
        samples = live.evaluate(
            """([fixed, dials]) => Array.from({ length: 200 }, (_, draw) => {
              const changes = live.changesOf({ ...fixed, ...dials, draw });
              return [changes, live.judged(changes, { limit: fixed.max_drop, alpha: fixed.alpha })];
            })""",
            [fixed, {"share": share, "fall": 0.5, "n": n}],
        )
        fell = np.array([changes for changes, _ in samples]) == -0.5
        assert fell.mean() == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / fell.size))
        for changes, said in samples[:40]:
            kept = [each for each in changes if each != -0.5]
            assert -0.006 <= min(kept) <= max(kept) <= 0
            ends = {
                "t": mean_interval(np.array(changes), confidence=0.9),
                "gate": mean_bounds(np.array(changes), 1.0),
            }
            for who, (low, high) in ends.items():
                expected = "held" if low > -0.02 else "dropped" if high < -0.02 else "cannot tell"
                assert said[who] == expected
                assert said["ends"][who] == pytest.approx([low, high], abs=1e-10)

    @pytest.mark.parametrize(
        ("kept", "fits"),
        [
            ({"draws": 500, "n": 100, "share": 0.005, "fall": 0.3}, True),
            *(({"draws": each}, False) for each in (1e9, -1, 0.5, "7", [])),
            *(({"n": each}, False) for each in (55, 0, 1e9)),
        ],
    )
    def test_a_page_takes_back_what_was_kept_where_dials_and_counts_can_stand(
        self, live: Page, kept, fits
    ):
        given = live.evaluate(
            """([state, values]) => {
              const model = new live.PageModel(state);
              try { model.give({ values, within: [] }); } catch { return null; }
              return Object.fromEntries(Object.keys(values).map((name) => [name, model.get(name)]));
            }""",
            [Drops().page_state(), kept],
        )
        assert given == (kept if fits else None)

    def test_a_ruinous_change_and_a_harmless_one(self, show):
        page = show(Drops())
        title, said, passed = (
            page.find(each) for each in (".rm-title", ".rm-verdict", ".rm-value")
        )
        expect(title).to_contain_text(
            "changes by −0.023. It may fall by 0.02 at most, so this must not"
        )
        expect(said).to_have_text("Nothing drawn yet.")
        page.button("Draw").press("Enter")
        expect(said).to_contain_text("Sample 1: ")
        page.button("Draw 100 times").press("Space")
        expect(said).to_contain_text("Sample 101: ")
        by_t = int(passed.first.text_content().rstrip("%")) / 100
        assert by_t == pytest.approx(0.98**50, abs=0.16)
        expect(passed.last).to_have_text("0%")
        page.find("[data-name=share]").press("Home")
        expect(title).to_contain_text("changes by −0.003. It may fall by 0.02, so this may pass.")
        expect(passed).to_have_text(["100%", "0%"])
        expect(said).to_have_text("101 samples, drawn anew with these dials.")
        dial = page.find("[data-name=n]")
        for queries in ("100", "150", "200"):
            expect(said).not_to_contain_text("✓")
            dial.press("ArrowRight")
            expect(dial).to_have_attribute("aria-valuetext", queries)
        expect(said).to_contain_text(
            "✓ With 200 queries the gate lets 100% of the samples through."
        )
        page.button("Start over").press("Enter")
        expect(passed).to_have_text(["–", "–"])
        why = page.find(".rm-controls [role=status]")
        for said in ("", "", "", "", "All 500 samples are drawn."):
            page.button("Draw 100 times").press("Space")
            expect(why).to_have_text(said)
        expect(page.button("Draw")).to_have_attribute("aria-disabled", "true")


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


class TestLimit:
    def test_what_is_dragged_says_what_the_gate_says(self, show):
        rng = np.random.default_rng(0)
        old = pd.Series(rng.uniform(0.2, 0.8, 200))
        runs = {f"{drop:g}": old + rng.normal(-drop, 0.05, 200) for drop in (0, 0.008, 0.016, 0.05)}
        said = {"did not drop": "Pass", "dropped": "Fail", "lower": "Lower"}

        def asked(name, limit=0.02):
            return non_inferiority(runs[name], old, max_drop=limit)

        widget = Limit({name: (f.low, f.difference, f.high) for name in runs if (f := asked(name))})
        page = show(widget)
        box = page.find("svg").bounding_box()
        seen, mouse = set(), page.page.mouse
        for at in (0.75, 0.45, 0.6, 0.68, 0.7, 0.72):
            mouse.move(box["x"] + at * box["width"], box["y"] + box["height"] / 2)
            mouse.down()
            mouse.up()
            limit = float(page.find(".rm-shown").text_content().replace("−", "-"))
            told = [said.get(asked(name, -limit).outcome, "Cannot tell") for name in runs]
            expect(page.find(".rm-chart")).to_have_accessible_name(
                re.compile("; ".join(f"{n}: {t}" for n, t in zip(runs, told, strict=True)))
            )
            seen.update(told)
        assert seen == {*said.values(), "Cannot tell"}


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
