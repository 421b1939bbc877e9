"""Columns of ids, compared as text without making text of every row.

Query ids are told apart as text: they mostly stand together, so few of them are looked at. Item
ids become keys: hits and repeats, once found by key, are compared as text, so that no two ids are
ever taken for one.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.parallel import blocks
from byhand.tables.frames import of_dictionary
from byhand.tables.keys import SEED, arrow_hashes, mix, python_hashes

if TYPE_CHECKING:
    import pyarrow


class Ids(ABC):
    """A column of ids: its stretches of one id, keys of rows and of texts, text of a few rows."""

    @abstractmethod
    def keys(self, start: int, stop: int) -> np.ndarray:
        """Keys (uint64) of the rows from `start` up to `stop`."""

    @abstractmethod
    def stretches(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, Sequence[str]]:
        """Where in these rows an id begins that is not the one before it; which id; their texts."""

    @abstractmethod
    def keys_of(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """The keys these texts would have here, and which of them can occur here at all."""

    @abstractmethod
    def text(self, rows: np.ndarray) -> np.ndarray:
        """The ids of some rows as an object array of str."""


class _Integers(Ids):
    def __init__(self, values: "np.ndarray | pd.api.extensions.ExtensionArray") -> None:
        self._values = values

    def _rows(self, rows: slice) -> np.ndarray:
        return np.asarray(self._values[rows], dtype=np.int64)

    def keys(self, start: int, stop: int) -> np.ndarray:
        return mix(self._rows(slice(start, stop)).view(np.uint64) ^ SEED)

    def stretches(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, Sequence[str]]:
        new, codes, values = _stretches(self._rows(slice(start, stop)))
        return new, codes, [str(value) for value in values.tolist()]

    def keys_of(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        numbers = [as_integer(text) for text in texts]
        known = np.array([number is not None for number in numbers], dtype=bool)
        values = np.array([number or 0 for number in numbers], dtype=np.int64)
        return mix(values.view(np.uint64) ^ SEED), known

    def text(self, rows: np.ndarray) -> np.ndarray:
        def picked(start: int, stop: int, some: np.ndarray) -> list[str]:
            return [str(value) for value in self._rows(slice(start, stop))[some].tolist()]

        return _by_block(rows, len(self._values), picked)


def as_integer(text: str) -> int | None:
    """The integer whose text is exactly this ("7", not "007"), if there is one in 64 bits."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        return None
    number = int(text)
    return number if str(number) == text and -(2**63) <= number < 2**63 else None


class _Categories(Ids):
    def __init__(self, codes: np.ndarray, texts: np.ndarray) -> None:
        # two categories may have one text (7 and "7"): they share a position, and so a key
        self._positions = {text: i for i, text in enumerate(texts)}
        positions = np.array([self._positions[text] for text in texts], dtype=np.uint64)
        self._code_to_key = mix(positions)
        self._codes = codes
        self._texts = texts

    def keys(self, start: int, stop: int) -> np.ndarray:
        return self._code_to_key[self._codes[start:stop]]

    def stretches(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, Sequence[str]]:
        new, codes, values = _stretches(self._codes[start:stop])
        return new, codes, self._texts[values]

    def keys_of(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        positions = np.array([self._positions.get(text, -1) for text in texts], dtype=np.int64)
        return mix(np.maximum(positions, 0).astype(np.uint64)), positions >= 0

    def text(self, rows: np.ndarray) -> np.ndarray:
        return self._texts[self._codes[rows]]


class _Strings(Ids):
    def __init__(self, values: np.ndarray) -> None:
        self._values = values

    def keys(self, start: int, stop: int) -> np.ndarray:
        return python_hashes(self._values[start:stop])

    def stretches(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, Sequence[str]]:
        return _stretches(self._values[start:stop])

    def keys_of(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        return python_hashes(texts), np.ones(len(texts), dtype=bool)

    def text(self, rows: np.ndarray) -> np.ndarray:
        return self._values[rows]


def _stretches(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # to compare neighbours takes less time than to look up every row
    new = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
    return new, *pd.factorize(values[new])


class _ArrowStrings(Ids):
    def __init__(self, chunks: "pyarrow.ChunkedArray") -> None:
        self._chunks = chunks

    def _rows(self, start: int, stop: int) -> "pyarrow.ChunkedArray":
        import pyarrow as pa

        # views are written out for a few rows at a time; other text stays where it is
        return self._chunks.slice(start, stop - start).cast(pa.large_string())

    def keys(self, start: int, stop: int) -> np.ndarray:
        pieces = self._rows(start, stop).chunks
        return np.concatenate([np.empty(0, np.uint64), *map(arrow_hashes, pieces)])

    def stretches(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, Sequence[str]]:
        import pyarrow.compute as pc

        rows = self._rows(start, stop)
        differs = pc.not_equal(rows.slice(1), rows.slice(0, len(rows) - 1)).to_numpy()
        new = np.flatnonzero(np.append(True, differs))
        found = rows.take(new).combine_chunks().dictionary_encode()
        return new, found.indices.to_numpy(), found.dictionary.to_pylist()

    def keys_of(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        import pyarrow as pa

        keys = arrow_hashes(pa.array(texts, type=pa.large_string()))
        return keys, np.ones(len(texts), dtype=bool)

    def text(self, rows: np.ndarray) -> np.ndarray:
        return _by_block(
            rows, len(self._chunks), lambda start, stop, some: self._rows(start, stop).take(some)
        )


def _by_block(
    rows: np.ndarray, n_rows: int, pick: Callable[[int, int, np.ndarray], Sequence[str]]
) -> np.ndarray:
    """Texts of some rows, block by block: to pick them from a whole column would copy it."""
    found = np.empty(len(rows), dtype=object)
    order = np.argsort(rows, kind="stable")
    cuts = blocks(n_rows)
    last = np.searchsorted(rows[order], [stop for _, stop in cuts])
    for (start, stop), places in zip(cuts, np.split(order, last), strict=False):
        if len(places):
            found[places] = np.array(pick(start, stop, rows[places] - start), dtype=object)
    return found


def id_column(column: pd.Series, *, what: str) -> Ids:
    """A column of ids as `Ids`, whatever its dtype.

    Args:
        column: text (object, string or Arrow), integers, whole decimals, UUIDs or categories.
        what: how an error names the column, such as `"run: doc_id"`.

    Raises:
        DataError: a missing id, or a dtype that is neither text nor integer.

    Example:
        >>> id_column(pd.Series([7, 8]), what="run: doc_id").text(np.array([1]))
        array(['8'], dtype=object)
    """
    column = of_dictionary(column)
    _refuse_missing(column, what)
    if str(column.dtype) == "extension<arrow.uuid>[pyarrow]":  # first: pandas 2 cannot say what
        column = pd.Series([*column], dtype=object, index=column.index)
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        texts = _texts(dtype.categories.to_numpy(dtype=object), what, "category")
        return _Categories(column.cat.codes.to_numpy(), texts)
    if _is_arrow_text(dtype):  # before numbers: pandas cannot say of a view what it is
        import pyarrow as pa

        values = pa.array(column.array)
        chunked = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])
        return _ArrowStrings(chunked)
    if re.fullmatch(r"decimal\d+\(\d+, 0\)\[pyarrow\]", str(dtype)):
        return id_column(column.astype("string"), what=what)
    if pd.api.types.is_integer_dtype(dtype):
        return _integers(column)
    if pd.api.types.is_string_dtype(dtype) or pd.api.types.is_object_dtype(dtype):
        values = column.to_numpy(dtype=object)
        return _Strings(_texts(values, what, "row", labels=column.index))
    if len(column) == 0:  # of nothing, pandas guesses any dtype
        return _Strings(column.to_numpy(dtype=object))
    raise DataError(
        f"{what} holds {dtype} values, such as {shown(column.iloc[0])}. Ids are text or whole "
        f"numbers: convert the column, for example with astype('int64') or astype(str)."
    )


def _integers(column: pd.Series) -> Ids:
    if len(column) and column.max() > np.iinfo(np.int64).max:
        return _Strings(column.astype(str).to_numpy(dtype=object))
    return _Integers(column.array)  # Arrow's own numbers stay where they are


def _is_arrow_text(dtype: object) -> bool:
    if isinstance(dtype, pd.StringDtype):
        return dtype.storage != "python"
    texts = ("string", "large_string", "string_view")
    return isinstance(dtype, pd.ArrowDtype) and str(dtype.pyarrow_dtype) in texts


def _refuse_missing(column: pd.Series, what: str) -> None:
    missing = column.isna().to_numpy()
    if missing.any():
        label = column.index[int(missing.argmax())]
        raise DataError(
            f"{what} has no value in {int(missing.sum())} of {len(column)} rows, the first at "
            f"row {shown(label)}. Every row needs an id: fill it in, or remove the row."
        )


_IDS = (str, int, np.integer, UUID)


def _texts(
    values: np.ndarray, what: str, place: str, *, labels: Sequence[object] | None = None
) -> np.ndarray:
    """Values as str: whole numbers and UUIDs are written out, what is no text is refused."""
    if len(values) == 0 or pd.api.types.infer_dtype(values, skipna=False) == "string":
        return values
    texts = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        if isinstance(value, bool | np.bool_) or not isinstance(value, _IDS):
            label = i if labels is None else labels[i]
            raise DataError(
                f"{what} holds {shown(value)} ({type(value).__name__}) at {place} {shown(label)}. "
                "Ids are text or whole numbers: convert it."
            )
        texts[i] = str(value)
    return texts
