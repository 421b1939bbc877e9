"""Colours, type, space and motion of all that the project shows, and pictures that follow them."""

import base64
import re
from functools import cache
from html import escape
from pathlib import Path

_HERE = Path(__file__).parent
_TOKEN = re.compile(r"--([\w-]+): ([^;]+);")
_MIXED = {"hit", "hit-soft", "field", "ground", "ink"}  # tokens of which others are mixed
_FACE = "background:var(--ground);fill:var(--ink);font-family:system-ui,'Segoe UI',Roboto,"
_FACE += "'Noto Sans','Noto Sans KR',sans-serif"


def sheet(path: Path) -> str:
    """Return a style sheet in one line, without comments, because many outputs contain it."""
    text = path.read_text(encoding="utf-8")
    return " ".join(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).split())


@cache
def tokens() -> str:
    """Return the tokens of reports, pages and widgets."""
    return sheet(_HERE / "tokens.css")


@cache
def base_style(*, face: bool = True) -> str:
    """Return the tokens and the rules that reports, pages and widgets share, with the font."""
    return (sheet(_HERE / "face.css") if face else "") + tokens() + sheet(_HERE / "elements.css")


def themed(svg: str, alt: str, width: float) -> str:
    """Return an `<img>` of an SVG that uses the tokens; it follows the theme of its page.

    A notebook shows it even before it is trusted, and the styles of a page do not affect it.
    """
    used = {*re.findall(r"var\(--([\w-]+)\)", svg)} | _MIXED
    found = (f"--{name}: {value};" for name, value in _TOKEN.findall(tokens()) if name in used)
    look = f"<style>:root{{color-scheme:light dark;{''.join(found)}}}svg{{{_FACE}}}</style>"
    source = base64.b64encode(re.sub("(<svg[^>]*>)", rf"\1{look}", svg, count=1).encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{source}" width="{width:.0f}" alt="{escape(alt)}">'
