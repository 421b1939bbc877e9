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
    explorer.expect_order("D2", "D3", "D4", "D5", "D1")
    explorer.grip("D2").press("End")
    explorer.expect_order("D3", "D4", "D5", "D1", "D2")


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


def test_values_and_ranks_follow_the_hand_and_nothing_jumps_on_the_drop(explorer):
    explorer.hold("D4", "D2")
    explorer.expect_value("RR = 0.500")
    explorer.expect_value("nDCG = 0.631")
    expect(explorer.find(".rm-was").first).to_have_text("was 0.250")
    expect(explorer.find("[role=img]")).to_have_attribute(
        "aria-label", "Hits at rank 2 of 5. RR = 0.500, AP = 0.500, nDCG = 0.631."
    )
    expect(explorer.find(".rm-steps .rm-moved")).to_contain_text("D4")
    expect(explorer.find(".rm-ghost .rm-rank")).to_have_text("2")
    expect(explorer.row("D2").locator(".rm-rank")).to_have_text("3")
    names = explorer.find(".rm-scroll .rm-row:not(.rm-slot) .rm-label")
    expect(names).to_have_text(["D1", "D2", "D3", "D4", "D5"])  # the document waits for the drop
    explorer.reader.page.wait_for_timeout(200)  # until the rows have slid
    tops = {item: explorer.row(item).bounding_box()["y"] for item in ("D1", "D2", "D3", "D5")}
    slot = explorer.find(".rm-slot").bounding_box()["y"]
    explorer.reader.page.mouse.up()
    explorer.expect_order("D1", "D4", "D2", "D3", "D5")
    assert {item: explorer.row(item).bounding_box()["y"] for item in tops} == tops
    assert explorer.row("D4").bounding_box()["y"] == slot
    explorer.expect_value("RR = 0.500")
    expect(explorer.find(".rm-was").first).to_have_text("was 0.250")


def test_escape_puts_all_values_back(explorer):
    explorer.hold("D4", "D1")
    explorer.expect_value("RR = 1.000")
    explorer.reader.page.keyboard.press("Escape")
    explorer.expect_value("RR = 0.250")
    explorer.reader.page.mouse.up()
    expect(explorer.find(".rm-slot, .rm-ghost")).to_have_count(0)
    expect(explorer.row("D1").locator(".rm-rank")).to_have_text("1")


def test_undo_and_redo_by_button_and_key(explorer):
    undo, redo = explorer.button("Undo"), explorer.button("Redo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    explorer.grip("D4").press("Home")
    explorer.grip("D4").press("ArrowDown")
    explorer.row("D1").locator(".rm-grade").click()
    undo.click()
    expect(explorer.button("Grade of D1: not relevant")).to_have_count(1)
    undo.click()
    explorer.expect_order("D4", "D1", "D2", "D3", "D5")
    redo.click()
    explorer.expect_order("D1", "D4", "D2", "D3", "D5")
    before = explorer.reader.cells()
    explorer.grip("D4").focus()
    keyboard = explorer.reader.page.keyboard
    keyboard.press("Control+z")
    keyboard.press("Control+z")
    explorer.expect_order("D1", "D2", "D3", "D4", "D5")
    expect(undo).to_have_attribute("aria-disabled", "true")
    keyboard.press("Control+z")
    explorer.expect_order("D1", "D2", "D3", "D4", "D5")
    keyboard.press("Control+Shift+z")
    explorer.expect_order("D4", "D1", "D2", "D3", "D5")
    keyboard.press("Control+y")
    explorer.expect_order("D1", "D4", "D2", "D3", "D5")
    assert explorer.reader.cells() == before


def test_pointing_at_a_rank_says_what_it_adds_and_why(explorer):
    explorer.grip("D4").focus()
    lens = explorer.find(".rm-lens > div")
    expect(lens.nth(0)).to_have_text("Rank 4, D4: relevant.")
    expect(lens.nth(1)).to_have_text("RR +0.250: the first hit, at rank 4: 1/4")
    expect(lens.nth(2)).to_have_text("AP +0.250: 1 of the first 4 are relevant: 1/4, over 1")
    explorer.row("D2").hover()
    expect(lens.nth(0)).to_have_text("Rank 2, D2: not relevant, so it adds nothing.")


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
