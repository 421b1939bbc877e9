"""JSON: lines of objects, and queries that hold items."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import NoneType
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pajson

from byhand.column_map import ColumnNames, Columns, find_columns, refuse_given
from byhand.columns import QRELS, TableKind, known_names, type_of
from byhand.errors import DataError, shown
from byhand.files.file import File, Progress
from byhand.files.head import Head
from byhand.files.limits import LIMITS
from byhand.files.table_file import WHOLE, Lines, NotPlainError, TableFile
from byhand.words import N_, Message

# an empty object that something follows is the first id of a file of TREC
_BEGINS = re.compile(rb'\s*(\{\s*("|\}[ \t]*([\r\n{,]|$))|\[\s*(\{\s*["}]|\[\s*"))')
_LINES = Message("Expected JSON Lines, one object a line, as pandas writes them")


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
    """One object a line."""

    types: dict[str, pa.DataType]  # of the first object: pyarrow refuses a file of others below

    @classmethod
    def of(cls, head: Head, wanted: TableKind, given: ColumnNames) -> Self | None:
        """Which of the keys are our columns, going by the first objects."""
        file = head.file
        if file.no_table or not _BEGINS.match(file.head):
            return None
        if file.head.lstrip().startswith(b"["):
            raise DataError(
                "{file} is a JSON list. {lines}: pd.read_json(path).to_json(path, "
                "orient='records', lines=True).",
                [file.name, _LINES],
            )
        rows, held = [], {}
        for number, line in head.numbered[:20]:
            rows.append(_object_of(file, number, line))
            for name, value in rows[-1].items():
                held.setdefault(_whole_text(file, number, name, name), []).append(value)
        types = [type_of(values) for values in held.values()]
        columns = find_columns(list(held), wanted, given, file.name, types=types)
        first = {name: _TYPES.get(type(value), _TEXT) for name, value in rows[0].items()}
        return cls(file, "JSON Lines", columns, first)

    def parse(self, block: bytes | bytearray) -> pa.Table:
        """Our columns of a block, with the types that the values have in the file."""
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
        table = table.select([*keys.values()]).rename_columns([*keys])
        for ours in {"score", "rank"} & {*keys}:
            # those that float64 may not hold as written are read as text
            if not pc.all(pc.less(pc.abs(table[ours]), WHOLE)).as_py():
                raise NotPlainError
        return table

    def rows(self) -> Iterator[tuple[int, list[str | None]]]:
        """Every row as the text of our columns, with the number of its line."""
        keys = self.columns.theirs.items()
        for number, line in self.file.filled_lines():
            row = _object_of(self.file, number, line)
            yield number, [_as_text(self.file, number, *each, row.get(each[1])) for each in keys]


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
        found = N_(
            "{file}, line {number} is no whole JSON value{at}: {text!r}. {lines} with "
            "to_json(path, orient='records', lines=True).{cut}"
        )
        cut = file.if_cut(number)
    else:
        if isinstance(row, dict):
            return row
        is_number = isinstance(row, _Whole | _Fraction)
        at, cut = Message("number") if is_number else type(row).__name__, ""
        found = N_(
            "{file}, line {number} holds a JSON {kind}: {text!r}. {lines} with to_json(path, "
            "orient='records', lines=True).{cut}"
        )
    raise DataError(found, [file.name, number, at, text[:80], _LINES, cut])


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
            "{file}, line {number} has {key!r} more than once. Expected each name once in an "
            "object: remove the others.",
            [file.name, number, key],
        )
    if value is None or type(value) is _Whole:
        return "0" if value == "-0" else value
    if type(value) is str:
        return _whole_text(file, number, key, value)
    written = value if isinstance(value, _Fraction) else json.dumps(value, default=str)
    if ours in ("query_id", "doc_id"):
        raise DataError(
            "{file}, line {number}, column {key!r}: {written} is no id. Ids are text or whole "
            "numbers: put it in quotes if it is meant as text.",
            [file.name, number, key, written[:80]],
        )
    return written


def _whole_text(file: File, number: int, key: str, text: str) -> str:
    """Text whose every character is whole: JSON can escape half of one."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DataError(
            "{file}, line {number}, column {key}: {text} holds half of a surrogate pair, which is "
            "no character. Write the text as UTF-8, or both halves.",
            [file.name, number, shown(key), shown(text)],
        ) from None
    return text


_NESTED = Message('Expected queries that hold items, as in {{"q1": {{"d7": 0.93}}}}')
_A_LIST, _AN_OBJECT = Message("a list"), Message("an object")
_OF_LISTS = {
    False: N_("There are no scores: score is minus the place of an item in the list of its query."),
    True: N_("There are no grades: each item that a query lists is relevant, with relevance 1."),
}
_LIST_OF_TEXT = re.compile(r'\[[ \t\r\n]*"')
_BLANKS = re.compile(r"[ \t\r\n]*")
# an object becomes a tuple of pairs, which keeps names that stand in it twice; an array a list
_decode = json.JSONDecoder(object_pairs_hook=tuple).raw_decode


@dataclass(frozen=True)
class NestedJson(TableFile):
    """Queries that hold items and their numbers, or lists of items if they are `ranked`."""

    ranked: bool

    @classmethod
    def of(cls, head: Head, wanted: TableKind, given: ColumnNames) -> Self | None:
        """The one way in which such a file holds our columns."""
        file = head.file
        begins = not file.no_table and file.head.lstrip().startswith(b"{")
        if not begins or (first := _first_queries(file)) is None:
            return None
        names = ("query_id", "doc_id", wanted.needs[-1])
        if wanted.kind == "judged run":
            raise DataError(
                "{file} is nested JSON, which has one number for each item. A judged run has a "
                "score and a relevance: name a file of scores as the run, and one of grades as "
                "the qrels.",
                [file.name],
                missing=["relevance"],
            )
        if known_names([*first][:5]) > 1:
            raise DataError(
                "{file} is JSON that holds each column by itself. Expected a row by itself: "
                "pandas writes such a file with to_json(path, orient='records', lines=True).",
                [file.name],
            )
        refuse_given(given, Message("{file} is nested JSON", file=file.name))
        ranked = "[" in [*first.values()][:1]
        notes = (_OF_LISTS[wanted is QRELS],) if ranked else ()
        columns = Columns(dict(zip(names, range(3), strict=True)), names, notes)
        return cls(file, "JSON lists" if ranked else "nested JSON", columns, ranked)

    def tables(self, *, few: bool = False) -> Iterator[pa.Table]:
        """The rows of some queries at a time: ids as text, and the numbers that the file holds."""
        seen, empty, name = set(), True, self.file.name
        queries, of, items, numbers = [], [], [], []  # of each row the place of its query in these
        for query, pairs in self._queries():
            if query in seen:
                raise DataError(
                    "{name} has query {query} twice. Expected each query once, with all its "
                    "items: join the two.",
                    [name, shown(query)],
                )
            if self._judged and not pairs:
                raise DataError(
                    "{name}, query {query} holds no items. A query without any judgement cannot "
                    "be evaluated: leave it out, or give it an item with grade 0.",
                    [name, shown(query)],
                )
            seen.add(query)
            items += [item for item, _ in pairs]
            numbers += [number for _, number in pairs]
            of += [len(queries)] * len(pairs)
            queries.append(query)
            if len(items) >= LIMITS.rows:
                yield self._table(queries, of, items, numbers)
                queries, of, items, numbers, empty = [], [], [], [], False
        if items:
            yield self._table(queries, of, items, numbers)
        elif empty:
            raise DataError("{name} holds no items. {nested}.", [name, _NESTED])

    def place(self, row: int) -> str:
        """Which query a row is of, and where among its items: all may stand on one line."""
        for query, pairs in self._queries():
            if row < len(pairs):
                place = N_("item {n} of query {query}")
                return Message(place, n=row + 1, query=shown(query))
            row -= len(pairs)
        raise IndexError(row)

    @property
    def _judged(self) -> bool:
        return "relevance" in self.columns.positions

    def _queries(self) -> Iterator[tuple[str, tuple[tuple[str, object], ...]]]:
        """Each query with its items: of one object, or of several that follow each other."""
        text = JsonText(self.file, content := self.file.text())
        progress = Progress(self.file.name, len(content))
        while text.sign():
            for query in text.names():
                progress.at(text.at)
                items = text.value()
                at = N_("{file}, query {query}")
                where = Message(at, file=self.file.name, query=shown(query))
                if not isinstance(items, list if self.ranked else tuple):
                    kind = {list: _A_LIST, tuple: _AN_OBJECT}.get(type(items), shown(items))
                    if self.ranked:
                        raise DataError(
                            "{where} holds {kind}, where the list of its items belongs, as in the "
                            "first query.",
                            [where, kind],
                        )
                    raise DataError(
                        "{where} holds {kind}, where its items and their numbers belong. {nested}.",
                        [where, kind, _NESTED],
                    )
                yield query, tuple(_of_list(where, items)) if self.ranked else items
        progress.end()

    def _table(
        self, queries: list[str], of: list[int], items: list[str], held: list[object]
    ) -> pa.Table:
        kinds, numbers = {*map(type, held)}, None
        if not kinds.isdisjoint((tuple, list)):
            row = next(row for row, each in enumerate(held) if isinstance(each, tuple | list))
            query = shown(queries[of[row]])
            kind, more = _A_LIST, ""
            if not isinstance(held[row], list):
                runs = N_(
                    " If {query} is the name of a run and no query, write each run as a file."
                )
                kind, more = _AN_OBJECT, Message(runs, query=query)
            raise DataError(
                "{file}, query {query}, item {items} holds {kind}, where its number belongs. "
                "{nested}.{more}",
                [self.file.name, query, shown(items[row]), kind, _NESTED, more],
            )
        if kinds <= {int, float, NoneType} or kinds <= {bool, NoneType}:
            # but those beyond 64 bits, or beyond float64 among fractions
            with suppress(pa.ArrowInvalid, OverflowError):
                numbers = pa.array(held)
        if numbers is None:
            texts = (each if isinstance(each, str | None) else json.dumps(each) for each in held)
            numbers = pa.array(texts, pa.large_string())
        if self.ranked:  # what stands in a list is relevant, or the better the earlier it stands
            numbers = pc.sign(numbers) if self._judged else pc.negate(numbers)
        if self._judged and pa.types.is_floating(numbers.type):
            whole = pc.fill_null(pc.equal(pc.floor(numbers), numbers), True)
            if odd := numbers.filter(pc.and_(pc.invert(whole), pc.is_finite(numbers))):
                raise DataError(
                    "{file} holds {odd!r}, which looks like a score: the grades in such a file "
                    "are whole numbers. Is it a run? Were the two files swapped? Grades that are "
                    "fractions go into a table: query_id, doc_id, relevance.",
                    [self.file.name, odd[0].as_py()],
                )
        try:
            ids = [pa.array(each, pa.large_string()) for each in (queries, items)]
            ids[0] = ids[0].take(pa.array(of))
        except UnicodeEncodeError as error:
            raise DataError(
                "{file} has the id {object}, which holds half of a surrogate pair: that is no "
                "character. Write the text as UTF-8, or both halves.",
                [self.file.name, shown(error.object)],
            ) from None
        return pa.table([*ids, numbers], [*self.columns.positions])


def _first_queries(file: File) -> dict[str, str] | None:
    """The first queries of a file, each with the sign that its items begin with; None of a row."""
    text, found = JsonText(file, file.head.decode(errors="replace")), {}
    with suppress(DataError):  # cut by the end of the head: what was seen has to do
        for name in text.names():
            if (sign := text.sign()) == "{" or text.is_list_of_text():
                found[name] = sign  # even if it is cut
            if not isinstance(text.value(), tuple | list):
                return None
            found[name] = sign
        return found if found or not text.sign() else None
    return found or None


def _of_list(where: str, items: list[object]) -> Iterator[tuple[str, int]]:
    """The items of a list, each with its place from 1."""
    for place, item in enumerate(items, 1):
        if type(item) not in (str, int):
            raise DataError(
                '{where}, item {place} is {item}. Expected the id of an item, as in {{"q1": '
                '["d7", "d2"]}}; with scores, {{"q1": {{"d7": 0.93}}}}.',
                [where, place, shown(item)],
            )
        yield str(item), place


class JsonText:
    """The text of a file, and the place in it where the next value begins."""

    def __init__(self, file: File, text: str) -> None:
        self._file, self._text = file, text
        self.at = 0

    def sign(self) -> str:
        """The next character that is not blank; none at the end."""
        self.at = _BLANKS.match(self._text, self.at).end()
        return self._text[self.at : self.at + 1]

    def is_list_of_text(self) -> bool:
        """Whether the value that begins here is a list, and its first item text."""
        return self.sign() == "[" and bool(_LIST_OF_TEXT.match(self._text, self.at))

    def names(self) -> Iterator[str]:
        """The names in the object that begins here; whoever gets one takes its value next."""
        self._take("{")
        while self.sign() != "}":
            if self.sign() != '"':
                raise self._broken(Message("Expecting a name in quotes"))
            name = self.value()
            self._take(":")
            yield name
            if self.sign() == ",":
                self._take(",")
                if self.sign() == "}":
                    raise self._broken(Message("Nothing follows the comma"))
            elif self.sign() != "}":
                raise self._broken(Message("Expecting ',' or '}}'"))
        self._take("}")

    def value(self) -> object:
        """The value that begins here; a DataError if it is none, or not whole."""
        self.sign()
        try:
            value, self.at = _decode(self._text, self.at)
        except json.JSONDecodeError as error:
            self.at = error.pos
            raise self._broken(error.msg) from None
        except RecursionError:
            raise self._broken(Message("Nested too deeply")) from None
        except ValueError:  # Python's own limit
            raise self._broken(Message("A number of thousands of digits")) from None
        return value

    def _take(self, sign: str) -> None:
        if self.sign() != sign:
            raise self._broken(Message("Expecting {sign!r}", sign=sign))
        self.at += 1

    def _broken(self, what: str) -> DataError:
        line = self._text.count("\n", 0, self.at) + 1
        character = self.at - self._text.rfind("\n", 0, self.at)
        near = self._text[self.at : self.at + 40]
        found, ends = f": {near!r}", ""
        if not near.strip():
            found = ""
            ends = Message(" The file ends there: was it written, or copied, to its end?")
        return DataError(
            "{file}, line {line}, character {character} is no whole JSON ({what}){found}. "
            "{nested}.{ends}",
            [self._file.name, line, character, what, found, _NESTED, ends],
        )
