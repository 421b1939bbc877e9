"""Pages: Markdown, cells, lessons, and files that are whole or not there."""

import os
import re
from pathlib import Path

import nbformat
import pytest
from guards import REQUESTS, without_module
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from byhand.files.writing import replacing
from byhand.report.data_report import Request
from byhand.report.page import Page
from byhand.report.running import rewrite_parameters, with_parameters
from byhand.widgets.embed import live_html
from helpers.cells import Options, body_html, summary_html
from helpers.markdown import Markdown
from helpers.notebooks import clean
from helpers.outputs import WIDGET_VIEW
from helpers.site import write_pages

ROOT = Path(__file__).parents[2]
PIXEL = "iVBORw0KGgo="


def html_of(text):
    return Markdown(Path()).html(text)


def shown(*outputs, source="f()", tags=(), **options):
    cell = new_code_cell(source, outputs=list(outputs), metadata={"tags": list(tags)})
    return body_html(new_notebook(cells=[cell]), Markdown(Path()), Options(**options))


def data(**kinds):
    names = {kind.replace("__", "/"): value for kind, value in kinds.items()}
    return new_output("display_data", names)


SOLUTION = """<details><summary>Solution</summary>

```python
check("01-a", "<b>")
```

Right: 1 & *2*.

</details>"""


def prose(text):
    notebook = new_notebook(cells=[new_markdown_cell(text)])
    return body_html(notebook, Markdown(Path()), Options())


def widget(*, cleaned=True, **kinds):
    output = data(**kinds)
    output.data[WIDGET_VIEW] = {"model_id": "4f1c"}
    if cleaned:
        clean(new_notebook(cells=[new_code_cell(outputs=[output])]))
    return output


class TestMarkdown:
    @pytest.mark.parametrize(
        "text", ["$x$", "$$x$$", "so $x$, and", "- $x$", "| a |\n|---|\n| $x$ |"]
    )
    def test_formulas_are_mathml(self, text):
        html = html_of(text)
        assert "<math" in html
        assert "<mi>x</mi>" in html
        assert "$" not in html

    def test_a_displayed_formula_stands_alone(self):
        assert 'display="block"' in html_of("$$\na_1 * b_2 *\n$$")
        assert "<em>" not in html_of("$$a_1 * b_2 * c_3$$")

    @pytest.mark.parametrize("text", ["`$x$`", "    $x$", r"\$x\$", "5 $ and 6 $", "$5 and $6"])
    def test_what_is_no_formula(self, text):
        assert "<math" not in html_of(text)

    def test_html_is_text(self):
        html = html_of("<b>x</b> and\n\n<script>alert(1)</script>")
        assert "<b>" not in html
        assert "<script" not in html

    def test_headings_have_anchors_of_their_own(self):
        page = Markdown(Path())
        page.html("## By hand\n\n## By hand\n\n## 한국어 & $x$")
        assert [each.anchor for each in page.headings][:2] == ["by-hand", "by-hand-2"]
        assert page.headings[2].anchor.startswith("한국어")

    def test_links_follow_the_rule(self):
        text = "[a](https://example.org) [b](other.ipynb) [c](#there)"
        assert html_of(text).count("<a ") == 2
        assert ">b<" not in html_of(text)
        assert 'href="x.html"' in Markdown(Path(), lambda url: "x.html").html(text)
        assert "javascript" not in html_of("[a](javascript:alert(1))")

    def test_pictures_are_inside(self, tmp_path):
        (tmp_path / "p.png").write_bytes(b"x")
        assert 'src="data:image/png;base64,eA==" alt="A &lt;p"' in Markdown(tmp_path).html(
            "![A <p](p.png)"
        )
        assert "<img" not in Markdown(tmp_path).html(
            "![gone](gone.png) ![web](https://example.org/a.png)"
        )


class TestCells:
    def test_code_is_open_or_folded(self):
        assert '<details class="source" open>' in shown()
        assert " open" not in shown(code_open=False)

    def test_a_picture_has_the_words_beside_it(self):
        html = shown(data(image__png=PIXEL, text__plain='"RR" < 1'))
        assert 'alt="&quot;RR&quot; &lt; 1"' in html
        assert html.count("<img") == 1
        assert "<pre>" not in html.partition("</details>")[2]

    def test_text_is_text(self):
        html = shown(
            new_output("stream", name="stdout", text="<b>\n\x1b[31mred\x1b[0m\n10%\r20%\n")
        )
        assert "<pre>&lt;b&gt;\nred\n20%</pre>" in html

    def test_warnings_and_streams_can_stay_out(self):
        warning = new_output("stream", name="stderr", text="beware")
        printed = new_output("stream", name="stdout", text="hello")
        assert "beware" not in shown(warning)
        assert "hello" in shown(printed)
        assert "hello" not in shown(printed, streams=False)

    @pytest.mark.parametrize("cleaned", [False, True])
    def test_a_widget_without_a_state_says_where_it_works(self, cleaned):
        html = shown(widget(text__plain="Mine(a > b)", cleaned=cleaned))
        assert 'needs Python: <a href="#run">how to run it</a>.' in html
        assert "Mine" not in html

    def test_a_text_like_a_widget_s_is_none(self):
        assert "<pre>Lookup(191 rows)</pre>" in shown(data(text__plain="Lookup(191 rows)"))

    def test_a_widget_with_a_picture_is_the_picture(self):
        html = shown(widget(image__png=PIXEL, text__plain="RankedList(a > b)"))
        assert "<img" in html
        assert "needs Python" not in html

    def test_other_values_are_shown(self):
        assert "<pre>Conventions(a)</pre>" in shown(data(text__plain="Conventions(a)"))

    def test_a_solution_is_a_closed_fold_of_coloured_code(self):
        text = prose(SOLUTION)
        assert "<details><summary>Solution</summary>" in text
        assert '<span class="s2">"&lt;b&gt;"</span>' in text
        assert "<p>Right: 1 &amp; *2*.</p>\n</details>" in text

    @pytest.mark.parametrize(
        "text",
        [
            f"{SOLUTION}\n<b>",
            f"Look:\n\n{SOLUTION}",
            f"{SOLUTION}\n\n{SOLUTION}",
            SOLUTION.replace("<details>", "<details open>"),
            SOLUTION.replace("Right:", "<b>Right</b>:"),
            SOLUTION.replace("Solution", "<script>alert(1)</script>"),
            SOLUTION.replace("```", ""),
        ],
    )
    def test_any_other_fold_is_text(self, text):
        html = prose(text)
        assert "&lt;details" in html
        assert not re.search(r"<(details|b|script)\b", html)

    def test_sections_without_a_result_are_left_out(self):
        cells = [
            new_markdown_cell("## One"),
            new_code_cell("1", outputs=[data(text__plain="1")]),
            new_markdown_cell("## Two\n\nNothing here."),
            new_code_cell("None"),
            new_markdown_cell("## Three\n\nOnly words."),
        ]
        notebook = new_notebook(cells=cells)
        html = body_html(notebook, Markdown(Path()), Options(empty_sections=False))
        assert re.findall(r"<h2[^>]*>(\w+)", html) == ["One", "Three"]
        assert "Nothing" in body_html(notebook, Markdown(Path()), Options())

    def test_tags_leave_cells_out_and_lift_the_summary(self):
        cells = [
            new_code_cell(
                "a", outputs=[data(text__html="<p>All in all</p>")], metadata={"tags": ["summary"]}
            ),
            new_markdown_cell("Only here", metadata={"tags": ["not-in-page"]}),
        ]
        notebook = new_notebook(cells=cells)
        options = Options(left_out=frozenset({"summary", "not-in-page"}))
        assert body_html(notebook, Markdown(Path()), options) == ""
        assert "All in all" in summary_html(notebook, options)


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


class TestWriting:
    def test_a_failure_leaves_what_was_there(self, tmp_path):
        path = tmp_path / "a.html"
        path.write_text("old")

        def fail():
            with replacing(path) as new:
                new.write_text("half")
                raise KeyError

        with pytest.raises(KeyError):
            fail()
        assert path.read_text() == "old"
        assert list(tmp_path.iterdir()) == [path]

    def test_rights_and_links_stay(self, tmp_path):
        path, link = tmp_path / "a.html", tmp_path / "link.html"
        path.write_text("old")
        path.chmod(0o640)
        link.symlink_to(path)
        with replacing(link) as new:
            new.write_text("new")
        assert link.is_symlink()
        assert path.read_text() == "new"
        assert path.stat().st_mode & 0o777 == 0o640

    @pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
    def test_a_new_file_has_the_rights_of_any_new_file(self, tmp_path, umask, mode):
        before = os.umask(umask)
        try:
            with replacing(tmp_path / "a.html") as new:
                new.write_text("new")
        finally:
            os.umask(before)
        assert (tmp_path / "a.html").stat().st_mode & 0o777 == mode


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


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    return {path.name: path.read_text(encoding="utf-8") for path in write_pages(folder)}


def test_pages_lead_to_the_notebooks_that_lie_beside_them(tmp_path):
    lite = tmp_path / "lite"
    lite.mkdir()
    (lite / "site.json").write_text('{"version": "x", "megabytes": 50}')
    found = {path.name: path.read_text(encoding="utf-8") for path in write_pages(tmp_path)}
    html = found["03-average-precision.html"]
    link = 'href="lite/lab/index.html?path=notebooks/03-average-precision.ipynb"'
    assert html.count(link) == 2
    assert "The first time it loads 50 MB" in html
    assert "make lab" not in html + found["index.html"]


class TestLessons:
    def test_one_a_lesson_beside_the_index_and_the_data(self, pages):
        lessons = {path.stem + ".html" for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")}
        assert set(pages) == lessons | {"index.html", "data.html"}

    def test_without_notebooks_beside_them_they_say_how_to_have_them(self, pages):
        assert all("lite/" not in html for html in pages.values())
        assert "make lab" in pages["03-average-precision.html"]

    def test_each_is_small(self, pages):
        assert all(len(html.encode()) < 1_500_000 for html in pages.values())

    def test_every_widget_lives_or_says_what_it_needs(self, pages):
        for name, n_live, n_python in (("00", 2, 0), ("01", 4, 4), ("05", 2, 3), ("07", 1, 3)):
            (html,) = (html for page, html in pages.items() if page.startswith(name))
            assert html.count("data-live='") == n_live
            assert html.count('<p class="needs-python">') == n_python

    def test_the_index_says_how_long_each_takes_and_what_it_answers(self, pages):
        entries = re.findall(r"<li>(.*?)</li>", pages["index.html"])
        assert len(entries) == len(pages) - 2
        assert "<span>30 minutes</span><p>How soon comes the first hit?</p>" in entries[1]

    def test_the_lessons_before_and_after_stand_at_both_ends(self, pages):
        html = pages["02-mean-reciprocal-rank.html"]
        for link in ('href="01-reciprocal-rank.html">←', 'href="03-average-precision.html">3'):
            assert html.partition("<main>")[0].count(link) == 1
            assert html.partition("</main>")[2].count(link) == 1

    def test_nothing_is_loaded(self, pages):
        for name, html in pages.items():
            assert not REQUESTS.search(without_module(html)), name

    def test_links_lead_somewhere(self, pages):
        for name, html in pages.items():
            for link in re.findall(r'href="([^"]*)"', html):
                if not link.startswith("https://"):
                    page, _, anchor = link.partition("#")
                    target = pages[page or name]
                    assert not anchor or f'id="{anchor}"' in target, (name, link)

    def test_the_index_names_every_lesson(self, pages):
        for name in pages.keys() - {"index.html"}:
            assert f'href="{name}"' in pages["index.html"]

    def test_formulas_are_mathml_and_pictures_have_words(self, pages):
        for name, html in pages.items():
            prose = re.sub(r"<(pre|code|style|script)\b.*?</\1>|<[^>]*>", "", html, flags=re.DOTALL)
            assert "$" not in prose, name
            assert "\\frac" not in prose, name
            assert not re.search(r"<img(?![^>]*\balt=\"[^\"]+\")", html), name
        assert pages["03-average-precision.html"].count("<mfrac>") > 2

    def test_no_widget_is_left_as_a_raw_value(self, pages):
        raw = re.compile(r"<pre>(?:Lookup|Duel|\w+[Bb]oard|\w*Box|RankedList)\(")
        assert [name for name, html in pages.items() if raw.search(html)] == []
