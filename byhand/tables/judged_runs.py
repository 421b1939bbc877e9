"""Runs that contain the relevance of their items."""

from collections.abc import Mapping
from os import PathLike

import numpy as np
import pandas as pd

from byhand.duplicates import Duplicates
from byhand.errors import DataError, both, shown
from byhand.naming import JUDGED_RUN, ColumnNames
from byhand.tables.arrow import from_arrow
from byhand.tables.columns import finite_numbers
from byhand.tables.containers import in_arguments
from byhand.tables.counting import Run
from byhand.tables.frame_columns import with_our_columns
from byhand.tables.frames import UNGRADED, graded, is_streamed, run_of
from byhand.tables.qrels import Qrels

# key in `attrs` of qrels taken from runs: the names of these runs
FROM_RUNS = "from runs"
_APART = "Pass what is relevant in a table of its own: qrels, or --qrels in the command."
_NOT_HELD = (
    "Runs that say themselves what is relevant are taken together in memory only, and one of these "
    f"is not held there. {_APART}"
)


def judged_frame(
    table: object, columns: ColumnNames | None, duplicates: Duplicates | None, *, needed: bool
) -> pd.DataFrame | None:
    """Return a judged run as a frame; None if it has no relevance and none is `needed`."""
    try:
        if isinstance(table, str | PathLike):
            from byhand.files.read import read_judged_run

            with in_arguments("run"):
                return read_judged_run(table, columns=columns, duplicates=duplicates)
        if is_streamed(table):
            raise DataError(_NOT_HELD)
        table = from_arrow(table)
        # outside of frames, numbers are either scores or grades
        return (
            with_our_columns(table, JUDGED_RUN, columns)
            if isinstance(table, pd.DataFrame)
            else None
        )
    except DataError as error:
        if needed or "relevance" not in error.missing:
            raise
        return None


def judged_together(runs: Mapping[str, object]) -> Qrels:
    """Combine the judgements of several runs.

    Args:
        runs: Frames with our columns or checked runs, by name. Judged runs have a column
            `relevance`.

    Raises:
        DataError: If two grades contradict each other, an unjudged run has items that no other run
            has, or a table is not in memory.
    """
    if not all(isinstance(each, pd.DataFrame | Run) for each in runs.values()):
        raise DataError(_NOT_HELD)
    frames = {name: run for name, run in runs.items() if isinstance(run, pd.DataFrame)}
    judged = {name: frame for name, frame in frames.items() if "relevance" in frame}
    judged = {name: graded(frame) for name, frame in judged.items()}
    parts = []
    for name, each in judged.items():
        grades = finite_numbers(each, "relevance", name).astype(float)
        parts.append(each[["query_id", "doc_id"]].assign(relevance=grades))
    found = Qrels.of(frame := pd.concat(parts, ignore_index=True))
    if clash := found.contradiction():
        names = np.repeat([*judged], [len(each) for each in parts])[[*clash]]
        query, doc = map(shown, frame[["query_id", "doc_id"]].iloc[clash[0]])
        one, other = found.relevance[[*clash]]
        raise DataError(
            f"{names[0]} gives item {doc} of query {query} grade {one:g}, and {names[1]} grade "
            f"{other:g}. Change one of them. {_APART}"
        )
    frame = frame[found.kept()]
    ungraded = sum(each.attrs.get(UNGRADED, 0) for each in judged.values())
    frame.attrs = {FROM_RUNS: [*judged], UNGRADED: ungraded}
    found = Qrels.of(frame)
    known = found.wanted(-np.inf)
    for name in (each for each in runs if each not in judged):
        checked = run_of(runs[name])
        if unknown := len(checked) - len(checked.hits(known, ties="").item):
            raise DataError(
                f"{name} does not say which of its items are relevant, and {unknown:,} of them are "
                f"not in {both([*judged])}, so that they are not judged. {_APART}"
            )
    return found
