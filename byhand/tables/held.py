"""What people hold as a frame with our columns: dicts, lists, rows, and frames of any names."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise, zip_longest
from numbers import Integral, Real
from os import PathLike
from uuid import UUID

import numpy as np
import pandas as pd
from pandas.api.types import is_scalar

from byhand.column_map import ColumnNames, check_mapping, find_columns
from byhand.columns import OURS, TableKind, known_names, names_of, plain, type_of
from byhand.errors import DataError, shown

# what holds several items; a text is one
LISTS = (list, tuple, np.ndarray, pd.Series, pd.Index)
HOLDS = (*LISTS, Set)
_IDS = (str, Integral, UUID)
# where objects of other libraries keep the id of what they found
_ID_OF = ("doc_id", "node_id", "id", "id_")
_SOME = 100  # rows, which tell what type of values the columns hold
_LIKE = {
    "run": "{'q1': {'d7': 0.93}}, or lists, the best first, as in {'q1': ['d7', 'd2']}",
    "qrels": "{'q1': {'d7': 1}}, or {'q1': ['d7']}",
}


def is_one_run(held: object) -> bool:
    """Whether something is one run, and not several: by name, or in a list.

    Example:
        >>> is_one_run({"q1": ["d7", "d2"]}), is_one_run({"bm25": {"q1": ["d7", "d2"]}})
        (True, False)
    """
    values = held.values() if isinstance(held, Mapping) else held
    first = next(iter(values), None)
    if isinstance(first, Mapping):
        rows = not isinstance(held, Mapping) and known_names(map(str, first)) > 1
        return rows or not any(isinstance(each, (Mapping, *HOLDS)) for each in first.values())
    by_item = isinstance(first, pd.Series) and first.index.nlevels > 1
    if by_item or not isinstance(first, HOLDS):
        return False
    inner = next(iter(first), None)
    return not isinstance(inner, LISTS) or (_is_pair(inner) and isinstance(inner[1], Real))


def frame_of_held(held: object, wanted: TableKind, columns: ColumnNames | None) -> object:
    """A frame of what somebody holds, a row an item; as it is, if it is nothing of the kind.

    That is query -> its items, as a dict, a series or an object that makes a dict of itself; a list
    of such items, whose positions name the queries; rows, as named tuples or dicts; columns; or a
    series of numbers by query and item.
    """
    if isinstance(held, pd.Series) and held.index.nlevels > 1:
        return _of_pairs(held, wanted, columns)
    if isinstance(held, pd.Series) and not held.index.is_unique:
        raise DataError(
            f"{wanted.kind} is a Series with several rows for a query. If each is an item, the "
            f"best first, this makes lists of them: {wanted.kind}.groupby(level=0).agg(list)."
        )
    if not isinstance(held, Mapping) and callable(getattr(held, "to_dict", None)):
        held = held.to_dict()
    if isinstance(held, Mapping):
        if _of_columns(held, columns):
            return _framed(held, wanted)
        return _flat(held.keys(), held.values(), wanted)
    if isinstance(held, Iterator):
        held = [*held]
    if not isinstance(held, list | tuple | np.ndarray):
        return held
    first = next(iter(held), None)
    if isinstance(first, Mapping) and (columns or known_names(map(str, first))):
        return _framed([*held], wanted)
    if hasattr(first, "_fields"):
        return pd.DataFrame(held, columns=[*first._fields])
    if _is_row(first):
        names = [*wanted.needs] if len(first) == 3 else ["query_id", "…", "doc_id", "relevance"]
        raise DataError(
            f"{wanted.kind} is a list of tuples, such as {shown(first)}. Say what they hold: "
            f"pd.DataFrame({wanted.kind}, columns={names})."
        )
    if isinstance(first, str):
        raise DataError(
            f"{wanted.kind} is a list of texts, such as {shown(first)}, where each entry is taken "
            f"for what a query holds. {_expected(wanted)} If these are measures, they come after "
            "the run and the judgements; if files, pass a folder of them, or a glob."
        )
    return _flat(range(len(held)), held, wanted)


def is_named(held: object, attrs: Mapping[str, str]) -> bool:
    """Whether columns say by their names what they hold; of a file what was read has `attrs`."""
    if isinstance(held, str | PathLike):
        return "JSON" not in attrs["format"] or "JSON Lines" in attrs["format"]
    if isinstance(held, pd.Series):
        return known_names([str(held.name)]) > 0
    if isinstance(held, Mapping):
        return _of_columns(held, None)
    if isinstance(held, pd.DataFrame) or hasattr(held, "__arrow_c_stream__"):
        return True
    first = next(iter(held), None) if isinstance(held, list | tuple) else None
    if isinstance(first, Mapping):
        return known_names(map(str, first)) > 0
    return not (places_only(held) or callable(getattr(held, "to_dict", None)))


def _of_pairs(held: pd.Series, wanted: TableKind, columns: ColumnNames | None) -> pd.DataFrame:
    """A frame of a series by query and item; its one number is ours, unless it has another name."""
    levels = [*held.index.names]
    if len(levels) == 2 and levels == [None, None]:
        levels = ["query_id", "doc_id"]
    known = held.name in (columns or {}) or known_names([str(held.name)])
    frame = held.rename(held.name if known else wanted.needs[2])
    return frame.rename_axis(levels).reset_index()


def places_only(held: object) -> bool:
    """Whether something names its queries by nothing but their places."""
    if not isinstance(held, list | tuple | np.ndarray):
        return False
    first = next(iter(held), None)
    return isinstance(first, HOLDS) and not (hasattr(first, "_fields") or _is_row(first))


def _is_row(held: object) -> bool:
    """Whether something is a row of a table, with a number at its end, and no list of ids."""
    row = isinstance(held, tuple) and len(held) > 2
    return row and isinstance(held[0], str) and isinstance(held[-1], Real)


def check_places(run: object, qrels: object) -> None:
    """Refuse lists without query ids that do not belong together, and two alike matrices."""
    of_run, of_qrels = places_only(run), places_only(qrels)
    if of_run != of_qrels:
        name, held = ("run", run) if of_run else ("qrels", qrels)
        raise DataError(
            f"{name} is a list of {len(held)} lists, which does not say whose they are, and the "
            f"other table names its queries. Name them here, too: dict(zip(query_ids, {name}))."
        )
    if of_run and len(run) != len(qrels):
        raise DataError(
            f"run holds {len(run)} lists and qrels {len(qrels)}. Without ids, the first list of "
            "each is about the first query, and so on: pass as many, or dicts of query ids."
        )
    arrays = isinstance(run, np.ndarray) and isinstance(qrels, np.ndarray)
    if of_run and arrays and run.shape == qrels.shape and run.ndim == 2:
        raise _matrix("run", run)


def _flat(
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
                f"number belongs. {_expected(wanted)} If {shown(query)} is the name of a run, pass "
                "what it holds."
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
            f"{where} holds a {type(items).__name__}, where its items belong. {_expected(wanted)}"
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
        return [each.get(doc) for each in items], _negated(numbers) if "rank" in theirs else numbers
    if _is_pair(first) and isinstance(first[1], Real):
        if isinstance(first[0], _IDS):
            _refuse_others(where, items, _is_pair, "pairs")
            return [item for item, _ in items], [number for _, number in items]
        raise _object(where, first[0], "({0}, number) for each, number in items")
    if isinstance(first, Real) and not isinstance(first, Integral):
        raise _matrix(wanted.kind, first)
    if first is None or isinstance(first, _IDS):
        return items, None
    if isinstance(first, HOLDS):
        raise _no_item(where, first, wanted)
    scored = wanted.scored and hasattr(first, "score")
    raise _object(where, first, ("({0}, each.score)" if scored else "{0}") + " for each in items")


def _is_pair(item: object) -> bool:
    return isinstance(item, list | tuple) and len(item) == 2


def _negated(ranks: Sequence[object]) -> list:
    """Scores of ranks; what is no number stays what it is, and is refused with all such."""
    return [-rank if isinstance(rank, Real) else rank for rank in ranks]


def _refuse_others(
    where: str, items: Sequence[object], fits: Callable[[object], bool], kind: str
) -> None:
    for each in items:
        if not fits(each):
            raise DataError(f"{where} holds {kind}, and {shown(each)}. Expected {kind} only.")


def _no_item(where: str, item: object, wanted: TableKind) -> DataError:
    return DataError(f"{where} holds {shown(item)} where an item belongs. {_expected(wanted)}")


def _expected(wanted: TableKind) -> str:
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


def _matrix(name: str, held: object) -> DataError:
    """What to say of numbers for each item of a query, where its items belong."""
    what = f"an array of shape {held.shape}" if isinstance(held, np.ndarray) else "lists of numbers"
    return DataError(
        f"{name} is {what}, which could be ranked ids, scores or grades. Ids, the best first: "
        f"[list(map(str, row)) for row in {name}]. A number for each item: "
        f"{{query: dict(enumerate(row)) for query, row in enumerate({name})}}."
    )


def _of_columns(held: Mapping, columns: ColumnNames | None) -> bool:
    """Whether a dict holds columns by their names, and not items by their queries."""
    names = [name for name in held if isinstance(name, str)]
    given = columns if isinstance(columns, Mapping) else {}
    theirs = {name for name in given if name != "relevance"}
    if len(names) < max(len(held), 1) or not all(isinstance(v, LISTS) for v in held.values()):
        return False
    return known_names(names) > 1 or (theirs and theirs <= {*names}) or "query_id" in names


def _framed(held: object, wanted: TableKind) -> pd.DataFrame:
    try:
        return pd.DataFrame(held)
    except (AttributeError, TypeError, ValueError):
        if not isinstance(held, Mapping):
            raise DataError(f"{wanted.kind} is a list whose rows are not all dicts.") from None
        lengths = ", ".join(f"{name} {len(values)}" for name, values in held.items())
        raise DataError(f"{wanted.kind}: its columns differ in length: {lengths}.") from None


def named(frame: pd.DataFrame, wanted: TableKind, given: ColumnNames | None) -> pd.DataFrame:
    """A frame with our columns, by its names for them or the usual ones; a row for each item."""
    names = [*frame.columns]
    ours = {*wanted.needs} <= {*names} and len({*names}) == len(names)
    if ours and not given and _first_list(frame["doc_id"]) is None:
        return frame
    with in_arguments(wanted.kind):
        return _named(frame, wanted, check_mapping(given))


@contextmanager
def in_arguments(kind: str) -> Iterator[None]:
    """Say in a complaint about columns which argument of `evaluate` names them."""
    try:
        yield
    except DataError as error:
        error.table, error.argument = kind, f"{kind}_columns"
        raise


def _named(frame: pd.DataFrame, wanted: TableKind, given: dict) -> pd.DataFrame:
    levels = [each for each in frame.index.names if isinstance(each, str)]
    if levels := [each for each in levels if each not in frame.columns]:
        frame = frame.reset_index(level=levels)
    names = [*map(str, frame.columns)]
    firsts = {place: _first_list(frame.iloc[:, place]) for place in range(len(names))}
    lists = {place: first for place, first in firsts.items() if first is not None}
    for place in lists:  # "doc_ids" are what "doc_id" is
        one = plain(names[place]).removesuffix("s")
        ours = next((ours for ours in OURS if one in names_of(ours)), "")
        if ours and names[place] not in given and ours not in (*given.values(), *names):
            given[names[place]] = ours
    some = frame.head(_SOME)
    types = [type_of(lists.get(at, some.iloc[:, at].dropna())) for at in range(len(names))]
    try:
        found = find_columns(names, wanted, given, wanted.kind, types=types)
    except DataError as error:
        if not lists or [*error.missing] != [wanted.needs[2]]:
            raise
        unscored = replace(wanted, needs=wanted.needs[:2])
        found = find_columns(names, unscored, given, wanted.kind, types=types)
        others = {*lists} - {*found.positions.values()}
        if found.positions["doc_id"] not in lists or "fraction" in [types[at] for at in others]:
            raise  # an order is that of a list only, and without any scores
    places = found.positions
    kept = frame.iloc[:, [*places.values()]].set_axis([*places], axis=1)
    if places["doc_id"] in lists:
        kept = _of_lists(kept, wanted)
    if found.grade is not None:  # every row is a hit, and a hit may be there more than once
        kept = kept.assign(relevance=found.grade).drop_duplicates(["query_id", "doc_id"])
    kept.attrs = {**frame.attrs, "notes": [*frame.attrs.get("notes", []), *found.notes]}
    return kept


def _of_lists(frame: pd.DataFrame, wanted: TableKind) -> pd.DataFrame:
    """A row an item, of a frame with a list of items in each row."""
    columns = {name: frame[name].tolist() for name in frame}
    numbers = columns.get(wanted.needs[2], [None] * len(frame))
    if "rank" in columns:
        numbers = [_negated(each) if isinstance(each, LISTS) else each for each in columns["rank"]]
    return _flat(columns["query_id"], columns["doc_id"], wanted, numbers)


def _first_list(column: pd.Series) -> list | None:
    """The first list that stands in the cells of a column; None if there is none."""
    if column.dtype != object and "list" not in str(column.dtype):
        return None
    there = (each for each in column if not (is_scalar(each) and pd.isna(each)))
    first = next(there, None)
    return [*first] if isinstance(first, HOLDS) else None
