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
# what of Spark's long text says why
_CAUSE = re.compile(r'Cannot run program "[^"\n]*"|\w+Error: [^\n]*')


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
        """Say what to do if the workers lack what counts; Spark itself only prints a long text."""
        try:
            yield
        except DataError:
            raise
        except Exception as error:
            cause = (_CAUSE.search(str(error)) or str(error).splitlines())[0]
            raise DataError(
                f"Spark cannot count the rows: {cause.strip()}. If its "
                "workers have another Python or lack this package: on one machine, end this "
                "session (spark.stop()) and begin a new one with os.environ['PYSPARK_PYTHON'] = "
                "sys.executable; on a cluster, install it on the executors."
            ) from error
