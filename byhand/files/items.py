"""Extract the items of one query, and any scores or grades, from a list, a dict or a set."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from numbers import Integral, Real
from uuid import UUID

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.naming import TableKind, find_columns, names_of, plain

# containers of several items; text is one item
LISTS = (list, tuple, np.ndarray, pd.Series, pd.Index)
HOLDS = (*LISTS, Set)
IDS = (str, Integral, UUID)
LIKE = {
    "run": "Pass the items of each query, as in {'q1': {'d7': 0.93}}, or a list, best first, as in "
    "{'q1': ['d7', 'd2']}.",
    "qrels": "Pass the items of each query, as in {'q1': {'d7': 1}}, or {'q1': ['d7']}.",
}


def items_of(
    where: str, items: object, numbers: object, wanted: TableKind
) -> tuple[list, list | None]:
    """Return the items of a query and their numbers, which are None if there are none.

    `numbers` are those of a list in another cell, or None.
    """
    if numbers is not None and isinstance(items, Mapping | Set):
        raise uneven(where, wanted.needs[-1])
    if isinstance(items, Mapping):
        return [*items], [*items.values()]
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
            f"{where} has a value of type {type(items).__name__} instead of its items. "
            f"{LIKE[wanted.table]}"
        )
    items = items.tolist() if isinstance(items, np.ndarray) else [*items]
    if numbers is not None:
        if len(numbers) != len(items):
            raise uneven(where, wanted.needs[-1])
        return items, [*numbers]
    items, numbers = _with_numbers(where, items, wanted)
    if numbers is None and not wanted.scored:
        try:
            items = [*dict.fromkeys(items)]  # repeated relevant items count once
        except TypeError:
            invalid = next(each for each in items if not isinstance(each, IDS))
            raise _no_item(where, invalid, wanted) from None
    return items, numbers


def uneven(where: str, ours: str) -> DataError:
    """Return the error for items and values that are not lists of the same length."""
    return DataError(
        f"{where}: doc_id and {ours} are not lists of the same length. Each item needs one value "
        "of each."
    )


def in_order(n_items: int, wanted: TableKind) -> list[int]:
    """Return falling scores for items that are listed best first, or the grade 1 of each."""
    return [*range(-1, -n_items - 1, -1)] if wanted.scored else [1] * n_items


def _with_numbers(where: str, items: list, wanted: TableKind) -> tuple[list, list | None]:
    first = next(iter(items), None)
    if isinstance(first, Mapping):
        _refuse_others(where, items, lambda each: isinstance(each, Mapping), "dicts")
        doc, number, falls = _keys_of(where, first, wanted)
        numbers = [each.get(number) for each in items]
        return [each.get(doc) for each in items], negated(numbers) if falls else numbers
    if is_pair(first) and isinstance(first[1], Real):
        if isinstance(first[0], IDS):
            _refuse_others(where, items, is_pair, "pairs")
            return [item for item, _ in items], [number for _, number in items]
        raise _object(where, first[0], "({0}, number) for each, number in items")
    if first is None or isinstance(first, (*IDS, Real)):
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
            f"{where} contains {shown(first)}, whose keys do not identify the item and its "
            f"{wanted.needs[2]}. Pass pairs, as in [['d7', 0.93]]."
        ) from None
    doc, number = (names[theirs[ours]] for ours in theirs if ours != "query_id")
    return doc, number, "rank" in theirs


def is_pair(item: object) -> bool:
    """Test whether a value may be a pair of an item and its number."""
    return isinstance(item, list | tuple) and len(item) == 2


def negated(ranks: Sequence[object]) -> list:
    """Return ranks as scores; `values.scores` refuses values that are not numbers."""
    return [-rank if isinstance(rank, Real) else rank for rank in ranks]


def _no_item(where: str, item: object, wanted: TableKind) -> DataError:
    """Return the error for an item that is not an id."""
    return DataError(f"{where} contains {shown(item)} instead of an item. {LIKE[wanted.table]}")


def _refuse_others(
    where: str, items: Sequence[object], fits: Callable[[object], bool], kind: str
) -> None:
    for each in items:
        if not fits(each):
            raise DataError(
                f"{where} mixes {kind} with other items, such as {shown(each)}. Pass {kind} only."
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
        f"{where} contains a {type(item).__name__}, but an item must be an id. Pass "
        f"[{how.format('each' + name)}]."
    )
