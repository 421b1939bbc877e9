"""What stands beside a list: it is what Python says, follows the hand, and says what it is."""

from math import log2

import pytest
from explorer_page import ExplorerPage
from page_checks import FINISH
from playwright.sync_api import expect

from byhand.widgets import Explorer, FormulaComparison

TODAY = ["ketchup", "minestrone", "gazpacho", "lasagne", "focaccia", "bisque", "salad", "tart"]
SOUPS = {"bisque": 3, "gazpacho": 2, "harira": 2, "minestrone": 1, "rasam": 1}


def explorer(shows: str) -> Explorer:
    most = 3 if shows in ("discount", "ideal") else 1
    return Explorer(TODAY, SOUPS if most == 3 else {*SOUPS}, shows=shows, max_grade=most)


# of each part that belongs to an item: the item, and the sizes that its style has
SIZES = """(parts, names) => parts.map(({ dataset, style }) =>
  [dataset.id ?? null, names.map((name) => Number(style.getPropertyValue(`--${name}`)))])"""
# of each state with bisque at rank 2: the number, and at some rows how large what is drawn is
DRAWN = {
    "curve": ("0.500", {"bisque": [1 / 2], "ketchup": [0], "gazpacho": [0]}),
    "area": ("0.383", {"bisque": [1 / 2], "ketchup": [0], "gazpacho": [3 / 4]}),
    "discount": ("3.25", {"bisque": [1 / log2(3)], "ketchup": [0], "gazpacho": [2 / 3 / log2(5)]}),
    # the sum before, what is added, and the gap to the ideal, as shares of 6.08
    "ideal": ("0.535", {"gazpacho": [0.394, 0.142, 0.401], "tart": [0.535, 0, 0.465]}),
}


@pytest.mark.parametrize("shows", DRAWN)
def test_the_number_follows_the_hand_and_each_row_has_what_it_adds(show, shows: str):
    place = show(explorer(shows))
    number, drawn = DRAWN[shows]
    place.hold("bisque", "minestrone")
    expect(place.find(".rm-riding, .rm-result")).to_have_text(number)
    place.page.mouse.up()
    place.expect_order(*TODAY[:1], "bisque", *(each for each in TODAY[1:] if each != "bisque"))
    parts, names = (".rm-line", ["value"])
    if shows == "ideal":
        parts, names = (".rm-run", ["before", "adds", "gap-share"])
    found = dict(place.find(parts).evaluate_all(SIZES, names))
    for item, expected in drawn.items():
        assert found[item] == pytest.approx(expected, abs=5e-4), item
    for riding in place.find(".rm-riding").all():  # on the row that makes it
        place.page.evaluate(FINISH)
        top = place.row("bisque").bounding_box()["y"]
        assert riding.bounding_box()["y"] == pytest.approx(top, abs=1)


def test_bars_of_several_measures_say_what_each_rank_adds(show):
    place = show(explorer("bars"))
    place.grip("bisque").press("Home")
    for item, shares in {
        "bisque": ["1.000", "0.200", "0.339"],
        "ketchup": ["", "", ""],
        "gazpacho": ["", "0.150", "0.146"],
    }.items():
        expect(place.find(f".rm-line[data-id={item}] .rm-at")).to_have_text(shares)


def test_a_term_and_its_row_light_each_other_and_the_last_input_wins(show):
    place = show(explorer("area"))
    terms = place.find(".rm-term")
    expect(terms).to_have_text(["1/2", "2/3", "3/6"])
    expect(terms.nth(1)).to_have_accessible_name("2/3: gazpacho, rank 3")
    spoken = "AP = (1/2 + 2/3 + 3/6 + 0 + 0) divided by 5 = 0.333"
    expect(place.find(".rm-formula")).to_have_attribute("aria-label", spoken)
    for points, item in (
        (terms.nth(1).hover, "gazpacho"),
        (place.grip("bisque").focus, "bisque"),
        (place.find(".rm-col").first.hover, "minestrone"),
        (lambda: place.page.mouse.move(0, 0), "bisque"),  # the focus is still there
        (terms.first.focus, "minestrone"),
        (lambda: place.page.keyboard.press("ArrowRight"), "gazpacho"),
        (terms.nth(2).tap, "bisque"),
    ):
        points()
        for part in (".rm-row", ".rm-line", ".rm-col", ".rm-term"):
            expect(place.find(f"{part}.rm-lit")).to_have_attribute("data-id", item)


SAID = {
    ("bars", "minestrone"): [
        "RR +0.500: the first hit, at rank 2: 1/2",
        "AP +0.100: 1 of the first 2 is relevant: 1/2, divided by 5",
    ],
    ("curve", "ketchup"): ["It pushes the first hit down by one rank."],
    ("area", "lasagne"): ["It lowers the precision at every hit below it."],
    ("discount", "bisque"): ["DCG +1.069: gain 3 × discount 0.356"],
    ("ideal", "gazpacho"): [
        "Down to rank 3, my list has 1.63 and the ideal 5.26. The gap is 3.63."
    ],
}


@pytest.mark.parametrize(("shows", "item"), SAID)
def test_what_a_row_does_is_said_where_it_is_pointed_at(show, shows: str, item: str):
    place = show(explorer(shows))
    place.row(item).hover()
    lens = place.find(".rm-lens > div")
    expect(lens.first).to_contain_text(f"Rank {TODAY.index(item) + 1}, {item}: ")
    said = SAID[shows, item]
    assert lens.all_text_contents()[1 : 1 + len(said)] == said
    place.grip(TODAY[-1]).press("Home")  # another row comes under the mouse, which did not move
    place.page.wait_for_timeout(300)
    expect(lens.first).to_contain_text(f"Rank 1, {TODAY[-1]}: ")


HEIGHTS = "all => all.map((each) => Number(each.style.getPropertyValue('--value')))"


def test_the_columns_level_out_and_come_back(show):
    place = show(explorer("area"))
    heights, below = place.find(".rm-col"), place.find(".rm-under-columns > span")
    apart = heights.evaluate_all(HEIGHTS)
    expect(below).to_have_text(["1/2", "2/3", "3/6", "0", "0"])
    place.button("Level it").click()
    assert heights.evaluate_all(HEIGHTS) == pytest.approx([1 / 3] * len(SOUPS))
    expect(below).to_have_text(["0.333"])  # once: five of them ran into each other
    expect(place.button("Back to columns")).to_have_attribute("aria-pressed", "true")
    place.button("Back to columns").click()
    assert heights.evaluate_all(HEIGHTS) == apart == pytest.approx([1 / 2, 2 / 3, 3 / 6, 0, 0])


def test_an_ideal_list_goes_on_below_a_short_one(show):
    place = show(Explorer(TODAY[:3], SOUPS, shows="ideal", max_grade=3))
    expect(place.find(".rm-step")).to_have_count(5)
    best, missed = (place.find(f"{each} .rm-best-name") for each in (".rm-best", ".rm-unfound"))
    expect(best).to_have_text(["bisque", "gazpacho", "harira", "minestrone", "rasam"])
    expect(missed).to_have_text(["bisque", "harira", "rasam"])
    expect(place.find(".rm-lens")).to_contain_text("bisque, harira and rasam were graded but never")


def test_bars_stay_in_the_lines_of_their_rows_when_the_window_changes(show):
    two = {"today": (TODAY, SOUPS), "upside down": (TODAY[::-1], SOUPS)}
    page = show(FormulaComparison(two, ["P@5", "AP"]), width=390, height=844).page
    first = ExplorerPage(page, scope="main .rm-board >> nth=0 >>")
    for width, height in [(1204, 1300), (390, 844), (390, 700)]:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        page.evaluate(FINISH)
        for item in TODAY:
            bar, row = (
                each.bounding_box()
                for each in (first.find(f".rm-line[data-id={item}]"), first.row(item))
            )
            assert bar["y"] == pytest.approx(row["y"], abs=1), (item, width, height)


def test_a_box_says_from_which_grade_on_an_item_is_relevant(show):
    place = show(Explorer(TODAY, SOUPS, max_grade=3, relevant_from=1))
    box, values = place.page.get_by_label("Lowest relevant grade"), place.find(".rm-value")
    box.select_option("3")
    expect(values).to_have_text(["RR = 0.167", "AP = 0.167", "nDCG = 0.444"])
    box.select_option("2")
    expect(values).to_have_text(["RR = 0.333", "AP = 0.222", "nDCG = 0.444"])
    place.press("undo")
    expect(box).to_have_value("3")
    place.press("reset")
    expect(box).to_have_value("1")


def test_a_box_says_as_which_tool_a_value_is_computed(show):
    tools = ["trec_eval -c", "sklearn", "xgboost"]
    shown = {"shows": "ideal", "measures": "nDCG@6", "max_grade": 3}
    widget = Explorer(TODAY[:6], SOUPS, conventions=tools, **shown)
    place = show(widget)
    box = place.page.get_by_label("Computed as in")
    for tool, missed in (("xgboost", 0), ("sklearn", 0), ("trec_eval -c", 2), ("xgboost", 0)):
        box.select_option(tool)
        widget.conventions = tool
        (value,) = widget.values.values()
        expect(place.find(".rm-result")).to_have_text(f"{value:.3f}")
        expect(place.find(".rm-best.rm-unfound:visible")).to_have_count(missed)
    expect(place.find(".rm-meaning")).to_have_text(
        "nDCG ideal: retrieved items · gain: 2^grade - 1 · discount: 1/log₂(rank + 1)"
    )
    place.press("undo")
    expect(box).to_have_value("trec_eval -c")
