"""Frames of Spark: what counts their rows goes to its executors, and only answers come here."""

import pickle
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from byhand.errors import DataError, shown
from byhand.files.streams import Answer
from byhand.tables.engine_table import Engine

if TYPE_CHECKING:
    import pyarrow as pa

_FIRST = 100_000  # rows of Spark that are looked at here
# what Spark says where a worker's Python is not there, another one, or lacks something
_NO_PYTHON = re.compile(
    r'Cannot run program "[^"\n]*"|(ModuleNotFound|Import)Error: [^\n]*|Python in worker has '
    r"different version[^\n,]*|[^\n\]]* must be installed; however[^\n.]*"
)


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
                "Spark's workers run {python}, which cannot count: {why}. On one machine, end "
                "this session (spark.stop()), name the Python that has this package, and begin a "
                "new one: os.environ['PYSPARK_PYTHON'] = sys.executable. On a cluster, its "
                "executors need this package and what it needs.",
                [shown(python), found[0].strip()],
            ) from None


def of_spark(frame: object, memory: str) -> Engine:
    """A frame of Spark, whose rows are counted where they are."""
    return _OfSpark(frame, memory)
