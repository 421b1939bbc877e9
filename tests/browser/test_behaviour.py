"""What the lists of every widget do for a mouse, a finger, a pen, keys and a screen reader."""

import re
from collections.abc import Callable

import pytest
from explorer_page import ExplorerPage
from playwright.sync_api import Page, expect
from widgets import WIDGETS

# the widgets with a list, and which of them lack something beside it, or have bars to drag
LISTS = ["explorer", "means", "number", "curve", "area", "discount", "ideal", "bench", "challenge"]
LISTS += ["one goal", "own", "own queries", "order", "queries", "shuffle", "visitors", "list"]
NO_NUMBERS = {"order", "visitors", "list"}
NO_TRAY = {"challenge", "order", "shuffle"}
NO_GRADES = {*NO_TRAY, "bench", "one goal", "queries", "visitors"}
BARS = {"curve", "area", "ideal"}
NUMBERS = ".rm-value, .rm-result, .rm-choice-number, .rm-riding, .rm-own-name"


class Hand(ExplorerPage):
    """The first list of a widget, and what was there at first."""

    def __init__(self, page: Page, name: str) -> None:
        super().__init__(page, scope="main .rm-ranked >> nth=0 >>")
        self.name = name
        rows = self.find(".rm-scroll .rm-row")
        self.first = rows.evaluate_all("all => all.map((row) => row.dataset.id)")
        *self.above, self.last = self.first
        self.numbers = page.locator(f"main :is({NUMBERS})")
        self.numbers_at_first = self.numbers.all_text_contents()

    def expect_numbers(self, *, changed: bool) -> None:
        """Wait until every number is as at first, or some number is not."""
        if self.numbers_at_first:
            found = expect(self.numbers)
            (found.not_to_have_text if changed else found.to_have_text)(self.numbers_at_first)

    def key(self, *keys: str) -> None:
        """Press keys where the focus is."""
        for key in keys:
            self.page.keyboard.press(key)

    def tops(self, *items: str) -> list[float]:
        """How far rows are from the top of the window."""
        return [self.row(item).bounding_box()["y"] for item in items]


@pytest.fixture(params=LISTS)
def hand(show: Callable[..., ExplorerPage], request: pytest.FixtureRequest) -> Hand:
    hand = Hand(show(WIDGETS[request.param]()).page, request.param)
    assert bool(hand.numbers_at_first) == (hand.name not in NO_NUMBERS)
    return hand


def drag_bar(hand: Hand, item: str, goal: str) -> None:
    """Drag the bar beside a row."""
    _, _, x, y = hand.way(item, goal)
    hand.page.locator(f'main :is(.rm-line, .rm-run)[data-id="{item}"]').first.hover()
    hand.page.mouse.down()
    hand.page.mouse.move(x, y, steps=5)
    hand.page.mouse.up()


# how the last item gets to the top
WAYS = [Hand.drag_with_mouse, Hand.drag_with_finger, Hand.drag_with_pen]
WAYS += [lambda hand, item, _: hand.grip(item).press("Home")]


def test_each_way_moves_an_item_says_so_and_is_undone(hand: Hand):
    top = [hand.last, *hand.above]
    for move in [*WAYS, *([drag_bar] if hand.name in BARS else [])]:
        move(hand, hand.last, hand.first[0])
        hand.expect_order(*top)
        hand.expect_numbers(changed=True)
        expect(hand.grip(hand.last)).to_be_focused()
        said = hand.find("[role=status]")
        expect(said).to_contain_text(re.compile(r"moved to rank 1 of \d+\."))
        expect(said).to_have_attribute("aria-live", "polite")
        hand.key("Control+z")
        hand.expect_order(*hand.first)
        hand.expect_numbers(changed=False)
    hand.key("Control+y")
    hand.expect_order(*top)


def test_keys_and_buttons_move_by_one_rank_and_each_is_a_step(hand: Hand):
    *above, before, item = hand.first
    up = [*above, item, before]
    hand.grip(item).press("ArrowUp")
    hand.expect_order(*up)
    hand.key("ArrowDown")
    hand.expect_order(*hand.first)
    hand.tool(item, "up").click()
    hand.expect_order(*up)
    expect(hand.grip(item)).to_be_focused()
    hand.tool(item, "down").click()
    hand.expect_order(*hand.first)
    for items in (up, hand.first, up, hand.first):
        hand.key("Control+z")
        hand.expect_order(*items)
    hand.key("Control+Shift+z")
    hand.expect_order(*up)


def test_ranks_and_numbers_follow_the_hand_and_escape_gives_up(hand: Hand):
    hand.hold(hand.last, hand.first[0])
    expect(hand.find(".rm-ghost .rm-rank")).to_have_text("1")
    expect(hand.row(hand.first[0]).locator(".rm-rank")).to_have_text("2")
    hand.expect_numbers(changed=True)
    hand.key("Escape")
    held = ":is(.rm-ghost, .rm-slot, .rm-lifted, .rm-dragging)"
    expect(hand.page.locator(f"main {held}")).to_have_count(0)
    hand.page.mouse.up()
    hand.expect_order(*hand.first)
    hand.expect_numbers(changed=False)


def test_a_second_finger_changes_nothing_and_no_row_jumps_on_the_drop(hand: Hand):
    hand.hold(hand.last, hand.first[0])
    for kind, item in (("pointerup", hand.last), ("pointerdown", hand.first[0])):
        hand.row(item).dispatch_event(kind, {"pointerId": 99, "button": 0})
    hand.wait_until_still()
    tops = [hand.find(".rm-slot").bounding_box()["y"], *hand.tops(*hand.above)]
    hand.page.mouse.up()
    hand.expect_order(hand.last, *hand.above)
    assert hand.tops(hand.last, *hand.above) == tops


def test_the_tray_takes_an_item_and_gives_it_back(hand: Hand):
    if hand.name in NO_TRAY:
        expect(hand.find(".rm-row .rm-out")).to_have_count(0)
        return

    def drag_out() -> None:
        hand.hold(hand.last, hand.first[0])
        box = hand.find(":is(.rm-dock-title, .rm-drop):visible").bounding_box()
        hand.page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2, steps=5)
        hand.page.mouse.up()

    outs = (drag_out, lambda: hand.key("Delete"), lambda: hand.tool(hand.last, "out").click())
    for take_out in outs:
        take_out()
        hand.expect_order(*hand.above)
        expect(hand.find(f'.rm-dock .rm-row[data-id="{hand.last}"]')).to_have_count(1)
        expect(hand.grip(hand.last)).to_be_focused()
        hand.key("ArrowUp")  # in at the last rank
        hand.expect_order(*hand.first)
    hand.key("Delete")
    hand.drag_with_mouse(hand.last, hand.first[0])
    hand.expect_order(hand.last, *hand.above)
    hand.key("Control+z", "Control+z")
    hand.expect_order(*hand.first)


def test_a_grade_is_set_by_button_digit_and_enter(hand: Hand):
    if hand.name in NO_GRADES:
        expect(hand.find(".rm-row button.rm-grade")).to_have_count(0)
        return
    item = hand.first[0]  # its grade is 0
    mark = hand.row(item).locator(".rm-mark").first
    for grade in (
        lambda: hand.grip(item).press("1"),
        lambda: hand.grip(item).press("Enter"),
        lambda: hand.tool(item, "grade").click(),
    ):
        expect(mark).to_have_attribute("data-grade", "0")
        grade()
        expect(mark).to_have_attribute("data-grade", "1")
        hand.expect_numbers(changed=True)
        hand.grip(item).press("Control+z")
        hand.expect_numbers(changed=False)
