"""Convert dicts and lists in memory to frames: items by query, or columns."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from numbers import Real

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.files.items import HOLDS, LIKE, LISTS, is_pair
from byhand.naming import ColumnNames, TableKind, known_names
from byhand.tables.item_lists import rows_of_lists

# key in `attrs` of a frame made from queries and their items: its numbers had no name
UNNAMED = "unnamed"


@contextmanager
def in_arguments(kind: str) -> Iterator[None]:
    """Add the argument of `evaluate` that maps the columns to errors about them."""
    try:
        yield
    except DataError as error:
        error.table, error.argument = kind, f"{kind}_columns"
        raise


def is_one_run(data: object) -> bool:
    """Test whether an object is one run, and not several by name or in a list.

    Example:
        >>> is_one_run({"q1": ["d7", "d2"]}), is_one_run({"bm25": {"q1": ["d7", "d2"]}})
        (True, False)
    """
    values = data.values() if isinstance(data, Mapping) else data
    first = next(iter(values), None)
    if isinstance(first, Mapping):
        return not any(isinstance(each, (Mapping, *HOLDS)) for each in first.values())
    if not isinstance(first, HOLDS) or (isinstance(first, pd.Series) and first.index.nlevels > 1):
        return False
    inner = next(iter(first), None)
    return not isinstance(inner, LISTS) or (is_pair(inner) and isinstance(inner[1], Real))


def frame_of_containers(data: object, wanted: TableKind, columns: ColumnNames | None) -> object:
    """Convert an object in memory to a frame with a row for each item; return others unchanged.

    The object maps queries to items (a dict, or it has `to_dict`), or is a list of items for each
    query, of named tuples, or a dict of columns.
    """
    kind = wanted.kind
    if not isinstance(data, Mapping | pd.Series) and callable(getattr(data, "to_dict", None)):
        data = data.to_dict()
    if isinstance(data, Mapping):
        if _holds_columns(data, columns):
            return _framed(data, wanted)
        return _unnamed(rows_of_lists(data.keys(), data.values(), wanted))
    data = [*data] if isinstance(data, Iterator) else data
    if not isinstance(data, list | tuple | np.ndarray):
        return data
    first = next(iter(data), None)
    if hasattr(first, "_fields"):
        return pd.DataFrame(data, columns=[*first._fields])
    row = isinstance(first, Mapping) and (columns or known_names([*map(str, first)]))
    if row or isinstance(first, str):
        raise DataError(
            f"{kind} is a list of entries such as {shown(first)}, not a list with the items of "
            f"each query. {LIKE[kind]} If they are rows, pass pd.DataFrame({kind})."
        )
    return _unnamed(rows_of_lists(range(len(data)), data, wanted))


def _unnamed(frame: pd.DataFrame) -> pd.DataFrame:
    frame.attrs[UNNAMED] = True
    return frame


def check_positions(run: object, qrels: object) -> None:
    """Refuse lists without query ids that do not match, and two arrays of the same shape."""
    of_run, of_qrels = _without_query_ids(run), _without_query_ids(qrels)
    if of_run != of_qrels:
        name, data = ("run", run) if of_run else ("qrels", qrels)
        raise DataError(
            f"{name} is a list of {len(data)} lists without query ids, but the other table has "
            f"query ids. Pass dict(zip(query_ids, {name}))."
        )
    if of_run and len(run) != len(qrels):
        raise DataError(
            f"run contains {len(run)} lists and qrels {len(qrels)}. Lists without query ids are "
            "matched by position. Pass the same number of lists, or dicts by query id."
        )
    arrays = isinstance(run, np.ndarray) and isinstance(qrels, np.ndarray)
    if arrays and run.ndim == 2 and run.shape == qrels.shape:
        raise DataError(
            "run and qrels are arrays of the same shape, whose numbers could be ids, scores or "
            "grades. Pass a number for each item: {query: dict(enumerate(row)) for query, row in "
            "enumerate(run)}, and the same for qrels."
        )


def _without_query_ids(data: object) -> bool:
    """Test whether an object identifies its queries only by position."""
    if not isinstance(data, list | tuple | np.ndarray):
        return False
    first = next(iter(data), None)
    return isinstance(first, HOLDS) and not hasattr(first, "_fields")


def _holds_columns(data: Mapping, columns: ColumnNames | None) -> bool:
    """Test whether a dict contains columns by name, and not items by query."""
    names = [name for name in data if isinstance(name, str)]
    theirs = {*columns} - {"relevance"} if isinstance(columns, Mapping) else set()
    if len(names) < max(len(data), 1) or not all(isinstance(v, LISTS) for v in data.values()):
        return False
    return known_names(names) > 1 or (theirs and theirs <= {*names}) or "query_id" in names


def _framed(data: Mapping, wanted: TableKind) -> pd.DataFrame:
    try:
        return pd.DataFrame(data)
    except ValueError:
        lengths = ", ".join(f"{name} {len(values)}" for name, values in data.items())
        raise DataError(f"{wanted.kind}: its columns differ in length: {lengths}.") from None
