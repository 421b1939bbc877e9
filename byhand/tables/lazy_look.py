"""What there is to see in a table that lives in an engine, besides its hits."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from byhand.tables.lazy_columns import LazyTable

if TYPE_CHECKING:
    import ibis.expr.types as ir

_SIXTEEN_BITS = 1 << 16
LONG = 3  # items: of two, scores are 1 and 2 by accident


class ScoresWithin(NamedTuple):
    """How the scores of each query stand to each other.

    Attributes:
        tied: how many rows share score and query with another row.
        tied_as_float32: the same if scores are rounded to float32.
        numbered: whether they are 1 to n, or 0 to n - 1, each once, in every query.
    """

    tied: int
    tied_as_float32: int
    numbered: bool


def scores_within(run: LazyTable) -> ScoresWithin:
    """How the scores of each query of a checked run stand to each other."""

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
        number = exact.exact.cast("float64")
        single = exact.group_by("query", "single", "large").agg(
            rows=exact.many.sum(),
            tied=exact.many.sum(where=exact.many > 1),
            low=number.min(),
            high=number.max(),
            parts=(number % 1 != 0).sum(),
        )
        query = single.group_by("query").agg(
            rows=single.rows.sum(),
            tied=single.tied.sum(),
            single=single.rows.sum(where=single.rows > 1),
            low=single.low.min(),
            high=single.high.max(),
            parts=single.parts.sum(),
        )
        numbered = (query.parts == 0) & (query.high - query.low == query.rows - 1)
        return query.agg(
            tied=query.tied.sum().cast("int64"),
            single=query.single.sum().cast("int64"),
            others=query.count() - query.count(where=numbered),
            longest=query.rows.max().cast("int64"),
            least=query.low.min(),
            most=query.low.max(),
        )

    (found,) = run.engine.answer(ask).to_pylist()
    tied = found["tied"] or 0
    alike = found["least"] == found["most"] and found["least"] in (0, 1)
    numbered = alike and not (tied or found["others"]) and found["longest"] >= LONG
    return ScoresWithin(tied, found["single"] or 0, numbered)


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
        number = "score" if table.number == "rank" else table.number
        return some.select(**ids, **{number: table.value(some)})

    return table.engine.answer(ask).to_pandas()


def head_of(table: LazyTable, rows: int) -> pd.DataFrame:
    """Some rows as a frame; which ones is up to the engine."""

    def ask(theirs: "ir.Table", _: None) -> "ir.Table":
        some = theirs.limit(rows)
        return some.select(**{name: table.text(some, name) for name in ("query_id", "doc_id")})

    return table.engine.answer(ask).to_pandas()
