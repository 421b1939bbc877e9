"""Every lesson as a page, with an index: `python -m helpers pages FOLDER`.

Lessons are committed with their outputs, so nothing is run here; what a reader has answered in them
is left out. The pages open from disk and from any host of static files, and their lists are alive
there.
"""

import argparse
import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import nbformat

from byhand.figures import table_text
from byhand.files.writing import replacing
from byhand.reports.page import page
from helpers.exercises import asked
from helpers.html import RUN, LinkRule, Markdown, body_html, course_style
from helpers.notebooks import clean, tags_of
from helpers.places import DATA, NOTEBOOKS
from helpers.questions import ANSWERS

_SITE = "Ranking Metrics by Hand"
_DATA_PAGE = "data.html"
_CHECKED = re.compile(r"check\(\s*[\"']([\w-]+)")
_HOME = f'<p><a href="index.html">{_SITE}</a></p>'
_ALIVE = (
    "Lists can be dragged here, with a mouse, a finger or the keyboard, and their values follow; "
    "nothing that you do leaves your device."
)
_RUN_ALREADY = (
    '<p class="on-screen">The cells of this page have been run; its lists are yours to drag.</p>'
)
_NOTEBOOKS = "lite"  # the folder beside the pages where `make lite` builds them
_OPEN = (
    "Python runs in your browser. The first time it loads {megabytes} MB, which takes half a "
    "minute or more. It takes 0.6 GB of memory, and twice that where files are read."
)
_PYTHON = (
    "To run the code of the lessons, and to answer the exercises, take a copy of the project: "
    "<code>make lab</code> in its folder opens the lessons in JupyterLab."
)
_ROW = re.compile(
    r"^\| (?:\*\*|\[)(?P<name>(?P<number>\d+) · [^*\]]+)(?:\*\*|\]\((?P<file>[^)]+)\))"
    r" \| (?P<answers>[^|]+) \| (?:(?P<misses>[^|]+) )?\|"
    r" (?P<minutes>\d+)(?: \+ (?P<more>\d+))? \|$",
    re.MULTILINE,
)


class Stop(NamedTuple):
    """One row of the map that lesson 0 shows its readers."""

    number: int
    name: str
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
        Stop(int(number), name, file or first.name, *told, int(minutes), int(more or 0))
        for name, number, file, *told, minutes, more in _ROW.findall(text)
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
    """Render the lessons, the data folder's README and an index into `folder`.

    If the notebooks for the browser lie in it, as `make lite` builds them, the pages lead there.

    Returns:
        The pages: the index, the lessons, the data.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lessons = sorted(NOTEBOOKS.glob("[0-9][0-9]-*.ipynb"))
    names = {lesson.stem for lesson in lessons}
    opened, padded = _opened(folder), [None, *lessons, None]
    pages = {folder / "index.html": _index(opened)}
    for place, lesson in enumerate(lessons):
        around = padded[place], padded[place + 2]
        pages[folder / f"{lesson.stem}.html"] = _lesson(lesson, names, around, opened)
    pages[folder / _DATA_PAGE] = _data(names)
    for path, html in pages.items():
        with replacing(path) as new:
            new.write_text(html, encoding="utf-8", newline="\n")
    return list(pages)


def _opened(folder: Path) -> str | None:
    """What to say of opening a lesson as a notebook in the browser; None if they are not there."""
    about = folder / _NOTEBOOKS / "site.json"
    if not about.is_file():
        return None
    return _OPEN.format_map(json.loads(about.read_text(encoding="utf-8")))


def _lesson(path: Path, names: set[str], around: Sequence[Path | None], opened: str | None) -> str:
    markdown = Markdown(path.parent, link_rule(path.parent, names))
    body = body_html(published(path), markdown)
    url = f"{_NOTEBOOKS}/lab/index.html?path=notebooks/{path.name}"
    link = f'<a href="{url}">Open it as a notebook</a>'
    notebook = f'<p class="on-screen">{link}: {opened}</p>' if opened else ""
    python = f"To answer the exercises: {link}. {opened}" if opened else _PYTHON
    return page(
        title=f"{title_of(path)} · {_SITE}",
        head=_HOME + _steps(around, "Lessons before and after") + _RUN_ALREADY + notebook,
        headings=markdown.headings,
        body=body,
        foot=f'{_steps(around, "Go on")}<p id="{RUN}">{python}</p>',
        style=course_style(),
    )


def _steps(around: Sequence[Path | None], label: str) -> str:
    before, after = around
    links = ""
    if before:
        links += f'<a href="{before.stem}.html">← {escape(title_of(before))}</a>'
    if after:
        links += f'<a href="{after.stem}.html">{escape(title_of(after))} →</a>'
    return f'<nav class="steps" aria-label="{label}">{links}</nav>'


def _data(names: set[str]) -> str:
    markdown = Markdown(DATA, link_rule(DATA, names))
    body = markdown.html((DATA / "README.md").read_text(encoding="utf-8"))
    return page(
        title=f"The data · {_SITE}",
        head=_HOME,
        headings=markdown.headings,
        body=f"<section>{body}</section>",
        style=course_style(),
    )


def _index(opened: str | None) -> str:
    items = "".join(f"<li>{_entry(stop)}</li>\n" for stop in lesson_map())
    return page(
        title=_SITE,
        head=f"<h1>{_SITE}</h1><p>Lessons on RR, MRR, AP, MAP and nDCG. {_ALIVE}</p>",
        body=(
            f'<ol class="lessons">\n{items}</ol>\n'
            f'<p>Where the examples come from: <a href="{_DATA_PAGE}">the data</a>.</p>'
        ),
        foot=f"<p>Each lesson can be opened as a notebook, too. {opened}</p>"
        if opened
        else f"<p>{_PYTHON}</p>",
        style=course_style(),
    )


def _entry(stop: Stop) -> str:
    """A lesson in the index: what it is called, how long it takes, what it answers."""
    page_, name, answers = Path(stop.file).stem, escape(stop.name), escape(stop.answers)
    return f'<a href="{page_}.html">{name}</a><span>{stop.minutes} minutes</span><p>{answers}</p>'


def published(path: Path) -> nbformat.NotebookNode:
    """The lesson at `path` as everybody may see it: clean, and without a reader's answers."""
    notebook = nbformat.read(path, as_version=4)
    clean(notebook)
    for place, cell in enumerate(notebook.cells):
        if "exercise" not in tags_of(cell):
            continue
        # a reader may have changed the call; the solution that follows has it, too
        sources = [cell.source, *(other.source for other in notebook.cells[place + 1 :])]
        names = (name for source in sources for name in _CHECKED.findall(source))
        name = next((name for name in names if name in ANSWERS), None)
        cell.source = asked(name) if name else ""
        if not any("No answer yet" in str(output) for output in cell.outputs):
            cell.outputs, cell.execution_count = [], None
    return notebook


def title_of(path: Path) -> str:
    """The heading of a lesson."""
    first = str(nbformat.read(path, as_version=4).cells[0].source)
    return first.splitlines()[0].removeprefix("# ")


def main(arguments: list[str] | None = None) -> int:
    """Render everything, and say how large it is and where to begin."""
    made = argparse.ArgumentParser(prog="python -m helpers pages", description=__doc__)
    made.add_argument("folder", type=Path, metavar="FOLDER")
    pages = write_pages(made.parse_args(arguments).folder)
    sizes = [(path.name, f"{path.stat().st_size / 1e6:.2f}") for path in pages]
    print(table_text(["page", "MB"], sizes))
    print(f"{len(pages)} pages; begin with {pages[0]}")
    return 0
