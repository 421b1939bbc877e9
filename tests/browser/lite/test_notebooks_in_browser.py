"""Lessons as a class does them: opened in the browser, run, answered, with files of one's own."""

import json
from collections.abc import Callable, Iterator

import pytest
from browser_harness import CONNECTED, Reader
from playwright.sync_api import BrowserContext, expect

from helpers.places import NOTEBOOKS

OWN = "query,item,score,relevance\nq1,a,3,0\nq1,b,2,1\nq1,c,1,0\nq2,a,3,1\nq2,b,2,0\nq2,c,1,0\n"
OUTPUTS = """() => window.jupyterapp.shell.currentWidget.content.widgets.map(
  ({ model }) => model.executionCount && model.outputs.toJSON())"""
CHANGE = """([old, changed]) => {
  const { widgets } = window.jupyterapp.shell.currentWidget.content;
  const place = widgets.findIndex(({ model }) =>
    model.type === "code" && model.sharedModel.source.includes(old));
  const { sharedModel } = widgets[place].model;
  sharedModel.setSource(sharedModel.source.replace(old, changed));
  return place;
}"""
UPLOAD = """([path, content]) => window.jupyterapp.serviceManager.contents.save(
  path, { type: "file", format: "text", content })"""
DOWNLOAD = """async (path) =>
  (await window.jupyterapp.serviceManager.contents.get(path, { content: true })).content"""


@pytest.fixture
def lesson(visitor: BrowserContext) -> Iterator[Callable[[str], Reader]]:
    """Call it to have a lesson in front, its Python ready."""
    page = visitor.new_page()

    def opened(name: str) -> Reader:
        path = f"notebooks/{name}.ipynb"
        page.goto(f"lite/lab/index.html?path={path}")
        page.wait_for_function(CONNECTED, arg=path)
        return Reader(page, None, "lab")

    yield opened
    page.close()


def said(outputs: list[dict]) -> list[str]:
    """All that was printed, and what each other output says as text."""
    printed = "".join("".join(each["text"]) for each in outputs if "text" in each)
    return [printed, *("".join(each["data"]["text/plain"]) for each in outputs if "data" in each)]


def assert_runs_as_stored(lesson: Reader, name: str) -> None:
    """All cells run, none complains, and those that are checked say what the file says."""
    lesson.command("editmenu:clear-all")  # what is there comes with the file
    lesson.run_all()
    lesson.settle()
    stored = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    for outputs, cell in zip(lesson.page.evaluate(OUTPUTS), stored, strict=True):
        if cell["cell_type"] == "code":
            assert not [o for o in outputs if "ename" in o or o.get("name") == "stderr"]
            if "nbval-check-output" in cell["metadata"].get("tags", []):
                assert said(outputs) == said(cell["outputs"])


def test_a_first_lesson(lesson, built, sent):
    """It loads what the pages announce, and nothing when it runs; its list is moved with a key."""
    first = lesson("00-start-here")
    announced = json.loads((built / "lite" / "site.json").read_text())["megabytes"]
    assert announced <= 50  # scipy and pyarrow, which are 30 more, load later
    assert sum(sent) / 1e6 == pytest.approx(announced, abs=8)
    sent.clear()
    assert_runs_as_stored(first, "00-start-here")
    assert sum(sent) < 1e6
    explorer = first.page.locator(".rm-explorer").first
    value = explorer.locator(".rm-riding").first
    before = value.inner_text()
    explorer.locator(".rm-scroll .rm-grip").last.press("Home")
    expect(value).not_to_have_text(before)


def test_a_prediction_and_an_exercise_on_the_second_visit(lesson, sent):
    second = lesson("03-average-precision")
    assert sum(sent) < 3e6  # the rest is kept, but for what JupyterLite asks anew
    assert_runs_as_stored(second, "03-average-precision")
    prediction = second.page.locator(".rm-prediction").first
    prediction.get_by_role("textbox").fill("1/3")
    prediction.get_by_role("textbox").press("Enter")
    expect(prediction.locator(".rm-verdict")).to_contain_text("Right")
    place = second.page.evaluate(CHANGE, ['ask("03-c")', 'check("03-c", "12")'])
    assert "Right" not in second.printed(place)
    second.page.evaluate(CHANGE, ['check("03-c", "12")', 'check("03-c", "16")'])
    assert "Right" in second.printed(place)


def test_a_file_of_one_s_own(lesson):
    """The template runs as it is, with statistics and Parquet; then on a file, to a report."""
    template = lesson("your-own-data")
    assert_runs_as_stored(template, "your-own-data")
    template.page.evaluate(UPLOAD, ["notebooks/mine.csv", OWN])
    for sample, own in (("new.txt.gz", '"mine.csv"'), ("qrels.csv", "run"), ("old.txt.gz", "None")):
        template.page.evaluate(CHANGE, [f'DATA / "sample-{sample}"', own])
    template.run_all()
    template.settle()
    html = template.page.evaluate(DOWNLOAD, "notebooks/report.html")
    # RR is 1/2 and 1
    assert all(each in html for each in ("<title>Ranking report: yours</title>", "0.750", "<svg"))


def test_the_pages_lead_to_the_notebooks_and_to_the_page_of_own_files(visitor, built):
    page = visitor.new_page()
    page.goto("03-average-precision.html")
    link = page.get_by_role("link", name="Open it as a notebook").first.get_attribute("href")
    assert (built / link.partition("?")[0]).is_file()
    for name in ("index", "your-own-data", "ko/index"):
        page.goto(f"{name}.html")
        page.locator("main a[href*='report/']").first.click()
        expect(page.locator("#drop")).to_be_visible()
