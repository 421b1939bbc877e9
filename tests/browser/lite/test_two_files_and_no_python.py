"""A journey: a product manager on a company's laptop, with two files and no Python."""

import re
import time

import pytest
from lite_harness import MINUTES, Host, OwnFiles
from playwright.sync_api import expect

from helpers.places import DATA

MINUTE = 60  # seconds to the report, whatever else the machine does


@pytest.fixture
def colleague(visitor):
    """Somebody else, to whom the report is handed."""
    page = visitor.context.new_page()
    yield page
    page.close()


def test_the_report_in_a_minute_and_handed_over(visitor, tmp_path, colleague):
    began = time.monotonic()
    desk = OwnFiles(visitor, "ko")
    # it says how much is loaded
    expect(desk.page.locator("#python")).to_contain_text(re.compile(r"\d\d MB"))
    desk.drop(
        {
            "오늘.txt.gz": (DATA / "sample-new.txt.gz").read_bytes(),
            "판정.csv": (DATA / "sample-qrels.csv").read_bytes(),
        }
    )
    first_rows = desk.card("오늘.txt.gz").locator("table")
    expect(first_rows).to_contain_text("q001", timeout=MINUTES)
    expect(desk.card("판정.csv").locator("select")).to_have_value("qrels")
    desk.make()
    assert time.monotonic() - began < MINUTE
    report = desk.page.frame_locator("iframe")
    expect(report.locator("h1")).to_contain_text("오늘")
    # a colleague opens what was saved, without any of this
    saved = tmp_path / "report.html"
    saved.write_text(desk.saved("html", tmp_path), encoding="utf-8")
    asked = []
    colleague.on("request", lambda request: asked.append(request.url))
    colleague.goto(saved.as_uri())
    expect(colleague.locator("h1")).to_contain_text("오늘")
    assert all(url.startswith(("file:", "data:")) for url in asked)
    desk.page.close()
    # the next day nothing is loaded but the page itself
    Host.sent.clear()
    again = OwnFiles(visitor, "ko")
    again.is_ready()
    assert sum(Host.sent.values()) < 1e6, Host.sent.most_common(5)
    again.page.close()
    assert visitor.outside == []
    assert visitor.errors == []
