"""Lists at random: where hits land, what that is worth, and what a reader sees of it."""

import re
from itertools import permutations

import numpy as np
import pytest
from explorer_page import ExplorerPage
from playwright.sync_api import Page, expect

from byhand import chance
from byhand.statistics import randomisation_p
from byhand.widgets import Explorer, PermutationTest, Shuffle

TODAY = [*"kmglfbst"]
SOUPS = [*"mgbhr"]  # two are not on the page
GRADES = {"b": 3, "g": 2, "h": 2, "m": 1, "r": 1}
MEASURES = [
    "RR",
    "AP",
    "nDCG",
    "P@5",
    "ERR(max_rel=3)",
    "RBP",
    "R@3",
    "Rprec",
    "Success@2",
    "DCG@4",
]
PLACED = """([order, grades, specs, placed]) => specs.map((spec) => {
  const { judged, nRetrieved: total } = live.listOf(order, grades);
  const ids = order.filter((id) => grades[id] > 0);
  const known = { total, grades, judged, spec };
  return [placed.map((ranks) => live.valueAt(ranks, ids, known)), live.endsOf(ids, known)];
})"""


@pytest.mark.parametrize("grades", [dict.fromkeys(SOUPS, 1), GRADES], ids=["plain", "graded"])
def test_values_by_the_ranks_of_hits_are_those_of_orders_and_their_mean_is_the_level(live, grades):
    order = [*"kmglb"]
    hits = [item for item in order if item in grades]
    shuffles = [Shuffle(order, grades, measures=name, max_grade=3) for name in MEASURES]
    known = Explorer(order, grades, measures=MEASURES, max_grade=3)
    rows, placed = [], []
    for each in permutations(order):
        known.ranks.order = each
        rows.append([*known.values.values()])
        placed.append([each.index(item) + 1 for item in hits])
    specs = [each.fixed["measure"] for each in shuffles]
    found = live.evaluate(PLACED, [order, grades, specs, placed])
    known = zip(MEASURES, shuffles, np.array(rows).T, found, strict=True)
    for name, shuffle, expected, (values, ends) in known:
        np.testing.assert_allclose(values, expected, atol=1e-12, err_msg=name)
        assert sorted(ends) == pytest.approx([min(values), max(values)]), name
        assert shuffle.level == pytest.approx(np.mean(values)), name


@pytest.mark.parametrize("name", ["RR", "AP", "P@5"])
def test_the_level_is_that_of_chance_also_with_others(name: str):
    shuffle = Shuffle(TODAY, [*"mgb"], measures=name, others=992)
    assert shuffle.level == pytest.approx(chance(8, 3, name))
    shuffle.longer = True
    assert shuffle.level == pytest.approx(chance(1000, 3, name))


def test_the_heap_grows_and_its_mean_comes_near_the_level(live: Page, show):
    page = show(Shuffle(TODAY, SOUPS, seed=1))
    words, said = page.find(".rm-heap-words"), page.find("> div > .rm-said")
    hidden = "The exact mean appears after 1,000 shuffles."
    expect(words).to_have_text(hidden)
    page.button("Shuffle 1 time").press("Enter")
    expect(words).to_contain_text("1 shuffle: its AP is ")
    expect(page.find(".rm-newest")).to_have_count(1)
    landed = live.evaluate("live.landedOf(1, 0, 3, 8)")
    hits = page.find(".rm-scroll .rm-row").evaluate_all(
        "all => all.flatMap((each, i) => (each.matches('.rm-hit') ? [i + 1] : []))"
    )
    assert hits == sorted(landed)
    page.button("Shuffle 10 times").press("Space")
    expect(page.find("circle.rm-drawn")).to_have_count(11)
    expect(words).to_contain_text(hidden)
    assert "0.317" not in page.find("> div").inner_text()
    expect(page.find(".rm-exact")).to_have_count(0)
    page.button("Shuffle 1,000 times").click()
    expect(words).to_contain_text("1,011 shuffles: the mean of AP is 0.31")
    expect(words).to_contain_text("The mean of AP over all orders is 0.317.")
    expect(page.find(".rm-exact")).to_have_count(1)
    expect(page.find(".rm-exact-name")).to_have_text("exact mean 0.317")
    expect(said).to_contain_text("1,011 shuffles: ")
    expect(page.find("circle.rm-drawn")).to_have_count(1)  # the newest, on its bar
    # one's own order follows the hand, and chance does not
    page.press("yours")
    page.expect_order(*TODAY)
    page.drag_with_mouse("b", "k")
    expect(words).to_contain_text("reach your 0.483 (10%).")
    page.press("over")
    page.expect_order(*TODAY)
    expect(words).to_have_text(hidden)
    expect(page.find(".rm-exact")).to_have_count(0)


def order_of(page: ExplorerPage) -> list[str]:
    return page.find(".rm-scroll .rm-label").all_text_contents()


def test_a_shuffle_moves_the_rows_and_keeps_ones_own_order(live: Page, show):
    page = show(Shuffle(TODAY, SOUPS, measures="RR", seed=1))
    whose, yours = page.find(".rm-whose"), page.find("[data-name=yours]")
    own, words = page.find(".rm-own-name"), page.find(".rm-heap-words")
    expect(whose).to_have_text("your order")
    expect(yours).to_be_hidden()
    page.press("shuffle-1")
    expect(whose).to_have_text("newest shuffle")
    first = order_of(page)
    assert first != TODAY
    value = float(re.search(r"its RR is ([\d.]+)\. ", words.text_content())[1])
    hits = [rank for rank, item in enumerate(first, start=1) if item in SOUPS]
    assert value == pytest.approx(1 / hits[0], abs=5e-4)
    counted = page.find(".rm-scroll .rm-counts .rm-label")
    expect(counted).to_have_text(first[hits[0] - 1])  # what makes RR is marked where it stands
    expect(own).to_have_text("your order 0.500")
    # of ten they stand as the last, once the heap has grown to it
    page.press("shuffle-10")
    expect(words).to_contain_text("11 shuffles")
    newest = order_of(page)
    assert newest != first
    assert [rank for rank, item in enumerate(newest, start=1) if item in SOUPS] == sorted(
        live.evaluate("live.landedOf(1, 10, 3, 8)")
    )
    page.page.keyboard.press("Control+z")  # all of them are one step
    page.expect_order(*TODAY)
    page.page.keyboard.press("Control+Shift+z")
    page.expect_order(*newest)
    expect(whose).to_have_text("newest shuffle")
    page.page.keyboard.press("Control+z")
    page.expect_order(*TODAY)
    page.press("shuffle-1", "yours")
    page.expect_order(*TODAY)
    expect(whose).to_have_text("your order")
    # what is moved is the reader's, as it was seen
    page.press("shuffle-1")
    seen = order_of(page)
    page.drag_with_mouse(seen[5], seen[1])
    page.expect_order(seen[0], seen[5], *seen[1:5], *seen[6:])
    expect(whose).to_have_text("your order")
    rank = next(i for i, item in enumerate(order_of(page), start=1) if item in SOUPS)
    expect(own).to_have_text(f"your order {1 / rank:.3f}")


def test_among_others_rows_have_the_ranks_at_which_they_landed(live: Page, show):
    page = show(Shuffle(TODAY, [*"mgb"], measures="RR", others=92, seed=3))
    page.press("longer")
    below = page.find(".rm-below")
    expect(below).to_have_text("and 92 more below, none of them relevant")
    expect(below).to_be_visible()
    page.press("shuffle-1")
    expect(below).to_be_hidden()  # now they stand in between
    ranks = page.find(".rm-scroll .rm-hit .rm-rank")
    landed = sorted(live.evaluate("live.landedOf(3, 0, 3, 100)"))
    expect(ranks).to_have_text([*map(str, landed)])
    value = f"{1 / landed[0]:.3f}"
    expect(page.find(".rm-heap-words")).to_contain_text(f"its RR is {value}")
    label = page.find(".rm-lane[role=img]").get_attribute("aria-label")
    assert label.endswith(f"RR = {value}.")
    expect(page.find(".rm-own-name")).to_have_text("your order 0.500")
    page.press("yours")
    expect(page.find(".rm-scroll .rm-rank")).to_have_text([*map(str, range(1, 9))])
    expect(below).to_be_visible()


MANY, FEW = [0.5, 0.2, 0.1], [0.1, 0.05, 0.01, 0]


def told(live: Page) -> list[int]:
    return live.evaluate("['shuffles', 'reached'].map((name) => model.get(name))")


def test_labels_are_permuted_and_p_comes_near_the_share_of_all_ways(live: Page, show):
    page = show(PermutationTest({"many": MANY, "few": FEW}))
    words, full = page.find(".rm-heap-words"), page.find(".rm-value-of.rm-on")
    expect(words).to_have_text("The mean difference, many − few, is +0.227.")
    expect(full).to_have_count(3)
    page.button("Permute 1 time").press("Enter")
    expect(words).to_contain_text("1 permutation: ")
    expect(page.find(".rm-group").first).to_contain_text("many, newest permutation: 3 values, ")
    page.button("Permute 1,000 times").press("Space")
    expect(words).to_contain_text("1,001 permutations: ")
    shuffles, reached = told(live)
    assert (shuffles, reached / 1001) == (1001, pytest.approx(2 / 35, abs=0.03))
    expect(page.find("> div > .rm-said")).to_contain_text(f"p = ({reached} + 1) / (1,001 + 1) = ")
    assert page.find("> div").bounding_box()["height"] <= 640
    page.press("over")
    expect(words).to_contain_text("is +0.227.")


def test_signs_are_flipped_and_far_ones_are_counted_as_p_says(live: Page, show):
    live.emulate_media(reduced_motion="reduce")
    tossed = np.array([0.5, 0.25, -0.125, 0.0, 0.3, -0.1, 0.2])
    page = show(PermutationTest(tossed, names=("<b>", "old")))
    words, dots = page.find(".rm-heap-words"), page.find(".rm-value-of")
    where = "(dots) => dots.map((dot) => [dot.classList.contains('rm-on'), dot.cx.baseVal.value])"
    before, width = dots.evaluate_all(where), page.find("svg").bounding_box()["width"]
    expect(words).to_have_text("The mean difference, <b> − old, is +0.146.")  # names are text
    page.button("Toss 1 time").press("Enter")
    expect(words).to_contain_text("1 permutation: ")
    after = dots.evaluate_all(where)
    assert 0 < [kept for kept, _ in after].count(False) < len(tossed)
    for (_, was), (kept, now) in zip(before, after, strict=True):
        assert now == pytest.approx(was if kept else width - was, abs=1)
    page.button("Toss 1,000 times").press("Space")
    shuffles, reached = told(live)
    p, exact = (reached + 1) / 1002, randomisation_p(tossed)
    assert p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / shuffles))
    assert words.text_content() == (
        f"1,001 permutations: {reached} at least as far from 0 as +0.146. The observed one counts "
        f"as one more: p = ({reached} + 1) / (1,001 + 1) = {p:.3f}."
    )
