"""Grades, the dock, labels and long lists, in the browser."""

import pytest
from browser_harness import Reader
from explorer_page import GRADED, ExplorerPage
from playwright.sync_api import expect

LABELS = """from byhand.widgets import RankedList
labels = {1: "<b>bold</b> <script>window.bad = 1</script>", 2: "متحف الفن", 3: "long " * 40}
RankedList(labels, {3})"""
LONG = """from byhand.widgets import Explorer
long = Explorer([f"D{i}" for i in range(1, 31)], {"D30"}, measures=["RR"])
long"""


@pytest.fixture
def explorer(reader: Reader) -> ExplorerPage:
    reader.open([GRADED, "print(explorer)"])
    page = ExplorerPage(reader)
    page.expect_order("D1", "D2", "D3", "D4", "D5")
    page.expect_docked("D9")
    page.expect_value("RR@4 = 0.250")
    return page


def test_the_grade_button_goes_through_the_grades(explorer):
    for grade in (3, 0, 1, 2):
        explorer.row("D4").locator(".rm-grade").click()
        expect(explorer.button(f"Grade of D4: {grade}")).to_be_focused()
    explorer.row("D1").locator(".rm-grade").click()
    explorer.expect_value("RR@4 = 1.000")


def test_digits_and_enter_on_the_grip_set_the_grade(explorer):
    explorer.grip("D1").press("3")
    expect(explorer.button("Grade of D1: 3")).to_have_count(1)
    explorer.expect_value("RR@4 = 1.000")
    explorer.grip("D1").press("Enter")
    expect(explorer.button("Grade of D1: 0")).to_have_count(1)
    explorer.expect_value("RR@4 = 0.250")
    explorer.grip("D1").press("7")
    explorer.reader.settle()
    expect(explorer.button("Grade of D1: 0")).to_have_count(1)


def test_a_missed_item_is_dragged_in_and_out(explorer):
    explorer.drag_with_mouse("D9", "D1")
    explorer.expect_order("D9", "D1", "D2", "D3", "D4", "D5")
    explorer.expect_value("RR@4 = 1.000")
    expect(explorer.find(".rm-dock-title")).to_have_text("Drop here to leave an item out")
    explorer.drag_with_mouse("D9", "D5")
    explorer.expect_order("D1", "D2", "D3", "D4", "D5", "D9")
    grip, dock = explorer.grip("D4").bounding_box(), explorer.find(".rm-dock").bounding_box()
    mouse = explorer.reader.page.mouse
    mouse.move(grip["x"] + 8, grip["y"] + 8)
    mouse.down()
    mouse.move(dock["x"] + 60, dock["y"] + dock["height"] / 2, steps=5)
    mouse.up()
    explorer.expect_docked("D4")
    explorer.expect_value("RR@4 = 0.000")


def test_keys_take_out_and_bring_in(explorer):
    explorer.grip("D4").press("Delete")
    explorer.expect_docked("D4", "D9")
    explorer.expect_focus(explorer.grip("D4"))
    explorer.expect_value("RR@4 = 0.000")
    explorer.grip("D4").press("Home")
    explorer.expect_order("D4", "D1", "D2", "D3", "D5")
    explorer.expect_focus(explorer.grip("D4"))
    explorer.grip("D9").press("ArrowUp")
    explorer.expect_order("D4", "D1", "D2", "D3", "D5", "D9")


def test_buttons_take_out_and_bring_in(explorer):
    explorer.button("Take D4 out").click()
    explorer.expect_docked("D4", "D9")
    explorer.expect_focus(explorer.button("Bring D4 in"))
    explorer.button("Bring D4 in").press("Enter")
    explorer.expect_order("D1", "D2", "D3", "D5", "D4")
    explorer.expect_focus(explorer.button("Take D4 out"))


def test_the_cutoff_slider(explorer):
    slider = explorer.find("input[type=range]")
    slider.focus()
    slider.press("ArrowLeft")
    explorer.expect_value("RR@3 = 0.000")
    slider.press("End")
    explorer.expect_value("RR@6 = 0.250")
    explorer.expect_focus(slider)
    slider.press("Control+z")
    explorer.expect_value("RR@3 = 0.000")
    assert "RR@3=0.000" in explorer.reader.printed(1)


def test_labels_are_text_and_a_narrow_page_fits(reader):
    width = 438 if reader.frontend == "lab" else 358  # either leaves the list less than 320
    reader.page.set_viewport_size({"width": width, "height": 900})
    reader.open([LABELS])
    page = ExplorerPage(reader)
    expect(page.row("1").locator(".rm-label")).to_have_text(
        "<b>bold</b> <script>window.bad = 1</script>"
    )
    assert reader.page.evaluate("window.bad") is None
    assert page.find(".rm-label b").count() == 0
    label = page.row("2").locator(".rm-label")
    assert label.evaluate("e => getComputedStyle(e).direction") == "rtl"
    box = page.find(".rm-scroll").bounding_box()
    assert 280 < box["width"] <= 320
    for control in page.find(".rm-row button:visible").all():
        size = control.bounding_box()
        assert min(size["width"], size["height"]) >= 24
        assert size["x"] + size["width"] <= box["x"] + box["width"]


def test_thirty_items_scroll_inside_and_the_moved_one_stays_in_sight(reader):
    reader.open([LONG])
    page = ExplorerPage(reader)
    scroll = page.find(".rm-scroll")
    assert scroll.evaluate("e => e.scrollHeight > e.clientHeight")
    page.grip("D30").press("Home")
    page.expect_value("RR = 1.000")
    expect(page.row("D30")).to_be_in_viewport()
    assert scroll.evaluate("e => e.scrollTop") == 0
    page.grip("D30").press("End")
    page.expect_value("RR = 0.033")
    page.expect_focus(page.grip("D30"))
    assert scroll.evaluate("e => e.scrollTop") > 100


def test_a_drag_to_the_edge_scrolls_a_long_list(reader):
    reader.open([LONG])
    page = ExplorerPage(reader)
    page.grip("D30").scroll_into_view_if_needed()
    grip, box = page.grip("D30").bounding_box(), page.find(".rm-scroll").bounding_box()
    mouse = reader.page.mouse
    mouse.move(grip["x"] + 8, grip["y"] + 8)
    mouse.down()
    mouse.move(grip["x"] + 8, box["y"] + 12, steps=5)
    expect(page.row("D1")).to_be_in_viewport(timeout=10_000)
    reader.page.wait_for_timeout(300)
    mouse.move(grip["x"] + 8, box["y"] + 4)
    mouse.up()
    page.expect_value("RR = 1.000")
