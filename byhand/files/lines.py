"""Lines of text into fields: what TREC files, CSV and TSV share."""

import csv
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from byhand.columns import Wanted
from byhand.errors import DataError
from byhand.files.file import HEAD, LONGEST, File
from byhand.files.format import Layout
from byhand.files.header import Columns, Given, find_columns

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_BLANKS = re.compile(r"[ \t]+")


@dataclass(frozen=True)
class TextLayout(Layout):
    """How a text file holds its columns.

    Attributes:
        delimiter: what separates them; None: any mix of blanks and tabs.
        header: how many lines stand before the first row: those that name the columns.
        quotes: whether a quote has a meaning; it is a letter like any other in text between tabs
            that no line of names tells to be written by a program for tables.
        comments: how many lines of each block were comments, in a file of TREC.
        tails: the numbers of the lines that go on behind the last column, in a run of TREC.
    """

    delimiter: str | None
    header: int
    quotes: bool = True
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


def is_comment(line: str | bytes) -> bool:
    """Whether trec_eval 10 takes a line for a comment.

    Example:
        >>> is_comment("# made by hand"), is_comment(b"q#1 0 d7 1")
        (True, False)
    """
    return line.lstrip()[:1] in ("#", b"#")


def laid_out(
    file: File, kind: str, columns: Columns, delimiter: str | None, header: int
) -> TextLayout:
    """A layout, with a note if the file may have been cut where nobody can see it."""
    last = len(columns.names) - 1
    read = {place: ours for ours, place in columns.positions.items()}
    if last in read and file.last_byte not in b'\r\n"':
        note = (
            "The last line has no line end: if the file was cut there, so may be its "
            f"{columns.named(read[last])}."
        )
        columns = replace(columns, notes=(*columns.notes, note))
    return TextLayout(kind, columns, delimiter, header)


def first_lines(file: File, *, comments: bool = True) -> list[str]:
    """The first 50 lines of a file that are not blank.

    Args:
        file: the file.
        comments: whether those that begin with # are among them.

    Raises:
        DataError: bytes that are not UTF-8.
    """
    lines = file.filled_lines(HEAD)
    some = islice((each for each in lines if comments or not is_comment(each[1])), 50)
    return [decoded(file, line, number) for number, line in some]


def first_rows(
    file: File, delimiter: str | None, *, after: int = 0, quotes: bool = True
) -> list[list[str]]:
    """The fields of the first 50 rows that are not blank, as far as their quotes are whole.

    Args:
        file: where they stand.
        delimiter: what separates their fields; None: any mix of blanks and tabs.
        after: how many lines to pass over.
        quotes: whether quotes have a meaning.

    Raises:
        DataError: bytes that are not UTF-8.
    """
    if delimiter is None:
        return [fields_of(line, None) for line in first_lines(file)]
    lines = islice(file.lines(HEAD), after, None)
    texts = (decoded(file, line, number) for number, line in lines)
    reader = csv_reader(texts, delimiter, quotes=quotes)
    rows = []
    with suppress(csv.Error):  # reading the rows says what is wrong
        while len(rows) < 50 and (row := next(reader, None)) is not None:
            fields = [field.strip() for field in row]
            rows += [fields] * any(fields)
    return rows


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
    return [name.strip() for name in next(csv_reader([line], delimiter))]


def csv_reader(
    lines: Iterable[str], delimiter: str, *, strict: bool = False, quotes: bool = True
) -> Any:
    """Python's own reader, for fields as long as a line may be."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST))
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    return csv.reader(lines, delimiter=delimiter, strict=strict, quoting=quoting)


def is_number(text: str) -> bool:
    """Whether a field holds a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def counted(
    file: File, wanted: Wanted, given: Given, first: str, delimiter: str | None
) -> TextLayout:
    """The layout of a file without names, whose columns the user counted from 0.

    Raises:
        DataError: a column is missing, or counted beyond the last.
    """
    names = [str(place) for place in range(len(fields_of(first, delimiter)))]
    columns = find_columns(names, wanted, given, file.name)
    separated = DELIMITERS.get(delimiter, "blanks")
    return laid_out(file, f"text without a header, separated by {separated}", columns, delimiter, 0)
