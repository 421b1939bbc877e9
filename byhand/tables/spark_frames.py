"""Frames of Spark: what counts their rows goes to its executors, and only answers come here."""

import pickle
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from byhand.errors import DataError
from byhand.files.streams import Answer, same_rows
from byhand.naming import find_columns
from byhand.tables.engine_table import FIRST, Engine, as_frame, as_ours

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_SOME = 100_000  # rows of Spark that are looked at here
# what Spark says where a worker's Python is not there, another one, or lacks something
_NO_PYTHON = re.compile(
    r'Cannot run program "[^"\n]*"|(ModuleNotFound|Import)Error: [^\n]*|Python in worker has '
    r"different version[^\n,]*|[^\n\]]* must be installed; however[^\n.]*"
)


class _OfSpark(Engine):
    """A frame, whose rows are counted where they are: only answers come here."""

    as_text = "CAST({column} AS STRING)"

    def narrowed(self, names: Sequence[str]) -> Any:
        return self.theirs.select(*("`{}`".format(name.replace("`", "``")) for name in names))

    def looked_at(self) -> "pd.DataFrame":
        return as_frame(self.theirs.limit(FIRST).toArrow())

    def frames(self) -> "Generator[pd.DataFrame]":
        yield as_frame(self.theirs.limit(_SOME).toArrow())  # nobody asks for more than the first

    def whole(self) -> None:
        """Nothing: what is held there stays there."""

    def rows_with(self, query: str, doc: str) -> list[tuple[str, dict[str, Any]]]:
        found = self._answers(self.theirs, partial(same_rows, query, doc))
        return [("", row) for rows in found for row in rows]

    def fold(self, call: "Callable[[pa.Table], Answer]", beside: int = 0) -> list[Answer]:
        """The answers of all partitions, each of which has all rows of its queries."""
        names, only = [*map(str, self.theirs.columns)], replace(self.wanted, needs=("query_id",))
        given = {theirs: ours for theirs, ours in self.given.items() if ours == "query_id"}
        query = find_columns(names, only, given, self.wanted.kind).theirs["query_id"]
        return self._answers(self.theirs.repartition(self.theirs[f"`{query}`"]), call)

    def _answers(self, frame: Any, call: "Callable[[pa.Table], Answer]") -> list[Answer]:
        """What a call makes of each partition, on the executors."""
        # the executors get what the call needs, such as relevant items, once each
        wanted, given = self.wanted, self.given
        shared = frame.sparkSession.sparkContext.broadcast(call)

        def answered(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
            import pyarrow as pa

            if held := [batch for batch in batches if len(batch)]:
                try:
                    rows = as_frame(pa.Table.from_batches(held))
                    answer = shared.value(as_ours(rows, wanted, given))
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
                f"Spark's workers run {python!r}, which cannot count: {found[0].strip()}. On one "
                "machine, end this session (spark.stop()), name the Python that has this package, "
                "and begin a new one: os.environ['PYSPARK_PYTHON'] = sys.executable. On a cluster, "
                "its executors need this package and what it needs."
            ) from None


def of_spark(frame: object, memory: str) -> Engine:
    """A frame of Spark, whose rows are counted where they are."""
    return _OfSpark(frame, memory)
