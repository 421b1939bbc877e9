"""A ranked list on a page, beyond what the list of every widget does."""

from collections.abc import Callable

import pytest
from explorer_page import ExplorerPage
from playwright.sync_api import expect

from byhand.widgets import Explorer

Show = Callable[..., ExplorerPage]
FIVE = ["D1", "D2", "D3", "D4", "D5"]


@pytest.mark.parametrize(
    ("last", "item", "edge"), [(8, "D2", 290), (40, "D7", 10), (40, "D2", 290)]
)
def test_a_list_that_goes_on_outside_the_window_comes_in_while_a_row_is_held_there(
    show: Show, last: int, item: str, edge: int
):
    names = [f"D{n}" for n in range(1, last + 1)]
    place = show(Explorer(names, {item}, measures="RR"), height=300)
    row, mouse = place.row(item), place.page.mouse
    if last > 8:  # on a machine that is always late
        place.page.evaluate("() => { let n = 0; performance.now = () => (n += 300); }")
    row.evaluate("row => row.scrollIntoView({ block: 'center' })")
    box = row.bounding_box()
    mouse.move(box["x"] + 40, box["y"] + 10)
    mouse.down()
    mouse.move(box["x"] + 40, edge, steps=4)
    rank = "1" if edge < 100 else str(last)
    expect(place.find(".rm-ghost .rm-rank")).to_have_text(rank, timeout=20_000)
    mouse.up()
    expect(row.locator(".rm-rank")).to_have_text(rank)
    expect(row).to_be_in_viewport(ratio=0.9)
    place.page.evaluate("() => { delete performance.now; }")


def test_thirty_items_scroll_inside_and_the_moved_one_stays_in_sight(show: Show):
    place = show(Explorer([f"D{i}" for i in range(1, 31)], {"D30"}, measures=["RR"]))
    for key, in_sight in (("Home", range(1)), ("End", range(100, 9999))):
        place.grip("D30").press(key)
        expect(place.row("D30")).to_be_in_viewport()
        assert place.find(".rm-scroll").evaluate("e => Math.round(e.scrollTop)") in in_sight


def test_undo_undoes_the_cutoff_however_far_it_was_drawn_as_one_step(show: Show):
    place = show(Explorer([*"abcde"], {"e", "b"}, k=5))
    cutoff = place.find("input[type=range]")
    place.grip("e").press("Home")
    for k in (4, 3, 2):  # a slider says each value that it is drawn over, and once where it is left
        cutoff.evaluate("(input, k) => (input.value = k)", k)
        cutoff.dispatch_event("input")
    cutoff.dispatch_event("change")
    expect(place.find("[role=status]").first).to_contain_text("Cutoff k: 2. RR@2 = 1.000")
    for action, k, first in (
        *(("undo", 5, "e"), ("undo", 5, "a"), ("redo", 5, "e"), ("redo", 2, "e")),
        *(("reset", 5, "a"), ("undo", 2, "e")),
    ):
        place.press(action)
        expect(cutoff).to_have_value(str(k))
        expect(place.find(".rm-row.rm-beyond")).to_have_count(5 - k)
        expect(place.find(".rm-value").first).to_contain_text(f"RR@{k} = ")
        expect(place.find(".rm-scroll .rm-label").first).to_have_text(first)
    cutoff.press("ArrowRight")
    place.expect_value("RR@3 = 1.000")
    expect(cutoff).to_be_focused()


@pytest.mark.parametrize("most", [1, 3])
def test_what_nobody_judged_has_a_dash_until_a_hand_grades_it(show: Show, most: int):
    grades = {"a": None, "b": 1, "c": 0, "d": None}
    place = show(Explorer([*grades], grades, max_grade=most, spans={"d": 5}))
    mark = place.row("a").locator(".rm-tile > .rm-mark")
    zero = "not relevant" if most == 1 else "grade 0, not relevant"

    def expect_grade(item: str, rank: int, words: str) -> None:
        name = f"Move {item}, rank {rank} of 8, {words}"
        expect(place.grip(item)).to_have_accessible_name(name)

    for item, rank, words in (("a", 1, "not judged"), ("c", 3, zero), ("d", 4, "not judged")):
        expect_grade(item, rank, words)
    expect(mark).to_have_text("" if most == 1 else "–")
    expect(place.tool("a", "grade")).to_have_accessible_name("Grade of a: not judged")
    expect(place.find(".rm-lens")).to_contain_text("Rank 1, a: not judged, so it adds nothing.")
    values = place.values
    for key, words in (("0", zero), ("Control+z", "not judged")):
        place.grip("a").press(key)
        expect_grade("a", 1, words)
        expect(mark.locator(".rm-on")).to_have_count(0)
        assert place.values == values
    place.grip("a").press("Enter")
    expect(mark.locator(".rm-on")).to_have_count(1)
    place.press("reset")
    expect(mark).to_have_attribute("data-grade", "none")


def test_the_ideal_order_keeps_the_focus_and_empties_the_tray(show: Show):
    place = show(Explorer(FIVE, {"D4", "D9"}))
    place.press("ideal")
    place.expect_value("nDCG = 1.000")
    expect(place.button("Ideal order")).to_be_focused()
    title = place.find(".rm-dock-title")
    expect(title).to_be_hidden()
    place.hold("D9", "D5")
    expect(title).to_have_text("Drop here to leave an item out")
    expect(title).to_be_visible()
    place.page.mouse.up()
    place.button("Reset").click()
    place.expect_order(*FIVE)


# names that every object has, that a model has, or that JavaScript would sort
ODD = ["constructor", "view", "__proto__", "", "10", "9", "a\nb", "a", "b", "😀" * 4000]


def test_no_name_of_an_item_changes_what_a_list_is_worth(show: Show):
    widget = Explorer(ODD, {"view", "__proto__", "9", "a", "missed"})
    place = show(widget)
    place.expect_order(*ODD)
    place.find(".rm-grip").nth(6).press("ArrowDown")  # "a\nb", "a" read like "a", "a\nb"
    place.find(".rm-grip").nth(7).press("ArrowDown")
    widget.ranks.move("a\nb", to=9)
    place.expect_order(*widget.ranks.order)
    said = [f"{name} = {value:.3f}" for name, value in widget.values.items()]
    expect(place.find(".rm-value")).to_have_text(said)
    lines = place.find(".rm-line").evaluate_all("all => all.map((each) => each.dataset.id)")
    assert sorted(lines) == sorted(widget.ranks.order)  # a line each, whatever its name


def test_a_long_name_ends_in_a_sign_and_is_whole_where_it_is_pointed_at(show: Show):
    name = "Roasted tomato soup with basil and so many other things that it cannot all be shown"
    name += ", of which the last are named here, below all that there is room for on a phone"
    place = show(Explorer({"a": name, "b": "متحف الفن"}, {"a"}, measures="RR"), width=390)
    label = place.row("a").locator(".rm-label")
    assert label.evaluate("e => e.scrollHeight > e.clientHeight")
    assert place.row("a").bounding_box()["height"] == place.row("b").bounding_box()["height"]
    expect(place.row("b").locator(".rm-label")).to_have_css("direction", "rtl")
    place.row("a").hover()
    expect(place.find(".rm-lens")).to_contain_text(name)


def test_a_widget_drawn_before_its_state_says_so_and_comes_to_life(show: Show):
    state = Explorer(["a", "b"], {"b"}, measures="RR").page_state()
    view = state.pop("view")
    place = show(state)
    waiting = "This part has not loaded yet. If it does not appear, run the cell again."
    expect(place.find("> div")).to_have_text(waiting)
    place.page.evaluate("view => model.set('view', view)", view)
    place.expect_value("RR = 0.500")


def test_the_buttons_of_a_row_are_reached_with_arrows_and_are_no_stops_of_tab(show: Show):
    place = show(Explorer(FIVE, {"D4"}))
    keyboard = place.page.keyboard
    place.grip("D1").focus()
    keyboard.press("Tab")
    expect(place.grip("D2")).to_be_focused()
    for name in ("Grade of D2: not relevant", "Move D2 up"):
        keyboard.press("ArrowRight")
        expect(place.button(name)).to_be_focused()
        box = place.button(name).bounding_box()
        assert min(box["width"], box["height"]) >= 24
    keyboard.press("Enter")
    place.expect_order("D2", "D1", "D3", "D4", "D5")
    keyboard.press("ArrowLeft")
    keyboard.press("ArrowLeft")
    expect(place.grip("D2")).to_be_focused()
