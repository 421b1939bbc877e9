"""JSON Lines: one object a line, its keys the column names."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Self

import pyarrow as pa
import pyarrow.json as pajson

from byhand.columns import Wanted, type_of
from byhand.errors import DataError, shown
from byhand.files.file import HEAD, File
from byhand.files.header import Given, find_columns
from byhand.files.source import Lines, NotPlainError, refuse_rounded

# an empty object that something follows is the first id of a file of TREC
_BEGINS = re.compile(rb'\s*(\{\s*("|\}[ \t]*([\r\n{,]|$))|\[\s*(\{\s*["}]|\[\s*"))')
_LINES = "Expected JSON Lines, one object a line, as pandas writes them"


class _Whole(str):
    """A whole number as the file writes it, of any length."""


class _Fraction(str):
    """Any other number as the file writes it."""


class _Twice(str):
    """What a name stands for that an object has more than once."""


_TEXT = pa.large_string()
_TYPES = {_Whole: pa.int64(), _Fraction: pa.float64(), bool: pa.bool_()}


@dataclass(frozen=True)
class JsonLines(Lines):
    """One object a line.

    Attributes:
        types: those of the first object's values: pyarrow refuses a file that has others below.
    """

    types: dict[str, pa.DataType]

    @classmethod
    def recognises(cls, file: File) -> bool:
        """Whether the content begins as JSON does."""
        return not file.no_table and bool(_BEGINS.match(file.head))

    @classmethod
    def of(cls, file: File, wanted: Wanted, given: Given) -> Self:
        """Which of the keys are our columns, going by the first objects."""
        if file.head.lstrip().startswith(b"["):
            raise DataError(
                f"{file.name} is a JSON list. {_LINES}: pd.read_json(path).to_json(path, "
                "orient='records', lines=True)."
            )
        rows, held = [], {}
        for number, line in islice(file.filled_lines(HEAD), 20):
            rows.append(_object_of(file, number, line))
            for name, value in rows[-1].items():
                held.setdefault(_whole_text(file, number, name, name), []).append(value)
        types = [type_of(values) for values in held.values()]
        columns = find_columns(list(held), wanted, given, file.name, types=types)
        first = {name: _TYPES.get(type(value), _TEXT) for name, value in rows[0].items()}
        return cls(file, "JSON Lines", columns, first)

    def parse(self, block: bytes | bytearray, exact: bool) -> pa.Table:
        """Our columns of a block, with the types that the values have in the file."""
        if exact:
            raise NotPlainError
        keys = self.columns.theirs
        types = {ours: self.types.get(key, _TEXT) for ours, key in keys.items()}
        types |= dict.fromkeys({"score", "rank"} & {*keys}, pa.float64())
        schema = pa.schema([(key, types[ours]) for ours, key in keys.items()])
        table = pajson.read_json(
            pa.BufferReader(block),
            pajson.ReadOptions(block_size=1 << 22),
            pajson.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
        )
        table.validate(full=True)  # the parser takes text in any encoding
        if len(table) != sum(1 for line in block.splitlines() if line.strip()):
            raise NotPlainError
        return refuse_rounded(table.select([*keys.values()]).rename_columns([*keys]))

    def rows(self) -> Iterator[tuple[int, list[str | None]]]:
        """Every row as the text of our columns, with the number of its line."""
        keys = self.columns.theirs.items()
        for number, line in self.file.filled_lines():
            row = _object_of(self.file, number, line)
            yield number, [_as_text(self.file, number, *each, row.get(each[1])) for each in keys]

    def place(self, row: int) -> str:
        """Which line a row is: blank ones hold none."""
        number, _ = next(islice(self.file.filled_lines(), row, None))
        return f"line {number}"


def _object_of(file: File, number: int, line: bytes) -> dict[str, object]:
    """The object of a line, its numbers as they are written."""
    text = file.decoded(line, number)
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
        what, cut = f"is no whole JSON value{at}", file.if_cut(number)
    else:
        if isinstance(row, dict):
            return row
        kind = "number" if isinstance(row, _Whole | _Fraction) else type(row).__name__
        what, cut = f"holds a JSON {kind}", ""
    raise DataError(
        f"{file.name}, line {number} {what}: {text[:80]!r}. {_LINES} with to_json(path, "
        f"orient='records', lines=True).{cut}"
    )


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        row |= {name: _Twice() for name in row if names.count(name) > 1}
    return row


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
