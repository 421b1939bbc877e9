"""The lessons as pages: Markdown, cells, and the site as a whole."""

import re
from pathlib import Path

import pytest
from markupsafe import escape
from nbformat import read
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from helpers.html import body_html
from helpers.markdown import Markdown
from helpers.notebooks import live_state, tags_of
from helpers.site import course_notebooks, lesson_map, write_pages


@pytest.mark.parametrize(
    ("text", "has", "lacks"),
    [
        ("so $x$, and", r"<math.*<mi>x</mi>", r"\$"),
        ("`$x$`", "", "<math"),
        ("[a](a.ipynb) [b](b.ipynb)", '<a href="a.html">a</a> b<', ""),
        ("[a](javascript:alert(1))", "", "javascript"),
        ("![gone](gone.png) ![web](https://example.org/a.png)", "", "<img"),
        ("# A\n\n## B & $x$\n\n## B & $x$", 'id="b-x".*id="b-x-2"', ""),
    ],
)
def test_what_becomes_of_prose(text, has, lacks):
    links = {"a.ipynb": "a.html", "b.ipynb": None}
    markdown = Markdown(Path(), lambda url: links.get(url, url))
    html = body_html(new_notebook(cells=[new_markdown_cell(text)]), markdown)
    assert re.search(has, html, re.DOTALL)
    assert not (lacks and re.search(lacks, html))


def test_text_is_text_and_warnings_stay_out():
    text = new_output("stream", name="stdout", text="<b>\n\x1b[31mred\x1b[0m\n")
    warning = new_output("stream", name="stderr", text="beware")
    cell = new_code_cell("f()", outputs=[text, warning])
    html = body_html(new_notebook(cells=[cell]), Markdown(Path(), lambda url: None))
    assert "<pre>&lt;b&gt;\nred</pre>" in html
    assert "beware" not in html


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    return {path.name: path.read_text(encoding="utf-8") for path in write_pages(folder)}


class TestSite:
    def test_the_front_page_leads_to_every_lesson_and_to_the_data(self, pages):
        lessons = {f"{path.stem}.html" for path in course_notebooks()}
        assert set(pages) == lessons | {"index.html", "data.html"}
        assert all(len(html.encode()) < 1_500_000 for html in pages.values())
        for name in pages.keys() - {"index.html"}:
            assert f'href="{name}"' in pages["index.html"]
        cards = re.findall('<li class="lesson">(.*?)</li>', pages["index.html"], re.DOTALL)
        for stop, card in zip(lesson_map()[1:], cards, strict=True):  # the first has a button
            assert escape(stop.answers) in card

    def test_every_widget_and_exercise_lives_or_says_what_it_needs(self, pages):
        for path in course_notebooks():
            cells = read(path, as_version=4).cells
            n_live = sum(bool(live_state(cell)) for cell in cells)
            n_exercises = sum(
                "exercise" in tags_of(cell) and not live_state(cell) for cell in cells
            )
            html = pages[f"{path.stem}.html"]
            n_places, n_python = (html.count(each) for each in ("data-live='", '"needs-python"'))
            assert n_live <= n_places, path
            assert n_live + n_exercises <= n_places + n_python, path

    def test_a_solution_is_the_answer_where_the_page_can_check_it(self, pages):
        for name, html in pages.items():
            answers = [fold for fold in folds(html, "solution") if re.search("<p><(b|code)>", fold)]
            assert len(answers) == len(re.findall(r'data-question="(?![^"]*guess)', html)), name
            plain = [re.sub("<[^>]+>", "", fold) for fold in answers]
            assert [each for each in plain if re.search(r"\bcheck\(|\bRight\b", each)] == []
        assert all(f"<p><b>({each}) " in pages["exam-1.html"] for each in "abcd")

    def test_code_is_folded_and_what_only_makes_a_widget_is_not_shown(self, pages):
        made = re.compile(r"\b(Explorer|Challenge|Visitors|Queries|Shuffle|predict|check)\(")
        for name, html in pages.items():
            plain = [re.sub("<[^>]+>", "", fold) for fold in folds(html, "source")]
            assert all(re.match(r"In Python, \d+ line", each) for each in plain), name
            assert [each for each in plain if made.search(each)] == [], name


def folds(html, kind):
    return re.findall(f'<details class="{kind}">(.*?)</details>', html, re.DOTALL)
