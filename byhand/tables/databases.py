"""Tables of DuckDB, of databases that Ibis speaks to, and of Spark: which of them a table is."""

import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Self

import pandas as pd

from byhand.errors import DataError
from byhand.files.streams import Stream
from byhand.memory import MEMORY, in_bytes
from byhand.naming import ColumnNames, TableKind, names_of, plain
from byhand.tables.engine_table import Engine
from byhand.tables.spark_frames import of_spark

if TYPE_CHECKING:
    import pyarrow as pa

_SOME = 1 << 17  # rows that come at a time
_DIGITS = ("BIGNUM", "HUGEINT", "UHUGEINT")


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
