"""Convert queries with lists of items to a frame with a row for each item."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from numbers import Integral, Real
from uuid import UUID

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.naming import TableKind, find_columns, names_of, plain
from byhand.tables.rows import QUERIES

# containers of several items; text is one item
LISTS = (list, tuple, np.ndarray, pd.Series, pd.Index)
HOLDS = (*LISTS, Set)
_IDS = (str, Integral, UUID)
_NO_NUMBERS = (str, bytes, Mapping, *HOLDS, type(None))
LIKE = {
    "run": "Pass queries that hold items, as in {'q1': {'d7': 0.93}}, or lists, the best first, as "
    "in {'q1': ['d7', 'd2']}.",
    "qrels": "Pass queries that hold items, as in {'q1': {'d7': 1}}, or {'q1': ['d7']}.",
}


def rows_of_lists(
    of: Iterable[object],
    lists: Iterable[object],
    wanted: TableKind,
    apart: Iterable[object] | None = None,
) -> pd.DataFrame:
    """Return a row for each item of each query, labelled by rank; `apart` are lists of numbers.

    Columns are built from whole lists, without a Python loop over items.
    """
    queries, ids, numbers, sizes = [*of], [], [], []
    in_order, listed = [], []  # (Q,) True without numbers; True for lists, not dicts
    for query, items, given in zip(queries, lists, apart or [None] * len(queries), strict=True):
        found, values = _items(query, items, given, wanted)
        in_order.append(values is None)
        listed.append(not isinstance(items, Mapping))
        if values is None:  # falling scores, or grade 1
            values = range(-1, -len(found) - 1, -1) if wanted.scored else [1] * len(found)
        ids += found
        numbers += values
        sizes.append(len(found))
    texts = {str(query): query for query in queries}
    alone = Counter(str(query) for query, alone in zip(queries, in_order, strict=True) if alone)
    if wanted.scored and alone and (most := alone.most_common(1)[0])[1] > 1:
        raise DataError(
            f"run: query {most[0]!r} has two lists of items without scores, which do not say how "
            "the items of one rank beside those of the other. Pass one list for each query, the "
            "best first."
        )
    size, place = np.array(sizes, dtype=np.intp), np.arange(len(ids))
    query = np.repeat(np.arange(len(size)), size)
    rank = 1 + place - np.repeat(np.cumsum(size) - size, size)

    def row(at: int) -> tuple[object, object, object]:
        return queries[query[at]], ids[at], numbers[at]

    number = _numbers(numbers, row, wanted)
    if wanted.scored and any(listed) and np.asarray(number).dtype.kind in "iuf":
        score = np.asarray(number)
        rises = np.repeat(listed, size)[1:] & (rank[1:] > 1) & (score[1:] > score[:-1])
        if rises.any():
            raise _rising(row(int(rises.argmax())), row(int(rises.argmax()) + 1))
    columns = {"query_id": _repeated(queries, query), "doc_id": _texts(ids)}
    frame = pd.DataFrame(columns | {wanted.needs[2]: number})
    if (size == 0).any():
        frame.attrs[QUERIES] = texts
    return frame.set_index(pd.Index(rank, name="rank")) if any(listed) else frame


def _repeated(queries: Sequence[object], place: np.ndarray) -> object:
    if {*map(type, queries)} == {str} and len({*queries}) == len(queries):
        return pd.Categorical.from_codes(place, queries)
    every = np.empty(len(queries), dtype=object)
    every[:] = queries
    return pd.Series(every).infer_objects().to_numpy()[place]


def _texts(ids: list[object]) -> object:
    if {*map(type, ids)} == {str}:
        import pyarrow as pa

        try:
            return pd.arrays.ArrowExtensionArray(pa.array(ids, pa.large_string()))
        except UnicodeEncodeError:  # refused later, with its place
            pass
    return pd.Series(ids)


def _numbers(
    numbers: list[object], row: Callable[[int], tuple], wanted: TableKind
) -> np.ndarray | pd.Series:
    """Return exact numbers as a column; refuse other values with their query and item."""
    kinds = {*map(type, numbers)}
    if kinds == {float}:
        return np.fromiter(numbers, float, len(numbers))
    if any(issubclass(kind, _NO_NUMBERS) for kind in kinds):
        at = next(at for at, number in enumerate(numbers) if isinstance(number, _NO_NUMBERS))
        query, item, number = map(shown, row(at))
        column = wanted.needs[2]
        problem = f"{wanted.kind}: query {query} holds {number} for item {item}"
        if isinstance(numbers[at], (Mapping, *HOLDS)):
            raise DataError(
                f"{problem}, where its {column} belongs. {LIKE[wanted.kind]} If {query} is "
                "the name of a run, pass what it holds."
            )
        instead = "Pass 0 if it is not relevant, or leave it out if it is not judged."
        instead = f"Pass a {column} for it." if wanted.scored else instead
        raise DataError(f"{problem}, and a {column} is a finite number. {instead}")
    try:
        return pd.Series(numbers, dtype=float if kinds == {int, float} else None)
    except OverflowError:  # a whole number too large for float
        return pd.Series(numbers, dtype=object)


def _items(
    query: object, items: object, numbers: object, wanted: TableKind
) -> tuple[Iterable[object], Iterable[object] | None]:
    """Return the items of a query, best first, and their numbers; None without numbers."""
    if isinstance(items, Mapping):
        return items.keys(), items.values()
    where = f"{wanted.kind}: query {shown(query)}"
    if isinstance(items, Set):
        if wanted.scored:
            raise DataError(
                f"{where} holds a {type(items).__name__}, which does not say which item comes "
                "first. Pass a list of items, the best first."
            )
        items = sorted(items, key=str)
    if isinstance(items, str) and not wanted.scored:
        items = [items]
    if not isinstance(items, LISTS):
        raise DataError(
            f"{where} holds a {type(items).__name__}, where its items belong. {LIKE[wanted.kind]}"
        )
    found = items.tolist() if isinstance(items, np.ndarray) else [*items]
    if numbers is None:
        found, numbers = with_numbers(where, found, wanted)
    elif not isinstance(numbers, LISTS) or len(numbers) != len(found):
        many = len(numbers) if isinstance(numbers, LISTS) else "no list of"
        raise DataError(
            f"{where} holds {len(found)} items and {many} numbers for them. Pass a list with one "
            "number for each item."
        )
    if numbers is None and not wanted.scored:
        try:
            found = [*dict.fromkeys(found)]  # repeated relevant items count once
        except TypeError:
            invalid = next(each for each in found if not isinstance(each, _IDS))
            raise _no_item(where, invalid, wanted) from None
    return found, numbers


def with_numbers(where: str, items: list, wanted: TableKind) -> tuple[list, list | None]:
    """Return the items of a list, and their numbers if it contains pairs or dicts."""
    first = next(iter(items), None)
    if isinstance(first, Mapping):
        _refuse_others(where, items, lambda each: isinstance(each, Mapping), "dicts")
        doc, number, falls = _keys_of(where, first, wanted)
        numbers = [each.get(number) for each in items]
        return [each.get(doc) for each in items], negated(numbers) if falls else numbers
    if is_pair(first) and isinstance(first[1], Real):
        if isinstance(first[0], _IDS):
            _refuse_others(where, items, is_pair, "pairs")
            return [item for item, _ in items], [number for _, number in items]
        raise _object(where, first[0], "({0}, number) for each, number in items")
    if first is None or isinstance(first, (*_IDS, Real)):
        return items, None
    if isinstance(first, HOLDS):
        raise _no_item(where, first, wanted)
    scored = wanted.scored and hasattr(first, "score")
    raise _object(where, first, ("({0}, each.score)" if scored else "{0}") + " for each in items")


def _keys_of(where: str, first: Mapping, wanted: TableKind) -> tuple[object, object, bool]:
    """Return the keys of an item's id and number in its dict, and whether the number is a rank."""
    names = {str(each): each for each in first}
    ids = [each for each in names if plain(each) in ("id", "nodeid")]
    known = any(plain(each) in names_of("doc_id") for each in names)
    given = {} if known else dict.fromkeys(ids[:1], "doc_id")
    of_items = replace(wanted, needs=wanted.needs[1:])
    try:
        theirs = find_columns([*names], of_items, given, where).theirs
    except DataError:
        raise DataError(
            f"{where} holds {shown(first)}, whose keys do not say which are the item and its "
            f"{wanted.needs[2]}. Pass pairs, as in [['d7', 0.93]]."
        ) from None
    doc, number = (names[theirs[ours]] for ours in theirs if ours != "query_id")
    return doc, number, "rank" in theirs


def is_pair(item: object) -> bool:
    """Test whether something may be an item and its number."""
    return isinstance(item, list | tuple) and len(item) == 2


def negated(ranks: Sequence[object]) -> list:
    """Return ranks as scores; values that are not numbers are refused later."""
    return [-rank if isinstance(rank, Real) else rank for rank in ranks]


# ---- errors -------------------------------------------------------------------------------------


def _refuse_others(
    where: str, items: Sequence[object], fits: Callable[[object], bool], kind: str
) -> None:
    for each in items:
        if not fits(each):
            raise DataError(f"{where} holds {kind}, and {shown(each)}. Pass {kind} only.")


def _no_item(where: str, item: object, wanted: TableKind) -> DataError:
    return DataError(f"{where} holds {shown(item)} where an item belongs. {LIKE[wanted.kind]}")


def _rising(first: Sequence[object], second: Sequence[object]) -> DataError:
    """Return the error for a list whose scores contradict its order, as distances do."""
    (query, a, low), (_, b, high) = (map(shown, each) for each in (first, second))
    return DataError(
        f"run: query {query} lists {a} ({low}) before {b} ({high}), and a higher score is "
        f"better. If these are distances, or the list is in the right order, pass the items "
        f"alone: {{'q1': [{a}, …]}}. If the scores are right, pass a dict of them: "
        f"{{'q1': {{{a}: {low}, …}}}}."
    )


def _object(where: str, item: object, how: str) -> DataError:
    """Return the error for an item of another library's type, with the place of its id."""
    known = ("doc_id", "node_id", "id", "id_")
    name = next((f".{name}" for name in known if getattr(item, name, None) is not None), ".id")
    metadata = getattr(item, "metadata", None)
    if getattr(item, name[1:], None) is None and isinstance(metadata, Mapping):
        keys = [key for key in metadata if plain(str(key)) in ("id", *names_of("doc_id"))]
        name = f".metadata[{[*keys, *metadata, 'id'][0]!r}]"
    return DataError(
        f"{where} holds a {type(item).__name__}, and an item is known by its id. Pass "
        f"[{how.format('each' + name)}]."
    )
