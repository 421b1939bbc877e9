"""The widgets as a browser gets them: one module, one style sheet, a place on a page for each.

Nothing here needs a notebook: a page has its live lists from the base install.
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

LIVE = "application/vnd.ranking-metrics.live+json"  # an output that a page can bring to life
_HERE = Path(__file__).parent
_BROWSER = _HERE / "browser"
_SHARED = ("browser", "list", "draws")  # folders of what widgets have in common
_MARK = "data-live='"  # text and attributes are escaped, so nothing else on a page reads like this
_IMPORT = re.compile(r'^import (\{[^}]+\}|\w+) from "([./\w]+)"[^;]*;\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_VIEWS = _HERE / "VIEWS"  # stands for the views of all widgets, which is no file


def module(entry: str | Path = "notebook", language: str | None = None) -> str:
    """The ES module `browser/{entry}.js`, or that file, and in it all that it imports.

    One piece, because a notebook server does not serve that folder, and a page has no server and
    a policy that knows one script by its hash. Each file keeps a scope of its own. The words are
    those of a language, the one that is spoken if none is given, and stand there as `WORDS`; the
    view of each folder that has a `view.js` is in `VIEWS`.
    """
    with spoken.speaking(language or spoken.language()):
        said = phrases.phrases_json()
    return _assembled(entry if isinstance(entry, Path) else _BROWSER / f"{entry}.js", said)


@cache
def _assembled(path: Path, said: str) -> str:
    """The words, and a file with what it imports."""
    pieces: dict[Path, str] = {}
    code = _code_of(path, pieces)  # whose exports are those of the module
    return "\n".join([f"const WORDS = {said};", *pieces.values(), code])


def _code_of(path: Path, pieces: dict[Path, str]) -> str:
    """The code of a file, when each that it imports is among the pieces."""
    code = path.read_text(encoding="utf-8")
    for _, name in _IMPORT.findall(code):
        _add(path.parent / name, pieces)
    if path == _BROWSER / "main.js":
        views = {each.parent.name: _add(each, pieces) for each in sorted(_HERE.glob("*/view.js"))}
        listed = ", ".join(f"{name}: {scope}.view" for name, scope in views.items())
        pieces[_VIEWS] = f"const VIEWS = {{ {listed} }};"

    def taken(found: re.Match) -> str:
        names = found[1].replace(" as ", ": ")
        return f"const {names} = {_scope(path.parent / found[2])};\n"

    return _IMPORT.sub(taken, code)


def _add(path: Path, pieces: dict[Path, str]) -> str:
    """Let a file be one of the pieces, and say what its exports are called among them."""
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
    """The look of every widget, by those tokens: what all have, what some share, what one has."""
    return "".join(map(sheet, sorted(_HERE.glob("*/*.css"), key=_order_of)))


def _order_of(sheet: Path) -> tuple[int, bool, Path]:
    """Where a sheet stands: a rule of a later one wins over an earlier one."""
    folder = sheet.parent.name
    shared = _SHARED.index(folder) if folder in _SHARED else len(_SHARED)
    return shared, sheet.stem != "live", sheet


def live_html(state: Mapping[str, object], still: str) -> str:
    """A place where a browser starts a widget from its `page_state`, and beside it what is `still`.

    That stands there until then: without JavaScript, and on paper.

    Example:
        >>> print(live_html({"k": "<'>"}, "<img>"))
        <div class="live"><div data-live='{"k":"&lt;&#x27;&gt;"}'></div><img></div>
    """
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    inside = escape(text, quote=False).replace("'", "&#x27;")  # JSON is full of the other quote
    return f"""<div class="live"><div {_MARK}{inside}'></div>{still}</div>"""


def has_live(html: str) -> bool:
    """Whether there is a widget to start in some HTML."""
    return _MARK in html


def live_script(entry: str | Path = "page", language: str | None = None) -> str:
    """The module that starts every widget of its page, as an element."""
    return f'<script type="module">{module(entry, language)}</script>'


def live_source(entry: str | Path = "page", language: str | None = None) -> str:
    """How a content policy names that module, and with it nothing else."""
    digest = hashlib.sha256(module(entry, language).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
