"""Columns of numbers, whatever their dtype, as finite numbers of numpy's."""

from decimal import Decimal
from numbers import Real

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.parallel import blocks
from byhand.tables.arrow import decoded


def finite_numbers(frame: pd.DataFrame, name: str, table: str) -> np.ndarray:
    """A column as finite numbers: not copied if its type is one of numpy's up to 64 bits."""
    column = _as_numbers(frame[name])
    dtype = column.dtype
    if not pd.api.types.is_numeric_dtype(dtype) or dtype.kind == "c":
        if len(column) == 0:
            return np.empty(0)
        odd = next((each for each in column if isinstance(each, str | bytes)), column.iloc[0])
        raise DataError(
            f"{table}: {name} holds {dtype} values, such as {shown(odd)}. Expected numbers: "
            "convert the column, for example with pd.to_numeric."
        )
    if isinstance(dtype, np.dtype) and dtype.itemsize <= 8:
        values = column.to_numpy()
    elif pd.api.types.is_integer_dtype(dtype) and not column.hasnans:
        values = column.to_numpy(dtype=dtype.numpy_dtype)
    else:
        values = column.to_numpy(dtype=float, na_value=np.nan)
    if all(np.isfinite(values[start:stop]).all() for start, stop in blocks(len(values))):
        return values
    bad = ~np.isfinite(values)
    row = int(bad.argmax())
    query, doc = (shown(frame[each].iloc[row]) for each in ("query_id", "doc_id"))
    where = (
        f"the first, {values[row]}, at row {shown(column.index[row])}: item {doc} of query {query}"
    )
    raise no_number(f"{table}: {name}", int(bad.sum()), len(values), where)


def _as_numbers(column: pd.Series) -> pd.Series:
    """Categories, Arrow's own kinds and objects as the numbers or truth values that they are."""
    column = decoded(column)
    dtype = column.dtype
    if isinstance(dtype, pd.ArrowDtype) and dtype.kind == "b":
        return column.astype("boolean")
    if isinstance(dtype, pd.CategoricalDtype) and dtype.categories.dtype.kind in "iufb":
        return column.astype(float if column.hasnans else dtype.categories.dtype)
    if not pd.api.types.is_object_dtype(dtype):
        return column
    try:
        found = column.infer_objects()
    except OverflowError:  # pandas before 3
        found = column
    if not pd.api.types.is_object_dtype(found):
        return found if pd.api.types.is_numeric_dtype(found) else column
    kinds = {*map(type, column[column.notna()])}
    if not all(issubclass(kind, Real | Decimal | np.bool_) for kind in kinds):
        return column
    try:
        return column.astype(float)
    except OverflowError:
        return column.map(_as_float, na_action="ignore").astype(float)


def _as_float(number: Real) -> float:
    """A number, infinite if it has too many digits to be one of 64 bits."""
    try:
        return float(number)
    except OverflowError:
        return np.inf


def no_number(what: str, bad: int, rows: int, where: str) -> DataError:
    """What to say of rows whose number is none, of which `where` tells one."""
    thing = {"score": "score", "rank": "rank"}.get(what.rpartition(" ")[2], "grade")
    return DataError(
        f"{what} is no finite number in {bad} of {rows} rows, {where}. A {thing} is a finite "
        "number: mend the row or remove it."
    )
