"""A page around its content: one file that asks no host for anything.

The one script that it may run is the module that brings its lists to life, known by its hash.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from gettext import NullTranslations
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from byhand.errors import shown
from byhand.metrics.conventions import CHOICES
from byhand.metrics.measure_names import measure_named
from byhand.reports import words
from byhand.reports.data import attrs_of
from byhand.statistics.intervals import CAUTIONS
from byhand.widgets import embed
from byhand.words import (
    ENGLISH,
    catalog,
    listed,
    localised,
    padded,
    said_by,
    spoken,
    text_width,
)


def page(
    *,
    title: str,
    body: str,
    head: str = "",
    contents: str = "",
    foot: str = "",
    style: str | None = None,
    script: Path | None = None,
    language: str = ENGLISH,
    alternates: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A whole page of HTML in its parts: `head`, `contents` that lead to others, `body`, `foot`.

    Args:
        title: the title of the window.
        style: its style sheet; None for that of a report.
        script: its module, which starts the lists; None for one that does no more than that.
        language: of its words; `alternates` are the addresses of the page in others.

    Example:
        >>> html = page(title="<1>", body="<p>Hi</p>")
        >>> "<title>&lt;1&gt;</title>" in html, "<script" in html
        (True, False)
    """
    live, entry = embed.has_live(head + body), script or "page"
    runs = script or live
    return (
        templates(language)
        .get_template("page.html.j2")
        .render(
            title=title,
            body=body,
            head=head,
            contents=contents,
            foot=foot,
            language=language,
            alternates=alternates,
            source=embed.live_source(entry, language) if runs else "'none'",
            own=style is None,
            style=embed.tokens(face=True)
            + (_report_rules() if style is None else style)
            + (embed.style() if live else ""),
            script=embed.live_script(entry, language) if runs else "",
        )
    )


def report_style() -> str:
    """The style sheet of a report's sections, without the font."""
    return embed.tokens() + _report_rules()


@cache
def _report_rules() -> str:
    sheets = (files(__package__).joinpath(name) for name in ("page.css", "lists.css"))
    return "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)


def templates_of(package: str, words: NullTranslations) -> Environment:
    """The templates of HTML in a package: what is filled in is escaped, and nothing may lack."""
    made = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_translations(words, newstyle=True)
    return made


_NUMBERS = {
    "at_most": words.at_most,
    "count": "{:,}".format,
    "fixed": lambda value, digits: f"{value:.{digits}f}",
    "grade": lambda value: f"{value:g}".replace("-", "−"),
    "number": words.number,
    "p": words.p_shown,
    # whole numbers too long for a float may differ in the last digit only
    "score": lambda value: format(value, "d" if isinstance(value, int) else ".6g"),
    "share": words.share,
    "short_number": lambda value, digits=6: f"{value:.{digits}g}",
    "signed": partial(words.number, sign="+"),
}


@cache
def templates(language: str = ENGLISH) -> Environment:
    """The templates with the words of a language, and filters, which speak the one spoken."""
    made = templates_of("byhand.reports", catalog(language))

    def in_words(write: Callable[..., str], *asked: object, **options: object) -> str:
        return localised(write(*asked, **options))

    made.filters |= {name: partial(in_words, write) for name, write in _NUMBERS.items()}
    made.filters |= {
        "alive": lambda state, still: Markup(embed.live_html(state, still)),
        "caution": lambda shown: said_by(shown, CAUTIONS),
        "base": lambda measure: measure_named(measure).name,
        "both": lambda parts: Markup(listed([*map(escape, parts)])),
        "by_rank": lambda run: any("minus the rank" in n for n in attrs_of(run).get("notes", [])),
        "ends": lambda row: [row.get("mean", row.get("difference")), row["low"], row["high"]],
        # a page goes to others: they need the name of a file, not where it lies
        "kind": lambda table: attrs_of(table).get("format"),
        "file": lambda table: Path(attrs_of(table).get("file", "")).name,
        "line": lambda text: Markup(re.sub(r"[ \n]+", " ", str(text)).strip()),
        "order": lambda option: spoken(CHOICES["ties"].brief[option]),
        "records": lambda table: table.to_dict("records"),
        "short": words.short,
        "shown": shown,
        "spoken": spoken,
        "said_of": _said_of,
    }
    made.tests |= {"nan": pd.isna, "web": _of_the_web}
    return made


def _said_of(said: Mapping[str, str]) -> list[tuple[Markup, str]]:
    found = words.said_of({escape(what): text for what, text in said.items()})
    return [(Markup(what), text) for what, text in found.items()]


def _of_the_web(url: str) -> bool:
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def plain(html: str) -> str:
    """What HTML says, for a terminal: a table in columns, of what opens its first lines.

    Example:
        >>> print(plain("<p>a <b>b</b></p><table><tr><th>n</th></tr><tr><td>10</td></tr></table>"))
        a b
        n
        10
    """
    parser = _Plain()
    parser.feed(html)
    parser.end_line()
    return "\n".join(parser.lines)


class _Plain(HTMLParser):
    """Lines and tables out of HTML of ours, in which whatever is opened is closed."""

    _LINES = frozenset(
        ("p", "div", "h1", "h2", "h3", "li", "dt", "summary", "details", "caption", "figcaption")
    )
    _EMPTY = frozenset(("br", "img", "meta", "line"))
    _OUT = frozenset(("style", "script", "svg"))

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._line: list[str] = []
        self._table: list[list[tuple[str, bool]]] = []
        # of each open tag, whether it is left out, and how many around it open only when asked to
        self._open: list[tuple[bool, int]] = [(False, 0)]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in self._EMPTY:
            self._line.append(" " * (tag == "br"))
            return
        named, (out, opens) = dict(attributes), self._open[-1]
        opens += tag == "details" and "data-said" not in named
        out = out or tag in self._OUT or "data-apart" in named or opens > (tag != "table")
        self._open.append((out, opens))
        if out:
            return
        if tag in self._LINES:
            self.end_line()
            self._line += ["\n"] * (tag == "h2" and bool(self.lines)) + ["- "] * (tag == "li")
        elif tag == "table":
            self.end_line()
            self._table = []
        elif tag == "tr":
            self._table.append([])
        elif tag in ("td", "th"):
            self._line = []
            self._right = bool({"n", "r"} & {*(named.get("class") or "").split()})

    def handle_endtag(self, tag: str) -> None:
        if tag in self._EMPTY or self._open.pop()[0]:
            return
        if tag in ("td", "th"):
            self._table[-1].append((self._joined(), self._right))
            self._line = []
        elif tag == "table":
            self.lines += _columns(self._table)
        elif tag in self._LINES:
            self.end_line()

    def handle_data(self, data: str) -> None:
        if not self._open[-1][0]:
            self._line.append(data)

    def _joined(self) -> str:
        return " ".join("".join(self._line).split())

    def end_line(self) -> None:
        if line := self._joined():
            self.lines += [""] * self._line[0].startswith("\n") + [line]
        self._line = []


def _columns(rows: list[list[tuple[str, bool]]]) -> list[str]:
    """The lines of a table, what is right-aligned to the right."""
    widths = [max(text_width(text) for text, _ in column) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            padded(text, columns, right=right)
            for (text, right), columns in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
