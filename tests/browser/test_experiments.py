"""Experiments with dials on a page without Python: their numbers are those of the library."""

import random
import re
from itertools import combinations
from math import comb

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from scipy import stats

from byhand import chance, which_conventions
from byhand.statistics import mean_bounds, mean_interval
from byhand.widgets import Drops, Lengths, Negatives, Shuffles, Suspects
from byhand.widgets.negatives import ranks_among
from helpers import worked_example


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
              return [changes, live.judged(changes, fixed)];
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


REPORTED = {
    "CCGGDD": {"MRR": 0.0123, "MAP": 0.0048, "relevant": 17.37},
    "CGGD": {"MRR": 0.0021, "MAP": 0.0020, "relevant": 1.69},
}
TASKS = {
    "No lift": {"lift": (0.95, 1.05)},
    "<b>": {"lead": (2, None)},
    "Behind": {"lead": (None, 0.5)},
}


class TestLengths:
    def test_a_level_is_that_of_lists_with_the_whole_numbers_next_to_the_mean(self):
        shown = Lengths(REPORTED, first=1_000, second=30_000)
        for measure, name in (("MRR", "RR"), ("MAP", "AP")):
            expected = [
                0.63 * chance(1_000, 17, name) + 0.37 * chance(1_000, 18, name),
                0.31 * chance(30_000, 1, name) + 0.69 * chance(30_000, 2, name),
            ]
            assert shown.levels.loc[measure].tolist() == pytest.approx(expected, rel=1e-12)
            lifts = [
                REPORTED[data][measure] / each
                for data, each in zip(REPORTED, expected, strict=True)
            ]
            assert shown.lifts.loc[measure].tolist() == pytest.approx(lifts, rel=1e-12)

    def test_the_browser_has_the_numbers_of_python(self, live: Page):
        dice, shown = random.Random(9), Lengths(REPORTED)
        stops = shown.stops["first"].values
        places = [(dice.randrange(len(stops)), dice.randrange(len(stops))) for _ in range(50)]
        found = live.evaluate(
            """([measures, all]) =>
              all.map((at) => measures.map((each) => live.againstChance(each, at)))""",
            [shown.fixed["measures"], places],
        )
        for (i, j), by_measure in zip(places, found, strict=True):
            shown.first, shown.second = stops[i], stops[j]
            for measure, numbers in zip(shown.levels.index, by_measure, strict=True):
                levels, lifts = (each.loc[measure].tolist() for each in (shown.levels, shown.lifts))
                assert numbers["chance"] == pytest.approx(levels, rel=1e-12)
                assert numbers["lifts"] == pytest.approx(lifts, rel=1e-12)
                assert numbers["byChance"] == pytest.approx(levels[0] / levels[1], rel=1e-12)
                assert numbers["lead"] == pytest.approx(lifts[0] / lifts[1], rel=1e-12)
                assert numbers["ratio"] == pytest.approx(numbers["lead"] * numbers["byChance"])

    def test_dials_move_what_random_orders_get_and_each_task_says_when_it_is_done(self, show):
        shown = Lengths(REPORTED, tasks=TASKS)
        page = show(shown)
        dials, done, said = (page.find(each) for each in ("input", ".rm-done", ".rm-verdict"))
        stops = shown.stops["first"].values

        def turn(first: int, second: int) -> None:
            for dial, each in ((0, first), (1, second)):
                dials.nth(dial).fill(str(stops.index(each)))

        expect(done).to_have_count(0)
        for lengths, by_chance, tasks in [
            ((30_000, 10_000), "2.9", ["✓<b>done"]),
            ((100_000, 1_000), "0.13", ["✓<b>done"]),
            ((9_000, 7_000), "5.8", ["✓No liftdone", "✓<b>done"]),
            ((10_000, 30_000), "19.6", ["✓No liftdone", "✓<b>done", "✓Behinddone"]),
        ]:
            turn(*lengths)
            expect(page.find("p.rm-title").first).to_have_text(
                "MRR: CCGGDD has 5.9 times the value of CGGD. "
                f"Random orders would have {by_chance} times."
            )
            expect(done).to_have_text(tasks)
            n = len(tasks)
            expect(said).to_have_text("✓ All found." if n == 3 else f"✓ Found: {n} of 3.")
        expect(page.find("[role=img]").first).to_have_attribute(
            "aria-label",
            "CCGGDD: reported 0.0123, random orders 0.0111, lift 1.1. "
            "CGGD: reported 0.0021, random orders 0.0006, lift 3.7.",
        )
        assert page.page.evaluate("() => [model.get('first'), model.get('done')]") == [
            10_000,
            [1, 0, 2],
        ]


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


class TestShuffles:
    def test_the_first_relevant_item_is_where_it_is_in_all_orders(self, live: Page):
        for items, relevant in ((8, 3), (6, 1), (5, 5), (7, 4)):
            found = live.evaluate("(asked) => live.firstRanks(...asked)", [items, relevant])
            firsts = [min(ranks) for ranks in combinations(range(1, items + 1), relevant)]
            expected = np.bincount(firsts)[1:] / len(firsts)
            assert found == pytest.approx(expected.tolist(), abs=1e-12)

    def test_the_level_is_that_of_python(self, live: Page):
        dials = (Shuffles.items.stops.values, Shuffles.relevant.stops.values)
        asked = [(items, relevant) for items in dials[0] for relevant in dials[1]]
        levels = "(asked) => asked.map((each) => live.levelOf(live.firstRanks(...each)))"
        expected = [chance(items, relevant) for items, relevant in asked]
        assert live.evaluate(levels, asked) == pytest.approx(expected, abs=1e-12)

    def test_first_ranks_are_drawn_as_often_as_they_are_likely(self, live: Page):
        drawn = live.evaluate(
            """() => Array.from({ length: 20000 }, (_, draw) =>
              live.firstOf(live.firstRanks(8, 3), { seed: 3, draw }))"""
        )
        firsts = [min(ranks) for ranks in combinations(range(1, 9), 3)]
        likely = np.bincount(firsts)[1:] / len(firsts)
        error = np.sqrt(likely * (1 - likely) / len(drawn))
        assert (np.abs(np.bincount(drawn)[1:] / len(drawn) - likely) < 4.5 * error).all()

    def test_the_mean_settles_on_the_chance_level(self, show):
        page = show(Shuffles())
        said, picture = page.find(".rm-verdict"), page.find("[role=img]")
        expect(said).to_have_text("Nothing shuffled yet.")
        expect(picture).to_have_attribute("aria-label", re.compile("^3 of 8 .* RR is 0.609.$"))
        page.button("Shuffle").press("Enter")
        words = said.text_content()
        rank, value, mean = re.search(
            r"rank (\d+), RR is ([\d.]+)\. .* is ([\d.]+)\.$", words
        ).groups()
        assert float(value) == float(mean) == pytest.approx(1 / int(rank), abs=0.0006)
        for _ in range(10):
            page.button("Shuffle 100 times").press("Enter")
        expect(said).to_contain_text("Shuffle 1,000: ")
        expect(page.button("Shuffle")).to_have_attribute("aria-disabled", "true")
        for items in (8, 1000):
            stops = Shuffles.items.stops.values
            page.find("input >> nth=0").fill(str(stops.index(items)))
            expect(picture).to_have_attribute(
                "aria-label", re.compile(f" of {items:,} items, 3 of")
            )
            label = picture.get_attribute("aria-label")
            mean, level = map(
                float, re.search(r"mean is (.+), the .* level (.+)\.$", label).groups()
            )
            assert level == pytest.approx(chance(items, 3), abs=0.0006)
            assert mean == pytest.approx(level, abs=0.05)
        page.button("Start over").press("Enter")
        expect(said).to_have_text("Nothing shuffled yet.")


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


class TestSuspects:
    def test_what_a_browser_finds_is_what_the_library_finds(self, live: Page):
        texts = [*numbers(150), "", "x", ".", "0,4", "41.5"]
        checked = texts[:12]
        found = live.evaluate(EXPLAINED, [SHOWN.page_state()["fixed"], texts])
        for text, answer in zip(texts, found, strict=True):
            SHOWN.number = text
            if answer is None:
                assert SHOWN.explanations == []
                continue
            explanations, expected = answer
            told = ["; ".join(each) or "the conventions given" for each in explanations]
            assert told == SHOWN.explanations, text
            if text in checked:  # these take the library longer
                asked = which_conventions(RUN, QRELS, {"nDCG@3": text})
                assert told == asked["explanation"].tolist()
                if told:
                    assert expected == pytest.approx(asked["by_chance"][0], abs=1e-12)

    def test_with_each_digit_fewer_are_left(self, show):
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

    def test_it_says_in_one_line_how_many_are_left_and_takes_the_library_s_options(self):
        assert repr(SHOWN).startswith("Suspects(nDCG@3 = ")
        few = Suspects(RUN, QRELS, "AP", departures=1, number="1")
        assert len(few.fixed["ways"]) < len(Suspects(RUN, QRELS, "AP").fixed["ways"])
        assert few.picture().alt
