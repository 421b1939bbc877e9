"""The widgets live in a notebook: its shortcuts, its saving, its kernel, its other views."""

import pytest
from browser_harness import Reader
from explorer_page import EXPLORER, GRADED, ExplorerPage
from playwright.sync_api import expect

HEARD = """from byhand.widgets import Explorer
explorer = Explorer(["D1", "D2", "D3", "D4", "D5"], {"D4"})
heard = []
explorer.ranks.observe(lambda change: heard.append(change.new), "order")
explorer"""
ANSWERED = """from byhand.metrics.measures import MEASURES, register
from byhand.metrics.measures.rr import RR
from byhand.widgets import Explorer

class Depth(RR):
    \"\"\"The rank of the first hit.\"\"\"
    name = "Depth"
    meaning = "the rank of the first hit"
    def credit(self, hits, chosen):
        return (hits.nth == 1) * 1.0 * hits.rank

MEASURES.get("Depth") or register(Depth)
Explorer(["D1", "D2", "D3", "D4", "D5"], {"D4"}, measures=["Depth", "RR"])"""
AROUND = ["before = 1", GRADED, "after = 1"]
FOCUSABLE = [
    ".rm-row[data-id=D4] .rm-grip",
    ".rm-row[data-id=D4] .rm-grade",
    ".rm-row[data-id=D4] .rm-up",
    ".rm-row[data-id=D9] .rm-out",
    ".rm-button[data-name=reset]",
    ".rm-slider",
    ".rm-steps summary",
]
KEYS = ["m", "d", "d", "x", "a", "b", "y", "r", "Shift+M", "l", "c", "v"]


def test_keys_typed_in_the_widget_change_nothing_in_the_notebook(reader: Reader):
    reader.open(AROUND)
    page = ExplorerPage(reader)
    before = reader.cells()
    for selector in FOCUSABLE:
        page.find(selector).click()
        page.find(selector).focus()
        for key in KEYS:
            reader.page.keyboard.press(key)
    assert reader.cells() == before
    assert [kind for kind, _ in before] == ["code"] * 3


def test_without_the_guard_the_same_keys_reach_the_notebook(reader: Reader):
    """What the guard prevents, so that the test above is known to have teeth."""
    reader.open(AROUND)
    grip = ExplorerPage(reader).grip("D4")
    grip.click()
    grip.evaluate("grip => grip.removeAttribute('data-lm-suppress-shortcuts')")
    reader.page.keyboard.press("m")
    reader.page.wait_for_timeout(200)
    assert [kind for kind, _ in reader.cells()].count("markdown") == 1


def test_saving_works_with_the_focus_in_the_widget(reader: Reader):
    reader.open(AROUND)
    ExplorerPage(reader).grip("D4").press("Home")
    reader.settle()
    before = reader.saved_at()
    reader.page.keyboard.press("Control+s")
    for _ in range(50):
        if reader.saved_at() != before:
            break
        reader.page.wait_for_timeout(100)
    assert reader.saved_at() != before
    cells = reader.cells()
    reader.page.keyboard.press("m")
    assert reader.cells() == cells


def test_two_views_of_one_widget_stay_in_step(reader: Reader):
    reader.open([EXPLORER, "explorer.ranks"])
    page = reader.page
    expect(page.locator(".rm-ranked")).to_have_count(2)
    page.locator(".rm-ranked").nth(0).locator("[data-id=D4] .rm-grip").press("Home")
    for view in (0, 1):
        labels = page.locator(".rm-ranked").nth(view).locator(".rm-scroll .rm-label")
        expect(labels).to_have_text(["D4", "D1", "D2", "D3", "D5"])
    page.locator(".rm-ranked").nth(1).locator("[data-id=D1] .rm-grade").click()
    grade = page.locator(".rm-ranked").nth(0).locator("[data-id=D1] .rm-grade")
    expect(grade).to_have_text("●relevant")


def test_what_python_sets_is_shown(reader: Reader):
    reader.open(
        [EXPLORER, 'explorer.ranks.order = ["D4", "D5"]; explorer.ranks.set_grade("D1", 1)'],
    )
    page = ExplorerPage(reader)
    page.expect_order("D4", "D5")
    page.expect_docked("D1", "D2", "D3")
    page.expect_value("AP = 0.500")
    expect(page.find(".rm-dock-title")).to_have_text("Not retrieved (1 judged relevant)")


def test_a_kernel_restart_and_a_new_run_bring_the_widget_back(reader: Reader):
    reader.open([EXPLORER])
    page = ExplorerPage(reader)
    page.grip("D4").press("Home")
    page.expect_value("RR = 1.000")
    reader.page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.context.sessionContext.restartKernel()"
    )
    reader.settle()
    reader.run_all()
    page.expect_order("D1", "D2", "D3", "D4", "D5")
    page.expect_value("RR = 0.250")
    page.grip("D4").press("Home")
    page.expect_value("RR = 1.000")


def test_nothing_is_asked_of_another_host(reader: Reader):
    reader.open([EXPLORER])
    ExplorerPage(reader).drag_with_mouse("D4", "D1")
    ExplorerPage(reader).expect_value("RR = 1.000")
    assert reader.outside == []


@pytest.mark.parametrize("key", ["Control+Enter"])
def test_a_command_with_ctrl_still_reaches_the_notebook(reader: Reader, key: str):
    reader.open([EXPLORER])
    page = ExplorerPage(reader)
    page.grip("D4").click()
    page.grip("D4").press("Home")
    page.expect_value("RR = 1.000")
    reader.page.keyboard.press(key)
    page.expect_value("RR = 0.250")


def test_python_hears_of_the_drop_only(reader: Reader):
    reader.open([HEARD, "print(heard, explorer.values)"])
    page = ExplorerPage(reader)
    ways = [page.way("D4", target) for target in ("D1", "D2", "D5", "D1")]
    mouse = reader.page.mouse
    mouse.move(*ways[0][:2])
    mouse.down()
    for _, _, to_x, to_y in ways:
        mouse.move(to_x, to_y, steps=4)
    page.expect_value("RR = 1.000")
    mouse.up()
    page.expect_order("D4", "D1", "D2", "D3", "D5")
    printed = reader.printed(1)
    assert "[('D4', 'D1', 'D2', 'D3', 'D5')]" in printed  # one order, that of the drop
    assert "'RR': 1.0" in printed


def test_a_kernel_that_is_gone_stops_nothing_that_a_reader_sees(reader: Reader):
    reader.open([EXPLORER])
    page = ExplorerPage(reader)
    page.expect_value("RR = 0.250")
    session = "window.jupyterapp.shell.currentWidget.context.sessionContext"
    reader.page.evaluate(f"() => {session}.shutdown()")
    page.drag_with_mouse("D4", "D1")
    page.expect_order("D4", "D1", "D2", "D3", "D5")
    page.expect_value("RR = 1.000")
    page.button("Undo").click()
    page.expect_value("RR = 0.250")
    reader.page.evaluate(f"() => {session}.startKernel()")
    reader.settle()


def test_a_measure_without_a_formula_in_the_browser_is_answered_by_python(reader: Reader):
    reader.open([ANSWERED])
    page = ExplorerPage(reader)
    page.expect_value("Depth = 4.000")
    page.hold("D4", "D1")
    page.expect_value("RR = 1.000")
    expect(page.find(".rm-card.rm-stale")).to_contain_text("after the drop")
    reader.page.mouse.up()
    page.expect_value("Depth = 1.000")
    expect(page.find(".rm-stale")).to_have_count(0)
