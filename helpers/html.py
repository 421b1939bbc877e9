"""Convert a lesson to HTML: text, formulas as MathML, highlighted code, and outputs."""

import ast
import base64
import re
from collections.abc import Iterable, Mapping
from functools import partial
from html import escape
from itertools import pairwise
from pathlib import Path

from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from byhand import widgets
from byhand.theme import sheet
from byhand.widgets.embed import LIVE, has_live, live_html
from byhand.words import localised_text
from helpers.exercises import boxed
from helpers.markdown import Markdown, pre_tag
from helpers.notebooks import (
    SOLUTION,
    Solution,
    is_widget,
    own_question,
    solution_of,
    tags_of,
)
from helpers.questions import RIGHT
from helpers.translation import gettext as _, ngettext

RUN = "run"  # anchor of the section on running a lesson
CHECKED = re.compile(r"check\(\s*[\"']([\w-]+)")
OWN = re.compile(r"\bQuestion\(")  # call that creates a reader's own question
_ASKED = re.compile(r"(?:check|predict)\(\s*[\"']([\w-]+)")
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_OPTION = re.compile(r"^- \*\*(\w)\*\*: (.+)(?:\n|$)", re.MULTILINE)
# link in an output
_LESSON = re.compile(r'<a href="([^"/:]+\.ipynb(?:#[^"]*)?)">(.*?)</a>')
_PICTURES = ("image/png", "image/jpeg", "image/svg+xml")
# picture of a widget: first line, image, rest
_DRAWN = re.compile(r"(.*)\n<br>(<img [^>]*>)\n?(.*)", re.DOTALL)
_SAID_IN_CELL = re.compile("<bdi>[^<]*</bdi>")
_BELOW_0 = re.compile(r"(?<=[ (])-(?=\d)")  # hyphen, for which other cells have a minus
_OWN_FILES = re.compile(r'<h2 id="[^"]*your-own-files"')
# calls whose effect a page has built in
_MADE = {*widgets.__all__, "predict", "check", "use_language"}
# tags of cells: the output stays visible during the section; and no longer from here
_IN_SIGHT, _OUT_OF_SIGHT = "in-sight", "out-of-sight"


def course_style(*, formulas: bool) -> str:
    """Return the style sheet of the course's pages, with the font for formulas if needed."""
    light, dark = (
        HtmlFormatter(style=style, nobackground=True).get_style_defs(".code")
        for style in ("xcode", "github-dark")
    )
    here = Path(__file__)
    return (
        (sheet(here.with_name("formulas.css")) if formulas else "")
        + sheet(here.with_name("pages.css"))
        + f"@media not all and (prefers-color-scheme: dark) {{\n{light}\n}}\n"
        f"@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
    )


def body_html(notebook: NotebookNode, markdown: Markdown) -> str:
    """Return the HTML of a notebook that has been run, section by section.

    The output of a cell with the tag `in-sight` stays visible beside its section (on a phone above
    it), up to the next such cell or one with the tag `out-of-sight`.
    """
    sections: list[list[NotebookNode]] = [[]]
    for before, cell in pairwise(notebook.cells):
        _take_options(before, cell)
        if solution_of(cell.source) and (box := _box(before)):
            cell.metadata["answers"] = box
    for cell in notebook.cells:
        tags = tags_of(cell)
        begins = cell.cell_type == "markdown" and re.match(r"#{1,2} ", cell.source)
        another = _IN_SIGHT in tags and _has_picture(sections[-1])
        if begins or another or _OUT_OF_SIGHT in tags:
            sections.append([])
        sections[-1].append(cell)
    html, own = "", ""
    for cells in filter(None, sections):
        section = "\n".join(_cell_html(cell, markdown) for cell in cells)
        if not section.strip():  # only set-up code
            continue
        own = "own" if _OWN_FILES.search(section) else own  # no questions cover content from here
        look = f"{own} {_sight(cells)}".strip()
        tag = f'<section class="{look}">' if look else "<section>"
        html += f"{tag}\n{section}\n</section>\n"
    return html


def _solution_html(cell: NotebookNode, solution: Solution) -> str:
    """Return a solution: the answer and its explanation, or the code if it needs Python."""
    if not (box := cell.metadata.get("answers")):
        return f"{_coloured(solution.code)}\n<p>{escape(solution.said)}</p>"
    sum_ = _arithmetic(solution.code) if box["fixed"]["kind"] == "number" else ""
    answer = f"<code>{escape(sum_)}</code>" if sum_ else f"<b>{escape(_answer_to(box))}</b>"
    why = solution.said.removeprefix(_(RIGHT).partition("{")[0])
    return f"<p>{answer}</p>\n<p>{escape(why)}</p>"


def _answer_to(box: Mapping[str, object]) -> str:
    """Return the answer of a box as text, each option after its letter."""
    fixed = box["fixed"]
    if "keys" not in fixed:
        return str(fixed["shown_answer"])
    right = [fixed["answer"]] if isinstance(fixed["answer"], str) else fixed["answer"]
    options = dict(zip(fixed["keys"], fixed["options"], strict=True))
    # brackets, because the letter e is "and" in Portuguese
    return ", ".join(key if options[key] == key else f"({key}) {options[key]}" for key in right)


def _arithmetic(code: str) -> str:
    """Return the source of the answer if it is plain arithmetic."""
    *_, given = ast.parse(code).body[-1].value.args
    names = {node.id for node in ast.walk(given) if isinstance(node, ast.Name)}
    return "" if names - {"min", "max"} else ast.get_source_segment(code, given)


def _has_picture(cells: Iterable[NotebookNode]) -> bool:
    return any(_IN_SIGHT in tags_of(cell) for cell in cells)


def _sight(cells: Iterable[NotebookNode]) -> str:
    """Return the CSS classes of a visible picture; "below" if a question covers it."""
    covered = False
    for cell in cells:
        if _IN_SIGHT in tags_of(cell):
            return "sight below" if covered else "sight"
        states = (output.get("data", {}).get(LIVE, {}) for output in cell.get("outputs", ()))
        covered = covered or any(state.get("covers") for state in states)
    return ""


def _take_options(prose: NotebookNode, cell: NotebookNode) -> None:
    """Move the options of an exercise from its prose to its box if they are plain text."""
    options = {letter: words.replace("*", "") for letter, words in _OPTION.findall(prose.source)}
    box = _box(cell) if options and not set("$`[") & set("".join(options.values())) else None
    if box and box["fixed"].get("keys") == list(options):
        prose.source = _OPTION.sub("", prose.source)
        cell.metadata["options"] = options


def _box(cell: NotebookNode) -> dict[str, object] | None:
    """Return the answer box of an exercise that a page can check."""
    name = _name(cell) if "exercise" in tags_of(cell) else None
    return boxed(own_question(cell) or name, cell.metadata.get("options")) if name else None


def _name(cell: NotebookNode) -> str | None:
    """Return the name of the question that a cell asks or solves."""
    if own := own_question(cell):
        return own.name
    found = _ASKED.search(cell.source)
    return found[1] if found else None


def _cell_html(cell: NotebookNode, markdown: Markdown) -> str:
    html = _shown_html(cell, markdown)
    asked = _name(cell) if cell.cell_type == "code" else None
    if not asked:
        return html
    return html.replace("<div data-live=", f'<div data-question="{asked}" data-live=', 1)


def _shown_html(cell: NotebookNode, markdown: Markdown) -> str:
    if cell.cell_type == "markdown":
        solution = solution_of(cell.source)
        if not solution:
            return markdown.html(cell.source)
        # rebuilt, because HTML in prose is otherwise escaped
        inside = _solution_html(cell, solution)
        opens = f'<details class="solution"><summary>{_(SOLUTION)}</summary>'
        return f"{opens}\n{inside}\n</details>"
    if cell.cell_type != "code":
        return _pre_html(cell.source)
    if code := _worth_reading(cell.source):
        n_lines = sum(map(bool, map(str.strip, code.splitlines())))
        note = ngettext("In Python, {n} line", "In Python, {n} lines", n_lines).format(n=n_lines)
        code = f'<details class="source"><summary>{note}</summary>{_coloured(code)}</details>'
    if "exercise" in tags_of(cell):
        note = _python_html(_("To be answered in code, so it needs Python: <a>how to run it</a>."))
        if box := _box(cell):
            return live_html(box, f"{_asked_html(box['fixed'])}{note}")
        return f"{code}\n{note}"
    shown = "\n".join(filter(None, (_output_html(each, cell) for each in cell.outputs)))
    shown = _LESSON.sub(partial(_linked, markdown), shown)
    if _IN_SIGHT in tags_of(cell):
        return f'<div class="picture">{shown}</div>\n{code}'
    # pictures and lists come before their code
    first = has_live(shown) or "<figure>" in shown
    return f"{shown}\n{code}" if first else f"{code}\n{shown}"


def _linked(markdown: Markdown, found: re.Match) -> str:
    """Return a link to the page of a notebook, or its text if there is no page."""
    address = markdown.link(found[1])
    return found[2] if address is None else f'<a href="{address}">{found[2]}</a>'


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


def _python_html(what: str) -> str:
    """Return a line that says how to run Python."""
    way = what.replace("<a>", f'<a href="#{RUN}">')
    return f'<p class="needs-python">{way}</p>'


def _coloured(code: str) -> str:
    html = highlight(code, PythonLexer(), HtmlFormatter(cssclass="code"))
    return str(html).replace("<pre>", pre_tag(code), 1)


def _pre_html(text: str) -> str:
    return f"{pre_tag(text)}{escape(text)}</pre>"


def _output_html(output: NotebookNode, cell: NotebookNode) -> str:
    if output.output_type == "stream":
        # localises only numbers that Python formatted
        text = localised_text(_printed(output.text), cell.source)
        return _pre_html(text) if output.name == "stdout" else ""
    data = output.get("data", {})
    still = _still_html(output, data)
    if LIVE not in data:
        return still
    return live_html(data[LIVE], still)


def _asked_html(fixed: Mapping[str, object]) -> str:
    """Return the options of an exercise, for print and without scripts."""
    if "keys" not in fixed or fixed["keys"] == fixed["options"]:
        return ""
    rows = zip(fixed["keys"], fixed["options"], strict=True)
    inside = (f"<li><b>{escape(key)}</b> {escape(words)}</li>" for key, words in rows)
    return f"<ul>{''.join(inside)}</ul>"


def _still_html(output: NotebookNode, data: NotebookNode) -> str:
    text = data.get("text/plain", "")
    picture = next((kind for kind in _PICTURES if kind in data), None)
    if picture:
        about = output.get("metadata", {}).get(picture, {})
        return _figure_html(picture, data[picture], about, text)
    if found := _DRAWN.fullmatch(data.get("text/html", "")):
        title, image, below = found.groups()
        # a page has no cells to run
        above = "" if LIVE in data else f"<figcaption>{title}</figcaption>"
        return f'<figure tabindex="0">{above}{image}</figure>{below}'
    if "text/html" in data:
        html = _SAID_IN_CELL.sub(lambda cell: _BELOW_0.sub("−", cell[0]), data["text/html"])
        if not html:  # empty section of a report
            return ""
        # keyboard access to scrolling; a live list has its own
        if has_live(html):
            return f'<div class="output">{html}</div>'
        return f'<div class="output" tabindex="0">{html}</div>'
    if is_widget(output):
        note = _("What stands here in the notebook needs Python: <a>how to run it</a>.")
        return _python_html(note)
    return _pre_html(_printed(text)) if text else ""


def _printed(text: str) -> str:
    """Return text as a terminal shows it: without colour codes and overwritten parts."""
    lines = _ANSI.sub("", text).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines).rstrip()


def _figure_html(kind: str, data: str, about: NotebookNode, text: str) -> str:
    inside = base64.b64encode(data.encode()).decode() if kind.endswith("xml") else data
    width, alt = about.get("width"), about.get("alt") or text or _("a figure")
    # on a phone, a wide chart scrolls instead of shrinking further
    size = f' width="{int(width)}" style="min-width:{int(width * 0.7)}px"' if width else ""
    source = f"data:{kind};base64,{inside.replace(chr(10), '')}"
    return f'<figure><img src="{source}" alt="{escape(alt)}"{size}></figure>'
