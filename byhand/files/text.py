"""Lines of text into columns: what TREC files, CSV and TSV share."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from byhand.columns import Wanted
from byhand.errors import DataError
from byhand.files.file import BOM, HEAD, LONGEST, File
from byhand.files.header import Given, find_columns
from byhand.files.source import Lines, NotPlainError, refuse_rounded
from byhand.words import N_, text

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_FIRST = 50  # lines that tell what a file is
_BLANKS = re.compile(r"[ \t]+")
_STEP = 1 << 18
_AT_ONCE = 1 << 22  # bytes that one of pyarrow's threads takes


@dataclass(frozen=True)
class Fields(Lines):
    """Lines of fields.

    Attributes:
        delimiter: what separates them; None: any mix of blanks and tabs.
        header: how many lines stand before the first row: those that name the columns.
        quotes: whether a quote has a meaning; it is a letter like any other in text between tabs
            that no line of names tells to be written by a program for tables.
    """

    delimiter: str | None
    header: int = 0
    quotes: bool = True

    @classmethod
    def counted(
        cls, file: File, wanted: Wanted, given: Given, width: int, delimiter: str | None
    ) -> Self:
        """A file without names, whose columns the user counted from 0."""
        columns = find_columns([*map(str, range(width))], wanted, given, file.name)
        separated = DELIMITERS.get(delimiter, "blanks")
        return cls(
            file, f"text without a header, separated by {separated}", columns, delimiter
        ).doubting()

    def doubting(self) -> Self:
        """The same, with a note if the file may have been cut where nobody can see it."""
        read = {place: ours for ours, place in self.columns.positions.items()}
        last = read.get(self.width - 1)
        if not last or self.file.last_byte in b'\r\n"':
            return self
        message = N_(
            "The last line has no line end: if the file was cut there, so may be its {column}."
        )
        note = text(message, column=self.columns.named(last))
        return replace(self, columns=replace(self.columns, notes=(*self.columns.notes, note)))

    @property
    def width(self) -> int:
        """How many fields a line has."""
        return len(self.columns.names)

    @property
    def retyped(self) -> bool:
        """Whether pyarrow has other types for our columns than text."""
        return not self.columns.positions.keys().isdisjoint(("score", "rank"))

    def blocks(self, size: int) -> Iterator[bytes | bytearray]:
        """The blocks of the file behind its header."""
        header = sum(len(line) for _, line in islice(self.file.lines(HEAD), self.header))
        for block in self.file.blocks(size):
            if len(block) > header:
                yield block[header:] if header else block
            header = max(header - len(block), 0)

    def parse(self, block: bytes | bytearray, exact: bool) -> pa.Table:
        """Our columns of a block: ids and grades as text, scores as numbers unless `exact`."""
        delimiter = self.delimiter
        if delimiter is None:
            delimiter, block = _one_separator(block)
        if block.startswith(BOM):
            block = BOM + block  # pyarrow takes one off every block
        names = [str(place) for place in range(self.width)]
        for ours, place in self.columns.positions.items():
            names[place] = ours
        ours = list(self.columns.positions)
        number = pa.large_string() if exact else pa.float64()
        types = {name: number if name in ("score", "rank") else pa.large_string() for name in ours}
        quoted = self.quotes and self.delimiter is not None and b'"' in block
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
        return refuse_rounded(table)

    def rows(self) -> Iterator[tuple[int, list[str | None]]]:
        """Every row as the text of our columns, with the number of its line."""
        for number, fields in self.records():
            if number > self.header:
                if len(fields) != self.width:
                    raise self._ragged(number, fields)
                yield number, [fields[place] for place in self.columns.positions.values()]

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """The fields of every line that is not blank, with its number, the names first."""
        if self.delimiter is None:
            for number, line in self.file.filled_lines():
                yield number, fields_of(self.file.decoded(line, number), None)
            return
        lines = (self.file.decoded(line, number) for number, line in self.file.lines())
        reader = csv_reader(lines, self.delimiter, strict=True, quotes=self.quotes)
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
                    f"{self.file.name}, {opened}: {error}. A quoted field ends with a quote before "
                    f"the next {self.delimiter!r} or the line's end; a quote inside it is doubled. "
                    f"Mend that line.{self.file.if_cut(last)}"
                ) from None
            if len(fields) > 1 or any(map(str.strip, fields)):
                yield first, fields
            first = reader.line_num + 1

    def _ragged(self, number: int, fields: Sequence[str]) -> DataError:
        few = f"{len(fields)} field" + "s" * (len(fields) != 1)
        line = " ".join(fields) if self.delimiter is None else self.delimiter.join(fields)
        mend = "Mend that line" + ("; its ids hold no blanks." if self.delimiter is None else ".")
        return DataError(
            f"{self.file.name}, line {number} has {few}: {line[:80]!r}. {self._expected}. {mend}"
            f"{self.file.if_cut(number)}"
        )

    @property
    def _expected(self) -> str:
        return f"Expected {self.width}, as in {'its header' if self.header else 'the first line'}"


def is_comment(line: bytes) -> bool:
    """Whether trec_eval 10 takes a line for a comment."""
    return line.lstrip()[:1] == b"#"


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
