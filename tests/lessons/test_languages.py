"""The lessons in every language: the same numbers, and pages that belong together."""

import json
import re
from collections import Counter

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from byhand.words import ENGLISH, languages
from helpers.lessons import lessons_run, write_lessons
from helpers.site import course_notebooks

PATHS = course_notebooks()
OTHERS = [each for each in languages() if each != ENGLISH]
CHECKED = "nbval-check-output"
NUMBER, DECIMAL = re.compile(r"\d+(?:[.,]\d+)*"), re.compile(r"\d+(?:[.,]\d+)+")


@pytest.fixture(scope="module", params=OTHERS)
def language(request):
    return request.param


@pytest.fixture(scope="module")
def run(language, editions):
    """The lessons as the pages kept them: run to their ends, and with right solutions."""
    return lessons_run(OTHERS, PATHS)[language]


def numbers(cell, pattern):
    """The numbers of a kind that a cell shows, without their decimal marks, in any order."""
    found = Counter()
    for output in cell.outputs:
        data = output.get("data", {})
        if "image/png" not in data and "image/svg+xml" not in data:
            text = output.get("text") or data.get("text/plain", "")
            found.update(re.sub(r"\D", "", each) for each in pattern.findall(text))
    return found


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_lesson_has_the_numbers_of_the_english_one(run, path):
    english = nbformat.read(path, as_version=4)
    for ours, theirs in zip(english.cells, run[path.name].cells, strict=True):
        assert (ours.cell_type, ours.metadata.get("tags")) == (
            theirs.cell_type,
            theirs.metadata.get("tags"),
        )
        if CHECKED in ours.metadata.get("tags", []):
            assert set(numbers(theirs, DECIMAL)) == set(numbers(ours, DECIMAL)), theirs.source
            lost = numbers(ours, NUMBER) - numbers(theirs, NUMBER)
            assert not lost, theirs.source  # "five" may have become 5, and "that" be said again


def test_a_reader_finds_the_lessons_beside_their_data_and_keeps_what_was_changed(
    tmp_path, language
):
    folder = tmp_path / language
    assert write_lessons(language, folder) == []
    assert {path.name for path in folder.glob("*.ipynb")} >= {path.name for path in PATHS}
    assert (folder / "../data/cooking.csv").resolve().is_file()
    lesson = folder / PATHS[1].name
    text = lesson.read_text(encoding="utf-8")
    first = next(cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
    assert "".join(first["source"]).startswith(
        f'from byhand import use_language\n\nuse_language("{language}")\n'
    )
    for path in PATHS:
        prose = nbformat.read(folder / path.name, as_version=4).cells
        for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", str([c.source for c in prose])):
            assert (folder / link).resolve().exists(), link
    lesson.write_text(text + " ", encoding="utf-8")
    (folder / PATHS[2].name).unlink()
    assert write_lessons(language, folder) == [lesson.name]
    assert lesson.read_text(encoding="utf-8") == text + " "
    assert (folder / PATHS[2].name).is_file()


def test_a_lesson_that_fails_leaves_the_outputs_of_the_others(tmp_path, monkeypatch):
    own = tmp_path / "notebooks"
    own.mkdir()
    for name, code in {"a": "6 * 7", "b": "1 / 0", "c": "2 + 3"}.items():
        notebook = new_notebook(cells=[new_code_cell(code)])
        nbformat.write(notebook, own / f"{name}.ipynb")
    monkeypatch.setattr("helpers.lessons.NOTEBOOKS", own)
    monkeypatch.setattr("helpers.lessons._KEPT", tmp_path / "kept")
    write_lessons("pt", tmp_path / "pt")
    shown = {
        path.stem: re.findall(r'"text/plain": \[\s*"([^"]*)"', path.read_text(encoding="utf-8"))
        for path in (tmp_path / "pt").glob("*.ipynb")
    }
    assert shown == {"a": ["42"], "b": [], "c": ["5"]}


def test_a_page_says_its_language_and_leads_to_itself_in_the_others(editions):
    for path in editions.rglob("*.html"):
        *folder, name = path.relative_to(editions).parts
        own = folder[0] if folder else ENGLISH
        html = path.read_text(encoding="utf-8")
        assert f'<html lang="{own}">' in html
        links = dict(re.findall(r'<link rel="alternate" hreflang="(\w+)" href="([^"]+)">', html))
        assert links.keys() == languages().keys()
        for language, link in links.items():
            there = editions / ("" if language == ENGLISH else language) / name
            assert (path.parent / link).resolve() == there.resolve()
            assert language == own or f'<a href="{link}" lang="{language}"' in html


def test_links_lead_somewhere(editions):
    for path in editions.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        for link in re.findall(r'<a [^>]*href="([^"]*)"', html):
            if not link.startswith("https://"):
                address, _, anchor = link.partition("#")
                page = address.partition("?")[0]
                target = (path.parent / page).resolve() if page else path
                assert target.is_file(), (path, link)
                assert not anchor or f'id="{anchor}"' in target.read_text("utf-8"), (path, link)


ALIKE = [
    r'<h[1-6] id="([^"]*)"',  # what is kept of how far a reader has come
    r"data-key='(\d+)'",  # … and of each list
    *(r'<div class="(doc)">', r'<td class="(\w+)">', r"<(details)"),
    *(r'<p class="(needs-python)">', r'"covers":(\w+)'),
]


def test_a_page_is_made_like_the_english_one(editions):
    for path in editions.glob("*/*.html"):
        pages = [each.read_text(encoding="utf-8") for each in (editions / path.name, path)]
        for alike in ALIKE:
            ours, theirs = (re.findall(alike, html) for html in pages)
            assert theirs == ours, path


def test_what_a_lesson_prints_and_draws_is_there_in_portuguese(editions):
    """A mean that is printed, a table, an option and what stands above a figure."""
    for name, said in {
        "06-why-tools-disagree": ("0,2889", "= 0,333", "0,9675"),
        "tracin-real-data": ("30.000 e 10.000", "17,37<"),
        "tourist-spots": ("0,7076 em média", "0,6667: "),
    }.items():
        html = (editions / "pt" / f"{name}.html").read_text(encoding="utf-8")
        assert [each for each in said if each not in html] == [], name
