"""Convert queries with lists of items to a frame with a row for each item."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.files.items import HOLDS, IDS, LIKE, LISTS, no_item, with_numbers
from byhand.naming import TableKind
from byhand.tables.rows import QUERIES

_NO_NUMBERS = (str, bytes, Mapping, *HOLDS, type(None))


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
            f"run: query {most[0]!r} has two lists of items without scores, so the order of all "
            "its items is unknown. Pass one list for each query, best first."
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
        problem = f"{wanted.kind}: query {query} has {number} for item {item}"
        if isinstance(numbers[at], (Mapping, *HOLDS)):
            raise DataError(
                f"{problem} instead of a {column}. {LIKE[wanted.kind]} If {query} is the name of "
                "a run, pass only its contents."
            )
        instead = "Pass 0 if it is not relevant, or leave it out if it is not judged."
        instead = f"Pass a {column} for it." if wanted.scored else instead
        raise DataError(f"{problem}, but a {column} must be a finite number. {instead}")
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
                f"{where} has a {type(items).__name__}, which has no order. Pass a list of items, "
                "best first."
            )
        items = sorted(items, key=str)
    if isinstance(items, str) and not wanted.scored:
        items = [items]
    if not isinstance(items, LISTS):
        raise DataError(
            f"{where} has a {type(items).__name__} instead of its items. {LIKE[wanted.kind]}"
        )
    found = items.tolist() if isinstance(items, np.ndarray) else [*items]
    if numbers is None:
        found, numbers = with_numbers(where, found, wanted)
    elif not isinstance(numbers, LISTS) or len(numbers) != len(found):
        many = len(numbers) if isinstance(numbers, LISTS) else "no list of"
        raise DataError(
            f"{where} has {len(found)} items and {many} numbers for them. Pass a list with one "
            "number for each item."
        )
    if numbers is None and not wanted.scored:
        try:
            found = [*dict.fromkeys(found)]  # repeated relevant items count once
        except TypeError:
            invalid = next(each for each in found if not isinstance(each, IDS))
            raise no_item(where, invalid, wanted) from None
    return found, numbers


def _rising(first: Sequence[object], second: Sequence[object]) -> DataError:
    """Return the error for a list whose scores contradict its order, as distances do."""
    (query, a, low), (_, b, high) = (map(shown, each) for each in (first, second))
    return DataError(
        f"run: query {query} lists {a} ({low}) before {b} ({high}), but a higher score is better. "
        "If these are distances, or the list is in the right order, pass the items alone: {'q1': "
        f"[{a}, …]}}. If the scores are right, pass a dict of them: {{'q1': {{{a}: {low}, …}}}}."
    )
