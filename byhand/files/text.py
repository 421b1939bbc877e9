"""Lines of text into columns: what TREC files, CSV and TSV share.

pyarrow parses block after block. A block that it refuses, or whose rows are not one a line, sends
the rest of the file through Python's own parsers, which are exact and know every line's number.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from byhand.columns import Wanted, is_number
from byhand.errors import DataError
from byhand.files.file import BOM, HEAD, LONGEST, File
from byhand.files.header import Columns, Given, Layout, find_columns
from byhand.files.values import WHOLE
from byhand.parallel import in_threads

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
# bytes and rows that are looked at in one go, where nothing of them is kept
SMALL, FEW = 1 << 20, 1 << 10
ROWS = 100_000  # of Python's own at a time
_FIRST = 50  # lines that tell what a file is
_BLANKS = re.compile(r"[ \t]+")
_BEFORE = (b"\n#", b"\r#", b" #", b"\t#")  # many ids hold the sign, and few begin with it
_COMMENTS = re.compile(rb"(^|[\r\n])[ \t]*#[^\r\n]*")
_STEP = 1 << 18
_TORN_MARK = re.compile(r'[^\0-\x7f]{1,3}[{\[]\s*[{\["]')  # of byte order, before JSON
_AT_ONCE = 1 << 22  # bytes that one of pyarrow's threads takes


class NotPlainError(Exception):
    """pyarrow alone cannot be trusted with this file."""


class AgainError(Exception):
    """What was read so far does not fit what comes: read it all again, with another layout."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.layout = layout


@dataclass(frozen=True)
class TextLayout(Layout):
    """How a text file holds its columns.

    Attributes:
        delimiter: what separates them; None: any mix of blanks and tabs.
        header: how many lines stand before the first row: those that name the columns.
        quotes: whether a quote has a meaning; it is a letter like any other in text between tabs
            that no line of names tells to be written by a program for tables.
        numbers: whether scores are read as numbers, and not as the text that stands there.
        comments: how many lines of each block were comments, in a file of TREC.
        tails: the numbers of the lines that go on behind the last column, in a run of TREC.
    """

    delimiter: str | None
    header: int
    quotes: bool = True
    numbers: bool = True
    comments: list[int] = field(default_factory=list, compare=False, repr=False)
    tails: list[int] = field(default_factory=list, compare=False, repr=False)

    @property
    def width(self) -> int:
        """How many fields a line has."""
        return len(self.columns.names)

    @property
    def of_trec(self) -> bool:
        """Whether the rows are those of TREC, where a line may be a comment."""
        return "TREC" in self.kind

    @property
    def later(self) -> list[str]:
        """What was passed over, as trec_eval does."""
        notes = []
        if lines := sum(self.comments):
            many = "1 line begins" if lines == 1 else f"{lines:,} lines begin"
            notes.append(f"{many} with #: passed over as comments, as by trec_eval 10.")
        if self.tails:
            many, first = len(self.tails), self.tails[0]
            goes = f"Line {first} goes" if many == 1 else f"{many:,} lines, first line {first}, go"
            notes.append(f"{goes} on after the tag: passed over, as by trec_eval.")
        return notes


def laid_out(
    file: File, kind: str, columns: Columns, delimiter: str | None, header: int
) -> TextLayout:
    """A layout, with a note if the file may have been cut where nobody can see it."""
    read = {place: ours for ours, place in columns.positions.items()}
    last = read.get(len(columns.names) - 1)
    if last and file.last_byte not in b'\r\n"':
        may = "The last line has no line end: if the file was cut there, so may be its"
        note = f"{may} {columns.named(last)}."
        columns = replace(columns, notes=(*columns.notes, note))
    return TextLayout(kind, columns, delimiter, header)


def counted(
    file: File, wanted: Wanted, given: Given, width: int, delimiter: str | None
) -> TextLayout:
    """The layout of a file without names, whose columns the user counted from 0."""
    names = [*map(str, range(width))]
    columns = find_columns(names, wanted, given, file.name)
    separated = DELIMITERS.get(delimiter, "blanks")
    return laid_out(file, f"text without a header, separated by {separated}", columns, delimiter, 0)


def torn_json(file: File) -> bool:
    """Whether a text begins as JSON does, but for a byte order mark that an accident changed."""
    return bool(_TORN_MARK.match(file.head[:100].decode(errors="replace")))


def is_comment(line: str | bytes) -> bool:
    """Whether trec_eval 10 takes a line for a comment."""
    return line.lstrip()[:1] in ("#", b"#")


def first_lines(file: File, *, comments: bool = True) -> list[str]:
    """The first lines of a file that are not blank, with comments or without."""
    lines = file.filled_lines(HEAD)
    some = islice((each for each in lines if comments or not is_comment(each[1])), _FIRST)
    return [file.decoded(line, number) for number, line in some]


def first_rows(
    file: File, delimiter: str | None, *, after: int = 0, quotes: bool = True
) -> list[list[str]]:
    """The fields of the first rows, as far as their quotes are whole, after so many lines."""
    if delimiter is None:
        return [fields_of(line, None) for line in first_lines(file)]
    lines = islice(file.lines(HEAD), after, None)
    texts = (file.decoded(line, number) for number, line in lines)
    reader = csv_reader(texts, delimiter, quotes=quotes)
    rows = []
    with suppress(csv.Error):  # reading the rows says what is wrong
        while len(rows) < _FIRST and (row := next(reader, None)) is not None:
            fields = [field.strip() for field in row]
            rows += [fields] * any(fields)
    return rows


def fields_of(line: str, delimiter: str | None) -> list[str]:
    """The fields of one line, without the blanks around them."""
    if delimiter is None:
        return _BLANKS.split(line.strip(" \t"))
    return [name.strip() for name in next(csv_reader([line], delimiter))]


def csv_reader(
    lines: Iterable[str], delimiter: str, *, strict: bool = False, quotes: bool = True
) -> Any:
    """Python's own reader, for fields as long as a line may be."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST))
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    return csv.reader(lines, delimiter=delimiter, strict=strict, quoting=quoting)


def read(file: File, layout: TextLayout, *, few: bool = False) -> Iterator[pa.Table]:
    """Our columns, some rows at a time: ids and grades as text, scores as numbers if all are."""
    rows, numbered = 0, layout.numbers and {"score", "rank"} & {*layout.columns.positions}
    layout.comments.clear()
    try:
        blocks = _bodies(file, layout, SMALL if few else 0)
        for table in in_threads(lambda block: _parse(block, layout), blocks):
            yield table
            rows += len(table)
    except (pa.ArrowInvalid, NotPlainError):
        if numbered:
            raise AgainError(replace(layout, numbers=False)) from None
        layout.comments.clear()
        yield from _exact_tables(file, layout, after=rows, at_once=FEW if few else ROWS)


def place(file: File, layout: TextLayout, row: int) -> str:
    """Which line a row begins in."""
    number, _ = next(islice(_exact_rows(file, layout), row, None))
    return f"line {number}"


def _bodies(file: File, layout: TextLayout, size: int) -> Iterator[bytes | bytearray]:
    """The blocks of a file behind its header."""
    header = sum(len(line) for _, line in islice(file.lines(HEAD), layout.header))
    for block in file.blocks(size):
        if len(block) > header:
            yield block[header:] if header else block
        header = max(header - len(block), 0)


def _parse(block: bytes | bytearray, layout: TextLayout) -> pa.Table:
    delimiter = layout.delimiter
    comments = layout.of_trec and b"#" in block
    if comments and (block[:1] == b"#" or any(sign in block for sign in _BEFORE)):
        block, count = _COMMENTS.subn(rb"\1", block)
        layout.comments.append(count)
    if delimiter is None:
        delimiter, block = _one_separator(block)
    if block.startswith(BOM):
        block = BOM + block  # pyarrow takes one off every block
    names = [str(place) for place in range(layout.width)]
    for ours, place in layout.columns.positions.items():
        names[place] = ours
    ours = list(layout.columns.positions)
    number = pa.float64() if layout.numbers else pa.large_string()
    types = {name: number if name in ("score", "rank") else pa.large_string() for name in ours}
    quoted = layout.quotes and layout.delimiter is not None and b'"' in block
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
    refuse_rounded(table)
    return table


def refuse_rounded(table: pa.Table) -> None:
    """Send numbers that float64 may not hold as written back to be read as text.

    A message can quote them then, and long whole numbers keep their digits.
    """
    for name in {"score", "rank"} & set(table.column_names):
        numbers = table[name]
        floating = pa.types.is_floating(numbers.type)
        if floating and not pc.all(pc.less(pc.abs(numbers), WHOLE)).as_py():
            raise NotPlainError


def _one_separator(block: bytes | bytearray) -> tuple[str, bytes | bytearray]:
    """The one character between the fields of a TREC block, after making it one where it is not.

    Once nothing doubles, begins or ends a line, pyarrow's fields are those between blanks.
    """
    tabs, blanks, doubled = _separators(block)
    if tabs and (blanks or doubled):
        block = block.replace(b"\t", b" ")
    if doubled:
        block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        while b"  " in block:
            block = block.replace(b"  ", b" ")
        block = block.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")
    return "\t" if tabs and not (blanks or doubled) else " ", block


def _separators(block: bytes | bytearray) -> tuple[bool, bool, bool]:
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


def _plainly_quoted(block: bytes | bytearray, delimiter: str) -> bool:
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


def _exact_tables(
    file: File, layout: TextLayout, *, after: int, at_once: int
) -> Iterator[pa.Table]:
    """Our columns, all as text, of the rows after so many, some at a time."""
    rows = islice(_exact_rows(file, layout), after, None)
    while some := list(islice(rows, at_once)):
        yield pa.table(
            {
                ours: pa.array([fields[place] for _, fields in some], pa.large_string())
                for ours, place in layout.columns.positions.items()
            }
        )


def _exact_rows(file: File, layout: TextLayout) -> Iterator[tuple[int, list[str]]]:
    """Every row with the number of its line, without those that name the columns."""
    rows = csv_rows(file, layout) if layout.delimiter else _rows_of_trec(file, layout)
    layout.tails.clear()
    for number, fields in rows:
        if number <= layout.header:
            continue
        if layout.of_trec and _has_tail(fields, layout.width):
            layout.tails.append(number)
        elif len(fields) != layout.width:
            raise _ragged(file, layout, number, fields)
        yield number, fields


def _rows_of_trec(file: File, layout: TextLayout) -> Iterator[tuple[int, list[str]]]:
    for number, line in file.filled_lines():
        if layout.of_trec and is_comment(line):
            layout.comments.append(1)
        else:
            yield number, fields_of(file.decoded(line, number), None)


def _has_tail(fields: Sequence[str], width: int) -> bool:
    """Whether a line of a TREC run goes on behind its tag, and no id seems to be in pieces."""
    return len(fields) > width == 6 and [*map(is_number, fields[3:6])] == [True, True, False]


def csv_rows(file: File, layout: TextLayout) -> Iterator[tuple[int, list[str]]]:
    """Every record that is not blank with the number of the line it begins in, the names first."""
    lines = (file.decoded(line, number) for number, line in file.lines())
    reader = csv_reader(lines, layout.delimiter, strict=True, quotes=layout.quotes)
    first = 1
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            last = reader.line_num
            opened = f"line {first}" + (f" to {last}" if last > first else "")
            raise DataError(
                f"{file.name}, {opened}: {error}. A quoted field ends with a quote before the "
                f"next {layout.delimiter!r} or the line's end; a quote inside it is doubled. "
                f"Mend that line.{file.if_cut(last)}"
            ) from None
        if len(fields) > 1 or any(map(str.strip, fields)):
            yield first, fields
        first = reader.line_num + 1


def _ragged(file: File, layout: TextLayout, number: int, fields: Sequence[str]) -> DataError:
    few = f"{len(fields)} field" + "s" * (len(fields) != 1)
    if layout.of_trec:
        form = " ".join(layout.columns.names)
        expected = f"A line of {layout.kind} has {layout.width}: {form!r}"
    else:
        source = "its header" if layout.header else "the first line"
        expected = f"Expected {layout.width}, as in {source}"
    line = " ".join(fields) if layout.delimiter is None else layout.delimiter.join(fields)
    mend = "Mend that line" + ("; its ids hold no blanks." if layout.delimiter is None else ".")
    return DataError(
        f"{file.name}, line {number} has {few}: {line[:80]!r}. {expected}. {mend}"
        f"{file.if_cut(number)}"
    )
