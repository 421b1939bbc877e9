"""What stands beside a list: it is what Python says, follows the hand, and says what it is."""

from collections.abc import Callable
from itertools import accumulate

import pytest
from explorer_page import ExplorerPage
from page_checks import FINISH
from playwright.sync_api import Locator, expect

from byhand import ndcg
from byhand.widgets import Explorer, FormulaComparison

Show = Callable[..., ExplorerPage]
TODAY = ["ketchup", "minestrone", "gazpacho", "lasagne", "focaccia", "bisque", "salad", "tart"]
SOUPS = {"bisque": 3, "gazpacho": 2, "harira": 2, "minestrone": 1, "rasam": 1}


def explorer(shows: str) -> Explorer:
    is_graded = shows in ("discount", "ideal")
    relevant, most = (SOUPS, 3) if is_graded else (set(SOUPS), 1)
    return Explorer(TODAY, relevant, shows=shows, max_grade=most)


def sizes(parts: Locator, *names: str) -> dict[str, list[float]]:
    """The sizes of parts that belong to items, as their style has them, by item."""
    found = parts.evaluate_all(
        """(all, names) => all.map((each) => [each.dataset.id ?? null,
          names.map((name) => Number(each.style.getPropertyValue(name)))])""",
        [f"--{name}" for name in names],
    )
    return dict(found)


# of each state with a bar at each row, how long it is
BARS = {
    "curve": lambda row: row["share of RR"],
    "area": lambda row: row["precision"] * row["hit"],
    "discount": lambda row: row["share of DCG"] / 3,
}


def check(place: ExplorerPage, widget: Explorer, shows: str) -> None:
    """The number, and what is drawn at each row, are those of Python."""
    (value,) = widget.values.values()
    number = f"{value:.2f}" if shows == "discount" else f"{value:.3f}"
    expect(place.find(".rm-riding, .rm-result")).to_have_text(number)
    rows = {row["item"]: row for row in widget.steps.to_dict("records")}
    if shows == "ideal":
        shares = [row["share of nDCG"] for row in rows.values()]
        best = sorted(SOUPS, key=lambda item: -SOUPS[item])
        # the sum of the ideal so far is that of a list that goes no further
        most = [ndcg(best[: n + 1], SOUPS) for n in range(len(rows))]
        drawn = [
            [mine - share, share, top - mine]
            for mine, share, top in zip(accumulate(shares), shares, most, strict=True)
        ]
        found = sizes(place.find(".rm-run"), "before", "adds", "gap-share")
        assert place.find(".rm-best:visible .rm-best-name").all_inner_texts() == best
    else:
        drawn = [[BARS[shows](row)] for row in rows.values()]
        found = sizes(place.find(".rm-line"), "value")
    assert found.keys() == rows.keys()
    for item, expected in zip(rows, drawn, strict=True):
        assert found[item] == pytest.approx(expected, abs=1e-9), item


@pytest.mark.parametrize("shows", [*BARS, "ideal"])
def test_each_state_is_what_python_says_after_each_move_and_under_the_hand(show: Show, shows: str):
    widget = explorer(shows)
    place = show(widget)
    check(place, widget, shows)
    for item, key, to in (("bisque", "Home", 1), ("tart", "ArrowUp", 7), ("minestrone", "End", 8)):
        place.grip(item).press(key)
        widget.ranks.move(item, to=to)
        check(place, widget, shows)
    place.hold("gazpacho", widget.ranks.order[0])
    widget.ranks.move("gazpacho", to=1)
    expect(place.find(".rm-ghost")).to_have_count(1)
    if shows in ("area", "ideal"):  # the others are between two ranks with the hand
        check(place, widget, shows)
    place.page.mouse.up()
    check(place, widget, shows)


def test_bars_of_several_measures_say_what_each_rank_adds(show: Show):
    place = show(explorer("bars"))
    place.grip("bisque").press("Home")
    for item, shares in {
        "bisque": ["1.000", "0.200", "0.339"],
        "ketchup": ["", "", ""],
        "gazpacho": ["", "0.150", "0.146"],
    }.items():
        expect(place.find(f".rm-line[data-id={item}] .rm-at")).to_have_text(shares)


def test_a_term_and_its_row_light_each_other_and_the_last_input_wins(show: Show):
    place = show(explorer("area"))
    terms = place.find(".rm-term")
    expect(terms).to_have_text(["1/2", "2/3", "3/6"])
    expect(terms.nth(1)).to_have_accessible_name("2/3: gazpacho, rank 3")
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


def test_a_number_rides_on_its_row_and_its_formula_is_spoken(show: Show):
    place = show(explorer("curve"))
    place.page.evaluate(FINISH)
    rides, row = (each.bounding_box() for each in (place.find(".rm-riding"), place.row(TODAY[1])))
    assert rides["y"] == pytest.approx(row["y"], abs=1)
    formula = place.find(".rm-formula")
    expect(formula).to_have_text("RR =12")
    expect(formula).to_have_attribute("aria-label", "RR = 1 divided by 2 = 0.500")


SAID = {
    ("bars", "minestrone"): [
        "RR +0.500: the first hit, at rank 2: 1/2",
        "AP +0.100: 1 of the first 2 is relevant: 1/2, divided by 5",
    ],
    ("curve", "ketchup"): ["It pushes the first hit down by one rank."],
    ("curve", "lasagne"): ["It is below the first hit, so it is ignored."],
    ("curve", "gazpacho"): ["RR +0: only the first hit counts"],
    ("area", "lasagne"): ["It lowers the precision at every hit below it."],
    ("area", "tart"): [],  # no hit is below it
    ("discount", "bisque"): ["DCG +1.069: gain 3 × discount 0.356"],
    ("ideal", "gazpacho"): [
        "Down to rank 3, my list has 1.63 and the ideal 5.26. The gap is 3.63."
    ],
}


@pytest.mark.parametrize(("shows", "item"), SAID)
def test_what_a_row_does_is_said_where_it_is_pointed_at(show: Show, shows: str, item: str):
    place = show(explorer(shows))
    place.row(item).hover()
    lens = place.find(".rm-lens > div")
    expect(lens.first).to_contain_text(f"Rank {TODAY.index(item) + 1}, {item}: ")
    said = SAID[shows, item]
    assert lens.all_text_contents()[1 : 1 + max(1, len(said))] == said
    place.grip(TODAY[-1]).press("Home")  # another row comes under the mouse, which did not move
    place.page.wait_for_timeout(300)
    expect(lens.first).to_contain_text(f"Rank 1, {TODAY[-1]}: ")


HEIGHTS = "all => all.map((each) => Number(each.style.getPropertyValue('--value')))"


def test_the_columns_level_out_and_come_back(show: Show):
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


def test_an_ideal_list_goes_on_below_a_short_one(show: Show):
    short = ["minestrone", "ketchup", "gazpacho"]
    place = show(Explorer(short, SOUPS, shows="ideal", max_grade=3))
    expect(place.find(".rm-step")).to_have_count(5)
    missed = place.find(".rm-best.rm-unfound .rm-best-name")
    expect(missed).to_have_text(["bisque", "harira", "rasam"])
    expect(place.find(".rm-lens")).to_contain_text("bisque, harira and rasam were graded but never")


def test_bars_stay_in_the_lines_of_their_rows_when_the_window_changes(show: Show):
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


def test_a_box_says_from_which_grade_on_an_item_is_relevant(show: Show):
    most = {"max_grade": 3, "relevant_from": 1, "measures": ["RR", "AP", "nDCG"]}
    place = show(Explorer(TODAY, SOUPS, **most))
    box, values = place.page.get_by_label("Lowest relevant grade"), place.find(".rm-value")
    box.select_option("3")
    expect(values).to_have_text(["RR = 0.167", "AP = 0.167", "nDCG = 0.444"])
    box.select_option("2")
    expect(values).to_have_text(["RR = 0.333", "AP = 0.222", "nDCG = 0.444"])
    place.press("undo")
    expect(box).to_have_value("3")
    place.press("reset")
    expect(box).to_have_value("1")


def test_a_box_says_as_which_tool_a_value_is_computed(show: Show):
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
        before, adds, gap = sizes(place.find(".rm-run"), "before", "adds", "gap-share")[TODAY[5]]
        assert (before + adds, before + adds + gap) == pytest.approx((value, 1), abs=1e-9), tool
        expect(place.find(".rm-best.rm-unfound:visible")).to_have_count(missed)
    expect(place.find(".rm-meaning")).to_have_text(
        "nDCG ideal: retrieved items · gain: 2^grade - 1 · discount: 1/log₂(rank + 1)"
    )
    place.press("undo")
    expect(box).to_have_value("trec_eval -c")
