"""What people hold in place of a frame: dicts, lists, rows and series, as a frame."""

from collections.abc import Iterator, Mapping
from numbers import Real
from os import PathLike

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.naming import ColumnNames, TableKind, known_names
from byhand.tables.item_lists import (
    HOLDS,
    LISTS,
    expected_items,
    is_pair,
    refused_matrix,
    rows_of_lists,
)


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
    return not isinstance(inner, LISTS) or (is_pair(inner) and isinstance(inner[1], Real))


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
            "{kind} is a Series with several rows for a query. If each is an item, the best "
            "first, this makes lists of them: {kind}.groupby(level=0).agg(list).",
            [wanted.kind],
        )
    if not isinstance(held, Mapping) and callable(getattr(held, "to_dict", None)):
        held = held.to_dict()
    if isinstance(held, Mapping):
        if _of_columns(held, columns):
            return _framed(held, wanted)
        return rows_of_lists(held.keys(), held.values(), wanted)
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
            "{kind} is a list of tuples, such as {first}. Say what they hold: "
            "pd.DataFrame({kind}, columns={names}).",
            [wanted.kind, shown(first), names],
        )
    if isinstance(first, str):
        raise DataError(
            "{kind} is a list of texts, such as {first}, where each entry is taken for what a "
            "query holds. {expected_items} If these are measures, they come after the run and the "
            "judgements; if files, pass a folder of them, or a glob.",
            [wanted.kind, shown(first), expected_items(wanted)],
        )
    return rows_of_lists(range(len(held)), held, wanted)


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
            "{name} is a list of {n} lists, which does not say whose they are, and the other "
            "table names its queries. Name them here, too: dict(zip(query_ids, {name})).",
            [name, len(held)],
        )
    if of_run and len(run) != len(qrels):
        raise DataError(
            "run holds {n} lists and qrels {n2}. Without ids, the first list of each is about the "
            "first query, and so on: pass as many, or dicts of query ids.",
            [len(run), len(qrels)],
        )
    arrays = isinstance(run, np.ndarray) and isinstance(qrels, np.ndarray)
    if of_run and arrays and run.shape == qrels.shape and run.ndim == 2:
        raise refused_matrix("run", run)


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
            raise DataError(
                "{kind} is a list whose rows are not all dicts.", [wanted.kind]
            ) from None
        lengths = ", ".join(f"{name} {len(values)}" for name, values in held.items())
        raise DataError(
            "{kind}: its columns differ in length: {lengths}.", [wanted.kind, lengths]
        ) from None
