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


def explorer(shows: str, **more: object) -> Explorer:
    relevant = SOUPS if shows in ("discount", "ideal") else set(SOUPS)
    most = {"max_grade": 3} if shows in ("discount", "ideal") else {}
    return Explorer(TODAY, relevant, shows=shows, **most, **more)


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
    if shows == "number":
        place.page.evaluate(FINISH)
        first = place.row(next(item for item, row in rows.items() if row["hit"]))
        rides = place.find(".rm-riding").bounding_box()["y"]
        assert rides == pytest.approx(first.bounding_box()["y"], abs=1)
        return
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


@pytest.mark.parametrize("shows", ["number", *BARS, "ideal"])
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
    widget = explorer("bars")
    place = show(widget)
    place.grip("bisque").press("Home")
    widget.ranks.move("bisque", to=1)
    shares = {
        row["item"]: [f"{row[f'share of {name}']:.3f}" for name in widget.values]
        for row in widget.steps.to_dict("records")
    }
    said = place.find(".rm-line").evaluate_all("all => all.map((e) => [e.dataset.id, e.innerText])")
    for item, text in said:
        assert text.split() == [each for each in shares[item] if each != "0.000"], item


def test_a_scale_says_what_it_is_of_and_shows_that_it_changed(show: Show):
    def expect_scale(*said: str) -> None:
        ticks = place.find(".rm-ticks").first.locator("span").all_inner_texts()
        assert (place.find(".rm-axis > span").first.inner_text(), *ticks) == said

    place = show(explorer("discount"))
    expect_scale("gain × discount", "0", "1", "2", "3")
    place = show(FormulaComparison({"one": (TODAY, {"minestrone"})}, ["rank", "1/rank"], extra=92))
    expect_scale("what a hit counts as", "0", "4", "8")
    expect(place.find(".rm-rescaled")).to_have_count(0)
    place.press("longer")
    expect_scale("what a hit counts as", "0", "50", "100")
    expect(place.find(".rm-rescaled")).to_have_count(3)
    place.grip("minestrone").press("Delete")
    expect_scale("what a hit counts as", "0", "50", "99")  # a rank is a whole number
    place.press("'1/rank'")
    expect_scale("what a hit counts as", "0", "1/2", "1")


def test_a_term_and_its_row_light_each_other_and_the_last_input_wins(show: Show):
    place = show(explorer("area"))
    terms = place.find(".rm-term")
    expect(terms).to_have_text(["1/2", "2/3", "3/6"])
    expect(terms.nth(1)).to_have_accessible_name("2/3: gazpacho, rank 3")

    def expect_lit(item: str) -> None:
        for part in (".rm-row", ".rm-line", ".rm-col", ".rm-term"):
            expect(place.find(f"{part}.rm-lit")).to_have_attribute("data-id", item)

    terms.nth(1).hover()
    expect_lit("gazpacho")
    place.grip("bisque").focus()
    expect_lit("bisque")
    place.find(".rm-col").first.hover()
    expect_lit("minestrone")
    place.page.mouse.move(0, 0)
    expect_lit("bisque")  # the focus is still there
    terms.first.focus()
    terms.first.press("ArrowRight")
    expect(terms.nth(1)).to_be_focused()
    expect_lit("gazpacho")
    terms.nth(2).tap()
    expect_lit("bisque")


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


def test_a_formula_is_spoken_as_a_sentence(show: Show):
    formula = show(explorer("curve")).find(".rm-formula")
    expect(formula).to_have_text("RR =12")
    expect(formula).to_have_attribute("aria-label", "RR = 1 divided by 2 = 0.500")


def test_the_columns_level_out_and_come_back(show: Show):
    widget = explorer("area")
    place = show(widget)

    def expect_heights(*heights: float) -> None:
        found = place.find(".rm-col").evaluate_all(
            "all => all.map((each) => Number(each.style.getPropertyValue('--value')))"
        )
        assert sorted(found) == pytest.approx(sorted(heights), abs=1e-12)

    expect_heights(1 / 2, 2 / 3, 3 / 6, 0, 0)
    place.button("Level it").click()
    expect_heights(*[widget.values["AP"]] * len(SOUPS))
    below = place.find(".rm-under-columns > span").all_text_contents()
    assert below == [f"{widget.values['AP']:.3f}"]  # once: five of them ran into each other
    expect(place.button("Back to columns")).to_have_attribute("aria-pressed", "true")
    place.button("Back to columns").click()
    expect_heights(1 / 2, 2 / 3, 3 / 6, 0, 0)


def test_an_ideal_list_goes_on_below_a_short_one(show: Show):
    short = ["minestrone", "ketchup", "gazpacho"]
    place = show(Explorer(short, SOUPS, shows="ideal", max_grade=3))
    expect(place.find(".rm-step")).to_have_count(5)
    assert place.find(".rm-run[data-id]").count() == 3
    assert place.find(".rm-best.rm-unfound .rm-best-name").all_inner_texts() == [
        *("bisque", "harira", "rasam")
    ]
    expect(place.find(".rm-lens")).to_contain_text("bisque, harira and rasam were graded but never")


# of each bar, how far its middle is from that of the row whose name it has
OUT_OF_STEP = """(bars) => bars.map((bar) => {
  const list = bar.closest('.rm-board').querySelector('.rm-scroll');
  const row = list.querySelector(`.rm-row[data-id="${bar.dataset.id}"]`);
  const middle = (part) => (({ top, height }) => top + height / 2)(part.getBoundingClientRect());
  return Math.abs(middle(bar) - middle(row));
})"""


LATE = ["ketchup", "lasagne", "focaccia", "salad", "tart", "minestrone", "gazpacho", "bisque"]
TWO = {"today": (TODAY, SOUPS), "upside down": (LATE, SOUPS)}


def test_bars_stay_in_the_lines_of_their_rows_when_the_window_changes(show: Show):
    for made in (explorer("area"), FormulaComparison(TWO, ["P@5", "AP"])):
        place = show(made, width=390, height=844)
        for width, height in [(1204, 1300), (390, 844), (390, 700)]:
            place.page.set_viewport_size({"width": width, "height": height})
            place.page.wait_for_timeout(100)
            place.page.evaluate(FINISH)
            apart = place.find(".rm-line:visible").evaluate_all(OUT_OF_STEP)
            assert apart, (width, height)
            assert max(apart) < 1, (width, height)


def test_a_box_says_from_which_grade_on_an_item_is_relevant(show: Show):
    most = {"max_grade": 3, "relevant_from": 1, "measures": ["RR", "AP", "nDCG"]}
    place = show(Explorer(TODAY, SOUPS, **most))
    box = place.page.get_by_label("Lowest relevant grade")
    for grade, rr, ap in (
        ("2", "0.333", "0.222"),
        ("3", "0.167", "0.167"),
        ("1", "0.500", "0.333"),
    ):
        box.select_option(grade)
        expect(place.find(".rm-value")).to_have_text([f"RR = {rr}", f"AP = {ap}", "nDCG = 0.444"])
    place.press("undo")
    expect(box).to_have_value("3")
    place.press("reset")
    expect(box).to_have_value("1")


def test_a_box_says_as_which_tool_a_value_is_computed(show: Show):
    tools = ["trec_eval -c", "sklearn", "xgboost", "recommenders", "haystack", "lenskit"]
    shown = {"shows": "ideal", "measures": "nDCG@6", "max_grade": 3}
    widget = Explorer(TODAY[:6], SOUPS, conventions=tools, **shown)
    place = show(widget)
    box = place.page.get_by_label("Computed as in")
    best = place.find(".rm-best:not([hidden])")
    missed = {}
    for tool in tools[::-1]:
        box.select_option(tool)
        widget.conventions = tool
        (value,) = widget.values.values()
        expect(place.find(".rm-result")).to_have_text(f"{value:.3f}")
        before, adds, gap = sizes(place.find(".rm-run"), "before", "adds", "gap-share")[TODAY[5]]
        assert (before + adds, before + adds + gap) == pytest.approx((value, 1), abs=1e-9), tool
        missed[tool] = best.and_(place.find(".rm-unfound")).count()
    assert missed["trec_eval -c"] > missed["sklearn"] == missed["xgboost"] == 0
    box.select_option("xgboost")
    expect(place.find(".rm-meaning")).to_have_text(
        "nDCG ideal: retrieved items · gain: 2^grade - 1 · discount: 1/log₂(rank + 1)"
    )
    place.press("undo")
    expect(box).to_have_value("trec_eval -c")
