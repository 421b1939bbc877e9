"""Read JSON with Python: objects in lines or lists, and queries that contain items."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from types import NoneType

import pyarrow as pa
import pyarrow.compute as pc

from byhand.errors import DataError, shown
from byhand.files.opening import LIMITS, File
from byhand.naming import names_of, plain

# an empty object followed by text is an id in a TREC file
BEGINS = re.compile(rb'\s*(\{\s*("|\}[ \t]*([\r\n{,]|$))|\[\s*(\{\s*["}]|\[\s*"))')
_WRAPPED = re.compile(r'"(?:results|hits|records|data)"\s*:\s*(?=\[\s*\{)')
_LINES = (
    "Expected JSON Lines, one object a line, as pandas writes them with to_json(path, "
    "orient='records', lines=True)."
)
_NESTED = 'Expected queries that hold items, as in {"q1": {"d7": 0.93}}.'
_HIT = 'Expected an id, an [id, score] pair, or an object as {"doc_id": "d7", "score": 0.93}.'
# common keys of an item and its number in lists of hits
ITEMS = ("corpus_id", "doc_id", "docno", "docid", "id", "_id")
NUMBERS = ("score", "_score", "relevance", "grade")
_LIST_OF_TEXT = re.compile(rf'\[\s*(?:\[\s*|\{{\s*"(?:{"|".join(ITEMS)})"\s*:\s*)?"')
_BLANKS = re.compile(r"[ \t\r\n]*")


class Whole(str):
    """A whole number of any length, as written in the file."""


class Fraction(str):
    """Another number, as written in the file."""


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
        """Return the error for text that is not JSON from here on."""
        line = self._text.count("\n", 0, self.at) + 1
        character = self.at - self._text.rfind("\n", 0, self.at)
        near = self._text[self.at : self.at + 40]
        found, ends = f": {near!r}", ""
        if not near.strip():
            found, ends = "", " The file ends there: was it written, or copied, to its end?"
        return DataError(
            f"{self._file.name}, line {line}, character {character} is no whole JSON ({what})"
            f"{found}. {self._expected}{ends}"
        )


# ---- objects ------------------------------------------------------------------------------------


def is_records(file: File) -> bool:
    """Test whether a file is a list of objects, alone or under a name such as results."""
    head = file.head.lstrip()
    return head.startswith(b"[") or _records_at(head.decode(errors="ignore")) > 0


def _records_at(text: str) -> int:
    """Return where a list of objects with query names begins; 0 if there is none."""
    if not (found := _WRAPPED.search(text, 0, 2000)) or "\n{" in text[: found.start()]:
        return 0
    if text.count("[", 0, found.start()) or text.count("{", 0, found.start()) > 2:
        return 0  # part of one row of several
    with suppress(ValueError):
        first, _ = _object.raw_decode(text, text.index("{", found.end()))
        names = {plain(name) for name in first}
        return 0 if names.isdisjoint(names_of("query_id")) else found.end()
    return 0


def objects(file: File, numbered: Iterable[tuple[int, bytes]] | None = None) -> Iterator:
    """Yield the objects of a file with their line or position, and numbers as written."""
    if not is_records(file):
        for n, line in file.lines() if numbered is None else numbered:
            if line.strip():
                yield n, _object_of(file, n, line)
        return
    expected, text = "Expected a list of objects, one for each row.", file.text()
    reader, at = JsonText(file, text, _object, expected), _records_at(text)
    rows = reader.value()
    if reader.sign():
        raise reader.broken(f"Nothing may follow the {'object' if at else 'list'}")
    if at:
        reader.at = at
        rows = reader.value()
    for n, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            problem = f"{file.name}, record {n} is {shown(row)[:80]}, not an object. {expected}"
            raise DataError(problem)
        yield n, row


def _object_of(file: File, n: int, line: bytes) -> dict[str, object]:
    text = file.decoded(line, n).strip("\r\n")
    try:
        row = _object.decode(text)
    except (ValueError, RecursionError) as error:
        at = f" ({error})" if isinstance(error, json.JSONDecodeError) else ""
        problem = f"{file.name}, line {n} is no whole JSON value{at}: {text[:80]!r}. {_LINES}"
        raise DataError(f"{problem}{file.if_cut(n)}") from None
    if not isinstance(row, dict):
        kind = "number" if isinstance(row, Whole | Fraction) else type(row).__name__
        raise DataError(f"{file.name}, line {n} holds a JSON {kind}: {text[:80]!r}. {_LINES}")
    return row


def first_objects(file: File) -> list[dict[str, object]]:
    """Return the first objects; of a list only those that are complete in the head."""
    found: list = []
    if listed := is_records(file):
        text = file.head.decode(errors="ignore").lstrip()
        at = _records_at(text)
        with suppress(ValueError):
            while len(found) < 20 and text[at : at + 1] in ("[", ","):
                row, at = _object.raw_decode(text, _BLANKS.match(text, at + 1).end())
                found.append(row)
                at = _BLANKS.match(text, at).end()
    if not found or not all(isinstance(each, dict) for each in found):
        lines = None if listed else file.lines(LIMITS.head)
        found = [row for _, row in islice(objects(file, lines), 20)]
    for n, row in enumerate(found, 1):
        for name in row:
            whole_text(file, f"line {n}", name, name)
    return found


def whole_text(file: File, place: str, name: str, text: str) -> str:
    """Return a text; raise a DataError if it has an unpaired surrogate, which JSON can escape."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DataError(
            f"{file.name}, {place}, column {shown(name)}: {shown(text)} holds half of a surrogate "
            "pair, which is no character. Write the text as UTF-8, or both halves."
        ) from None
    return text


# ---- queries that contain items -----------------------------------------------------------------


def first_queries(file: File) -> dict[str, str] | None:
    """Return the first queries and the sign of their items; None if the file has rows."""
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


def queries(file: File, *, listed: bool, judged: bool) -> Iterator[tuple[str, Sequence]]:
    """Yield each query with its items and their numbers, of one object or several in a row."""
    text, seen = JsonText(file, file.text(), _nested, _NESTED), set()
    while text.sign():
        for query in text.names():
            items, where = text.value(), f"{file.name}, query {shown(query)}"
            if query in seen:
                raise DataError(
                    f"{file.name} has query {shown(query)} twice. Expected each query once, with "
                    "all its items: join the two."
                )
            seen.add(query)
            if not isinstance(items, list if listed else tuple):
                kind = {list: "a list", tuple: "an object"}.get(type(items), shown(items))
                belongs = "its items and their numbers belong. " + _NESTED
                if listed:
                    belongs = "the list of its items belongs, as in the first query."
                raise DataError(f"{where} holds {kind}, where {belongs}")
            if judged and not items:
                raise DataError(
                    f"{where} holds no items. A query without any judgement cannot be evaluated: "
                    "leave it out, or give it an item with grade 0."
                )
            yield query, hits(where, items, judged=judged) if listed else items


def hits(where: str, items: list, *, judged: bool) -> list[tuple[str, object]]:
    """Return the items of a list and their numbers: given ones, or minus the place, or 1."""
    if {*map(type, items)} <= {str, int, Whole}:
        return [(str(item), 1 if judged else -at) for at, item in enumerate(items, 1)]
    found = []
    for at, each in enumerate(items, 1):
        by_name = each if isinstance(each, dict) else {}
        if isinstance(each, tuple):
            by_name = dict(each)
        id_ = next((by_name[name] for name in ITEMS if name in by_name), None)
        number = next((by_name[name] for name in NUMBERS if name in by_name), None)
        if isinstance(each, list) and len(each) == 2:
            id_, number = each
        if type(id_) not in (str, int, Whole) or (not by_name and not isinstance(each, list)):
            text = shown(dict(each) if isinstance(each, tuple) else each)
            raise DataError(f"{where}, item {at} is {text}. {_HIT}")
        found.append((str(id_), number))
    return found


def are_hits(file: File) -> bool:
    """Test whether the lists of a file contain pairs or objects with their own numbers."""
    return bool(re.search(rb"[:\[]\s*\[\s*[{\[]", file.head))


def nested_tables(file: File, names: Sequence[str], listed: bool) -> Iterator[pa.Table]:
    """Yield the rows of some queries at a time: ids as text, and the numbers of the file."""
    judged = names[-1] == "relevance"
    query_ids, parents, items, numbers, empty = [], [], [], [], True
    for query, pairs in queries(file, listed=listed, judged=judged):
        items += [item for item, _ in pairs]
        numbers += [number for _, number in pairs]
        parents += [len(query_ids)] * len(pairs)
        query_ids.append(query)
        if len(items) >= LIMITS.rows:
            yield _nested_table(file, names, (query_ids, parents, items, numbers))
            query_ids, parents, items, numbers, empty = [], [], [], [], False
    if items:
        yield _nested_table(file, names, (query_ids, parents, items, numbers))
    elif empty:
        raise DataError(f"{file.name} holds no items. {_NESTED}")


def _nested_table(file: File, names: Sequence[str], lists: tuple[list, ...]) -> pa.Table:
    query_ids, parents, items, numbers = lists
    if not {*map(type, numbers)}.isdisjoint((tuple, list, dict)):
        row = next(n for n, each in enumerate(numbers) if isinstance(each, tuple | list | dict))
        query, kind, more = shown(query_ids[parents[row]]), "a list", ""
        if not isinstance(numbers[row], list):
            kind = "an object"
            more = f" If {query} is the name of a run and no query, write each run as a file."
        raise DataError(
            f"{file.name}, query {query}, item {shown(items[row])} holds {kind}, where its number "
            f"belongs. {_NESTED}{more}"
        )
    column = array(numbers)
    if names[-1] == "relevance" and pa.types.is_floating(column.type):
        whole = pc.fill_null(pc.equal(pc.floor(column), column), True)
        if odd := column.filter(pc.and_(pc.invert(whole), pc.is_finite(column))):
            raise DataError(
                f"{file.name} holds {odd[0].as_py()!r}, which looks like a score: the grades in "
                "such a file are whole numbers. Is it a run? Were the two files swapped? Grades "
                "that are fractions go into a table: query_id, doc_id, relevance."
            )
    try:
        ids = [pa.array(each, pa.large_string()) for each in (query_ids, items)]
    except UnicodeEncodeError as error:
        raise DataError(
            f"{file.name} has the id {shown(error.object)}, which holds half of a surrogate pair: "
            "that is no character. Write the text as UTF-8, or both halves."
        ) from None
    return pa.table([ids[0].take(pa.array(parents)), ids[1], column], [*names])


def array(values: Sequence[object]) -> pa.Array:
    """Return numbers as an Arrow array; mixed values become text."""
    kinds = {*map(type, values)}
    if kinds <= {int, float, NoneType} or kinds <= {bool, NoneType}:
        # numbers beyond 64 bits, or beyond float64 among fractions, become text
        with suppress(pa.ArrowInvalid, OverflowError):
            return pa.array(values)
    texts = [each if isinstance(each, str | None) else json.dumps(each) for each in values]
    return pa.array(texts, pa.large_string())
