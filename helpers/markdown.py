"""nbconvert's Markdown with formulas as MathML, quotes as boxes, and embedded pictures."""

import base64
import mimetypes
import re
from collections.abc import Callable, Iterable
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from latex2mathml.converter import convert
from mistune.plugins.formatting import strikethrough
from mistune.plugins.table import render_table_cell, render_table_row, table, table_in_quote
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from byhand.words import N_, languages, localised
from helpers.messages import picture
from helpers.record_tables import MARKS
from helpers.translation import gettext as _

LinkRule = Callable[[str], str | None]
_SHORT = 16  # most characters of code without a line break
_PHONE = 30  # characters of code in a line on a phone
_COLUMNS = re.compile(r"\S {2,}")  # columns in printed text
_BOX = re.compile(r"<p><strong>(.+?)(?:[,:] (.+?))?\.?</strong>\s*")
_BOXED = "In the document"
# verdict in the last column
_VERDICT = re.compile(rf"<td[^>]*>({'|'.join(MARKS)})(?:[,:;][^<]*)?</td>\s*$")
_OF_NOTEBOOKS = N_("In a notebook,")  # start of a sentence that pages omit


class Heading(NamedTuple):
    """A heading for the contents: its anchor, and its text as HTML."""

    anchor: str
    html: str


class Markdown(IPythonRenderer):
    """A converter from Markdown to HTML that collects headings of level two.

    Args:
        folder: folder of the pictures.
        address: function that returns the new address of a link, or None for plain text.
        english: `shape` of the English text, so that anchors and boxes are the same.
    """

    def __init__(self, folder: Path, address: LinkRule, english: Iterable[object] = ()) -> None:
        # a page's content policy allows no scripts in its text
        super().__init__(escape=False, allow_harmful_protocols=False)
        self.headings: list[Heading] = []
        self.shape: list[object] = []
        self.address = address
        self._folder, self._english = folder, iter(english)
        self._anchors: set[str] = set()
        self._parser = MarkdownWithMath(self, plugins=(table, table_in_quote, strikethrough))

    def html(self, text: str) -> str:
        """Return the HTML of Markdown, without sentences about notebooks."""
        begins = rf"(?<!\S){re.escape(_(_OF_NOTEBOOKS))}"  # code in the sentence may contain dots
        of_notebooks = re.compile(rf"{begins}(?:[^.]|\.(?=\S))+\.(?: |$)", re.MULTILINE)
        return self._parser.render(of_notebooks.sub("", text))

    def _alike(self, found: object) -> object:
        """Return the English value, which all languages share."""
        self.shape.append(next(self._english, found))
        return self.shape[-1]

    def block_code(self, code: str, info: str | None = None) -> str:
        """Return code between fences."""
        return super().block_code(code, info).replace("<pre>", pre_tag(code), 1)

    def inline_math(self, body: str, display: str = "inline") -> str:
        """Return a formula as MathML, which needs no script."""
        mathml = convert(body.strip(), display=display)
        return re.sub("(?<=<mn>)[^<]+", lambda number: localised(number[0]), mathml)

    def block_math(self, body: str) -> str:
        """Return a formula on a line of its own."""
        return self.inline_math(body, "block")

    def codespan(self, text: str) -> str:
        """Return inline code; short code stays on one line."""
        html = super().codespan(text)
        if len(text) <= _SHORT:
            return html.replace("<code>", '<code class="short">', 1)
        return html.replace("_", "_<wbr>")

    def table_cell(self, text: str, align: str | None = None, head: bool = False) -> str:
        """Return a cell; a head with a language gets `lang`: phones hide other languages."""
        html = render_table_cell(self, text, align, head)
        named = [code for code, name in languages().items() if head and text.startswith(name)]
        return html.replace("<th", f'<th lang="{named[0]}"', 1) if named else html

    def table_row(self, text: str) -> str:
        """Return a row, with a mark for a verdict in the last column."""
        found = _VERDICT.search(text)
        if verdict := self._alike(found and found[1]):
            before, _, last = text.rpartition("<td")
            style, _, inner = last.partition(">")
            text = f'{before}<td{style} class="{verdict}">{MARKS[verdict]}\u00a0{inner}'
        return render_table_row(self, text)

    def heading(self, text: str, level: int, **_: object) -> str:
        """Return a heading with an anchor."""
        anchor = self._alike(_anchor(text, self._anchors))
        self._anchors.add(anchor)
        if level == 2:
            self.headings.append(Heading(anchor, text))
        return f'<h{level} id="{anchor}">{text}</h{level}>\n'

    def block_quote(self, text: str) -> str:
        """Return a quote, or a box for what a document says."""
        box = _BOX.match(text)
        if not self._alike(bool(box and box[1] == _BOXED)) or not box:
            return super().block_quote(text)
        about = f"<span>{box[2]}</span>" if box[2] else ""
        rest = f"<p>{text[box.end() :]}".removeprefix("<p></p>")
        return f'<div class="doc"><p class="doc-head"><b>{box[1]}</b>{about}</p>{rest}</div>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Return a link to a page, or its text."""
        address = self.address(url)
        return text if address is None else super().link(text, address, title)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return an embedded picture."""
        words = re.sub(r"<[^>]*>", "", text)  # escaped already
        path, kind = self._folder / url, mimetypes.guess_type(url)[0]
        if kind is None or not path.is_file():
            return f"[{words}]"
        content = path.read_bytes()
        if path.suffix == ".svg":  # inline, for the page's font and colours
            drawn = re.sub(r' xmlns="[^"]*"|\s*<title>.*?</title>', "", picture(content.decode()))
            return drawn.strip().replace("<svg", f'<svg class="drawn" aria-label="{words}"', 1)
        data = base64.b64encode(content).decode()
        return f'<img src="data:{kind};base64,{data}" alt="{words}">'


def _anchor(html: str, taken: set[str]) -> str:
    """Return a unique anchor for a heading."""
    text = re.sub(r"<annotation.*?</annotation>|<[^>]*>|&\w+;", " ", html)
    name = re.sub(r"\W+", "-", text.casefold()).strip("-") or "section"
    anchors = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(each for each in anchors if each not in taken)


def pre_tag(text: str) -> str:
    """Return the tag of code; wide columns scroll and have keyboard access."""
    wide = max(map(len, text.split("\n"))) > _PHONE
    return '<pre tabindex="0">' if wide and _COLUMNS.search(text) else "<pre>"
