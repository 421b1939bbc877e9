"""Checks of per-query values before systems or groups are compared."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from byhand.errors import DataError, both, shown

ROUNDING = 1e-12  # relative rounding error of equal sums in another order


def numbers(values: ArrayLike, name: str) -> np.ndarray:
    """Convert values to a (n,) array of floats, NaN if missing; errors contain `name`.

    Raises:
        DataError: If there are no values, more than one dimension, text, or an infinite value.

    Example:
        >>> numbers([1, 0.5], "a").tolist()
        [1.0, 0.5]
    """
    unordered = Mapping | set | frozenset | str | bytes | pd.DataFrame
    if isinstance(values, unordered) or np.ndim(values) != 1:
        raise DataError(
            f"{name} is of type {type(values).__name__}. Expected a list, array or Series with one "
            "number for each query, such as one column of a table."
        )
    series = pd.Series(values)
    if len(series) == 0:
        raise DataError(f"{name} has no values. Expected one number for each query.")
    if series.dtype.kind in "bc" or not pd.api.types.is_numeric_dtype(series):
        raise DataError(
            f"{name} contains {series.dtype} values, such as {shown(series.iloc[0])}. Expected "
            "numbers: convert them, for example with pd.Series(values, dtype=float)."
        )
    array = series.to_numpy(dtype=float, na_value=np.nan)
    if np.isinf(array).any():
        row = int(np.isinf(array).argmax())
        raise DataError(
            f"{name} is {array[row]} at {shown(series.index[row])}. Expected finite numbers: "
            "fix the value or remove it."
        )
    return array


def complete(values: ArrayLike, name: str) -> np.ndarray:
    """Convert values as `numbers` does, but raise a DataError if one is NaN.

    Args:
        values, name: as in `numbers`.

    Raises:
        DataError: If `numbers` would raise one, or a value is NaN.
    """
    array = numbers(values, name)
    gaps = int(np.isnan(array).sum())
    if gaps:
        raise DataError(
            f"{name}: {gaps} of {len(array)} values {'is' if gaps == 1 else 'are'} missing (NaN). "
            "Remove such queries, for example with .dropna(), and report how many there are."
        )
    return array


def ids_alike(a: pd.Series, b: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Return both series with text queries if one has numbers, because 7 and "7" are the same."""
    if a.index.dtype == b.index.dtype:
        return a, b
    return a.set_axis(a.index.astype(str)), b.set_axis(b.index.astype(str))


def aligned(
    a: pd.Series, b: pd.Series, names: tuple[str, str] = ("a", "b")
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of two systems for the queries with both, in the same order.

    Args:
        a, b: one value per query, with the query as index, in any order; NaN if there is none.
        names: their names, for errors; a and b by default.

    Raises:
        DataError: If `a` or `b` is not a Series or repeats a query, the queries differ, none has
            both values, or `numbers` would raise one.

    Example:
        >>> a = pd.Series({"q1": 1.0, "q2": 0.5, "q3": 0.0})
        >>> x, y = aligned(a, pd.Series({"q3": 0.25, "q2": np.nan, "q1": 0.5}))
        >>> x.tolist(), y.tolist()
        ([1.0, 0.0], [0.5, 0.25])
    """
    for series, name in zip((a, b), names, strict=True):
        if not isinstance(series, pd.Series):
            raise DataError(
                f"{name} is of type {type(series).__name__}, which has no query for each value. "
                "Expected a Series with the query as its index, such as a column of evaluate's "
                "table."
            )
        if (repeats := series.index.duplicated()).any():
            repeated = series.index[repeats][0]
            raise DataError(
                f"{name} has query {shown(repeated)} more than once. Expected one value for "
                "each query: keep one, or average them first."
            )
    a, b = ids_alike(a, b)
    only_a, only_b = a.index.difference(b.index, False), b.index.difference(a.index, False)
    if len(only_a) or len(only_b):
        strangers = [
            f"{len(only)} only in {name}, such as {shown(only[0])}"
            for only, name in zip((only_a, only_b), names, strict=True)
            if len(only)
        ]
        raise DataError(
            f"{names[0]} and {names[1]} have different queries: {both(strangers)}. Evaluate both "
            "with the same qrels, or select the queries, for example with .loc[common], and report "
            "how many are left out."
        )
    x, y = numbers(a, names[0]), numbers(b.reindex(a.index), names[1])
    valued = ~(np.isnan(x) | np.isnan(y))
    if not valued.any():
        raise DataError(
            f"No query has a value both in {names[0]} and in {names[1]} (all are NaN in one of "
            "them), so there is nothing to compare. Use conventions that leave out fewer queries, "
            "such as missing='zero'."
        )
    return x[valued], y[valued]


def expect(fine: bool, what: str, **option: object) -> None:
    """Raise a ValueError that states what was expected, unless an option is `fine`."""
    if not fine:
        ((name, value),) = option.items()
        raise ValueError(f"{name}={shown(value)}: expected {what}.")


def differences(a: ArrayLike, b: ArrayLike) -> np.ndarray:
    """Compute a - b for each value; 0 if it is a rounding error, below 1e-12 of the larger value.

    Args:
        a, b: (n,) the values of two systems, in the same order.

    Example:
        >>> differences([0.1 + 0.2, 0.5], [0.3, 0.25]).tolist()
        [0.0, 0.25]
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    difference = a - b
    difference[np.abs(difference) <= ROUNDING * np.maximum(np.abs(a), np.abs(b))] = 0
    return difference
