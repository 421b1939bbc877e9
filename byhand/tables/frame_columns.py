"""Find our columns in a frame, and expand lists into one row for each item."""

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.files.items import HOLDS, LISTS, negated
from byhand.naming import (
    JUDGED_RUN,
    QRELS,
    RUN,
    ColumnNames,
    Columns,
    TableKind,
    check_mapping,
    find_columns,
    names_of,
    plain,
    type_of,
)
from byhand.tables.containers import in_arguments, rows_of_lists

# names of columns of relevant items next to retrieved ones
_GOLD = re.compile("gold|relevan|reference|truth|expected|label|answer|positive|correct", re.I)
_SOME = 100  # rows that decide the types of columns


def with_our_columns(
    frame: pd.DataFrame, wanted: TableKind, given: ColumnNames | None
) -> pd.DataFrame:
    """Return our columns of a frame, found by given or usual names, with a row for each item."""
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
    columns = [frame.iloc[:, place] for place in range(len(names))]
    lists = {at: _first_list(each) for at, each in enumerate(columns)}
    lists = {at: first for at, first in lists.items() if first is not None}
    found = _find(names, columns, lists, wanted, given)
    kept = frame.iloc[:, [*found.positions.values()]].set_axis([*found.positions], axis=1)
    if "doc_id" not in kept:  # learning to rank: each row is an item
        kept = kept.assign(doc_id=np.arange(1, len(kept) + 1).astype(str))
    elif "query_id" in kept and _first_list(kept["doc_id"]) is not None:
        kept = _of_lists(kept, wanted)
    if found.grade is not None:  # every row is relevant, and rows may repeat
        kept = kept.assign(relevance=found.grade).drop_duplicates(["query_id", "doc_id"])
    notes = [*frame.attrs.get("notes", []), *found.notes]
    kept.attrs = {**frame.attrs, **kept.attrs, "notes": notes}
    return kept


def _find(
    names: list[str],
    columns: list[pd.Series],
    lists: Mapping[int, list],
    wanted: TableKind,
    given: dict,
) -> Columns:
    """Find our columns."""
    types = [
        type_of([lists[at]] if at in lists else each.head(_SOME).dropna())
        for at, each in enumerate(columns)
    ]
    try:
        return find_columns(names, wanted, given, wanted.table, types=types)
    except DataError as error:
        if "doc_id" in error.missing and len(lists) > 1:
            raise _which_lists(names, [names[at] for at in lists], wanted) from None
        raise


def _which_lists(names: list[str], lists: list[str], wanted: TableKind) -> DataError:
    """Return the error for lists of retrieved and relevant items with unknown names."""
    query = next((name for name in names if plain(name) in names_of("query_id")), names[0])
    gold = [name for name in lists if _GOLD.search(name)] or lists[1:]
    found = [name for name in lists if name not in gold] or lists[:1]
    passed = (
        f"{kind}_columns={ {query: 'query_id', columns[0]: 'doc_id'} }"
        for kind, columns in (("run", found), ("qrels", gold))
    )
    quoted = " and ".join(map(repr, lists))
    return DataError(
        f"{wanted.table} has lists in {quoted}, but no column 'doc_id' to show which of them are "
        f"the items. Judging by the names, pass {', '.join(passed)}."
    )


def _of_lists(frame: pd.DataFrame, wanted: TableKind) -> pd.DataFrame:
    """Return a row for each item of a frame with lists of items."""
    if wanted is JUDGED_RUN:
        return _of_lists(frame, RUN).assign(relevance=_of_lists(frame, QRELS)["relevance"])
    queries, items = (frame[name].tolist() for name in ("query_id", "doc_id"))
    ours = "rank" if wanted.scored and "rank" in frame else wanted.needs[2]
    numbers = [None] * len(frame)
    if ours in frame:
        numbers = [[*each] if isinstance(each, LISTS) else [] for each in frame[ours]]
    if ours == "rank":
        numbers = [*map(negated, numbers)]
    elif ours == "relevance":  # None: an unjudged item
        numbers = [each and [np.nan if one is None else one for one in each] for each in numbers]
    return rows_of_lists(queries, items, wanted, numbers)


def _first_list(column: pd.Series) -> list | None:
    if column.dtype != object and "list" not in str(column.dtype):
        return None
    containers = (Mapping, *HOLDS)
    first = next((each for each in column.head(_SOME) if isinstance(each, containers)), None)
    return None if first is None else [*first]
