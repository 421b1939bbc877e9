"""Tables of DuckDB, of databases that Ibis speaks to, and of Spark: their rows stream here.

What they hold is read as a table in memory is: a batch of theirs becomes one of Arrow's, and what
names, writes out and checks the columns of a frame does so with it.
"""

import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import pandas as pd

from byhand.column_map import ColumnNames, check_mapping, grade_of
from byhand.columns import OURS, TableKind, names_of, plain
from byhand.errors import DataError, shown
from byhand.files.streams import Stream
from byhand.memory import MEMORY, in_bytes
from byhand.tables.arrow import frame_of_arrow
from byhand.tables.finite_numbers import finite_numbers
from byhand.tables.frame_columns import named
from byhand.tables.ids import id_column

if TYPE_CHECKING:
    import pyarrow as pa

_SOME = 1 << 17  # rows that come at a time
FIRST = 100  # rows that tell of the columns
_DIGITS = ("BIGNUM", "HUGEINT", "UHUGEINT")


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
            head = self._looked_at()
        # what is missing is said of all columns, and what is there is read of ours only
        if len(head.columns) < len(names):
            head = head.reindex(columns=names)
        try:
            found = named(head, wanted, self.given)
            for column in found:
                self._check_type(column, found[column].dropna())
        except DataError:
            self._begun.close()
            raise
        self.attrs = found.attrs
        return self

    @property
    def names(self) -> list[str]:
        """What all of its columns are called."""
        return [*map(str, self.theirs.columns)]

    def _looked_at(self) -> pd.DataFrame:
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
        how, expected = self.as_number, "Expected numbers"
        try:
            if column.endswith("_id"):
                how, expected = self.as_text, "Ids are text or whole numbers"
                id_column(values, what=what)
            else:
                finite_numbers(values, what)
        except DataError:
            odd = next((each for each in values if isinstance(each, str | bytes)), None)
            if kind == "object" and not column.endswith("_id") and odd is not None:
                raise DataError(
                    f"{what} holds {shown(odd)}, which is no number. Mend such rows where they "
                    "come from, or remove them."
                ) from None
            if kind == "object":
                raise
            how = f"convert the column, for example with {how.format(column=column)}"
            if kind.startswith("struct") and len(values):
                how = f"pass one of its fields, such as {column}.{next(iter(values.iloc[0]))}"
            raise DataError(f"{what} holds {kind} values. {expected}: {how}.") from None


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
        table = table.set_column(place, field.name, column)
    return frame_of_arrow(table)


def as_ours(frame: pd.DataFrame, wanted: TableKind, given: ColumnNames | None) -> "pa.Table":
    """Our columns of some rows of an engine, with types that do not change from one to another."""
    import pyarrow as pa

    columns = {}
    for name, column in named(frame, wanted, given).items():
        what = f"{wanted.kind}: {name}"
        if column.dtype != object:
            columns[name] = pa.array(column.array, from_pandas=True)
        elif name.endswith("_id"):
            text = id_column(column, what=what).text(np.arange(len(column)))
            columns[name] = pa.array(text, pa.large_string())
        else:
            columns[name] = pa.array(finite_numbers(column, what))
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


class _OfArrow(Engine):
    """A table of Arrow that somebody else holds."""

    @property
    def names(self) -> list[str]:
        return self.theirs.column_names

    def narrowed(self, names: Sequence[str]) -> "pa.Table":
        return self.theirs.select(names)

    def batches(self) -> "pa.RecordBatchReader":
        return self.theirs.to_reader(_SOME)

    def counted(self) -> int:
        return len(self.theirs)


class _OfIbis(Engine):
    """A table that Ibis knows the way to."""

    as_number, as_text = "{column}.cast('float64')", "{column}.cast('string')"

    def batches(self) -> "pa.RecordBatchReader":
        return self.theirs.to_pyarrow_batches(chunk_size=_SOME)

    def counted(self) -> int:
        return int(self.theirs.count().execute())


class _OfSQLite(_OfIbis):
    """A table in which any row may hold a value of any type, whatever its columns declare."""

    def frames(self) -> Generator[pd.DataFrame]:
        backend = self.theirs.get_backend()
        with closing(backend.con.execute(backend.compile(self.theirs))) as cursor:
            while rows := cursor.fetchmany(_SOME):
                yield pd.DataFrame(rows, columns=[*self.theirs.columns], dtype=object)


class _OfDuckDB(Engine):
    """A relation, asked on its own connection."""

    def narrowed(self, names: Sequence[str]) -> Any:
        kinds = dict(zip(self.theirs.columns, map(str, self.theirs.types), strict=True))
        listed = []
        for name in names:
            column = quoted = '"{}"'.format(name.replace('"', '""'))
            if kinds[name] in _DIGITS:  # Arrow has no type for all of their values
                ours = self.given.get(name, "")
                ids = [*names_of("query_id"), *names_of("doc_id")]
                column = f"CAST({quoted} AS VARCHAR)"
                if not (ours.endswith("_id") if ours else plain(name) in ids):
                    column = f"CAST({column} AS DOUBLE)"
            listed.append(f"{column} AS {quoted}")
        return self.theirs.project(", ".join(listed)) if listed else self.theirs.limit(0)

    def batches(self) -> "pa.RecordBatchReader":
        return self.theirs.to_arrow_reader(_SOME)

    def counted(self) -> int:
        return self.theirs.count("*").fetchall()[0][0]

    @contextmanager
    def explained(self) -> Iterator[None]:
        duckdb = sys.modules["duckdb"]
        try:
            yield
        except duckdb.OutOfMemoryException as error:
            lack = (
                "DuckDB has too little memory, or room on disk for what that does not hold "
                f"({str(error).partition(chr(10))[0]})."
            )
            short = MemoryError(
                f"{lack} Give it more: SET memory_limit='8GB'; SET temp_directory='/large/disk'."
            )
            short.lack = lack  # what a command says more about
            raise short from None
        except duckdb.Error as error:
            raise DataError(f"DuckDB cannot read the table: {error}") from None
        except RuntimeError as error:  # what it makes of Ctrl+C
            if "interrupted" not in str(error):
                raise
            raise KeyboardInterrupt from None


class _NoTable(Stream):
    """A connection, which has tables and is none."""

    def checked(self, wanted: TableKind, given: ColumnNames | None) -> Self:
        kind, asked = wanted.kind, "con.sql('SELECT query_id, doc_id, … FROM …')"
        raise DataError(
            f"{kind} is a connection to a database, not a table. Pass one of its tables: "
            f"{kind}=con.table('{kind}'), or in DuckDB what is asked of it: {kind}={asked}.",
            table=wanted.table,
        )


def engine_of(table: Any, memory: str = MEMORY) -> Stream | None:
    """Find the engine that a table lives in; None for a table in memory, or no table.

    Args:
        table: whatever a user holds.
        memory: what may be taken for what comes here at a time.
    """
    # what is not installed need not be imported to know that a table is none of its own
    packages = {kind.__module__.partition(".")[0].strip("_") for kind in type(table).__mro__}
    if "duckdb" in packages and hasattr(table, "sql_query"):
        return _OfDuckDB(table, memory)
    if "pyspark" in packages and hasattr(table, "sparkSession"):
        from byhand.tables.spark_frames import of_spark

        return of_spark(table, memory)
    if "ibis" in packages and hasattr(table, "get_backend"):
        return _of_ibis(table, memory)
    if {"duckdb", "ibis", "sqlite3", "sqlalchemy"} & packages and hasattr(table, "execute"):
        return _NoTable({}, in_bytes(memory))
    return None


def _of_ibis(table: Any, memory: str) -> Engine:
    """A table of Ibis; DuckDB and Spark know more types than what Ibis shares with all others."""
    ibis = sys.modules["ibis"]  # who holds such a table has imported it
    if type(table.op()).__name__ == "InMemoryTable":
        return _OfArrow(table.op().data.to_pyarrow(table.schema()), memory)
    try:
        backend = table.get_backend()
    except ibis.common.exceptions.IbisError:
        raise DataError(
            "The table of Ibis is bound to no database, or to more than one. Pass one of a "
            "connection, as in ibis.connect('duckdb://runs.db').table('run')."
        ) from None
    if backend.name == "pyspark":
        from pyspark.sql import SparkSession

        return engine_of(SparkSession.getActiveSession().sql(backend.compile(table)), memory)
    if backend.name == "duckdb":
        table = table.op().replace(_with_longer_floats).to_expr()
        table.limit(0).select(known=ibis.literal(1)).to_pyarrow()  # tables in memory it is made of
        return _OfDuckDB(backend.con.sql(backend.compile(table)), memory)
    return (_OfSQLite if backend.name == "sqlite" else _OfIbis)(table, memory)


def _with_longer_floats(node: Any, changed: Mapping[str, object] | None) -> Any:
    """A part of an expression of Ibis; its tables in memory without 16 bits, unknown to DuckDB."""
    import pyarrow as pa

    ibis = sys.modules["ibis"]
    node = node.__recreate__(changed) if changed else node
    if type(node).__name__ != "InMemoryTable" or "float16" not in map(str, node.schema.types):
        return node
    held = node.data.to_pyarrow(node.schema)
    kinds = [pa.float32() if pa.types.is_float16(kind) else kind for kind in held.schema.types]
    return ibis.memtable(held.cast(pa.schema(zip(held.column_names, kinds, strict=True)))).op()
