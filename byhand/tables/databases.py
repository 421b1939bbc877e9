"""Read tables of DuckDB, of Ibis backends and of Spark like tables in memory.

A batch of rows becomes a frame, which the functions for frames check.
"""

import pickle
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any, Self

import pyarrow as pa

from byhand.errors import DataError
from byhand.files.streams import Answer, Stream
from byhand.files.values import plain_values
from byhand.memory import MEMORY, in_bytes
from byhand.naming import (
    OURS,
    ColumnNames,
    TableKind,
    check_mapping,
    find_columns,
    grade_of,
    names_of,
    plain,
)
from byhand.tables.columns import frame_of_arrow
from byhand.tables.frame_columns import with_our_columns

FIRST = 100  # rows that decide the types of columns
_SOME = 1 << 17  # rows of a batch
_LOOKED_AT = 100_000  # rows read from Spark
# the cause within a long error message of Spark
_CAUSE = re.compile(r'Cannot run program "[^"\n]*"|\w+Error: [^\n]*')


class Engine(Stream):
    """A table in DuckDB, or in another database that Ibis reads."""

    advice = ""  # what to try after an error

    def __init__(self, theirs: Any, memory: str, database: str, quote: str = "") -> None:
        super().__init__({}, in_bytes(memory))
        self.theirs = theirs  # the user's table
        self.database = database  # its name in errors
        self._quote = quote  # what encloses the name of a column

    def quoted(self, name: str) -> str:
        """Return the name of a column, quoted for the database."""
        return f"{self._quote}{name.replace(self._quote, 2 * self._quote)}{self._quote}"

    def checked(self, wanted: TableKind, given: ColumnNames | None) -> Self:
        """Return the table with our columns; raise a DataError if one is missing."""
        self.wanted, self.given = wanted, check_mapping(given)
        self.once = grade_of(self.given) is not None
        names = [*map(str, self.theirs.columns)]
        known = {each for ours in OURS for each in names_of(ours)}
        read = [
            name
            for name in names
            if name in self.given or {plain(name), plain(name).removesuffix("s")} & known
        ]
        with self.explained():
            if read:  # only these: types of others may be odd
                self.theirs = self.theirs.select(*map(self.quoted, read))
            head = frame_of_arrow(pa.concat_tables(self.batches(self.theirs.limit(FIRST))))
        # errors list all columns
        head = head if len(head.columns) == len(names) else head.reindex(columns=names)
        self.attrs = with_our_columns(head, wanted, self.given).attrs
        return self

    def batches(self, table: Any) -> Generator[pa.Table]:
        """Read a table of DuckDB or Ibis, some rows at a time; an empty one is one batch."""
        if hasattr(table, "to_arrow_reader"):
            reader = table.to_arrow_reader(_SOME)
        else:
            reader = table.to_pyarrow_batches(chunk_size=_SOME)
        with closing(reader):  # DuckDB blocks other queries until then
            empty = True
            for batch in filter(len, reader):
                empty = False
                yield pa.Table.from_batches([batch])
            if empty:
                yield reader.schema.empty_table()

    def pieces(self) -> Generator[pa.Table]:
        """Read our columns of all rows, some at a time."""
        with self.explained(), closing(self.batches(self.theirs)) as batches:
            for batch in batches:
                yield _ours(batch, self.wanted, self.given)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn errors of the database into a DataError."""
        try:
            yield
        except (DataError, MemoryError):
            raise
        except Exception as error:
            said = str(error)
            if type(error) is RuntimeError and "interrupted" in said:  # DuckDB's for Ctrl+C
                raise KeyboardInterrupt from None
            cause = (_CAUSE.search(said) or [said])[0].strip()
            raise DataError(
                f"{self.database} cannot read the table: {cause}{self.advice}"
            ) from error


class _OfSpark(Engine):
    """A frame of Spark, counted on the executors: only results come here."""

    advice = (
        ". If its workers have another Python or lack this package: on one machine, end this "
        "session (spark.stop()) and begin a new one with os.environ['PYSPARK_PYTHON'] = "
        "sys.executable; on a cluster, install it on the executors."
    )

    def batches(self, table: Any) -> Generator[pa.Table]:
        """Return only the first rows, which are enough for all callers."""
        yield table.limit(_LOOKED_AT).toArrow()

    def whole(self) -> None:
        """Return None: the rows stay in Spark."""

    def fold(self, call: Callable[[pa.Table], Answer], beside: int = 0) -> list[Answer]:
        """Call a function on each partition, which contains all rows of its queries."""
        names, only = [*map(str, self.theirs.columns)], replace(self.wanted, needs=("query_id",))
        given = {theirs: ours for theirs, ours in self.given.items() if ours == "query_id"}
        query = find_columns(names, only, given, self.wanted.kind).theirs["query_id"]
        wanted, given = self.wanted, self.given  # what the executors need to know

        def answered(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            if kept := [batch for batch in batches if len(batch)]:
                try:
                    answer = call(_ours(pa.Table.from_batches(kept), wanted, given))
                except DataError as error:
                    answer = error
                yield pa.record_batch([pa.array([pickle.dumps(answer)], pa.binary())], ["answer"])

        with self.explained():
            frame = self.theirs.repartition(self.theirs[self.quoted(query)])
            rows = frame.mapInArrow(answered, "answer binary").collect()
        answers = [pickle.loads(row["answer"]) for row in rows]
        if refused := next((each for each in answers if isinstance(each, DataError)), None):
            raise refused
        return answers


def engine_of(table: Any, memory: str = MEMORY) -> Stream | None:
    """Return the table of a database as a stream, or None for anything else.

    Args:
        table: Any object of the user; a DataError is raised for a connection.
        memory: The maximum memory for its rows at a time.
    """
    # by name, so that no library is imported
    packages = {kind.__module__.partition(".")[0].strip("_") for kind in type(table).__mro__}
    if "duckdb" in packages and hasattr(table, "sql_query"):
        return Engine(table, memory, "DuckDB", '"')
    if "pyspark" in packages and hasattr(table, "sparkSession"):
        return _OfSpark(table, memory, "Spark", "`")
    if "ibis" in packages and hasattr(table, "get_backend"):
        backend = table.get_backend()
        if backend.name != "duckdb":
            return Engine(table, memory, "The database")
        table.limit(0).to_pyarrow()  # registers its in-memory tables
        return Engine(backend.con.sql(backend.compile(table)), memory, "DuckDB", '"')
    if {"duckdb", "ibis", "sqlite3", "sqlalchemy"} & packages and hasattr(table, "execute"):
        raise DataError(
            "run or qrels is a connection to a database, not a table. Pass one of its tables, "
            "such as con.table('run'), or a query: con.sql('SELECT query_id, … FROM …')."
        )
    return None


def _ours(batch: pa.Table, wanted: TableKind, given: ColumnNames) -> pa.Table:
    """Return our columns of some rows, with the same types in every batch."""
    frame = with_our_columns(frame_of_arrow(batch), wanted, given)
    found = pa.Table.from_pandas(frame, preserve_index=False)
    return pa.table({name: plain_values(found[name]) for name in OURS if name in frame})
