"""A report in a real browser: it asks nobody for anything, fits, and shows names as text."""

import re

import pandas as pd
import pytest
from page_checks import SPILLS, STARTED, assert_for_everybody, until, watch
from playwright.sync_api import Page, expect

import byhand

NASTY = ["<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "**bold**", "$x$", "&amp;"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report of three systems in which every name is hostile."""
    items = [*NASTY, *(f"item-{n}" * 12 for n in range(30))]
    rows = [(query, item, n) for query in NASTY for n, item in enumerate(items)]
    run = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    runs = {"<b>run": run, **{f"${n}$": run.assign(score=run["score"] % n) for n in (7, 5)}}
    urls = ["javascript:alert(1)", *["https://x.example"] * 13]
    docs = {"id": items[:14], "title": items[6], "text": NASTY[0] * 90, "url": urls}
    path = tmp_path_factory.mktemp("report") / "report.html"
    byhand.report(
        runs,
        {query: {query: 1} for query in NASTY},
        path=path,
        docs=pd.DataFrame(docs),
        queries=pd.DataFrame({"query_id": NASTY, "text": NASTY}),
        groups=pd.DataFrame({"query_id": NASTY, "group": NASTY}),
    )
    return path.as_uri()


def test_a_report_shows_names_as_text_and_its_values_on_lists_that_move_and_fits(
    page: Page, report: str, axe_source: str
):
    seen = watch(page)
    page.goto(report)
    assert_for_everybody(page, axe_source)
    assert all(name in page.locator("body").text_content() for name in NASTY)
    assert "<b>run" in page.locator("body").inner_text()
    page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true })")
    until(page, STARTED)
    for width in (320, 360, 1100):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(SPILLS) <= 0
        assert page.locator("main figure").first.bounding_box()["width"] > 250
    queries = page.locator("details:has(> .live)")
    assert queries.count() == len(NASTY)
    for query in queries.all():
        stated = re.sub(r"\s+", " ", query.locator("> summary").text_content())
        values = query.locator(".rm-value").all_text_contents()
        assert len(values) == 3
        for name, value in (each.split(" = ") for each in values):
            said = re.search(rf"{name} ([0-9.]+)", stated)
            assert f"{float(said[1]):.3f}" == value
    place = queries.first
    query = place.locator("summary bdi").first.text_content()
    hit = place.locator(".rm-row.rm-hit:not(.rm-ghost, .rm-slot)")
    label = hit.locator(".rm-label").text_content()
    assert label.startswith(f"{query} · ")  # and what it says
    hit.locator(".rm-grip").hover()
    page.mouse.down()
    page.mouse.move(100, 100, steps=4)
    expect(place.locator(".rm-ghost .rm-label")).to_have_text(label)
    page.mouse.up()
    hit.locator(".rm-grip").press("Home")
    expect(place.locator(".rm-said").first).to_contain_text(f"{label} moved to rank 1")
    markup = "header b, main script, main img[src=x], .rm :is(script, img, .rm-label b)"
    assert page.locator(markup).count() == 0
    page.emulate_media(media="print")
    for query in queries.all():
        assert query.locator("> .live > .scroll > table").is_visible()
    assert seen == []


def test_no_script_runs_but_that_of_the_page(page: Page, report: str):
    page.goto(report)
    script = "Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' })"
    with page.expect_console_message(lambda message: "Security Policy" in message.text):
        page.evaluate(f"document.body.append({script})")
    assert page.evaluate("window.ran") is None
