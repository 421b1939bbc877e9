"""A frame with our columns, by the names that it has for them, and a row for each item."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.naming import (
    OURS,
    ColumnNames,
    Columns,
    TableKind,
    check_mapping,
    find_columns,
    names_of,
    plain,
    type_of,
)
from byhand.tables.held import HOLDS, LISTS, in_arguments, negated, rows_of_lists

# what columns of relevant items are called, beside those of retrieved ones
_GOLD = re.compile("gold|relevan|reference|truth|expected|label|answer|positive|correct", re.I)
_SOME = 100  # rows, which tell what type of values the columns hold


def named(frame: pd.DataFrame, wanted: TableKind, given: ColumnNames | None) -> pd.DataFrame:
    """A frame with our columns, by its names for them or the usual ones; a row for each item."""
    names = [*frame.columns]
    ours = {*wanted.needs} <= {*names} and len({*names}) == len(names)
    if ours and not given and _first_list(frame["doc_id"]) is None:
        return frame
    with in_arguments(wanted.table):
        return _named(frame, wanted, check_mapping(given))


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
    found = _found(names, types, {*lists}, wanted, given)
    places = found.positions
    kept = frame.iloc[:, [*places.values()]].set_axis([*places], axis=1)
    if "doc_id" not in places:  # of a learned ranker: each row is an item
        kept = kept.assign(doc_id=np.arange(1, len(kept) + 1).astype(str))
    elif places["doc_id"] in lists:
        kept = _of_lists(kept, wanted)
    if found.grade is not None:  # every row is a hit, and a hit may be there more than once
        kept = kept.assign(relevance=found.grade).drop_duplicates(["query_id", "doc_id"])
    kept.attrs = {
        **frame.attrs,
        **kept.attrs,
        "notes": [*frame.attrs.get("notes", []), *found.notes],
    }
    return kept


def _found(
    names: list[str], types: list[str], lists: set[int], wanted: TableKind, given: dict
) -> Columns:
    """Which columns are ours; lists need no number."""
    find = partial(find_columns, names, file=wanted.table, types=types)
    try:
        return find(wanted, given)
    except DataError as error:
        if "doc_id" in error.missing and len(lists) > 1:
            raise _which_lists(names, [names[at] for at in lists], wanted) from None
        if not lists or [*error.missing] != [wanted.needs[2]]:
            raise
        found = find(replace(wanted, needs=wanted.needs[:2]), given)
        others = lists - {*found.positions.values()}
        if found.positions["doc_id"] not in lists or "fraction" in [types[at] for at in others]:
            raise  # an order is that of a list only, and without any scores
        return found


def _which_lists(names: list[str], lists: list[str], wanted: TableKind) -> DataError:
    """What to say of a frame with lists of retrieved and of relevant items by other names."""
    query = next((name for name in names if plain(name) in names_of("query_id")), names[0])
    gold = [name for name in lists if _GOLD.search(name)] or lists[1:]
    found = [name for name in lists if name not in gold] or lists[:1]
    passed = (
        f"{kind}_columns={ {query: 'query_id', of[0]: 'doc_id'} }"
        for kind, of in (("run", found), ("qrels", gold))
    )
    held = " and ".join(map(repr, lists))
    return DataError(
        f"{wanted.table} has lists in {held}, and no column 'doc_id' says which of them are its "
        f"items. If their names say so, this is it. Pass {', '.join(passed)}."
    )


def _of_lists(frame: pd.DataFrame, wanted: TableKind) -> pd.DataFrame:
    """A row an item, of a frame with a list of items in each row."""
    columns = {name: frame[name].tolist() for name in frame}
    numbers = columns.get(wanted.needs[2], [None] * len(frame))
    if "rank" in columns:
        numbers = [negated(each) if isinstance(each, LISTS) else each for each in columns["rank"]]
    return rows_of_lists(columns["query_id"], columns["doc_id"], wanted, numbers)


def _first_list(column: pd.Series) -> list | None:
    """The first list among the first cells of a column; None if there is none."""
    if column.dtype != object and "list" not in str(column.dtype):
        return None
    held = (Mapping, *HOLDS)
    first = next((each for each in column.head(_SOME) if isinstance(each, held)), None)
    return None if first is None else [*first]
