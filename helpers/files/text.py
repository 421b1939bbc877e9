"""Rows of text, one a line, parsed by pyarrow: what TREC files, CSV and TSV share.

pyarrow parses block after block. A block that it refuses, or whose rows are not one a line, sends
the whole file through Python's own parsers, which are exact and know every line's number.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from helpers.errors import DataError
from helpers.files.columns import Wanted, find_columns
from helpers.files.file import File
from helpers.files.format import Layout

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_BLANKS = re.compile(r"[ \t]+")
_STEP = 1 << 18
_ROWS = 100_000
_AT_ONCE = 1 << 22  # bytes that one of pyarrow's threads takes


class NotPlainError(Exception):
    """pyarrow alone cannot be trusted with this file."""


@dataclass(frozen=True)
class TextLayout(Layout):
    """How a text file holds its columns.

    Attributes:
        delimiter: what separates them; None: any mix of blanks and tabs.
        header: whether the first line that is not blank names the columns.
    """

    delimiter: str | None
    header: bool

    @property
    def width(self) -> int:
        """How many fields a line has."""
        return len(self.columns.names)


def first_lines(file: File) -> list[str]:
    """Up to 50 lines of the file's head that are not blank.

    Raises:
        DataError: bytes that are not UTF-8.
    """
    lines = [(n, line) for n, line in enumerate(file.head.splitlines(), start=1) if line.strip()]
    if len(lines) > 1 and not file.head.endswith((b"\n", b"\r")):
        lines.pop()  # it may go on behind the head; the parsers will see it whole
    return [decoded(file, line, number) for number, line in lines[:50]]


def decoded(file: File, line: bytes, number: int) -> str:
    """A line as text.

    Raises:
        DataError: bytes that are not UTF-8.
    """
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        near = line[max(error.start - 10, 0) : error.start + 10].decode("latin-1")
        raise DataError(
            f"{file.name}, line {number} holds the byte 0x{line[error.start]:02x}, which is not "
            f"UTF-8 text. Read as Latin-1 it would be {near!r}; if that looks right, save the "
            "file as UTF-8 (in a spreadsheet: CSV UTF-8)."
        ) from None


def fields_of(line: str, delimiter: str | None) -> list[str]:
    """The fields of one line, without the blanks around them."""
    if delimiter is None:
        return _BLANKS.split(line.strip(" \t"))
    return [name.strip() for name in next(csv.reader([line], delimiter=delimiter))]


def is_number(text: str) -> bool:
    """Whether a field holds a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def counted(
    file: File, wanted: Wanted, given: dict[object, str], first: str, delimiter: str | None
) -> TextLayout:
    """The layout of a file without names, whose columns the user counted from 0.

    Raises:
        DataError: a column is missing, or counted beyond the last.
    """
    names = [str(place) for place in range(len(fields_of(first, delimiter)))]
    columns = find_columns(names, wanted, given, file.name)
    separated = DELIMITERS.get(delimiter, "blanks")
    return TextLayout(f"text without a header, separated by {separated}", columns, delimiter, False)


def read(file: File, layout: TextLayout) -> dict[str, pa.ChunkedArray]:
    """Our columns: ids and grades as text; scores as numbers if all are, else as text.

    Raises:
        DataError: a line that has too few or too many fields, is no UTF-8, or opens a quote that
            it does not close.
    """
    for number in (pa.float64(), pa.large_string()):
        try:
            return joined(_parse(block, layout, number) for block in _bodies(file, layout))
        except (pa.ArrowInvalid, NotPlainError):
            continue
    return joined(_exact_tables(file, layout))


def joined(tables: Iterable[pa.Table]) -> dict[str, pa.ChunkedArray]:
    """The columns of tables that follow each other."""
    if not (tables := list(tables)):
        return {}
    table = pa.concat_tables(tables)
    return dict(zip(table.column_names, table.columns, strict=True))


def _bodies(file: File, layout: TextLayout) -> Iterator[bytes]:
    """The blocks of a file behind its header."""
    header = layout.header
    for block in file.blocks():
        while header and block:
            line, _, block = block.partition(b"\n")
            header = not line.strip()
        if block:
            yield block


def _parse(block: bytes, layout: TextLayout, number: pa.DataType) -> pa.Table:
    delimiter = layout.delimiter
    if delimiter is None:
        delimiter, block = _one_separator(block)
    names = [str(place) for place in range(layout.width)]
    for ours, place in layout.columns.positions.items():
        names[place] = ours
    ours = list(layout.columns.positions)
    types = {name: number if name in ("score", "rank") else pa.large_string() for name in ours}
    quoted = layout.delimiter is not None and b'"' in block
    if quoted and not _plainly_quoted(block, delimiter):
        raise NotPlainError
    table = pacsv.read_csv(
        pa.BufferReader(block),
        pacsv.ReadOptions(column_names=names, block_size=_AT_ONCE),
        pacsv.ParseOptions(delimiter=delimiter, quote_char='"' if quoted else False),
        pacsv.ConvertOptions(
            column_types=types,
            include_columns=ours,
            null_values=[],
            strings_can_be_null=False,
        ),
    )
    if number == pa.float64():
        for name in {"score", "rank"} & set(ours):
            if not pc.all(pc.is_finite(table[name])).as_py():
                raise NotPlainError  # as text, so that a message can quote it
    return table


def _one_separator(block: bytes) -> tuple[str, bytes]:
    """The one character between the fields of a TREC block, after making it one where it is not.

    Once nothing doubles, begins or ends a line, pyarrow's fields are those between blanks.
    """
    tabs, blanks, doubled = _separators(block)
    if tabs and (blanks or doubled):
        block = block.replace(b"\t", b" ")
    if doubled:
        block = block.replace(b"\r\n", b"\n")
        while b"  " in block:
            block = block.replace(b"  ", b" ")
        block = block.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")
    return "\t" if tabs and not (blanks or doubled) else " ", block


def _plainly_quoted(block: bytes, delimiter: str) -> bool:
    """Whether quotes only stand around whole fields, each on one line, or doubled inside them.

    pyarrow takes any other quote for something, and never says so.
    """
    data = np.frombuffer(block, np.uint8)
    line_end, quote = (data == 10) | (data == 13), data == 34
    quotes = np.flatnonzero(quote)
    opening, closing = quotes[::2], quotes[1::2]
    # of a doubled quote the first seems to close and the second to open: side by side
    beside = np.concatenate([[True], line_end | quote | (data == ord(delimiter)), [True]])
    if len(opening) != len(closing) or not (beside[opening].all() and beside[closing + 2].all()):
        return False
    ends = np.flatnonzero(line_end)
    return bool((np.searchsorted(opening, ends) == np.searchsorted(closing, ends)).all())


def _separators(block: bytes) -> tuple[bool, bool, bool]:
    """Whether a block holds tabs, holds blanks, or has any two separators side by side."""
    tabs = blanks = doubled = False
    data = np.frombuffer(block, np.uint8)
    for start in range(0, len(data), _STEP):  # small enough to stay in the cache
        step = data[start : start + _STEP + 1]
        low = step <= 32
        doubled = doubled or bool((low[1:] & low[:-1]).any())
        tabs = tabs or bool((step == 9).any())
        blanks = blanks or bool((step == 32).any())
    return tabs, blanks, doubled or block[:1] in (b" ", b"\t") or block[-1:] in (b" ", b"\t")


def _exact_rows(file: File, layout: TextLayout) -> Iterator[tuple[int, list[str]]]:
    """Every row with the number of its line, by Python's own parsers.

    Raises:
        DataError: as `read`.
    """
    lines = ((n, decoded(file, line, n)) for n, line in file.lines())
    if layout.delimiter is None:
        rows = ((number, fields_of(line, None)) for number, line in lines)
    else:
        rows = _csv_rows(file, layout.delimiter)
    for place, (number, fields) in enumerate(rows):
        if place == 0 and layout.header:
            continue
        if len(fields) != layout.width:
            raise _ragged(file, layout, number, fields)
        yield number, fields


def _csv_rows(file: File, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    with file.open() as handle:
        lines = (decoded(file, line, n) for n, line in enumerate(handle, start=1))
        # without its byte order mark
        lines = (line.removeprefix("\ufeff") if n == 0 else line for n, line in enumerate(lines))
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        first = 1
        while True:
            try:
                fields = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                opened = f"line {first}" + (
                    f" to {reader.line_num}" if reader.line_num > first else ""
                )
                raise DataError(
                    f"{file.name}, {opened}: {error}. A quoted field ends with a quote before "
                    f"the next {delimiter!r} or the line's end; a quote inside it is doubled. "
                    "Mend that line."
                ) from None
            if fields:
                yield first, fields
            first = reader.line_num + 1


def _ragged(file: File, layout: TextLayout, number: int, fields: Sequence[str]) -> DataError:
    few = f"{len(fields)} field" + "s" * (len(fields) != 1)
    if "TREC" in layout.kind:
        form = " ".join(layout.columns.names)
        expected = f"A line of {layout.kind} has {layout.width}: {form!r}"
    else:
        source = "its header" if layout.header else "the first line"
        expected = f"Expected {layout.width}, as in {source}"
    shown = " ".join(fields) if layout.delimiter is None else layout.delimiter.join(fields)
    mend = "Mend that line" + ("; its ids hold no blanks." if layout.delimiter is None else ".")
    return DataError(f"{file.name}, line {number} has {few}: {shown[:80]!r}. {expected}. {mend}")


def _exact_tables(file: File, layout: TextLayout) -> Iterator[pa.Table]:
    rows = _exact_rows(file, layout)
    places = layout.columns.positions
    while some := list(islice(rows, _ROWS)):
        yield pa.table(
            {
                ours: pa.array([fields[place] for _, fields in some], pa.large_string())
                for ours, place in places.items()
            }
        )


def place(file: File, layout: TextLayout, row: int) -> str:
    """Which line a row begins in."""
    number, _ = next(islice(_exact_rows(file, layout), row, None))
    return f"line {number}"
