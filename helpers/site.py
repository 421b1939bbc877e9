"""Every lesson as a page, and a front page: `python -m helpers pages FOLDER`.

Lessons are committed with their outputs, so nothing is run here; what a reader has answered in them
is left out. The pages open from disk and from any host of static files, and their lists are alive
there.
"""

import argparse
import json
import re
from pathlib import Path
from typing import NamedTuple

import nbformat
from jinja2 import PackageLoader

from byhand.figures import table_text
from byhand.files.writing import replacing
from byhand.reports.page import page, templates
from byhand.widgets.board import explorer_state
from byhand.widgets.embed import live_html
from helpers.examples import worked_example
from helpers.exercises import asked
from helpers.html import CHECKED, LinkRule, Markdown, body_html, course_style
from helpers.notebooks import clean, tags_of
from helpers.places import DATA, NOTEBOOKS
from helpers.questions import ANSWERS

SITE = "Ranking Metrics by Hand"
_DATA_PAGE = "data.html"
_FACT = re.compile(r"^- \*\*(Goal|Time|You need)\*\*: (.+)\n?", re.MULTILINE)
_SCRIPT = Path(__file__).with_name("course.js")
_NOTEBOOKS = "lite"  # the folder beside the pages where `make lite` builds them
_ROW = re.compile(
    r"^\| (?:\*\*|\[)(?P<name>(?:(?P<number>\d+) · )?(?P<title>[^*\]]+))"
    r"(?:\*\*|\]\((?P<file>[^)]+)\))"
    r" \| (?P<answers>[^|]+) \| (?:(?P<misses>[^|]+) )?\|"
    r" (?P<minutes>\d+)(?: \+ (?P<more>\d+))? \|$",
    re.MULTILINE,
)


class Stop(NamedTuple):
    """One row of the map that lesson 0 shows its readers."""

    name: str  # with its number before it, as on its first line
    number: int | None  # None: to look things up, not a lesson of the course
    title: str
    file: str
    answers: str  # the question that it answers
    misses: str  # what its metric does not see, and so the next one; "" where there is none
    minutes: int
    more: int  # minutes of a second sitting, or 0


def lesson_map() -> list[Stop]:
    """The rows of the map, in its order."""
    first = NOTEBOOKS / "00-start-here.ipynb"
    text = "\n".join(cell.source for cell in nbformat.read(first, as_version=4).cells)
    return [
        Stop(
            name,
            int(number) if number else None,
            title,
            file or first.name,
            *told,
            int(minutes),
            int(more or 0),
        )
        for name, number, title, file, *told, minutes, more in _ROW.findall(text)
    ]


def link_rule(folder: Path, pages: set[str]) -> LinkRule:
    """Where the links of a file in `folder` lead among the pages."""
    whole = {DATA / "README.md": _DATA_PAGE, DATA.parent / "README.md": "index.html"}

    def rule(url: str) -> str | None:
        if url.startswith(("https://", "http://", "#")):
            return url
        name, mark, anchor = url.partition("#")
        target = (folder / name).resolve()
        if target.suffix == ".ipynb" and target.stem in pages:
            return f"{target.stem}.html{mark}{anchor}"
        return whole.get(target)

    return rule


def write_pages(folder: Path) -> list[Path]:
    """Render the lessons, the data folder's README and a front page into `folder`.

    If the notebooks for the browser lie in it, as `make lite` builds them, the pages lead there.

    Returns:
        The pages: the front page, the lessons, the data.
    """
    folder.mkdir(parents=True, exist_ok=True)
    about, stops = folder / _NOTEBOOKS / "site.json", lesson_map()
    lite = json.loads(about.read_text(encoding="utf-8")) if about.is_file() else None
    names = {Path(stop.file).stem for stop in stops}
    pages = {"index.html": _page("front", "", stops=stops, lite=lite, hero=_first_list())}
    for stop, after in zip(stops, [*stops[1:], None], strict=True):
        pages[f"{Path(stop.file).stem}.html"] = _lesson(stop, names, after=after, lite=lite)
    pages[_DATA_PAGE] = _data(names)
    for name, html in pages.items():
        with replacing(folder / name) as new:
            new.write_text(html, encoding="utf-8", newline="\n")
    return [folder / name for name in pages]


def _page(template: str, window: str, **values: object) -> str:
    """A page of the course: its template has a macro for each part of it."""
    found = templates().overlay(loader=PackageLoader("helpers"))
    made = found.get_template(f"{template}.html.j2").make_module(values)
    return page(
        title=f"{window} · {SITE}".removeprefix(" · "),
        head=made.head(),
        contents=made.contents(),
        body=made.body(),
        foot=made.foot(),
        style=course_style(),
        script=_SCRIPT,
    )


def _lesson(stop: Stop, names: set[str], **around: object) -> str:
    markdown = Markdown(NOTEBOOKS, link_rule(NOTEBOOKS, names))
    notebook = published(NOTEBOOKS / stop.file)
    _, _, opening = notebook.cells.pop(0).source.partition("\n")
    if notebook.cells[-1].source.startswith("## Next\n"):  # a page has a button for it
        notebook.cells.pop()
    facts = {n: markdown.html(said[0].upper() + said[1:]) for n, said in _FACT.findall(opening)}
    opening = markdown.html(_FACT.sub("", opening))
    cells = body_html(notebook, markdown)
    around |= {"facts": facts, "opening": opening, "cells": cells, "headings": markdown.headings}
    return _page("lesson", stop.name, stop=stop, title=stop.title, **around)


def _data(names: set[str]) -> str:
    markdown = Markdown(DATA, link_rule(DATA, names))
    cells = markdown.html((DATA / "README.md").read_text(encoding="utf-8"))
    return _page("data", "The data", cells=cells, headings=markdown.headings)


def _first_list() -> str:
    """The list that a visitor drags before reading: one soup is wanted, and it stands at rank 6."""
    ranked = worked_example("cooking", "tomato soup")["today"].ranked
    state = explorer_state(ranked, {"bisque"}, shows="number", grading=False, docking=False)
    return live_html(state, f"<ol>{''.join(f'<li>{item}</li>' for item in ranked)}</ol>")


def published(path: Path) -> nbformat.NotebookNode:
    """The lesson at `path` as everybody may see it: clean, and without a reader's answers."""
    notebook = nbformat.read(path, as_version=4)
    clean(notebook)
    for place, cell in enumerate(notebook.cells):
        if "exercise" not in tags_of(cell):
            continue
        # a reader may have changed the call; the solution that follows has it, too
        sources = [cell.source, *(other.source for other in notebook.cells[place + 1 :])]
        names = (name for source in sources for name in CHECKED.findall(source))
        name = next((name for name in names if name in ANSWERS), None)
        cell.source = asked(name) if name else ""
        if not any("No answer yet" in str(output) for output in cell.outputs):
            cell.outputs, cell.execution_count = [], None
    return notebook


def main(arguments: list[str] | None = None) -> int:
    """Render everything, and say how large it is and where to begin."""
    made = argparse.ArgumentParser(prog="python -m helpers pages", description=__doc__)
    made.add_argument("folder", type=Path, metavar="FOLDER")
    pages = write_pages(made.parse_args(arguments).folder)
    sizes = [(path.name, f"{path.stat().st_size / 1e6:.2f}") for path in pages]
    print(table_text(["page", "MB"], sizes))
    print(f"{len(pages)} pages; begin with {pages[0]}")
    return 0
