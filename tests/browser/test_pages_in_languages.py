"""The pages in other languages: they fit a phone, live, and know what was done in another one."""

from pathlib import Path

import pytest
from page_checks import ALL_BUT_COLOURS, SPILLS, STARTED, violations, watch
from playwright.sync_api import Page, expect

from byhand.words import ENGLISH, languages
from helpers.places import NOTEBOOKS

OTHERS = [each for each in languages() if each != ENGLISH]
PAGES = ["index", *sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))]
LESSON = "03-average-precision.html"
LEAVE = "new Promise((done) => setTimeout(done, 300))"  # what is kept is written


@pytest.mark.parametrize("language", OTHERS)
def test_every_page_lives_and_fits_a_phone(
    page: Page, editions: Path, axe_source: str, language: str
):
    seen = watch(page)
    page.set_viewport_size({"width": 390, "height": 844})
    for name in PAGES:
        page.goto((editions / language / f"{name}.html").as_uri())
        page.wait_for_function(STARTED)
        assert page.evaluate(SPILLS) <= 0, name
        assert page.locator("body > header").bounding_box()["height"] <= 49, name
        if f"{name}.html" == LESSON:
            page.evaluate(axe_source)
            assert violations(page, **ALL_BUT_COLOURS) == []  # colours are those of the English
    assert seen == []


@pytest.mark.parametrize("language", OTHERS)
def test_what_was_done_in_one_language_is_there_in_the_others(
    page: Page, editions: Path, language: str
):
    seen = watch(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto((editions / LESSON).as_uri())
    page.wait_for_function(STARTED)
    rows = page.locator(".rm-explorer").first.locator(".rm-row:not(.rm-ghost, .rm-slot)")
    first = rows.first.get_attribute("data-id")
    page.locator(".rm-explorer").first.locator("[data-id=bisque] .rm-grip").press("Home")
    page.locator(".rm-prediction .rm-text").first.fill("1/3")
    page.locator(".rm-prediction .rm-text").first.press("Enter")
    page.evaluate(LEAVE)
    page.locator(f".languages a[lang={language}]").click()
    page.wait_for_function(STARTED)
    assert page.url.endswith(f"/{language}/{LESSON}")
    rows = page.locator(".rm-explorer").first.locator(".rm-row:not(.rm-ghost, .rm-slot)")
    assert rows.first.get_attribute("data-id") != first
    right = page.locator(".rm-prediction .rm-verdict").first
    expect(right).to_contain_text("1/3")
    text = rows.first.locator(".rm-label").text_content()
    page.locator(".languages a[lang=en]").click()
    page.wait_for_function(STARTED)
    expect(rows.first.locator(".rm-label")).to_have_text("bisque")
    assert text in {"bisque", "비스크"}
    assert seen == []
