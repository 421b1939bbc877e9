"""A run and qrels of the user's as ours, checked: in memory, or where they live."""

from byhand.tables.columns import Judgements, Run
from byhand.tables.frames import frame_of
from byhand.tables.lazy import LazyQrels, LazyRun, Repeats


def run_of(table: object, *, repeats: Repeats = "all") -> Run | LazyRun:
    """A checked run.

    Args:
        table: a frame, what `frame_of` makes one of, a table in an engine, or a checked run.
        repeats: where to look for repeats in a run that lives in an engine.

    Raises:
        DataError: a missing column, a missing id, a score that is no finite number.
    """
    if isinstance(table, Run):
        return table
    return LazyRun.of(table, repeats=repeats) or Run.of(frame_of(table, "score"))


def qrels_of(table: object, *, run: Run | LazyRun | None = None) -> Judgements | LazyQrels:
    """Checked qrels.

    Args:
        table: as for `run_of`.
        run: the checked run, if the same table says both.

    Raises:
        DataError: a missing column, a missing id, a relevance that is no finite number, a repeated
            (query, item), which an engine looks for later, or no rows.
    """
    if isinstance(table, Judgements):
        return table
    own = run if isinstance(run, Run) else None
    return LazyQrels.of(table) or Judgements.of(frame_of(table, "relevance"), run=own)
