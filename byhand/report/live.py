"""Widgets on a page: their state, what stands there without JavaScript, and the one module."""

import base64
import hashlib
import json
from collections.abc import Mapping
from html import escape

from byhand.widgets.live import page_module

_MARK = "data-live='"  # text and attributes are escaped, so nothing else on a page reads like this


def live_html(state: Mapping[str, object], still: str) -> str:
    """A place where a browser starts a widget, and beside it what stands there until then.

    That is what shows without JavaScript, and what is printed.

    Args:
        state: what `page_state` of the widget gives.
        still: the HTML of a picture or a table of it.

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


def live_script() -> str:
    """The module that starts every widget of its page, as an element."""
    return f'<script type="module">{page_module()}</script>'


def live_source() -> str:
    """How a content policy names that module, and with it nothing else.

    Example:
        >>> live_source()[:8]
        "'sha256-"
    """
    digest = hashlib.sha256(page_module().encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
