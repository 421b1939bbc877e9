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
NO_STORE = """Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('', 'SecurityError'); }
});"""
# the heading, or else the row or card, that one reads below or is the nearest above
READ = """() => {
  const bar = document.querySelector('body > header').getBoundingClientRect();
  const all = [...document.querySelectorAll('main :is(h2, h3), main section > p, main tbody > tr')]
    .filter((node) => node.checkVisibility() && !node.closest('.live'));
  const tops = all.map((node) => node.getBoundingClientRect().top);
  const at = tops.findLastIndex((top) => top <= bar.bottom);
  const { bottom, height } = all[at].getBoundingClientRect();
  return [at, [tops[at], bottom, 500 * (bar.bottom - tops[at]) / height], bar.top];
}"""
# what somebody who points at the middle of each of these would hit instead
HIDDEN = """(nodes) => nodes.filter((node) => {
  const { left, top, width, height } = node.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return !node.contains(hit);
}).map((node) => node.textContent)"""
WINDOWS = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}


@pytest.fixture
def open_page(chromium: Browser, editions: Path) -> Iterator[Callable[..., Page]]:
    """Opens a page of the course in a browser of its own, which asks no host for anything."""
    contexts, seen = [], []

    def open_page(name: str, script: str = "", **options: object) -> Page:
        contexts.append(chromium.new_context(offline=True, **options))
        contexts[-1].add_init_script(script)
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


def switch(page: Page, name: str) -> None:
    if (button := page.locator(".speaks")).is_visible():
        button.click()
    with page.expect_navigation():
        page.get_by_role("link", name=name, exact=True).click()
    until(page, STARTED)
    until(page, "!location.hash")  # it landed


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("name", ["index.html", LESSON, "words-and-sources.html"])
def test_the_switch_is_in_the_bar_that_stays_and_keeps_the_place(open_page, window: str, name: str):
    page = open_page(name, NO_STORE, **WINDOWS[window])
    for part in (0.4, 0.6):
        page.evaluate(f"scrollTo(0, {part} * document.documentElement.scrollHeight)")
        at, place, bar = page.evaluate(READ)
        assert bar == 0
        assert at > 0
        for language in ("한국어", "Português", "English"):
            switch(page, language)
            found, there, _bar = page.evaluate(READ)
            assert found == at, language
            # as far from its top or its end, or the same share of a row that is less high there
            near = [abs(one - other) < 60 for one, other in zip(place, there, strict=True)]
            assert any(near), (language, place, there)
        assert there[0] == pytest.approx(place[0], abs=3)  # nothing adds up


def test_on_a_phone_neither_contents_nor_languages_cover_the_other(open_page):
    page = open_page(f"ko/{LESSON}", **WINDOWS["phone"])
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


@pytest.mark.parametrize(
    ("asks", "offered"),
    [("ko-KR", "이 강의를 한국어로 읽기"), ("pt-BR", "Ler o curso em português")],
)
def test_the_root_offers_once_what_a_browser_asks_for(open_page, asks: str, offered: str):
    page = open_page("index.html", locale=asks)
    root = page.url
    offer = page.get_by_role("link", name=offered)
    expect(offer).to_be_in_viewport()
    assert page.locator("#offer a:visible").count() == 1
    page.reload()
    until(page, STARTED)
    expect(offer).to_be_hidden()
    page.goto(root)
    until(page, STARTED)
    assert page.url == root
    expect(offer).to_be_hidden()


def test_the_root_opens_in_the_language_that_was_read_last(open_page):
    page = open_page("index.html", locale="ko-KR")
    root = page.url
    page.get_by_role("link", name="이 강의를 한국어로 읽기").click()
    page.wait_for_url("**/ko/index.html")
    page.goto(root)
    page.wait_for_url("**/ko/index.html")
    switch(page, "English")
    assert page.url == root
    page.goto(root)
    until(page, STARTED)
    assert page.url == root
    expect(page.locator("#offer")).to_be_hidden()


@pytest.mark.parametrize("width", [320, 360, 390])
def test_the_first_list_in_korean_breaks_no_word(open_page, width: int):
    viewport = {"width": width, "height": 844}
    page = open_page("ko/index.html", **WINDOWS["phone"] | {"viewport": viewport})
    lines = page.locator(".rm-label").evaluate_all("""(all) => all.map((label) => {
      const range = document.createRange();
      range.selectNodeContents(label);
      return [label.textContent, range.getClientRects().length];
    })""")
    assert len(lines) == 8
    assert [label for label, n in lines if n > len(label.split())] == []
