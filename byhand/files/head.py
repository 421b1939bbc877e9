"""The beginning of a file, which formats look at: its first lines, read and parted once."""

import csv
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

from byhand.files.file import File
from byhand.files.limits import LIMITS
from byhand.words import N_

DELIMITERS = {
    ",": N_("commas"),
    ";": N_("semicolons"),
    "\t": N_("tabs"),
    "|": N_("bars"),
}
_LINES = 50  # that tell what a file is, without blank ones and those that begin with #
_MOST = 1000  # with them
_BLANKS = re.compile(r"[ \t]+")


class FirstRows(NamedTuple):
    """The fields of the first rows, as far as quotes are whole.

    The first row ends at a line and at a byte: at 0 if its own quotes are not whole, where reading
    the rows says what is wrong with them.
    """

    rows: list[list[str]]
    line: int
    byte: int


class Head:
    """The beginning of a file."""

    def __init__(self, file: File) -> None:
        self.file = file
        self._rows: dict[tuple[str, bool], FirstRows] = {}
        self._before = 0  # bytes of blank lines before the first line

    @cached_property
    def _numbered(self) -> list[tuple[int, bytes]]:
        """The first lines with their numbers and ends, from the first that is not blank."""
        found, filled = [], 0
        for number, line in self.file.lines(LIMITS.head):
            if found or line.strip():
                found.append((number, line))
                filled += line.strip()[:1] not in (b"", b"#")
            else:
                self._before += len(line)
            if filled == _LINES or len(found) == _MOST:
                break
        return found

    @cached_property
    def _texts(self) -> list[str]:
        return [self.file.decoded(line, number) for number, line in self._numbered]

    @cached_property
    def numbered(self) -> list[tuple[int, bytes]]:
        """The first lines that are not blank, with their numbers and without their ends."""
        return [(n, line.rstrip(b"\r\n")) for n, line in self._numbered if line.strip()]

    @cached_property
    def lines(self) -> list[str]:
        """The first lines that are not blank, as text."""
        return [text.rstrip("\r\n") for text in self._texts if text.strip()]

    def rows(self, delimiter: str, *, quotes: bool = True) -> FirstRows:
        """The fields of the first rows."""
        if (delimiter, quotes) not in self._rows:
            self._rows[delimiter, quotes] = self._parted(delimiter, quotes)
        return self._rows[delimiter, quotes]

    def _parted(self, delimiter: str, quotes: bool) -> FirstRows:
        reader = csv_reader(self._texts, delimiter, strict=True, quotes=quotes)
        rows, many = [], 0
        with suppress(csv.Error):
            for row in reader:
                fields = [field.strip() for field in row]
                if any(fields):
                    rows.append(fields)
                    many = many or reader.line_num
        if not many:
            return FirstRows([fields_of(self.lines[0], delimiter)], 0, 0)
        first = self._numbered[:many]
        return FirstRows(rows, first[-1][0], self._before + sum(len(line) for _, line in first))


def fields_of(line: str, delimiter: str | None) -> list[str]:
    """The fields of one line, without the blanks around them."""
    if delimiter is None:
        return _BLANKS.split(line.strip(" \t"))
    fields = next(csv_reader([line], delimiter)) if '"' in line else line.split(delimiter)
    return [field.strip() for field in fields]


def csv_reader(
    lines: Iterable[str], delimiter: str, *, strict: bool = False, quotes: bool = True
) -> Any:
    """Python's own reader, for fields as long as a line may be."""
    csv.field_size_limit(max(csv.field_size_limit(), LIMITS.line))
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    return csv.reader(lines, delimiter=delimiter, strict=strict, quoting=quoting)
