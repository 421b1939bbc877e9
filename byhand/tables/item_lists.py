"""What queries hold: lists, sets and dicts of items, as a frame with a row for each item."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise, zip_longest
from numbers import Integral, Real
from uuid import UUID

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.naming import TableKind, find_columns, names_of, plain
from byhand.words import N_, Message

# what holds several items; a text is one
LISTS = (list, tuple, np.ndarray, pd.Series, pd.Index)
HOLDS = (*LISTS, Set)
_IDS = (str, Integral, UUID)
# where objects of other libraries keep the id of what they found
_ID_OF = ("doc_id", "node_id", "id", "id_")
_LIKE = {
    "run": N_(
        "Expected queries that hold items, as in {{'q1': {{'d7': 0.93}}}}, or lists, the best "
        "first, as in {{'q1': ['d7', 'd2']}}."
    ),
    "qrels": N_(
        "Expected queries that hold items, as in {{'q1': {{'d7': 1}}}}, or {{'q1': ['d7']}}."
    ),
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
                    "run: query {query} has two lists of items without scores, which do not say "
                    "how the items of one stand to those of the other. Make one list of each "
                    "query, the best first.",
                    [shown(query)],
                )
            orders.add(str(query))
        if not len(found) and not wanted.scored:
            raise DataError(
                "{kind}: query {query} holds no items. A query without any judgement cannot be "
                "evaluated: leave it out, or give it an item with grade 0.",
                [wanted.kind, shown(query)],
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
    where = Message("{kind}: query {query}", kind=wanted.kind, query=shown(query))
    if isinstance(items, Mapping):
        values = items.items()
        odd = next((each for each, number in values if isinstance(number, (Mapping, *HOLDS))), None)
        if odd is not None:
            raise DataError(
                "{where} holds a {type} for item {odd}, where its number belongs. "
                "{expected_items} If {query} is the name of a run, pass what it holds.",
                [
                    where,
                    type(items[odd]).__name__,
                    shown(odd),
                    expected_items(wanted),
                    shown(query),
                ],
            )
        return [*items], [*items.values()]
    if isinstance(items, Set):
        if wanted.scored:
            raise DataError(
                "{where} holds a {type}, which does not say which item comes first. Pass a list "
                "of items, the best first.",
                [where, type(items).__name__],
            )
        items = sorted(items, key=str)
    if not isinstance(items, LISTS):
        raise DataError(
            "{where} holds a {type}, where its items belong. {expected_items}",
            [where, type(items).__name__, expected_items(wanted)],
        )
    found = [*items]
    if numbers is None:
        found, numbers = _apart(where, found, wanted)
    elif not isinstance(numbers, LISTS):
        raise DataError(
            "{where} holds one number beside a list of items. Expected a list of them.", [where]
        )
    elif len(numbers) != len(found):
        raise DataError(
            "{where} holds lists of two lengths: {n} for its items, {n2} for their numbers. "
            "Expected one number for each item.",
            [where, len(found), len(numbers)],
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
        _refuse_others(where, items, lambda each: isinstance(each, Mapping), Message("dicts"))
        of_items = replace(wanted, needs=wanted.needs[1:])
        names = {str(each): each for each in first}
        ids = [each for each in names if plain(each) in ("id", "nodeid")]
        known = any(plain(each) in names_of("doc_id") for each in names)
        given = {} if known else dict.fromkeys(ids[:1], "doc_id")
        theirs = find_columns(
            [*names], of_items, given, Message("{where}: an item", where=where)
        ).theirs
        doc, number = (names[theirs[ours]] for ours in theirs if ours != "query_id")
        numbers = [each.get(number) for each in items]
        return [each.get(doc) for each in items], negated(numbers) if "rank" in theirs else numbers
    if is_pair(first) and isinstance(first[1], Real):
        if isinstance(first[0], _IDS):
            _refuse_others(where, items, is_pair, Message("pairs"))
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
            raise DataError(
                "{where} holds {kind}, and {each}. Expected {kind} only.",
                [where, kind, shown(each)],
            )


def _no_item(where: str, item: object, wanted: TableKind) -> DataError:
    return DataError(
        "{where} holds {item} where an item belongs. {expected_items}",
        [where, shown(item), expected_items(wanted)],
    )


def expected_items(wanted: TableKind) -> str:
    """What to say that queries should hold."""
    return Message(_LIKE[wanted.kind])


def _refuse_rising(where: str, items: Sequence[object], scores: Sequence[object]) -> None:
    """Refuse a list whose scores say the opposite of its order, as distances do."""
    try:
        rise = next((at for at, (a, b) in enumerate(pairwise(scores)) if a < b), None)
    except (TypeError, ValueError):  # what is no number is refused with all others
        return
    if rise is not None:
        raise DataError(
            "{where} lists {items} ({scores}) before {items2} ({scores2}), and a higher score is "
            "better. If these are distances, or the list is in the right order whatever they say, "
            "leave them out: {{'q1': [{items}, …]}}. If the scores are right, pass a dict of "
            "them: {{'q1': {{{items}: {scores}, …}}}}.",
            [
                where,
                shown(items[rise]),
                shown(scores[rise]),
                shown(items[rise + 1]),
                shown(scores[rise + 1]),
            ],
        )


def _object(where: str, item: object, how: str) -> DataError:
    """What to say of an item that is something of another library's."""
    name = next((name for name in _ID_OF if hasattr(item, name)), "id")
    return DataError(
        "{where} holds a {type}, and an item is known by its id. Of a list of such items pass "
        "[{format}].",
        [where, type(item).__name__, how.format("each." + name)],
    )


def refused_matrix(name: str, held: object) -> DataError:
    """What to say of numbers for each item of a query, where its items belong."""
    what = Message("lists of numbers")
    if isinstance(held, np.ndarray):
        what = Message("an array of shape {shape}", shape=held.shape)
    return DataError(
        "{name} is {what}, which could be ranked ids, scores or grades. Ids, the best first: "
        "[list(map(str, row)) for row in {name}]. A number for each item: {{query: "
        "dict(enumerate(row)) for query, row in enumerate({name})}}.",
        [name, what],
    )
