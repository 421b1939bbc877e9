"""Tables that live in an engine: DuckDB relations, PySpark frames and whatever Ibis speaks to.

Of each only our columns come, as what they are to us. Rows of DuckDB and of databases stream here,
some at a time. Those of Spark stay there: what counts them goes to its executors.
"""

import pickle
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Self
from uuid import uuid4

from byhand.column_map import ColumnNames, check_mapping, find_columns
from byhand.columns import TableKind
from byhand.errors import DataError, shown
from byhand.files.streams import Answer, Stream
from byhand.memory import MEMORY, in_bytes
from byhand.tables.frame_columns import in_arguments

if TYPE_CHECKING:
    import pyarrow as pa

_SOME = 1 << 17  # rows that come at a time
_FIRST = 100_000  # rows of Spark that are looked at here
# what the types of engines are called, and which of Arrow's holds all of their values; float64 by
# way of text, as an engine's own way there may be off in the last digit
_FORMS = {
    r"u?(tiny|small)int|u?int(eger)?|u?int(8|16|32)|int64|bigint": "int64",
    r"ubigint|uint64": "uint64",
    r"u?hugeint|bignum|decimal\(\d+, ?0\)": "digits",
    r"decimal.*": "exact",
    r"float(16|32|64)?|double|real": "float64",
    r"bool(ean)?": "truth",
    r"(var)?char.*|string.*|text|enum.*|uuid": "string",
    r'"null"': "string",  # of a column without a value, as of no rows
}
# lists of values of any type, as DuckDB, Spark and Ibis call them
_LISTS = re.compile(r".*\[\d*\]|array<.*>", re.DOTALL | re.IGNORECASE)
# what Spark says where a worker's Python is not there, another one, or lacks something
_NO_PYTHON = re.compile(
    r'Cannot run program "[^"\n]*"|(ModuleNotFound|Import)Error: [^\n]*|Python in worker has '
    r"different version[^\n,]*|[^\n\]]* must be installed; however[^\n.]*"
)
# which form an id or a number is asked for in, by what its column holds
_AS_ID = {"int64": "int64", "uint64": "string", "digits": "string", "string": "string"}
_NUMBERS = {"int64": "int64", "float64": "float64", "exact": "exact", "digits": "exact"}
_AS_NUMBER = {
    "score": _NUMBERS | {"uint64": "uint64"},
    "rank": _NUMBERS | {"uint64": "float64"},
    "relevance": _NUMBERS | {"uint64": "uint64", "truth": "int64"},
}


class Engine(Stream):
    """A table of an engine.

    Each kind can have its columns `renamed`, by theirs; say the `type_of` a column as it calls
    that; be `narrowed` to some columns as what they are to us; and has a `reader` of its rows.
    """

    text: ClassVar[str] = "VARCHAR"
    by_bytes: ClassVar[str] = ""

    def __init__(self, theirs: object, memory: str) -> None:
        super().__init__({}, in_bytes(memory))
        self.theirs = theirs  # the table as its owner holds it
        self._rows: int | None = None

    @property
    def names(self) -> list[str]:
        """What all of its columns are called."""
        return list(self.theirs.columns)

    def checked(self, wanted: TableKind, given: ColumnNames | None) -> Self:
        """Narrowed to our columns, whose types can hold what is wanted."""
        if given or not {*wanted.needs} <= {*self.names}:
            with in_arguments(wanted.kind):
                found = find_columns(self.names, wanted, check_mapping(given), wanted.kind)
            if found.grade is not None:
                raise DataError(
                    f"qrels: relevance={found.grade!r} is for files and tables in memory. Give "
                    "the table of the engine such a column."
                )
            self.theirs = self.renamed({name: ours for ours, name in found.theirs.items()})
        number = wanted.needs[2] if wanted.needs[2] in self.names else "rank"
        forms = {column: _AS_ID.get(self._form(column)) for column in ("query_id", "doc_id")}
        forms[number] = _AS_NUMBER[number].get(self._form(number))
        for column, form in forms.items():
            if form is None:
                raise self._wrong_type(wanted.kind, column, number)
        self.theirs = self.narrowed(forms)
        return self

    def renamed(self, ours: Mapping[str, str]) -> object:
        """Its table with those columns only that we have a name for, and with that."""
        raise NotImplementedError

    def type_of(self, column: str) -> str:
        """The type of a column, as the engine calls it."""
        raise NotImplementedError

    def narrowed(self, forms: Mapping[str, str]) -> object:
        """Its table with some columns only, as what they are to us."""
        raise NotImplementedError

    def reader(self) -> "pa.RecordBatchReader":
        """What brings all rows here, some at a time."""
        raise NotImplementedError

    def counted(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def explained(self) -> AbstractContextManager[None]:
        """Turn what the engine says, in errors of its own, into ours."""
        raise NotImplementedError

    def n_rows(self) -> int:
        """How many rows there are, asked once."""
        if self._rows is None:
            with self.explained():
                self._rows = self.counted()
        return self._rows

    def whole(self) -> "pa.Table | None":
        """All rows together; None if memory may not hold them, for which few are read in vain."""
        import pyarrow as pa

        # to count what a query gives may be to run it, so it is done of many rows only
        first = [piece for _, piece in islice(self.pieces(), 3)]
        if len(first) == 3:
            return super().whole() if self.n_rows() <= self.rows_at_once else None
        return pa.concat_tables(first) if sum(map(len, first)) <= self.rows_at_once else None

    def pieces(self) -> "Iterator[tuple[str, pa.Table]]":
        """All rows, some at a time; first none, which says what columns there are."""
        import pyarrow as pa

        with self.explained():
            reader = self.reader()
            yield "", reader.schema.empty_table()
            for batch in reader:
                yield "", pa.Table.from_batches([batch])

    def conversion(self, column: str, form: str) -> str:
        """What its owner may write to have a column as text or as a number."""
        return f"CAST({column} AS {self.text if form == 'string' else 'DOUBLE'})"

    def cast(self, column: str, form: str) -> str:
        """A column as what it is to us, in the engine's own SQL, which knows its types best."""
        text = f"CAST({column} AS {self.text})"
        return {
            "string": f"{text} {self.by_bytes}",
            "int64": f"CAST({column} AS BIGINT)",
            "uint64": column,
            "float64": f"CAST({column} AS DOUBLE)",
            "exact": f"CAST({text} AS DOUBLE)",
        }[form].strip()

    def _listed(self, forms: Mapping[str, str]) -> list[str]:
        return [f"{self.cast(column, form)} AS {column}" for column, form in forms.items()]

    def _form(self, column: str) -> str:
        """What values of a column are to us; empty if they are nothing."""
        kind = self.type_of(column).lower()
        if _is_list(kind):
            return ""
        known = (form for names, form in _FORMS.items() if re.fullmatch(names, kind, re.DOTALL))
        return next(known, "")

    def _wrong_type(self, name: str, column: str, number: str) -> DataError:
        """What to say of a column that holds neither ids nor numbers."""
        kind = self.type_of(column)
        what = f"{name}: {column} holds {kind} values"
        if _is_list(kind) and column != "query_id":
            return self._of_lists(what, number)
        expected, form = "Expected numbers", "float64"
        if column in ("query_id", "doc_id"):
            expected, form = "Ids are text or whole numbers", "string"
        mend = f"convert the column, for example with {self.conversion(column, form)}"
        return DataError(f"{what}. {expected}: {mend}.")

    def _of_lists(self, what: str, number: str) -> DataError:
        """What to say of a table with several items in a row."""
        lists = [each for each in ("doc_id", number) if _is_list(self.type_of(each))]
        rows = [f"UNNEST({each}) AS {each}" for each in lists]
        if number not in lists:
            ranks = "generate_subscripts(doc_id, 1) AS rank"
            rows.append("1 AS relevance" if number == "relevance" else ranks)
        return DataError(
            f"{what}. A table of an engine has a row for each item. Write the lists out, in "
            f"DuckDB's words as SELECT query_id, {', '.join(rows)}."
        )


def _is_list(kind: str) -> bool:
    """Whether a type holds several values in a cell."""
    return bool(_LISTS.fullmatch(kind))


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
            raise DataError(f"{engine} cannot read the table: {error}") from error


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


class _OfSpark(Engine):
    """A frame, whose rows are counted where they are: only answers come here."""

    text, by_bytes = "STRING", "COLLATE UTF8_BINARY"

    def renamed(self, ours: Mapping[str, str]) -> object:
        return self.theirs.withColumnsRenamed(ours).select(*ours.values())

    def type_of(self, column: str) -> str:
        return dict(self.theirs.dtypes)[column]

    def narrowed(self, forms: Mapping[str, str]) -> object:
        return self.theirs.selectExpr(*self._listed(forms))

    def whole(self) -> None:
        """Nothing: what is held there stays there."""

    def pieces(self) -> "Iterator[tuple[str, pa.Table]]":
        yield "", self.theirs.limit(_FIRST).toArrow()  # nobody asks for more than the first

    def each(self, call: "Callable[[pa.Table], Answer]") -> list[tuple[str, Answer]]:
        return [("", answer) for answer in self._answers(self.theirs, call, together=False)]

    def fold(self, call: "Callable[[pa.Table], Answer]") -> list[Answer]:
        # a partition has all rows of its queries
        return self._answers(self.theirs.repartition("query_id"), call, together=True)

    def _answers(
        self, frame: Any, call: "Callable[[pa.Table], Answer]", *, together: bool
    ) -> list[Answer]:
        """What a call makes of each partition, or of each batch of rows, on the executors."""
        shared = frame.sparkSession.sparkContext.broadcast(call)

        def answered(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
            import pyarrow as pa

            held = [batch for batch in batches if len(batch)]
            for rows in [held] if together and held else ([each] for each in held):
                try:
                    answer = shared.value(pa.Table.from_batches(rows))
                except DataError as error:
                    answer = error
                yield pa.record_batch([pa.array([pickle.dumps(answer)], pa.binary())], ["answer"])

        try:
            with self.explained():
                rows = frame.mapInArrow(answered, "answer binary").collect()
        finally:
            shared.unpersist()
        answers = [pickle.loads(row["answer"]) for row in rows]
        if refused := next((each for each in answers if isinstance(each, DataError)), None):
            raise refused
        return answers

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Of workers that have another Python, or none, only Spark knows, and tells in a text."""
        try:
            yield
        except Exception as error:
            if (found := _NO_PYTHON.search(str(error))) is None:
                raise
            python = self.theirs.sparkSession.sparkContext.pythonExec
            raise DataError(
                f"Spark's workers run {shown(python)}, which cannot count: {found[0].strip()}. On "
                "one machine, end this session (spark.stop()), name the Python that has this "
                "package, and begin a new one: os.environ['PYSPARK_PYTHON'] = sys.executable. On "
                "a cluster, its executors need this package and what it needs."
            ) from None


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what DuckDB says into what its owner can do."""
    duckdb = sys.modules["duckdb"]
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        said = str(error).partition("\n")[0]
        raise MemoryError(
            f"DuckDB has too little memory, or room on disk for what that does not hold ({said}). "
            "Give it more: SET memory_limit='8GB'; SET temp_directory='/large/disk'."
        ) from None
    except duckdb.Error as error:
        raise DataError(f"DuckDB cannot read the table: {error}") from None
    except RuntimeError as error:  # what it makes of Ctrl+C
        if "interrupted" not in str(error):
            raise
        raise KeyboardInterrupt from None


def engine_of(table: object, memory: str = MEMORY) -> Engine | None:
    """The engine that a table lives in; None for a table in memory, or no table.

    Args:
        table: whatever a user holds.
        memory: what may be taken for what comes here at a time.
    """
    # what is not installed need not be imported to know that a table is none of its own
    packages = {kind.__module__.partition(".")[0].strip("_") for kind in type(table).__mro__}
    for package, sign, engine in (
        ("duckdb", "sql_query", _OfDuckDB),
        ("pyspark", "sparkSession", _OfSpark),
        ("ibis", "get_backend", _of_ibis),
    ):
        if package in packages and hasattr(table, sign):
            return engine(table, memory)
    return None


def _of_ibis(table: Any, memory: str) -> Engine:
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

        return _OfSpark(SparkSession.getActiveSession().sql(backend.compile(table)), memory)
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
