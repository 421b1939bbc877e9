"""Ids as text, without making text of every row; and rows as numbers that tell them apart.

Query ids are told apart as text: they mostly stand together, so few of them are looked at. Item
ids become keys, numbers of 64 bits: equal ids have equal keys. The number of a row is the position
of its query, then as much of its item's key as there is room for, then the row itself. In their
order the rows of a query with one key are neighbours, and a wanted key is found by bisection. What
is found by key is compared as text, so that no two ids are ever taken for one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from numbers import Real
from typing import TYPE_CHECKING, Self
from uuid import UUID

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.hashes import SEED, arrow_hashes, mix, python_hashes
from byhand.parallel import BLOCK, blocks, in_threads

if TYPE_CHECKING:
    import pyarrow

_IDS = (str, int, np.integer, UUID)


class Ids:
    """A column of ids: its stretches of one id, keys of rows and of texts, text of a few rows.

    This holds them as str in an array of objects; the other kinds hold them otherwise.
    """

    def __init__(self, values: Sequence[object]) -> None:
        self._values = values

    def keys(self, start: int, stop: int) -> np.ndarray:
        """(n,) uint64 keys of the rows from `start` up to `stop`."""
        return python_hashes(self._rows(start, stop))

    def keys_of(self, texts: Sequence[str]) -> np.ndarray:
        """(n,) the keys that texts have here; any key for one that cannot occur."""
        return python_hashes(texts)

    def stretches(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, Sequence[str]]:
        """Where in these rows an id begins that is not the one before it; which id; their texts."""
        values = self._rows(start, stop)
        # to compare neighbours takes less time than to look up every row
        new = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
        codes, different = pd.factorize(values[new])
        return new, codes, self._named(different)

    def text(self, rows: np.ndarray) -> np.ndarray:
        """The ids of some rows as an object array of str."""
        found = np.empty(len(rows), dtype=object)
        order = np.argsort(rows, kind="stable")
        cuts = blocks(len(self._values))  # to pick them from a whole column would copy it
        last = np.searchsorted(rows[order], [stop for _, stop in cuts])
        for (start, stop), places in zip(cuts, np.split(order, last), strict=False):
            if len(places):
                picked = (rows[places] - start).astype(np.intp)  # 32 bits in a browser
                some = self._rows(start, stop).take(picked)
                found[places] = np.array(self._named(some), dtype=object)
        return found

    def _rows(self, start: int, stop: int) -> np.ndarray:
        return self._values[start:stop]

    def _named(self, values: np.ndarray) -> Sequence[str]:
        return values


class _Integers(Ids):
    def keys(self, start: int, stop: int) -> np.ndarray:
        return mix(self._rows(start, stop).view(np.uint64) ^ SEED)

    def keys_of(self, texts: Sequence[str]) -> np.ndarray:
        values = np.array([as_integer(text) or 0 for text in texts], dtype=np.int64)
        return mix(values.view(np.uint64) ^ SEED)

    def _rows(self, start: int, stop: int) -> np.ndarray:
        return np.asarray(self._values[start:stop], dtype=np.int64)

    def _named(self, values: np.ndarray) -> Sequence[str]:
        return [str(value) for value in values.tolist()]


def as_integer(text: str) -> int | None:
    """The integer whose text is exactly this ("7", not "007"), if there is one in 64 bits."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        return None
    number = int(text)
    return number if str(number) == text and -(2**63) <= number < 2**63 else None


class _Categories(Ids):
    def __init__(self, codes: np.ndarray, texts: np.ndarray) -> None:
        super().__init__(codes)
        self._texts, self._code_to_key = texts, python_hashes(texts)

    def __reduce__(self) -> tuple[type, tuple]:
        return type(self), (self._values, self._texts)  # another process hashes otherwise

    def keys(self, start: int, stop: int) -> np.ndarray:
        return self._code_to_key[self._rows(start, stop)]

    def _named(self, values: np.ndarray) -> Sequence[str]:
        return self._texts[values]


class _ArrowStrings(Ids):
    def keys(self, start: int, stop: int) -> np.ndarray:
        pieces = self._rows(start, stop).chunks
        return np.concatenate([np.empty(0, np.uint64), *map(arrow_hashes, pieces)])

    def keys_of(self, texts: Sequence[str]) -> np.ndarray:
        import pyarrow as pa

        return arrow_hashes(pa.array(texts, type=pa.large_string()))

    def stretches(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, Sequence[str]]:
        import pyarrow.compute as pc

        rows = self._rows(start, stop)
        differs = pc.not_equal(rows.slice(1), rows.slice(0, len(rows) - 1)).to_numpy()
        new = np.flatnonzero(np.append(True, differs))
        found = rows.take(new).combine_chunks().dictionary_encode()
        return new, found.indices.to_numpy(), found.dictionary.to_pylist()

    def _rows(self, start: int, stop: int) -> "pyarrow.ChunkedArray":
        import pyarrow as pa

        # views are written out for a few rows at a time; other text stays where it is
        return self._values.slice(start, stop - start).cast(pa.large_string())


def id_column(column: pd.Series, *, what: str) -> Ids:
    """A column of ids, whatever its dtype; `what` is how an error names it: "run: doc_id"."""
    column = of_encoded(column)
    if (missing := column.isna().to_numpy()).any():
        row = f"the first at row {shown(column.index[int(missing.argmax())])}"
        raise no_id(what, int(missing.sum()), len(column), row)
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
        if len(column) and column.max() > np.iinfo(np.int64).max:
            return Ids(column.astype(str).to_numpy(dtype=object))
        return _Integers(column.array)  # Arrow's own numbers stay where they are
    values = column.to_numpy(dtype=object)
    if pd.api.types.is_string_dtype(dtype) or pd.api.types.is_object_dtype(dtype):
        return Ids(_texts(values, what, "row", labels=column.index))
    if len(column) == 0:  # of nothing, pandas guesses any dtype
        return Ids(values)
    raise DataError(
        f"{what} holds {dtype} values, such as {shown(column.iloc[0])}. Ids are text or whole "
        f"numbers: convert the column, for example with astype('int64') or astype(str)."
    )


def of_encoded(column: pd.Series) -> pd.Series:
    """A column of dictionaries of Arrow's, or of runs, as one without; any other as it is."""
    if not str(column.dtype).startswith(("dictionary<", "run_end_encoded<")):
        return column
    import pyarrow as pa

    return frame_of_arrow(pa.table({"": pa.array(column.array)}))[""].set_axis(column.index)


def frame_of_arrow(table: "pyarrow.Table") -> pd.DataFrame:
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
                decoded = pc.run_end_decode(column)
            except pa.ArrowNotImplementedError:
                decoded = pa.chunked_array(
                    [pa.array(column.to_pylist(), kind.value_type.value_type)]
                )
            table = table.set_column(place, table.column_names[place], decoded)
        elif pa.types.is_binary_view(kind):
            table = table.set_column(
                place, table.column_names[place], table.column(place).cast(pa.large_binary())
            )
    kinds = [*enumerate(table.schema.types)]
    coded = {place: kind for place, kind in kinds if pa.types.is_dictionary(kind)}
    kept = {kind: pd.ArrowDtype(kind) for place, kind in kinds if place not in coded}
    try:
        return table.to_pandas(types_mapper=kept.get, ignore_metadata=True)
    except ValueError:
        if not coded:
            raise
        for place, kind in coded.items():
            written_out = table.column(place).cast(kind.value_type)
            table = table.set_column(place, table.column_names[place], written_out)
        return frame_of_arrow(table)


def no_id(what: str, missing: int, rows: int, where: str) -> DataError:
    """What to say of rows without an id, of which `where` tells one."""
    return DataError(
        f"{what} has no value in {missing} of {rows} rows, {where}. Every row needs an id: fill it "
        "in, or remove the row."
    )


def _is_arrow_text(dtype: object) -> bool:
    if isinstance(dtype, pd.StringDtype):
        return dtype.storage != "python"
    texts = ("string", "large_string", "string_view")
    return isinstance(dtype, pd.ArrowDtype) and str(dtype.pyarrow_dtype) in texts


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


def numbers_of(column: pd.Series, what: str) -> np.ndarray:
    """The column as finite numbers: not copied if its type is one of numpy's up to 64 bits."""
    column = _as_numbers(column)
    dtype = column.dtype
    if not pd.api.types.is_numeric_dtype(dtype) or dtype.kind == "c":
        if len(column) == 0:
            return np.empty(0)
        odd = next((each for each in column if isinstance(each, str | bytes)), column.iloc[0])
        raise DataError(
            f"{what} holds {dtype} values, such as {shown(odd)}. Expected numbers: convert the "
            "column, for example with pd.to_numeric."
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
    where = f"the first, {values[row]}, at row {shown(column.index[row])}"
    raise no_number(what, int(bad.sum()), len(values), where)


def _as_numbers(column: pd.Series) -> pd.Series:
    """Categories, Arrow's own kinds and objects as the numbers or truth values that they are."""
    column = of_encoded(column)
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
    thing = {"score": "A score", "rank": "A rank"}.get(what.rpartition(" ")[2], "A grade")
    return DataError(
        f"{what} is no finite number in {bad} of {rows} rows, {where}. {thing} is a finite number: "
        "mend the row or remove it."
    )


@dataclass(frozen=True)
class RowKeys:
    """The numbers of a table's rows."""

    ascending: np.ndarray  # (N,)
    row_bits: int  # how many of their bits say the row
    query_bits: int  # how many say the position of the query

    @classmethod
    def of(cls, query: np.ndarray, doc: Ids, n_queries: int, bounds: np.ndarray | None) -> Self:
        """The numbers of some rows; `bounds` are where each query's are, if they stand together."""
        n_rows = len(query)
        found = cls(np.empty(n_rows, np.uint64), n_rows.bit_length(), n_queries.bit_length())

        def fill(block: tuple[int, int]) -> None:
            numbers = found.lowest(query[slice(*block)], doc.keys(*block))
            numbers |= np.arange(*block, dtype=np.uint64)
            found.ascending[slice(*block)] = numbers

        list(in_threads(fill, blocks(n_rows)))
        # numbers begin with the query: where rows stand together, some queries are sorted at a time
        bounds = np.array([0, n_rows]) if bounds is None else bounds
        cuts = bounds[np.searchsorted(bounds, np.arange(0, n_rows, BLOCK))]
        some = pairwise([*np.unique(cuts), n_rows])
        list(in_threads(lambda cut: found.ascending[slice(*cut)].sort(), some))
        return found

    def lowest(self, query: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """The lowest number that a row could have, by its query and the key of its item."""
        key = (keys >> np.uint64(self.row_bits + self.query_bits)) << np.uint64(self.row_bits)
        return key | (query.astype(np.uint64) << np.uint64(64 - self.query_bits))

    def find(self, lowest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which of some wanted numbers a row has, but for its own part of it; and that row."""
        order = np.argsort(lowest)
        wanted = lowest[order]
        first = np.searchsorted(self.ascending, wanted)
        last = np.searchsorted(self.ascending, wanted | self._row_mask, side="right")
        many = last - first  # one row at most, unless two items share a key
        place = np.arange(many.sum()) + np.repeat(last - np.cumsum(many), many)
        return np.repeat(order, many), self._rows(place)

    def alike(self) -> np.ndarray:
        """The rows that share query and key with another row, ascending."""

        def found(block: tuple[int, int]) -> np.ndarray:
            start, stop = block
            numbers = self.ascending[start : stop + 1] >> np.uint64(self.row_bits)
            return start + np.flatnonzero(numbers[1:] == numbers[:-1])

        places = np.concatenate([[0][:0], *in_threads(found, blocks(len(self.ascending)))])
        return np.unique(self._rows(np.concatenate([places, places + 1]).astype(int)))

    @property
    def _row_mask(self) -> np.uint64:
        return np.uint64((1 << self.row_bits) - 1)

    def _rows(self, places: np.ndarray) -> np.ndarray:
        return (self.ascending[places] & self._row_mask).astype(np.int64)
