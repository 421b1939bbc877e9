"""A page of the course as a reader uses it: it covers, answers, leads on, and forgets nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from browser_harness import SITE, serve_from
from explorer_page import ExplorerPage
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from page_checks import BELOW, FINISH, SPILLS, STARTED, assert_for_everybody, until, watch
from playwright.sync_api import Browser, Locator, Page, expect

import helpers.site
from byhand.widgets import Explorer, Prediction
from byhand.widgets.embed import LIVE
from byhand.widgets.prediction.answers import Number
from helpers.site import write_pages

ITEMS = ["D1", "D2", "D3", "D4"]
MAP = (
    """# Start

| lesson | what it answers | what it misses | minutes |
|:---|:---|:---|:---|
| **Learn** | | | |
| **0 · Start** | What? | | 10 |
| [1 · Lists](01-lists.ipynb) | How? | | 20 + 10 |
| [2 · More](02-more.ipynb) | Why? | | 20 |
| [What now?](exam.ipynb) | Can you? | | 5 |
"""
    + 4 * "| **Later** | | | |\n"
    + """\
| [Words](words.ipynb) | Which? | | 5 |"""
)
HEADER = "# {} · {}\n\n*To learn. 20 minutes, and 10 more in a second session.*"
LONG = "\n\n".join(f"Paragraph {n} of some length." for n in range(40))
PARTS = ["Drag", "Predict", "After", "In the document"]
# how far the heading of a part is from the top of the window
TOP = "(id) => Math.round(document.getElementById(id).getBoundingClientRect().top)"
TO = "([id, by]) => scrollBy(0, document.getElementById(id).getBoundingClientRect().top - by)"
SHOWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
KEEP = "(text) => localStorage.setItem('ranking-metrics-by-hand/01-lists', text)"
KEPT = "() => localStorage.getItem('ranking-metrics-by-hand/01-lists')"
# what may become of what is kept of a page, and of the order of a list in it
TORN = ["", "{", "7", '"text"', "null", "[]", '{"toString": 1}', '{"at": {"id": 1, "by": 2}}']
TORN += [f'{{"{name}": null}}' for name in ("lists", "done", "of", "when")]
TORN += ['{"done": "drag"}', '{"done": [1]}', '{"lists": []}', '{"of": "4"}', '{"of": -1}']
TORN_ORDERS = [(r"\[", "[null,"), (r"\[", '["x",'), (r"\[", '["D4",'), (r"\[[^]]*\]", '"D4"')]
# a scroll is heard before the next picture, however late that comes; then what is kept is written
LEAVE = """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
  () => setTimeout(done, 300)
)))"""


def said(text: str):
    return new_markdown_cell(text)


def alive(widget: object):
    return new_code_cell("x", outputs=[new_output("display_data", {LIVE: widget.page_state()})])


def kept_in_sight() -> list:
    picture = alive(Explorer(["F1", "F2"], {"F2"}, shows="number"))
    picture.metadata["tags"] = ["in-sight"]
    return [said(HEADER.format(2, "More")), said("## Only"), picture, said(LONG), said("## Then")]


def lesson(items: list[str]) -> list:
    asked = Prediction("What is RR?", Number(answer=0.25, hints=["Look."]), covers=True)
    exercise = new_code_cell(
        'answer = None\n\ncheck("01-b", answer)', metadata={"tags": ["exercise"]}
    )
    return [
        *(said(HEADER.format(1, "Lists")), said("## Drag"), alive(Explorer(items, {"D4"}))),
        *(said("## Predict"), alive(asked), said(f"## After\n\n{LONG}")),
        alive(Explorer(["E1", "E2"], {"E2"}, shows="number", trace=True)),
        *(said(f"## In the document\n\n{LONG}"), exercise, said("## Next\n\nNext: 2.")),
    ]


def write_course(folder: Path, items: list[str]) -> Path:
    """Three small lessons, an exam and a page to look things up, as pages."""
    exam = new_code_cell('check("05-a", None)', metadata={"tags": ["exercise"]})
    begin = f"## Begin\n\n{LONG}"
    cells = {
        "00-start-here": [
            said(MAP),
            said(begin),
            said("## Middle\n\nSo."),
            said("## End\n\nIt is."),
        ],
        "exam": [said("# What now?"), said("## One"), exam],
        "words": [said("# Words\n\nMany.")],
        "01-lists": lesson(items),
        "02-more": [*kept_in_sight(), said(LONG)],
    }
    (folder / "notebooks").mkdir(parents=True)
    for name, each in cells.items():
        nbformat.write(new_notebook(cells=each), folder / "notebooks" / f"{name}.ipynb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(helpers.site, "NOTEBOOKS", folder / "notebooks")
        write_pages(folder)
    return folder


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_course(tmp_path_factory.mktemp("course"), ITEMS)


@pytest.fixture
def reader(page: Page, course: Path) -> Iterator[Page]:
    """Somebody with a wide window; the pages ask for nothing and do not complain."""
    seen = watch(page)
    serve_from(course, page)
    page.set_viewport_size({"width": 1200, "height": 800})
    yield page
    assert seen == []


def go(page: Page, name: str) -> ExplorerPage:
    page.goto(f"{SITE}/{name}.html")
    until(page, STARTED)
    return ExplorerPage(page, scope="section:has(> #drag)")


def answer(page: Page, guess: str) -> None:
    page.locator(".rm-prediction .rm-text").first.fill(guess)
    page.locator(".rm-prediction .rm-text").first.press("Enter")


def verdict_of(page: Page) -> Locator:
    return page.locator(".rm-prediction .rm-verdict").first


def read_to(page: Page, part: str, by: int = 100) -> None:
    page.evaluate(TO, [part, by])
    page.evaluate(LEAVE)


def test_a_page_goes_on_with_the_answer_and_stays_open(reader: Page):
    go(reader, "01-lists")
    for guess, goes_on in (("2", False), ("1/4", True)):
        answer(reader, guess)
        expect(verdict_of(reader)).to_contain_text("Right" if goes_on else "Not yet.")
        assert (reader.evaluate(BELOW) > 50) == goes_on
    reader.locator(".rm-prediction [data-name=again]").first.click()
    assert reader.evaluate(BELOW) > 50
    lane = reader.locator(".rm-explorer").last.locator(".rm-lane")
    assert lane.bounding_box()["width"] > 200  # it was drawn while it was covered


def test_skipping_tells_the_answer_and_keeps_the_focus(reader: Page):
    go(reader, "01-lists")
    skip = reader.get_by_role("button", name="Skip the question")
    skip.press("Enter")
    expect(verdict_of(reader)).to_have_text("Skipped. The answer: 0.25 (1/4).")
    expect(skip).to_be_hidden()
    expect(reader.locator(".rm-prediction [data-name=commit]").first).to_be_focused()


def test_without_a_script_and_on_paper_everything_shows(
    reader: Page, chromium: Browser, course: Path
):
    go(reader, "01-lists")
    reader.emulate_media(media="print")
    assert reader.evaluate(BELOW) > 50
    phone = {"width": 390, "height": 844}
    context = chromium.new_context(java_script_enabled=False, viewport=phone)
    page = context.new_page()
    page.goto((course / "01-lists.html").as_uri())
    assert all(each.is_visible() for each in page.locator("main section > p").all())
    expect(page.get_by_role("navigation").get_by_role("link")).to_have_text(PARTS)
    assert not page.locator(".toggle").is_visible()
    assert not page.locator("#keeping").is_visible()
    context.close()


def test_a_page_covers_before_its_script_runs_but_not_for_ever(
    page: Page, course: Path, tmp_path: Path
):
    html = (course / "01-lists.html").read_text(encoding="utf-8")
    never = tmp_path / "never.html"
    never.write_text(html.replace('<script type="module">', '<script type="none">'), "utf-8")
    page.goto(never.as_uri())
    assert page.evaluate(BELOW) == 0
    page.evaluate(FINISH)
    assert page.evaluate(BELOW) > 50


def test_a_reload_loses_nothing_and_keeps_a_cover(reader: Page):
    place = go(reader, "01-lists")
    place.grip("D4").press("Home")
    answer(reader, "3")
    reader.evaluate(LEAVE)
    go(reader, "01-lists")
    expect(verdict_of(reader)).to_contain_text("Not yet")
    assert reader.evaluate(BELOW) == 0
    answer(reader, "1/4")
    reader.locator("[data-id=E2] .rm-grip").press("Home")
    read_to(reader, "after", by=-300)
    reader.reload()
    until(reader, STARTED)
    place.expect_order("D4", "D1", "D2", "D3")
    expect(reader.locator(".rm-seen")).to_have_count(2)
    expect(verdict_of(reader)).to_contain_text("Right")
    assert reader.evaluate(BELOW) > 50
    until(reader, f"Math.abs(({TOP})('after') + 300) < 5")


def test_the_front_page_says_how_far_one_has_come_and_leads_on(reader: Page):
    go(reader, "index")
    button, cards = reader.locator("#go"), reader.locator(".lesson .meta")
    expect(button).to_have_text("Start here")
    expect(reader.get_by_role("banner")).to_contain_text("3 lessons")
    expect(cards).to_have_text(["20 min, later 10 more", "20 min", "5 min"])
    go(reader, "01-lists")
    answer(reader, "1/4")
    for _ in range(25):
        reader.mouse.wheel(0, 400)
        reader.wait_for_timeout(20)
    reader.evaluate(LEAVE)  # what is scrolled past is not done
    expect(reader.locator("#parts .done")).to_have_text(["Predict, done"])
    read_to(reader, "after")
    expect(reader.locator("#parts .now")).to_have_text("After")
    go(reader, "index")
    expect(cards.first).to_contain_text("1 of 2 done")
    expect(reader.get_by_text("Back to lesson 0")).to_be_visible()
    button.click()
    until(reader, STARTED)
    until(reader, f"Math.abs(({TOP})('after') - 100) < 5")  # where it was left
    reader.get_by_role("group", name="Your answer").get_by_role("textbox").fill("1")
    reader.keyboard.press("Enter")
    reader.evaluate(LEAVE)
    go(reader, "index")
    expect(button).to_have_text("Go on: 2 More")
    go(reader, "01-lists")
    assert reader.evaluate("scrollY") == 0  # whoever comes back to it begins anew


def test_a_lesson_leads_on_and_back_and_what_is_looked_up_is_on_no_path(reader: Page):
    go(reader, "01-lists")
    ways = reader.locator(".next a, .before a")
    expect(ways).to_have_text(["2 · More", "0 · Start"])
    go(reader, "02-more")
    expect(ways).to_have_text(["What now?", "1 · Lists"])
    for name, before in (("exam", ["2 · More"]), ("words", [])):
        go(reader, name)
        expect(ways).to_have_text(["All lessons", *before])
    ways.first.click()
    expect(reader.get_by_role("heading", level=2).last).to_have_text("Look them up")
    expect(reader.locator("section", has_text="Look them up").locator("h3")).to_have_text("Words")
    expect(reader.locator(".lesson h3")).to_have_text(["1 Lists", "2 More", "What now?", "Words"])


def test_forgetting_can_be_undone(reader: Page):
    go(reader, "01-lists").grip("D4").press("Home")
    reader.evaluate(LEAVE)
    reader.get_by_role("button", name="Forget all").click()
    expect(reader.locator("#keeping")).to_contain_text("Deleted, in all lessons")
    assert reader.evaluate("localStorage.length") == 0
    reader.get_by_role("button", name="Take it back").click()
    go(reader, "01-lists").expect_order("D4", "D1", "D2", "D3")
    reader.evaluate("localStorage.setItem('not/ours', '1')")
    reader.get_by_role("button", name="Forget all").click()
    go(reader, "01-lists").expect_order(*ITEMS)
    assert reader.evaluate("localStorage.getItem('not/ours')") == "1"


def test_another_edition_of_a_list_begins_anew(reader: Page, tmp_path: Path):
    go(reader, "01-lists").grip("D4").press("Home")
    answer(reader, "1/4")
    reader.evaluate(LEAVE)
    following = write_course(tmp_path / "next", [*ITEMS, "D5"]) / "01-lists.html"
    reader.route(f"{SITE}/01-lists.html", lambda route: route.fulfill(path=following))
    go(reader, "01-lists").expect_order(*ITEMS, "D5")
    expect(verdict_of(reader)).to_contain_text("Right")


def test_what_is_kept_and_fits_no_more_is_forgotten_and_that_is_said(reader: Page):
    note = reader.get_by_text("cannot be used. It was deleted")
    go(reader, "01-lists").grip("D4").press("Home")
    reader.goto(f"{SITE}/data.html")
    whole = reader.evaluate(KEPT)
    for torn in [*TORN, *(re.sub(f'(?<="order":){old}', new, whole) for old, new in TORN_ORDERS)]:
        assert torn != whole
        reader.goto(f"{SITE}/data.html")
        reader.evaluate(KEEP, torn)
        if torn in TORN:  # the front page looks at lessons as a whole
            go(reader, "index")
            expect(note).to_be_visible()
            expect(reader.locator("#go")).to_have_text("Start here")
            reader.evaluate(KEEP, torn)
        place = go(reader, "01-lists")
        place.expect_order(*ITEMS)
        expect(note).to_be_visible()
        place.grip("D3").press("Home")
        go(reader, "01-lists").expect_order("D3", "D1", "D2", "D4")
        expect(note).to_have_count(0)


@pytest.mark.parametrize("way", ["opened", "followed", "from the contents"])
def test_a_link_to_a_part_opens_what_covers_it_but_not_one_of_the_contents(reader: Page, way: str):
    if way == "opened":
        reader.goto(f"{SITE}/01-lists.html#after")
        until(reader, STARTED)
    else:  # on the page itself
        go(reader, "01-lists")
    if way == "followed":
        reader.evaluate("location.hash = 'after'")
    elif way == "from the contents":
        reader.locator("#parts a").get_by_text("After").click()
        reader.evaluate(LEAVE)
        assert reader.evaluate(BELOW) == 0
        return
    until(reader, f"Math.abs(({TOP})('after')) < 100")
    until(reader, f"({BELOW})() > 50")
    reader.evaluate(LEAVE)
    go(reader, "01-lists")  # as if the question had been skipped
    assert reader.evaluate(BELOW) > 50


def test_a_class_sees_parts_large_one_at_a_time_and_axe_finds_nothing(
    reader: Page, axe_source: str
):
    for width, height in ((390, 844), (1920, 1080)):
        reader.set_viewport_size({"width": width, "height": height})
        reader.goto(f"{SITE}/01-lists.html?class#after")
        until(reader, STARTED)
        expect(reader.locator("main h2:visible")).to_have_text("After")
        assert reader.evaluate(SPILLS) <= 0
        bar = reader.get_by_role("group", name="Present it").bounding_box()
        assert height - 4 <= bar["y"] + bar["height"] <= height
        assert_for_everybody(reader, axe_source)
    reader.locator(".toggle").click()
    assert_for_everybody(reader, axe_source)
    assert reader.evaluate("localStorage.length") == 0


def test_where_nothing_may_be_kept_the_page_works_and_says_so(reader: Page):
    reader.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    place = go(reader, "01-lists")
    place.grip("D4").press("Home")
    place.expect_order("D4", "D1", "D2", "D3")
    expect(reader.locator("#keeping")).to_contain_text("does not let the page store anything")
    expect(reader.locator("#forget")).to_be_hidden()
    go(reader, "index")
    expect(reader.locator("#go")).to_have_text("Start here")


def test_on_a_phone_the_parts_are_behind_one_bar(reader: Page):
    reader.set_viewport_size({"width": 390, "height": 844})
    go(reader, "01-lists")
    toggle, parts = reader.locator(".toggle"), reader.locator("#parts")
    expect(toggle).to_contain_text("1 of 4")
    toggle.click()
    expect(parts.get_by_role("link")).to_have_text(
        ["Drag", "Predict", "After, covered", "In the document, covered"]
    )
    for target in (toggle, *parts.get_by_role("link").all()):
        assert target.bounding_box()["height"] >= 44
    parts.get_by_role("link", name="Predict").click()
    expect(parts).to_be_hidden()
    expect(toggle).to_contain_text("2 of 4")
    toggle.click()
    toggle.press("Escape")
    expect(parts).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_a_picture_in_sight_stays_while_the_text_of_its_section_goes_on(
    reader: Page, width: int, height: int
):
    reader.set_viewport_size({"width": width, "height": height})
    go(reader, "02-more")
    picture, bar = reader.locator(".picture"), reader.locator("body > header").bounding_box()
    read_to(reader, "only", by=-600)
    box, beside = picture.bounding_box(), reader.get_by_text("Paragraph 9 of").first.bounding_box()
    assert bar["height"] - 1 <= box["y"] <= height - box["height"]
    assert beside["x"] + beside["width"] <= box["x"] or width < 1024
    at = [box["x"] + 2, box["y"] + box["height"] - 2]  # nothing shines through
    assert picture.evaluate("(node, at) => node.contains(document.elementFromPoint(...at))", at)
    read_to(reader, "then", by=80)
    assert picture.bounding_box()["y"] < 0
    assert reader.evaluate(SPILLS) <= 0
