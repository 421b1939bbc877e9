"""The widgets live in a notebook: its shortcuts, its saving, its kernel, its colours, a finger."""

import re

import pytest
from browser_harness import Reader
from explorer_page import ASKED, COVERED, REACHED, SEEN, ExplorerPage, Finger
from page_checks import ONLY_COLOURS, violations
from playwright.sync_api import expect

EXPLORER = """from byhand.widgets import Explorer
explorer = Explorer(["D1", "D2", "D3", "D4", "D5"], {"D4"})
explorer"""
GRADED = EXPLORER.replace('{"D4"}', '{"D4": 2, "D9": 3}, max_grade=3, k=4')
OTHERS = """from byhand.widgets import Challenge, Goal, PermutationTest, Prediction
from byhand.widgets.prediction.answers import Choice, Number
challenge = Challenge(["D1", "D2", "D3", "D4"], {"D3", "D4"}, Goal.reach("RR", "1/2"))
number = Prediction("What is RR?", Number(answer=0.25, hints=["Where is the first?"]))
choice = Prediction("Which one moves?", Choice(answer="AP", options={"RR": "RR", "AP": "AP"}))
coins = PermutationTest([0.5, 0.25, -0.125, 0], names=("new", "old"))
display(challenge, number, choice, coins)"""
# a measure for which the browser has no formula
JUDGED = EXPLORER.replace('{"D4"}', '{"D1": None, "D4": 1}, measures=["Judged@1", "RR"]')
WINDOWED = """(windowingMode) => {
  const { content } = window.jupyterapp.shell.currentWidget;
  content.notebookConfig = { ...content.notebookConfig, windowingMode };
}"""
# scrolls to a cell; whether it is there, and the first also seen. JupyterLab itself scrolls after a
# run, on a busy machine later than this, so it is asked for again until it is
SCROLLED = """(n) => {
  window.jupyterapp.shell.currentWidget.content.scrollToItem(n);
  const cell = document.querySelector(`.jp-Cell[data-windowed-list-index="${n}"]`);
  return n ? cell !== null : cell?.querySelector('.rm')?.checkVisibility();
}"""
# keys and what is sent depend on the frontend, and the rest does not
in_lab, in_notebook = (
    pytest.mark.parametrize("reader", [each], indirect=True) for each in ("lab", "notebook")
)
CONTEXT = "window.jupyterapp.shell.currentWidget.context"


@in_notebook
def test_two_views_and_python_stay_in_step_and_python_hears_of_the_drop_only(reader: Reader):
    hears = 'heard = []; ranks.observe(lambda change: heard.append(change.new), "order")'
    change = 'ranks.order, ranks.grades = ["D4", "D5"], dict.fromkeys(["D1", "D2", "D4"], 1)'
    told = f"print(heard, explorer.values['RR'])\nif heard: {change}"
    reader.open([EXPLORER, f"ranks = explorer.ranks\n{hears}\nranks", told])
    one, other = (ExplorerPage(reader.page, scope=each) for each in (".rm-explorer", ".rm-list"))
    *_, x, y = one.way("D4", "D1")
    one.hold("D4", "D2")
    reader.page.mouse.move(x, y, steps=4)
    one.expect_value("RR = 1.000")
    reader.page.mouse.up()
    other.expect_order("D4", "D1", "D2", "D3", "D5")
    other.grip("D1").press("Enter")
    expect(one.row("D1").locator(".rm-mark").first).to_have_attribute("data-grade", "1")
    assert "[('D4', 'D1', 'D2', 'D3', 'D5')] 1.0" in reader.printed(2)
    for view in (one, other):
        view.expect_order("D4", "D5")
        expect(view.find(".rm-dock .rm-label")).to_have_text(["D1", "D2", "D3"])
        expect(view.find(".rm-dock-title")).to_have_text("Not in the list (2 of them relevant)")


def test_keys_stay_in_the_widgets_python_hears_and_those_with_ctrl_reach_the_notebook(
    reader: Reader,
):
    told = ("explorer", "challenge.done, number.guesses, number.right", "choice", "coins")
    reader.open([GRADED, OTHERS, "\n".join(f"print({each})" for each in told)])
    page, cells, keyboard = ExplorerPage(reader.page), reader.cells(), reader.page.keyboard
    page.open_more()
    for part in ("[data-id=D4] .rm-grip", "input[type=radio]", ".rm-slider"):
        page.find(part).first.focus()
        for key in ["m", "d", "d", "x", "a", "b", "y", "r", "Shift+M", "l", "c", "v"]:
            keyboard.press(key)
    page.find(".rm-slider").press("ArrowLeft")
    page.find(".rm-challenge [data-id=D3] .rm-grip").press("ArrowUp")
    verdict = page.find(".rm-verdict")
    expect(verdict.nth(0)).to_have_text("✓ Reached.")
    page.find(".rm-prediction .rm-text").press_sequentially("1/4 mddxab\n")
    expect(verdict.nth(1)).to_contain_text("not a number")
    page.find(".rm-prediction .rm-text").fill("1/4")
    keyboard.press("Enter")
    expect(verdict.nth(1)).to_have_text("✓ Right: the answer is 0.25 (1/4).")
    page.find("input[type=radio]").first.focus()
    for key in ("Space", "ArrowDown", "m", "Tab", "Enter"):
        keyboard.press(key)
    expect(verdict.nth(2)).to_have_text("✓ Right.")
    keyboard.press("Shift+Enter")  # neither "Try again" nor the cell again
    page.find(".rm-heap-foot [data-name=shuffle-10]").press("Enter")
    expect(page.find(".rm-heap-words")).to_contain_text("10 permutations: ")
    expect(verdict.nth(2)).to_have_text("✓ Right.")
    assert reader.cells() == cells
    said = reader.printed(len(cells) - 1).splitlines()
    assert "nDCG@3" in said[0]
    assert said[1:3] == ["True ['1/4'] True", "Prediction('Which one moves?'; AP, right)"]
    assert "10 permutations, " in said[3]
    page.grip("D4").first.press("Home")
    page.expect_value("RR@3 = 1.000")
    keyboard.press("Control+s")
    reader.page.wait_for_function(f"!{CONTEXT}.model.dirty")
    keyboard.press("m")
    keyboard.press("Control+Enter")  # runs the cell anew
    page.expect_value("RR@4 = 0.250")
    assert reader.cells() == cells


@in_notebook
def test_a_measure_without_a_formula_in_the_browser_is_answered_by_python(reader: Reader):
    reader.open([JUDGED])
    page = ExplorerPage(reader.page)
    page.expect_value("Judged@1 = 0.000")
    page.hold("D4", "D1")
    page.expect_value("RR = 1.000")
    expect(page.find(".rm-card.rm-stale")).to_contain_text("after the drop")
    reader.page.mouse.up()
    page.expect_value("Judged@1 = 1.000")
    expect(page.find(".rm-stale")).to_have_count(0)
    expect(page.find(".rm-was").last).to_have_text("was 0.250")  # no late answer takes it back


@in_lab
def test_a_kernel_that_is_gone_stops_nothing_and_a_new_one_brings_the_widget_back(reader: Reader):
    reader.open([EXPLORER])
    page = ExplorerPage(reader.page)
    page.expect_value("RR = 0.250")
    reader.page.evaluate(f"() => {CONTEXT}.sessionContext.shutdown()")
    page.drag_with_mouse("D4", "D1")
    page.expect_value("RR = 1.000")
    reader.page.evaluate(f"() => {CONTEXT}.sessionContext.startKernel()")
    reader.settle()
    reader.run_all()
    page.expect_order("D1", "D2", "D3", "D4", "D5")
    page.grip("D4").press("Home")
    page.expect_value("RR = 1.000")


def test_what_follows_a_question_is_covered_until_it_is_answered_or_skipped(reader: Reader):
    reader.open(COVERED)
    page = reader.page
    skip, cover = page.locator("[data-name=skip]"), page.locator(".rm-cover").first

    def expect_hidden(*cells: int) -> None:
        seen = [n not in cells for n in range(len(COVERED))]
        page.wait_for_function(f"(seen) => String(({SEEN})()) === String(seen)", arg=seen)

    expect_hidden(*range(1, 11))
    expect(page.locator(".jp-Cell:visible")).to_have_count(1)
    page.locator(".jp-Cell h2").last.evaluate("(node) => node.after(node.cloneNode(true))")
    # the headings of what is covered, also of what is rendered late
    expect(cover).to_have_text(re.compile("On.*More.*More"))
    page.locator(".rm-prediction .rm-text").first.fill("4")
    page.keyboard.press("Enter")
    expect_hidden(*range(5, 11))
    skip.nth(1).click()
    expect_hidden(*range(6, 11))
    page.locator(".rm-challenge [data-id=D2] .rm-grip").press("ArrowUp")
    expect_hidden(9, 10)
    page.locator(".jp-Cell").nth(8).click()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")  # who goes on by the keys meets the code, and not what it says
    expect(page.locator(".jp-Cell .jp-Editor").nth(9)).to_be_visible()
    expect_hidden(9, 10)
    skip.last.click()
    expect_hidden()
    reader.run_all()  # asks again
    expect_hidden(*range(1, 11))
    reader.command("notebook:clear-all-cell-outputs")
    expect(page.locator(".rm-covered")).to_have_count(0)


@in_lab
@pytest.mark.parametrize("mode", ["defer", "full"])
def test_a_cell_that_comes_into_the_window_is_covered_or_not_as_its_neighbours(
    reader: Reader, mode: str
):
    """As with settings of JupyterLab, under which those out of sight are not there."""
    page = reader.page
    page.set_viewport_size({"width": 1250, "height": 500})
    page.evaluate(WINDOWED, mode)
    reader.open([ASKED, *["below"] * 12, "## On", *["after"] * 12, REACHED, *["last"] * 12])
    reader.settle()
    for n in (0, 25, 13, 26, 38, 1, 12, 38):
        # not so often that a busy page never gets there
        page.wait_for_function(SCROLLED, arg=n, polling=1_000, timeout=60_000)
        cell = page.locator(f"[data-windowed-list-index='{n}']")
        shown = cell.locator(".rm, .jp-MarkdownOutput :is(p, h2)")
        expect(shown).to_be_visible(visible=n == 0)
    page.evaluate(WINDOWED, "contentVisibility")


@in_lab
def test_a_finger_takes_up_a_row_and_a_flick_scrolls(reader: Reader):
    """JupyterLab scrolls by itself, and opens a menu of its own after a long press."""
    page = reader.page
    page.set_viewport_size({"width": 390, "height": 844})
    reader.open([EXPLORER, "## " + "Below. " * 900])
    last = page.locator(".rm-scroll .rm-row:not(.rm-asked, .rm-ghost, .rm-slot) .rm-label").last
    heads, finger = page.locator(".rm-heads"), Finger(page)
    for rest, is_up in ((700, 1), (0, 0)):
        last.evaluate("node => node.scrollIntoView({ block: 'center' })")  # at an edge it scrolls
        page.wait_for_timeout(350)  # no double tap, and JupyterLab has opened all that it shows
        before, box = heads.bounding_box()["y"], last.bounding_box()
        finger.press(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, rest=rest)
        finger.move(0, -90)
        expect(page.locator(".rm-ghost")).to_have_count(is_up)
        scrolled = before - heads.bounding_box()["y"]
        assert scrolled == 0 if is_up else scrolled > 20
        finger.lift()
        expect(page.locator(".rm-ghost, .lm-Menu")).to_have_count(0)


@in_lab  # Notebook has the same themes
def test_axe_finds_no_fault_in_our_colours_in_either_theme(reader: Reader, axe_source: str):
    page = reader.page
    page.set_viewport_size({"width": 1250, "height": 6000})
    page.evaluate(axe_source)
    # JupyterLab's body has no height of its own, and axe takes what overflows it for invisible
    page.add_style_tag(content="html, body { height: 100vh !important }")
    reader.open([GRADED, OTHERS])
    ExplorerPage(page).grip("D4").first.press("Home")
    for theme in ("Dark", "Light"):
        reader.theme(f"JupyterLab {theme}")
        reader.settle()
        assert violations(page, ".jp-OutputArea-output", **ONLY_COLOURS) == []
