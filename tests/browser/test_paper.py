"""A lesson on paper: what its questions ask stands there, and its solutions on the last sheet."""

import re
from pathlib import Path

import pytest
from nbformat import read
from page_checks import STARTED, until, watch
from playwright.sync_api import Page

from byhand.widgets.embed import LIVE
from helpers.exercises import boxed
from helpers.html import CHECKED

ROOT = Path(__file__).parents[2]
LESSONS = ["00-start-here", "03-average-precision", "05-choosing-a-metric", "exam-1"]
CONTROLS = "button, input, textarea, nav, .rm, #hand-in"
# on paper, where a part would begin if all sheets were one
TOP = "(node) => node.getBoundingClientRect().top"


def asked(lesson: str) -> dict[str, list[str]]:
    """The questions of a lesson that a page checks, and the options of each."""
    found = {}
    for cell in read(ROOT / "notebooks" / f"{lesson}.ipynb", as_version=4).cells:
        name = re.search(r"(?:check|predict)\(\s*\"([\w-]+)", cell.source)
        states = [each.get("data", {}).get(LIVE) for each in cell.get("outputs", [])]
        tags = cell.metadata.get("tags", [])
        if "predict" in tags:
            found[name[1]] = states[0]["fixed"].get("options", [])
        elif "exercise" in tags and (box := boxed(CHECKED.search(cell.source)[1])):
            found[name[1]] = box["fixed"].get("keys", [])
    return found


@pytest.mark.parametrize("lesson", LESSONS)
def test_questions_have_their_options_and_the_solutions_come_last(
    page: Page, lessons: dict[str, Path], lesson: str
):
    seen = watch(page)
    page.goto(lessons[lesson].as_uri())
    until(page, STARTED)
    assert page.locator(".paper:visible, .asked:visible").count() == 0
    page.emulate_media(media="print")
    forms = page.locator(".asked:visible")
    texts = {form.locator("> i").inner_text(): form.inner_text() for form in forms.all()}
    for name, options in asked(lesson).items():
        assert all(each in texts[name] for each in options), name
    assert page.locator(CONTROLS).filter(visible=True).count() == 0
    sheet = page.locator(".solutions")
    assert sheet.evaluate("(node) => getComputedStyle(node).breakBefore") == "page"
    assert sheet.evaluate(TOP) > max(form.evaluate(TOP) for form in forms.all())
    assert (
        page.locator("main > :last-child").filter(visible=True).count() == 0 or sheet.is_visible()
    )
    solved = sheet.locator("i").all_inner_texts()
    assert solved == [*texts]
    assert page.locator("details.solution:visible").count() == 0
    assert seen == []


def test_lists_have_their_names_and_ranks_and_tables_are_whole(
    page: Page, lessons: dict[str, Path]
):
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 without its margins
    page.goto(lessons["03-average-precision"].as_uri())
    until(page, STARTED)
    page.emulate_media(media="print")
    ranks = page.locator("p.paper:visible").first.inner_text()
    assert "2 minestrone" in ranks
    assert "8 tart" in ranks
    assert ranks.endswith("harira, rasam")
    cut = "(all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length"
    assert page.locator("main table, main .output, main figure").evaluate_all(cut) == 0
