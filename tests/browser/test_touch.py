"""A finger in a phone's view: what it takes up, and what scrolls, by the browser's own touches."""

from collections.abc import Iterator

import pytest
from explorer_page import Finger
from page_checks import STARTED, until
from playwright.sync_api import Browser, Locator, Page, expect
from widgets import write_page

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
IN_HAND = ".rm-ghost"
MIDDLE = "node => scrollBy(0, node.getBoundingClientRect().top - innerHeight / 2)"
LOW = "node => scrollBy(0, node.getBoundingClientRect().top - innerHeight + 100)"
BUZZES = "window.buzzed = 0; navigator.vibrate = () => { window.buzzed += 1; }"
PLACES = "all => all.map((e) => Object.values(e.getBoundingClientRect().toJSON()).join())"
NO_DOUBLE_TAP = 350  # milliseconds between two taps


@pytest.fixture(scope="module")
def page(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    path = write_page(tmp_path_factory.mktemp("touch"), ["explorer", "curve", "queries"])
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


# what can be taken up: the first row, the last one of a list or its tray, one of many, a bar
PARTS = ["#explorer .rm-tile >> nth=0", "#explorer .rm-tile >> nth=-1", "#curve .rm-line >> nth=0"]
PARTS += ["#queries .rm-tile:visible >> nth=-1"]
# a rest, a move across and down in steps, and whether it takes up or else scrolls the page
GESTURES = {
    "a flick of one touch": (0, (-20, -160), 1, False),
    "a short press and a flick": (90, (0, -90), 6, False),
    "a rest and a drag": (280, (0, -60), 6, True),
    "a rest": (280, (0, 0), 6, True),
    "a pull sideways": (0, (-40, 0), 6, True),
}


@pytest.mark.parametrize("gesture", GESTURES)
@pytest.mark.parametrize("part", PARTS)
def test_a_finger_that_rests_or_pulls_sideways_takes_up_and_one_that_flicks_scrolls(
    page: Page, part: str, gesture: str
):
    rest, way, steps, is_up = GESTURES[gesture]
    for _ in range(3):  # on a busy machine a flick may have rested before the page hears it move
        page.wait_for_timeout(NO_DOUBLE_TAP)
        page.evaluate("window.buzzed = 0")
        finger = put_on(page.locator(part), rest=rest)
        before = page.evaluate("scrollY")
        finger.move(*way, steps=steps)
        page.wait_for_timeout(100)
        found = page.locator(IN_HAND).count() == 1, page.evaluate("scrollY") - before > 40
        finger.lift()
        expect(page.locator(IN_HAND)).to_have_count(0)
        if found == (is_up, not is_up):
            break
    assert (*found, page.evaluate("window.buzzed")) == (is_up, not is_up, int(is_up))


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


def test_the_numbers_are_in_sight_while_what_is_far_below_is_dragged(page: Page):
    page.set_viewport_size({"width": 390, "height": 480})
    finger = put_on(page.locator("#explorer .rm-tile").last, rest=280)
    finger.move(0, -60)
    expect(page.locator(f"#explorer {IN_HAND}")).to_be_visible()
    numbers = page.locator("#explorer .rm-values")
    expect(numbers).to_be_in_viewport(ratio=1)
    top = numbers.locator("> *").first.bounding_box()
    on_top = "([x, y]) => Boolean(document.elementFromPoint(x, y).closest('.rm-heads'))"
    assert page.evaluate(on_top, [top["x"] + 5, top["y"] + 5])
    finger.lift()
