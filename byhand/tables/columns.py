"""Check one column of a table: ids that compare as text, or finite numbers.

Equal query ids are mostly neighbours, so few are converted to text. Item ids become 64-bit hashes.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from numbers import Real
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa

from byhand.errors import DataError, shown
from byhand.files.streams import begins
from byhand.files.values import is_text, is_whole
from byhand.hashes import arrow_hashes
from byhand.naming import WHOLE, too_large
from byhand.parallel import blocks

_IDS = (str, int, np.integer, UUID)


# ---- ids ----------------------------------------------------------------------------------------


class Ids:
    """A column of ids in Arrow, converted to text one block at a time."""

    def __init__(self, values: pa.ChunkedArray, given: Callable[[str], object] = str) -> None:
        self._values = values
        self.given = given  # converts text to the owner's type

    def keys(self, start: int, stop: int) -> np.ndarray:
        """Return the (n,) uint64 keys of the rows from `start` up to `stop`."""
        chunks = _as_text(self._rows(start, stop)).chunks
        return np.concatenate([np.empty(0, np.uint64), *map(arrow_hashes, chunks)])

    def stretches(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, Sequence[str]]:
        """Return the rows at which ids change, the code of each id there, and their texts."""
        rows = self._rows(start, stop)
        # comparing neighbours is faster than encoding every row
        new = begins(rows)
        some = rows.take(new).combine_chunks()
        if pa.types.is_dictionary(some.type):  # it may have unused entries
            some = some.dictionary_decode()
        found = some.dictionary_encode()
        return new, found.indices.to_numpy(), _as_text(found.dictionary).to_pylist()

    def text(self, rows: np.ndarray) -> np.ndarray:
        """Return the ids of some rows as an object array of str."""
        found = np.empty(len(rows), dtype=object)
        order = np.argsort(rows, kind="stable")
        cuts = blocks(len(self._values))  # `take` from a whole column would copy it
        last = np.searchsorted(rows[order], [stop for _, stop in cuts])
        for (start, stop), places in zip(cuts, np.split(order, last), strict=False):
            if len(places):
                picked = (rows[places] - start).astype(np.intp)  # 32 bits in the browser
                found[places] = _as_text(self._rows(start, stop).take(picked)).to_numpy()
        return found

    def take(self, rows: np.ndarray) -> "Ids":
        """Return the column with only these rows."""
        return Ids(self._values.take(rows.astype(np.intp)), self.given)

    def _rows(self, start: int, stop: int) -> pa.ChunkedArray:
        rows = self._values.slice(start, stop - start)
        # not every pyarrow can compare and take views
        return _as_text(rows) if str(rows.type) == "string_view" else rows


def keys_of(texts: Sequence[str]) -> np.ndarray:
    """Return the (n,) keys of texts, which are the same in every column."""
    return arrow_hashes(pa.array(texts, pa.large_string()))


def _as_text(values: pa.ChunkedArray) -> pa.ChunkedArray:
    return values.cast(pa.large_string())


def id_column(column: pd.Series, what: str) -> Ids:
    """Check a column of ids of any dtype; `what` is its name in errors, such as "run: doc_id"."""
    column = decoded(column)
    with suppress(TypeError, ValueError, NotImplementedError, OverflowError):
        # objects as a numpy array, because pandas would inspect each of them first
        array = pa.array(column.to_numpy() if column.dtype == object else column.array)
        kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
        text = is_text(kind)
        # object columns may contain truth values, which Arrow converts to numbers
        if array.null_count == 0 and (text or (is_whole(kind) and column.dtype != object)):
            return Ids(_chunked(array), str if text else int)
    if (missing := column.isna().to_numpy()).any():
        row = shown(column.index[int(missing.argmax())])
        raise DataError(
            f"{what} has no value in {missing.sum()} of {len(column)} rows, the first at row "
            f"{row}. Every row needs an id: fill it in, or remove the row."
        )
    for label, value in column.items():
        if isinstance(value, bool | np.bool_) or not isinstance(value, _IDS):
            found = f"{column.dtype} values, such as {shown(value)}"
            if column.dtype == object:
                found = f"{shown(value)} ({type(value).__name__}) at row {shown(label)}"
            name = what.rpartition(" ")[2]
            raise DataError(
                f"{what} contains {found}. Ids are text or whole numbers: convert whole numbers "
                f"with astype('int64') or CAST({name} AS BIGINT), and other values with "
                f"astype(str) or CAST({name} AS VARCHAR)."
            )
    texts = [*map(str, column)]
    given = str if {*map(type, column)} == {str} else dict(zip(texts, column, strict=True)).get
    try:
        return Ids(_chunked(pa.array(texts, pa.large_string())), given)
    except UnicodeEncodeError as error:
        raise DataError(
            f"{what} contains {shown(error.object)}, which has half of a character (a surrogate). "
            "Ids must be valid text: decode them again from their source."
        ) from None


def _chunked(values: pa.Array | pa.ChunkedArray) -> pa.ChunkedArray:
    return values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])


# ---- numbers ------------------------------------------------------------------------------------


def finite_numbers(frame: pd.DataFrame, name: str, table: str) -> np.ndarray:
    """Return a column of finite numbers, without a copy if numpy has its type in 64 bits."""
    column = decoded(frame[name])
    if isinstance(column.dtype, pd.CategoricalDtype):
        kind = column.dtype.categories.dtype
        column = column.astype(float if kind.kind in "iufb" and column.hasnans else kind)
    if column.dtype == object:
        column = _of_objects(column)
    if str(column.dtype) == "bool[pyarrow]":
        column = column.astype("boolean")
    dtype = column.dtype
    if not pd.api.types.is_numeric_dtype(dtype) or dtype.kind == "c":
        if len(column) == 0:
            return np.empty(0)
        value = next((each for each in column if isinstance(each, str | bytes)), column.iloc[0])
        text = f"{table}: {name} contains {dtype} values, such as {shown(value)}. Expected numbers:"
        if isinstance(value, Mapping) and value:
            raise DataError(f"{text} pass one of its fields, such as {name}.{next(iter(value))}.")
        raise DataError(
            f"{text} convert the column with pd.to_numeric in pandas, or CAST({name} AS DOUBLE) in "
            "a database."
        )
    if isinstance(dtype, np.dtype) and dtype.itemsize <= 8:
        values = column.to_numpy()
    elif pd.api.types.is_integer_dtype(dtype) and not column.hasnans:
        values = column.to_numpy(dtype=dtype.numpy_dtype)
    else:
        values = column.to_numpy(dtype=float, na_value=np.nan)
    if values.dtype.kind in "iu" and name != "relevance" and len(values):
        if max(-float(values.min()), float(values.max())) >= WHOLE:
            what, fix = too_large(values[np.abs(values.astype(float)).argmax()])
            raise DataError(f"{table}: {name}: {what}. {fix}")
        return values
    if all(np.isfinite(values[start:stop]).all() for start, stop in blocks(len(values))):
        return values
    bad = ~np.isfinite(values)
    row = int(bad.argmax())
    query, doc = (shown(frame[each].iloc[row]) for each in ("query_id", "doc_id"))
    raise DataError(
        f"{table}: {name} is not a finite number in {bad.sum()} of {len(values)} rows. The first "
        f"is {values[row]}, at row {shown(frame.index[row])} (item {doc} of query {query}). A "
        f"{'grade' if name == 'relevance' else name} must be a finite number: fix the row or "
        "remove it."
    )


def _of_objects(column: pd.Series) -> pd.Series:
    """Convert objects to numbers or truth values if all of them are, or return them unchanged."""
    with suppress(OverflowError):  # pandas before 3
        found = column.infer_objects()
        if pd.api.types.is_numeric_dtype(found):
            return found
    kinds = {*map(type, column[column.notna()])}
    if all(issubclass(kind, Real | Decimal | np.bool_) for kind in kinds):
        return column.map(_as_float, na_action="ignore").astype(float)
    return column


def _as_float(number: Real) -> float:
    try:
        return float(number)
    except OverflowError:
        return np.inf


# ---- tables of Arrow ----------------------------------------------------------------------------


def decoded(column: pd.Series) -> pd.Series:
    """Return a column without Arrow's dictionary encoding."""
    if not str(column.dtype).startswith("dictionary<"):
        return column
    return frame_of_arrow(pa.table({"": pa.array(column.array)}))[""].set_axis(column.index)


def frame_of_arrow(table: pa.Table) -> pd.DataFrame:
    """Return an Arrow table as a frame with the same types, without encodings."""
    columns = [_without_encoding(column) for column in table.columns]
    table = pa.table(columns, names=table.column_names)
    frame = table.to_pandas(types_mapper=pd.ArrowDtype, ignore_metadata=True)
    for place, kind in enumerate(table.schema.types):
        if pa.types.is_map(kind):  # pandas converts maps to lists of pairs
            pairs = (each and dict(each) for each in table.column(place).to_pylist())
            frame.isetitem(place, pd.Series([*pairs], frame.index, dtype=object))
    return frame


def _without_encoding(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if isinstance(column.type, pa.BaseExtensionType) and column.type != pa.uuid():
        stored = [each.storage for each in column.chunks]
        column = pa.chunked_array(stored, column.type.storage_type)
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column.cast(pa.float32()) if pa.types.is_float16(column.type) else column


def from_arrow(table: object) -> object:
    """Convert a table with Arrow's C stream interface to a frame; return others unchanged."""
    if type(table).__name__ == "LazyFrame" and callable(getattr(table, "collect", None)):
        table = table.collect()  # polars
    if isinstance(table, pd.DataFrame) or not hasattr(table, "__arrow_c_stream__"):
        return table
    try:
        # not for pyarrow's own tables: before version 25 this can crash
        found = table if isinstance(table, pa.Table) else pa.table(table)
    except (pa.ArrowInvalid, TypeError):  # one column, not a table
        return table
    return frame_of_arrow(found)
