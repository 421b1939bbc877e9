"""Tables and columns of Arrow's as pandas holds them, without a copy of their text."""

from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    import pyarrow as pa


def decoded(column: pd.Series) -> pd.Series:
    """A column of dictionaries of Arrow's, or of runs, as one without; any other as it is."""
    if not str(column.dtype).startswith(("dictionary<", "run_end_encoded<")):
        return column
    import pyarrow as pa

    return frame_of_arrow(pa.table({"": pa.array(column.array)}))[""].set_axis(column.index)


def frame_of_arrow(table: "pa.Table") -> pd.DataFrame:
    """A table of Arrow's as a frame whose columns stay as they are, but for its encodings.

    Runs are written out, and dictionaries become categories, unless they repeat or lack a value.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    for place, kind in enumerate(table.schema.types):
        if pa.types.is_run_end_encoded(kind):
            # one by one where Arrow cannot: values that are a dictionary's
            column = table.column(place)
            try:
                written_out = pc.run_end_decode(column)
            except pa.ArrowNotImplementedError:
                values = pa.array(column.to_pylist(), kind.value_type.value_type)
                written_out = pa.chunked_array([values])
            table = table.set_column(place, table.column_names[place], written_out)
        elif pa.types.is_binary_view(kind):
            table = table.set_column(
                place, table.column_names[place], table.column(place).cast(pa.large_binary())
            )
    kinds = [*enumerate(table.schema.types)]
    coded = {place: kind for place, kind in kinds if pa.types.is_dictionary(kind)}
    kept = {kind: pd.ArrowDtype(kind) for place, kind in kinds if place not in coded}
    try:
        frame = table.to_pandas(types_mapper=kept.get, ignore_metadata=True)
        for place, kind in kinds:
            if pa.types.is_map(kind):  # which are lists of pairs, and dicts to whoever made them
                pairs = (each and dict(each) for each in table.column(place).to_pylist())
                frame.isetitem(place, pd.Series([*pairs], frame.index, dtype=object))
        return frame
    except ValueError:
        if not coded:
            raise
        for place, kind in coded.items():
            written_out = table.column(place).cast(kind.value_type)
            table = table.set_column(place, table.column_names[place], written_out)
        return frame_of_arrow(table)


def from_arrow(table: object) -> object:
    """A table that speaks Arrow's C stream interface as a frame, anything else as it is."""
    if type(table).__name__ == "LazyFrame" and callable(getattr(table, "collect", None)):
        table = table.collect()  # of polars
    if isinstance(table, pd.DataFrame) or not hasattr(table, "__arrow_c_stream__"):
        return table
    import pyarrow as pa

    try:
        # pyarrow's own is not sent through the interface: before 25 that can end the process
        found = table if isinstance(table, pa.Table) else pa.table(table)
    except (pa.ArrowInvalid, TypeError):  # one column, not a table
        return table
    return frame_of_arrow(found)
