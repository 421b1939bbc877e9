"""Rows of text by Python's own parsers, which are exact and know the number of every line."""

import csv
from collections.abc import Iterator, Sequence
from itertools import islice

import pyarrow as pa

from byhand.errors import DataError
from byhand.files.file import File
from byhand.files.lines import TextLayout, csv_reader, decoded, fields_of, is_comment, is_number

_ROWS = 100_000


def exact_rows(file: File, layout: TextLayout) -> Iterator[tuple[int, list[str]]]:
    """Every row with the number of its line, without those that name the columns.

    Raises:
        DataError: a line that has too few or too many fields, is no UTF-8, or opens a quote that
            it does not close.
    """
    if layout.delimiter is None:
        lines = file.filled_lines()
        if layout.of_trec:
            lines = _without_comments(lines, layout)
        rows = ((number, fields_of(decoded(file, line, number), None)) for number, line in lines)
    else:
        rows = csv_rows(file, layout.delimiter, quotes=layout.quotes)
    for number, fields in rows:
        if number <= layout.header:
            continue
        if layout.of_trec and _has_tail(fields, layout.width):
            layout.tails.append(number)
        elif len(fields) != layout.width:
            raise _ragged(file, layout, number, fields)
        yield number, fields


def _without_comments(
    lines: Iterator[tuple[int, bytes]], layout: TextLayout
) -> Iterator[tuple[int, bytes]]:
    for number, line in lines:
        if is_comment(line):
            layout.comments.append(1)
        else:
            yield number, line


def _has_tail(fields: Sequence[str], width: int) -> bool:
    """Whether a line of a TREC run goes on behind its tag, and no id seems to be in pieces."""
    numbers = [*map(is_number, fields[3:6])]
    return len(fields) > width == 6 and numbers == [True, True, False]


def csv_rows(file: File, delimiter: str, *, quotes: bool = True) -> Iterator[tuple[int, list[str]]]:
    """Every record that is not blank with the number of the line it begins in, the names first.

    Raises:
        DataError: a line that is no UTF-8, or a quote that is not closed where a field ends.
    """
    lines = (decoded(file, line, number) for number, line in file.lines())
    reader = csv_reader(lines, delimiter, strict=True, quotes=quotes)
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
                f"{file.name}, {opened}: {error}. A quoted field ends with a quote before "
                f"the next {delimiter!r} or the line's end; a quote inside it is doubled. "
                f"Mend that line.{file.if_cut(last)}"
            ) from None
        if len(fields) > 1 or any(map(str.strip, fields)):
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
    return DataError(
        f"{file.name}, line {number} has {few}: {shown[:80]!r}. {expected}. {mend}"
        f"{file.if_cut(number)}"
    )


def exact_tables(
    file: File, layout: TextLayout, *, after: int = 0, at_once: int = _ROWS
) -> Iterator[pa.Table]:
    """Our columns, all as text, of the rows after so many, some at a time.

    Raises:
        DataError: as `exact_rows`.
    """
    rows = islice(exact_rows(file, layout), after, None)
    places = layout.columns.positions
    while some := list(islice(rows, at_once)):
        yield pa.table(
            {
                ours: pa.array([fields[place] for _, fields in some], pa.large_string())
                for ours, place in places.items()
            }
        )


def place(file: File, layout: TextLayout, row: int) -> str:
    """Which line a row begins in."""
    number, _ = next(islice(exact_rows(file, layout), row, None))
    return f"line {number}"
