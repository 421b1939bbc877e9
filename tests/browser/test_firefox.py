"""A lesson's page in Firefox: what a reader drags there counts as in Chromium."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_harness import CONNECTED, Server, notebook_of
from explorer_page import COVERED, SEEN
from firefox import Firefox, firefox, firefox_path
from left_out import in_ci
from page_checks import BELOW

UP = "\ue013"
VALUE = "document.querySelector('.rm-explorer .rm-riding').textContent"
LABELS = "document.querySelectorAll('.rm-explorer .rm-scroll .rm-label')"
ORDER = f"[...{LABELS}].map((each) => each.textContent)"
MIDDLE = """const box = document.querySelector(arguments[0]).getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];"""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    if not firefox_path():
        stop = pytest.fail if in_ci() else pytest.skip
        stop("There is no Firefox on this machine (Debian: apt-get install firefox-esr).")
    with firefox(tmp_path_factory.mktemp("firefox") / "profile") as tab:
        yield tab


@pytest.fixture
def page(tab: Firefox, lessons: dict[str, Path]) -> Firefox:
    for _ in range(2):  # a page keeps what a reader did
        tab.command("WebDriver:Navigate", url=lessons["00-start-here"].as_uri())
        tab.run("document.getElementById('forget').click();")
    tab.wait_for("document.querySelector('.rm-explorer .rm-grip')")
    tab.run("document.querySelector('.rm-explorer').scrollIntoView();")
    return tab


def grip(item: str) -> str:
    return f".rm-explorer .rm-row[data-id={item}] .rm-grip"


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_values_follow_a_drag_and_stay_after_the_drop(page: Firefox, kind: str):
    start, goal = (page.run(MIDDLE, grip(item)) for item in ("bisque", "ketchup"))
    goal = (goal[0] + 5, goal[1] - 8)
    page.press_and_move(kind, [start, (start[0], start[1] - 20), goal], drop=False)
    page.wait_for(f"{VALUE} === '1.000'")
    assert page.run(f"return {ORDER};")[0] == "ketchup"
    page.let_go()
    page.wait_for(f"{ORDER}[0] === 'bisque'")
    assert page.run(f"return {VALUE};") == "1.000"


def test_keys_move_an_item_and_leave_the_focus_on_it(page: Firefox):
    page.run(f"document.querySelector('{grip('bisque')}').focus();")
    page.type(UP)
    page.wait_for(f"{VALUE} === '0.200'")
    focused = "document.activeElement.closest('.rm-row').dataset.id"
    assert page.run(f"return {focused};") == "bisque"


def test_what_follows_a_prediction_is_covered_until_it_is_skipped(
    tab: Firefox, lessons: dict[str, Path]
):
    tab.command("WebDriver:Navigate", url=lessons["01-reciprocal-rank"].as_uri())
    tab.wait_for("document.querySelector('.rm-asking')")
    assert tab.run(f"return ({BELOW})();") == 0
    tab.run("document.querySelector('[data-name=skip]').click();")
    assert tab.run(f"return ({BELOW})();") > 5  # up to the next question


def test_jupyterlab_covers_what_follows_a_question(tab: Firefox, server: Server):
    (server.folder / "fox.ipynb").write_text(json.dumps(notebook_of(COVERED)), encoding="utf-8")
    tab.command("WebDriver:Navigate", url=server.url("lab/workspaces/fox/tree/fox.ipynb"))
    tab.wait_for(f"({CONNECTED})('fox.ipynb')", seconds=120)
    tab.run("window.jupyterapp.commands.execute('notebook:run-all-cells');")
    for hidden in (range(1, 11), range(5, 11)):
        seen = json.dumps([n not in hidden for n in range(len(COVERED))])
        tab.wait_for(f"String(({SEEN})()) === String({seen})", seconds=300)
        tab.run("document.querySelector('[data-name=skip]').click();")
