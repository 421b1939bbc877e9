"""Build the lessons' pages and the front page: `python -m helpers pages FOLDER`."""

import json
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote
from zlib import crc32

import nbformat
from jinja2 import Environment
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from byhand.command_line import CommandParser
from byhand.reports.rendering import page, templates_of
from byhand.widgets.embed import live_html
from byhand.widgets.list.measured_list import explorer_state
from byhand.widgets.list.ranking import Ranking
from byhand.words import ENGLISH, N_, languages, localised, speaking
from helpers import translation
from helpers.examples import worked_example
from helpers.html import body_html, course_style
from helpers.lessons import about_data, lessons_run, published
from helpers.markdown import LinkRule, Markdown
from helpers.notebooks import clean, kernel, run_with_solutions, tags_of, write
from helpers.places import DATA, NOTEBOOKS
from helpers.translation import LessonError, gettext as _, name as named, why

SITE = N_("Ranking Metrics by Hand")
_DATA_PAGE = "data.html"
_FIRST = "00-start-here.ipynb"  # contains the map
_MARKS = re.compile(r"[*`[]|\](?:\([^)]*\))?")  # inline marks of Markdown
# italics below the title: purpose, duration and prerequisites of a lesson
_LINE = re.compile(r"^.*\n\n\*(?!\*)(.+)\*(?:\n\n|\Z)")
_LIVE = re.compile("data-live='([^']*)'")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')  # JSON string
_HEAD = re.compile(r"^#+ (?P<name>(?:(?P<number>\d+) · )?(?P<title>.+))", re.MULTILINE)
_SPEAKS = re.compile(r"^use_language\(['\"](\w+)", re.MULTILINE)
_NAME = 40  # most characters in the name of an item or list
_SCRIPT = Path(__file__).with_name("course.js")
_LIBRARY = "api/byhand.html"  # API reference from `make docs`
_NOTEBOOKS = "lite"  # folder of the browser notebooks from `make lite`
_REPORT = "report/{}.html"  # page that makes a report from dropped files
_ROW = re.compile(
    r"^\| (?:\*\*|\[)(?P<name>(?:(?P<number>\d+) · )?(?P<title>[^*\]]+))"
    r"(?:\*\*|\]\((?P<file>[^)]+)\))"
    r" \| (?P<answers>[^|\n]+) \|(?: (?P<beside>(?:[^|\n]+ )?)\|)?"
    r" (?P<minutes>\d+)(?: \+ (?P<more>\d+))? \|$",
    re.MULTILINE,
)
# row of the map with a part's name only
_PART = re.compile(r"^\| \*\*[^|\n]+\*\* \| \|", re.MULTILINE)


class MapRow(NamedTuple):
    """A row of the map in lesson 0, with the number of its part, from 0."""

    name: str  # starts with its number, as in its title
    number: int | None  # None for a document, an exam or a reference
    title: str
    file: str
    answers: str  # question that it answers
    beside: str  # limits of its metric, or example of its document; or ""
    minutes: int
    more: int  # minutes of a second session, or 0
    part: int = 0


def lesson_map(first: NotebookNode | None = None) -> list[MapRow]:
    """Return the rows of the map in lesson 0, in any language."""
    first = first or nbformat.read(NOTEBOOKS / _FIRST, as_version=4)
    (text,) = (cell.source for cell in first.cells if _ROW.search(cell.source))
    stops = []
    for row in _ROW.finditer(text):
        name, number, title, file, answers, beside, minutes, more = row.groups(default="")
        about = name, int(number) if number else None, title, file or _FIRST, answers
        part = len(_PART.findall(text, 0, row.start())) - 1
        stops.append(MapRow(*about, beside.strip(), int(minutes), int(more or 0), part))
    return stops


def course_notebooks() -> list[Path]:
    """Return the notebooks of the course in the map's order, without a reader's copies."""
    return [NOTEBOOKS / stop.file for stop in lesson_map()]


def link_rule(folder: Path, pages: Collection[str]) -> LinkRule:
    """Return the function that maps links of a file in `folder` to pages, if there are any."""
    whole = {DATA / "README.md": _DATA_PAGE, DATA.parent / "README.md": "index.html"}

    def rule(url: str) -> str | None:
        if url.startswith(("https://", "http://", "#")):
            return url
        name, mark, anchor = url.partition("#")
        target = (folder / unquote(name)).resolve()
        if target.suffix == ".ipynb" and target.stem in pages:
            return f"{quote(target.stem)}.html{mark}{anchor}"
        return whole.get(target) if pages else None

    return rule


def write_pages(folder: Path, languages: Sequence[str] = (ENGLISH,)) -> list[Path]:
    """Render the lessons, the description of the data and a front page into `folder`.

    Other languages get subfolders; their lessons are run once. The pages link to the browser
    notebooks (`make lite`), the report page and the API reference (`make docs`) if these are in
    the folder.

    Returns:
        The English pages (front page, lessons, data), and those of each other language.
    """
    paths = course_notebooks()
    with speaking(ENGLISH):
        lessons = {ENGLISH: {path.name: published(path) for path in paths}}
    lessons |= lessons_run([code for code in languages if code != ENGLISH], paths)
    written, english = [], None
    for language, notebooks in lessons.items():
        with speaking(language):
            edition = _Edition(language, languages, notebooks, folder, english)
            english = english or edition
            for name, html in edition.pages().items():
                written.append(folder / _folder_of(language) / name)
                write(written[-1], html)
    return written


def write_adapted(path: Path, folder: Path) -> Path:
    """Run an adapted lesson and render it into `folder`, without changing the notebook.

    The page has the notebook's language; its title is the first heading. It has no links to other
    pages, unless the folder has a front page.

    Raises:
        LessonError: If the lesson fails, or has a wrong solution.
    """
    with speaking(ENGLISH):
        lesson = published(path)
    prose = (each for each in lesson.cells if each.cell_type == "markdown")
    first = next((each for each in prose if _HEAD.search(each.source)), None)
    head = _HEAD.search(first.source if first else f"# {path.stem}")
    if first and first.source.startswith("# "):
        lesson.cells.remove(first)  # the title precedes set-up code
    else:
        first = new_markdown_cell(f"# {head['name']}")
    lesson.cells.insert(0, first)
    number = head["number"] and int(head["number"])
    stop = MapRow(head["name"], number, head["title"], path.name, "", "", 0, 0)
    speaks = _SPEAKS.search("\n".join(cell.source for cell in lesson.cells))
    language = speaks[1] if speaks and speaks[1] in languages() else ENGLISH
    with speaking(language):
        with kernel(path.resolve().parent) as run:
            run_with_solutions(lesson, run)
        clean(lesson)
        edition = _Edition(language, [language], {path.name: lesson}, None)
        is_site = (folder / "index.html").is_file()
        pages = {each.stem for each in folder.glob("*.html")} if is_site else ()
        html = edition.lesson(stop, source=path.parent, pages=pages)
    page = folder / f"{path.stem}.html"
    write(page, html)
    return page


def _folder_of(language: str) -> str:
    return "" if language == ENGLISH else f"{language}/"


@dataclass
class _Edition:
    """The pages in one language.

    Anchors, boxes and storage keys come from the `first` edition, in English, so that all
    languages share them.
    """

    language: str
    languages: Sequence[str]
    lessons: Mapping[str, NotebookNode]
    site: Path | None  # folder of all editions; None for a page alone
    first: "_Edition | None" = None
    shapes: dict[str, list[object]] = field(default_factory=dict)
    states: dict[str, list[str]] = field(default_factory=dict)

    @property
    def _english(self) -> "_Edition":
        return self.first or self

    @property
    def _up(self) -> str:
        return "../" if self.first else ""

    def pages(self) -> dict[str, str]:
        """Return all pages by file name."""
        stops = lesson_map(self.lessons[_FIRST])
        path = [stop for stop in stops if not self._is_reference(stop)]
        shown = {"stops": stops, "path": path, "hero": _first_list(), "up": self._up}
        pages = {"index.html": self._page("index.html", "front", "", **shown)}
        around = zip([None, *path], path, [*path[1:], None], strict=False)
        beside = {stop.file: (before, after) for before, stop, after in around}
        stems = {Path(each).stem for each in self.lessons}
        for stop in stops:
            html = self.lesson(stop, beside=beside.get(stop.file, (None, None)), pages=stems)
            pages[f"{Path(stop.file).stem}.html"] = html
        pages[_DATA_PAGE] = self._data()
        return pages

    @cached_property
    def _templates(self) -> Environment:
        templates = templates_of("helpers", translation.catalog())
        templates.filters["localised"] = localised
        return templates

    def _page(self, name: str, template: str, window: str, **values: object) -> str:
        """Render a page; its template has a macro for each part."""
        places = {}
        for each in self.languages if len(self.languages) > 1 else ():
            address = f"{self._up}{_folder_of(each)}{name}"
            places[each] = {"name": languages()[each], "address": address}
        values |= {"language": self.language, "places": places, "data": _DATA_PAGE}
        values |= {"names": self._names(name), **self._built()}
        values["lab"] = "make lab" + (f" LANGUAGE={self.language}" if self._up else "")
        parts = self._templates.get_template(f"{template}.html.j2").make_module(values)
        body = parts.body()
        html = page(
            title=f"{window} · {_(SITE)}".removeprefix(" · "),
            head=parts.head(),
            contents=parts.contents(),
            body=body,
            foot=parts.foot(),
            style=course_style(formulas="<math" in body),
            script=_SCRIPT,
            language=self.language,
            alternates={each: place["address"] for each, place in places.items()},
        )
        self.states[name] = [unescape(found) for found in _LIVE.findall(html)]
        keys = iter(_keys_of(self._english.states[name]))
        return _LIVE.sub(lambda found: f"data-key='{next(keys, '')}' {found[0]}", html)

    def _built(self) -> dict[str, object]:
        """Return the addresses of the other parts of the site; None for those not built."""
        built: dict[str, object] = dict.fromkeys(("lite", "library", "report"))
        if self.site is None:
            return built
        if (about := self.site / _NOTEBOOKS / "site.json").is_file():
            path = _folder_of(self.language) or "notebooks/"
            address = f"{self._up}{_NOTEBOOKS}/lab/index.html?path={path}"
            built["lite"] = json.loads(about.read_text(encoding="utf-8")) | {"address": address}
        report = _REPORT.format(self.language if self._up else "index")
        for name, path in (("library", _LIBRARY), ("report", report)):
            if (self.site / path).is_file():
                built[name] = self._up + path
        return built

    def _names(self, name: str) -> dict[str, str]:
        """Return item names of the page's lists -> English names."""
        if self is self._english:
            return {}
        texts = map(json.loads, _TEXT.findall("".join(self._english.states[name])))
        said = {text: named(text) for text in sorted({*texts}) if len(text) <= _NAME}
        return {here: there for there, here in said.items() if here != there}

    def _is_reference(self, stop: MapRow) -> bool:
        """Return whether a page is a reference: no lesson, and without questions."""
        asking = {"predict", "exercise"}
        cells = self.lessons[stop.file].cells
        return stop.number is None and not any(asking & {*tags_of(cell)} for cell in cells)

    def lesson(
        self,
        stop: MapRow,
        *,
        beside: tuple[MapRow | None, MapRow | None] = (None, None),
        source: Path = NOTEBOOKS,
        pages: Collection[str] = (),
    ) -> str:
        """Render a lesson of the folder `source`; without `pages`, without links to other pages."""
        name = f"{Path(stop.file).stem}.html"
        markdown = Markdown(source, link_rule(source, pages), self._english.shapes.get(name, ()))
        cells, english = (deepcopy(each.lessons[stop.file].cells) for each in (self, self._english))
        if english[-1].source.startswith("## Next\n"):  # replaced by a button
            cells.pop()
        _head, _line, opening = cells.pop(0).source.partition("\n")
        line = ""
        if _LINE.match(english[0].source):
            line, _gap, opening = opening.strip().partition("\n\n")
            line = markdown.html(line.strip("*"))
        opening = markdown.html(opening)
        values = {"cells": body_html(new_notebook(cells=cells), markdown), "line": line}
        values |= {"opening": opening, "headings": markdown.headings}
        values |= {"before": beside[0], "after": beside[1], "reference": self._is_reference(stop)}
        values["home"] = "index.html" if pages else None
        self.shapes[name] = markdown.shape
        return self._page(name, "lesson", stop.name, stop=stop, title=stop.title, **values)

    def _data(self) -> str:
        rule = link_rule(DATA, {Path(each).stem for each in self.lessons})
        markdown = Markdown(DATA, rule, self._english.shapes.get(_DATA_PAGE, ()))
        cells = markdown.html(about_data())
        # one box per heading in the contents, also with a file name in it
        head = [each._replace(html=f"<span>{each.html}</span>") for each in markdown.headings]
        self.shapes[_DATA_PAGE] = markdown.shape
        return self._page(_DATA_PAGE, "data", _("The data"), cells=cells, headings=head)


def _keys_of(states: Iterable[str]) -> Iterator[str]:
    """Yield a unique storage key for each list of a page; it changes with the list."""
    taken = set()
    for state in states:
        key = crc32(state.encode())
        while key in taken:
            key += 1
        taken.add(key)
        yield str(key)


def _first_list() -> str:
    """Return the front page's list: one relevant soup, at rank 6."""
    wanted = named("bisque")
    ranked = worked_example("cooking", "tomato soup")[named("today")].ranked
    ranks = Ranking(ranked, {wanted}, grading=False, docking=False)
    state = explorer_state(ranks, shows="number", trace=True)
    return live_html(state, f"<ol>{''.join(f'<li>{item}</li>' for item in ranked)}</ol>")


_DESCRIPTION = """\
Render every lesson as a page, and a front page.

Lessons are committed with their outputs, so nothing is run here; what a reader has answered in them
is left out. The pages open from disk and from any host of static files, and their lists are alive
there. With lessons that somebody has adapted it runs these, and renders them alone.
"""


def main(arguments: list[str] | None = None) -> int:
    """Render all pages or adapted lessons; print where they begin."""
    parser = CommandParser("python -m helpers pages", _DESCRIPTION)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where pages are written")
    parser.add_argument(
        "lessons", nargs="*", type=Path, metavar="FILE.ipynb", help="adapted lessons"
    )
    options = parser.parse_args(arguments)
    folder, pages = options.folder, []
    for path in options.lessons:
        try:
            pages.append(write_adapted(path, folder))
        except (LessonError, OSError) as error:
            print(f"{path}: {why(error)}", file=sys.stderr)
            return 1
    pages = pages or write_pages(folder, [*languages()])
    many = f"{len(pages)} pages; begin with" if len(pages) > 1 else "1 page:"
    print(f"{many} {pages[0]}")
    return 0
