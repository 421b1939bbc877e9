"""What follows a prediction, or a goal, is covered until the reader has it, or skips it."""

import json

import pytest
from browser_harness import ROOT, Reader
from explorer_page import ExplorerPage
from page_checks import FINISH
from playwright.sync_api import expect

PREDICT = """from helpers import predict
predict("01-ko-guess", "What is the RR of this list?")"""
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
CHALLENGE = """from byhand.widgets import Challenge, Goal
Challenge(["D1", "D2"], {"D2"}, Goal.reach("RR", 1), covers=True)  # as predict(...) does"""
SHOWN = ["It is a half.", "print(1 / 2)", "0.5\n", "1 / 2", "0.5"]


def test_a_notebook_covers_its_cells_until_the_question_is_skipped(reader: Reader):
    reader.open([BEFORE, PREDICT, *AFTER])
    skip = reader.page.locator("[data-name=skip]")
    expect(skip).to_be_visible()
    reader.settle()
    assert reader.page.evaluate(BELOW_IN_NOTEBOOK) == []
    expect(reader.page.locator(".jp-Notebook h2")).to_contain_text(["Before", "By hand"])
    expect(reader.page.locator(".jp-RenderedMarkdown p").first).to_be_visible()
    reader.page.locator(".rm-prediction .rm-text").fill("2")
    reader.page.locator(".rm-prediction .rm-text").press("Enter")
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


@pytest.mark.parametrize("reader", ["notebook"], indirect=True)
def test_a_notebook_covers_its_cells_before_the_widget_is_there_but_not_for_ever(reader: Reader):
    reader.open([BEFORE, COVER, *AFTER])
    expect(reader.page.locator(".rm-asks")).to_have_count(1)
    reader.settle()
    reader.page.evaluate("document.getAnimations().forEach((each) => { each.currentTime = 0 })")
    assert reader.page.evaluate(BELOW_IN_NOTEBOOK) == []
    reader.page.evaluate(FINISH)
    assert reader.page.evaluate(BELOW_IN_NOTEBOOK) == SHOWN


@pytest.mark.parametrize("reader", ["lab"], indirect=True)
def test_a_notebook_covers_its_cells_until_a_goal_is_reached(reader: Reader):
    reader.open([BEFORE, CHALLENGE, *AFTER])
    place = ExplorerPage(reader.page)
    expect(place.find(".rm-cover")).to_contain_text("covered until you reach")
    reader.settle()
    assert reader.page.evaluate(BELOW_IN_NOTEBOOK) == []
    place.grip("D2").press("ArrowUp")
    expect(place.find(".rm-cover")).to_be_hidden()
    assert reader.page.evaluate(BELOW_IN_NOTEBOOK) == SHOWN


@pytest.mark.parametrize("reader", ["lab"], indirect=True)
def test_a_lesson_that_has_not_been_run_folds_what_follows(reader: Reader):
    lesson = ROOT / "notebooks" / "01-reciprocal-rank.ipynb"
    reader.show(json.loads(lesson.read_text(encoding="utf-8")))
    outputs = reader.page.locator(".jp-OutputArea-output")
    expect(outputs.first).to_be_visible()
    result = outputs.filter(has_text="99/100")
    assert not any(each.is_visible() for each in result.all())
    reader.run_all()
    reader.page.locator("[data-name=skip]").first.click()
    expect(result).to_be_visible()
