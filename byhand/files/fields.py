"""Lines of fields, between blanks or delimiters, into columns."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from byhand.column_map import ColumnNames, find_columns
from byhand.columns import TableKind
from byhand.errors import DataError
from byhand.files.file import BOM, File
from byhand.files.head import DELIMITERS, csv_reader, fields_of
from byhand.files.limits import LIMITS
from byhand.files.table_file import Lines, NotPlainError
from byhand.words import N_, Message


@dataclass(frozen=True)
class Fields(Lines):
    """Lines of fields."""

    delimiter: str | None  # None: any mix of blanks and tabs
    header: int = 0  # lines before the first row: those that name the columns
    begins: int = 0  # bytes before the first row
    quotes: bool = True  # between tabs, without names above, a quote is a letter like any other

    @classmethod
    def counted(
        cls, file: File, wanted: TableKind, given: ColumnNames, width: int, delimiter: str | None
    ) -> Self:
        """A file without names, whose columns the user counted from 0."""
        columns = find_columns([*map(str, range(width))], wanted, given, file.name)
        kind = f"text without a header, separated by {DELIMITERS.get(delimiter, 'blanks')}"
        return cls(file, kind, columns, delimiter).doubting()

    def doubting(self) -> Self:
        """The same, with a note if the file may have been cut where nobody can see it."""
        read = {place: ours for ours, place in self.columns.positions.items()}
        last = read.get(self.width - 1)
        if not last or self.file.last in b'\r\n"':
            return self
        message = N_(
            "The last line has no line end: if the file was cut there, so may be its {column}."
        )
        notes = (*self.columns.notes, Message(message, column=self.columns.named(last)))
        return replace(self, columns=replace(self.columns, notes=notes))

    @property
    def width(self) -> int:
        """How many fields a line has."""
        return len(self.columns.names)

    def blocks(self, size: int) -> Iterator[bytes | bytearray]:
        """The blocks of the file behind its header."""
        skipped = self.begins
        for block in self.file.blocks(size):
            if len(block) > skipped:
                yield block[skipped:] if skipped else block
            skipped = max(skipped - len(block), 0)

    def parse(self, block: bytes | bytearray) -> pa.Table:
        """Our columns of a block, as text."""
        delimiter = self.delimiter
        if delimiter is None:
            delimiter, block = _one_separator(block)
        if block.startswith(BOM):
            block = BOM + block  # pyarrow takes one off every block
        names = [str(place) for place in range(self.width)]
        for ours, place in self.columns.positions.items():
            names[place] = ours
        types = dict.fromkeys(self.columns.positions, pa.large_string())
        types |= dict.fromkeys({"score", "rank"} & {*types}, pa.string())  # less than the ids
        in_quotes = self.quotes and self.delimiter is not None and b'"' in block
        if in_quotes and not _plainly_quoted(block, delimiter):
            raise NotPlainError
        return pacsv.read_csv(
            pa.BufferReader(block),
            pacsv.ReadOptions(column_names=names, block_size=LIMITS.thread),
            pacsv.ParseOptions(delimiter=delimiter, quote_char='"' if in_quotes else False),
            pacsv.ConvertOptions(column_types=types, include_columns=[*types], null_values=[]),
        )

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
        try:
            for fields in reader:
                if len(fields) > 1 or any(map(str.strip, fields)):
                    yield first, fields
                first = reader.line_num + 1
        except csv.Error as error:
            last = reader.line_num
            one, many = N_("line {first}"), N_("line {first} to {last}")
            opened = Message(many if last > first else one, first=first, last=last)
            raise DataError(
                "{file}, {opened}: {error}. A quoted field ends with a quote before the next "
                "{delimiter!r} or the line's end; a quote inside it is doubled. Mend that "
                "line.{if_cut}",
                [self.file.name, opened, error, self.delimiter, self.file.if_cut(last)],
            ) from None

    def refuse_open_quotes(self) -> None:
        """Say what is wrong with the quotes of the first row."""
        for _ in self.records():
            return

    def _ragged(self, number: int, fields: Sequence[str]) -> DataError:
        line = " ".join(fields) if self.delimiter is None else self.delimiter.join(fields)
        mend = Message("Mend that line.")
        if self.delimiter is None:
            mend = Message("Mend that line; its ids hold no blanks.")
        one = N_("{file}, line {line} has 1 field: {text!r}. {expected}. {mend}{if_cut}")
        many = N_("{file}, line {line} has {n} fields: {text!r}. {expected}. {mend}{if_cut}")
        n = len(fields)
        held = [number, line[:80]] if n == 1 else [number, n, line[:80]]
        rest = [self._expected, mend, self.file.if_cut(number)]
        return DataError(one if n == 1 else many, [self.file.name, *held, *rest])

    @property
    def _expected(self) -> str:
        first = N_("Expected {n}, as in the first line")
        return Message(N_("Expected {n}, as in its header") if self.header else first, n=self.width)


def _one_separator(block: bytes | bytearray) -> tuple[str, bytes | bytearray]:
    """The one character between the fields of a TREC block, after making it one where it is not.

    Once nothing doubles, begins or ends a line, pyarrow's fields are those between blanks.
    """
    tabs, low = b"\t" in block, np.frombuffer(block, np.uint8) <= 32
    ends = block[:1] in (b" ", b"\t") or block[-1:] in (b" ", b"\t")
    if not (ends or (low[1:] & low[:-1]).any() or (tabs and b" " in block)):
        return "\t" if tabs else " ", block
    block = block.replace(b"\t", b" ").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    while b"  " in block:
        block = block.replace(b"  ", b" ")
    return " ", block.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


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
