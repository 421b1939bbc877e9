"""Files into tables: runs, qrels and judged runs, in every format that they come in."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa

from byhand.columns import JUDGED_RUN, QRELS, RUN, Wanted, listed
from byhand.errors import DataError, shown
from byhand.files.file import File
from byhand.files.folders import Paths, files_of, named_shortly, refuse_odd
from byhand.files.format import Format, Layout
from byhand.files.header import Columns, Given, with_grade
from byhand.files.layouts import about, laid_out
from byhand.files.values import Column, grades, ids, may_be_rounded, scores, shared_type

CHECKED_FOR_REPEATS = 1_000_000
_NEW = int(pd.__version__.split(".")[0]) >= 3
try:
    TEXT = pd.StringDtype("pyarrow", na_value=np.nan) if _NEW else pd.StringDtype("pyarrow")
except ImportError:  # a pandas that came without pyarrow, as in a browser: text as objects
    TEXT = None


def read_run(path: Paths, *, columns: Given | None = None) -> pd.DataFrame:
    """Read what a system ranked: one row a retrieved item.

    Args:
        path: a TREC run, CSV, TSV, Parquet or JSON Lines file, or nested JSON as of ranx, BEIR and
            pytrec_eval (`{"q1": {"d7": 0.93}}`) or of lists (`{"q1": ["d7", "d2"]}`, the best
            first), gzipped or not; the content tells which, not the name. Or a folder, a glob such
            as `"runs/*.parquet"`, or a list of files, all with the same format, columns and types.
        columns: the file's names for our columns, where it has its own, such as
            `{"TestTriple": "query_id"}`; for a file without names their positions from 0.

    Returns:
        Columns `query_id` and `doc_id` (text, exactly as written) and `score` (float64; int64 or
        uint64 if all are whole numbers and float64 would not tell each from the next), rows as in
        the file. A file with ranks and no scores gets minus the rank as its score. `.attrs` says
        the `file`, its `format`, the `other columns`, which were not read, and `notes` on what
        was decided.

    Raises:
        MemoryError: a file that is too big.
        DataError: what is wrong with the file, in which line and column, and what to do. Repeats
            of a (query, item) are looked for in tables of up to a million rows; in longer ones
            `evaluate` and `preflight` find them without a second pass.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "run.csv")
        ...     _ = path.write_text("qid,docno,rank\\n007,NA,2\\n")
        ...     read_run(path).values.tolist()
        [['007', 'NA', -2.0]]
    """
    return read(path, RUN, columns)


def read_qrels(
    path: Paths,
    *,
    columns: Given | None = None,
    relevance: float | None = None,
) -> pd.DataFrame:
    """Read what is relevant: one row a judgement.

    Args:
        path: TREC qrels, CSV, TSV, Parquet, JSON Lines or nested JSON, gzipped or not; of lists
            (`{"q1": ["d7"]}`) each item is relevant. Or several such files, as in `read_run`.
        columns: the file's names for our columns, as in `read_run`.
        relevance: the grade of every row, above 0, of a file in which each is a hit, such as a log
            of clicks: it has no such column, and a hit may stand in it more than once. The same
            as `columns={"relevance": 1}`.

    Returns:
        Columns `query_id` and `doc_id` (text, exactly as written) and `relevance` (int64, or
        float64 if any is a fraction; true counts 1, false 0). `.attrs` as in `read_run`.

    Raises:
        MemoryError: a file that is too big.
        DataError: what is wrong with the file, in which line and column, and what to do.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "qrels.txt")
        ...     _ = path.write_text("q1 0 D4 2\\nq1 0\\tD7  0\\n")
        ...     read_qrels(path).values.tolist()
        [['q1', 'D4', 2], ['q1', 'D7', 0]]
    """
    return read(path, QRELS, with_grade(columns, relevance))


def read_judged_run(path: Paths, *, columns: Given | None = None) -> pd.DataFrame:
    """Read one table that holds both the scores and what is relevant.

    Args:
        path: CSV, TSV, Parquet or JSON Lines, gzipped or not; or several such files, as in
            `read_run`.
        columns: the file's names for our columns, as in `read_run`.

    Returns:
        Columns `query_id`, `doc_id`, `score` and `relevance`, as in `read_run` and `read_qrels`:
        `evaluate(table, table)` evaluates it. Without a query column all rows are one query,
        called 'all', and `.attrs["notes"]` says so.

    Raises:
        MemoryError: a file that is too big.
        DataError: what is wrong with the file, in which line and column, and what to do.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "edges.csv")
        ...     _ = path.write_text("Edge;Score;In_path\\nA;0,5;true\\n")
        ...     read_judged_run(path, columns={"Edge": "doc_id"}).values.tolist()
        [['all', 'A', 0.5, 1]]
    """
    return read(path, JUDGED_RUN, columns)


@dataclass(frozen=True)
class _Part:
    """One file of a table, and where its rows stand."""

    frame: pd.DataFrame
    file: File
    columns: Columns
    place: Callable[[int], str]


def read(path: Paths, wanted: Wanted, given: Given | None) -> pd.DataFrame:
    """The wanted table out of a file, or out of several, as the readers above return it.

    Args:
        path: the file, a folder, a glob, or a list of them.
        wanted: `RUN`, `QRELS` or `JUDGED_RUN`.
        given: the user's names for our columns.

    Raises:
        DataError: as the readers.
    """
    with about(wanted, path), ExitStack() as unchanged:
        laid = [laid_out(each, wanted, given) for each in files_of(path)]
        refuse_odd({file.name: layout for file, _, layout in laid})
        for file, _, _ in laid:
            unchanged.enter_context(file.unchanged())
        parts = [_part(*each) for each in laid]
        parts = [part for part in parts if len(part.frame)] or parts[:1]
        (file, _, layout), columns = laid[0], parts[0].columns
        frame = _joined([part.frame for part in parts])
        rows = len(frame)
        if not rows:
            raise DataError(
                f"{file.name} has no rows, only {'a header' if columns.names else 'nothing'}. "
                f"Expected one row for each {'item' if wanted.scored else 'judgement'}."
            )
        if columns.grade is not None:
            frame = frame.drop_duplicates(ignore_index=True)
        elif rows <= CHECKED_FOR_REPEATS:
            _refuse_repeats(frame, parts, given)
    pa.default_memory_pool().release_unused()  # what is counted next needs the room
    notes = [note for _, _, each in laid for note in (*each.columns.notes, *each.later)]
    more = rounded(frame["score"].to_numpy()) if "score" in frame else []
    frame.attrs = {
        "file": named_shortly([file.name for file, _, _ in laid]),
        "format": layout.kind.removeprefix("a ") + (", gzipped" if file.gzipped else ""),
        "other columns": columns.others,
        "notes": [*dict.fromkeys(notes), *more, *_repeated(rows - len(frame))],
    }
    return frame


def _part(file: File, form: Format, layout: Layout) -> _Part:
    place = partial(form.place, file, layout)
    raw = form.read(file, layout)
    empty = not raw or len(next(iter(raw.values()))) == 0
    frame = pd.DataFrame() if empty else _frame(raw, layout.columns, file, place)
    return _Part(frame, file, layout.columns, place)


def _joined(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """The rows of several files; scores that are whole in all of them keep their digits."""
    if len(frames) == 1:
        return frames[0]
    if "score" in frames[0]:
        kind = shared_type([frame["score"].to_numpy() for frame in frames])
        frames = [frame.astype({"score": kind}) for frame in frames]
    return pd.concat(frames, ignore_index=True)


def _repeated(rows: int) -> list[str]:
    many = "1 row repeats" if rows == 1 else f"{rows:,} rows repeat"
    return [f"{many} a query and its item."] if rows else []


def rounded(scores: np.ndarray) -> list[str]:
    """A note if scores that differ in a file may be equal here.

    Args:
        scores: those of the table, or the largest of them.
    """
    if not may_be_rounded(scores):
        return []
    return [
        "Some scores are 2^53 or more, which is where float64 begins to skip whole numbers: two "
        "that differ may have become equal. Whole numbers of up to 64 bits are kept in full where "
        "all scores are such."
    ]


def _frame(
    raw: dict[str, pa.ChunkedArray],
    columns: Columns,
    file: File,
    place: Callable[[int], str],
) -> pd.DataFrame:
    found = {ours: Column(raw[ours], ours, columns, file.name, place) for ours in raw}
    n_rows = len(next(iter(raw.values())))
    one_query = pa.chunked_array([pa.repeat(pa.scalar("all", pa.large_string()), n_rows)])
    texts = {
        "query_id": ids(found["query_id"]) if "query_id" in found else one_query,
        "doc_id": ids(found["doc_id"]),
    }
    numbers = {}
    if "score" in found:
        numbers["score"] = scores(found["score"])
    elif "rank" in found:
        numbers["score"] = -scores(found["rank"])
    if "relevance" in found:
        numbers["relevance"] = grades(found["relevance"])
    if columns.grade is not None:
        given = np.full(n_rows, columns.grade)
        numbers["relevance"] = given.astype(np.int64) if given.dtype.kind == "i" else given
    table = pa.table(texts).to_pandas(types_mapper={pa.large_string(): TEXT}.get)
    return pd.DataFrame({**table, **numbers}, copy=False)


def _refuse_repeats(frame: pd.DataFrame, parts: Sequence[_Part], given: Given | None) -> None:
    repeated = frame.duplicated(["query_id", "doc_id"]).to_numpy()
    if not repeated.any():
        return
    second = int(repeated.argmax())
    query, doc = frame.loc[second, ["query_id", "doc_id"]]
    first = int(((frame["query_id"] == query) & (frame["doc_id"] == doc)).to_numpy().argmax())
    (part, place), (_, first_place) = _place(parts, second), _place(parts, first)
    columns = part.columns
    found = (
        f"{part.file.name}: query {shown(query)} has item {shown(doc)} twice, in {first_place} and "
        f"{place}. A query holds each item once: remove one of them."
    )
    if "query_id" in columns.positions:
        raise DataError(found)
    found += " No column says which query a row belongs to, so all were taken for one"
    others = columns.others
    if not others:
        raise DataError(f"{found}.")
    one, pass_ = ("", "pass") if len(others) == 1 else ("one of ", "pass, for example,")
    likely = {**(given or {}), others[0]: "query_id"}
    raise DataError(f"{found}: if {one}{listed(others)} does, {pass_}", columns=likely)


def _place(parts: Sequence[_Part], row: int) -> tuple[_Part, str]:
    """The file that a row stands in, and where; with its name, if there are several."""
    for part in parts:
        if row < len(part.frame):
            of = f" of {part.file.name}" * (len(parts) > 1)
            return part, part.place(row) + of
        row -= len(part.frame)
    raise IndexError(row)
