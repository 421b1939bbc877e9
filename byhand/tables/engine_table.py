"""A table that lives in an engine, read as a table in memory is.

A batch of its rows becomes one of Arrow's, and what names, writes out and checks the columns of a
frame does so with it.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.files.streams import Stream
from byhand.memory import in_bytes
from byhand.naming import OURS, ColumnNames, TableKind, check_mapping, grade_of, names_of, plain
from byhand.tables.arrow import frame_of_arrow
from byhand.tables.finite_numbers import finite_numbers
from byhand.tables.frame_columns import named
from byhand.tables.ids import id_column

if TYPE_CHECKING:
    import pyarrow as pa

FIRST = 100  # rows that tell of the columns


class Engine(Stream):
    """A table of an engine: each kind has its own way to narrow it to columns, and to read it."""

    as_number: ClassVar[str] = "CAST({column} AS DOUBLE)"  # what its owner may write
    as_text: ClassVar[str] = "CAST({column} AS VARCHAR)"

    def __init__(self, theirs: Any, memory: str) -> None:
        super().__init__({}, in_bytes(memory))
        self.theirs = theirs  # the table as its owner holds it
        self._rows: int | None = None
        self._begun: Generator[pd.DataFrame] | None = None

    def checked(self, wanted: TableKind, given: ColumnNames | None) -> Self:
        """Our columns of it; a DataError if it lacks one, or what it holds is none of ours."""
        self.wanted, self.given = wanted, check_mapping(given)
        self.once = grade_of(self.given) is not None
        names = self.names
        with self.explained():
            self.theirs = self.narrowed([name for name in names if self._may_be_ours(name)])
            head = self.looked_at()
        # what is missing is said of all columns, and what is there is read of ours only
        if len(head.columns) < len(names):
            head = head.reindex(columns=names)
        try:
            found = named(head, wanted, self.given)
            for column in found:
                self._check_type(column, found[column].dropna())
        except DataError:
            if self._begun:
                self._begun.close()
            raise
        self.attrs = found.attrs
        return self

    @property
    def names(self) -> list[str]:
        """What all of its columns are called."""
        return [*map(str, self.theirs.columns)]

    def looked_at(self) -> pd.DataFrame:
        """Its first rows; to ask for all from the beginning may be to compute them again."""
        frames = self.frames()
        first = next(frames)
        self._begun = _going_on(first, frames)
        next(self._begun)
        return first.head(FIRST)

    def narrowed(self, names: Sequence[str]) -> Any:
        """Its table with some columns only."""
        return self.theirs.select(*names)

    def batches(self) -> "pa.RecordBatchReader":
        """All of its rows, some at a time."""
        raise NotImplementedError

    def counted(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn what the engine says, in errors of its own, into ours."""
        try:
            yield
        except (DataError, MemoryError):
            raise
        except Exception as error:
            raise DataError(f"The database cannot read the table: {error}") from error

    def n_rows(self) -> int:
        """How many rows there are, asked once."""
        if self._rows is None:
            with self.explained():
                self._rows = self.counted()
        return self._rows

    def frames(self) -> Generator[pd.DataFrame]:
        """All of its rows, some at a time, as they would be in memory; first none."""
        import pyarrow as pa

        empty = True
        with closing(self.batches()) as reader:  # of an open one DuckDB answers nothing else
            for batch in filter(len, reader):
                empty = False
                yield as_frame(pa.Table.from_batches([batch]))
            if empty:
                yield as_frame(reader.schema.empty_table())

    def pieces(self) -> "Generator[tuple[str, pa.Table]]":
        """All rows, some at a time."""
        frames, self._begun = self._begun or self.frames(), None
        with self.explained(), closing(frames):
            for frame in frames:
                yield "", as_ours(frame, self.wanted, self.given)

    def _may_be_ours(self, name: str) -> bool:
        known = {each for ours in OURS for each in names_of(ours)}
        return name in self.given or bool({plain(name), plain(name).removesuffix("s")} & known)

    def _check_type(self, column: str, values: pd.Series) -> None:
        """Refuse ids and numbers of other types, in terms of the engine."""
        what, kind = f"{self.wanted.kind}: {column}", str(values.dtype).removesuffix("[pyarrow]")
        if column.endswith("_id"):
            how, expected = self.as_text, "Ids are text or whole numbers"
            with suppress(DataError):
                id_column(values, what=what)
                return
        else:
            how, expected = self.as_number, "Expected numbers"
            odd = next((each for each in values if isinstance(each, str | bytes)), None)
            if kind == "object" and odd is not None:
                raise DataError(
                    f"{what} holds {shown(odd)}, which is no number. Mend such rows where they "
                    "come from, or remove them."
                )
            numeric = pd.api.types.is_numeric_dtype(values.dtype)
            if kind in ("bool", "boolean"):
                numeric = column == "relevance"
            if numeric or kind == "object" or values.empty:
                return
        how = f"convert the column, for example with {how.format(column=column)}"
        if kind.startswith("struct") and len(values):
            how = f"pass one of its fields, such as {column}.{next(iter(values.iloc[0]))}"
        raise DataError(f"{what} holds {kind} values. {expected}: {how}.")


def _going_on(first: pd.DataFrame, frames: Generator[pd.DataFrame]) -> Generator[pd.DataFrame]:
    """Frames of which the first is there already, and which can be closed; first nothing."""
    with closing(frames):
        yield
        yield first
        yield from frames


def as_frame(table: "pa.Table") -> pd.DataFrame:
    """Rows of an engine as a frame, without categories and types of its own."""
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        column = table.column(place)
        if isinstance(field.type, pa.BaseExtensionType):
            stored = [each.storage for each in column.chunks]
            column = pa.chunked_array(stored, field.type.storage_type)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        elif pa.types.is_interval(column.type):  # pandas has no type for them
            column = pa.chunked_array([[*map(str, column.to_pylist())]], pa.string())
        table = table.set_column(place, field.name, column)
    return frame_of_arrow(table)


def as_ours(frame: pd.DataFrame, wanted: TableKind, given: ColumnNames | None) -> "pa.Table":
    """Our columns of some rows of an engine, with types that do not change from one to another."""
    import pyarrow as pa

    found, columns = named(frame, wanted, given), {}
    for name, column in found.items():
        what = f"{wanted.kind}: {name}"
        if column.dtype != object:
            columns[name] = pa.array(column.array, from_pandas=True)
        elif name.endswith("_id"):
            text = id_column(column, what=what).text(np.arange(len(column)))
            columns[name] = pa.array(text, pa.large_string())
        else:
            columns[name] = pa.array(finite_numbers(found, name, wanted.kind))
        columns[name] = _without_decimals(columns[name], name)
    return pa.table(columns)


def _without_decimals(values: "pa.Array", name: str) -> "pa.Array":
    """Decimals as text of ids, or as the floats next to them; short floats as longer ones."""
    import pyarrow as pa

    if pa.types.is_float16(values.type):
        return values.cast(pa.float32())
    if not pa.types.is_decimal(values.type) or (name.endswith("_id") and values.type.scale):
        return values
    values = values.cast(pa.string())
    return values if name.endswith("_id") else values.cast(pa.float64())
