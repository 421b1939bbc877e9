"""Rows of a file as a frame with our columns: all of them, or some at a time."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from byhand.files.table_file import TableFile
from byhand.files.values import Column, grades, ids, joined, scores

if TYPE_CHECKING:  # a complaint about a column does not wait for it
    import pandas as pd


class Part(NamedTuple):
    """Rows of a file, from its row `first` on."""

    frame: "pd.DataFrame"
    source: TableFile
    first: int

    def place(self, row: int) -> str:
        """Where a row of the frame stands in the file."""
        return self.source.place(self.first + row)


def parts_of(source: TableFile, rows: int = 0) -> Iterator[Part]:
    """The rows of a file, about so many at a time, or all at once. No part is empty."""
    held, first, marks = [], 0, set() if rows else None
    for table in filter(len, source.tables()):
        held.append(table)
        if rows and (many := sum(map(len, held))) >= rows:
            yield _part(source, held, first, marks)
            held, first = [], first + many
    if held:
        yield _part(source, held, first, marks)


def _part(
    source: TableFile, tables: Sequence[pa.Table], first: int, marks: set[str] | None
) -> Part:
    import pandas as pd

    raw = joined(tables)
    found = {ours: Column(each, ours, source, first, marks) for ours, each in raw.items()}
    n_rows = sum(map(len, tables))
    one_query = pa.chunked_array([pa.repeat(pa.scalar("all", pa.large_string()), n_rows)])
    texts = {
        "query_id": ids(found["query_id"]) if "query_id" in found else one_query,
        "doc_id": ids(found["doc_id"]),
    }
    numbers = {}
    if "score" in found:
        numbers["score"] = scores(found["score"])
    elif "rank" in found:
        numbers["score"] = -scores(found["rank"])
    if "relevance" in found:
        numbers["relevance"] = grades(found["relevance"])
    if source.columns.grade is not None:
        given = np.full(n_rows, source.columns.grade)
        numbers["relevance"] = given.astype(np.int64) if given.dtype.kind == "i" else given
    table = pa.table(texts).to_pandas(types_mapper={pa.large_string(): _text_type()}.get)
    # its owner may write to it, and Arrow's memory is read-only
    own = {name: np.require(each, requirements="W") for name, each in numbers.items()}
    return Part(pd.DataFrame({**table, **own}, copy=False), source, first)


@cache
def _text_type() -> object:
    """What pandas has for text of Arrow; nothing where it came without, as in a browser."""
    import pandas as pd

    try:
        if int(pd.__version__.split(".")[0]) >= 3:
            return pd.StringDtype("pyarrow", na_value=np.nan)
        return pd.StringDtype("pyarrow")
    except ImportError:
        return None
