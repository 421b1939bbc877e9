"""The lessons as pages: they live, fit a phone, and cover what follows until it was predicted."""

import re
from pathlib import Path

import pytest
from page_checks import (
    ALL_BUT_COLOURS,
    BELOW,
    FINISH,
    ONLY_COLOURS,
    SPILLS,
    STARTED,
    until,
    violations,
    watch,
)
from playwright.sync_api import Page, expect

from byhand import report
from helpers.places import DATA
from helpers.site import course_notebooks

PAGES = ["index", "data", *(path.stem for path in course_notebooks())]
ASKING = {*(f"{n:02}" for n in range(13)), "d4", "ko", "th", "to", "tr"}  # the documents
ALIVE = ASKING
# skip the first question that is open, and tell whether there was one
SKIP = """() => {
  const open = [...document.querySelectorAll('[data-name=skip]')].find(
    (node) => node.checkVisibility({ visibilityProperty: true }));
  open?.click();
  return Boolean(open);
}"""
# each pair of colours that is not known, of a text and behind it, and whether the text is large: so
# is the contrast; one part of the page that has it is marked
MARK = """(known) => {
  const found = new Set();
  const ground = (node) => getComputedStyle(node).backgroundColor;
  for (const each of document.querySelectorAll('body *')) {
    delete each.dataset.pair;
    const says = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!says || !each.checkVisibility() || each.closest('tbody tr:nth-child(n+5)')) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(each);
    let behind = each;
    while (behind.parentElement && ground(behind).endsWith(', 0)')) behind = behind.parentElement;
    const pair = [color, ground(behind), parseFloat(fontSize) >= 18, fontWeight >= 700].join();
    if (known.includes(pair) || found.has(pair)) continue;
    found.add(pair);
    each.dataset.pair = '';
  }
  return [...found];
}"""


@pytest.fixture(scope="module")
def shown() -> set[str]:
    """The pairs of colours of the pages so far."""
    return set()


def reaches_to_the_first_figure(page: Page):
    """Of the first screen of a phone."""
    assert page.locator("main :is(.live, figure)").first.bounding_box()["y"] < 760
    for target in page.locator("body > header :is(a, button), summary").all():
        if target.is_visible():
            assert target.bounding_box()["height"] >= 44


@pytest.mark.parametrize("name", PAGES)
def test_a_page_lives_covers_fits_and_is_for_everybody(
    page: Page, lessons: dict[str, Path], axe_source: str, shown: set[str], name: str
):
    seen, number = watch(page), name[:2]
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(lessons[name].as_uri())
    until(page, STARTED)
    if number <= "05":
        reaches_to_the_first_figure(page)
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.locator(".rm").count() >= (number in ALIVE)
    assert (page.locator(".rm-asking").count() > 0) == (number in ASKING)
    if number in ASKING:
        assert page.evaluate(BELOW) == 0
        while page.evaluate(SKIP):
            pass
        assert page.evaluate(BELOW) > 20
    for folded in page.locator("details:has(> .live) > summary").all()[:1]:
        folded.click()
        until(page, STARTED)
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(SPILLS) <= 0, width
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate(axe_source)
    assert violations(page, **ALL_BUT_COLOURS) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(FINISH)  # colours change in a moment
        if new := page.evaluate(MARK, [*shown]):
            shown |= {*new}
            assert violations(page, "[data-pair]", **ONLY_COLOURS) == [], scheme
    assert seen == []


def test_a_picture_that_a_question_covers_opens_below_it_and_nothing_moves(
    page: Page, lessons: dict[str, Path]
):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(lessons["01-reciprocal-rank"].as_uri())
    until(page, STARTED)
    section = page.locator("section.below:has(> .picture)").last
    while not section.is_visible():
        assert page.evaluate(SKIP)
    asked, picture = section.locator(".rm-ask").first, section.locator(".picture")
    text = section.locator("> p").first
    asked.scroll_into_view_if_needed()

    def places() -> list[dict[str, float]]:
        boxes = [each.bounding_box() for each in (text, asked)]
        return [{key: box[key] for key in ("x", "y", "width")} for box in boxes]

    before = places()
    assert before[0]["width"] == before[1]["width"] > 600  # as wide as text is
    section.get_by_role("button", name="Skip the question").click()
    expect(picture).to_be_visible()
    assert places() == before
    box, beside = picture.bounding_box(), section.locator("> p").last.bounding_box()
    assert box["y"] >= before[1]["y"] + asked.bounding_box()["height"]
    assert beside["x"] + beside["width"] <= box["x"]
    assert box["y"] < beside["y"] < box["y"] + box["height"]


def test_a_section_is_in_words_where_its_style_is_taken_away(page: Page):
    runs = {name: DATA / f"sample-{name}.txt.gz" for name in ("new", "old")}
    section = report(runs, DATA / "sample-qrels.csv", measures="RR").section("summary")
    words, figures = page.locator("pre"), page.locator(".report")
    page.set_content(section._repr_html_())
    expect(words).to_be_hidden()
    expect(figures).to_be_visible()
    page.set_content(re.sub("<style>.*?</style>", "", section._repr_html_(), flags=re.DOTALL))
    expect(figures).to_be_hidden()
    expect(words).to_have_text(section.text)
