"""Topics of TREC: queries between tags, as in SGML or XML."""

import re
from collections.abc import Iterator
from html import unescape

import pyarrow as pa

from byhand.columns import Wanted
from byhand.errors import DataError
from byhand.files.file import File
from byhand.files.format import Layout
from byhand.files.header import Columns, Given, not_of_words
from byhand.files.lines import decoded

_BEGINS = re.compile(r"<top(?:ic)?\b", re.IGNORECASE)
_TOPIC = re.compile(r"<top(?:ic)?\b([^>]*)>(.*?)</top(?:ic)?>", re.DOTALL | re.IGNORECASE)
_FIELD = re.compile(r"<(\w+)[^>]*>([^<]*)")
_NUMBER = re.compile(r"""(?:number|id)\s*=\s*["']([^"']*)["']""", re.IGNORECASE)


def recognises(file: File) -> bool:
    """Whether the content begins with a tag, and holds the one that begins a topic."""
    begins = file.is_text and file.head.lstrip().startswith(b"<")
    return begins and bool(_BEGINS.search(file.head.decode(errors="replace")))


def find(file: File, wanted: Wanted, given: Given) -> Layout:
    """The one way in which topics hold queries.

    Raises:
        DataError: something else is wanted.
    """
    if wanted.needs != ("query_id", "text"):
        raise not_of_words(f"{file.name} holds topics of TREC, which are queries", wanted)
    return Layout("TREC topics", Columns({"query_id": 0, "text": 1}, ("num", "title")))


def batches(file: File, layout: Layout) -> Iterator[pa.Table]:
    """The number and the title of each topic.

    Raises:
        DataError: bytes that are not UTF-8, or a topic that does not end.
    """
    text = "".join(decoded(file, line, number) for number, line in file.lines())
    topics = _TOPIC.findall(text)
    if len(topics) != (begun := len(_BEGINS.findall(text))):
        raise DataError(
            f"{file.name} begins {begun:,} topics and ends {len(topics):,}. Expected </top> or "
            "</topic> behind each: was the file written, or copied, to its end?"
        )
    numbers, titles = zip(*(_topic(*each) for each in topics), strict=True)
    yield pa.table({"query_id": pa.array(numbers, pa.large_string()), "text": pa.array(titles)})


def place(file: File, layout: Layout, row: int) -> str:
    """Which topic a row is."""
    return f"topic {row + 1}"


def _topic(attributes: str, inside: str) -> tuple[str, str]:
    """The number of a topic, and its title."""
    found = {
        name.lower(): " ".join(unescape(value).split()) for name, value in _FIELD.findall(inside)
    }
    number = _NUMBER.search(attributes)
    number = number[1] if number else found.get("num", "").removeprefix("Number:").strip()
    return number, found.get("title") or found.get("query", "")
