"""CSV and TSV: columns between delimiters, their names in the first line or counted."""

import csv
from itertools import islice

from byhand.columns import Type, Wanted, type_of
from byhand.errors import DataError, both
from byhand.files.file import HEAD, File
from byhand.files.header import Columns, Given, find_columns, grade_of, not_of_words
from byhand.files.headerless import holds_data, separator_of, without_header
from byhand.files.lines import (
    DELIMITERS,
    TextLayout,
    counted,
    csv_reader,
    decoded,
    fields_of,
    first_lines,
    first_rows,
    laid_out,
)
from byhand.files.rows import csv_rows, place
from byhand.files.text import batches, read

__all__ = ["batches", "find", "place", "read", "recognises"]


_ALONE = (
    "Expected columns separated by commas, semicolons or tabs, their names in the first line; or "
    "the lines of a TREC file, as in 'q1 Q0 d7 1 0.93 mine' or 'q1 0 d7 1'."
)

_NO_JSON = (
    "It begins as JSON does, and is none: there, names and text stand in double quotes, and "
    "nothing stands beside them. Write it anew, for example with json.dump."
)


def recognises(file: File) -> bool:
    """Any text: what no other format took is a table with delimiters, or is explained as one."""
    return file.is_text


def find(file: File, wanted: Wanted, given: Given) -> TextLayout:
    """Find our columns by the first line, or by position if the user counted them.

    Raises:
        DataError: a column is missing, or the names are no UTF-8 or open a quote they do not close.
    """
    (names, header), delimiter = max(
        ((_header(file, delimiter), delimiter) for delimiter in DELIMITERS),
        key=lambda found: (wanted.known(found[0][0]), len(found[0][0])),
    )
    if wanted.bare and not wanted.known(names):
        return _bare(file, wanted)
    # a header may be 0, 1, 2, which pandas writes for columns without names
    counts = {str(key) for key in given if isinstance(key, int)}
    if counts and not counts <= {*names}:
        first = first_lines(file)[0]
        return counted(file, wanted, given, first, separator_of(first))
    first = names if len(names) > 1 else fields_of(first_lines(file)[0], None)
    if not {*given} - {"relevance"} and len(first) > 1 and holds_data(first):
        return without_header(file, wanted, grade_of(given))
    hint = "" if len(names) > 1 else _ALONE
    hint = _NO_JSON if file.head.lstrip().startswith((b"{", b"[")) else hint
    types = _types(file, delimiter, header, len(names))
    columns = find_columns(names, wanted, given, file.name, types=types, hint=hint)
    if not header:
        next(csv_rows(file, delimiter))  # says what is wrong with the quotes
    name = "TSV" if delimiter == "\t" else "CSV"
    kind = f"{name}, separated by {DELIMITERS[delimiter]}"
    return laid_out(file, kind, columns, delimiter, header)


def _header(file: File, delimiter: str) -> tuple[list[str], int]:
    """The names of the columns, and the number of the line that they end in, 0 if they do not."""
    lines = (decoded(file, line, number) for number, line in islice(file.lines(HEAD), 50))
    reader = csv_reader(lines, delimiter, strict=True)
    try:
        for names in reader:
            if any(map(str.strip, names)):
                return [name.strip() for name in names], reader.line_num
    except csv.Error:
        pass  # that there are no such columns is said first
    return fields_of(first_lines(file)[0], delimiter), 0


def _bare(file: File, wanted: Wanted) -> TextLayout:
    """The layout of words without a line of names: the id goes to where the first sign stands.

    Raises:
        DataError: lines of which no delimiter makes columns that are known.
    """
    rows = {each: first_rows(file, each, quotes=each != "\t") for each in DELIMITERS}
    widths = {each: sorted({*map(len, rows[each])}) for each in DELIMITERS}
    even = [
        each for each in DELIMITERS if len(widths[each]) == 1 and widths[each][0] in wanted.bare
    ]
    if not even:
        delimiter = max(DELIMITERS, key=lambda each: (widths[each][-1], -len(widths[each])))
        if len(widths[delimiter]) > 1:
            raise DataError(
                f"{file.name} has no line of names, and between {DELIMITERS[delimiter]} its lines "
                f"have {both([*map(str, widths[delimiter])])} columns. Put each text that holds "
                "one into double quotes, or write tabs between the columns."
            )
        (width,) = widths[delimiter]
        columns = f"{width} column{'s' * (width != 1)} without names"
        raise not_of_words(f"{file.name} has {columns}", wanted)
    delimiter = min(even, key=lambda each: len(rows[each][0][0]))
    columns = wanted.bare[widths[delimiter][0]]
    positions = {ours: place for place, ours in enumerate(columns)}
    names = tuple(map(str, range(len(columns))))
    kind = f"text without a header, separated by {DELIMITERS[delimiter]}"
    return TextLayout(kind, Columns(positions, names), delimiter, 0, quotes=delimiter != "\t")


def _types(file: File, delimiter: str, header: int, width: int) -> list[Type]:
    """What type of values each column holds in the first lines behind the header."""
    rows = first_rows(file, delimiter, after=header) if header else []
    whole = [row for row in rows if len(row) == width]
    return [type_of(row[place] for row in whole) for place in range(width)]
