"""A finger in a phone's view: what it takes up, and what scrolls, by the browser's own touches."""

from collections.abc import Iterator

import pytest
from explorer_page import Finger
from page_checks import STARTED, until
from playwright.sync_api import Browser, Locator, Page, expect
from widgets import write_page

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NAMES = ["explorer", "curve", "queries"]
# whatever can be taken up: a row of a list or of a tray, a bar beside a list
TAKEN_UP = ".rm-row:not(.rm-fixed) > .rm-tile:visible, .rm-line:visible"
IN_HAND = ".rm-ghost"
MIDDLE = "node => scrollBy(0, node.getBoundingClientRect().top - innerHeight / 2)"
LOW = "node => scrollBy(0, node.getBoundingClientRect().top - innerHeight + 100)"
BUZZES = "window.buzzed = 0; navigator.vibrate = () => { window.buzzed += 1; }"
STATE = """all => all.map((row) =>
  [row.dataset.id, row.querySelector('[data-grade]')?.dataset.grade])"""
NO_DOUBLE_TAP = 350  # milliseconds between two taps


@pytest.fixture(scope="module")
def page(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    path = write_page(tmp_path_factory.mktemp("touch"), NAMES)
    context = chromium.new_context(**PHONE, offline=True)
    page = context.new_page()
    page.add_init_script(BUZZES)
    page.goto(path.as_uri())
    until(page, STARTED)
    # there is always where to scroll to
    page.evaluate("() => { document.querySelector('main').style.paddingBottom = '100vh'; }")
    page.locator("h1").tap()  # before that, a page may not buzz
    yield page
    context.close()


def put_on(part: Locator, *, rest: float = 0) -> Finger:
    """Put a finger on the end of something that is brought to the middle of the screen."""
    part.evaluate(MIDDLE)
    box = part.bounding_box()
    finger = Finger(part.page)
    finger.press(box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2, rest=rest)
    return finger


def test_the_numbers_are_in_sight_while_what_is_far_below_is_dragged(page: Page):
    numbers = page.locator("#explorer .rm-values")
    page.set_viewport_size({"width": 390, "height": 480})
    try:
        finger = put_on(page.locator("#explorer").locator(TAKEN_UP).last, rest=280)
        finger.move(0, -60)
        expect(page.locator(f"#explorer {IN_HAND}")).to_be_visible()
        expect(numbers).to_be_in_viewport(ratio=1)
        top = numbers.locator("> *").first.bounding_box()
        seen = page.evaluate(
            "([x, y]) => Boolean(document.elementFromPoint(x, y).closest('.rm-heads'))",
            [top["x"] + 5, top["y"] + 5],
        )
        assert seen  # nothing lies on them
        finger.lift()
    finally:
        page.set_viewport_size(PHONE["viewport"])


# a rest, a move across and down in steps, and whether it takes up or else scrolls the page
GESTURES = {
    "a flick": (0, (0, -90), 6, False),
    "a flick of one touch": (0, (-20, -160), 1, False),
    "a short press and a flick": (90, (0, -90), 6, False),
    "a rest and a drag": (280, (0, -60), 6, True),
    "a pull sideways": (0, (-40, 0), 6, True),
    "a rest": (280, (0, 0), 6, True),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("gesture", GESTURES)
def test_a_finger_that_rests_or_pulls_sideways_takes_up_and_one_that_flicks_scrolls(
    page: Page, name: str, gesture: str
):
    rest, way, steps, is_up = GESTURES[gesture]
    found = page.locator(f"#{name}").locator(TAKEN_UP).all()
    wanted = (is_up, not is_up, is_up)
    for part in [found[0], found[-1]]:
        # on a busy machine a flick may have rested before the page hears that it moves
        tries = (gestured(page, part, rest, way, steps) for _ in range(3))
        assert wanted in tries


def gestured(
    page: Page, part: Locator, rest: float, way: tuple[int, int], steps: int
) -> tuple[bool, bool, bool]:
    """Whether a gesture has taken something up, whether the page scrolled, whether it buzzed.

    One that took nothing up has moved nothing.
    """
    page.wait_for_timeout(NO_DOUBLE_TAP)
    page.evaluate("window.buzzed = 0")
    rows = page.locator("main .rm-row:visible")
    state = rows.evaluate_all(STATE)
    finger = put_on(part, rest=rest)
    before = page.evaluate("scrollY")
    finger.move(*way, steps=steps)
    page.wait_for_timeout(100)
    is_up = page.locator(IN_HAND).count() == 1
    has_scrolled = page.evaluate("scrollY") - before > 40  # a hint that changes is no scroll
    finger.lift()
    expect(page.locator(IN_HAND)).to_have_count(0)
    assert is_up or rows.evaluate_all(STATE) == state
    return is_up, has_scrolled, page.evaluate("window.buzzed") == 1


PLACES = "all => all.map((e) => Object.values(e.getBoundingClientRect().toJSON()).join())"


@pytest.mark.parametrize("name", ["explorer", "curve"])
def test_the_buttons_of_a_tapped_row_come_below_the_list_and_stay_there_while_it_moves(
    page: Page, name: str
):
    place = page.locator(f"#{name}")
    labels = place.locator(".rm-ranked:visible").first.locator(".rm-scroll .rm-label")
    item, n = labels.last.text_content(), labels.count()
    page.evaluate("document.activeElement.blur()")
    labels.last.evaluate(MIDDLE)
    around = page.locator(f"#{name} :is(.rm-row, .rm-foot, .rm-later > *), #{name} ~ section")
    before = around.evaluate_all(PLACES)
    buttons = place.locator(".rm-tool:visible")
    expect(buttons).to_have_count(0)
    labels.last.tap()
    expect(buttons.first).to_be_visible()
    expect(place.locator(".rm-row .rm-tool:visible")).to_have_count(0)
    assert around.evaluate_all(PLACES) == before
    for box in [each.bounding_box() for each in buttons.all()]:
        assert min(box["width"], box["height"]) >= 40
    up = place.locator(".rm-up:visible").bounding_box()
    for at in (n - 2, n - 3):  # twice at the same spot
        page.wait_for_timeout(NO_DOUBLE_TAP)
        page.touchscreen.tap(up["x"] + up["width"] / 2, up["y"] + up["height"] / 2)
        expect(labels.nth(at)).to_have_text(item)
    # they are seen also where the list ends below the screen
    page.wait_for_timeout(NO_DOUBLE_TAP)
    labels.first.evaluate(LOW)
    labels.first.tap()
    expect(place.locator(".rm-out:visible")).to_be_in_viewport(ratio=0.99)  # but for half a pixel
    expect(labels.first).to_be_in_viewport()
    # after a drop the line of how is back
    finger = put_on(labels.nth(n - 3), rest=280)
    finger.move(0, 60)
    finger.lift()
    expect(page.locator(IN_HAND)).to_have_count(0)
    expect(buttons).to_have_count(0)


def test_a_second_tap_at_the_same_spot_presses_nothing(page: Page):
    rows = page.locator("#explorer .rm-row:not(.rm-fixed):visible")
    before = rows.evaluate_all(STATE)
    for row in (rows.first, rows.last):
        row.evaluate(MIDDLE)
        box = row.locator(".rm-tile").bounding_box()
        for share in (0.2, 0.4, 0.6, 0.8, 0.95):
            for _ in range(2):
                page.touchscreen.tap(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
                page.wait_for_timeout(30)
            assert rows.evaluate_all(STATE) == before, share
            page.evaluate("document.activeElement.blur()")


def test_a_tap_on_a_bar_marks_its_row_and_no_other(page: Page):
    rows, bars = (page.locator(f"#curve .rm-scroll {part}") for part in (".rm-row", ".rm-line"))
    for one, other in ((0, 2), (2, 1)):
        page.wait_for_timeout(NO_DOUBLE_TAP)
        rows.nth(one).locator(".rm-label").tap()
        page.wait_for_timeout(NO_DOUBLE_TAP)
        box = bars.nth(other).bounding_box()
        item = bars.nth(other).get_attribute("data-id")
        page.touchscreen.tap(box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2)
        for mark in (".rm-row:focus-within", ".rm-row.rm-lit"):
            expect(page.locator(f"#curve {mark}")).to_have_count(1)
            expect(page.locator(f"#curve {mark}")).to_have_attribute("data-id", item)
