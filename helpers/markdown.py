"""Markdown as HTML: formulas as MathML, pictures inside, links by a rule of the caller."""

import base64
import mimetypes
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import mistune
from latex2mathml.converter import convert

LinkRule = Callable[[str], str | None]


def no_relative_links(url: str) -> str | None:
    """The rule of a page that travels alone: only links to the web and within it remain."""
    return url if url.startswith(("https://", "http://", "#")) else None


@dataclass(frozen=True)
class Heading:
    """A heading of a page: its level from 1, its anchor, its text as HTML."""

    level: int
    anchor: str
    html: str


@dataclass
class Markdown:
    """Turns Markdown into HTML, and remembers the headings it met.

    Attributes:
        folder: where the pictures are looked for.
        link: what becomes of the address of a link; None turns it into plain text.
        headings: the headings so far.

    Example:
        >>> Markdown(Path(".")).html("## A <b> & $x^2$")[:48]
        '<h2 id="a-b-x-2">A &lt;b&gt; &amp; <math xmlns="'
    """

    folder: Path
    link: LinkRule = no_relative_links
    headings: list[Heading] = field(default_factory=list)

    def __post_init__(self) -> None:
        renderer = _Renderer(self)
        self._mistune = mistune.create_markdown(
            renderer=renderer, plugins=["table", "strikethrough", _formulas]
        )

    def html(self, text: str) -> str:
        """The HTML of a piece of Markdown."""
        return str(self._mistune(text))


class _Renderer(mistune.HTMLRenderer):
    def __init__(self, page: Markdown) -> None:
        super().__init__(escape=True)
        self._page = page

    def heading(self, text: str, level: int, **_: object) -> str:
        anchor = _anchor(text, {heading.anchor for heading in self._page.headings})
        self._page.headings.append(Heading(level, anchor, text))
        return f'<h{level} id="{anchor}">{text}</h{level}>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        address = self._page.link(url)
        return text if address is None else super().link(text, address, title)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        words = re.sub(r"<[^>]*>", "", text)  # escaped already
        path = self._page.folder / url
        kind = mimetypes.guess_type(url)[0]
        if kind is None or not path.is_file():
            return f"[{words}]"
        data = base64.b64encode(path.read_bytes()).decode()
        return f'<img src="data:{kind};base64,{data}" alt="{words}">'


def _anchor(html: str, taken: set[str]) -> str:
    """A name for a heading that no other of the page has."""
    text = re.sub(r"<annotation.*?</annotation>|<[^>]*>|&\w+;", " ", html)
    name = re.sub(r"\W+", "-", text.casefold()).strip("-") or "section"
    number = 1
    while (anchor := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return anchor


def _formulas(markdown: mistune.Markdown) -> None:
    """A plugin: $…$ and $$…$$, neither of which Markdown knows."""
    for name, pattern in (
        ("display", r"\$\$(?P<display_latex>[\s\S]+?)\$\$"),
        ("formula", r"\$(?!\s)(?P<formula_latex>[^$\n]+?)(?<!\s)\$(?!\d)"),
    ):
        markdown.inline.register(name, pattern, _parser(name), before="link")
        markdown.renderer.register(name, _as_mathml(name))


def _parser(name: str) -> Callable[..., int]:
    def parse(_: object, match: re.Match[str], state: mistune.InlineState) -> int:
        state.append_token({"type": name, "raw": match[f"{name}_latex"]})
        return match.end()

    return parse


def _as_mathml(name: str) -> Callable[[object, str], str]:
    layout = "block" if name == "display" else "inline"
    return lambda _, latex: convert(latex.strip(), display=layout)
