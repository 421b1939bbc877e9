"""The one place where a table in memory, whoever's library made it, becomes a frame."""

from typing import TYPE_CHECKING

import pandas as pd

from helpers.tables.engines import lives_elsewhere

if TYPE_CHECKING:
    import pyarrow

# what `.attrs` say of a frame that is a view of a table that no pandas function changes
OF_ARROW = {"of": "arrow"}


def frame_of(table: object) -> object:
    """A table that speaks Arrow's C stream interface as a frame; anything else as it is.

    The frame's columns are those of the table: text and numbers are not copied.

    Args:
        table: what a user passes for a run or for qrels: a frame, which stays as it is, a table of
            polars, pyarrow or another library, or one that lives in an engine.

    Example:
        >>> import pyarrow as pa
        >>> frame = frame_of(pa.table({"query_id": ["q"], "doc_id": ["a"], "score": [0.5]}))
        >>> frame.to_dict("records")
        [{'query_id': 'q', 'doc_id': 'a', 'score': 0.5}]
    """
    if isinstance(table, pd.DataFrame) or lives_elsewhere(table):
        return table
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


def frames_of(run: object, qrels: object) -> tuple[object, object]:
    """A run and qrels as frames; one table that says both stays one.

    Args:
        run, qrels: as for `frame_of`.

    Example:
        >>> import pyarrow as pa
        >>> table = pa.table({"query_id": ["q"]})
        >>> run, qrels = frames_of(table, table)
        >>> run is qrels
        True
    """
    frame = frame_of(run)
    return frame, frame if run is qrels else frame_of(qrels)


def _kept(kind: "pyarrow.DataType") -> object:
    """The dtype that keeps a column as it is; categories and truth values have one in pandas."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return None
    return pd.BooleanDtype() if pa.types.is_boolean(kind) else pd.ArrowDtype(kind)
