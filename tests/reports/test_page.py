"""The page: one file that asks for nothing, and runs nothing that comes from data."""

import re

import pytest
from guards import REQUESTS, without_module
from small_runs import frame, text_of

from byhand import report
from byhand.reports.rendering import page
from byhand.widgets.embed import live_html

NASTY = ["<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "a\"b'c", "{{ 7 * 7 }}"]


@pytest.fixture(scope="module")
def hostile():
    """The page on systems, queries and items whose names are more than names elsewhere."""
    rows = [(query, item, n) for query in NASTY for n, item in enumerate(NASTY)]
    run, qrels = frame(rows, "score"), frame([(q, NASTY[0], 1) for q in NASTY], "relevance")
    runs = {NASTY[0]: run, NASTY[1]: run.assign(score=-run["score"]), NASTY[3]: run}
    return report(runs, qrels, measures=["RR", "AP"])


def test_names_are_text_wherever_they_stand(hostile):
    html = without_module(hostile.html())
    assert not re.search(r"<script|<img src=x|alert\(\d\)>", html)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html.partition("<main>")[0]
    assert "{{ 7 * 7 }}" in text_of(html)
    assert not REQUESTS.search(html)
    title = f"Ranking report: {NASTY[0]} against {NASTY[1]} and {NASTY[3]}"
    assert hostile.title == title
    assert "&lt;" not in hostile.text()


def test_no_name_turns_the_rest_of_a_sentence_round():
    runs = {"a\u202eb": {"q": {"d": 1, "e": 2}}, "c\u202d": {"q": {"d": 2, "e": 1}}}
    found = report(runs, {"q": {"d": 1}}, measures="RR")
    assert not re.search("[\u202d\u202e]", found.html() + found.title + found.text())
    assert "a\\u202eb" in text_of(found.section("summary").html)


def test_a_live_page_runs_its_own_module_and_nothing_else():
    body = live_html({"label": '"><script>alert(1)</script>'}, "<p>y</p>")
    html = page(title="x", body=body)
    assert html.count("<script") == 1
    assert not REQUESTS.search(without_module(html))
    assert "<p>y</p>" in html


def test_a_notebook_shows_a_section_without_a_kernel_of_its_own(sample):
    section = sample.section("means")
    assert section.html in section._repr_html_()
    assert repr(section) == section.text == sample.text("means")
    assert sample._repr_html_() == sample.section("summary")._repr_html_()
    with pytest.raises(ValueError, match="'mean' is not a section of a report"):
        sample.section("mean")
