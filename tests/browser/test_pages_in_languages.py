"""The pages in other languages: they live, fit a phone, and lead to one another."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser_harness import SITE, serve_from
from page_checks import ALL_BUT_COLOURS, SPILLS, STARTED, until, violations, watch
from playwright.sync_api import Browser, Locator, Page, expect

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
        for width in (360, 390):
            page.set_viewport_size({"width": width, "height": 844})
            lies = page.locator(".languages > *, .speaks").evaluate_all(ON_TITLE)
            assert (lies, page.locator(".speaks").count()) == ([], 1), name
            assert page.locator(".brand").evaluate(IS_CUT) is False, name
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
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def open_page(chromium: Browser, editions: Path) -> Iterator[Callable[..., Page]]:
    """Opens a page of the course in a browser of its own, which asks no host for anything."""
    contexts, seen = [], []

    def open_page(name: str, **options: object) -> Page:
        contexts.append(chromium.new_context(offline=True, **options))
        serve_from(editions, contexts[-1])
        page = contexts[-1].new_page()
        seen.append(watch(page))
        page.goto(f"{SITE}/{name}")
        until(page, STARTED)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert seen == [[]] * len(seen)


def test_on_a_phone_neither_contents_nor_languages_cover_the_other(open_page):
    page = open_page(f"ko/{LESSON}", **PHONE)
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


@pytest.mark.parametrize("width", [320, 360, 390])
def test_the_first_list_in_korean_breaks_no_word(open_page, width: int):
    viewport = {"width": width, "height": 844}
    page = open_page("ko/index.html", **PHONE | {"viewport": viewport})
    lines = page.locator(".rm-label").evaluate_all("""(all) => all.map((label) => {
      const range = document.createRange();
      range.selectNodeContents(label);
      return [label.textContent, range.getClientRects().length];
    })""")
    assert len(lines) == 8
    assert [label for label, n in lines if n > len(label.split())] == []
