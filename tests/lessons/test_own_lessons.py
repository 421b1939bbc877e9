"""Lessons and questions that are not ours: what becomes of them, and what is said of mistakes."""

import json
import re
from html import unescape

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers import Question, check
from helpers.html import body_html
from helpers.lessons import lesson_in, published
from helpers.markdown import Markdown
from helpers.notebooks import Solution, clean, kernel, run_with_solutions
from helpers.places import NOTEBOOKS
from helpers.site import main, write_adapted


def test_a_question_that_its_author_changes_begins_anew():
    check(Question("own-a", answer=1, hint="First.", second_hint="Second."), 3)
    asked = Question("own-a", answer=2, hint="First.", second_hint="Second.")
    assert check(asked, 1).text == "Not yet. First."
    assert check(asked, 3).text == "Not yet. Second."


def lesson(*cells):
    """A notebook that was run, of these cells of code."""
    notebook = new_notebook(cells=[new_code_cell(each) for each in cells])
    with kernel(NOTEBOOKS) as run:
        run_with_solutions(notebook, run)
    clean(notebook)
    return notebook


ONE = """from helpers import Question, check, predict

own = Question("own-a", answer="b", comments={"a": "No.", "b": "Yes."})"""
TRIED = 'answer = "a"  # my_secret\n\ncheck(own, answer)'


@pytest.fixture(scope="module")
def asking():
    return lesson(ONE, TRIED, 'predict(Question("own-guess", answer=2), "How many?")')


def test_one_page_leads_home_where_there_is_a_front_page(tmp_path, asking):
    nbformat.write(asking, tmp_path / "salsa.ipynb")
    (tmp_path / "index.html").touch()
    made = write_adapted(tmp_path / "salsa.ipynb", tmp_path).read_text(encoding="utf-8")
    assert 'class="brand" href="index.html"' in made


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"cells": 3, "nbformat": 4}'])
def test_a_damaged_notebook_is_said_to_be_one(tmp_path, capsys, text):
    (tmp_path / "torn.ipynb").write_text(text, encoding="utf-8")
    assert main([str(tmp_path), str(tmp_path / "torn.ipynb")]) == 1
    assert "it is not a notebook, or it is damaged" in capsys.readouterr().err


def test_what_is_given_to_readers_keeps_a_question_that_is_not_ours(tmp_path, asking):
    ours = nbformat.read(NOTEBOOKS / "03-average-precision.ipynb", as_version=4)
    solution = Solution('check("own-a", "b")', "Right: Yes.").markdown
    cells = [*asking.cells, new_markdown_cell(solution), *ours.cells[-18:]]
    nbformat.write(new_notebook(cells=cells), tmp_path / "mixed.ipynb")
    for made in (published(tmp_path / "mixed.ipynb"), lesson_in("pt", tmp_path / "mixed.ipynb")):
        sources = [cell.source for cell in made.cells]
        assert TRIED in sources
        assert any('check("03-b", my_ap)' in each for each in sources)
        assert 'ask("03-c")' in sources


def test_a_page_asks_one_of_our_exercises_about_the_list_that_the_notebook_has(tmp_path):
    lists = 'today, soups = ["tart", "salad", "rasam", "harira"], {"rasam", "harira"}'
    tries = [f'from helpers import check\n\ncheck("03-c", {each})' for each in (None, [3, 4])]
    cells = lesson(lists, *tries).cells
    for cell in cells[1:]:
        cell.metadata["tags"] = ["exercise"]
    nbformat.write(new_notebook(cells=cells), tmp_path / "ours.ipynb")
    html = body_html(published(tmp_path / "ours.ipynb"), Markdown(NOTEBOOKS, lambda url: None))
    boxes = re.findall("data-question=\"03-c\" data-live='([^']+)'", html)
    assert [json.loads(unescape(box))["fixed"]["answer"] for box in boxes] == [["1", "4"]] * 2
    assert "[3, 4]" not in html
