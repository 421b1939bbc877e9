"""A report in a real browser: it asks nobody for anything, fits, and shows names as text."""

import re
from pathlib import Path

import pandas as pd
import pytest
from page_checks import SPILLS, STARTED, assert_for_everybody, until, watch
from playwright.sync_api import Page, expect

import byhand

MEASURES = ["nDCG@10", "AP", "RR"]
NASTY = ["<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "**bold**", "$x$", "&amp;"]

# headings that are not aligned as the cells below them
ASKEW = """() => {
  const side = (cell) => getComputedStyle(cell).textAlign.replace('start', 'left');
  return [...document.querySelectorAll('table')].flatMap(({ tHead, tBodies: [body] }) =>
    [...tHead?.rows[0].cells ?? []].filter((head, i) => head.textContent.trim()
      && [...body.rows].some(({ cells }) => cells[i] && side(cells[i]) !== side(head))
    ).map((head) => head.textContent));
}"""


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of three systems in which every name is hostile."""
    folder = tmp_path_factory.mktemp("report")
    items = [*NASTY, *(f"item-{n}" * 12 for n in range(30))]
    run = pd.DataFrame(
        [(query, item, n) for query in NASTY for n, item in enumerate(items)],
        columns=["query_id", "doc_id", "score"],
    )
    runs = {"<b>run": run, **{f"${n}$": run.assign(score=run["score"] % n) for n in (7, 5)}}
    docs = pd.DataFrame({"id": items[:14], "title": items[6], "text": NASTY[0] * 90})
    tables = {"docs": docs.assign(url=["javascript:alert(1)", *["https://x.example"] * 13])}
    for name, column in {"queries": "text", "groups": "group"}.items():
        tables[name] = pd.DataFrame({"query_id": NASTY, column: NASTY})
    files = {name: folder / f"{name}.csv" for name in tables}
    for name, table in tables.items():
        table.to_csv(files[name], index=False)
    qrels = {query: {query: 1} for query in NASTY}
    byhand.report(runs, qrels, path=folder / "report.html", **files)
    return folder / "report.html"


def test_report_shows_every_name_as_itself_also_while_it_is_dragged_and_on_paper_every_list(
    page: Page, report: Path
):
    seen = watch(page)
    page.goto(report.as_uri())
    assert all(name in page.locator("body").text_content() for name in NASTY)
    assert "<b>run" in page.locator("body").inner_text()
    assert page.locator("header b, main script, main img[src=x]").count() == 0
    place = page.locator("details:has(> .live)").first
    place.locator("summary").first.click()
    query = place.locator("summary bdi").first.text_content()
    hit = place.locator(".rm-row.rm-hit:not(.rm-ghost, .rm-slot)")
    label = hit.locator(".rm-label").text_content()
    assert label.startswith(f"{query} · ")  # and what it says
    hit.locator(".rm-grip").hover()
    box = hit.bounding_box()
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] - 60, steps=4)
    expect(place.locator(".rm-ghost .rm-label")).to_have_text(label)
    page.mouse.up()
    expect(place.locator(".rm-said").first).to_contain_text(f"{label} moved to rank")
    hit.locator(".rm-grip").press("Home")
    expect(place.locator(".rm-value")).to_have_text([f"{n} = 1.000" for n in MEASURES])
    assert place.locator(".rm :is(script, img, .rm-label b)").count() == 0
    page.emulate_media(media="print")
    tables = page.locator("main details > .live > .scroll > table")
    assert tables.count() > 3
    assert all(table.is_visible() for table in tables.all())
    assert seen == []


def test_report_shows_its_values_on_lists_that_move_and_fits(
    page: Page, report: Path, axe_source: str
):
    seen = watch(page)
    page.goto(report.as_uri())
    until(page, STARTED)
    assert_for_everybody(page, axe_source)
    assert page.locator("table").count() > 5
    assert page.evaluate(ASKEW) == []
    page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true })")
    until(page, STARTED)
    for width in (320, 360, 1100):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(SPILLS) <= 0
        assert page.locator("main figure").first.bounding_box()["width"] > 250
    queries = page.locator("details:has(> .live)").all()
    assert len(queries) == len(NASTY)
    for query in queries:
        stated = query.locator("> summary").text_content()
        values = query.locator(".rm-value").all_text_contents()
        assert len(values) == 3
        for name, value in (each.split(" = ") for each in values):
            said = re.search(rf"{name}\s([0-9.]+)", stated)
            assert f"{float(said[1]):.3f}" == value
    assert seen == []


def test_no_script_runs_but_that_of_the_page(page: Page, report: Path):
    page.goto(report.as_uri())
    with page.expect_console_message(lambda message: "Security Policy" in message.text):
        page.evaluate(
            """() => {
              const script = document.createElement('script');
              script.textContent = 'window.ran = 1';
              document.body.append(script);
              document.body.insertAdjacentHTML('beforeend', '<p onclick="window.ran = 2">');
              document.body.lastElementChild.click();
            }"""
        )
    assert page.evaluate("window.ran") is None
