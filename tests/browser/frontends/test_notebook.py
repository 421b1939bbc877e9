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
CHALLENGE = """from byhand.widgets import Challenge, Goal
challenge = Challenge(["D1", "D2", "D3", "D4"], {"D3", "D4"}, Goal.reach("RR", "1/2"))
challenge"""
PREDICTIONS = """from byhand.widgets import Prediction
from byhand.widgets.prediction.answers import Choice, Number
number = Prediction("What is RR?", Number(answer=0.25, hints=["Where is the first?"]))
choice = Prediction("Which one moves?", Choice(answer="AP", options={"RR": "RR", "AP": "AP"}))
display(number, choice)"""
COINS = """from byhand.widgets import PermutationTest
coins = PermutationTest([0.5, 0.25, -0.125, 0], names=("new", "old"))
coins"""
OTHERS = [GRADED, CHALLENGE, PREDICTIONS, COINS]
CHANCES = """from byhand.widgets import Shuffle, Visitors
visitors = Visitors(["D1", "D4", "D2"], {"D4", "D9"}, measures=["AP", "RR"])
shuffle = Shuffle(["D1", "D4", "D2"], {"D4"}, measures="AP", others=7)
display(visitors, shuffle)"""
HEARD = """heard = []
explorer.ranks.observe(lambda change: heard.append(change.new), "order")"""
ANSWERED = """from byhand.metrics.measures import MEASURES, RR, register
from byhand.widgets import Explorer

class Depth(RR):
    \"\"\"The rank of the first hit.\"\"\"
    name = "Depth"
    meaning = "the rank of the first hit"
    def credit(self, hits, chosen):
        return (hits.nth == 1) * 1.0 * hits.rank

MEASURES.get("Depth") or register(Depth)
Explorer(["D1", "D2", "D3", "D4", "D5"], {"D4"}, measures=["Depth", "RR"])"""
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
FOCUSABLE = [
    ".rm-row[data-id=D4] .rm-grip",
    ".rm-row[data-id=D4] .rm-grade",
    ".rm-row[data-id=D9] .rm-out",
    ".rm-button[data-name=reset]",
    ".rm-slider",
]
KEYS = ["m", "d", "d", "x", "a", "b", "y", "r", "Shift+M", "l", "c", "v"]
# keys and what is sent depend on the frontend, and the rest does not
in_lab, in_notebook = (
    pytest.mark.parametrize("reader", [each], indirect=True) for each in ("lab", "notebook")
)
SESSION = "window.jupyterapp.shell.currentWidget.context.sessionContext"
UNSAVED = "window.jupyterapp.shell.currentWidget.context.model.dirty"


def test_keys_in_the_widget_stay_there_and_those_with_ctrl_reach_the_notebook(
    reader: Reader,
):
    reader.open(["before = 1", GRADED, "after = 1"])
    page = ExplorerPage(reader.page)
    before = reader.cells()
    page.open_more()
    for selector in FOCUSABLE:
        if row := re.match(r"\.rm-row\S+", selector):
            page.find(f"{row[0]} .rm-grip").click()  # its buttons come with the focus
        page.find(selector).click()
        page.find(selector).focus()
        for key in KEYS:
            reader.page.keyboard.press(key)
    assert reader.cells() == before
    assert [kind for kind, _ in before] == ["code"] * 3
    page.press("reset")
    reader.settle()
    page.grip("D4").press("Home")
    page.expect_value("RR@4 = 1.000")
    assert reader.page.evaluate(UNSAVED)
    reader.page.keyboard.press("Control+s")
    reader.page.wait_for_function(f"!({UNSAVED})")
    reader.page.keyboard.press("m")
    assert reader.cells() == before
    reader.page.keyboard.press("Control+Enter")  # runs the cell anew
    page.expect_value("RR@4 = 0.250")


@in_notebook
def test_two_views_and_python_stay_in_step(reader: Reader):
    change = 'ranks.order, ranks.grades = ["D4", "D5"], dict.fromkeys(["D1", "D2", "D4"], 1)'
    python = f"if explorer.values['RR'] == 1: {change}"
    reader.open([EXPLORER, "ranks = explorer.ranks\nranks", python])
    lists = reader.page.locator(".rm-ranked")
    expect(lists).to_have_count(2)
    lists.nth(0).locator("[data-id=D4] .rm-grip").press("Home")
    for each in (lists.nth(0), lists.nth(1)):
        expect(each.locator(".rm-scroll .rm-label")).to_have_text(["D4", "D1", "D2", "D3", "D5"])
    lists.nth(1).locator("[data-id=D1] .rm-grip").click()
    lists.nth(1).locator("[data-id=D1] .rm-grade").click()
    expect(lists.nth(0).locator("[data-id=D1] .rm-mark").first).to_have_attribute("data-grade", "1")
    reader.printed(2)
    for each in (lists.nth(0), lists.nth(1)):
        expect(each.locator(".rm-scroll .rm-label")).to_have_text(["D4", "D5"])
        expect(each.locator(".rm-dock .rm-label")).to_have_text(["D1", "D2", "D3"])
        expect(each.locator(".rm-dock-title")).to_have_text("Not in the list (2 of them relevant)")


@in_notebook
def test_python_hears_of_the_drop_only(reader: Reader):
    reader.open([EXPLORER, HEARD, "print(heard, explorer.values)"])
    page = ExplorerPage(reader.page)
    ways = [page.way("D4", target) for target in ("D1", "D2", "D5", "D1")]
    mouse = reader.page.mouse
    mouse.move(*ways[0][:2])
    mouse.down()
    for _, _, to_x, to_y in ways:
        mouse.move(to_x, to_y, steps=4)
    page.expect_value("RR = 1.000")
    mouse.up()
    page.expect_order("D4", "D1", "D2", "D3", "D5")
    printed = reader.printed(2)
    assert "[('D4', 'D1', 'D2', 'D3', 'D5')]" in printed  # one order, that of the drop
    assert "'RR': 1.0" in printed


def test_python_hears_what_is_done_to_each_widget(reader: Reader):
    told = ("explorer", "challenge.done, number.guesses, number.right", "choice", "coins")
    reader.open([*OTHERS, "\n".join(f"print({each})" for each in told)])
    page, cells = ExplorerPage(reader.page), reader.cells()
    verdict = page.find(".rm-verdict")
    page.open_more()
    page.find(".rm-slider").press("ArrowLeft")
    page.find(".rm-challenge [data-id=D3] .rm-grip").press("ArrowUp")
    expect(verdict.nth(0)).to_have_text("✓ Reached.")
    page.find(".rm-prediction .rm-text").focus()
    reader.page.keyboard.type("1/4 mddxab")
    reader.page.keyboard.press("Enter")
    expect(verdict.nth(1)).to_contain_text("not a number")
    page.find(".rm-prediction .rm-text").fill("1/4")
    reader.page.keyboard.press("Enter")
    expect(verdict.nth(1)).to_have_text("✓ Right: the answer is 0.25 (1/4).")
    page.find("input[type=radio]").first.focus()
    for key in ("Space", "ArrowDown", "m", "Tab", "Enter"):
        reader.page.keyboard.press(key)
    expect(verdict.nth(2)).to_have_text("✓ Right.")
    reader.page.keyboard.press("Shift+Enter")  # neither "Try again" nor the cell again
    page.find(".rm-heap-foot [data-name=shuffle-10]").press("Enter")
    expect(page.find(".rm-heap-words")).to_contain_text("10 permutations: ")
    expect(verdict.nth(2)).to_have_text("✓ Right.")
    assert reader.cells() == cells
    said = reader.printed(len(cells) - 1).splitlines()
    assert "nDCG@3" in said[0]
    assert said[1:3] == ["True ['1/4'] True", "Prediction('Which one moves?'; AP, right)"]
    assert "10 permutations, " in said[3]


@in_notebook
def test_a_measure_without_a_formula_in_the_browser_is_answered_by_python(reader: Reader):
    reader.open([ANSWERED])
    page = ExplorerPage(reader.page)
    page.expect_value("Depth = 4.000")
    page.hold("D4", "D1")
    page.expect_value("RR = 1.000")
    expect(page.find(".rm-card.rm-stale")).to_contain_text("after the drop")
    reader.page.mouse.up()
    page.expect_value("Depth = 1.000")
    expect(page.find(".rm-stale")).to_have_count(0)
    expect(page.find(".rm-was").last).to_have_text("was 0.250")  # no late answer takes it back


@in_lab
def test_a_kernel_that_is_gone_stops_nothing_and_a_new_one_brings_the_widget_back(reader: Reader):
    reader.open([EXPLORER])
    page = ExplorerPage(reader.page)
    page.expect_value("RR = 0.250")
    reader.page.evaluate(f"() => {SESSION}.shutdown()")
    page.drag_with_mouse("D4", "D1")
    page.expect_order("D4", "D1", "D2", "D3", "D5")
    page.expect_value("RR = 1.000")
    page.press("undo")
    page.expect_value("RR = 0.250")
    page.grip("D4").press("Home")
    reader.page.evaluate(f"() => {SESSION}.startKernel()")
    reader.settle()
    reader.run_all()
    page.expect_order("D1", "D2", "D3", "D4", "D5")
    page.grip("D4").press("Home")
    page.expect_value("RR = 1.000")


def test_what_follows_a_question_is_covered_until_it_is_answered_or_skipped(reader: Reader):
    reader.open(COVERED)
    page = reader.page
    skip, cover = page.locator("[data-name=skip]"), page.locator(".rm-cover")

    def expect_hidden(*cells: int) -> None:
        seen = [n not in cells for n in range(len(COVERED))]
        page.wait_for_function(f"(seen) => String(({SEEN})()) === String(seen)", arg=seen)

    expect_hidden(*range(1, 11))
    expect(page.locator(".jp-Cell:visible")).to_have_count(1)
    expect(cover.first).to_contain_text("On")  # the headings of what is covered
    page.locator(".jp-Cell h2").last.evaluate("(node) => node.after(node.cloneNode(true))")
    expect(cover.first).to_have_text(re.compile("More.*More"))  # also of what is rendered late
    assert [each.is_visible() for each in cover.all()] == [True, False, False, False]
    page.locator(".rm-prediction .rm-text").first.fill("4")
    page.keyboard.press("Enter")
    expect_hidden(*range(5, 11))
    assert [each.is_visible() for each in skip.all()] == [False, True, False, False]
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
    reader.page.set_viewport_size({"width": 1250, "height": 500})
    reader.page.evaluate(WINDOWED, mode)
    reader.open([ASKED, *["below"] * 12, "## On", *["after"] * 12, REACHED, *["last"] * 12])
    reader.settle()
    for n in (0, 25, 13, 26, 38, 1, 12, 38):
        # not so often that a busy page never gets there
        reader.page.wait_for_function(SCROLLED, arg=n, polling=1_000, timeout=60_000)
        cell = reader.page.locator(
            f"[data-windowed-list-index='{n}'] :is(.rm, .jp-MarkdownOutput :is(p, h2))"
        )
        (expect(cell).to_be_hidden if n else expect(cell).to_be_visible)()
    reader.page.evaluate(WINDOWED, "contentVisibility")


@in_lab
def test_a_finger_takes_up_a_row_and_a_flick_scrolls(reader: Reader):
    """JupyterLab scrolls by itself, and opens a menu of its own after a long press."""
    page = reader.page
    page.set_viewport_size({"width": 390, "height": 844})
    reader.open([EXPLORER, "## " + "Below. " * 900])
    ranked = page.locator(".rm-ranked")
    last = ranked.locator(".rm-scroll .rm-row:not(.rm-asked) .rm-label").last
    last.wait_for()
    went = []
    for rest, way in ((280, (0, -60)), (700, (0, 60)), (0, (60, 0)), (0, (0, -90))):
        last.evaluate("node => node.scrollIntoView({ block: 'center' })")  # at an edge it scrolls
        page.wait_for_timeout(350)  # no double tap, and JupyterLab has opened all that it shows
        before = ranked.bounding_box()["y"]
        box = last.bounding_box()
        finger = Finger(page)
        finger.press(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, rest=rest)
        try:
            finger.move(*way)
            is_up = bool(rest or way[0])
            expect(page.locator(".rm-ghost")).to_have_count(int(is_up))
            went.append(before - ranked.bounding_box()["y"])
        finally:
            finger.lift()
        expect(page.locator(".rm-ghost, .lm-Menu")).to_have_count(0)
    assert went[:3] == [0, 0, 0]
    assert went[3] > 20


OURS = ".jp-OutputArea-output"
CHECKED = f"""async () => {{
  const found = await axe.run('{OURS}', {{ runOnly: ['color-contrast'] }});
  return found.passes.flatMap((rule) => rule.nodes).length;
}}"""


@in_lab  # Notebook has the same themes
def test_axe_finds_no_fault_in_our_colours_in_either_theme(reader: Reader, axe_source: str):
    page = reader.page
    page.set_viewport_size({"width": 1250, "height": 6000})
    page.evaluate(axe_source)
    # JupyterLab's body has no height of its own, and axe takes what overflows it for invisible
    height = page.add_style_tag(content="html, body { height: 100vh !important }")
    reader.open([EXPLORER, *OTHERS, CHANCES])
    ExplorerPage(page).grip("D4").first.press("Home")
    reader.settle()
    assert violations(page, OURS, **ONLY_COLOURS) == []
    reader.theme("JupyterLab Dark")
    reader.settle()
    assert violations(page, OURS, **ONLY_COLOURS) == []
    assert page.evaluate(CHECKED) > 40
    height.evaluate("node => node.remove()")
    reader.theme("JupyterLab Light")
