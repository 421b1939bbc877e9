"""JSON Lines: one object a line, its keys the column names."""

import json
import re
from collections.abc import Iterator
from itertools import islice

import pyarrow as pa
import pyarrow.json as pajson

from byhand.columns import Wanted, type_of
from byhand.errors import DataError, shown
from byhand.files.file import HEAD, File
from byhand.files.format import Layout
from byhand.files.header import Given, find_columns
from byhand.files.lines import decoded
from byhand.files.text import FEW, SMALL, NotPlainError, joined, refuse_rounded
from byhand.parallel import in_threads


class _Whole(str):
    """A whole number as the file writes it, of any length."""


class _Fraction(str):
    """Any other number as the file writes it."""


class _Twice(str):
    """What a name stands for that an object has more than once."""


# an empty object that something follows is the first id of a file of TREC
_BEGINS = re.compile(rb'\s*(\{\s*("|\}[ \t]*([\r\n{,]|$))|\[\s*(\{\s*["}]|\[\s*"))')
_ROWS = 100_000
_TYPES = {_Whole: pa.int64(), _Fraction: pa.float64(), bool: pa.bool_()}
_NUMBERS = ("score", "rank")


def recognises(file: File) -> bool:
    """Whether the content begins as JSON does."""
    return file.is_text and bool(_BEGINS.match(file.head))


def find(file: File, wanted: Wanted, given: Given) -> Layout:
    """Which of the keys are our columns, going by the first objects.

    Raises:
        DataError: no object a line, or a column that is missing.
    """
    if file.head.lstrip().startswith(b"["):
        raise DataError(
            f"{file.name} is a JSON list. Expected JSON Lines, one object a line, as pandas writes "
            "them: pd.read_json(path).to_json(path, orient='records', lines=True)."
        )
    held: dict[str, list[object]] = {}
    for number, line in islice(file.filled_lines(HEAD), 20):
        row = object_of(file, number, line)
        for name, value in row.items():
            held.setdefault(_whole_text(file, number, name, name), []).append(value)
    types = [type_of(values) for values in held.values()]
    columns = find_columns(list(held), wanted, given, file.name, types=types)
    return Layout("JSON Lines", columns)


def object_of(file: File, number: int, line: bytes) -> dict[str, object]:
    """The object of a line, its numbers as they are written.

    Raises:
        DataError: a line that holds none.
    """
    text = decoded(file, line, number)
    try:
        row = json.loads(
            text,
            parse_int=_Whole,
            parse_float=_Fraction,
            parse_constant=_Fraction,
            object_pairs_hook=_pairs,
        )
    except (json.JSONDecodeError, RecursionError) as error:
        at = f" ({error})" if isinstance(error, json.JSONDecodeError) else ""
        raise DataError(
            f"{file.name}, line {number} is no whole JSON value{at}: {text[:80]!r}. Expected JSON "
            "Lines, one object a line, as pandas writes them with to_json(path, "
            f"orient='records', lines=True).{file.if_cut(number)}"
        ) from None
    if not isinstance(row, dict):
        kind = "number" if isinstance(row, _Whole | _Fraction) else type(row).__name__
        raise DataError(
            f"{file.name}, line {number} holds a JSON {kind}: {text[:80]!r}. "
            "Expected JSON Lines, one object a line, as pandas writes them with to_json(path, "
            "orient='records', lines=True)."
        )
    return row


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        row |= {name: _Twice() for name in row if names.count(name) > 1}
    return row


def read(file: File, layout: Layout) -> dict[str, pa.ChunkedArray]:
    """Our columns, with the types that the values have in the file.

    Raises:
        DataError: a line that is no JSON object, or a column that mixes text and numbers beyond
            what can be kept exactly.
    """
    keys = layout.columns.theirs
    schema = _schema(file, keys)
    try:
        return joined(in_threads(lambda block: _parse(block, keys, schema), file.blocks()))
    except (pa.ArrowInvalid, NotPlainError, UnicodeDecodeError):
        return joined(_exact_tables(file, keys))


def batches(file: File, layout: Layout) -> Iterator[pa.Table]:
    """Our columns as `read` gives them, a few rows at a time.

    Raises:
        DataError: as `read`.
    """
    keys, rows = layout.columns.theirs, 0
    schema = _schema(file, keys)
    try:
        for table in in_threads(lambda block: _parse(block, keys, schema), file.blocks(SMALL)):
            yield table
            rows += len(table)
    except (pa.ArrowInvalid, NotPlainError, UnicodeDecodeError):
        yield from _exact_tables(file, keys, after=rows, at_once=FEW)


def _schema(file: File, keys: dict[str, str]) -> pa.Schema:
    """The types of the first object's values: pyarrow refuses a file that has others below."""
    row = object_of(file, *next(file.filled_lines(HEAD)))
    types = {ours: _TYPES.get(type(row.get(key)), pa.large_string()) for ours, key in keys.items()}
    types |= {ours: pa.float64() for ours in _NUMBERS if ours in keys}
    return pa.schema([(key, types[ours]) for ours, key in keys.items()])


def _parse(block: bytes | bytearray, keys: dict[str, str], schema: pa.Schema) -> pa.Table:
    table = pajson.read_json(
        pa.BufferReader(block),
        pajson.ReadOptions(block_size=1 << 22),
        pajson.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
    )
    table.validate(full=True)  # the parser takes text in any encoding
    if len(table) != sum(1 for line in block.splitlines() if line.strip()):
        raise NotPlainError
    table = table.select(list(keys.values())).rename_columns(list(keys))
    refuse_rounded(table)
    return table


def _exact_tables(
    file: File, keys: dict[str, str], *, after: int = 0, at_once: int = _ROWS
) -> Iterator[pa.Table]:
    lines = islice(file.filled_lines(), after, None)
    while some := list(islice(lines, at_once)):
        rows = [(number, object_of(file, number, line)) for number, line in some]
        yield pa.table(
            {
                ours: pa.array(
                    [_as_text(file, number, ours, key, row.get(key)) for number, row in rows],
                    pa.large_string(),
                )
                for ours, key in keys.items()
            }
        )


def _as_text(file: File, number: int, ours: str, key: str, value: object) -> str | None:
    """A value as the file writes it."""
    if isinstance(value, _Twice):
        raise DataError(
            f"{file.name}, line {number} has {key!r} more than once. Expected each name once in "
            "an object: remove the others."
        )
    if value is None or type(value) is _Whole:
        return "0" if value == "-0" else value
    if type(value) is str:
        return _whole_text(file, number, key, value)
    written = value if isinstance(value, _Fraction) else json.dumps(value, default=str)
    if ours in ("query_id", "doc_id"):
        raise DataError(
            f"{file.name}, line {number}, column {key!r}: {written[:80]} is no id. Ids are "
            "text or whole numbers: put it in quotes if it is meant as text."
        )
    return written


def _whole_text(file: File, number: int, key: str, text: str) -> str:
    """Text whose every character is whole: JSON can escape half of one."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DataError(
            f"{file.name}, line {number}, column {shown(key)}: {shown(text)} holds half of a "
            "surrogate pair, which is no character. Write the text as UTF-8, or both halves."
        ) from None
    return text


def place(file: File, layout: Layout, row: int) -> str:
    """Which line a row is: blank ones hold none."""
    number, _ = next(islice(file.filled_lines(), row, None))
    return f"line {number}"
