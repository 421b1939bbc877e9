"""Which engine a table lives in: DuckDB, Spark, or whatever Ibis speaks to."""

from byhand.memory import MEMORY
from byhand.tables.databases import of_duckdb, of_ibis
from byhand.tables.engine_table import Engine
from byhand.tables.spark_frames import of_spark


def engine_of(table: object, memory: str = MEMORY) -> Engine | None:
    """The engine that a table lives in; None for a table in memory, or no table.

    Args:
        table: whatever a user holds.
        memory: what may be taken for what comes here at a time.
    """
    # what is not installed need not be imported to know that a table is none of its own
    packages = {kind.__module__.partition(".")[0].strip("_") for kind in type(table).__mro__}
    for package, sign, engine in (
        ("duckdb", "sql_query", of_duckdb),
        ("pyspark", "sparkSession", of_spark),
        ("ibis", "get_backend", of_ibis),
    ):
        if package in packages and hasattr(table, sign):
            return engine(table, memory)
    return None
