"""What a query or an item says: always text, cut to what one reads at a glance."""

from collections.abc import Iterable, Mapping
from html import escape
from urllib.parse import urlsplit

from byhand.figures import name_html
from byhand.files.texts import Text

_SHORT, _QUERY, _LONG = 60, 160, 500  # characters


def short(text: Text) -> str:
    """The title, or else the beginning of the text."""
    return _cut(text.title or text.text, _SHORT)


def asked_html(text: Text | None) -> str:
    """What a query asks, to stand behind its name; nothing if that is not known."""
    return f" “{name_html(_cut(text.text, _QUERY))}”" if text else ""


def texts_html(items: Iterable[str], docs: Mapping[str, Text]) -> str:
    """What items say, each in a line that opens, all behind one that does; nothing if no text."""
    texts = [f"<li>{_text_html(item, docs[item])}</li>" for item in items if item in docs]
    if not texts:
        return ""
    listed = f"<ul style='list-style:none;padding-left:1em'>{''.join(texts)}</ul>"
    return f"<details><summary>What these items say</summary>{listed}</details>"


def _text_html(item: str, text: Text) -> str:
    head, body = short(text), _cut(text.text, _LONG)
    named = f"<b>{name_html(item)}</b> {name_html(head)}"
    link = f"<p>{_link_html(text.url)}</p>" * bool(text.url)
    if not link and body in (head, ""):
        return named
    return f"<details><summary>{named}</summary><p>{name_html(body)}</p>{link}</details>"


def _link_html(url: str) -> str:
    """An address as a link, if it is one of the web."""
    shown = name_html(_cut(url, _QUERY))
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return shown
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return shown
    return f'<a href="{escape(url.strip())}" rel="noopener noreferrer">{shown}</a>'


def _cut(text: str, most: int) -> str:
    """The beginning of a text in one line, cut between words if there is more."""
    line = " ".join(text[: 4 * most].split())
    if len(line) <= most:
        return line
    return f"{line[:most].rpartition(' ')[0] or line[:most]} …"
