"""Rows of text, one a line, parsed by pyarrow: what TREC files, CSV and TSV share.

pyarrow parses block after block. A block that it refuses, or whose rows are not one a line, sends
the whole file through Python's own parsers, which are exact and know every line's number.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from byhand.files.file import BOM, HEAD, File
from byhand.files.lines import TextLayout
from byhand.files.rows import exact_tables
from byhand.files.values import WHOLE
from byhand.parallel import in_threads

_BEFORE = (b"\n#", b"\r#", b" #", b"\t#")  # many ids hold the sign, and few begin with it
_COMMENTS = re.compile(rb"(^|[\r\n])[ \t]*#[^\r\n]*")
# bytes and rows that are looked at in one go, where nothing of them is kept
SMALL, FEW = 1 << 20, 1 << 10
_STEP = 1 << 18
_AT_ONCE = 1 << 22  # bytes that one of pyarrow's threads takes


class NotPlainError(Exception):
    """pyarrow alone cannot be trusted with this file."""


def read(file: File, layout: TextLayout) -> dict[str, pa.ChunkedArray]:
    """Our columns: ids and grades as text; scores as numbers if all are, else as text.

    Raises:
        DataError: a line that has too few or too many fields, is no UTF-8, or opens a quote that
            it does not close.
    """
    for number in (pa.float64(), pa.large_string()):
        layout.comments.clear()
        try:
            return _parsed(file, layout, number)
        except (pa.ArrowInvalid, NotPlainError):
            continue
    layout.comments.clear()
    return joined(exact_tables(file, layout))


def batches(file: File, layout: TextLayout) -> Iterator[pa.Table]:
    """Our columns as text, a few rows at a time.

    Raises:
        DataError: as `read`.
    """
    rows = 0
    try:
        blocks = _bodies(file, layout, SMALL)
        for table in in_threads(lambda block: _parse(block, layout, pa.large_string()), blocks):
            yield table
            rows += len(table)
    except (pa.ArrowInvalid, NotPlainError):
        yield from exact_tables(file, layout, after=rows, at_once=FEW)


def _parsed(file: File, layout: TextLayout, number: pa.DataType) -> dict[str, pa.ChunkedArray]:
    blocks = _bodies(file, layout)
    return joined(in_threads(lambda block: _parse(block, layout, number), blocks))


def joined(tables: Iterable[pa.Table]) -> dict[str, pa.ChunkedArray]:
    """The columns of tables that follow each other."""
    if not (tables := list(tables)):
        return {}
    table = pa.concat_tables(tables)
    return dict(zip(table.column_names, table.columns, strict=True))


def _bodies(file: File, layout: TextLayout, size: int = 0) -> Iterator[bytes | bytearray]:
    """The blocks of a file behind its header."""
    header = sum(len(line) for _, line in islice(file.lines(HEAD), layout.header))
    for block in file.blocks(size):
        if len(block) > header:
            yield block[header:] if header else block
        header = max(header - len(block), 0)


def _parse(block: bytes | bytearray, layout: TextLayout, number: pa.DataType) -> pa.Table:
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
