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
from byhand.tables.arrow import frame_of_arrow
from byhand.tables.databases import Engine, as_ours

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_SOME = 100_000  # rows of Spark that are looked at here
# what Spark says if a worker's Python is not there, another one, or lacks something
_NO_PYTHON = re.compile(
    r'Cannot run program "[^"\n]*"|(ModuleNotFound|Import)Error: [^\n]*|Python in worker has '
    r"different version[^\n,]*|[^\n\]]* must be installed; however[^\n.]*"
)


class OfSpark(Engine):
    """A frame, whose rows are counted where they are: only answers come here."""

    def narrowed(self, names: Sequence[str]) -> Any:
        """Return the frame with some columns only."""
        return self.theirs.select(*("`{}`".format(name.replace("`", "``")) for name in names))

    def frames(self, table: Any) -> "Generator[pd.DataFrame]":
        """Return the first rows; no caller needs more."""
        yield frame_of_arrow(table.limit(_SOME).toArrow())

    def whole(self) -> None:
        """Nothing: what is held there stays there."""

    def rows_with(self, query: str, doc: str) -> list[tuple[str, dict[str, Any]]]:
        """Return the rows of a query's item."""
        found = self._answers(self.theirs, partial(same_rows, query, doc))
        return [("", row) for rows in found for row in rows]

    def fold(self, call: "Callable[[pa.Table], Answer]", beside: int = 0) -> list[Answer]:
        """Return the answers of all partitions, each of which has all rows of its queries."""
        names, only = [*map(str, self.theirs.columns)], replace(self.wanted, needs=("query_id",))
        given = {theirs: ours for theirs, ours in self.given.items() if ours == "query_id"}
        query = find_columns(names, only, given, self.wanted.kind).theirs["query_id"]
        return self._answers(self.theirs.repartition(self.theirs[f"`{query}`"]), call)

    def _answers(self, frame: Any, call: "Callable[[pa.Table], Answer]") -> list[Answer]:
        """Return what a call makes of each partition, on the executors."""
        wanted, given = self.wanted, self.given

        def answered(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
            import pyarrow as pa

            if held := [batch for batch in batches if len(batch)]:
                try:
                    answer = call(
                        as_ours(frame_of_arrow(pa.Table.from_batches(held)), wanted, given)
                    )
                except DataError as error:
                    answer = error
                yield pa.record_batch([pa.array([pickle.dumps(answer)], pa.binary())], ["answer"])

        with self.explained():
            rows = frame.mapInArrow(answered, "answer binary").collect()
        answers = [pickle.loads(row["answer"]) for row in rows]
        if refused := next((each for each in answers if isinstance(each, DataError)), None):
            raise refused
        return answers

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Say what to do if the workers have another Python, or none, which Spark only prints."""
        try:
            yield
        except Exception as error:
            if (found := _NO_PYTHON.search(str(error))) is None:
                raise
            python = self.theirs.sparkSession.sparkContext.pythonExec
            raise DataError(
                f"Spark's workers run {python!r}, which cannot count: {found[0].strip()}. On one "
                "machine, end this session (spark.stop()), set the Python that has this package, "
                "and begin a new one: os.environ['PYSPARK_PYTHON'] = sys.executable. On a cluster, "
                "its executors need this package and what it needs."
            ) from None
