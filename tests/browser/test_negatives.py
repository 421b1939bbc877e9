"""Sampled negatives: the numbers are exact, and a dial shows when two systems change places."""

import random
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from scipy import stats

from byhand import DataError, chance
from byhand.widgets import Negatives
from byhand.widgets.negatives import ranks_among

KNOWN = {"A": [100] * 5, "B": [40, 40, 8437, 9266, 4482], "C": [212, 2, 743, 5342, 1548]}


def cases(n: int) -> list[tuple[int, int, int]]:
    """Ranks, numbers of items and of negatives."""
    dice = random.Random(5)
    sizes = [dice.choice([2, 3, 10, 200, 10_000]) for _ in range(n)]
    return [(dice.randint(1, size), size, dice.randint(1, size - 1)) for size in sizes]


@pytest.mark.parametrize(("rank", "n_items", "negatives"), cases(60))
def test_the_ranks_among_negatives_are_hypergeometric(rank, n_items, negatives):
    first, likely = ranks_among(rank, n_items, negatives)
    before = np.arange(first - 1, first - 1 + len(likely))
    known = stats.hypergeom(n_items - 1, rank - 1, negatives).pmf(before)
    assert likely == pytest.approx(known, rel=1e-8, abs=1e-15)
    assert likely.sum() == pytest.approx(1, abs=1e-12)
    if n_items <= 200:
        whole = comb(n_items - 1, negatives)
        ways = [comb(rank - 1, x) * comb(n_items - rank, negatives - x) for x in before.tolist()]
        assert sum(ways) == whole
        exact = [float(Fraction(each, whole)) for each in ways]
        assert likely == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize(("rank", "n_items", "negatives"), cases(20))
def test_the_expected_rr_has_a_closed_form(rank, n_items, negatives):
    shown = Negatives({"x": [rank]}, n_items, negatives=n_items - 1)
    shown.stops = {"negatives": type(shown.stops["negatives"])((negatives,))}
    shown.negatives, shown.measure = negatives, "RR"
    none = Fraction(comb(n_items - rank, negatives + 1), comb(n_items, negatives + 1))
    exact = Fraction(n_items, (negatives + 1) * rank) * (1 - none)
    assert shown.values["x"] == pytest.approx(float(exact), abs=1e-12)


def test_the_example_of_krichene_and_rendle_comes_out():
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


def test_anywhere_is_the_mean_over_all_ranks():
    for measure, name in (("HR", "HR@2"), ("RR", "RR")):
        shown = Negatives({"all": range(1, 31)}, n_items=30, k=2, negatives=6)
        shown.measure = measure
        assert shown.values["all"] == pytest.approx(shown.chance, abs=1e-12)
        assert shown.chance == chance(7, 1, name)


def test_the_browser_has_the_numbers_of_python(live: Page):
    asked = cases(150)
    found = live.evaluate("(asked) => asked.map((each) => live.ranksAmong(...each))", asked)
    for each, answer in zip(asked, found, strict=True):
        first, likely = ranks_among(*each)
        assert answer["first"] == first
        assert answer["likely"] == pytest.approx(likely.tolist(), abs=1e-12)


@pytest.mark.parametrize("width", [1000, 390])
def test_a_dial_shows_when_two_change_places(show, width):
    shown = Negatives({"steady": KNOWN["A"], "<b>": KNOWN["C"]}, n_items=10_000)
    page = show(shown, width=width)
    dial, said = page.find("input[type=range]"), page.find(".rm-verdict")
    expect(said).to_have_text(
        "Among 100 negatives the highest is steady. Among all 9,999 it is <b>."
    )
    stops = shown.stops["negatives"].values
    for negatives, words in [
        (9, "Among 9 negatives the highest value is shared. Among all 9,999 the highest is <b>."),
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


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda: Negatives({}, 10), "systems is {}. Expected ranks by the names of systems"),
        (lambda: Negatives({"x": []}, 10), "'x' has the rank None. .* from 1 to 10, as there"),
        (lambda: Negatives({"x": [11]}, 10), "'x' has the rank 11. A rank is a whole number"),
        (lambda: Negatives({"x": [1]}, 10), "negatives is 100. Expected one of its 9 stops"),
    ],
)
def test_a_mistake_is_said_to_whoever_made_it(mistake, said):
    with pytest.raises(DataError, match=said):
        mistake()
