"""Every lesson as a page, with an index: `python -m helpers pages FOLDER`.

Lessons are committed with their outputs, so nothing is run here.
"""

import argparse
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

import nbformat

from helpers.figures.tables import Html, table_html
from helpers.lessons.places import DATA, NOTEBOOKS
from helpers.lessons.writing import replacing
from helpers.report.cells import Options, body_html
from helpers.report.markdown import LinkRule, Markdown
from helpers.report.page import Page

_SITE = "Ranking Metrics by Hand"
_DATA_PAGE = "data.html"
_GOAL = re.compile(r"^- \*\*Goal\*\*: (.+)$", re.MULTILINE)


def link_rule(folder: Path, pages: set[str]) -> LinkRule:
    """Where the links of a file in `folder` lead among the pages.

    Example:
        >>> rule = link_rule(NOTEBOOKS, {"01-reciprocal-rank"})
        >>> rule("01-reciprocal-rank.ipynb#recap"), rule("../data/README.md"), rule("../Makefile")
        ('01-reciprocal-rank.html#recap', 'data.html', None)
    """
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

    Returns:
        The pages, the index first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lessons = sorted(NOTEBOOKS.glob("[0-9][0-9]-*.ipynb"))
    names = {lesson.stem for lesson in lessons}
    pages = {folder / "index.html": _index(lessons), folder / _DATA_PAGE: _data(names)}
    for place, lesson in enumerate(lessons):
        around = [
            lessons[other] if 0 <= other < len(lessons) else None
            for other in (place - 1, place + 1)
        ]
        pages[folder / f"{lesson.stem}.html"] = _lesson(lesson, names, around)
    for path, html in pages.items():
        with replacing(path) as new:
            new.write_text(html, encoding="utf-8", newline="\n")
    return list(pages)


def _lesson(path: Path, names: set[str], around: Sequence[Path | None]) -> str:
    markdown = Markdown(path.parent, link_rule(path.parent, names))
    body = body_html(nbformat.read(path, as_version=4), markdown, Options())
    steps = _steps(around)
    return Page(
        title=f"{title_of(path)} · {_SITE}",
        head=f'<p><a href="index.html">{_SITE}</a></p>',
        headings=markdown.headings,
        body=body,
        foot=f"{steps}<p>To run and change the code, open the lesson in JupyterLab.</p>",
    ).html()


def _steps(around: Sequence[Path | None]) -> str:
    words = ("← ", ""), ("", " →")
    links = (
        f'<a href="{path.stem}.html">{before}{escape(title_of(path))}{after}</a>'
        for path, (before, after) in zip(around, words, strict=True)
        if path
    )
    return f'<nav class="steps" aria-label="Lessons">{"".join(links)}</nav>'


def _data(names: set[str]) -> str:
    path = DATA / "README.md"
    markdown = Markdown(path.parent, link_rule(path.parent, names))
    body = f"<section>{markdown.html(path.read_text(encoding='utf-8'))}</section>"
    return Page(
        title=f"The data · {_SITE}",
        head=f'<p><a href="index.html">{_SITE}</a></p>',
        headings=markdown.headings,
        body=body,
    ).html()


def _index(lessons: Sequence[Path]) -> str:
    rows = [
        (
            Html(f'<a href="{path.stem}.html">{escape(title_of(path))}</a>'),
            Html(Markdown(path.parent).html(_goal_of(path))),
        )
        for path in lessons
    ]
    table = table_html(["lesson", "what for"], rows, texts=2)
    return Page(
        title=_SITE,
        head=f"<h1>{_SITE}</h1><p>Executable lessons on RR, MRR, AP, MAP and nDCG, as pages.</p>",
        body=f'{table}\n<p>Where the examples come from: <a href="{_DATA_PAGE}">the data</a>.</p>',
    ).html()


def _first_cell(path: Path) -> str:
    return str(nbformat.read(path, as_version=4).cells[0].source)


def title_of(path: Path) -> str:
    """The heading of a lesson."""
    return _first_cell(path).splitlines()[0].removeprefix("# ")


def _goal_of(path: Path) -> str:
    found = _GOAL.search(_first_cell(path))
    return found[1][0].upper() + found[1][1:] if found else "What this is, and where to begin."


def main(arguments: list[str] | None = None) -> int:
    """Render everything, and say where to begin."""
    made = argparse.ArgumentParser(prog="python -m helpers pages", description=__doc__)
    made.add_argument("folder", type=Path, metavar="FOLDER")
    index, *others = write_pages(made.parse_args(arguments).folder)
    print(f"{len(others) + 1} pages; begin with {index}")
    return 0
