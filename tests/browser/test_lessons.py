"""The lessons as pages: they live, fit a phone, and cover what follows until it was predicted."""

import re
from pathlib import Path

import pytest
from nbformat import read
from page_checks import (
    ALL_BUT_COLOURS,
    BELOW,
    SPILLS,
    STARTED,
    assert_for_everybody,
    until,
    violations,
    watch,
)
from playwright.sync_api import Page, expect

from byhand import report
from helpers.places import DATA, NOTEBOOKS
from helpers.site import course_notebooks

PAGES = ["index", "data", *(path.stem for path in course_notebooks())]
ASKING = {*(f"{n:02}" for n in range(13)), "d4", "ko", "th", "to", "tr"}  # the documents
OF_REAL_DATA = ["09-cranfields-traps", "your-own-data"]  # whose lists are as long as they are
# a page of each kind: its colours are those of the others
COLOURED = ["index", "03-average-precision", "06-why-tools-disagree", "exam-1", "words-and-sources"]
# what is too high for a list, its bars, its number and its dials to be in sight at once, without
# the goal above them; and a list of one's own has its form besides
TOO_HIGH = """(most) => [...document.querySelectorAll('.rm:not(.rm-own):has(.rm-row)')].flatMap(
  (each) => {
    const high = each.offsetHeight - (each.querySelector('.rm-title')?.offsetHeight ?? 0);
    return high > most ? [`${each.className}: ${high}`] : [];
  })"""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_lives_covers_fits_and_is_for_everybody(
    page: Page, lessons: dict[str, Path], axe_source: str, name: str
):
    seen, number = watch(page), name[:2]
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(lessons[name].as_uri())
    until(page, STARTED)
    if number <= "05":  # for a finger
        for target in page.locator("body > header :is(a, button), summary").all():
            assert not target.is_visible() or target.bounding_box()["height"] >= 44
    assert (page.locator(".rm-asking").count() > 0) == (number in ASKING)
    if number in ASKING:
        assert page.evaluate(BELOW) == 0
        skip = page.get_by_role("button", name=re.compile("Skip the (question|goal)"))
        while skip.count():
            skip.first.click()
        assert page.evaluate(BELOW) > 20
    for folded in page.locator("details:has(> .live) > summary").all()[:1]:
        folded.click()
        until(page, STARTED)
    for width, most in ((320, 844), (360, 844), (390, 844), (1280, 640)):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(SPILLS) <= 0, width
        assert width < 390 or name in OF_REAL_DATA or page.evaluate(TOO_HIGH, most) == []
    if name in COLOURED:
        assert_for_everybody(page, axe_source)
    else:
        page.evaluate(axe_source)
        assert violations(page, **ALL_BUT_COLOURS) == []
    assert seen == []


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


ON_PAPER = ["00-start-here", "03-average-precision", "05-choosing-a-metric", "exam-1"]
CUT = "(all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length"


@pytest.mark.parametrize("lesson", ON_PAPER)
def test_on_paper_tables_are_whole_and_questions_have_their_options(
    page: Page, lessons: dict[str, Path], lesson: str
):
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 without its margins
    page.goto(lessons[lesson].as_uri())
    until(page, STARTED)
    page.emulate_media(media="print")
    text = page.locator("main").inner_text()
    asked = page.locator(".live:has(> [data-question$=guess])").all()
    assert all(each.locator("img").is_visible() for each in asked)
    for cell in read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4).cells:
        for option in re.findall(r"^- \*\*\w\*\*: ([^*`$[\n]+)$", cell.source, re.MULTILINE):
            assert option in text
    left_out = page.locator("button, input, textarea, nav, .rm, details.solution")
    expect(left_out.filter(visible=True)).to_have_count(0)
    assert page.locator("main table, main .output, main figure").evaluate_all(CUT) == 0
