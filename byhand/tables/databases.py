"""Tables of DuckDB and of databases that Ibis speaks to: their rows stream here."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from byhand.errors import DataError
from byhand.tables.engine_table import Engine
from byhand.tables.spark_frames import of_spark
from byhand.words import Message, together

if TYPE_CHECKING:
    import pyarrow as pa

_SOME = 1 << 17  # rows that come at a time


class _OfIbis(Engine):
    """A table that Ibis knows the way to."""

    def renamed(self, ours: Mapping[str, str]) -> object:
        return self.theirs.select(**{name: self.theirs[theirs] for theirs, name in ours.items()})

    def type_of(self, column: str) -> str:
        return str(self.theirs[column].type()).removeprefix("!")  # which marks one without gaps

    def conversion(self, column: str, form: str) -> str:
        return f"{column}.cast({form!r})"

    def narrowed(self, forms: Mapping[str, str]) -> object:
        def cast(value: Any, form: str) -> Any:
            if form == "exact":
                return value.cast("string").cast("float64")
            return value.cast(form)

        columns = {column: cast(self.theirs[column], form) for column, form in forms.items()}
        return self.theirs.select(**columns)

    def reader(self) -> "pa.RecordBatchReader":
        return self.theirs.to_pyarrow_batches(chunk_size=_SOME)

    def counted(self) -> int:
        return int(self.theirs.count().execute())

    @contextmanager
    def explained(self) -> Iterator[None]:
        try:
            yield
        except (DataError, MemoryError):
            raise
        except Exception as error:
            engine = self.theirs.get_backend().name
            raise DataError("{engine} cannot read the table: {error}", [engine, error]) from error


class _OfSQLite(_OfIbis):
    """A table in which any row may hold a value of any type, whatever its columns declare."""

    text, by_bytes = "TEXT", "COLLATE BINARY"

    def type_of(self, column: str) -> str:
        if column in ("query_id", "doc_id"):
            return "text"
        kinds = self.theirs.select(kind=self.theirs[column].typeof()).distinct().to_pyarrow()
        found = {*kinds["kind"].to_pylist()} - {"null"}
        if found == {"integer"}:
            return "bigint"
        return "real" if not found or "real" in found or "integer" in found else found.pop()

    def cast(self, column: str, form: str) -> str:
        kinds = {"int64": "'integer'", "float64": "'integer', 'real'"}
        if form not in kinds:
            return super().cast(column, form)
        number = f"CAST({column} AS {'INTEGER' if form == 'int64' else 'REAL'})"
        return f"CASE WHEN typeof({column}) IN ({kinds[form]}) THEN {number} END"

    def narrowed(self, forms: Mapping[str, str]) -> object:
        name = f"ranked_{uuid4().hex}"
        sql = f"SELECT {', '.join(self._listed(forms))} FROM {name}"
        return self.theirs.alias(name).sql(sql)


class _OfDuckDB(Engine):
    """A relation, asked on its own connection."""

    by_bytes = "COLLATE C"

    def renamed(self, ours: Mapping[str, str]) -> object:
        quoted = {theirs.replace('"', '""'): name for theirs, name in ours.items()}
        return self.theirs.project(
            ", ".join(f'"{each}" AS {name}' for each, name in quoted.items())
        )

    def type_of(self, column: str) -> str:
        return str(self.theirs.types[self.names.index(column)])

    def narrowed(self, forms: Mapping[str, str]) -> object:
        with self.explained():
            return self.theirs.project(", ".join(self._listed(forms)))

    def reader(self) -> "pa.RecordBatchReader":
        return self.theirs.to_arrow_reader(_SOME)

    def counted(self) -> int:
        return self.theirs.count("*").fetchall()[0][0]

    def explained(self) -> AbstractContextManager[None]:
        return _explained()


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what DuckDB says into what its owner can do."""
    duckdb = sys.modules["duckdb"]
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        lack = Message(
            "DuckDB has too little memory, or room on disk for what that does not hold ({said}).",
            said=str(error).partition("\n")[0],
        )
        more = Message("Give it more: SET memory_limit='8GB'; SET temp_directory='/large/disk'.")
        short = MemoryError(together([lack, more]))
        short.lack = lack  # what a command says more about
        raise short from None
    except duckdb.Error as error:
        raise DataError("DuckDB cannot read the table: {error}", [error]) from None
    except RuntimeError as error:  # what it makes of Ctrl+C
        if "interrupted" not in str(error):
            raise
        raise KeyboardInterrupt from None


def of_duckdb(relation: object, memory: str) -> Engine:
    """A relation of DuckDB, of which so much may be here at a time."""
    return _OfDuckDB(relation, memory)


def of_ibis(table: Any, memory: str) -> Engine:
    """A table of Ibis; those of Spark and DuckDB are asked by what knows more of their types."""
    ibis = sys.modules["ibis"]  # who holds such a table has imported it
    if type(table.op()).__name__ == "InMemoryTable":
        held = table.op().data.to_pyarrow(table.schema())
        relation = import_module("duckdb").connect().from_arrow(_with_floats(held))
        return _OfDuckDB(relation, memory)
    try:
        backend = table.get_backend()
    except ibis.common.exceptions.IbisError:
        raise DataError(
            "The table of Ibis is bound to no database, or to more than one. Pass one of a "
            "connection, as in ibis.connect('duckdb://runs.db').table('run')."
        ) from None
    # these two know more types than Ibis, which asks them through what it shares with others
    if backend.name == "pyspark":
        from pyspark.sql import SparkSession

        return of_spark(SparkSession.getActiveSession().sql(backend.compile(table)), memory)
    if backend.name == "duckdb":
        table = table.op().replace(_of_floats).to_expr()
        table.limit(0).select(known=ibis.literal(1)).to_pyarrow()  # tables in memory it is made of
        with _explained():
            return _OfDuckDB(backend.con.sql(backend.compile(table)), memory)
    return (_OfSQLite if backend.name == "sqlite" else _OfIbis)(table, memory)


def _of_floats(node: Any, changed: Mapping[str, object] | None) -> Any:
    """A part of an expression of Ibis, whose tables in memory DuckDB can read."""
    ibis = sys.modules["ibis"]  # who holds such a table has imported it
    node = node.__recreate__(changed) if changed else node
    if type(node).__name__ != "InMemoryTable":
        return node
    held = node.data.to_pyarrow(node.schema)
    taken = _with_floats(held)
    return node if taken is held else ibis.memtable(taken).op()


def _with_floats(table: "pa.Table") -> "pa.Table":
    """A table of Arrow's without 16-bit floats, of which DuckDB has not heard."""
    import pyarrow as pa

    if not any(map(pa.types.is_float16, table.schema.types)):
        return table
    kinds = [pa.float32() if pa.types.is_float16(kind) else kind for kind in table.schema.types]
    return table.cast(pa.schema(zip(table.column_names, kinds, strict=True)))
