"""Read the rows of a file of any format as Arrow tables, and locate rows for messages.

pyarrow parses each block. If it rejects a block or might skip something silently, Python's own
parsers read the rest of the file: they are exact and count lines.
"""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from operator import itemgetter

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.json as pajson

from byhand.errors import DataError, shown
from byhand.files import jsons, lists
from byhand.files.forms import BLANKS, Form, has_tail, is_comment
from byhand.files.opening import BOM, LIMITS, line_ends
from byhand.naming import WHOLE
from byhand.parallel import in_threads
from byhand.words import N_, Message

_SMALL, _FEW = 1 << 20, 1 << 10  # bytes and rows of small batches
_TEXT = pa.large_string()
_TYPES = {jsons.Whole: pa.int64(), jsons.Fraction: pa.float64(), bool: pa.bool_()}
_HASH = re.compile(rb"(^|[\r\n])([ \t]*#[^\r\n]*)")
_BEFORE = (b"\n#", b"\r#", b" #", b"\t#")  # many ids contain #, but few begin with it
_COMMA_NUMBER = re.compile(rb'[;\t| "][+-]?\d*,\d+([eE][+-]?\d+)?["\r\n;\t| ]')
_NEXT = re.compile(rb"\}\s*,\s*\{")
_NUMBERS = ("score", "rank")


class OddError(Exception):
    """Raised for a part of a file that only Python's parsers can read."""


# notes on TREC lines, most of them skipped as by trec_eval
_COMMENTS = N_("Lines that begin with # are comments, as in trec_eval 10: {n:,} skipped.")
_HASHTAGS = N_("Rows of queries that begin with #, which trec_eval 10 skips: {n:,}.")
_TAILS = N_("Lines with more text after the tag, which is skipped as in trec_eval: {n:,}.")


def notes_of(form: Form) -> list[str]:
    """Return notes on lines and lists; call it once the file is read."""
    every = (_COMMENTS, _HASHTAGS, _TAILS, lists.NO_SCORES, lists.NO_GRADES)
    return [Message(message, n=form.noted[message]) for message in every if form.noted[message]]


def batches_of(form: Form, *, few: bool = False) -> Iterator[pa.Table]:
    """Yield our columns, some rows at a time: text exactly as written, or typed values of the file.

    Types may differ between tables. If `few`, batches are small and take little memory.
    """
    form.noted.clear()
    if form.table is not None:
        yield form.table
    elif form.columns.lists:
        yield from lists.batches_of(form)
    elif form.kind == "Parquet":
        from byhand.files import parquet

        yield from parquet.batches_of(form.file, form.columns.positions, few=few)
    else:
        yield from _of_lines(form, few=few)


def _of_lines(form: Form, *, few: bool) -> Iterator[pa.Table]:
    size, done = _SMALL if few else LIMITS.block, 0
    try:
        if form.kind == "JSON records":
            parsed = iter([_records(form)])
        else:
            parse = partial(_objects, form) if form.kind == "JSON Lines" else _Fields(form)
            parsed = in_threads(parse, _blocks(form, size))
        for table, skipped in parsed:
            done += 1
            form.noted.update(skipped)
            yield table
    except (pa.ArrowInvalid, OddError, UnicodeDecodeError):
        yield from _slowly(form, rows_of(form, size, done), few=few)


def _slowly(form: Form, rows: Iterator, *, few: bool) -> Iterator[pa.Table]:
    names = [*form.columns.positions]
    while some := [fields for _, fields in islice(rows, _FEW if few else LIMITS.rows)]:
        yield pa.table([pa.array(each, _TEXT) for each in zip(*some, strict=True)], names)


def _blocks(form: Form, size: int) -> Iterator[bytes | bytearray]:
    """Yield the blocks of a file after its header."""
    header = islice(form.file.lines(LIMITS.head), form.header)
    skipped = sum(len(line) for _, line in header)
    for block in form.file.blocks(size):
        if len(block) > skipped:
            yield block[skipped:] if skipped else block
        skipped = max(skipped - len(block), 0)


# ---- fields, by pyarrow -------------------------------------------------------------------------


class _Fields:
    """A parser for blocks of fields: numbers become float64 if that is exact."""

    def __init__(self, form: Form) -> None:
        self._form = form  # decimal commas are read as text and converted together
        self._commas = form.delimiter != "," and bool(_COMMA_NUMBER.search(form.file.head))
        self._names = [str(at) for at in range(form.width)]
        for ours, at in form.columns.positions.items():
            self._names[at] = ours
        self._types = dict.fromkeys(form.columns.positions, _TEXT)
        if "relevance" in self._types:
            self._types["relevance"] = pa.dictionary(pa.int32(), _TEXT)

    def __call__(self, block: bytes | bytearray) -> tuple[pa.Table, Counter[str]]:
        form, delimiter = self._form, self._form.delimiter
        skipped: Counter[str] = Counter()
        begin = form.kind.startswith("TREC") and b"#" in block
        if begin and (block[:1] == b"#" or any(sign in block for sign in _BEFORE)):
            block = _without_comments(block, form.width, skipped)
        if delimiter is None:
            delimiter, block = _one_separator(block)
        in_quotes = form.quotes and form.delimiter is not None and b'"' in block
        if in_quotes and not _plainly_quoted(block, delimiter):
            raise OddError
        if block.startswith(BOM):
            block = BOM + block  # pyarrow removes one from every block
        parse = pacsv.ParseOptions(delimiter=delimiter, quote_char='"' if in_quotes else False)
        if not self._commas:
            try:
                return self._parsed(block, parse, pa.float64()), skipped
            except (pa.ArrowInvalid, OddError) as error:
                if isinstance(error, pa.ArrowInvalid) and "onversion error" not in str(error):
                    raise
        return self._parsed(block, parse, pa.string()), skipped

    def _parsed(
        self, block: bytes | bytearray, parse: pacsv.ParseOptions, kind: pa.DataType
    ) -> pa.Table:
        numbers = [ours for ours in _NUMBERS if ours in self._types]
        types = self._types | dict.fromkeys(numbers, kind)
        table = pacsv.read_csv(
            pa.BufferReader(block),
            pacsv.ReadOptions(column_names=self._names, block_size=LIMITS.thread),
            parse,
            pacsv.ConvertOptions(column_types=types, include_columns=[*types], null_values=[]),
        )
        if numbers and kind == pa.float64():
            _refuse_beyond(table, numbers)
        return table


def _refuse_beyond(table: pa.Table, numbers: Sequence[str]) -> None:
    """Raise OddError if float64 may not represent a number exactly."""
    for ours in numbers:
        for chunk in table[ours].chunks:
            if chunk.null_count or not (np.abs(np.asarray(chunk)) < WHOLE).all():
                raise OddError


def _without_comments(block: bytes, width: int, skipped: Counter[str]) -> bytes:
    def without(line: re.Match[bytes]) -> bytes:
        comment = is_comment(line[2].decode(errors="replace"), width)
        skipped[_COMMENTS if comment else _HASHTAGS] += 1
        return line[1 if comment else 0]

    return _HASH.sub(without, block)


def _one_separator(block: bytes | bytearray) -> tuple[str, bytes | bytearray]:
    """Return the field separator of a TREC block, and the block with only this separator.

    Without repeated, leading and trailing separators, pyarrow finds the same fields.
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
    """Test whether quotes only enclose whole fields on one line, or are doubled inside them.

    pyarrow silently misreads other quotes.
    """
    data = np.frombuffer(block, np.uint8)
    line_end, quote = (data == 10) | (data == 13), data == 34
    quotes = np.flatnonzero(quote)
    opening, closing = quotes[::2], quotes[1::2]
    # a doubled quote looks like a closing quote next to an opening one
    beside = np.concatenate([[True], line_end | quote | (data == ord(delimiter)), [True]])
    if len(opening) != len(closing) or not (beside[opening].all() and beside[closing + 2].all()):
        return False
    ends = np.flatnonzero(line_end)
    return bool((np.searchsorted(opening, ends) == np.searchsorted(closing, ends)).all())


# ---- objects, by pyarrow ------------------------------------------------------------------------


def _objects(form: Form, block: bytes | bytearray) -> tuple[pa.Table, Counter[str]]:
    """Parse lines of objects with the types of the file's first object."""
    lines = sum(1 for line in block.splitlines() if line.strip())
    return _by_arrow(form, block, lines), Counter()


def _records(form: Form) -> tuple[pa.Table, Counter[str]]:
    """Parse a list of objects as if each were on its own line."""
    with form.file.open() as handle:
        text = handle.read().removeprefix(BOM).strip()
    if not (text.startswith(b"[") and text.endswith(b"]")) or b"\0" in text:
        raise OddError
    text, more = _NEXT.subn(b"}\n{", b" ".join(text[1:-1].strip().splitlines()))
    return _by_arrow(form, text, more + 1), Counter()


def _by_arrow(form: Form, lines: bytes | bytearray, n_objects: int) -> pa.Table:
    keys, schema = form.columns.theirs, []
    for ours, key in keys.items():
        kind = type(form.first.get(key))
        schema.append((key, pa.float64() if ours in _NUMBERS else _TYPES.get(kind, _TEXT)))
    table = pajson.read_json(
        pa.BufferReader(lines),
        pajson.ReadOptions(block_size=1 << 22),
        pajson.ParseOptions(explicit_schema=pa.schema(schema), unexpected_field_behavior="ignore"),
    )
    table.validate(full=True)  # the parser accepts invalid UTF-8
    if len(table) != n_objects:
        raise OddError
    table = table.select([*keys.values()]).rename_columns([*keys])
    numbers = [ours for ours in _NUMBERS if ours in keys]
    _refuse_beyond(table, numbers)
    return table


# ---- rows, by Python ----------------------------------------------------------------------------


def rows_of(form: Form, size: int = 0, done: int = 0) -> Iterator[tuple[str, Sequence[str | None]]]:
    """Yield every row as text with its place, after `done` blocks."""
    if form.kind.startswith("JSON"):
        lines = _numbered(form, size, done)
        for where, cells in jsons.objects(form.file, form.records, form.columns.theirs, lines):
            yield where, [_as_written(form, where, ours, value) for ours, value in cells.items()]
        return
    places = [*form.columns.positions.values()]
    ours = itemgetter(*places, places[0])  # one argument more, so that it always returns a tuple
    parted = _between_blanks if form.delimiter is None else _between_delimiters
    for n, fields in parted(form, _numbered(form, size, done)):
        if len(fields) != form.width:
            raise _ragged(form, n, fields)
        yield f"line {n}", ours(fields)[:-1]


def _numbered(form: Form, size: int, done: int) -> jsons.Numbered:
    """Yield lines with their numbers, after the header and `done` blocks."""
    n = form.header
    for at, block in enumerate(_blocks(form, size)):
        if at < done:
            n += line_ends(block)
            continue
        for line in bytes(block).splitlines(keepends=True):
            n += 1
            yield n, line


def _between_blanks(form: Form, lines: jsons.Numbered) -> Iterator[tuple[int, list[str]]]:
    trec = form.kind.startswith("TREC")
    for n, line in lines:
        if not line.strip():
            continue
        text = form.file.decoded(line.rstrip(b"\r\n"), n)
        if trec and text.lstrip().startswith("#"):
            comment = is_comment(text, form.width)
            form.noted[_COMMENTS if comment else _HASHTAGS] += 1
            if comment:
                continue
        fields = BLANKS.split(text.strip(" \t"))
        if trec and has_tail(fields, form.width):
            form.noted[_TAILS] += 1
            fields = fields[:6]
        yield n, fields


def _between_delimiters(form: Form, lines: jsons.Numbered) -> Iterator[tuple[int, list[str]]]:
    line_numbers: list[int] = []  # of the current row

    def texts() -> Iterator[str]:
        for n, line in lines:
            line_numbers.append(n)
            yield form.file.decoded(line, n)

    csv.field_size_limit(max(csv.field_size_limit(), LIMITS.line))
    quoting = csv.QUOTE_MINIMAL if form.quotes else csv.QUOTE_NONE
    reader = csv.reader(texts(), delimiter=form.delimiter, strict=True, quoting=quoting)
    try:
        for fields in reader:
            if len(fields) > 1 or any(map(str.strip, fields)):
                yield line_numbers[0], fields
            line_numbers.clear()
    except csv.Error as error:
        first, last = line_numbers[0], line_numbers[-1]
        where = f"lines {first} to {last}" if last > first else f"line {first}"
        raise DataError(
            f"{form.file.name}, {where}: {error}. A quoted field must end with a quote before the "
            f"next {form.delimiter!r} or the end of the line, and a quote inside it must be "
            f"doubled. Fix that line.{form.file.if_cut(last)}"
        ) from None


def _ragged(form: Form, n: int, fields: Sequence[str]) -> DataError:
    line = (" " if form.delimiter is None else form.delimiter).join(fields)
    many = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
    expected = f"Expected {form.width}, as in {'its header' if form.header else 'the first line'}"
    if form.kind.startswith("TREC"):
        kind = "a TREC run" if form.width == 6 else "TREC qrels"
        expected = f"A line of {kind} has {form.width}: {' '.join(form.columns.names)!r}"
    fix = "Fix that line" + "; ids cannot contain blanks" * (form.delimiter is None)
    return DataError(
        f"{form.file.name}, line {n} has {many}: {line[:80]!r}. {expected}. {fix}."
        f"{form.file.if_cut(n)}"
    )


def _as_written(form: Form, where: str, ours: str, value: object) -> str | None:
    if value is None or type(value) is jsons.Whole:
        return "0" if value == "-0" else value
    where = f"{form.file.name}, {where}, column {shown(form.columns.theirs[ours])}"
    if type(value) is str:
        try:
            value.encode()
        except UnicodeEncodeError:
            raise jsons.half_a_character(where, value) from None
        return value
    if ours.endswith("_id"):
        raise jsons.not_an_id(where, value)
    return value if isinstance(value, str) else json.dumps(value, default=str)


def location(form: Form, row: int) -> str:
    """Return the place of a row, such as "line 7"; slow, so only for messages."""
    if form.table is not None:
        return f"row {row} (counted from 0)"
    if form.columns.lists:
        return lists.location(form, row)
    if form.kind == "Parquet":
        return f"row {row} (counted from 0)"
    return next(islice(rows_of(form), row, None))[0]


def values_at(form: Form, position: int, rows: Sequence[int]) -> list[str]:
    """Return the values of another column in some rows."""
    other = replace(form.columns, positions={"other": position}, lists=False)
    form = replace(form, columns=other, noted=Counter())
    chunks = [chunk for table in batches_of(form) for chunk in table["other"].chunks]
    return [str(each) for each in pa.chunked_array(chunks).take(rows).to_pylist()]
