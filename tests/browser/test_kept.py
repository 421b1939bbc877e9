"""A page of the course as a reader uses it: it covers, answers, leads on, and forgets nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_harness import SITE, serve_from
from explorer_page import ExplorerPage
from page_checks import BELOW, FINISH, SPILLS, STARTED, assert_for_everybody, until, watch
from playwright.sync_api import Browser, Locator, Page, expect

from helpers.site import _keys_of

LESSON, AFTER = "00-start-here", "any-soup-will-do"  # AFTER follows the first question
TODAY = ["ketchup", "minestrone", "gazpacho", "lasagne", "focaccia", "bisque", "salad", "tart"]
MOVED = ["bisque", *(each for each in TODAY if each != "bisque")]
# how far the heading of a part is from the top of the window
TOP = "(id) => Math.round(document.getElementById(id).getBoundingClientRect().top)"
TO = "([id, by]) => scrollBy(0, document.getElementById(id).getBoundingClientRect().top - by)"
KEEP = f"(text) => localStorage.setItem('ranking-metrics-by-hand/{LESSON}', text)"
KEPT = f"() => localStorage.getItem('ranking-metrics-by-hand/{LESSON}')"
# what may become of what is kept of a page, and of the order of a list in it
TORN = ["", "7", "null", '{"toString": 1}', '{"lists": []}', '{"first": {"1": 2}}', '{"done": [1]}']
TORN += ['{"done": "drag"}', '{"of": -1}', '{"of": "4"}', '{"at": {"id": 1}}', '{"when": null}']
TORN_ORDERS = [(r"\[", "[null,"), (r"\[", '["x",'), (r"\[[^]]*\]", '"bisque"')]
# a scroll is heard before the next picture, however late that comes; then what is kept is written
LEAVE = """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
  () => setTimeout(done, 300)
)))"""


@pytest.fixture
def reader(page: Page, lessons: dict[str, Path]) -> Iterator[Page]:
    """Somebody with a wide window; the pages ask for nothing and do not complain."""
    seen = watch(page)
    serve_from(lessons[LESSON].parent, page)
    page.set_viewport_size({"width": 1200, "height": 800})
    yield page
    assert seen == []


def go(page: Page, name: str = LESSON, *, to: str = "") -> ExplorerPage:
    """Go to a page, or to a part of it; what is returned is its first list."""
    page.goto(f"{SITE}/{name}.html{to}")
    until(page, STARTED)
    return ExplorerPage(page, scope="main .rm-explorer >> nth=0 >>")


def answer(page: Page, guess: str) -> None:
    page.locator(".rm-prediction .rm-text").first.fill(guess)
    page.locator(".rm-prediction .rm-text").first.press("Enter")


def verdict_of(page: Page) -> Locator:
    return page.locator(".rm-prediction .rm-verdict").first


def read_to(page: Page, part: str, by: int = 100) -> None:
    page.evaluate(TO, [part, by])
    page.evaluate(LEAVE)


def test_without_a_script_everything_shows(chromium: Browser, lessons: dict[str, Path]):
    page = chromium.new_page(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page.goto(lessons[LESSON].as_uri())
    assert all(each.is_visible() for each in page.locator("main section > p").all())
    heads = page.locator("main h2").all_text_contents()
    expect(page.get_by_role("navigation").get_by_role("link")).to_have_text(heads)
    expect(page.locator(".toggle:visible, #keeping:visible")).to_have_count(0)
    page.close()


def test_a_page_covers_before_its_script_runs_but_not_for_ever(
    page: Page, lessons: dict[str, Path], tmp_path: Path
):
    html = lessons[LESSON].read_text(encoding="utf-8")
    never = tmp_path / "never.html"
    never.write_text(html.replace('<script type="module">', '<script type="none">'), "utf-8")
    page.goto(never.as_uri())
    assert page.evaluate(BELOW) == 0
    page.evaluate(FINISH)
    assert page.evaluate(BELOW) > 50


def test_a_reload_loses_nothing_and_keeps_a_cover(reader: Page):
    place = go(reader)
    place.grip("bisque").press("Home")
    answer(reader, "3")
    reader.evaluate(LEAVE)
    go(reader)
    expect(verdict_of(reader)).to_contain_text("Not yet")
    assert reader.evaluate(BELOW) == 0
    answer(reader, "1/10")
    reader.get_by_role("button", name="Skip the question").press("Enter")
    asked = reader.locator(".rm-prediction", has_text="Skipped. The answer: 0.5 (1/2).")
    expect(asked.get_by_role("button", name="Commit")).to_be_focused()
    read_to(reader, AFTER)
    reader.reload()
    until(reader, STARTED)
    place.expect_order(*MOVED)
    expect(place.find(".rm-seen")).to_have_count(2)
    expect(verdict_of(reader)).to_contain_text("Right")
    until(reader, f"Math.abs(({TOP})('{AFTER}') - 100) < 5")
    reader.locator(".rm-prediction [data-name=again]").first.click()
    expect(reader.locator(f"#{AFTER}")).to_be_visible()  # it stays open


def test_what_is_scrolled_past_is_where_one_is_and_not_done(reader: Page):
    go(reader, "01-reciprocal-rank")
    reader.get_by_role("button", name="Skip the question").first.click()
    reader.evaluate("scrollTo(0, 1e6)")
    reader.evaluate(LEAVE)
    read_to(reader, "the-share-that-was-good")
    expect(reader.locator("#parts .done")).to_have_count(0)
    expect(reader.locator("#parts .now")).to_have_text("The share that was good")


def test_forgetting_can_be_undone(reader: Page):
    go(reader).grip("bisque").press("Home")
    reader.evaluate(LEAVE)
    reader.evaluate("localStorage.setItem('not/ours', '1')")
    reader.get_by_role("button", name="Forget all").click()
    expect(reader.locator("#keeping")).to_contain_text("Deleted, in all lessons")
    assert reader.evaluate("Object.keys(localStorage)") == ["not/ours"]
    reader.get_by_role("button", name="Take it back").click()
    go(reader).expect_order(*MOVED)
    reader.get_by_role("button", name="Forget all").click()
    go(reader).expect_order(*TODAY)


def test_another_edition_of_a_list_begins_anew(reader: Page, lessons: dict[str, Path]):
    go(reader).grip("bisque").press("Home")
    answer(reader, "1/10")
    reader.evaluate(LEAVE)
    html = re.sub(r"data-key='\d+'", "data-key='1'", lessons[LESSON].read_text("utf-8"), count=1)
    reader.route(f"{SITE}/{LESSON}.html", lambda route: route.fulfill(body=html))
    assert [*_keys_of(["a list"])] != [*_keys_of(["another one"])]
    go(reader).expect_order(*TODAY)
    expect(verdict_of(reader)).to_contain_text("Right")


def test_what_is_kept_and_fits_no_more_is_forgotten_and_that_is_said(reader: Page):
    note = reader.get_by_text("cannot be used. It was deleted")
    go(reader).grip("bisque").press("Home")
    reader.goto(f"{SITE}/data.html")
    whole = reader.evaluate(KEPT)
    for torn in [*TORN, *(re.sub(f'(?<="order":){old}', new, whole) for old, new in TORN_ORDERS)]:
        assert torn != whole
        # the front page looks at lessons as a whole
        for name in ["index", LESSON] if torn in TORN else [LESSON]:
            reader.goto(f"{SITE}/data.html")
            reader.evaluate(KEEP, torn)
            place = go(reader, name)
            expect(note).to_be_visible()
        place.expect_order(*TODAY)
    place.grip("tart").press("Home")
    go(reader).expect_order("tart", *TODAY[:-1])
    expect(note).to_have_count(0)


@pytest.mark.parametrize("way", ["opened", "followed"])
def test_a_link_to_a_part_skips_the_question_that_covers_it(reader: Page, way: str):
    go(reader, to=f"#{AFTER}" if way == "opened" else "")
    if way == "followed":
        reader.evaluate(f"location.hash = '{AFTER}'")
    until(reader, f"Math.abs(({TOP})('{AFTER}')) < 100")
    for _ in range(2):  # also when the reader comes again
        expect(reader.locator(f"#{AFTER}")).to_be_visible()
        reader.evaluate(LEAVE)
        go(reader)


def test_a_link_of_the_contents_leaves_the_part_covered(reader: Page):
    go(reader)
    reader.locator("#parts a").get_by_text("Any soup will do").click()
    reader.evaluate(LEAVE)
    assert reader.evaluate(BELOW) == 0


def test_a_class_sees_the_controls_and_axe_finds_nothing(reader: Page, axe_source: str):
    for width, height in ((390, 844), (1920, 1080)):
        reader.set_viewport_size({"width": width, "height": height})
        go(reader, to=f"?class#{AFTER}")
        assert reader.evaluate(SPILLS) <= 0
        bar = reader.get_by_role("group", name="Present it").bounding_box()
        assert height - 4 <= bar["y"] + bar["height"] <= height
        assert_for_everybody(reader, axe_source)


def test_where_nothing_may_be_kept_the_page_works_and_says_so(reader: Page):
    reader.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    place = go(reader)
    place.grip("bisque").press("Home")
    place.expect_order(*MOVED)
    expect(reader.locator("#keeping")).to_contain_text("does not let the page store anything")
    expect(reader.locator("#forget")).to_be_hidden()
    go(reader, "index")
    expect(reader.locator("#go")).to_have_text("Start here")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_a_picture_in_sight_stays_while_the_text_of_its_section_goes_on(
    reader: Page, width: int, height: int
):
    reader.set_viewport_size({"width": width, "height": height})
    go(reader)
    section, bar = reader.locator(".sight").first, reader.locator("body > header").bounding_box()
    asked, picture = section.locator(".rm-ask"), section.locator(".picture")
    skip = reader.get_by_role("button", name="Skip the question")
    skip.click()
    skip.hover()
    before = asked.bounding_box()
    skip.click()  # the picture opens below the question, which stays where it is
    after = asked.bounding_box()
    assert (after["x"], after["y"], after["width"]) == (before["x"], before["y"], before["width"])
    assert picture.bounding_box()["y"] >= after["y"] + after["height"]
    text = section.locator("p").last
    text.evaluate("(text) => text.append('And so on. '.repeat(2000))")
    section.evaluate("(node) => scrollBy(0, node.getBoundingClientRect().bottom - innerHeight)")
    box, beside = picture.bounding_box(), text.bounding_box()
    assert bar["height"] - 1 <= box["y"] <= height - box["height"]
    assert beside["x"] + beside["width"] <= box["x"] or width < 1024
    at = [box["x"] + 2, box["y"] + box["height"] - 2]  # nothing shines through
    assert picture.evaluate("(node, at) => node.contains(document.elementFromPoint(...at))", at)
    read_to(reader, "the-reciprocal-rank", by=80)
    assert picture.bounding_box()["y"] < 0
    assert reader.evaluate(SPILLS) <= 0
