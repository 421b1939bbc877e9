"""Pages in a real browser: they ask nobody for anything, fit a phone, and show names as text."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page

from helpers.report.data_report import Request, write_report
from helpers.report.lessons import write_pages

NASTY = ["<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "**bold**", "$x$", "&amp;"]
SPILLS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
VIOLATIONS = """async () => {
  const found = await axe.run(document, { resultTypes: ['violations'] });
  return found.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary}`));
}"""


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    items = [*NASTY, *(f"item-{n}" * 12 for n in range(30))]
    rows = [(query, item, n) for query in NASTY for n, item in enumerate(items)]
    run = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    run.to_csv(folder / "<b>run.csv", index=False)
    run.assign(score=run["score"] % 7).to_csv(folder / "$x$.csv", index=False)
    qrels = pd.DataFrame([(query, query, 1) for query in NASTY])
    qrels.columns = ["query_id", "doc_id", "relevance"]
    qrels.to_csv(folder / "qrels.csv", index=False)
    run_path, against, qrels_path = (
        str(folder / name) for name in ("<b>run.csv", "$x$.csv", "qrels.csv")
    )
    write_report(Request(run=run_path, qrels=qrels_path, against=against), folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="session")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_pages(tmp_path_factory.mktemp("lessons"))


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(color_scheme=request.param)
    yield context.new_page()
    context.close()


def watch(page: Page) -> list[str]:
    """What a page should not do, as it happens: ask for something, complain, open a dialog."""
    seen: list[str] = []
    page.on("console", lambda message: seen.append(message.text))
    page.on("dialog", lambda dialog: (seen.append(dialog.message), dialog.dismiss()))
    page.on(
        "request",
        lambda request: (
            None
            if request.is_navigation_request() or request.url.startswith("data:")
            else seen.append(request.url)
        ),
    )
    return seen


def test_report_shows_every_name_as_itself(page: Page, report: Path):
    seen = watch(page)
    page.goto(report.as_uri())
    text = page.locator("body").inner_text()
    assert all(name in page.locator("body").text_content() for name in NASTY)
    assert "<b>run" in text
    assert page.locator("header b, main script, main img[src=x]").count() == 0
    assert seen == []


@pytest.mark.parametrize("width", [320, 360, 1100])
def test_report_fits(page: Page, report: Path, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(report.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true })")
    assert page.evaluate(SPILLS) <= 0
    assert page.locator("main img").first.bounding_box()["width"] > 250


def test_print_shows_every_list_and_no_code(page: Page, report: Path):
    page.goto(report.as_uri())
    page.emulate_media(media="print")
    tables = page.locator("main details:not(.source) table")
    assert tables.count() > 3
    assert all(table.is_visible() for table in tables.all())
    assert not any(code.is_visible() for code in page.locator(".source").all())
    assert not page.locator("nav").first.is_visible()


def test_code_opens(page: Page, report: Path):
    page.goto(report.as_uri())
    code = page.locator("details.source").nth(1)
    assert not code.locator("pre").is_visible()
    code.locator("summary").click()
    assert code.locator("pre").is_visible()


def test_axe_finds_nothing_in_the_report(chromium: Browser, report: Path, axe_source: str):
    for scheme in ("light", "dark"):
        context = chromium.new_context(color_scheme=scheme, bypass_csp=True)
        page = context.new_page()
        page.goto(report.as_uri())
        page.evaluate(axe_source)
        assert page.evaluate(VIOLATIONS) == []
        context.close()


def test_lessons_fit_a_phone_and_load_nothing(page: Page, lessons: list[Path]):
    page.set_viewport_size({"width": 320, "height": 800})
    seen = watch(page)
    for lesson in lessons:
        page.goto(lesson.as_uri())
        assert page.evaluate(SPILLS) <= 0, lesson.name
    assert seen == []


def test_axe_finds_nothing_in_the_lessons(chromium: Browser, lessons: list[Path], axe_source: str):
    context = chromium.new_context(bypass_csp=True)
    page = context.new_page()
    for lesson in lessons:
        page.goto(lesson.as_uri())
        page.evaluate(axe_source)
        assert page.evaluate(VIOLATIONS) == [], lesson.name
    context.close()
