"""Lists that hold the query itself, as a search for similar items finds it first."""

from dataclasses import MISSING, fields, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from byhand.errors import DataError
from byhand.parallel import blocks
from byhand.tables.counting import Run
from byhand.tables.lazy import Check, LazyTable
from byhand.tables.qrels import Qrels
from byhand.tables.rows import Rows

if TYPE_CHECKING:
    import pyarrow as pa

Table = TypeVar("Table", Run, Qrels, LazyTable)


def rows_of_query_itself(rows: Rows) -> np.ndarray:
    """(n,) the rows whose item is their query, ascending."""
    of_query = rows.doc.keys_of(rows.query_ids)
    alike = [
        start + np.flatnonzero(rows.doc.keys(start, stop) == of_query[rows.query[start:stop]])
        for start, stop in blocks(len(rows))
    ]
    found = np.concatenate([np.zeros(0, dtype=np.intp), *alike])
    same = rows.doc.text(found) == rows.query_ids[rows.query[found]]  # keys may collide
    return found[same.astype(bool)]


def without_query_itself(table: Table) -> Table:
    """The same table without the rows whose item is their query; its queries stay.

    Raises:
        DataError: If no row of a run remains.

    Example:
        >>> from byhand.tables.frames import run_of
        >>> without_query_itself(run_of({"a": ["a", "b"]})).rows_of()["doc_id"].tolist()
        ['b']
    """
    # what was found of all rows does not hold for the others
    anew = {
        each.name: each.default_factory()
        for each in fields(table)
        if each.default_factory is not MISSING
    }
    if table.lazy:
        return replace(table, check=partial(_checked_without, table.check), **anew)
    left_out = rows_of_query_itself(table)
    if len(left_out) == 0:
        return table
    if len(left_out) == len(table) and table.name == "run":
        raise DataError(
            "run: every list holds the query itself and nothing else, so drop_self=True leaves "
            "nothing to evaluate. Remove drop_self, or add the other retrieved items."
        )
    stay = np.delete(np.arange(len(table)), left_out)
    query = table.query[stay]
    changed = {
        "query": query,
        "sizes": np.bincount(query, minlength=len(table.query_ids)),
        "doc": table.doc.taken(stay),
        "labels": table.labels[stay],
        table.number: getattr(table, table.number)[stay],
    }
    return replace(table, **changed, **anew)


def _checked_without(check: Check, table: "pa.Table") -> Rows:
    return without_query_itself(check(table))
