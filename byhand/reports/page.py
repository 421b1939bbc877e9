"""An HTML page in one file that loads nothing from a server.

Its content policy allows one script by hash: the module of the live lists.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from byhand.reports.rendering import templates
from byhand.theme import base_style, sheet
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
    """Return a whole HTML page.

    Args:
        title: title of the window.
        body, head, contents, foot: HTML of the parts; `contents` has links to other parts.
        style: style sheet; that of a report by default.
        script: module that starts the lists; the standard one by default.
        language: language of the page; English by default.
        alternates: addresses of the page in other languages; none by default.

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
            style=base_style()
            + (_report_rules() if style is None else style)
            + (embed.style() if live else ""),
            script=embed.live_script(entry, language) if runs else "",
        )
    )


def report_style() -> str:
    """Return the style sheet of a section, without the font to save space."""
    return " ".join((base_style(face=False) + _report_rules()).split())


@cache
def _report_rules() -> str:
    return sheet(Path(__file__).with_name("report.css"))
