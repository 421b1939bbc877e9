"""Any table of a file row by row, with the names that it has: never held in memory as a whole."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING

import pyarrow as pa

from helpers.files import json_lines, parquet
from helpers.files.aliases import plain
from helpers.files.file import HEAD, File
from helpers.files.lines import DELIMITERS, csv_reader, decoded, first_lines

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

_STEP = 1 << 20  # bytes of a text file that are looked at in one go
_ROWS = 1 << 10  # rows of a Parquet file
_TOPIC = re.compile(r"<top(?:ic)?\b([^>]*)>(.*?)</top(?:ic)?>", re.DOTALL | re.IGNORECASE)
_FIELD = re.compile(r"<(\w+)[^>]*>([^<]*)")
_NUMBER = re.compile(r"""(?:number|id)\s*=\s*["']([^"']*)["']""", re.IGNORECASE)
TOPIC = ("num", "title", "desc", "narr")
"""What a topic of TREC has."""


@dataclass(frozen=True)
class NamedRows:
    """A table that can be gone through as often as one likes.

    Attributes:
        file: where it is.
        names: what its columns are called; numbers from 0 where they have no names.
        kind: what kind of file it is, in words.
        delimiter: what separates the columns of a text, or None.
        header: whether the first line names them.
    """

    file: File
    names: tuple[str, ...]
    kind: str
    delimiter: str | None = None
    header: bool = True

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """The text of some columns, row by row; what is missing is empty.

        Args:
            columns: names out of `names`.

        Raises:
            DataError: a file that is torn, or changes while it is read.
        """
        with self.file.unchanged():
            yield from _READERS[self.kind](self, columns)


def named_rows(path: str | PathLike[str], known: Sequence[str]) -> NamedRows:
    """What a look at the beginning of a file tells of its table.

    Args:
        path: a file as `read_run` takes it; TREC topics are a table with the columns `TOPIC`.
        known: plain names, of which a first line that names columns holds at least one.

    Raises:
        DataError: a file of no format that is read.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "docs.tsv")
        ...     _ = path.write_text("d1\\tA cat\\nd2\\tA dog\\n")
        ...     table = named_rows(path, ["docid"])
        ...     table.names, list(table.rows(["0", "1"]))
        (('0', '1'), [('d1', 'A cat'), ('d2', 'A dog')])
    """
    file = File.at(path)
    if parquet.recognises(file):
        with _parquet(file) as table:
            return NamedRows(file, tuple(table.schema_arrow.names), "Parquet")
    if not file.is_text:
        raise file.refusal()
    if re.match(rb"\s*\[?\s*\{", file.head):
        some = [_object(file, *line) for line in islice(file.filled_lines(HEAD), 20)]
        return NamedRows(
            file, tuple(dict.fromkeys(name for row in some for name in row)), "JSON Lines"
        )
    if re.search(rb"<top(ic)?\b", file.head, re.IGNORECASE):
        return NamedRows(file, TOPIC, "TREC topics")
    first = first_lines(file)[0]
    delimiter = max(DELIMITERS, key=lambda each: len(_fields(first, each)))
    fields = tuple(name.strip() for name in _fields(first, delimiter))
    if len(fields) > 1 and not {plain(name) for name in fields} & {*known}:
        return NamedRows(file, tuple(map(str, range(len(fields)))), "CSV", delimiter, False)
    return NamedRows(file, fields, "CSV", delimiter)


def _fields(line: str, delimiter: str) -> list[str]:
    return next(csv_reader([line], delimiter))


def _parquet(file: File) -> "ParquetFile":
    """A Parquet file that is read page by page."""
    import pyarrow.parquet as pq

    source: object = file.path
    if file.gzipped or file.content:
        with file.open() as handle:
            source = pa.py_buffer(handle.read())
    try:
        return pq.ParquetFile(source, buffer_size=_STEP, pre_buffer=False)
    except parquet.BROKEN as error:
        raise parquet.torn(file, error) from None


def _parquet_rows(table: NamedRows, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    with _parquet(table.file) as source:
        try:
            batches = source.iter_batches(_ROWS, columns=list(columns), use_threads=False)
            for batch in batches:
                read = (batch.column(name).to_pylist() for name in columns)
                for row in zip(*read, strict=True):
                    yield tuple(map(_text, row))
        except parquet.BROKEN as error:
            raise parquet.torn(table.file, error) from None


def _json_rows(table: NamedRows, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for number, line in table.file.filled_lines(_STEP):
        row = _object(table.file, number, line)
        yield tuple(_text(row.get(name)) for name in columns)


def _object(file: File, number: int, line: bytes) -> dict[str, object]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return json_lines.object_of(file, number, line)  # says what is wrong with it
    return row if isinstance(row, dict) else json_lines.object_of(file, number, line)


def _csv_rows(table: NamedRows, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    places = [table.names.index(name) for name in columns]
    lines = (decoded(table.file, line, number) for number, line in table.file.lines(_STEP))
    reader = csv_reader(lines, table.delimiter)
    named = not table.header
    for row in reader:
        if named and row:
            yield tuple(row[place].strip() if place < len(row) else "" for place in places)
        named = named or any(map(str.strip, row))


def _topics(table: NamedRows, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    text = b"".join(table.file.blocks()).decode(errors="replace")
    for attributes, inside in _TOPIC.findall(text):
        found = {
            name.lower(): " ".join(unescape(value).split())
            for name, value in _FIELD.findall(inside)
        }
        number = _NUMBER.search(attributes)
        if number:
            found["num"] = number[1]
        found["num"] = found.get("num", "").removeprefix("Number:").strip()
        found["title"] = found.get("title") or found.get("query", "")
        yield tuple(found.get(name, "") for name in columns)


def _text(value: object) -> str:
    """A value as text; nothing for what is none."""
    if value is None or isinstance(value, dict | list):
        return ""
    return value if isinstance(value, str) else str(value)


_READERS = {
    "Parquet": _parquet_rows,
    "JSON Lines": _json_rows,
    "CSV": _csv_rows,
    "TREC topics": _topics,
}
