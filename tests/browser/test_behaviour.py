"""What the lists of every widget do for a mouse, a finger, a pen, keys and a screen reader."""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from explorer_page import ExplorerPage
from playwright.sync_api import expect
from widgets import WIDGETS

Show = Callable[..., ExplorerPage]
# what a hand finds beside the rows of each widget
LISTS = {
    "explorer": {"tray", "grades", "numbers"},
    "means": {"tray", "grades", "numbers"},
    "number": {"tray", "grades", "numbers"},
    "curve": {"tray", "grades", "numbers", "bars"},
    "area": {"tray", "grades", "numbers", "bars"},
    "discount": {"tray", "grades", "numbers"},
    "ideal": {"tray", "grades", "numbers", "bars"},
    "bench": {"tray", "numbers"},
    "challenge": {"numbers"},
    "one goal": {"tray", "numbers"},
    "own": {"tray", "grades", "numbers"},
    "own queries": {"tray", "grades", "numbers"},
    "order": set(),
    "queries": {"tray", "numbers"},
    "shuffle": {"numbers"},
    "visitors": {"tray"},
    "list": {"tray", "grades"},
}
NUMBERS = ".rm-value, .rm-result, .rm-choice-number, .rm-riding, .rm-own-name"


class Hand(NamedTuple):
    """A widget on a page, its first list, and what was there at first."""

    whole: ExplorerPage
    place: ExplorerPage
    first: list[str]
    numbers: list[str]

    @property
    def last(self) -> str:
        """The item that was at the last rank."""
        return self.first[-1]

    def expect_order(self, *items: str) -> None:
        """Wait until the list has these items."""
        rows = self.place.find(".rm-scroll .rm-row:not(.rm-ghost, .rm-slot)")
        expect(rows).to_have_count(len(items))
        for row, item in zip(rows.all(), items, strict=True):
            expect(row).to_have_attribute("data-id", item)

    def expect_numbers(self, *, changed: bool) -> None:
        """Wait until every number is as at first, or some number is not."""
        if self.numbers:
            found = expect(self.whole.find(NUMBERS))
            (found.not_to_have_text if changed else found.to_have_text)(self.numbers)

    def press(self, *keys: str) -> None:
        """Press keys where the focus is."""
        for key in keys:
            self.place.page.keyboard.press(key)


def take(show: Show, name: str) -> Hand:
    """Show a widget of the table."""
    whole = show(WIDGETS[name]())
    place = ExplorerPage(whole.page, scope="main .rm-ranked >> nth=0 >>")
    rows = place.find(".rm-scroll .rm-row")
    items = rows.evaluate_all("all => all.map((row) => row.dataset.id)")
    numbers = whole.find(NUMBERS).all_text_contents()
    assert bool(numbers) == ("numbers" in LISTS[name])
    return Hand(whole, place, items, numbers)


def by_bar(place: ExplorerPage, item: str, goal: str) -> None:
    """Drag the bar beside a row."""
    place.wait_until_still()
    bar = place.page.locator(f'main .rm-line[data-id="{item}"], main .rm-run[data-id="{item}"]')
    box, to = bar.first.bounding_box(), place.row(goal).bounding_box()
    mouse = place.page.mouse
    mouse.move(box["x"] + 6, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(box["x"] + 6, to["y"] + 4, steps=5)
    mouse.up()


# how the last item gets to the top
WAYS: dict[str, Callable[[ExplorerPage, str, str], None]] = {
    "mouse": lambda place, item, goal: place.drag_with_mouse(item, goal),
    "finger": lambda place, item, goal: place.drag_with_finger(item, goal),
    "pen": lambda place, item, goal: place.drag_with_pen(item, goal),
    "home": lambda place, item, goal: place.grip(item).press("Home"),
}


@pytest.mark.parametrize("name", LISTS)
class TestLists:
    def test_each_way_moves_an_item_says_so_and_is_undone(self, show: Show, name: str):
        hand = take(show, name)
        top = [hand.last, *hand.first[:-1]]
        ways = WAYS | ({"bar": by_bar} if "bars" in LISTS[name] else {})
        for act in ways.values():
            act(hand.place, hand.last, hand.first[0])
            hand.expect_order(*top)
            hand.expect_numbers(changed=True)
            expect(hand.place.grip(hand.last)).to_be_focused()
            said = hand.place.find("[role=status]")
            expect(said).to_contain_text(re.compile(r"moved to rank 1 of \d+\."))
            expect(said).to_have_attribute("aria-live", "polite")
            hand.press("Control+z")
            hand.expect_order(*hand.first)
            hand.expect_numbers(changed=False)
        hand.press("Control+y")
        hand.expect_order(*top)

    def test_keys_and_buttons_move_by_one_rank_and_each_is_a_step(self, show: Show, name: str):
        hand = take(show, name)
        *above, before, item = hand.first
        up = [*above, item, before]
        hand.place.grip(item).press("ArrowUp")
        hand.expect_order(*up)
        hand.press("ArrowDown")
        hand.expect_order(*hand.first)
        hand.place.tool(item, "up").click()
        hand.expect_order(*up)
        expect(hand.place.grip(item)).to_be_focused()
        hand.place.tool(item, "down").click()
        hand.expect_order(*hand.first)
        for items in (up, hand.first, up, hand.first):
            hand.press("Control+z")
            hand.expect_order(*items)
        hand.press("Control+Shift+z")
        hand.expect_order(*up)

    def test_numbers_follow_the_hand_and_escape_gives_up(self, show: Show, name: str):
        hand = take(show, name)
        hand.place.hold(hand.last, hand.first[0])
        expect(hand.place.find(".rm-ghost .rm-rank")).to_have_text("1")
        hand.expect_numbers(changed=True)
        hand.press("Escape")
        hand.whole.expect_nothing_held()
        hand.place.page.mouse.up()
        hand.expect_order(*hand.first)
        hand.expect_numbers(changed=False)

    def test_the_tray_takes_an_item_and_gives_it_back(self, show: Show, name: str):
        hand = take(show, name)
        has_tray = hand.place.find(".rm-row .rm-out").count() > 0
        assert has_tray == ("tray" in LISTS[name])
        if not has_tray:
            return
        in_tray = hand.place.find(f'.rm-dock .rm-row[data-id="{hand.last}"]')
        for takes in (lambda: hand.press("Delete"), hand.place.tool(hand.last, "out").click):
            hand.place.grip(hand.last).focus()
            takes()
            hand.expect_order(*hand.first[:-1])
            expect(in_tray).to_have_count(1)
            expect(hand.place.grip(hand.last)).to_be_focused()
            hand.place.grip(hand.last).press("ArrowUp")  # in at the last rank
            hand.expect_order(*hand.first)
        hand.press("Delete", "Home")
        hand.expect_order(hand.last, *hand.first[:-1])
        hand.press("Control+z", "Control+z")
        hand.expect_order(*hand.first)

    def test_a_grade_is_set_by_button_digit_and_enter(self, show: Show, name: str):
        hand = take(show, name)
        item = hand.first[0]  # its grade is 0
        has_grades = hand.place.find(".rm-row button.rm-grade").count() > 0
        assert has_grades == ("grades" in LISTS[name])
        if not has_grades:
            return
        mark = hand.place.row(item).locator(".rm-mark").first
        for sets in (
            lambda: hand.place.grip(item).press("1"),
            lambda: hand.place.grip(item).press("Enter"),
            hand.place.tool(item, "grade").click,
        ):
            expect(mark).to_have_attribute("data-grade", "0")
            sets()
            expect(mark).to_have_attribute("data-grade", "1")
            hand.expect_numbers(changed=True)
            hand.place.grip(item).press("Control+z")
            hand.expect_numbers(changed=False)
