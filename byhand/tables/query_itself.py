"""Remove the query itself from its own list, as found by a search for similar items."""

from dataclasses import replace
from typing import TypeVar

import numpy as np

from byhand.errors import DataError
from byhand.parallel import blocks
from byhand.tables.columns import keys_of
from byhand.tables.counting import Run, WeakCache
from byhand.tables.lazy import LazyRun, LazyTable
from byhand.tables.qrels import Qrels
from byhand.tables.rows import Rows

Table = TypeVar("Table", Run, Qrels, LazyTable)


def rows_of_query_itself(rows: Rows) -> np.ndarray:
    """Return the (n,) rows whose item is their query, ascending."""
    of_query = keys_of(rows.query_ids)
    candidates = [
        start + np.flatnonzero(rows.doc.keys(start, stop) == of_query[rows.query[start:stop]])
        for start, stop in blocks(len(rows))
    ]
    found = np.concatenate([np.zeros(0, dtype=np.intp), *candidates])
    same = rows.doc.text(found) == rows.query_ids[rows.query[found]]  # keys may collide
    return found[same.astype(bool)]


def without_query_itself(table: Table) -> Table:
    """Return the same table without the rows whose item is their query; its queries stay.

    Raises:
        DataError: If no row of a run remains.

    Example:
        >>> from byhand.tables.frames import run_of
        >>> without_query_itself(run_of({"a": ["a", "b"]})).rows_of()["doc_id"].tolist()
        ['b']
    """
    # clear caches of the full table
    forgotten = {"_known": WeakCache()} if isinstance(table, Run | LazyRun) else {"_wanted": {}}
    if table.lazy:
        check = table.check
        return replace(table, check=lambda rows: without_query_itself(check(rows)), **forgotten)
    left_out = rows_of_query_itself(table)
    if len(left_out) == 0:
        return table
    if len(left_out) == len(table) and table.name == "run":
        raise DataError(
            "run: every list contains only the query itself, so drop_self=True leaves nothing to "
            "evaluate. Remove drop_self, or add the other retrieved items."
        )
    stay = np.delete(np.arange(len(table)), left_out)
    query = table.query[stay]
    if isinstance(table, Run):
        forgotten["_rows"] = WeakCache()
    return replace(
        table,
        query=query,
        sizes=np.bincount(query, minlength=len(table.query_ids)),
        doc=table.doc.taken(stay),
        labels=table.labels[stay],
        **{table.number: getattr(table, table.number)[stay]},
        **forgotten,
    )
