"""The page: one file that asks for nothing, and runs nothing that comes from data."""

import re

import pandas as pd
import pytest
from guards import REQUESTS, without_module
from small_runs import frame, text_of

from byhand import report

NASTY = ["<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "a\"b'c", "{{ 7 * 7 }}"]
URLS = ["https://x.example/1", "javascript:alert(3)", "//x.example/2", "data:text/html,x"]


def test_names_and_texts_are_text_wherever_they_stand():
    rows = [(query, item, n) for query in NASTY for n, item in enumerate(NASTY)]
    run, qrels = frame(rows, "score"), frame([(q, NASTY[0], 1) for q in NASTY], "relevance")
    runs = {NASTY[0]: run, NASTY[1]: run.assign(score=-run["score"]), NASTY[3]: run}
    docs = pd.DataFrame({"doc_id": NASTY, "title": NASTY, "text": "word " * 400, "url": URLS})
    asked = dict.fromkeys(NASTY, f"How? {NASTY[0]}")
    found = report(runs, qrels, measures=["RR", "AP"], queries=asked, docs=docs)
    whole = found.html()
    assert whole.count("<script") == 1  # of the lists to drag
    html = without_module(whole)
    assert not re.search(r"<script|<img src=x|alert\(\d\)>", html)
    assert not REQUESTS.search(html)
    assert {*re.findall(r'<a href="([^#"].*?)"', html)} == {URLS[0]}
    assert "“<bdi>How? &lt;script&gt;alert(1)&lt;/script&gt;</bdi>”" in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html.partition("<main>")[0]
    assert "{{ 7 * 7 }}" in text_of(html)
    assert found.title == f"Ranking report: {NASTY[0]} against {NASTY[1]} and {NASTY[3]}"
    assert "&lt;" not in found.text()


def test_no_name_turns_the_rest_of_a_sentence_round():
    runs = {"a\u202eb": {"q": {"d": 1, "e": 2}}, "c\u202d": {"q": {"d": 2, "e": 1}}}
    found = report(runs, {"q": {"d": 1}}, measures="RR")
    assert not re.search("[\u202d\u202e]", found.html() + found.title + found.text())
    assert "a\\u202eb" in text_of(found.section("summary").html)


def test_a_notebook_shows_sections_and_one_that_there_is_not_is_answered_with_those_that_are():
    found = report({"q": {"d": 1}}, {"q": {"d": 1}}, measures="RR")
    assert found._repr_html_() == found.section("summary")._repr_html_()
    assert repr(found.section("means")) == found.text("means")
    with pytest.raises(ValueError, match=r"'mean' is not a section of a report.* means,"):
        found.section("mean")
