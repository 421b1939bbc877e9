"""The pages in other languages: they live, fit a phone, and lead to one another."""

from pathlib import Path

import pytest
from page_checks import ALL_BUT_COLOURS, SPILLS, STARTED, until, violations, watch
from playwright.sync_api import Page, expect

from byhand.words import ENGLISH, languages
from helpers.site import course_notebooks

PAGES = ["index", *(path.stem for path in course_notebooks())]
LESSON = "03-average-precision.html"
CUT_OFF = """() => [...document.querySelectorAll('button, label, .rm-value, .brand')]
  .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1
    && getComputedStyle(node).display !== 'inline')
  .map((node) => `${node.className}: ${node.textContent}`)"""


@pytest.mark.parametrize("language", [each for each in languages() if each != ENGLISH])
def test_every_page_lives_and_fits_a_phone(
    page: Page, editions: Path, axe_source: str, language: str
):
    seen = watch(page)
    for name in PAGES:
        page.goto((editions / language / f"{name}.html").as_uri())
        until(page, STARTED)
        for width in (320, 360, 390):
            page.set_viewport_size({"width": width, "height": 844})
            title = page.locator("h1").bounding_box()
            speaks = page.locator(".speaks").bounding_box()
            assert speaks["y"] + speaks["height"] <= title["y"], name
            assert page.evaluate(CUT_OFF) == [], name
        assert page.evaluate(SPILLS) <= 0, name
        assert page.locator("body > header").bounding_box()["height"] <= 49, name
    page.goto((editions / language / LESSON).as_uri())
    page.evaluate(axe_source)
    assert violations(page, **ALL_BUT_COLOURS) == []  # colours are those of the English
    assert seen == []


def test_on_a_phone_neither_contents_nor_languages_cover_the_other(page: Page, editions: Path):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto((editions / "ko" / LESSON).as_uri())
    until(page, STARTED)
    expect(page.locator(".rm-label").first).to_have_css(
        "word-break", "keep-all"
    )  # Korean is read so
    contents, toggle = page.locator("#parts"), page.locator(".toggle")
    toggle.click()
    for link in contents.get_by_role("link").all():
        link.click(trial=True)  # nothing lies over it
    page.locator(".speaks").click()
    expect(contents).to_be_hidden()
    for language in page.locator(".languages > :not(i)").all():
        language.click(trial=True)
        assert language.bounding_box()["height"] >= 44
    toggle.click()
    expect(page.locator(".languages")).to_be_hidden()
    expect(contents).to_be_visible()
