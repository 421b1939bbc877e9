"""Convert Arrow tables to pandas frames without copying text."""

from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    import pyarrow as pa


def decoded(column: pd.Series) -> pd.Series:
    """Return a column without Arrow's dictionary encoding."""
    if not str(column.dtype).startswith("dictionary<"):
        return column
    import pyarrow as pa

    return frame_of_arrow(pa.table({"": pa.array(column.array)}))[""].set_axis(column.index)


def frame_of_arrow(table: "pa.Table") -> pd.DataFrame:
    """Return an Arrow table as a frame with the same types, without encodings."""
    import pyarrow as pa

    columns = [_without_encoding(column) for column in table.columns]
    table = pa.table(columns, names=table.column_names)
    frame = table.to_pandas(types_mapper=pd.ArrowDtype, ignore_metadata=True)
    for place, kind in enumerate(table.schema.types):
        if pa.types.is_map(kind):  # pandas converts maps to lists of pairs
            pairs = (each and dict(each) for each in table.column(place).to_pylist())
            frame.isetitem(place, pd.Series([*pairs], frame.index, dtype=object))
    return frame


def _without_encoding(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    import pyarrow as pa

    if isinstance(column.type, pa.BaseExtensionType) and column.type != pa.uuid():
        stored = [each.storage for each in column.chunks]
        column = pa.chunked_array(stored, column.type.storage_type)
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column


def from_arrow(table: object) -> object:
    """Convert a table with Arrow's C stream interface to a frame; return others unchanged."""
    if type(table).__name__ == "LazyFrame" and callable(getattr(table, "collect", None)):
        table = table.collect()  # polars
    if isinstance(table, pd.DataFrame) or not hasattr(table, "__arrow_c_stream__"):
        return table
    import pyarrow as pa

    try:
        # not for pyarrow's own tables: before version 25 this can crash
        found = table if isinstance(table, pa.Table) else pa.table(table)
    except (pa.ArrowInvalid, TypeError):  # one column, not a table
        return table
    return frame_of_arrow(found)
