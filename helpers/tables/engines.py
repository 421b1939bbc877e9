"""Tables that live in an engine: DuckDB relations, PySpark frames and whatever Ibis speaks to.

A question is an Ibis expression about the large table and, often, a small one of ours. It is asked
where the large table lives; only the answer comes back.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar
from uuid import uuid4
from warnings import warn

from helpers.errors import DataError
from helpers.files.scanned import INSTALL, Scan

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

# of so many rows each machine of a cluster can well hold a copy
BROADCAST_ROWS = 5_000_000


class ShuffleWarning(UserWarning):
    """A question for which Spark moves the whole run between machines."""


Ask = Callable[["ir.Table", "ir.Table | None"], "ir.Table"]


@dataclass(frozen=True)
class Engine(ABC):
    """Where a large table lives, and how to ask it something.

    Attributes:
        table: the large table, as Ibis writes about it.
        of_files: whether its ids are those of files, where a blank one is none.
    """

    table: "ir.Table"
    of_files: bool = field(default=False, kw_only=True)
    hash_name: ClassVar[str] = ""

    @abstractmethod
    def answer(self, ask: Ask, ours: "pa.Table | None" = None) -> "pa.Table":
        """What the engine says to an expression.

        Args:
            ask: makes the expression of the large table and of `ours`.
            ours: a small table that is sent there.
        """

    def hash_of(self, query: "ir.Value", doc: "ir.Value") -> "ir.Value | None":
        """64 bits, the same for the same ids; None if we know of no such function there."""
        import ibis

        if not self.hash_name:
            return None
        signature = (query.type(), doc.type()), "int64"
        of = ibis.udf.scalar.builtin(lambda q, d: None, name=self.hash_name, signature=signature)
        return of(query, doc)


class _OfIbis(Engine):
    """A table that Ibis knows the way to."""

    def answer(self, ask: Ask, ours: "pa.Table | None" = None) -> "pa.Table":
        import ibis

        return ask(self.table, None if ours is None else ibis.memtable(ours)).to_pyarrow()


@dataclass(frozen=True)
class _OfDuckDB(Engine):
    """A relation, asked on its own connection; `watched` shows how far the answer is."""

    relation: object = field(kw_only=True)
    watched: Callable[[], AbstractContextManager[None]] = nullcontext
    hash_name = "hash"

    def answer(self, ask: Ask, ours: "pa.Table | None" = None) -> "pa.Table":
        # DuckDB finds it among the variables of its caller, if no table of the user's is called so
        of_ranking_metrics_by_hand = ours  # noqa: F841
        sql = _sql(ask, self.table, ours, "of_ranking_metrics_by_hand", "duckdb")
        with _explained(), self.watched():
            return self.relation.query(self.table.get_name(), sql).to_arrow_table()


@dataclass(frozen=True)
class _OfSpark(Engine):
    """A frame; what is sent to it is broadcast, so that the frame stays where it is."""

    frame: object = field(kw_only=True)
    hash_name = "xxhash64"

    def answer(self, ask: Ask, ours: "pa.Table | None" = None) -> "pa.Table":
        with self.asked(ask, ours) as frame:
            return frame.toArrow()

    @contextmanager
    def asked(self, ask: Ask, ours: "pa.Table | None" = None) -> Iterator[object]:
        """The answer as a frame that nobody has computed yet."""
        session = self.frame.sparkSession
        name = f"ours_{uuid4().hex}"
        frames = {self.table.get_name(): self.frame}
        if ours is not None:
            frames[name] = self._sent(ours)
        try:
            for view, frame in frames.items():
                frame.createOrReplaceTempView(view)
            yield session.sql(_sql(ask, self.table, ours, name, "pyspark"))
        finally:
            for view in frames:
                session.catalog.dropTempView(view)

    def _sent(self, ours: "pa.Table") -> object:
        from pyspark.sql.functions import broadcast

        sent = self.frame.sparkSession.createDataFrame(ours)
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


def _sql(ask: Ask, table: "ir.Table", ours: "pa.Table | None", name: str, dialect: str) -> str:
    import ibis

    sent = None if ours is None else ibis.table(ibis.Schema.from_pyarrow(ours.schema), name=name)
    getattr(ibis, dialect)  # lets Ibis know the options of this engine
    return ibis.to_sql(ask(table, sent), dialect=dialect)


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
        raise DataError(f"DuckDB cannot read the table: {error}") from None


def engine_of(table: object) -> Engine | None:
    """The engine that a table lives in; None for a table in memory, or no table.

    Args:
        table: anything that a user passes for a run or for qrels.

    Raises:
        DataError: Ibis is not installed.

    Example:
        >>> engine_of({"q": {"a": 1.0}}) is None
        True
    """
    if isinstance(table, Scan):
        return replace(engine_of(table.relation), of_files=True, watched=table.watched)
    home = _home(table)
    if home == "duckdb":
        with _explained():
            schema = table.limit(0).to_arrow_table().schema
        return _OfDuckDB(_named(schema), relation=table)
    if home == "pyspark":
        return _OfSpark(_named(table.limit(0).toArrow().schema), frame=table)
    return _of_ibis(table) if home == "ibis" else None


def lives_elsewhere(table: object) -> bool:
    """Whether a table lives in an engine, as far as its type tells.

    Example:
        >>> lives_elsewhere([1, 2])
        False
    """
    return isinstance(table, Scan) or _home(table) is not None


def _home(table: object) -> str | None:
    # what is not installed need not be imported to know that a table is none of its own
    packages = {kind.__module__.partition(".")[0].strip("_") for kind in type(table).__mro__}
    signs = {"duckdb": "sql_query", "pyspark": "sparkSession", "ibis": "get_backend"}
    for package, sign in signs.items():
        if package in packages and hasattr(table, sign):
            return package
    return None


def _named(schema: "pa.Schema") -> "ir.Table":
    """A table of these columns under a name that no other has."""
    ibis = ibis_or_say("This table")
    return ibis.table(ibis.Schema.from_pyarrow(schema), name=f"ranked_{uuid4().hex}")


def _of_ibis(table: "ir.Table") -> Engine:
    backend = table.get_backend()
    if backend.name != "pyspark":
        return _OfIbis(table)
    from pyspark.sql import SparkSession

    return engine_of(SparkSession.getActiveSession().sql(backend.compile(table)))


def ibis_or_say(what: str) -> object:
    """Ibis, or what to install.

    Raises:
        DataError: it is not there.
    """
    try:
        return import_module("ibis")
    except ImportError:
        raise DataError(
            f"{what} needs ibis-framework, which is not installed: {INSTALL}."
        ) from None
