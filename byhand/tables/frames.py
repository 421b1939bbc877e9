"""The one place where a table in memory, whoever's library made it, becomes a frame."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import pandas as pd

from byhand.columns import OURS
from byhand.errors import DataError, shown
from byhand.tables.engines import lives_elsewhere

if TYPE_CHECKING:
    import pyarrow

# what `.attrs` say of a frame that is a view of a table that no pandas function changes
OF_ARROW = {"of": "arrow"}


Number = Literal["score", "relevance"]


def frame_of(table: object, number: Number) -> object:
    """Nested dicts, or a table that speaks Arrow's C stream interface, as a frame; else as it is.

    The frame's columns are those of the table: text and numbers are not copied.

    Args:
        table: what a user passes for a run or for qrels: a frame, which stays as it is, a dict of
            queries that holds dicts of items and their numbers, as of pytrec_eval, BEIR and ranx,
            a table of polars, pyarrow or another library, or one that lives in an engine.
        number: what the numbers in nested dicts are.

    Raises:
        DataError: dicts that are nested in another way, or judge a query without an item.

    Example:
        >>> import pyarrow as pa
        >>> frame = frame_of(pa.table({"query_id": ["q"], "doc_id": ["a"]}), "score")
        >>> frame.to_dict("records")
        [{'query_id': 'q', 'doc_id': 'a'}]
        >>> frame_of({"q": {"a": 2}}, "relevance").to_dict("records")
        [{'query_id': 'q', 'doc_id': 'a', 'relevance': 2}]
    """
    if isinstance(table, pd.DataFrame) or lives_elsewhere(table):
        return table
    if isinstance(table, Mapping) and table.keys().isdisjoint(OURS):
        return _unnested(table, number)
    if not hasattr(table, "__arrow_c_stream__"):
        return table
    import pyarrow as pa

    try:
        found = pa.table(table)
    except (pa.ArrowInvalid, TypeError):  # one column, not a table
        return table
    frame = found.to_pandas(types_mapper=_kept, ignore_metadata=True)
    frame.attrs = dict(OF_ARROW)
    return frame


def _unnested(nested: Mapping[object, object], number: Number) -> pd.DataFrame:
    """A row for each item of each query."""
    name, like = ("run", 0.93) if number == "score" else ("qrels", 1)
    expected = f"Expected a dict of queries that hold items, as in {{'q1': {{'d7': {like}}}}}."
    for query, items in nested.items():
        where = f"{name}: query {shown(query)} holds"
        if not isinstance(items, Mapping):
            raise DataError(f"{where} a {type(items).__name__}, where its items belong. {expected}")
        odd = next((item for item in items if isinstance(items[item], Mapping)), None)
        if odd is not None:
            raise DataError(
                f"{where} a dict for item {shown(odd)}, where its number belongs. {expected} If "
                f"{shown(query)} is the name of a run, pass what it holds."
            )
        if not items and number == "relevance":
            raise DataError(
                f"{where} no items. A query without any judgement cannot be evaluated: leave it "
                "out, or give it an item with grade 0."
            )
    return pd.DataFrame(
        {
            "query_id": [query for query, items in nested.items() for _ in items],
            "doc_id": [item for items in nested.values() for item in items],
            number: [value for items in nested.values() for value in items.values()],
        }
    )


def frames_of(run: object, qrels: object) -> tuple[object, object]:
    """A run and qrels as frames; one table that says both stays one.

    Args:
        run, qrels: as for `frame_of`.

    Raises:
        DataError: as `frame_of`.

    Example:
        >>> import pyarrow as pa
        >>> table = pa.table({"query_id": ["q"]})
        >>> run, qrels = frames_of(table, table)
        >>> run is qrels
        True
    """
    frame = frame_of(run, "score")
    return frame, frame if run is qrels else frame_of(qrels, "relevance")


def of_dictionary(column: pd.Series) -> pd.Series:
    """A column of dictionaries of Arrow's as one of categories; any other as it is."""
    if not str(column.dtype).startswith("dictionary<"):
        return column
    import pyarrow as pa

    return pa.table({"": pa.array(column.array)}).to_pandas()[""].set_axis(column.index)


def _kept(kind: "pyarrow.DataType") -> object:
    """The dtype that keeps a column as it is; categories and truth values have one in pandas."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return None
    return pd.BooleanDtype() if pa.types.is_boolean(kind) else pd.ArrowDtype(kind)
