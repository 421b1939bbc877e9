"""What queries hold: lists, sets and dicts of items, as a frame with a row for each item."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise, zip_longest
from numbers import Integral, Real
from uuid import UUID

import numpy as np
import pandas as pd

from byhand.column_map import find_columns
from byhand.columns import TableKind, names_of, plain
from byhand.errors import DataError, shown

# what holds several items; a text is one
LISTS = (list, tuple, np.ndarray, pd.Series, pd.Index)
HOLDS = (*LISTS, Set)
_IDS = (str, Integral, UUID)
# where objects of other libraries keep the id of what they found
_ID_OF = ("doc_id", "node_id", "id", "id_")
_LIKE = {
    "run": "{'q1': {'d7': 0.93}}, or lists, the best first, as in {'q1': ['d7', 'd2']}",
    "qrels": "{'q1': {'d7': 1}}, or {'q1': ['d7']}",
}


def rows_of_lists(
    of: Iterable[object], lists: Iterable[object], wanted: TableKind, apart: Iterable[object] = ()
) -> pd.DataFrame:
    """A row for each item of each query; numbers may stand apart; a row's label is its rank."""
    number = wanted.needs[2]
    queries, ids, numbers, ranks = [], [], [], []
    ranked, orders = False, set()
    for query, items, given in zip_longest(of, lists, apart):
        found, values = _items(query, items, given, wanted)
        ranked |= not isinstance(items, Mapping)
        if wanted.scored and isinstance(values, range):
            if str(query) in orders:
                raise DataError(
                    f"run: query {shown(query)} has two lists of items without scores, which do "
                    "not say how the items of one stand to those of the other. Make one list of "
                    "each query, the best first."
                )
            orders.add(str(query))
        if not len(found) and not wanted.scored:
            raise DataError(
                f"{wanted.kind}: query {shown(query)} holds no items. A query without any "
                "judgement cannot be evaluated: leave it out, or give it an item with grade 0."
            )
        queries += [query] * len(found)
        ids += found
        numbers += values
        ranks += range(1, len(found) + 1)
    frame = pd.DataFrame({"query_id": queries, "doc_id": ids})
    try:
        frame[number] = numbers
    except OverflowError:  # pandas before 3, of a whole number beyond every float
        frame[number] = pd.Series(numbers, dtype=object)
    return frame.set_index(pd.Index(ranks, name="rank")) if ranked else frame


def _items(query: object, items: object, numbers: object, wanted: TableKind) -> tuple[list, list]:
    """The items of a query, the best first, and the number of each."""
    where = f"{wanted.kind}: query {shown(query)}"
    if isinstance(items, Mapping):
        values = items.items()
        odd = next((each for each, number in values if isinstance(number, (Mapping, *HOLDS))), None)
        if odd is not None:
            raise DataError(
                f"{where} holds a {type(items[odd]).__name__} for item {shown(odd)}, where its "
                f"number belongs. {expected_items(wanted)} If {shown(query)} is the name of a run, "
                "pass what it holds."
            )
        return [*items], [*items.values()]
    if isinstance(items, Set):
        if wanted.scored:
            raise DataError(
                f"{where} holds a {type(items).__name__}, which does not say which item comes "
                "first. Pass a list of items, the best first."
            )
        items = sorted(items, key=str)
    if not isinstance(items, LISTS):
        raise DataError(
            f"{where} holds a {type(items).__name__}, where its items belong. "
            f"{expected_items(wanted)}"
        )
    found = [*items]
    if numbers is None:
        found, numbers = _apart(where, found, wanted)
    elif not isinstance(numbers, LISTS):
        raise DataError(
            f"{where} holds one number beside a list of items. Expected a list of them."
        )
    elif len(numbers) != len(found):
        raise DataError(
            f"{where} holds lists of two lengths: {len(found)} for its items, {len(numbers)} for "
            "their numbers. Expected one number for each item."
        )
    if numbers is None and wanted.scored:
        return found, range(-1, -len(found) - 1, -1)
    if numbers is None:
        try:
            found = [*dict.fromkeys(found)]  # to say twice that it is relevant says no more
        except TypeError:
            odd = next(each for each in found if not isinstance(each, _IDS))
            raise _no_item(where, odd, wanted) from None
        return found, [1] * len(found)
    numbers = [*numbers]
    if wanted.scored:
        _refuse_rising(where, found, numbers)
    return found, numbers


def _apart(where: str, items: list, wanted: TableKind) -> tuple[list, list | None]:
    """Items that stand in a list, and their numbers, if these stand there, too."""
    first = next(iter(items), None)
    if isinstance(first, Mapping):
        _refuse_others(where, items, lambda each: isinstance(each, Mapping), "dicts")
        of_items = replace(wanted, needs=wanted.needs[1:])
        names = {str(each): each for each in first}
        ids = [each for each in names if plain(each) in ("id", "nodeid")]
        known = any(plain(each) in names_of("doc_id") for each in names)
        given = {} if known else dict.fromkeys(ids[:1], "doc_id")
        theirs = find_columns([*names], of_items, given, f"{where}: an item").theirs
        doc, number = (names[theirs[ours]] for ours in theirs if ours != "query_id")
        numbers = [each.get(number) for each in items]
        return [each.get(doc) for each in items], negated(numbers) if "rank" in theirs else numbers
    if is_pair(first) and isinstance(first[1], Real):
        if isinstance(first[0], _IDS):
            _refuse_others(where, items, is_pair, "pairs")
            return [item for item, _ in items], [number for _, number in items]
        raise _object(where, first[0], "({0}, number) for each, number in items")
    if isinstance(first, Real) and not isinstance(first, Integral):
        raise refused_matrix(wanted.kind, first)
    if first is None or isinstance(first, _IDS):
        return items, None
    if isinstance(first, HOLDS):
        raise _no_item(where, first, wanted)
    scored = wanted.scored and hasattr(first, "score")
    raise _object(where, first, ("({0}, each.score)" if scored else "{0}") + " for each in items")


def is_pair(item: object) -> bool:
    """Whether something may be an item and its number."""
    return isinstance(item, list | tuple) and len(item) == 2


def negated(ranks: Sequence[object]) -> list:
    """Scores of ranks; what is no number stays what it is, and is refused with all such."""
    return [-rank if isinstance(rank, Real) else rank for rank in ranks]


def _refuse_others(
    where: str, items: Sequence[object], fits: Callable[[object], bool], kind: str
) -> None:
    for each in items:
        if not fits(each):
            raise DataError(f"{where} holds {kind}, and {shown(each)}. Expected {kind} only.")


def _no_item(where: str, item: object, wanted: TableKind) -> DataError:
    return DataError(f"{where} holds {shown(item)} where an item belongs. {expected_items(wanted)}")


def expected_items(wanted: TableKind) -> str:
    """What to say that queries should hold."""
    return f"Expected queries that hold items, as in {_LIKE[wanted.kind]}."


def _refuse_rising(where: str, items: Sequence[object], scores: Sequence[object]) -> None:
    """Refuse a list whose scores say the opposite of its order, as distances do."""
    try:
        rise = next((at for at, (a, b) in enumerate(pairwise(scores)) if a < b), None)
    except (TypeError, ValueError):  # what is no number is refused with all others
        return
    if rise is not None:
        raise DataError(
            f"{where} lists {shown(items[rise])} ({shown(scores[rise])}) before "
            f"{shown(items[rise + 1])} ({shown(scores[rise + 1])}), and a higher score is better. "
            "If these are distances, or the list is in the right order whatever they say, leave "
            f"them out: {{'q1': [{shown(items[rise])}, …]}}. If the scores are right, pass a dict "
            f"of them: {{'q1': {{{shown(items[rise])}: {shown(scores[rise])}, …}}}}."
        )


def _object(where: str, item: object, how: str) -> DataError:
    """What to say of an item that is something of another library's."""
    name = next((name for name in _ID_OF if hasattr(item, name)), "id")
    return DataError(
        f"{where} holds a {type(item).__name__}, and an item is known by its id. Of a list of such "
        f"items pass [{how.format('each.' + name)}]."
    )


def refused_matrix(name: str, held: object) -> DataError:
    """What to say of numbers for each item of a query, where its items belong."""
    what = f"an array of shape {held.shape}" if isinstance(held, np.ndarray) else "lists of numbers"
    return DataError(
        f"{name} is {what}, which could be ranked ids, scores or grades. Ids, the best first: "
        f"[list(map(str, row)) for row in {name}]. A number for each item: "
        f"{{query: dict(enumerate(row)) for query, row in enumerate({name})}}."
    )
