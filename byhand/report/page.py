"""A page around its content: one file that asks no host for anything.

The one script that it may run is the module that brings its widgets to life, known by its hash.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from pygments.formatters import HtmlFormatter

from byhand.widgets.embed import has_live, live_script, live_source, style
from helpers.markdown import Heading

# neither a script nor an address of another host, should one ever slip in, does anything
_POLICY = (
    "default-src 'none'; script-src {scripts}; img-src data:; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)
_STYLE = Path(__file__).with_name("page.css")


@dataclass(frozen=True, kw_only=True)
class Page:
    """What a page shows beside its content.

    Attributes:
        title: the title of the window.
        body: the content, as HTML.
        head: what stands above the contents, as HTML.
        headings: the headings to list; none of them for no list.
        foot: what stands at the end, as HTML.
    """

    title: str
    body: str
    head: str = ""
    headings: Sequence[Heading] = ()
    foot: str = ""

    def html(self) -> str:
        """The whole page.

        Example:
            >>> page = Page(title="<1>", body="<p>Hi</p>").html()
            >>> "<title>&lt;1&gt;</title>" in page, "<script" in page
            (True, False)
        """
        live = has_live(self.head + self.body)
        policy = _POLICY.format(scripts=live_source() if live else "'none'")
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(self.title)}</title>
<style>
{_style()}{style() if live else ""}</style>
</head>
<body>
<header>
{self.head}
</header>
{_contents(self.headings)}<main>
{self.body}
</main>
<footer>
{self.foot}
</footer>
{live_script() if live else ""}</body>
</html>
"""


def _contents(headings: Sequence[Heading]) -> str:
    listed = [heading for heading in headings if heading.level == 2]
    if not listed:
        return ""
    items = "".join(f'<li><a href="#{each.anchor}">{each.html}</a></li>\n' for each in listed)
    return (
        '<nav aria-label="Contents"><details open><summary>Contents</summary>\n'
        f"<ul>\n{items}</ul></details></nav>\n"
    )


def _style() -> str:
    light, dark = (
        HtmlFormatter(style=style, nobackground=True).get_style_defs(".code")
        for style in ("xcode", "github-dark")
    )
    own = _STYLE.read_text(encoding="utf-8")
    return (
        f"@media not all and (prefers-color-scheme: dark) {{\n{light}\n}}\n"
        f"@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n{own}"
    )
