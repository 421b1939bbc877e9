"""Ids as text, without making text of every row.

Query ids are told apart as text: they mostly stand together, so few of them are looked at. Item
ids become keys, numbers of 64 bits: equal ids have equal keys.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.files.streams import begins
from byhand.hashes import arrow_hashes
from byhand.parallel import blocks
from byhand.tables.arrow import decoded

if TYPE_CHECKING:
    import pyarrow as pa

_IDS = (str, int, np.integer, UUID)


class Ids:
    """A column of ids: its stretches of one id, keys of rows and of texts, text of a few rows.

    Arrow holds them as they came; of whole numbers and dictionaries a block at a time becomes text.
    """

    def __init__(self, values: "pa.ChunkedArray", given: Callable[[str], object] = str) -> None:
        self._values = values
        self.given = given  # from the text of an id to the id as its owner wrote it

    def keys(self, start: int, stop: int) -> np.ndarray:
        """(n,) uint64 keys of the rows from `start` up to `stop`."""
        pieces = _as_text(self._rows(start, stop)).chunks
        return np.concatenate([np.empty(0, np.uint64), *map(arrow_hashes, pieces)])

    def keys_of(self, texts: Sequence[str]) -> np.ndarray:
        """(n,) the keys that texts have here."""
        import pyarrow as pa

        return arrow_hashes(pa.array(texts, type=pa.large_string()))

    def stretches(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, Sequence[str]]:
        """Where in these rows an id begins that is not the one before it; which id; their texts."""
        import pyarrow as pa

        rows = self._rows(start, stop)
        # to compare neighbours takes less time than to look up every row
        new = begins(rows)
        some = rows.take(new).combine_chunks()
        if pa.types.is_dictionary(some.type):  # with entries that no row has
            some = some.dictionary_decode()
        found = some.dictionary_encode()
        return new, found.indices.to_numpy(), _as_text(found.dictionary).to_pylist()

    def text(self, rows: np.ndarray) -> np.ndarray:
        """The ids of some rows as an object array of str."""
        found = np.empty(len(rows), dtype=object)
        order = np.argsort(rows, kind="stable")
        cuts = blocks(len(self._values))  # to pick them from a whole column would copy it
        last = np.searchsorted(rows[order], [stop for _, stop in cuts])
        for (start, stop), places in zip(cuts, np.split(order, last), strict=False):
            if len(places):
                picked = (rows[places] - start).astype(np.intp)  # 32 bits in a browser
                found[places] = _as_text(self._rows(start, stop).take(picked)).to_numpy()
        return found

    def taken(self, rows: np.ndarray) -> "Ids":
        """The column with only these rows."""
        return Ids(self._values.take(rows.astype(np.intp)), self.given)  # 32 bits in a browser

    def _rows(self, start: int, stop: int) -> "pa.ChunkedArray":
        import pyarrow as pa

        rows = self._values.slice(start, stop - start)
        # not every pyarrow can compare and pick views
        return _as_text(rows) if rows.type == pa.string_view() else rows


def _as_text(values: "pa.ChunkedArray") -> "pa.ChunkedArray":
    import pyarrow as pa

    return values.cast(pa.large_string())


def id_column(column: pd.Series, *, what: str) -> Ids:
    """A column of ids, whatever its dtype; `what` is how an error names it: "run: doc_id"."""
    import pyarrow as pa

    column = decoded(column)
    values, given = _as_held(column), str
    if values is None:
        if (missing := column.isna().to_numpy()).any():
            row = f"the first at row {shown(column.index[int(missing.argmax())])}"
            raise no_id(what, int(missing.sum()), len(column), row)
        values = _written_out(column, what)
        if what.endswith("query_id") and {*map(type, column)} != {str}:
            given = dict(zip(map(str, column), column, strict=True)).__getitem__
    elif not _is_text(values.type):
        given = int
    chunks = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])
    return Ids(chunks, given)


def no_id(what: str, missing: int, rows: int, where: str) -> DataError:
    """What to say of rows without an id, of which `where` tells one."""
    return DataError(
        f"{what} has no value in {missing} of {rows} rows, {where}. Every row needs an id: fill "
        "it in, or remove the row."
    )


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return str(kind) in ("string", "large_string", "string_view")


def _as_held(column: pd.Series) -> "pa.Array | pa.ChunkedArray | None":
    """Text and whole numbers as Arrow holds them; None where any value has to be looked at."""
    import pyarrow as pa

    with suppress(TypeError, ValueError, NotImplementedError, OverflowError):
        # pandas itself would look at objects first
        held = pa.array(column.to_numpy() if column.dtype == object else column.array)
        kind = held.type.value_type if pa.types.is_dictionary(held.type) else held.type
        # among objects a truth value may be taken for a number
        whole = pa.types.is_integer(kind) or (pa.types.is_decimal(kind) and kind.scale == 0)
        if held.null_count == 0 and (_is_text(kind) or (whole and column.dtype != object)):
            return held
    return None


def _written_out(column: pd.Series, what: str) -> "pa.Array | pa.ChunkedArray":
    """Values as text, one by one: whole numbers and UUIDs are ids, what is no text is refused."""
    import pyarrow as pa

    texts = []
    for label, value in column.items():
        if isinstance(value, bool | np.bool_) or not isinstance(value, _IDS):
            if column.dtype == object:
                raise DataError(
                    f"{what} holds {shown(value)} ({type(value).__name__}) at row {shown(label)}. "
                    "Ids are text or whole numbers: convert it."
                )
            raise DataError(
                f"{what} holds {column.dtype} values, such as {shown(value)}. Ids are text or "
                "whole numbers: convert the column, for example with astype('int64') or "
                "astype(str)."
            )
        texts.append(str(value))
    try:
        return pa.array(texts, pa.large_string())
    except UnicodeEncodeError as error:
        raise DataError(
            f"{what} holds {shown(error.object)}, with half of a character (a surrogate). Ids "
            "are text: decode them anew from what they came from."
        ) from None
