"""Nested JSON, as ranx, BEIR and pytrec_eval keep it: queries that hold items, a number each."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from types import NoneType

import pyarrow as pa
import pyarrow.compute as pc

from byhand.columns import QRELS, Wanted, known_names
from byhand.errors import DataError, shown
from byhand.files.file import File
from byhand.files.format import Layout
from byhand.files.header import Columns, Given, grade_of
from byhand.files.json_text import EXPECTED, JsonText

_ROWS = 100_000

_OF_LISTS = {
    False: "There are no scores: score is minus the place of an item in the list of its query.",
    True: "There are no grades: each item that a query lists is relevant, with relevance 1.",
}

Query = tuple[str, tuple[tuple[str, object], ...]]


@dataclass(frozen=True)
class NestedLayout(Layout):
    """Whether a query holds a list of items, and not an object of items and their numbers."""

    ranked: bool


def recognises(file: File) -> bool:
    """Whether the first object holds nothing but objects, as no row of a table does."""
    if not file.is_text or not file.head.lstrip().startswith(b"{"):
        return False
    text = JsonText.of_head(file)
    held, whole = [], False  # what queries hold; of a list that is cut only if it is of text
    try:
        for _ in text.names():
            if text.sign() == "{" or text.is_list_of_text():
                held.append(text.sign())
            if not isinstance(value := text.value(), tuple | list):
                return False
            held.append("{" if isinstance(value, tuple) else "[")
        whole = True
    except (DataError, RecursionError):
        pass  # cut by the end of the head, or broken: what was seen has to do
    if not held:
        return whole and not text.sign()
    return {*held} <= {"{", "["}


def find(file: File, wanted: Wanted, given: Given) -> NestedLayout:
    """The one way in which such a file holds our columns.

    Raises:
        DataError: it is to hold scores and grades, or it has names for columns.
    """
    names = ("query_id", "doc_id", wanted.needs[-1])
    if wanted.kind == "judged run":
        raise DataError(
            f"{file.name} is nested JSON, which has one number for each item. A judged run has a "
            "score and a relevance: read_run for the scores, read_qrels for a file of grades.",
            missing=["relevance"],
        )
    ranked, first = _begins_ranked(file), []
    try:
        text = JsonText.of_head(file)
        first += (name for name, _ in islice(_queries(file, text, ranked=ranked), 5))
    except DataError:
        pass  # what is wrong is said when it is read
    if known_names(first) > 1:
        raise DataError(
            f"{file.name} is JSON that holds each column by itself. Expected a row by itself: "
            "pandas writes such a file with to_json(path, orient='records', lines=True)."
        )
    if grade_of(given) is not None:
        raise DataError(f"{file.name} is nested JSON, with grades: leave relevance=1 out.")
    if given:
        raise DataError(
            f"{file.name} is nested JSON, whose columns have no names. Leave columns= out."
        )
    columns = Columns(dict(zip(names, range(3), strict=True)), names)
    if ranked:
        columns = replace(columns, notes=(_OF_LISTS[wanted is QRELS],))
    return NestedLayout("JSON lists" if ranked else "nested JSON", columns, ranked)


def _begins_ranked(file: File) -> bool:
    """Whether the first query holds a list of items."""
    text = JsonText.of_head(file)
    return any(text.sign() == "[" for _ in islice(text.names(), 1))


def _queries(file: File, text: JsonText, *, ranked: bool) -> Iterator[Query]:
    """Each query with its items: of one object, or of several that follow each other."""
    while text.sign():
        for query in text.names():
            items = text.value()
            if not isinstance(items, list if ranked else tuple):
                raise _misshapen(file, query, items, ranked=ranked)
            yield query, _of_list(file, query, items) if ranked else items


def _of_list(file: File, query: str, items: list[object]) -> tuple[tuple[str, int], ...]:
    """The items of a list, each with its place from 1."""
    for place, item in enumerate(items, 1):
        if type(item) not in (str, int):
            raise DataError(
                f"{file.name}, query {shown(query)}, item {place} is {shown(item)}. Expected the "
                'id of an item, as in {"q1": ["d7", "d2"]}; with scores, {"q1": {"d7": 0.93}}.'
            )
    return tuple((str(item), place) for place, item in enumerate(items, 1))


def _misshapen(file: File, query: str, items: object, *, ranked: bool) -> DataError:
    kind = {list: "a list", tuple: "an object"}.get(type(items), shown(items))
    where = f"{file.name}, query {shown(query)} holds {kind}"
    if ranked:
        return DataError(f"{where}, where the list of its items belongs, as in the first query.")
    return DataError(f"{where}, where its items and their numbers belong. {EXPECTED}.")


def read(file: File, layout: NestedLayout) -> dict[str, pa.ChunkedArray]:
    """Our columns: ids as text, and the numbers that the file holds.

    Raises:
        DataError: what is no JSON, or is nested in another way; a query that stands there twice,
            or has no judgement; grades that look like scores.
    """
    *_, number = layout.columns.positions
    judged = number == "relevance"
    batches = [
        (_texts(file, queries).take(pa.array(of)), _texts(file, items), _numbers(numbers))
        for queries, of, items, numbers in _batches(file, layout, judged=judged)
    ]
    if not batches:
        raise DataError(f"{file.name} holds no items. {EXPECTED}.")
    queries, items, numbers = zip(*batches, strict=True)
    numbers = _alike(numbers)
    if layout.ranked:  # what stands in a list is relevant, or the better the earlier it stands
        numbers = pc.sign(numbers) if judged else pc.negate(numbers)
    if number == "relevance" and pa.types.is_floating(numbers.type):
        _refuse_scores(file, numbers)
    columns = pa.chunked_array(queries), pa.chunked_array(items), numbers
    return dict(zip(layout.columns.positions, columns, strict=True))


def _batches(
    file: File, layout: NestedLayout, *, judged: bool
) -> Iterator[tuple[list[str], list[int], list[str], list[object]]]:
    """Some queries at a time; of each row which of them it is of, its item and its number."""
    queries, of, items, numbers = [], [], [], []
    seen: set[str] = set()
    for query, pairs in _queries(file, JsonText.of(file), ranked=layout.ranked):
        if query in seen:
            raise DataError(
                f"{file.name} has query {shown(query)} twice. Expected each query once, with all "
                "its items: join the two."
            )
        if judged and not pairs:
            raise DataError(
                f"{file.name}, query {shown(query)} holds no items. A query without any judgement "
                "cannot be evaluated: leave it out, or give it an item with grade 0."
            )
        seen.add(query)
        held = [number for _, number in pairs]
        if not {tuple, list}.isdisjoint(map(type, held)):
            raise _too_deep(file, query, pairs)
        items += [item for item, _ in pairs]
        numbers += held
        of += [len(queries)] * len(pairs)
        queries.append(query)
        if len(items) >= _ROWS:
            yield queries, of, items, numbers
            queries, of, items, numbers = [], [], [], []
    if items:
        yield queries, of, items, numbers


def _too_deep(file: File, query: str, pairs: tuple[tuple[str, object], ...]) -> DataError:
    item, number = next(pair for pair in pairs if isinstance(pair[1], tuple | list))
    kind = "a list" if isinstance(number, list) else "an object"
    several = (
        f" If {shown(query)} is the name of a run and no query, write each run as a file."
        if kind == "an object"
        else ""
    )
    return DataError(
        f"{file.name}, query {shown(query)}, item {shown(item)} holds {kind}, where its number "
        f"belongs. {EXPECTED}.{several}"
    )


def _texts(file: File, texts: list[str]) -> pa.Array:
    try:
        return pa.array(texts, pa.large_string())
    except UnicodeEncodeError as error:
        raise DataError(
            f"{file.name} has the id {shown(error.object)}, which holds half of a surrogate pair: "
            "that is no character. Write the text as UTF-8, or both halves."
        ) from None


def _numbers(values: list[object]) -> pa.Array:
    """Numbers or truth as such; anything else, and what float64 would not hold, as text."""
    kinds = {*map(type, values)}
    if kinds <= {int, float, NoneType} or kinds <= {bool, NoneType}:
        try:
            return pa.array(values)
        except (
            pa.ArrowInvalid,
            OverflowError,
        ):  # beyond 64 bits, or beyond float64 among fractions
            pass
    texts = (each if isinstance(each, str | None) else json.dumps(each) for each in values)
    return pa.array(texts, pa.large_string())


def _alike(arrays: Sequence[pa.Array]) -> pa.ChunkedArray:
    """Arrays of numbers as one, of a type that holds each as it was written."""
    kinds = {array.type for array in arrays} - {pa.null()}
    one = pa.large_string() if len(kinds) > 1 else kinds.pop() if kinds else pa.float64()
    if kinds == {pa.int64(), pa.float64()}:
        one = pa.float64()
    try:
        return pa.chunked_array([array.cast(one) for array in arrays])
    except pa.ArrowInvalid:  # a whole number that float64 does not hold
        return pa.chunked_array([array.cast(pa.large_string()) for array in arrays])


def _refuse_scores(file: File, grades: pa.ChunkedArray) -> None:
    """Complain about fractions: the libraries that keep such files have none as grades."""
    whole = pc.fill_null(pc.equal(pc.floor(grades), grades), True)
    if not (odd := grades.filter(pc.and_(pc.invert(whole), pc.is_finite(grades)))):
        return
    raise DataError(
        f"{file.name} holds {odd[0].as_py()!r}, which looks like a score: the grades in such a "
        "file are whole numbers. Is it a run? Were the two files swapped? Grades that are "
        "fractions go into a table: query_id, doc_id, relevance."
    )


def place(file: File, layout: NestedLayout, row: int) -> str:
    """Which query a row is of, and where among its items: all may stand on one line."""
    for query, pairs in _queries(file, JsonText.of(file), ranked=layout.ranked):
        if row < len(pairs):
            return f"item {row + 1} of query {shown(query)}"
        row -= len(pairs)
    raise IndexError(row)
