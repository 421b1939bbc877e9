"""A ranked list on a page, beyond what the list of every widget does."""

from collections.abc import Callable

import pytest
from explorer_page import ExplorerPage, Finger
from page_checks import SPILLS
from playwright.sync_api import Page, expect

from byhand.widgets import Explorer, RankedList

Show = Callable[..., ExplorerPage]
FIVE = ["D1", "D2", "D3", "D4", "D5"]


@pytest.fixture
def five(show: Show) -> ExplorerPage:
    return show(Explorer(FIVE, {"D4"}))


@pytest.fixture
def letters(show: Show) -> ExplorerPage:
    return show(Explorer(list("abcde"), {"e", "b"}, k=5))


def expect_values(place: ExplorerPage, widget: Explorer) -> None:
    """Wait until the cards have the values of Python."""
    said = [f"{name} = {value:.3f}" for name, value in widget.values.items()]
    expect(place.find(".rm-value")).to_have_text(said)


def test_values_follow_the_hand_and_nothing_jumps_on_the_drop(five: ExplorerPage):
    widget = Explorer(FIVE, {"D4"})
    rows = {item: five.row(item).bounding_box() for item in FIVE}
    five.hold("D4", "D2")
    expect(five.row("D2").locator(".rm-rank")).to_have_text("3")
    picture = five.find("[role=img]")
    words = "Hit at rank 2 of 5. RR = 0.500, AP = 0.500, nDCG = 0.631."
    expect(picture).to_have_attribute("aria-label", words)
    names = five.find(".rm-scroll .rm-row:not(.rm-slot, .rm-ghost) .rm-label")
    expect(names).to_have_text(FIVE)  # the document waits for the drop
    x = rows["D1"]["x"] + 20
    for rank in (3, 5, 1, 2):
        goal = rows[FIVE[rank - 1]]
        # of a row above, its upper half; of one below, its lower
        five.page.mouse.move(x, goal["y"] + goal["height"] * (0.75 if rank > 4 else 0.2), steps=2)
        widget.ranks.move("D4", to=rank)
        expect_values(five, widget)
    five.page.wait_for_timeout(200)  # until the rows have slid
    tops = {item: five.row(item).bounding_box()["y"] for item in ("D1", "D2", "D3", "D5")}
    slot = five.find(".rm-slot").bounding_box()["y"]
    five.page.mouse.up()
    five.expect_order("D1", "D4", "D2", "D3", "D5")
    assert {item: five.row(item).bounding_box()["y"] for item in tops} == tops
    assert five.row("D4").bounding_box()["y"] == slot
    expect(five.find(".rm-was").first).to_have_text("was 0.250")


def test_another_finger_neither_drops_nor_takes(letters: ExplorerPage):
    x, y, _, to_y = letters.way("e", "a")
    other = letters.grip("d").bounding_box()
    first = Finger(letters.page)
    first.press(x, y, rest=280)
    first.move(0, to_y - y)
    second = Finger(letters.page, beside=first)
    second.press(other["x"] + 9, other["y"] + 9)
    second.move(0, 48)
    expect(letters.find(".rm-ghost")).to_have_count(1)
    second.lift()
    expect(letters.find(".rm-ghost")).to_have_count(1)
    first.lift()
    letters.expect_order(*"eabcd")
    letters.expect_nothing_held()


@pytest.mark.parametrize(
    ("last", "item", "edge"), [(8, "D2", 290), (40, "D7", 10), (40, "D2", 290)]
)
def test_a_list_that_goes_on_outside_the_window_comes_in_while_a_row_is_held_there(
    show: Show, last: int, item: str, edge: int
):
    names = [f"D{n}" for n in range(1, last + 1)]
    letters = show(Explorer(names, {item}, measures="RR"), height=300)
    row, mouse = letters.row(item), letters.page.mouse
    if last > 8:  # on a machine that is always late
        letters.page.evaluate("() => { let n = 0; performance.now = () => (n += 300); }")
    row.evaluate("row => row.scrollIntoView({ block: 'center' })")
    box = row.bounding_box()
    mouse.move(box["x"] + 40, box["y"] + 10)
    mouse.down()
    mouse.move(box["x"] + 40, edge, steps=4)
    rank = "1" if edge < 100 else str(last)
    expect(letters.find(".rm-ghost .rm-rank")).to_have_text(rank, timeout=20_000)
    mouse.up()
    expect(row.locator(".rm-rank")).to_have_text(rank)
    expect(row).to_be_in_viewport(ratio=0.9)
    letters.page.evaluate("() => { delete performance.now; }")


def test_thirty_items_scroll_inside_and_the_moved_one_stays_in_sight(show: Show):
    place = show(Explorer([f"D{i}" for i in range(1, 31)], {"D30"}, measures=["RR"]))
    scroll = place.find(".rm-scroll")
    for key, in_sight in (("Home", range(1)), ("End", range(100, 9999))):
        place.grip("D30").press(key)
        expect(place.row("D30")).to_be_in_viewport()
        expect(place.grip("D30")).to_be_focused()
        assert scroll.evaluate("e => Math.round(e.scrollTop)") in in_sight


# as a hand does that lets go at the last of these values
SLIDE = """(input, values) => {
  for (const value of values) {
    input.value = value;
    input.dispatchEvent(new Event('input'));
  }
  input.dispatchEvent(new Event('change'));
}"""


def test_undo_undoes_the_cutoff_however_far_it_was_drawn_as_one_step(letters: ExplorerPage):
    cutoff = letters.find("input[type=range]")
    letters.grip("e").press("Home")
    cutoff.evaluate(SLIDE, [4, 3, 2])
    cutoff.evaluate(SLIDE, [1])
    expect(letters.find("[role=status]").first).to_contain_text("Cutoff k: 1. RR@1 = 1.000")
    for action, value, first in (
        *(("undo", 2, "e"), ("undo", 5, "e"), ("undo", 5, "a")),
        *(("redo", 5, "e"), ("redo", 2, "e"), ("redo", 1, "e")),
    ):
        letters.press(action)
        expect(cutoff).to_have_value(str(value))
        expect(letters.find(".rm-row.rm-beyond")).to_have_count(5 - value)
        expect(letters.find(".rm-value").first).to_contain_text(f"RR@{value} = ")
        expect(letters.find(".rm-scroll .rm-label").first).to_have_text(first)
    letters.press("reset")
    expect(cutoff).to_have_value("5")
    letters.expect_order(*"abcde")
    letters.press("undo")  # of the reset, as one step
    expect(cutoff).to_have_value("1")
    letters.expect_order(*"eabcd")
    cutoff.press("ArrowRight")
    letters.expect_value("RR@2 = 1.000")
    expect(cutoff).to_be_focused()


@pytest.mark.parametrize("width", [1280, 390])
def test_an_item_is_dragged_out_and_into_the_list(show: Show, width: int):
    place = show(Explorer(FIVE, {"D4": 2, "D9": 3}, max_grade=3, k=4), width=width)
    place.drag_with_mouse("D9", "D1")
    place.expect_order("D9", *FIVE)
    place.expect_value("RR@4 = 1.000")
    title = place.find(".rm-dock-title")
    expect(title).to_be_hidden()  # it keeps its place
    for shows, drop in (("bars", ".rm-dock"), ("number", ".rm-drop")):
        if shows == "number":  # nothing is missing, so it is the line of how that says it
            place = show(Explorer(FIVE, {"D4"}, shows=shows), width=width)
        place.hold("D4", "D3")
        goal = place.find(drop)
        expect(goal).to_contain_text("Drop here to leave an item out")
        expect(goal).to_be_visible()
        box = goal.bounding_box()
        place.page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2, steps=5)
        place.page.mouse.up()
        expect(place.find(".rm-dock .rm-label")).to_have_text("D4")


@pytest.mark.parametrize("most", [1, 3])
def test_what_nobody_judged_has_a_dash_until_a_hand_grades_it(show: Show, most: int):
    grades = {"a": None, "b": 1, "c": 0, "d": None}
    place = show(Explorer([*grades], grades, max_grade=most, spans={"d": 5}))
    mark = place.row("a").locator(".rm-tile > .rm-mark")

    def expect_grade(item: str, rank: str, words: str) -> None:
        name = f"Move {item}, rank {rank} of 8, {words}"
        expect(place.grip(item)).to_have_accessible_name(name)

    zero = "not relevant" if most == 1 else "grade 0, not relevant"
    expect(mark).to_have_text("" if most == 1 else "–")
    for item, rank, words in (("a", 1, "not judged"), ("c", 3, zero), ("d", 4, "not judged")):
        expect_grade(item, rank, words)
    expect(place.tool("a", "grade")).to_have_accessible_name("Grade of a: not judged")
    place.row("a").hover()
    expect(place.find(".rm-lens")).to_contain_text("Rank 1, a: not judged, so it adds nothing.")
    values = place.values
    place.grip("a").press("0")
    expect_grade("a", 1, zero)
    expect(mark.locator("i")).to_have_count(most)
    expect(mark.locator(".rm-on")).to_have_count(0)
    assert place.values == values
    place.grip("a").press("Control+z")
    expect_grade("a", 1, "not judged")
    place.grip("a").press("Enter")
    expect(mark.locator(".rm-on")).to_have_count(1)
    place.press("reset")
    expect(mark).to_have_attribute("data-grade", "none")


def test_ideal_order_and_reset_keep_the_focus(five: ExplorerPage):
    five.open_more()
    five.button("Ideal order").click()
    five.expect_value("nDCG = 1.000")
    expect(five.button("Ideal order")).to_be_focused()
    five.button("Reset").click()
    five.expect_order(*FIVE)


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
    expect_values(place, widget)
    lines = place.find(".rm-line").evaluate_all("all => all.map((each) => each.dataset.id)")
    assert sorted(lines) == sorted(widget.ranks.order)  # a line each, whatever its name


def test_labels_are_text_and_a_narrow_page_fits(show: Show):
    script = "<b>bold</b> <script>window.bad = 1</script>"
    place = show(RankedList({1: script, 2: "متحف الفن", 3: "long " * 40}, {3}), width=336)
    expect(place.row("1").locator(".rm-label")).to_have_text(script)
    assert place.page.evaluate("window.bad") is None
    expect(place.row("2").locator(".rm-label")).to_have_css("direction", "rtl")
    assert 280 < place.find(".rm-scroll").bounding_box()["width"] <= 320
    assert place.page.evaluate(SPILLS) <= 0
    boxes = [each.bounding_box() for each in place.find(".rm-row button:visible").all()]
    assert min(min(box["width"], box["height"]) for box in boxes) >= 24


def test_a_long_name_ends_in_a_sign_and_is_whole_where_it_is_pointed_at(show: Show):
    name = "Roasted tomato soup with basil and so many other things that it cannot all be shown"
    name += ", of which the last are named here, below all that there is room for on a phone"
    place = show(Explorer({"a": name, "b": "b"}, {"a"}, measures="RR"), width=390)
    label = place.row("a").locator(".rm-label")
    assert label.evaluate("e => e.scrollHeight > e.clientHeight")
    assert place.row("a").bounding_box()["height"] == place.row("b").bounding_box()["height"]
    place.row("a").hover()
    expect(place.find(".rm-lens")).to_contain_text(name)


def test_a_widget_drawn_before_its_state_says_so_and_comes_to_life(live: Page):
    state = Explorer(["a", "b"], {"b"}, measures="RR").page_state()
    said = live.evaluate(
        """async ({ view, ...rest }) => {
          const [model, el] = [new live.PageModel(rest), document.createElement('div')];
          const stop = await live.render({ model, el });
          const before = el.textContent;
          model.set('view', view);
          await new Promise((done) => setTimeout(done));
          const after = el.querySelector('.rm-value').textContent;
          stop();
          return [before, after];
        }""",
        state,
    )
    waiting = "This part has not loaded yet. If it does not appear, run the cell again."
    assert said == [waiting, "RR = 0.500"]


def test_a_list_is_left_in_one_step_and_its_buttons_are_reached_with_arrows(five: ExplorerPage):
    keyboard, after = five.page.keyboard, five.button("More")
    five.button("Skip the list").focus()
    expect(five.button("Skip the list")).to_be_in_viewport()
    keyboard.press("Enter")
    keyboard.press("Tab")
    expect(after).to_be_focused()
    five.grip("D2").focus()
    keyboard.press("ArrowRight")
    expect(five.button("Grade of D2: not relevant")).to_be_focused()
    keyboard.press("ArrowRight")
    expect(five.button("Move D2 up")).to_be_focused()
    keyboard.press("Enter")
    five.expect_order("D2", "D1", "D3", "D4", "D5")
    keyboard.press("ArrowLeft")
    keyboard.press("ArrowLeft")
    expect(five.grip("D2")).to_be_focused()
    keyboard.press("Escape")
    keyboard.press("Tab")
    expect(five.button("Reset")).to_be_focused()  # there is something to go back from
