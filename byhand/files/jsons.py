"""Read JSON with Python: objects in lines or lists, and queries that contain items."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from types import NoneType

import pyarrow as pa

from byhand.errors import DataError, shown
from byhand.files.opening import LIMITS, File
from byhand.naming import names_of, plain

# an empty object followed by text is an id in a TREC file
BEGINS = re.compile(rb'\s*(\{\s*("|\}[ \t]*([\r\n{,]|$))|\[\s*(\{\s*["}]|\[\s*"))')
_WRAPPED = re.compile(r'"(?:results|hits|records|data)"\s*:\s*(?=\[\s*\{)')
_LINES = (
    "Expected JSON Lines, one object per line, as pandas writes them with to_json(path, "
    "orient='records', lines=True)."
)
_NESTED = 'Expected the items of each query, as in {"q1": {"d7": 0.93}}.'
_LIST_OF_TEXT = re.compile(r'\[\s*(?:\[\s*|\{\s*"(?:_?id|corpus_id|doc_id|docno|docid)"\s*:\s*)?"')
_BLANKS = re.compile(r"[ \t\r\n]*")
Numbered = Iterable[tuple[int, bytes]]
Placed = Iterator[tuple[str, dict[str, object]]]


class Whole(str):
    """A whole number of any length, as written in the file."""


class Fraction(str):
    """A number that is not a whole number, as written in the file."""


class Twice(str):
    """The value of a name that an object repeats."""


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        row |= {name: Twice() for name in row if names.count(name) > 1}
    return row


_AS_WRITTEN = {"parse_int": Whole, "parse_float": Fraction, "parse_constant": Fraction}
_object = json.JSONDecoder(object_pairs_hook=_pairs, **_AS_WRITTEN)
# objects become tuples of pairs, which keep repeated names
_nested = json.JSONDecoder(object_pairs_hook=tuple)
_lists = json.JSONDecoder(object_pairs_hook=_pairs)


class JsonText:
    """The text of a file, and the position of its next value."""

    def __init__(self, file: File, text: str, decoder: json.JSONDecoder, expected: str) -> None:
        self._file, self._text, self._expected = file, text, expected
        self._decode, self.at = decoder.raw_decode, 0

    def sign(self) -> str:
        """Return the next character that is not blank, or "" at the end."""
        self.at = _BLANKS.match(self._text, self.at).end()
        return self._text[self.at : self.at + 1]

    def is_list_of_text(self) -> bool:
        """Test whether the next value is a list that begins with text."""
        return self.sign() == "[" and bool(_LIST_OF_TEXT.match(self._text, self.at))

    def names(self) -> Iterator[str]:
        """Yield the names in the next object; the caller reads each value in between."""
        self._take("{")
        while self.sign() != "}":
            if self.sign() != '"':
                raise self.broken("Expecting a name in quotes")
            name = self.value()
            self._take(":")
            yield name
            if self.sign() != "}":
                self._take(",", "',' or '}'")
                if self.sign() == "}":
                    raise self.broken("Nothing follows the comma")
        self._take("}")

    def value(self) -> object:
        """Return the next value; raise a DataError if it is not complete JSON."""
        self.sign()
        try:
            value, self.at = self._decode(self._text, self.at)
        except (ValueError, RecursionError) as error:
            self.at = getattr(error, "pos", self.at)
            deep = isinstance(error, RecursionError)
            long = "Nested too deeply" if deep else "A number of thousands of digits"
            raise self.broken(getattr(error, "msg", long)) from None
        return value

    def _take(self, sign: str, expected: str = "") -> None:
        if self.sign() != sign:
            raise self.broken(f"Expecting {expected or repr(sign)}")
        self.at += 1

    def broken(self, what: str) -> DataError:
        """Return the error for text that is not valid JSON from this position on."""
        line = self._text.count("\n", 0, self.at) + 1
        character = self.at - self._text.rfind("\n", 0, self.at)
        near = self._text[self.at : self.at + 40]
        found, ends = f": {near!r}", ""
        if not near.strip():
            found, ends = "", " The file ends there: was it written and copied completely?"
        return DataError(
            f"{self._file.name}, line {line}, character {character} is not valid JSON "
            f"({what}){found}. {self._expected}{ends}"
        )


# ---- objects ------------------------------------------------------------------------------------


def records_at(file: File) -> int | None:
    """Return where a list of objects begins, alone or under a name such as results, or None."""
    text = file.head.lstrip().decode(errors="ignore")
    if text.startswith("["):
        return 0
    if not (found := _WRAPPED.search(text, 0, 2000)) or "\n{" in text[: found.start()]:
        return None
    if text.count("[", 0, found.start()) or text.count("{", 0, found.start()) > 2:
        return None  # part of one row of several
    with suppress(ValueError):
        first, _ = _object.raw_decode(text, text.index("{", found.end()))
        if not {*map(plain, first)}.isdisjoint(names_of("query_id")):
            return found.end()
    return None


def _objects(
    file: File, records: int | None, numbered: Numbered | None, decoder: json.JSONDecoder
) -> Placed:
    """Yield the place of each object of a file, and the object."""
    if records is None:
        for n, line in file.lines() if numbered is None else numbered:
            if line.strip():
                yield f"line {n}", _object_of(file, n, line, decoder)
        return
    expected, text = "Expected a list of objects, one for each row.", file.text()
    reader = JsonText(file, text, decoder, expected)
    rows = reader.value()
    if reader.sign():
        raise reader.broken(f"Nothing may follow the {'object' if records else 'list'}")
    if records:
        reader.at = records + len(text) - len(text.lstrip())
        rows = reader.value()
    for n, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            problem = f"{file.name}, record {n} is {shown(row)[:80]}, not an object. {expected}"
            raise DataError(problem)
        yield f"record {n}", row


def _object_of(file: File, n: int, line: bytes, decoder: json.JSONDecoder) -> dict[str, object]:
    text = file.decoded(line, n).strip("\r\n")
    try:
        row = decoder.decode(text)
    except (ValueError, RecursionError) as error:
        json_error = isinstance(error, json.JSONDecodeError)
        at = f" ({error.msg}, character {error.colno})" if json_error else ""
        problem = f"{file.name}, line {n} is not a valid JSON value{at}: {text[:80]!r}. {_LINES}"
        raise DataError(f"{problem}{file.if_cut(n)}") from None
    if not isinstance(row, dict):
        number = isinstance(row, Whole | Fraction | int | float)
        kind = "number" if number else type(row).__name__
        raise DataError(
            f"{file.name}, line {n} is a JSON {kind}, not an object: {text[:80]!r}. {_LINES}"
        )
    return row


def first_objects(file: File, records: int | None) -> list[dict[str, object]]:
    """Return the first objects; from a list, only those that are complete in the head."""
    found: list = []
    if records is not None:
        text, at = file.head.lstrip().decode(errors="ignore"), records
        with suppress(ValueError):
            while len(found) < 20 and text[at : at + 1] in ("[", ","):
                row, at = _object.raw_decode(text, _BLANKS.match(text, at + 1).end())
                found.append(row)
                at = _BLANKS.match(text, at).end()
    if not found or not all(isinstance(each, dict) for each in found):
        rows = _objects(file, records, file.lines(LIMITS.head), _object)
        found = [row for _, row in islice(rows, 20)]
    for n, row in enumerate(found, 1):
        for name in row:
            try:
                name.encode()
            except UnicodeEncodeError:
                raise half_a_character(f"{file.name}, line {n}", name) from None
    return found


def objects(
    file: File, records: int | None, keys: Mapping[str, str], numbered: Numbered | None = None
) -> Placed:
    """Yield the place of each object and its values under our column names.

    If `numbered` lines are given, read only those, and keep their numbers as text.
    """
    decoder = _lists if numbered is None else _object
    for where, row in _objects(file, records, numbered, decoder):
        cells = {ours: row.get(key) for ours, key in keys.items()}
        for ours, value in cells.items():
            if isinstance(value, Twice):
                raise DataError(
                    f"{file.name}, {where} has {keys[ours]!r} more than once. Each name must "
                    "be unique in an object. Keep one of them."
                )
        yield where, cells


def half_a_character(where: str, text: str) -> DataError:
    """Return the error for a text with an unpaired surrogate, which JSON can escape."""
    return DataError(
        f"{where}: {shown(text)} contains half of a surrogate pair, which is not a character. "
        "Write the text as UTF-8, or write both halves."
    )


def not_an_id(where: str, value: object) -> DataError:
    """Return the error for an id that is neither text nor a whole number."""
    written = value if isinstance(value, str) else json.dumps(value, default=str)
    return DataError(
        f"{where}: {written[:80]} is not an id. Ids are text or whole numbers: put it in quotes if "
        "it is meant as text."
    )


# ---- queries that contain items -----------------------------------------------------------------


def first_queries(file: File) -> dict[str, str] | None:
    """Return the first queries and the first character of their items; None for rows."""
    text, found = JsonText(file, file.head.decode(errors="replace"), _nested, ""), {}
    with suppress(DataError):  # the head may end within a value
        for name in text.names():
            if (sign := text.sign()) == "{" or text.is_list_of_text():
                found[name] = sign  # even if it is incomplete
            if not isinstance(text.value(), tuple | list):
                return None
            found[name] = sign
        return found if found or not text.sign() else None
    return found or None


def queries(file: File, *, listed: bool, judged: bool) -> Placed:
    """Yield the place and the cells of each query, from one object or several in succession."""
    text, seen = JsonText(file, file.text(), _lists if listed else _nested, _NESTED), set()
    number = "relevance" if judged else "score"
    while text.sign():
        for query in text.names():
            items, where = text.value(), f"{file.name}, query {shown(query)}"
            if query in seen:
                raise DataError(
                    f"{file.name} has query {shown(query)} twice. Each query must appear once, "
                    "with all its items. Merge the two."
                )
            seen.add(query)
            if not isinstance(items, list if listed else tuple):
                kind = {list: "a list", tuple: "an object", dict: "an object"}
                belongs = "its items and their numbers. " + _NESTED
                if listed:
                    belongs = "the list of its items. Use the form of the first query for all."
                held = kind.get(type(items), shown(items))
                raise DataError(f"{where} has {held} instead of {belongs}")
            if judged and not items:
                raise DataError(
                    f"{where} has no items. A query without judgements cannot be evaluated: "
                    "remove it, or add an item with grade 0."
                )
            cells: dict[str, object] = {"query_id": query, "doc_id": items}
            if not listed:
                numbers = [each for _, each in items]
                if not {*map(type, numbers)}.isdisjoint((tuple, list)):
                    raise _no_number(where, query, items)
                cells |= {"doc_id": [item for item, _ in items], number: numbers}
            yield f"query {shown(query)}", cells


def _no_number(where: str, query: str, items: Sequence[tuple[str, object]]) -> DataError:
    item, value = next(pair for pair in items if isinstance(pair[1], tuple | list))
    kind, more = "a list", ""
    if isinstance(value, tuple):
        kind = "an object"
        more = f" If {shown(query)} is a run and not a query, write each run to a file of its own."
    return DataError(f"{where}, item {shown(item)} has {kind} instead of a number. {_NESTED}{more}")


def array(values: Sequence[object]) -> pa.Array:
    """Return numbers as an Arrow array; mixed values become text."""
    kinds = {*map(type, values)}
    if kinds <= {int, float, NoneType} or kinds <= {bool, NoneType}:
        # numbers beyond 64 bits, or beyond float64 among fractions, become text
        with suppress(pa.ArrowInvalid, OverflowError):
            return pa.array(values)
    texts = [
        each if isinstance(each, str | None) else json.dumps(each, default=str).strip('"')
        for each in values
    ]
    return pa.array(texts, pa.large_string())
