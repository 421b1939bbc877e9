"""Two data sets beside random orders: the numbers are Python's, and a task says when it is done."""

import random

import pytest
from playwright.sync_api import Page, expect

from byhand import chance
from byhand.widgets import Lengths

REPORTED = {
    "CCGGDD": {"MRR": 0.0123, "MAP": 0.0048, "relevant": 17.37},
    "CGGD": {"MRR": 0.0021, "MAP": 0.0020, "relevant": 1.69},
}
TASKS = {
    "No lift": {"lift": (0.95, 1.05)},
    "<b>": {"lead": (2, None)},
    "Behind": {"lead": (None, 0.5)},
}


def test_a_level_is_that_of_lists_with_the_whole_numbers_next_to_the_mean():
    shown = Lengths(REPORTED, first=1_000, second=30_000)
    for measure, name in (("MRR", "RR"), ("MAP", "AP")):
        expected = [
            0.63 * chance(1_000, 17, name) + 0.37 * chance(1_000, 18, name),
            0.31 * chance(30_000, 1, name) + 0.69 * chance(30_000, 2, name),
        ]
        assert shown.levels.loc[measure].tolist() == pytest.approx(expected, rel=1e-12)
        lifts = [
            REPORTED[data][measure] / each for data, each in zip(REPORTED, expected, strict=True)
        ]
        assert shown.lifts.loc[measure].tolist() == pytest.approx(lifts, rel=1e-12)


def test_the_browser_has_the_numbers_of_python(live: Page):
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


@pytest.mark.parametrize("width", [1000, 390])
def test_dials_move_what_random_orders_get_and_each_task_says_when_it_is_done(show, width):
    shown = Lengths(REPORTED, tasks=TASKS)
    page = show(shown, width=width)
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
