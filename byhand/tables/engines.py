"""Tables that live in an engine: DuckDB relations, PySpark frames and whatever Ibis speaks to.

A question is an Ibis expression about the large table and, often, a small one of ours. It is asked
where the large table lives; only the answer comes back.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Self
from uuid import uuid4
from warnings import warn

from byhand.errors import DataError
from byhand.files.lazy_scan import Scan, needed

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

# of so many rows each machine of a cluster can well hold a copy
BROADCAST_ROWS = 5_000_000


class ShuffleWarning(UserWarning):
    """A question for which Spark moves the whole run between machines."""


Ask = Callable[["ir.Table", "ir.Table | None"], "ir.Table"]
# what the types of engines are called, and which of Ibis' holds all of their values; float64 by way
# of text, as an engine's own way there may be off in the last digit
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
# what is sent to DuckDB is called there
_SENT = "of_ranking_metrics_by_hand"


def is_list(kind: str) -> bool:
    """Whether a type holds several values in a cell."""
    return bool(_LISTS.fullmatch(kind))


def _all_of(table: "ir.Table") -> "ir.Table":
    return table


@dataclass(frozen=True)
class Engine:
    """Where a large table lives, and how to ask it something.

    Each kind can `renamed` columns, by theirs; say the `type_of` a column as it calls that; be
    `narrowed` to some columns as what they are to us; and `answer` an expression of the large table
    and of `ours`, a table of Arrow's that is sent there.
    """

    theirs: object  # the table as its owner holds it
    # those of its columns that we need, as Ibis writes about them: ids as text or int64, numbers as
    # int64, uint64 or float64; None until it is known which
    table: "ir.Table | None" = None
    of_files: bool = False  # whether its ids are those of files, where a blank one is none
    attrs: Mapping[str, object] = field(default_factory=dict)  # what is known beside its rows
    chosen: Callable[["ir.Table"], "ir.Table"] = _all_of  # those of its rows that count
    hash_name: ClassVar[str] = ""
    text: ClassVar[str] = "VARCHAR"
    by_bytes: ClassVar[str] = ""

    @property
    def names(self) -> list[str]:
        """What all of its columns are called."""
        return list(self.theirs.columns)

    def form(self, column: str) -> str:
        """What values of a column are to us; empty if they are nothing."""
        kind = self.type_of(column).lower()
        if is_list(kind):
            return ""
        known = (form for names, form in _FORMS.items() if re.fullmatch(names, kind, re.DOTALL))
        return next(known, "")

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

    def conversion(self, column: str, form: str) -> str:
        """What its owner may write to have a column as text or as a number."""
        return f"CAST({column} AS {self.text if form == 'string' else 'DOUBLE'})"

    def hash_of(self, query: "ir.Value", doc: "ir.Value") -> "ir.Value | None":
        """64 bits, the same for the same ids; None if we know of no such function there."""
        import ibis

        if not self.hash_name:
            return None
        signature = (query.type(), doc.type()), "int64"
        of = ibis.udf.scalar.builtin(lambda q, d: None, name=self.hash_name, signature=signature)
        return of(query, doc)

    def _listed(self, forms: Mapping[str, str]) -> list[str]:
        return [f"{self.cast(column, form)} AS {column}" for column, form in forms.items()]

    def _narrow(self, theirs: object, forms: Mapping[str, str]) -> Self:
        """What has been narrowed there, and as Ibis calls it: by a name that no other table has."""
        import ibis

        types = {column: "float64" if form == "exact" else form for column, form in forms.items()}
        return replace(self, theirs=theirs, table=ibis.table(types, name=_new_name()))

    def _sql(self, ask: Ask, ours: "pa.Table | None", name: str, dialect: str) -> str:
        """What is asked, if `ours` is called so there."""
        import ibis

        schema = None if ours is None else ibis.Schema.from_pyarrow(ours.schema)
        getattr(ibis, dialect)  # lets Ibis know the options of this engine
        sent = None if schema is None else ibis.table(schema, name=name)
        return ibis.to_sql(ask(self.chosen(self.table), sent), dialect=dialect)


class _OfIbis(Engine):
    """A table that Ibis knows the way to."""

    def renamed(self, ours: Mapping[str, str]) -> Self:
        kept = {name: self.theirs[theirs] for theirs, name in ours.items()}
        return replace(self, theirs=self.theirs.select(**kept))

    def type_of(self, column: str) -> str:
        return str(self.theirs[column].type()).removeprefix("!")  # which marks one without gaps

    def conversion(self, column: str, form: str) -> str:
        return f"{column}.cast({form!r})"

    def narrowed(self, forms: Mapping[str, str]) -> Self:
        def cast(value: "ir.Value", form: str) -> "ir.Value":
            if form == "exact":
                return value.cast("string").cast("float64")
            return value.cast(form)

        columns = {column: cast(self.theirs[column], form) for column, form in forms.items()}
        return replace(self, table=self.theirs.select(**columns))

    def answer(self, ask: Ask, ours: "pa.Table | None" = None) -> "pa.Table":
        import ibis

        asked = ask(self.chosen(self.table), None if ours is None else ibis.memtable(ours))
        try:
            return asked.to_pyarrow()
        except MemoryError:
            raise
        except Exception as error:  # each has errors of its own
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

    def narrowed(self, forms: Mapping[str, str]) -> Self:
        name = _new_name()
        sql = f"SELECT {', '.join(self._listed(forms))} FROM {name}"
        return replace(self, table=self.theirs.alias(name).sql(sql))


@dataclass(frozen=True)
class _OfDuckDB(Engine):
    """A relation, asked on its own connection; `watched` shows how far the answer is."""

    watched: Callable[[], AbstractContextManager[None]] = nullcontext
    connection: object = None  # of Ibis, if it is a table of that
    hash_name = "hash"
    by_bytes = "COLLATE C"

    def renamed(self, ours: Mapping[str, str]) -> Self:
        quoted = {theirs.replace('"', '""'): name for theirs, name in ours.items()}
        kept = ", ".join(f'"{theirs}" AS {name}' for theirs, name in quoted.items())
        return replace(self, theirs=self.theirs.project(kept))

    def type_of(self, column: str) -> str:
        return str(self.theirs.types[self.names.index(column)])

    def narrowed(self, forms: Mapping[str, str]) -> Self:
        with self.watched(), _explained():
            return self._narrow(self.theirs.project(", ".join(self._listed(forms))), forms)

    def answer(self, ask: Ask, ours: "pa.Table | None" = None) -> "pa.Table":
        # DuckDB finds it among the variables of its caller, if no table of the user's is called so;
        # but a connection of Ibis sees no variables
        of_ranking_metrics_by_hand = ours  # noqa: F841
        sql = self._sql(ask, ours, _SENT, "duckdb")
        named = self.connection is not None and ours is not None
        if named:
            self.connection.register(_SENT, ours)
        try:
            with self.watched(), _explained():
                return self.theirs.query(self.table.get_name(), sql).to_arrow_table()
        finally:
            if named:
                self.connection.unregister(_SENT)


class _OfSpark(Engine):
    """A frame; what is sent to it is broadcast, so that the frame stays where it is."""

    hash_name = "xxhash64"
    text, by_bytes = "STRING", "COLLATE UTF8_BINARY"

    def renamed(self, ours: Mapping[str, str]) -> Self:
        return replace(self, theirs=self.theirs.withColumnsRenamed(ours).select(*ours.values()))

    def type_of(self, column: str) -> str:
        return dict(self.theirs.dtypes)[column]

    def narrowed(self, forms: Mapping[str, str]) -> Self:
        return self._narrow(self.theirs.selectExpr(*self._listed(forms)), forms)

    def answer(self, ask: Ask, ours: "pa.Table | None" = None) -> "pa.Table":
        with self.asked(ask, ours) as frame:
            return frame.toArrow()

    @contextmanager
    def asked(self, ask: Ask, ours: "pa.Table | None" = None) -> Iterator[object]:
        """The answer as a frame that nobody has computed yet."""
        session, name = self.theirs.sparkSession, f"ours_{uuid4().hex}"
        frames = {self.table.get_name(): self.theirs}
        if ours is not None:
            frames[name] = self._sent(ours)
        try:
            for view, frame in frames.items():
                frame.createOrReplaceTempView(view)
            yield session.sql(self._sql(ask, ours, name, "pyspark"))
        finally:
            for view in frames:
                session.catalog.dropTempView(view)

    def _sent(self, ours: "pa.Table") -> object:
        from pyspark.sql.functions import broadcast

        sent = self.theirs.sparkSession.createDataFrame(ours)
        if len(ours) <= BROADCAST_ROWS:
            # unmarked, Spark cannot tell how small it is, and shuffles the large one
            return broadcast(sent)
        warn(
            f"{len(ours):,} relevant items are too many to send to every machine "
            f"({BROADCAST_ROWS:,} are the most), so Spark sorts and shuffles the run. The values "
            "are the same; it takes longer.",
            ShuffleWarning,
            stacklevel=2,
        )
        return sent


def _new_name() -> str:
    return f"ranked_{uuid4().hex}"


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what DuckDB says of a lack of room into what its owner can do."""
    duckdb = import_module("duckdb")
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        said = str(error).partition("\n")[0]
        lacks, give = "too little memory", "more memory, as in memory='8GB'"
        if "offload" in said:
            lacks = "too little room on disk for what memory does not hold"
            give = f"a folder on a larger disk, as in folder='/large/disk', or {give}"
        raise MemoryError(
            f"DuckDB has {lacks} ({said}). Give it {give}. The search for repeats needs most: "
            "repeats='hits' looks for them among judged items only."
        ) from None
    except duckdb.Error as error:
        if isinstance(error, duckdb.CatalogException) and f" {_SENT} " in str(error):
            raise DataError(
                "This connection of DuckDB may not see tables of Python, and relevant items are "
                "sent to it as one. Allow it: SET python_enable_replacements=true, on a connection "
                "that was made without enable_external_access=false."
            ) from None
        raise DataError(f"DuckDB cannot read the table: {error}") from None
    except RuntimeError as error:  # what it makes of Ctrl+C
        if "interrupted" not in str(error):
            raise
        raise KeyboardInterrupt from None


def engine_of(table: object) -> Engine | None:
    """The engine that a table lives in; None for a table in memory, or no table."""
    if isinstance(table, Scan):
        return _OfDuckDB(table.relation, of_files=True, attrs=table.attrs, watched=table.watched)
    # what is not installed need not be imported to know that a table is none of its own
    packages = {kind.__module__.partition(".")[0].strip("_") for kind in type(table).__mro__}
    for package, sign, engine in (
        ("duckdb", "sql_query", _OfDuckDB),
        ("pyspark", "sparkSession", _OfSpark),
        ("ibis", "get_backend", _of_ibis),
    ):
        if package in packages and hasattr(table, sign):
            needed("ibis", "This table")
            return engine(table)
    return None


def _of_ibis(table: "ir.Table") -> Engine:
    import ibis

    if type(table.op()).__name__ == "InMemoryTable":
        return _of_memory(table.op().data.to_pyarrow(table.schema()))
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

        return _OfSpark(SparkSession.getActiveSession().sql(backend.compile(table)))
    if backend.name == "duckdb":
        table = table.op().replace(_of_floats).to_expr()
        table.limit(0).select(known=ibis.literal(1)).to_pyarrow()  # tables in memory it is made of
        with _explained():
            relation = backend.con.sql(backend.compile(table))
        return _OfDuckDB(relation, connection=backend.con)
    return (_OfSQLite if backend.name == "sqlite" else _OfIbis)(table)


def _of_floats(node: "ir.Node", changed: Mapping[str, object] | None) -> "ir.Node":
    """A part of an expression of Ibis, whose tables in memory DuckDB can read."""
    import ibis

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


def _of_memory(table: "pa.Table") -> Engine:
    with _explained():
        return _OfDuckDB(needed("duckdb", "This table").connect().from_arrow(_with_floats(table)))
