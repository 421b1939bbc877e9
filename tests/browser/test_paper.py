"""A lesson on paper: what its questions ask is there, and nothing waits for a hand."""

import re
from pathlib import Path

import pytest
from nbformat import read
from page_checks import STARTED, until, watch
from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
LESSONS = ["00-start-here", "03-average-precision", "05-choosing-a-metric", "exam-1"]
CONTROLS = "button, input, textarea, nav, .rm"


@pytest.mark.parametrize("lesson", LESSONS)
def test_questions_are_there_with_their_options(page: Page, lessons: dict[str, Path], lesson: str):
    seen = watch(page)
    page.goto(lessons[lesson].as_uri())
    until(page, STARTED)
    page.emulate_media(media="print")
    text = page.locator("main").inner_text()
    asked = page.locator(".live:has(> [data-question$=guess])").all()
    assert all(each.locator("img").is_visible() for each in asked)
    for cell in read(ROOT / "notebooks" / f"{lesson}.ipynb", as_version=4).cells:
        for option in re.findall(r"^- \*\*\w\*\*: ([^*`$[\n]+)$", cell.source, re.MULTILINE):
            assert option in text
    assert page.locator(CONTROLS).filter(visible=True).count() == 0
    assert page.locator("details.solution:visible").count() == 0
    assert seen == []


def test_lists_and_tables_are_whole(page: Page, lessons: dict[str, Path]):
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 without its margins
    page.goto(lessons["03-average-precision"].as_uri())
    until(page, STARTED)
    page.emulate_media(media="print")
    assert page.locator(".live img").first.is_visible()
    cut = "(all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length"
    assert page.locator("main table, main .output, main figure").evaluate_all(cut) == 0
