"""The pages in other languages: they live, fit a phone, and lead to one another."""

from pathlib import Path

import pytest
from page_checks import ALL_BUT_COLOURS, SPILLS, STARTED, until, violations, watch
from playwright.sync_api import Locator, Page, expect

from byhand.words import ENGLISH, languages
from helpers.site import course_notebooks

OTHERS = [each for each in languages() if each != ENGLISH]
PAGES = ["index", *(path.stem for path in course_notebooks())]
LESSON = "03-average-precision.html"


@pytest.mark.parametrize("language", OTHERS)
def test_every_page_lives_and_fits_a_phone(
    page: Page, editions: Path, axe_source: str, language: str
):
    seen = watch(page)
    page.set_viewport_size({"width": 390, "height": 844})
    for name in PAGES:
        page.goto((editions / language / f"{name}.html").as_uri())
        until(page, STARTED)
        assert page.evaluate(SPILLS) <= 0, name
        assert page.locator("body > header").bounding_box()["height"] <= 49, name
        for width in (320, 360, 390):
            page.set_viewport_size({"width": width, "height": 844})
            lies = page.locator(".languages > *, .speaks").evaluate_all(ON_TITLE)
            assert (lies, page.locator(".speaks").count()) == ([], 1), name
            assert page.locator(".brand").evaluate(IS_CUT) is False, name
            if name == "index" and language == "ko":
                assert page.locator(".rm-label").evaluate_all(BROKEN) == []
        if f"{name}.html" == LESSON:
            page.evaluate(axe_source)
            assert violations(page, **ALL_BUT_COLOURS) == []  # colours are those of the English
    assert seen == []


IS_CUT = "(name) => name.scrollWidth > name.clientWidth"
# the links to other languages, and the button to them, that lie on the title or on what is above it
ON_TITLE = """(links) => {
  scrollTo(0, 0);
  const heads = [...document.querySelectorAll('h1, .over')].map((e) => e.getBoundingClientRect());
  return links.filter((each) => each.checkVisibility()).filter((each) => {
    const box = each.getBoundingClientRect();
    return heads.some((head) => box.left < head.right && head.left < box.right
      && box.top < head.bottom && head.top < box.bottom);
  }).map((each) => each.textContent);
}"""
# what somebody who points at the middle of each of these would hit instead
HIDDEN = """(nodes) => nodes.filter((node) => {
  const { left, top, width, height } = node.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return !node.contains(hit);
}).map((node) => node.textContent)"""
# the names of a list that are broken inside a word
BROKEN = r"""(all) => all.filter((label) => {
  const range = document.createRange();
  range.selectNodeContents(label);
  return range.getClientRects().length > label.textContent.trim().split(/\s+/).length;
}).map((label) => label.textContent)"""


def test_on_a_phone_neither_contents_nor_languages_cover_the_other(page: Page, editions: Path):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto((editions / "ko" / LESSON).as_uri())
    until(page, STARTED)
    contents, toggle = page.locator("#parts"), page.locator(".toggle")
    toggle.click()
    links = contents.get_by_role("link")
    assert links.count() > 8
    assert links.evaluate_all(HIDDEN) == []
    page.locator(".speaks").click()
    expect(contents).to_be_hidden()
    languages = page.locator(".languages > :not(i)")
    assert languages.evaluate_all(HIDDEN) == []
    assert all(box["height"] >= 44 for box in map(Locator.bounding_box, languages.all()))
    toggle.click()
    expect(page.locator(".languages")).to_be_hidden()
    expect(contents).to_be_visible()
