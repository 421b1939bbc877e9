"""The widgets for a browser: one module, one style sheet, and an HTML element for each.

This file needs only the base install, without the packages for notebooks.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

from byhand import words as spoken
from byhand.theme import sheet
from byhand.widgets import phrases

LIVE = "application/vnd.ranking-metrics.live+json"  # output type that a page can run
_HERE = Path(__file__).parent
_BROWSER = _HERE / "browser"
_SHARED = ("browser", "list", "draws")  # folders that widgets share
_MARK = "data-live='"  # unique on a page, because text and attributes are escaped
_IMPORT = re.compile(r'^import (\{[^}]+\}|\w+) from "([./\w]+)"[^;]*;\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_VIEWS = _HERE / "VIEWS"  # key for the list of all views, not a file


def module(entry: str | Path = "notebook", language: str | None = None) -> str:
    """Return the ES module of an entry with all its imports.

    One module suits notebook servers, pages without a server, and a content policy with one hash.
    Each file has its own scope. `WORDS` has the words, and `VIEWS` each folder's `view.js`.

    Args:
        entry: name of a file `browser/{entry}.js`, "notebook" by default; or a path.
        language: code of the language; the current one by default.
    """
    with spoken.speaking(language or spoken.language()):
        words = phrases.phrases_json()
    return _assembled(entry if isinstance(entry, Path) else _BROWSER / f"{entry}.js", words)


@cache
def _assembled(path: Path, words: str) -> str:
    """Return the words, and a file with its imports."""
    pieces: dict[Path, str] = {}
    code = _code_of(path, pieces)  # keeps its exports
    return "\n".join([f"const WORDS = {words};", *pieces.values(), code])


def _code_of(path: Path, pieces: dict[Path, str]) -> str:
    """Return the code of a file, after adding its imports to the pieces."""
    code = path.read_text(encoding="utf-8")
    for _, name in _IMPORT.findall(code):
        _add(path.parent / name, pieces)
    if path == _BROWSER / "main.js":
        views = {each.parent.name: _add(each, pieces) for each in sorted(_HERE.glob("*/view.js"))}
        listed = ", ".join(f"{name}: {scope}.view" for name, scope in views.items())
        pieces[_VIEWS] = f"const VIEWS = {{ {listed} }};"

    def assignment(found: re.Match) -> str:
        names = found[1].replace(" as ", ": ")
        return f"const {names} = {_scope(path.parent / found[2])};\n"

    return _IMPORT.sub(assignment, code)


def _add(path: Path, pieces: dict[Path, str]) -> str:
    """Add a file to the pieces and return the variable with its exports."""
    source = path.resolve()
    if source not in pieces:
        inner = _code_of(source, pieces)
        if source.suffix != ".json":
            names, inner = ", ".join(_EXPORT.findall(inner)), _EXPORT.sub("", inner)
            inner = f"(() => {{\n{inner}return {{ {names} }};\n}})()"
        pieces[source] = f"const {_scope(source)} = {inner};"
    return _scope(source)


def _scope(path: Path) -> str:
    *_, folder, name = path.resolve().with_suffix("").parts
    return f"${folder}_{name}"


@cache
def style() -> str:
    """Return the style sheets of all widgets, shared ones first."""
    return "".join(map(sheet, sorted(_HERE.glob("*/*.css"), key=_order_of)))


def _order_of(sheet: Path) -> tuple[int, bool, Path]:
    """Return the sort key of a sheet; later rules override earlier ones."""
    folder = sheet.parent.name
    shared = _SHARED.index(folder) if folder in _SHARED else len(_SHARED)
    return shared, sheet.stem != "live", sheet


def live_html(state: Mapping[str, object], still: str) -> str:
    """Return an HTML element for a widget with a `page_state`, and its `still` picture.

    The picture is shown until the widget starts, if JavaScript is off, and in print.

    Example:
        >>> print(live_html({"k": "<'>"}, "<img>"))
        <div class="live"><div data-live='{"k":"&lt;&#x27;&gt;"}'></div><img></div>
    """
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    inside = escape(text, quote=False).replace("'", "&#x27;")  # JSON uses double quotes
    return f"""<div class="live"><div {_MARK}{inside}'></div>{still}</div>"""


def has_live(html: str) -> bool:
    """Return whether HTML contains a widget."""
    return _MARK in html


def live_script(entry: str | Path = "page", language: str | None = None) -> str:
    """Return the script element that starts all widgets of a page."""
    return f'<script type="module">{module(entry, language)}</script>'


def live_source(entry: str | Path = "page", language: str | None = None) -> str:
    """Return the source (a hash) of the module for the Content-Security-Policy."""
    digest = hashlib.sha256(module(entry, language).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
