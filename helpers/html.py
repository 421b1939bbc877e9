"""A lesson as HTML: its prose with formulas as MathML, its code in colours, what its cells show."""

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

RUN = "run"  # the anchor of what says how to run a lesson
CHECKED = re.compile(r"check\(\s*[\"']([\w-]+)")
OWN = re.compile(r"\bQuestion\(")  # makes a question that is not ours
_ASKED = re.compile(r"(?:check|predict)\(\s*[\"']([\w-]+)")
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_OPTION = re.compile(r"^- \*\*(\w)\*\*: (.+)(?:\n|$)", re.MULTILINE)
# a link in what a cell shows
_LESSON = re.compile(r'<a href="([^"/:]+\.ipynb(?:#[^"]*)?)">(.*?)</a>')
_PICTURES = ("image/png", "image/jpeg", "image/svg+xml")
# what is drawn for a notebook: its first line, the image, and what stands below
_DRAWN = re.compile(r"(.*)\n<br>(<img [^>]*>)\n?(.*)", re.DOTALL)
_SAID_IN_CELL = re.compile("<bdi>[^<]*</bdi>")
_BELOW_0 = re.compile(r"(?<=[ (])-(?=\d)")  # as a program says it: a cell beside it has a minus
_OWN_FILES = re.compile(r'<h2 id="[^"]*your-own-files"')
# what a page has itself: no reader of it needs the call
_MADE = {*widgets.__all__, "predict", "check", "use_language"}
# tags of a cell: what it shows stays in sight while the section goes on; and no longer from here
_IN_SIGHT, _OUT_OF_SIGHT = "in-sight", "out-of-sight"


def course_style(*, formulas: bool) -> str:
    """The style sheet of the course's pages, with the colours of code, and a face for formulas."""
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
    """The cells of a notebook that has been run, section by section.

    What a cell with the tag `in-sight` shows stays beside the text of its section, on a phone above
    it, up to the next of them or to a cell with the tag `out-of-sight`.
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
        if not section.strip():  # nothing but a cell that prepares the lesson
            continue
        own = "own" if _OWN_FILES.search(section) else own  # from here on, nothing covers anything
        look = f"{own} {_sight(cells)}".strip()
        tag = f'<section class="{look}">' if look else "<section>"
        html += f"{tag}\n{section}\n</section>\n"
    return html


def _solution_html(cell: NotebookNode, solution: Solution) -> str:
    """A solution: where a page checks the answer, that, without the call that a notebook needs."""
    if not (box := cell.metadata.get("answers")):
        return f"{_coloured(solution.code)}\n<p>{escape(solution.said)}</p>"
    sum_ = _arithmetic(solution.code) if box["fixed"]["kind"] == "number" else ""
    answer = f"<code>{escape(sum_)}</code>" if sum_ else f"<b>{escape(_answer_to(box))}</b>"
    why = solution.said.removeprefix(_(RIGHT).partition("{")[0])
    return f"<p>{answer}</p>\n<p>{escape(why)}</p>"


def _answer_to(box: Mapping[str, object]) -> str:
    """The answer to a box in words, each option after its letter."""
    fixed = box["fixed"]
    if "keys" not in fixed:
        return str(fixed["shown_answer"])
    right = [fixed["answer"]] if isinstance(fixed["answer"], str) else fixed["answer"]
    options = dict(zip(fixed["keys"], fixed["options"], strict=True))
    # in brackets: the letter e is "and" in Portuguese
    return ", ".join(key if options[key] == key else f"({key}) {options[key]}" for key in right)


def _arithmetic(code: str) -> str:
    """What is checked, as it is written, if it can be read without Python."""
    *_, given = ast.parse(code).body[-1].value.args
    names = {node.id for node in ast.walk(given) if isinstance(node, ast.Name)}
    return "" if names - {"min", "max"} else ast.get_source_segment(code, given)


def _has_picture(cells: Iterable[NotebookNode]) -> bool:
    return any(_IN_SIGHT in tags_of(cell) for cell in cells)


def _sight(cells: Iterable[NotebookNode]) -> str:
    """Whether a picture stays in sight, and whether it begins below a question that covers it."""
    covered = False
    for cell in cells:
        if _IN_SIGHT in tags_of(cell):
            return "sight below" if covered else "sight"
        states = (output.get("data", {}).get(LIVE, {}) for output in cell.get("outputs", ()))
        covered = covered or any(state.get("covers") for state in states)
    return ""


def _take_options(prose: NotebookNode, cell: NotebookNode) -> None:
    """Move the options of an exercise from its prose to its box, unless there is more than text."""
    options = {letter: words.replace("*", "") for letter, words in _OPTION.findall(prose.source)}
    box = _box(cell) if options and not set("$`[") & set("".join(options.values())) else None
    if box and box["fixed"].get("keys") == list(options):
        prose.source = _OPTION.sub("", prose.source)
        cell.metadata["options"] = options


def _box(cell: NotebookNode) -> dict[str, object] | None:
    """The answer box of an exercise that a page can check."""
    name = _name(cell) if "exercise" in tags_of(cell) else None
    return boxed(own_question(cell) or name, cell.metadata.get("options")) if name else None


def _name(cell: NotebookNode) -> str | None:
    """The question that a cell asks, or gives the solution of."""
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
        # the one HTML in a lesson's prose that is more than text, made anew from what it holds
        inside = _solution_html(cell, solution)
        opens = f'<details class="solution"><summary>{_(SOLUTION)}</summary>'
        return f"{opens}\n{inside}\n</details>"
    if cell.cell_type != "code":
        return _pre_html(cell.source)
    if code := _worth_reading(cell.source):
        n_lines = sum(map(bool, map(str.strip, code.splitlines())))
        said = ngettext("In Python, {n} line", "In Python, {n} lines", n_lines).format(n=n_lines)
        code = f'<details class="source"><summary>{said}</summary>{_coloured(code)}</details>'
    if "exercise" in tags_of(cell):
        said = _python_html(_("To be answered in code, so it needs Python: <a>how to run it</a>."))
        if box := _box(cell):
            return live_html(box, f"{_asked_html(box['fixed'])}{said}")
        return f"{code}\n{said}"
    shown = "\n".join(filter(None, (_output_html(each, cell) for each in cell.outputs)))
    shown = _LESSON.sub(partial(_linked, markdown), shown)
    if _IN_SIGHT in tags_of(cell):
        return f'<div class="picture">{shown}</div>\n{code}'
    # a picture or a list stands where the text speaks of it, and its code below
    first = has_live(shown) or "<figure>" in shown
    return f"{shown}\n{code}" if first else f"{code}\n{shown}"


def _linked(markdown: Markdown, found: re.Match) -> str:
    """A link to the page of a notebook, or its text alone if there is no such page."""
    address = markdown.link(found[1])
    return found[2] if address is None else f'<a href="{address}">{found[2]}</a>'


def _worth_reading(code: str) -> str:
    """The code of a cell without what only imports or makes a widget or a question.

    What makes a question that is not ours has its answer, so nothing of its cell is shown.
    """
    if OWN.search(code):
        return ""
    lines = code.splitlines()
    try:
        nodes = ast.parse(code).body
    except SyntaxError:  # a reader's own
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
    """A line where a page can do no more than a book."""
    way = what.replace("<a>", f'<a href="#{RUN}">')
    return f'<p class="needs-python">{way}</p>'


def _coloured(code: str) -> str:
    html = highlight(code, PythonLexer(), HtmlFormatter(cssclass="code"))
    return str(html).replace("<pre>", pre_tag(code), 1)


def _pre_html(text: str) -> str:
    return f"{pre_tag(text)}{escape(text)}</pre>"


def _output_html(output: NotebookNode, cell: NotebookNode) -> str:
    if output.output_type == "stream":
        # what the code says stands there as the language writes it; the rest Python has written
        text = localised_text(_printed(output.text), cell.source)
        return _pre_html(text) if output.name == "stdout" else ""
    data = output.get("data", {})
    still = _still_html(output, data)
    if LIVE not in data:
        return still
    return live_html(data[LIVE], still)


def _asked_html(fixed: Mapping[str, object]) -> str:
    """The options of an exercise, which stand there without a script, and on paper."""
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
        # nobody runs a cell of a page
        above = "" if LIVE in data else f"<figcaption>{title}</figcaption>"
        return f'<figure tabindex="0">{above}{image}</figure>{below}'
    if "text/html" in data:
        html = _SAID_IN_CELL.sub(lambda cell: _BELOW_0.sub("−", cell[0]), data["text/html"])
        if not html:  # a part of a report that has nothing to say
            return ""
        # what scrolls is reached with the keyboard; a list to drag scrolls by itself
        if has_live(html):
            return f'<div class="output">{html}</div>'
        return f'<div class="output" tabindex="0">{html}</div>'
    if is_widget(output):
        said = _("What stands here in the notebook needs Python: <a>how to run it</a>.")
        return _python_html(said)
    return _pre_html(_printed(text)) if text else ""


def _printed(text: str) -> str:
    """What a terminal would show: no colours, and of a line that was overwritten its last state."""
    lines = _ANSI.sub("", text).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines).rstrip()


def _figure_html(kind: str, data: str, about: NotebookNode, text: str) -> str:
    inside = base64.b64encode(data.encode()).decode() if kind.endswith("xml") else data
    width, alt = about.get("width"), about.get("alt") or text or _("a figure")
    # a wide chart scrolls on a phone before it becomes too small to read
    size = f' width="{int(width)}" style="min-width:{int(width * 0.7)}px"' if width else ""
    source = f"data:{kind};base64,{inside.replace(chr(10), '')}"
    return f'<figure><img src="{source}" alt="{escape(alt)}"{size}></figure>'
