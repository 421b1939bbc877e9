"""What follows a prediction is covered until the reader has the answer, or skips the question."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_harness import BELOW_ON_PAGE, REVERT, ROOT, Reader
from playwright.sync_api import Browser, Page, expect
from test_pages import STARTED

PREDICT = """from helpers import predict
predict("01-guess", "What is the RR of this list?")"""
BEFORE = "## Before\n\nA list."
AFTER = ["## By hand\n\nIt is a half.", "print(1 / 2)", "1 / 2"]
# what a reader sees after the prediction, headings excepted
BELOW_IN_NOTEBOOK = """() => {
  const cells = [...document.querySelectorAll('.jp-Notebook .jp-Cell')];
  const asked = cells.findIndex((cell) => cell.textContent.includes('predict('));
  return cells.slice(asked + 1).flatMap((cell) => [...cell.querySelectorAll(
    '.jp-OutputArea-output pre, .jp-Placeholder, .cm-line, .jp-RenderedMarkdown > p')]).filter(
    (node) => node.checkVisibility({ visibilityProperty: true })).map((node) => node.textContent);
}"""
COVER = """from byhand.widgets.embed import cover
display({"text/html": cover()}, raw=True)  # as predict(...) does before its widget is there"""
FINISH = "document.getAnimations().forEach((each) => each.finish())"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(offline=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def lesson(page: Page, lessons: list[Path]) -> Path:
    """Lesson 1, open."""
    path = next(path for path in lessons if path.name.startswith("01"))
    page.goto(path.as_uri())
    page.wait_for_function(STARTED)
    return path


def guess(page: Page, entered: str) -> None:
    page.locator(".rm-prediction .rm-text").fill(entered)
    page.locator(".rm-prediction .rm-text").press("Enter")


def test_every_lesson_page_covers_what_follows(page: Page, lessons: list[Path]):
    asking = [path for path in lessons if '"view":"prediction"' in path.read_text("utf-8")]
    assert [path.name[:2] for path in asking] == [f"{n:02}" for n in range(1, 10)]
    for path in asking:
        page.goto(path.as_uri())
        page.wait_for_function(STARTED)
        assert page.evaluate(BELOW_ON_PAGE) == 0, path.name
        assert all(head.is_visible() for head in page.locator("main h2").all()), path.name
        page.locator("[data-name=skip]").click()
        assert page.evaluate(BELOW_ON_PAGE) > 20, path.name


@pytest.mark.usefixtures("lesson")
def test_a_page_goes_on_with_the_answer_and_stays_open(page: Page):
    guess(page, "2")
    expect(page.locator(".rm-prediction .rm-verdict")).to_contain_text("Not yet.")
    assert page.evaluate(BELOW_ON_PAGE) == 0
    guess(page, "1/2")
    expect(page.locator(".rm-prediction .rm-verdict")).to_contain_text("Right")
    assert page.evaluate(BELOW_ON_PAGE) > 50
    page.locator(".rm-prediction [data-name=again]").click()
    assert page.evaluate(BELOW_ON_PAGE) > 50
    panel = page.locator(".rm-explorer .rm-figure").first
    assert panel.bounding_box()["width"] > 300  # it was drawn while it was covered


@pytest.mark.usefixtures("lesson")
def test_skipping_says_so_and_keeps_the_focus(page: Page):
    skip = page.get_by_role("button", name="Skip the question")
    expect(page.locator(".rm-prediction")).to_contain_text("or skip the question")
    skip.focus()
    skip.press("Enter")
    expect(page.locator(".rm-prediction .rm-verdict")).to_contain_text("Skipped")
    expect(skip).to_be_hidden()
    expect(page.locator(".rm-prediction [data-name=commit]")).to_be_focused()
    guess(page, "1/2")
    expect(page.locator(".rm-prediction .rm-verdict")).to_contain_text("Right")


def test_a_page_without_javascript_and_a_printed_one_show_everything(
    chromium: Browser, page: Page, lesson: Path
):
    page.emulate_media(media="print")
    assert page.evaluate(BELOW_ON_PAGE) > 50
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(lesson.as_uri())
    texts = page.locator("section").filter(has_text="By hand").locator("p, pre").all()
    assert len(texts) > 2
    assert all(text.is_visible() for text in texts)
    context.close()


def test_a_page_covers_before_its_script_runs_but_not_for_ever(
    page: Page, lesson: Path, tmp_path: Path
):
    never = tmp_path / "never.html"
    html = lesson.read_text(encoding="utf-8")
    never.write_text(html.replace('<script type="module">', '<script type="none">'), "utf-8")
    page.goto(never.as_uri())
    assert page.evaluate(BELOW_ON_PAGE) == 0
    page.evaluate(FINISH)
    assert page.evaluate(BELOW_ON_PAGE) > 50


SHOWN = ["It is a half.", "print(1 / 2)", "0.5\n", "1 / 2", "0.5"]


def test_a_notebook_covers_its_cells_until_the_question_is_skipped(reader: Reader):
    reader.open([BEFORE, PREDICT, *AFTER])
    skip = reader.page.locator("[data-name=skip]")
    expect(skip).to_be_visible()
    reader.settle()
    assert reader.page.evaluate(BELOW_IN_NOTEBOOK) == []
    expect(reader.page.locator(".jp-Notebook h2")).to_contain_text(["Before", "By hand"])
    expect(reader.page.locator(".jp-RenderedMarkdown p").first).to_be_visible()
    guess(reader.page, "2")
    expect(reader.page.locator(".rm-verdict")).to_contain_text("Not yet.")
    reader.page.evaluate(
        "() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 3; }"
    )
    reader.command("notebook:hide-cell-outputs")  # folded, its first line is still there
    expect(reader.page.locator(".jp-OutputPlaceholder")).to_have_count(1)
    assert reader.page.evaluate(BELOW_IN_NOTEBOOK) == []
    reader.command("notebook:show-cell-outputs")
    skip.click()
    expect(skip).to_be_hidden()
    assert reader.page.evaluate(BELOW_IN_NOTEBOOK) == SHOWN


def test_a_notebook_covers_its_cells_before_the_widget_is_there_but_not_for_ever(reader: Reader):
    reader.open([BEFORE, COVER, *AFTER])
    expect(reader.page.locator(".rm-asks")).to_have_count(1)
    reader.settle()
    reader.page.evaluate("document.getAnimations().forEach((each) => { each.currentTime = 0 })")
    assert reader.page.evaluate(BELOW_IN_NOTEBOOK) == []
    reader.page.evaluate(FINISH)
    assert reader.page.evaluate(BELOW_IN_NOTEBOOK) == SHOWN


def test_a_lesson_that_has_not_been_run_folds_what_follows(reader: Reader):
    lesson = ROOT / "notebooks" / "01-reciprocal-rank.ipynb"
    reader.path.write_bytes(lesson.read_bytes())
    reader.page.evaluate(REVERT)
    outputs = reader.page.locator(".jp-OutputArea-output")
    expect(outputs.filter(has_text="The figure in words").first).to_be_visible()
    result = outputs.filter(has_text="RR = 1/2 = 0.5000")
    assert not any(each.is_visible() for each in result.all())
    reader.run_all()
    reader.page.locator("[data-name=skip]").click()
    expect(result).to_be_visible()
