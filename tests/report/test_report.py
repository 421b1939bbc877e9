"""Pages: Markdown, cells, lessons, and files that are whole or not there."""

import re
from pathlib import Path

import nbformat
import pytest
from guards import REQUESTS, without_module
from nbformat.v4 import new_code_cell, new_notebook

from byhand.report.data_report import Request
from byhand.report.page import Page
from byhand.report.running import rewrite_parameters, with_parameters
from byhand.widgets.embed import live_html

ROOT = Path(__file__).parents[2]


class TestParameters:
    def test_come_after_the_tagged_cell(self):
        notebook = new_notebook(
            cells=[new_code_cell("x = 1", metadata={"tags": ["parameters"]}), new_code_cell("x")]
        )
        with_parameters(notebook, {"x": 'a"b\n', "y": None})
        assert notebook.cells[1].source == "x = 'a\"b\\n'\ny = None"
        rewrite_parameters(notebook, {"x": "short"})
        assert [cell.source for cell in notebook.cells] == ["x = 1", "x = 'short'", "x"]

    def test_need_a_tagged_cell(self):
        with pytest.raises(RuntimeError, match="tagged 'parameters'"):
            with_parameters(new_notebook(cells=[new_code_cell("x")]), {})

    def test_the_lesson_has_one(self):
        lesson = nbformat.read(ROOT / "notebooks" / "10-your-own-data.ipynb", as_version=4)
        tagged = [c for c in lesson.cells if "parameters" in c.metadata.get("tags", [])]
        names = re.findall(r"^(\w+) = ", tagged[0].source, re.MULTILINE)
        assert len(tagged) == 1
        written = {"report", "per_query_csv", "save"}
        assert set(names) == set(Request(run="run.csv").parameters(str)) | written

    def test_one_name_is_one_measure(self):
        assert Request(run="run.csv", measures="RR").parameters(str)["measures"] == ["RR"]


def test_page_says_that_nothing_may_be_loaded():
    html = Page(title="x", body="<p>y</p>").html()
    assert "default-src 'none'; script-src 'none'" in html
    assert not REQUESTS.search(html)


def test_a_live_page_runs_its_own_module_and_nothing_else():
    body = live_html({"label": '"><script>alert(1)</script>'}, "<p>y</p>")
    html = Page(title="x", body=body).html()
    assert html.count("<script") == 1
    assert not REQUESTS.search(without_module(html))
    assert "<p>y</p>" in html
