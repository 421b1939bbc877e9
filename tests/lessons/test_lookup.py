"""The record's tables: searching it, and showing it as text."""

import pytest

from helpers import documented_values
from helpers.lookup import Lookup, record_html, show_record


@pytest.fixture(scope="module")
def values():
    return documented_values()


def test_begins_with_all_rows(values):
    assert repr(Lookup(values)).startswith(f"Lookup({len(values)} of {len(values)} rows: ")


def test_searches_numbers_and_words_in_any_case(values):
    lookup = Lookup(values)
    lookup.search.value = "0.7333"
    assert list(lookup.rows.index) == ["tracin-a-ap", "tracin-analysis-a"]
    lookup.search.value = "HARMONIC"
    assert set(lookup.rows["verdict"]) == {"misleading"}
    lookup.search.value = "("  # text, not a pattern
    assert len(lookup.rows) > 0


def test_document_and_verdict_narrow_it_down(values):
    lookup = Lookup(values)
    lookup.document.value = "pt"
    lookup.verdict.value = "wrong"
    assert sorted(lookup.rows.index) == ["pt-exam-mrr", "pt-map-average"]


def test_finding_nothing_is_said(values):
    lookup = Lookup(values)
    lookup.search.value = "no such words"
    assert repr(lookup) == f"Lookup(0 of {len(values)} rows)"


def test_what_the_rows_hold_is_text_and_never_markup(values):
    row = values.head(1).assign(what="<b>what</b>", why="<script>", how="<i>", documented="<u>")
    page = record_html(row)
    for tag in ("<b>what", "<script", "<i>", "<u>"):
        assert tag not in page


def test_every_row_of_a_document_is_shown(values, monkeypatch):
    shown = []
    monkeypatch.setattr("helpers.lookup.display", lambda data, **_: shown.append(data))
    show_record(values, "d4")
    (data,) = shown
    rows = values[values["document"] == "d4"]
    assert len(data["text/plain"].splitlines()) == len(rows) == data["text/html"].count("<tr>") - 1
