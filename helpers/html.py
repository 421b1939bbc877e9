"""Convert a lesson to HTML with nbconvert; `templates/cells.html.j2` has the form of each cell."""

import ast
import base64
import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path

from nbconvert import TemplateExporter
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from traitlets.config import Config

from byhand import widgets
from byhand.theme import sheet
from byhand.widgets.embed import LIVE, has_live, live_html
from byhand.words import localised_text
from helpers.exercises import boxed
from helpers.markdown import Markdown, pre_tag
from helpers.notebooks import (
    SOLUTION,
    WIDGET_VIEW,
    is_widget,
    live_state,
    own_question,
    solution_of,
    tags_of,
)
from helpers.questions import RIGHT
from helpers.translation import gettext as _, ngettext

CHECKED = re.compile(r"check\(\s*[\"']([\w-]+)")
OWN = re.compile(r"\bQuestion\(")  # call that creates a reader's own question
_ASKED = re.compile(r"(?:ask|check|predict)\(\s*[\"']([\w-]+)")
# link in an output
_LESSON = re.compile(r'<a href="([^"/:]+\.ipynb(?:#[^"]*)?)">(.*?)</a>')
# picture of a widget: first line, image, rest
_DRAWN = re.compile(r"(.*)\n<br>(<img [^>]*>)\n?(.*)", re.DOTALL)
_SAID_IN_CELL = re.compile("<bdi>[^<]*</bdi>")
_BELOW_0 = re.compile(r"(?<=[ (])-(?=\d)")  # hyphen, for which other cells have a minus
_OWN_FILES = re.compile(r'<h2 id="[^"]*your-own-files"')
# calls whose effect a page has built in
_MADE = {*widgets.__all__, "ask", "predict", "check", "use_language"}
# tags of cells: the output stays visible during the section; and no longer from here
_IN_SIGHT, _OUT_OF_SIGHT = "in-sight", "out-of-sight"


def course_style(*, formulas: bool) -> str:
    """Return the style sheet of the course's pages, with the font for formulas if needed."""
    light, dark = (
        HtmlFormatter(style=style, nobackground=True).get_style_defs(".highlight")
        for style in ("xcode", "github-dark")
    )
    here = Path(__file__)
    return (
        (sheet(here.with_name("formulas.css")) if formulas else "")
        + sheet(here.with_name("pages.css"))
        + f"@media not all and (prefers-color-scheme: dark) {{\n{light}\n}}\n"
        f"@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
    )


@cache
def _exporter() -> TemplateExporter:
    """Return the converter of cells; pictures come before HTML, and HTML before text."""
    template = Path(__file__).parent / "templates" / "cells.html.j2"
    kinds = ["image/png", "image/jpeg", "image/svg+xml", "text/html", WIDGET_VIEW, "text/plain"]
    kinds.append(LIVE)  # alone, without a picture
    priority = Config(NbConvertBase={"display_data_priority": kinds})
    exporter = TemplateExporter(priority, template_file=str(template))
    exporter.optimistic_validation = True  # once per notebook, not after each preprocessor
    environment = exporter.environment
    environment.filters |= {
        "solution": _solution,
        "tags": tags_of,
        "box": _box,
        "asked": _asked,
        "live_state": live_state,
    }
    environment.filters |= {"worth_reading": _worth_reading, "code": _coloured, "pre": _pre_html}
    environment.filters |= {"live": live_html, "html_output": _html_output}
    environment.filters["base64"] = lambda text: base64.b64encode(text.encode()).decode()
    environment.filters["localised_text"] = localised_text
    environment.globals |= {"_": _, "ngettext": ngettext, "LIVE": LIVE}
    environment.tests["live"] = has_live
    return exporter


def body_html(notebook: NotebookNode, markdown: Markdown) -> str:
    """Return the HTML of a notebook that has been run, section by section.

    The output of a cell with the tag `in-sight` stays visible beside its section (on a phone above
    it), up to the next such cell or one with the tag `out-of-sight`.
    """

    def linked(found: re.Match) -> str:
        address = markdown.address(found[1])
        return found[2] if address is None else f'<a href="{address}">{found[2]}</a>'

    exporter, html, own = _exporter(), "", ""
    exporter.environment.filters["markdown"] = markdown.html
    exporter.environment.filters["linked"] = lambda html: _LESSON.sub(linked, html)
    for cells in _sections(notebook):
        section = exporter.from_notebook_node(new_notebook(cells=cells))[0].strip()
        if not section:  # only set-up code
            continue
        own = "own" if _OWN_FILES.search(section) else own  # no questions cover content from here
        look = f"{own} {_sight(cells)}".strip()
        tag = f'<section class="{look}">' if look else "<section>"
        html += f"{tag}\n{section}\n</section>\n"
    return html


def _sections(notebook: NotebookNode) -> list[list[NotebookNode]]:
    """Return the cells of each section; solutions get the box of their exercise."""
    for before, cell in pairwise(notebook.cells):
        if solution_of(cell.source) and (box := _box(before)):
            cell.metadata["answers"] = box
    sections: list[list[NotebookNode]] = [[]]
    for cell in notebook.cells:
        tags = tags_of(cell)
        begins = cell.cell_type == "markdown" and re.match(r"#{1,2} ", cell.source)
        another = _IN_SIGHT in tags and any(_IN_SIGHT in tags_of(each) for each in sections[-1])
        if begins or another or _OUT_OF_SIGHT in tags:
            sections.append([])
        sections[-1].append(cell)
        for output in cell.get("outputs", ()):
            if output.output_type == "execute_result":
                output.output_type = "display_data"
                del output["execution_count"]
            if is_widget(output):
                output.data.setdefault(WIDGET_VIEW, {})
    return [*filter(None, sections)]


def _solution(cell: NotebookNode) -> dict[str, str] | None:
    """Return a solution, with the answer as HTML if the page can check it; None for prose."""
    if not (solution := solution_of(cell.source)):
        return None
    found = {"label": _(SOLUTION), "code": solution.code, "said": solution.said}
    if box := cell.metadata.get("answers"):
        fixed = box["fixed"]
        sum_ = _arithmetic(solution.code) if fixed["kind"] == "number" else ""
        answer = f"<code>{escape(sum_)}</code>" if sum_ else f"<b>{escape(_answer_to(fixed))}</b>"
        found |= {"answer": answer, "said": solution.said.removeprefix(_(RIGHT).partition("{")[0])}
    return found


def _answer_to(fixed: Mapping[str, object]) -> str:
    """Return the answer of a box as text, each option after its letter."""
    options = dict(zip(fixed.get("keys", ()), fixed.get("options", ()), strict=False))
    if not options:
        return str(fixed["shown_answer"])
    # brackets, because the letter e is "and" in Portuguese
    keys = [fixed["answer"]] if isinstance(fixed["answer"], str) else fixed["answer"]
    return ", ".join(key if options[key] == key else f"({key}) {options[key]}" for key in keys)


def _arithmetic(code: str) -> str:
    """Return the source of the answer if it is plain arithmetic."""
    *_, given = ast.parse(code).body[-1].value.args
    names = {node.id for node in ast.walk(given) if isinstance(node, ast.Name)}
    return "" if names - {"min", "max"} else ast.get_source_segment(code, given)


def _sight(cells: Iterable[NotebookNode]) -> str:
    """Return the CSS classes of a visible picture; "below" if a question covers it."""
    covered = False
    for cell in cells:
        if _IN_SIGHT in tags_of(cell):
            return "sight below" if covered else "sight"
        covered = covered or bool((live_state(cell) or {}).get("covers"))
    return ""


def _box(cell: NotebookNode) -> Mapping[str, object] | None:
    """Return the answer box of an exercise that a page can check."""
    if state := live_state(cell):
        return state
    name = _name(cell) if "exercise" in tags_of(cell) else None
    return boxed(own_question(cell) or name) if name else None


def _name(cell: NotebookNode) -> str | None:
    """Return the name of the question that a cell asks or solves."""
    own, found = own_question(cell), _ASKED.search(cell.source)
    return own.name if own else found and found[1]


def _asked(html: str, cell: NotebookNode) -> str:
    """Return HTML whose first live part has the name of the question that the cell asks."""
    if name := _name(cell):
        html = html.replace("<div data-live=", f'<div data-question="{name}" data-live=', 1)
    return html


def _worth_reading(code: str) -> str:
    """Return code without imports and calls of widgets; empty if it contains an own answer."""
    if OWN.search(code):
        return ""
    lines = code.splitlines()
    try:
        nodes = ast.parse(code).body
    except SyntaxError:  # code of a reader
        nodes = []
    for node in nodes:
        names = {each.name for each in getattr(node, "names", [])}
        call = getattr(node, "value", None) if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            names = {call.func.id}
        if names and names <= _MADE:
            lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _coloured(code: str) -> str:
    html = highlight(code, PythonLexer(), HtmlFormatter())
    return str(html).replace("<pre>", pre_tag(code), 1)


def _pre_html(text: str) -> str:
    text = text.rstrip()
    return f"{pre_tag(text)}{escape(text)}</pre>" if text else ""


def _html_output(output: NotebookNode) -> str:
    """Return an HTML output; wide ones scroll and have keyboard access, as live lists have."""
    html = output.data["text/html"]
    if drawn := _DRAWN.fullmatch(html):
        title, image, below = drawn.groups()
        # a page has no cells to run
        above = "" if LIVE in output.data else f"<figcaption>{title}</figcaption>"
        return f'<figure tabindex="0">{above}{image}</figure>{below}'
    html = _SAID_IN_CELL.sub(lambda cell: _BELOW_0.sub("−", cell[0]), html)
    if not html:  # empty section of a report
        return ""
    focus = "" if has_live(html) else ' tabindex="0"'
    return f'<div class="output"{focus}>{html}</div>'
