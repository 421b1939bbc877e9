"""Files into tables: runs, qrels and judged runs, in every format that they come in."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from byhand.column_map import ColumnNames, with_grade
from byhand.columns import JUDGED_RUN, QRELS, RUN, TableKind, quoted
from byhand.duplicates import HAS_TWICE, KEPT, Duplicates, left_out
from byhand.errors import DataError, shown
from byhand.files.formats import about, table_files
from byhand.files.parts import Part, parts_of
from byhand.files.paths import Paths
from byhand.files.table_file import TableFile
from byhand.files.values import rounded, shared_type
from byhand.hashes import arrow_hashes, mix
from byhand.words import N_, Message

if TYPE_CHECKING:  # a complaint about a column does not wait for it
    import pandas as pd

_CHECKED_FOR_REPEATS = 1_000_000


def read_run(
    path: Paths, *, columns: ColumnNames | None = None, duplicates: Duplicates | None = None
) -> "pd.DataFrame":
    """Read what a system ranked: one row a retrieved item.

    Args:
        path: a TREC run, CSV, TSV, Parquet or JSON Lines file, or nested JSON as of ranx, BEIR and
            pytrec_eval (`{"q1": {"d7": 0.93}}`) or of lists (`{"q1": ["d7", "d2"]}`, the best
            first), gzipped or not; the content tells which, not the name. Or a folder, a glob such
            as `"runs/*.parquet"`, or a list of files, all with the same format, columns and types.
        columns: the file's names for our columns, where it has its own, such as
            `{"TestTriple": "query_id"}`; for a file without names their positions from 0.
        duplicates: which row stays where several have one query and item, as in `evaluate`.

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
    return _read(path, RUN, columns, duplicates)


def read_qrels(
    path: Paths, *, columns: ColumnNames | None = None, relevance: float | None = None
) -> "pd.DataFrame":
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
    return _read(path, QRELS, with_grade(columns, relevance))


def read_judged_run(
    path: Paths, *, columns: ColumnNames | None = None, duplicates: Duplicates | None = None
) -> "pd.DataFrame":
    """Read one table that holds both the scores and what is relevant.

    Args:
        path: CSV, TSV, Parquet or JSON Lines, gzipped or not; or several such files, as in
            `read_run`.
        columns: the file's names for our columns, as in `read_run`.
        duplicates: which of repeated rows stays, as in `read_run`, if their relevance is the same.

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
    return _read(path, JUDGED_RUN, columns, duplicates)


def _once(frame: "pd.DataFrame", duplicates: Duplicates) -> "pd.DataFrame":
    """One row of each query and item, and in `.attrs` how many others there were."""
    pair, attrs = ["query_id", "doc_id"], frame.attrs
    if "relevance" in frame:
        odd = frame.duplicated(pair) & ~frame.duplicated([*pair, "relevance"])
        if odd.any():
            query, doc = frame.loc[odd.idxmax(), pair]
            raise DataError(
                "{file}: query {query} has item {doc} twice, with another relevance. Only you "
                "can tell which is right: keep that one.",
                [attrs["file"], shown(query), shown(doc)],
            )
    rows = frame
    if duplicates == "best":
        rows = frame.sort_values("score", ascending=False, kind="stable")
    repeated = rows.duplicated(pair).sort_index()
    left = int(repeated.sum())
    frame = frame[~repeated].reset_index(drop=True)
    notes = [*attrs["notes"], *left_out(left, duplicates)]
    frame.attrs = {**attrs, "notes": notes, "repeated": left}
    return frame


def _read(
    path: Paths, wanted: TableKind, given: ColumnNames | None, duplicates: Duplicates | None = None
) -> "pd.DataFrame":
    with about(wanted, path), ExitStack() as unchanged:
        sources = table_files(path, wanted, given)
        for source in sources:
            unchanged.enter_context(source.file.unchanged())
        parts = [part for source in sources for part in parts_of(source)]
        if not parts:
            raise no_rows(sources[0], wanted)
        frame = _joined([part.frame for part in parts])
        rows = len(frame)
        if sources[0].columns.grade is not None:
            frame = frame.drop_duplicates(ignore_index=True)
        elif rows <= _CHECKED_FOR_REPEATS and duplicates is None:
            refuse_repeats(frame, parts, given)
    pa.default_memory_pool().release_unused()  # what is counted next needs the room
    scores = [frame["score"].to_numpy()] if "score" in frame else []
    frame.attrs = attrs_from(sources, scores, rows - len(frame))
    return frame if duplicates is None else _once(frame, duplicates)


def _joined(frames: Sequence["pd.DataFrame"]) -> "pd.DataFrame":
    """The rows of several files; scores that are whole in all of them keep their digits."""
    import pandas as pd

    if len(frames) == 1:
        return frames[0]
    if "score" in frames[0]:
        kind = shared_type([frame["score"].to_numpy() for frame in frames])
        frames = [frame.astype({"score": kind}) for frame in frames]
    return pd.concat(frames, ignore_index=True)


def no_rows(source: TableFile, wanted: TableKind) -> DataError:
    """What to say of a table that is empty."""
    only = N_("{file} has no rows, only a header. Expected one row for each {one}.")
    nothing = N_("{file} has no rows, only nothing. Expected one row for each {one}.")
    one = Message("item") if wanted.scored else Message("judgement")
    return DataError(only if source.columns.names else nothing, [source.file.name, one])


def attrs_from(
    sources: Sequence[TableFile], scores: Sequence[np.ndarray], repeated: int
) -> dict[str, object]:
    """What a table says of the files that it came from."""
    first = sources[0]
    notes = [note for each in sources for note in (*each.columns.notes, *each.later)]
    notes = [*dict.fromkeys(notes), *rounded(scores)]
    if repeated:
        one = N_("1 row repeats a query and its item.")
        many = N_("{n:,} rows repeat a query and its item.")
        notes.append(Message(one if repeated == 1 else many, n=repeated))
    return {
        "file": first.file.name + (f" and {len(sources) - 1:,} more" if len(sources) > 1 else ""),
        "format": first.kind.removeprefix("a ") + (", gzipped" if first.file.gzipped else ""),
        "other columns": first.columns.others,
        "notes": notes,
    }


def refuse_repeats(frame: "pd.DataFrame", parts: Sequence[Part], given: ColumnNames | None) -> None:
    """Complain about a (query, item) that stands in a table twice, and say where."""
    if not _may_repeat(frame):
        return
    repeated = frame.duplicated(["query_id", "doc_id"]).to_numpy()
    if not repeated.any():
        return
    second = int(repeated.argmax())
    query, doc = frame.loc[second, ["query_id", "doc_id"]]
    first = int(((frame["query_id"] == query) & (frame["doc_id"] == doc)).to_numpy().argmax())
    (part, place), (other, first_place) = _place(parts, second), _place(parts, first)
    columns, file = part.source.columns, part.source.file
    where = Message("in {first} and {second}", first=first_place, second=place)
    twice = [file.name, shown(query), shown(doc), where]
    if "query_id" in columns.positions:
        chunks = "score" in frame and part is other  # of two files, it may be two systems
        mend = KEPT if chunks else Message("remove one of them")
        raise DataError(HAS_TWICE, [*twice, mend])
    alone = N_(
        "remove one of them. No column says which query a row belongs to, so all were taken for one"
    )
    if not (others := columns.others):
        raise DataError(HAS_TWICE, [*twice, Message(alone)])
    one = N_(
        "{name}: query {query} has item {doc} twice, {where}. A query holds each item once: remove "
        "one of them. No column says which query a row belongs to, so all were taken for one: if "
        "{others} does,"
    )
    many = N_(
        "{name}: query {query} has item {doc} twice, {where}. A query holds each item once: remove "
        "one of them. No column says which query a row belongs to, so all were taken for one: if "
        "one of {others} does, name it like this:"
    )
    way = {**(given or {}), others[0]: "query_id"}
    raise DataError(many if others[1:] else one, [*twice, quoted(others)], columns=way)


def _may_repeat(frame: "pd.DataFrame") -> bool:
    """Whether two rows share a key; where none do, which is found sooner, none share their ids."""
    query, doc = (_keys(frame[name]) for name in ("query_id", "doc_id"))
    keys = mix(mix(query) + doc)
    keys.sort()
    return bool((keys[1:] == keys[:-1]).any())


def _keys(texts: "pd.Series") -> np.ndarray:
    found = pa.array(texts.array)
    chunks = found.chunks if isinstance(found, pa.ChunkedArray) else [found]
    return np.concatenate([arrow_hashes(each.cast(pa.large_string())) for each in chunks])


def _place(parts: Sequence[Part], row: int) -> tuple[Part, str]:
    """The part that a row is in, and where; with the name of its file, if there are several."""
    for part in parts:
        if row < len(part.frame):
            place = part.place(row)
            if len(parts) > 1:
                of = N_("{place} of {file}")
                place = Message(of, place=place, file=part.source.file.name)
            return part, place
        row -= len(part.frame)
    raise IndexError(row)
