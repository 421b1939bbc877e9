"""What there is to see in a table that lives in an engine, besides its hits."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from helpers.tables.lazy_columns import LazyTable

if TYPE_CHECKING:
    import ibis.expr.types as ir

_SIXTEEN_BITS = 1 << 16


def shared_scores(run: LazyTable) -> tuple[int, int]:
    """How many rows share score and query with another row: exactly, and as float32.

    Args:
        run: a checked run.
    """

    def ask(table: "ir.Table", _: None) -> "ir.Table":
        value = run.value(table)
        # a score too large for float32 has none there: all of them, of one sign, are infinite
        rows = table.select(
            query=table.query_id,
            exact=value,
            single=value.try_cast("float32"),
            large=value > float(np.finfo(np.float32).max),
        )
        exact = rows.group_by("query", "exact", "single", "large").agg(many=rows.count())
        single = exact.group_by("query", "single", "large").agg(
            rows=exact.many.sum(), tied=exact.many.sum(where=exact.many > 1)
        )
        return single.agg(
            tied=single.tied.sum().cast("int64"),
            single=single.rows.sum(where=single.rows > 1).cast("int64"),
        )

    (found,) = run.engine.answer(ask).to_pylist()
    return found["tied"] or 0, found["single"] or 0


def few_values(table: LazyTable) -> np.ndarray | None:
    """The different scores or grades, ascending; None if 16 bits could not tell them apart."""

    def ask(theirs: "ir.Table", _: None) -> "ir.Table":
        values = theirs.select(value=table.value(theirs)).distinct()
        return values.limit(_SIXTEEN_BITS + 1)

    found = table.engine.answer(ask)["value"].to_numpy()
    return None if len(found) > _SIXTEEN_BITS else np.unique(found)


def rows_of(table: LazyTable, queries: Sequence[str]) -> pd.DataFrame:
    """The rows of a few queries, with text for ids."""

    def ask(theirs: "ir.Table", _: None) -> "ir.Table":
        some = theirs.filter(table.text(theirs, "query_id").isin(list(queries)))
        ids = {name: table.text(some, name) for name in ("query_id", "doc_id")}
        return some.select(**ids, **{table.number: table.value(some)})

    return table.engine.answer(ask).to_pandas()


def head_of(table: LazyTable, rows: int) -> pd.DataFrame:
    """Some rows as a frame; which ones is up to the engine."""

    def ask(theirs: "ir.Table", _: None) -> "ir.Table":
        some = theirs.limit(rows)
        return some.select(**{name: table.text(some, name) for name in ("query_id", "doc_id")})

    return table.engine.answer(ask).to_pandas()
