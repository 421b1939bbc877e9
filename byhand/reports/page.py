"""A page around its content: one file that asks no host for anything.

The one script that it may run is the module that brings its lists to life, known by its hash.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from byhand.reports.rendering import templates
from byhand.theme import sheet, tokens
from byhand.widgets import embed
from byhand.words import ENGLISH


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
            style=tokens(face=True)
            + (_report_rules() if style is None else style)
            + (embed.style() if live else ""),
            script=embed.live_script(entry, language) if runs else "",
        )
    )


def report_style() -> str:
    """The style sheet of a report's sections, without the font, as each of them holds all of it."""
    return " ".join((tokens() + _report_rules()).split())


@cache
def _report_rules() -> str:
    return sheet(Path(__file__).with_name("report.css"))
