"""Lists and values at random, and visitors who walk down a list, as a reader sees them."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from byhand import chance
from byhand.statistics import randomisation_p
from byhand.widgets import IntervalSamples, PermutationTest, Shuffle, Visitors

TODAY = [*"kmglfbst"]
SOUPS = [*"mgbhr"]  # two are not on the page


def test_a_shuffle_moves_the_rows_the_heap_grows_and_ones_own_order_is_kept(show):
    page = show(Shuffle(TODAY, SOUPS, measures="RR", seed=1))
    words, whose = page.find(".rm-heap-words"), page.find(".rm-whose")
    rows = page.find(".rm-scroll .rm-label")
    hidden = "The exact mean appears after 1,000 shuffles."
    expect(words).to_have_text(hidden)
    page.button("Shuffle 1 time").press("Enter")
    expect(whose).to_have_text("Newest shuffle")
    first = rows.all_text_contents()
    rank = next(n for n, item in enumerate(first, start=1) if item in SOUPS)
    expect(words).to_contain_text(f"its RR is {1 / rank:.3f}. ")
    counted = page.find(".rm-scroll .rm-counts .rm-label")
    expect(counted).to_have_text(first[rank - 1])  # what makes RR is marked where it stands
    expect(page.find(".rm-own-name")).to_have_text("your order 0.500")
    # of ten they stand as the last, once the heap has grown to it
    page.button("Shuffle 10 times").press("Space")
    expect(page.find("circle.rm-drawn")).to_have_count(11)
    newest = rows.all_text_contents()
    assert newest != first
    for key, order in (("z", TODAY), ("Shift+z", newest)):  # one step all of them
        page.page.keyboard.press(f"Control+{key}")
        page.expect_order(*order)
    expect(words).to_contain_text(hidden)
    page.button("Shuffle 1,000 times").click()
    expect(words).to_contain_text("1,011 shuffles: the mean of RR is 0.595.")
    expect(words).to_contain_text(f"over all orders is {chance(8, 3, 'RR'):.3f}.")
    expect(page.find("> div > .rm-said")).to_contain_text("1,011 shuffles: ")
    # what is moved is the reader's, as it was seen, and chance does not follow
    *above, last = rows.all_text_contents()
    page.grip(last).press("Home")
    page.expect_order(last, *above)
    expect(whose).to_have_text("Your order")
    expect(words).to_contain_text("1,011 shuffles: the mean of RR is 0.595.")
    page.press("over")
    page.expect_order(*TODAY)
    expect(words).to_have_text(hidden)


def test_among_others_rows_have_the_ranks_at_which_they_landed(live: Page, show):
    page = show(Shuffle(TODAY, [*"mgb"], measures="RR", others=92, seed=3))
    page.press("longer")
    below = page.find(".rm-below")
    expect(below).to_have_text("and 92 more below, none of them relevant")
    page.press("shuffle-1")
    expect(below).to_be_hidden()  # now they stand in between
    landed = sorted(live.evaluate("live.landedOf(3, 0, 3, 100)"))
    expect(page.find(".rm-scroll .rm-hit .rm-rank")).to_have_text([*map(str, landed)])
    label = page.find(".rm-lane[role=img]").get_attribute("aria-label")
    assert label.endswith(f"RR = {1 / landed[0]:.3f}.")
    page.press("yours")
    expect(page.find(".rm-scroll .rm-rank")).to_have_text([*map(str, range(1, 9))])


TOSSED = [0.5, 0.25, -0.125, 0.0, 0.3, -0.1, 0.2]
# what is permuted, what the button says, what was observed, and the share of all ways
PERMUTED = [
    (
        lambda: PermutationTest({"many": [0.5, 0.2, 0.1], "few": [0.1, 0.05, 0.01, 0]}),
        *("Permute", "many − few, is +0.227.", 2 / 35),
    ),
    (
        lambda: PermutationTest(TOSSED, names=("<b>", "old")),  # names are text
        *("Flip signs", "<b> − old, is +0.146.", randomisation_p(np.array(TOSSED))),
    ),
]


@pytest.mark.parametrize(("make", "does", "observed", "exact"), PERMUTED, ids=["labels", "signs"])
def test_what_is_permuted_is_counted_and_p_comes_near_the_share_of_all_ways(
    live: Page, show, make, does: str, observed: str, exact: float
):
    page = show(make())
    words = page.find(".rm-heap-words")
    expect(words).to_have_text(f"The mean difference, {observed}")
    page.button(f"{does} 1 time").press("Enter")
    page.button(f"{does} 1,000 times").press("Space")
    reached = live.evaluate("model.get('reached')")
    assert reached / 1001 == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 1001))
    p = f"p = ({reached} + 1) / (1,001 + 1) = {(reached + 1) / 1002:.3f}"
    expect(page.find("> div > .rm-said")).to_contain_text(p)
    page.press("over")
    expect(words).to_contain_text(observed)


def test_samples_are_drawn_and_the_goal_is_noticed(show):
    differences = np.linspace(-0.3, 0.4, 60)  # for a power of 80% they take more than 100
    samples = show(IntervalSamples(differences, names=("<b>", "old"), n=30, goal=0.05))
    verdict, share = samples.find(".rm-verdict"), samples.find(".rm-value").first
    expect(verdict.last).to_have_text("No sample yet. Draw one.")
    samples.button("Draw").press("Enter")
    samples.button("Draw 100 times").press("Space")
    expect(verdict.last).to_contain_text("Sample 101: mean ")
    expect(share).to_have_text(re.compile(r"9\d%|100%"))
    dial = samples.find("[data-name=n]")
    held = dial.bounding_box()
    for said in ("50", "75", "100", "150"):
        expect(verdict.first).to_have_text("")
        dial.press("ArrowRight")
        expect(dial).to_have_attribute("aria-valuetext", said)
    expect(verdict.first).to_contain_text("✓ Goal reached: with 150 queries the power is 8")
    expect(verdict.last).to_have_text("101 samples, drawn again with these settings.")
    assert dial.bounding_box() == held  # what is said does not push it out of a hand
    dial.press("ArrowRight")
    expect(verdict.first).to_contain_text("Fewer queries are enough.")
    samples.button("Start over").press("Enter")
    expect(verdict.first).to_have_text("")
    expect(share).to_have_text("–")


def test_of_ap_each_walks_to_the_next_soup_and_two_for_ever(show):
    page = show(Visitors(TODAY, SOUPS, measures="AP"), width=344, height=844)
    words, said = page.find(".rm-walk-words"), page.find("> div > .rm-said")
    big = page.find(".rm-number-now")
    # before anybody walks each visitor and each row has its place
    expect(page.find(".rm-walks .rm-unread")).to_have_count(5 * len(TODAY))
    expect(words).to_have_text("Visitor 1 wants 1 good one.")
    page.press(*["step"] * (2 + 3 + 6))
    expect(said).to_have_text("Visitor 3 stops: 3 good of 6 read.")
    page.press(*["step"] * 8)
    for share in ("3/9", "3/10", "3/20", "3/100", "3/1,000", "0"):
        page.press("step")
        expect(big).to_have_text(share)
    expect(page.find(".rm-share")).to_have_text(["1/2", "2/3", "3/6", "0"])
    page.button("Play").click()
    expect(said).to_have_text(
        "Visitor 5 reads on for ever: 3 good of ever more rows, a share that falls to 0. "
        "AP is what the 5 visitors got on average: 0.333.",
        timeout=9000,
    )
    # the number follows the list, by hand and by keys
    page.drag_with_mouse("h", "f")
    expect(big).to_have_text("0.468")
    page.press("over")
    page.expect_order(*TODAY)
    expect(words).to_have_text("Visitor 1 wants 1 good one.")
