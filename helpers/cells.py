"""The cells of a notebook as HTML."""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from byhand.widgets.embed import LIVE, has_live, live_html
from helpers.markdown import Markdown
from helpers.outputs import PNG, is_widget
from helpers.solutions import Solution, solution_of

if TYPE_CHECKING:  # a browser's Python has none
    from nbformat import NotebookNode

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_PHONE = 30  # characters of code that a phone shows in a line
_PICTURES = (PNG, "image/jpeg", "image/svg+xml")
RUN = "run"  # the anchor of what says how to run a lesson


@dataclass(frozen=True, kw_only=True)
class Options:
    """What of a notebook goes into its page.

    Attributes:
        code_open: whether code is unfolded.
        left_out: cells with one of these tags are not there.
        streams: whether what the cells printed is there.
        empty_sections: whether a section stays whose code shows nothing.
    """

    code_open: bool = True
    left_out: frozenset[str] = frozenset()
    streams: bool = True
    empty_sections: bool = True


def body_html(notebook: "NotebookNode", markdown: Markdown, options: Options) -> str:
    """The cells of a notebook as HTML, section by section.

    Args:
        notebook: a notebook that has been run.
        markdown: turns its prose into HTML.
        options: what to leave out.

    Example:
        >>> from pathlib import Path
        >>> from nbformat.v4 import new_markdown_cell, new_notebook
        >>> body_html(new_notebook(cells=[new_markdown_cell("*Hi*")]), Markdown(Path()), Options())
        '<section>\\n<p><em>Hi</em></p>\\n\\n</section>'
    """
    kept = [cell for cell in notebook.cells if not options.left_out & set(tags_of(cell))]
    sections = []
    for cells in _sections(kept):
        code = [cell for cell in cells if cell.cell_type == "code"]
        headed = cells[0].cell_type == "markdown"
        if options.empty_sections or not (headed and code) or any(c.outputs for c in code):
            inside = "\n".join(_cell_html(cell, markdown, options) for cell in cells)
            sections.append(f"<section>\n{inside}\n</section>")
    return "\n".join(sections)


def summary_html(notebook: "NotebookNode", options: Options) -> str:
    """What the cells that are tagged `summary` show: the result, to stand above everything."""
    outputs = (
        output for cell in notebook.cells if "summary" in tags_of(cell) for output in cell.outputs
    )
    return "\n".join(html for output in outputs for html in _output_html(output, options))


def tags_of(cell: "NotebookNode") -> list[str]:
    """The tags of a cell."""
    return cell.metadata.get("tags", [])


def _sections(cells: "list[NotebookNode]") -> "Iterator[list[NotebookNode]]":
    """The cells cut before each heading of the second level."""
    section: list[NotebookNode] = []
    for cell in cells:
        if section and cell.cell_type == "markdown" and re.match(r"#{1,2} ", cell.source):
            yield section
            section = []
        section.append(cell)
    if section:
        yield section


def _cell_html(cell: "NotebookNode", markdown: Markdown, options: Options) -> str:
    if cell.cell_type == "markdown":
        solution = solution_of(cell.source)
        return _solution_html(solution) if solution else markdown.html(cell.source)
    if cell.cell_type != "code":
        return _pre_html(cell.source)
    outputs = "\n".join(
        html for output in cell.outputs for html in _output_html(output, options) if html
    )
    code = _code_html(cell.source, open_=options.code_open)
    if "exercise" in tags_of(cell):
        return f"{code}\n{_python_html('To be answered in code, so it needs Python')}"
    return f"{code}\n{outputs}"


def _python_html(what: str) -> str:
    """A line where a page can do no more than a book."""
    return f'<p class="needs-python">{what}: <a href="#{RUN}">how to run it</a>.</p>'


def _solution_html(solution: Solution) -> str:
    """The one HTML in a lesson's prose that is more than text, made anew from what it holds."""
    code, said = _coloured(solution.code), escape(solution.said)
    return f"<details><summary>Solution</summary>\n{code}\n<p>{said}</p>\n</details>"


def _code_html(source: str, *, open_: bool) -> str:
    shown = source.strip()
    if not shown:
        return ""
    code = _coloured(shown)
    return f'<details class="source"{" open" * open_}><summary>Code</summary>{code}</details>'


def _coloured(code: str) -> str:
    html = highlight(code, PythonLexer(), HtmlFormatter(cssclass="code"))
    return str(html).replace("<pre>", _pre_tag(code), 1)


def _pre_html(text: str) -> str:
    return f"{_pre_tag(text)}{escape(text)}</pre>"


def _pre_tag(text: str) -> str:
    """What scrolls on a phone is reached with the keyboard."""
    wide = max(map(len, text.split("\n"))) > _PHONE
    return '<pre tabindex="0">' if wide else "<pre>"


def _output_html(output: "NotebookNode", options: Options) -> Iterator[str]:
    if output.output_type == "stream":
        if options.streams and output.name == "stdout":
            yield _pre_html(_printed(output.text))
        return
    data = output.get("data", {})
    still = "".join(_still_html(output, data, data.get("text/plain", "")))
    yield live_html(data[LIVE], still) if LIVE in data else still


def _still_html(output: "NotebookNode", data: "NotebookNode", text: str) -> Iterator[str]:
    picture = next((kind for kind in _PICTURES if kind in data), None)
    if picture:
        yield _figure_html(picture, data[picture], _alt(output, picture, text), output)
    elif "text/html" in data:
        # what scrolls is reached with the keyboard; a list to drag scrolls by itself
        scrolls = "" if has_live(data["text/html"]) else ' tabindex="0"'
        yield f'<div class="output"{scrolls}>{data["text/html"]}</div>'
    elif is_widget(output):
        yield _python_html("What stands here in the notebook needs Python")
    elif text:
        yield _pre_html(_printed(text))


def _printed(text: str) -> str:
    """What a terminal would show: no colours, and of a line that was overwritten its last state."""
    lines = _ANSI.sub("", text).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines).rstrip()


def _alt(output: "NotebookNode", kind: str, text: str) -> str:
    return output.get("metadata", {}).get(kind, {}).get("alt") or text or "a figure"


def _figure_html(kind: str, data: str, alt: str, output: "NotebookNode") -> str:
    inside = base64.b64encode(data.encode()).decode() if kind.endswith("xml") else data
    width = output.get("metadata", {}).get(kind, {}).get("width")
    # a wide chart scrolls on a phone before it becomes too small to read
    size = f' width="{int(width)}" style="min-width:{int(width * 0.6)}px"' if width else ""
    source = f"data:{kind};base64,{inside.replace(chr(10), '')}"
    return f'<figure><img src="{source}" alt="{escape(alt)}"{size}></figure>'
