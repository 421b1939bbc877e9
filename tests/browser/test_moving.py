"""Every way to move an item moves it, and the numbers follow."""

import pytest
from browser_harness import Reader
from explorer_page import EXPLORER, ExplorerPage
from playwright.sync_api import expect


@pytest.fixture
def explorer(reader: Reader) -> ExplorerPage:
    reader.open([EXPLORER])
    page = ExplorerPage(reader)
    page.expect_order("D1", "D2", "D3", "D4", "D5")
    page.expect_value("RR = 0.250")
    return page


def with_mouse(page: ExplorerPage) -> None:
    page.drag_with_mouse("D4", "D1")


def with_touch(page: ExplorerPage) -> None:
    page.drag_with_finger("D4", "D1")


def with_pen(page: ExplorerPage) -> None:
    page.drag_with_pen("D4", "D1")


def with_arrows(page: ExplorerPage) -> None:
    page.grip("D4").focus()
    for _ in range(3):
        page.reader.page.keyboard.press("ArrowUp")


def with_home(page: ExplorerPage) -> None:
    page.grip("D4").focus()
    page.reader.page.keyboard.press("Home")


def with_buttons(page: ExplorerPage) -> None:
    for _ in range(3):
        page.button("Move D4 up").click()


WAYS = [with_mouse, with_touch, with_pen, with_arrows, with_home, with_buttons]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_item_4_goes_to_rank_1_and_rr_from_a_quarter_to_1(explorer, way):
    way(explorer)
    explorer.expect_order("D4", "D1", "D2", "D3", "D5")
    explorer.expect_value("RR = 1.000")
    explorer.expect_value("AP = 1.000")
    explorer.expect_value("nDCG = 1.000")


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_focus_stays_on_the_item_that_moved(explorer, way):
    way(explorer)
    explorer.expect_order("D4", "D1", "D2", "D3", "D5")
    if way is with_buttons:
        explorer.expect_focus(explorer.button("Move D4 up"))
    else:
        explorer.expect_focus(explorer.grip("D4"))


def test_an_item_can_be_dragged_to_the_end(explorer):
    explorer.drag_with_mouse("D1", "D5")
    explorer.expect_order("D2", "D3", "D4", "D1", "D5")
    explorer.grip("D1").press("End")
    explorer.expect_order("D2", "D3", "D4", "D5", "D1")


def test_escape_gives_a_drag_up(explorer):
    x, y, to_x, to_y = explorer.way("D4", "D1")
    mouse = explorer.reader.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(to_x, to_y, steps=3)
    expect(explorer.find(".rm-ghost")).to_have_count(1)
    explorer.reader.page.keyboard.press("Escape")
    expect(explorer.find(".rm-ghost")).to_have_count(0)
    mouse.up()
    box = explorer.row("D4").locator(".rm-label").bounding_box()
    mouse.move(box["x"] + 30, box["y"] + 8)
    mouse.down()
    mouse.move(to_x, to_y, steps=3)
    explorer.reader.page.keyboard.press("Escape")
    mouse.up()
    explorer.reader.settle()
    explorer.expect_order("D1", "D2", "D3", "D4", "D5")


def test_nothing_moves_in_the_document_before_the_drop(explorer):
    x, y, to_x, to_y = explorer.way("D4", "D1")
    mouse = explorer.reader.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(to_x, to_y, steps=3)
    names = explorer.find(".rm-scroll .rm-label")
    expect(names).to_have_text(["D1", "D2", "D3", "D4", "D5"])
    expect(explorer.find(".rm-line")).to_be_visible()
    mouse.up()
    explorer.expect_order("D4", "D1", "D2", "D3", "D5")
    expect(explorer.find(".rm-line")).to_have_count(0)


def test_a_finger_on_the_label_scrolls_and_does_not_drag(explorer):
    explorer.drag_with_finger("D4", "D1", by=".rm-label")
    explorer.reader.page.wait_for_timeout(300)
    explorer.expect_order("D1", "D2", "D3", "D4", "D5")


def test_a_mouse_may_take_the_row_anywhere(explorer):
    box = explorer.row("D4").locator(".rm-label").bounding_box()
    goal = explorer.row("D1").bounding_box()
    mouse = explorer.reader.page.mouse
    mouse.move(box["x"] + 30, box["y"] + 8)
    mouse.down()
    mouse.move(box["x"] + 30, goal["y"] + 5, steps=4)
    mouse.up()
    explorer.expect_order("D4", "D1", "D2", "D3", "D5")


def test_what_happened_is_said_to_a_screen_reader(explorer):
    explorer.grip("D4").press("Home")
    said = explorer.find(".rm-ranked [role=status]")
    expect(said).to_have_text("D4 moved to rank 1 of 5. RR = 1.000, AP = 1.000, nDCG = 1.000.")
    expect(explorer.find("[role=img]")).to_have_attribute(
        "aria-label", "Hits at rank 1 of 5. RR = 1.000, AP = 1.000, nDCG = 1.000."
    )
    expect(explorer.find(".rm-moved")).to_contain_text("D4")


def test_shuffle_ideal_order_and_reset(explorer):
    explorer.button("Shuffle").click()
    expect(explorer.find(".rm-scroll .rm-label").first).not_to_have_text("D1")
    explorer.button("Ideal order").click()
    explorer.expect_value("nDCG = 1.000")
    explorer.expect_focus(explorer.button("Ideal order"))
    explorer.button("Reset").click()
    explorer.expect_order("D1", "D2", "D3", "D4", "D5")
    explorer.expect_focus(explorer.button("Reset"))
