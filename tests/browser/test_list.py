"""A ranked list on a page: every way to move an item moves it, and the numbers follow."""

from collections.abc import Callable

import pytest
from explorer_page import ExplorerPage
from playwright.sync_api import Page, expect

from byhand.widgets import Explorer, RankedList

Show = Callable[..., ExplorerPage]
FIVE = ["D1", "D2", "D3", "D4", "D5"]


@pytest.fixture
def five(show: Show) -> ExplorerPage:
    return show(Explorer(FIVE, {"D4"}))


@pytest.fixture
def graded(show: Show) -> ExplorerPage:
    return show(Explorer(FIVE, {"D4": 2, "D9": 3}, max_grade=3, k=4))


@pytest.fixture
def letters(show: Show) -> ExplorerPage:
    return show(Explorer(list("abcde"), {"e", "b"}, k=5))


def test_a_move_is_seen_by_each_tool_that_has_the_measure(show: Show):
    grades = {"D1": 1, "D4": 2, "D9": 2}
    given = {"measures": "nDCG@5", "max_grade": 2, "conventions": ["trec_eval", "sklearn"]}
    widget = Explorer(FIVE, grades, **given)
    five = show(widget)
    first = [f"{tool}: {value:.3f}" for tool, value in widget.values.items()]
    assert five.values == first
    five.grip("D4").press("Home")
    widget.ranks.move("D4", to=1)
    moved = [f"{tool}: {value:.3f}" for tool, value in widget.values.items()]
    assert five.values == moved != first


def test_values_follow_the_hand_and_nothing_jumps_on_the_drop(five: ExplorerPage):
    widget = Explorer(FIVE, {"D4"})
    rows = {item: five.row(item).bounding_box() for item in FIVE}
    five.hold("D4", "D2")
    expect(five.find(".rm-ghost .rm-rank")).to_have_text("2")
    expect(five.row("D2").locator(".rm-rank")).to_have_text("3")
    expect(five.find(".rm-was").first).to_have_text("was 0.250")
    picture = five.find("[role=img]")
    words = "Hits at rank 2 of 5. RR = 0.500, AP = 0.500, nDCG = 0.631."
    expect(picture).to_have_attribute("aria-label", words)
    names = five.find(".rm-scroll .rm-row:not(.rm-slot, .rm-ghost) .rm-label")
    expect(names).to_have_text(FIVE)  # the document waits for the drop
    x = rows["D1"]["x"] + 20
    for rank in (3, 5, 1, 2):
        goal = rows[FIVE[rank - 1]]
        # of a row above, its upper half; of one below, its lower
        five.page.mouse.move(x, goal["y"] + goal["height"] * (0.75 if rank > 4 else 0.2), steps=2)
        widget.ranks.move("D4", to=rank)
        expect(five.find(".rm-value")).to_have_text(
            [f"{n} = {v:.3f}" for n, v in widget.values.items()]
        )
    five.page.wait_for_timeout(200)  # until the rows have slid
    tops = {item: five.row(item).bounding_box()["y"] for item in ("D1", "D2", "D3", "D5")}
    slot = five.find(".rm-slot").bounding_box()["y"]
    five.page.mouse.up()
    five.expect_order("D1", "D4", "D2", "D3", "D5")
    assert {item: five.row(item).bounding_box()["y"] for item in tops} == tops
    assert five.row("D4").bounding_box()["y"] == slot
    expect(five.find(".rm-was").first).to_have_text("was 0.250")


def expect_nothing_held(place: ExplorerPage) -> None:
    expect(place.find(".rm-ghost, .rm-slot, .rm-lifted, .rm-dragging")).to_have_count(0)


def test_another_finger_neither_drops_nor_takes(letters: ExplorerPage):
    touch = letters.page.context.new_cdp_session(letters.page)
    x, y, _, to_y = letters.way("e", "a")
    other = letters.grip("d").bounding_box()
    second = {"x": other["x"] + 9, "y": other["y"] + 9, "id": 2}

    def send(kind: str, *points: dict) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    send("touchStart", {"x": x, "y": y, "id": 1})
    letters.page.wait_for_timeout(280)
    for step in range(1, 7):
        first = {"x": x, "y": y + (to_y - y) * step / 6, "id": 1}
        send("touchMove", first)
    send("touchStart", first, second)
    for _ in range(6):
        second = {**second, "y": second["y"] + 8}
        send("touchMove", first, second)
    expect(letters.find(".rm-ghost")).to_have_count(1)
    send("touchEnd", second)
    expect(letters.find(".rm-ghost")).to_have_count(1)
    send("touchEnd")
    letters.expect_order(*"eabcd")
    expect_nothing_held(letters)


def test_an_undo_while_an_item_is_held_lets_go_of_it(letters: ExplorerPage):
    letters.grip("a").press("End")
    letters.hold("e", "b")
    letters.page.keyboard.press("Control+z")
    letters.expect_order(*"abcde")
    expect_nothing_held(letters)
    letters.page.mouse.up()
    letters.expect_order(*"abcde")


@pytest.mark.parametrize("last", ["8", "40"])
@pytest.mark.parametrize(("item", "edge"), [("D7", 10), ("D2", 290)])
def test_a_list_that_goes_on_outside_the_window_comes_in_while_a_row_is_held_there(
    show: Show, last: str, item: str, edge: int
):
    names = [f"D{n}" for n in range(1, int(last) + 1)]
    letters = show(Explorer(names, {item}, measures="RR"), height=300)
    row, mouse = letters.row(item), letters.page.mouse
    row.evaluate("row => row.scrollIntoView({ block: 'center' })")
    box = row.bounding_box()
    mouse.move(box["x"] + 40, box["y"] + 10)
    mouse.down()
    mouse.move(box["x"] + 40, edge, steps=4)
    rank = "1" if edge < 100 else last
    expect(letters.find(".rm-ghost .rm-rank")).to_have_text(rank, timeout=20_000)
    mouse.up()
    expect(row.locator(".rm-rank")).to_have_text(rank)
    expect(row).to_be_in_viewport(ratio=0.9)


def slide(place: ExplorerPage, *values: int) -> None:
    """As a hand does that lets go at the last of these values."""
    place.find("input[type=range]").evaluate(
        """(input, values) => {
          for (const value of values) {
            input.value = value;
            input.dispatchEvent(new Event('input'));
          }
          input.dispatchEvent(new Event('change'));
        }""",
        list(values),
    )


def test_undo_undoes_the_cutoff_however_far_it_was_drawn_as_one_step(letters: ExplorerPage):
    cutoff = letters.find("input[type=range]")
    letters.grip("e").press("Home")
    slide(letters, 4, 3, 2)
    slide(letters, 1)
    expect(letters.find("[role=status]").first).to_contain_text("Cutoff k: 1. RR@1 = 1.000")
    for action, value, first in (
        *(("undo", "2", "e"), ("undo", "5", "e"), ("undo", "5", "a")),
        *(("redo", "5", "e"), ("redo", "2", "e"), ("redo", "1", "e")),
    ):
        letters.press(action)
        expect(cutoff).to_have_value(value)
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


def test_a_missed_item_is_dragged_in_and_out(graded: ExplorerPage):
    graded.expect_docked("D9")
    graded.drag_with_mouse("D9", "D1")
    graded.expect_order("D9", *FIVE)
    graded.expect_value("RR@4 = 1.000")
    drop_here = "Drop here to leave an item out"
    expect(graded.find(".rm-dock-title")).to_have_text(drop_here)  # it keeps its place
    expect(graded.find(".rm-dock-title")).to_be_hidden()
    graded.drag_with_mouse("D9", "D5")
    graded.expect_order(*FIVE, "D9")
    graded.hold("D4", "D3")
    expect(graded.find(".rm-dock-title")).to_have_text(drop_here)
    expect(graded.find(".rm-dock-title")).to_be_visible()
    dock = graded.find(".rm-dock").bounding_box()
    graded.page.mouse.move(dock["x"] + 60, dock["y"] + dock["height"] / 2, steps=5)
    graded.page.mouse.up()
    graded.expect_docked("D4")
    graded.expect_value("RR@4 = 0.000")


@pytest.mark.parametrize("most", [1, 3])
def test_what_nobody_judged_has_a_dash_until_a_hand_grades_it(show: Show, most: int):
    grades = {"a": None, "b": 1, "c": 0, "d": None}
    place = show(Explorer([*grades], grades, max_grade=most, spans={"d": 5}))
    mark = place.row("a").locator(".rm-tile > .rm-mark")

    def expect_grade(item: str, rank: str, words: str) -> None:
        name = f"Move {item}, rank {rank} of 8, {words}"
        expect(place.grip(item)).to_have_accessible_name(name)

    zero = "not relevant" if most == 1 else "grade 0, not relevant"
    expect(mark).to_have_attribute("data-grade", "none")
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
    expect(mark.locator("i")).to_have_count(most)
    expect(mark.locator(".rm-on")).to_have_count(1)
    place.press("reset")
    expect(mark).to_have_attribute("data-grade", "none")


def test_pointing_at_a_rank_says_what_it_adds_and_why(five: ExplorerPage):
    five.grip("D4").focus()
    lens = five.find(".rm-lens > div")
    expect(lens.nth(0)).to_have_text("Rank 4, D4: relevant.")
    expect(lens.nth(1)).to_have_text("RR +0.250: the first hit, at rank 4: 1/4")
    expect(lens.nth(2)).to_have_text("AP +0.250: 1 of the first 4 is relevant: 1/4, divided by 1")
    five.row("D2").hover()
    expect(lens.nth(0)).to_have_text("Rank 2, D2: not relevant, so it adds nothing.")
    five.grip("D4").press("Home")  # D1 comes under the mouse, which did not move
    five.page.wait_for_timeout(300)
    expect(lens.nth(0)).to_have_text("Rank 1, D4: relevant.")


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
    assert place.values == [f"{name} = {value:.3f}" for name, value in widget.values.items()]
    lines = place.find(".rm-line").evaluate_all("all => all.map((each) => each.dataset.id)")
    assert sorted(lines) == sorted(widget.ranks.order)  # a line each, whatever its name


def test_labels_are_text_and_a_narrow_page_fits(show: Show):
    script = "<b>bold</b> <script>window.bad = 1</script>"
    place = show(RankedList({1: script, 2: "متحف الفن", 3: "long " * 40}, {3}), width=336)
    expect(place.row("1").locator(".rm-label")).to_have_text(script)
    assert place.page.evaluate("window.bad") is None
    assert place.find(".rm-label b").count() == 0
    label = place.row("2").locator(".rm-label")
    assert label.evaluate("e => getComputedStyle(e).direction") == "rtl"
    box = place.find(".rm-scroll").bounding_box()
    assert 280 < box["width"] <= 320
    for control in place.find(".rm-row button:visible").all():
        size = control.bounding_box()
        assert min(size["width"], size["height"]) >= 24
        assert size["x"] + size["width"] <= box["x"] + box["width"]


def test_thirty_items_scroll_inside_and_the_moved_one_stays_in_sight(show: Show):
    place = show(Explorer([f"D{i}" for i in range(1, 31)], {"D30"}, measures=["RR"]))
    scroll = place.find(".rm-scroll")
    assert scroll.evaluate("e => e.scrollHeight > e.clientHeight")
    place.grip("D30").press("Home")
    place.expect_value("RR = 1.000")
    expect(place.row("D30")).to_be_in_viewport()
    assert scroll.evaluate("e => e.scrollTop") == 0
    place.grip("D30").press("End")
    expect(place.grip("D30")).to_be_focused()
    assert scroll.evaluate("e => e.scrollTop") > 100
    place.grip("D30").hover()  # waits until it stands still
    grip, box = place.grip("D30").bounding_box(), scroll.bounding_box()
    mouse = place.page.mouse
    mouse.move(grip["x"] + 8, grip["y"] + 8)
    mouse.down()
    mouse.move(grip["x"] + 8, box["y"] + 12, steps=5)  # a drag to the edge scrolls it, too
    expect(place.row("D1")).to_be_in_viewport(timeout=10_000)
    place.page.wait_for_timeout(300)
    mouse.move(grip["x"] + 8, box["y"] + 4)
    mouse.up()
    place.expect_value("RR = 1.000")


def test_what_python_answers_late_does_not_take_back_what_a_value_was(live: Page):
    widget = Explorer(["a", "b", "c"], {"c"}, measures=("RR", "Judged"))
    state = widget.page_state()
    widget.ranks.move("c", to=1)
    said = live.evaluate(
        """async ([state, late]) => {
          const [model, el] = [new live.PageModel(state), document.createElement('div')];
          Object.defineProperty(model, 'alone', { value: false });  // as if Python would answer
          await live.render({ model, el });
          const said = () => [...el.querySelectorAll('.rm-was')].map((each) => each.textContent);
          model.get('fixed').ranks.set('order', late.order);
          await null;
          const before = said();
          model.set('answers', late);
          return [before, said()];
        }""",
        [state, widget.page_state()["answers"]],
    )
    assert said == [["was 0.333", "after the drop"], ["was 0.333", "\u00a0"]]


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


FOCUSED = """() => {
  const node = document.activeElement;
  return node.closest('.rm') && (node.getAttribute('aria-label') || node.textContent);
}"""


def test_every_control_is_reached_with_tab_and_has_a_name(five: ExplorerPage):
    five.button("Skip the list").focus()
    five.open_more()
    five.button("Skip the list").focus()
    names = []
    while name := five.page.evaluate(FOCUSED):
        names.append(name)
        five.page.keyboard.press("Tab")
    assert names == [
        "Skip the list",
        *(f"Move D{n}, rank {n} of 5, {'' if n == 4 else 'not '}relevant" for n in range(1, 6)),
        *("More", "Ideal order", "Undo", "Redo"),
    ]


def test_a_row_at_rest_has_a_grip_and_a_mark_and_its_buttons_come_with_a_tap(five: ExplorerPage):
    shown = five.find(".rm-scroll .rm-row button:visible")
    expect(shown).to_have_count(5)
    expect(five.find(".rm-hint > :visible")).to_contain_text("Hold a row")
    for part in (".rm-controls", ".rm-dock"):
        expect(five.find(part)).to_be_hidden()
    for item in ("D2", "D3"):
        five.row(item).locator(".rm-label").click()
        expect(five.row(item).locator("button:visible")).to_have_count(5)
        expect(shown).to_have_count(5 + 4)
    five.find(".rm-lens").click()
    expect(shown).to_have_count(5)


def test_a_long_name_ends_in_a_sign_and_is_whole_where_it_is_pointed_at(show: Show):
    name = "Roasted tomato soup with basil and so many other things that it cannot all be shown"
    name += ", of which the last are named here, below all that there is room for on a phone"
    place = show(Explorer({"a": name, "b": "b"}, {"a"}, measures="RR"), width=390)
    label = place.row("a").locator(".rm-label")
    assert label.evaluate("e => getComputedStyle(e).webkitLineClamp") == "3"
    assert label.evaluate("e => e.scrollHeight > e.clientHeight")
    assert place.row("a").bounding_box()["height"] == place.row("b").bounding_box()["height"]
    place.row("a").hover()
    expect(place.find(".rm-lens")).to_contain_text(name)


@pytest.mark.parametrize("width", [1280, 390])
def test_where_nothing_is_missing_the_line_of_how_says_where_to_drop(show: Show, width: int):
    place = show(Explorer(FIVE, {"D4"}, shows="number"), width=width)
    place.hold("D4", "D3")
    drop = place.find(".rm-drop")
    expect(drop).to_have_text("Drop here to leave an item out")
    expect(drop).to_be_visible()
    expect(place.find(".rm-hint")).to_have_css("visibility", "hidden")
    box = drop.bounding_box()
    place.page.mouse.move(box["x"] + 40, box["y"] + box["height"] / 2, steps=4)
    place.page.mouse.up()
    place.expect_docked("D4")
