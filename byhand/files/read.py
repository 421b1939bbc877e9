"""Files into tables: runs, qrels and judged runs, in every format that they come in."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from byhand.column_map import ColumnNames, check_mapping, with_grade
from byhand.columns import JUDGED_RUN, QRELS, RUN, TableKind, quoted
from byhand.duplicates import KEPT, Duplicates, left_out
from byhand.errors import DataError, shown
from byhand.files.delimited import Delimited
from byhand.files.file import File
from byhand.files.head import Head
from byhand.files.json import JsonLines, NestedJson
from byhand.files.parquet import Parquet
from byhand.files.paths import Paths, matched, passed_over
from byhand.files.table_file import TableFile
from byhand.files.trec import Trec
from byhand.files.values import Column, grades, ids, joined, rounded, scores, shared_type
from byhand.words import N_, Message

if TYPE_CHECKING:  # a complaint about a column does not wait for it
    import pandas as pd

CHECKED_FOR_REPEATS = 1_000_000


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
                f"{attrs['file']}: query {shown(query)} has item {shown(doc)} twice, with another "
                "relevance. Only you can tell which is right: keep that one."
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
        elif rows <= CHECKED_FOR_REPEATS and duplicates is None:
            refuse_repeats(frame, parts, given)
    pa.default_memory_pool().release_unused()  # what is counted next needs the room
    scores = [frame["score"].to_numpy()] if "score" in frame else []
    frame.attrs = attrs_from(sources, scores, rows - len(frame))
    return frame if duplicates is None else _once(frame, duplicates)


class Part(NamedTuple):
    """Rows of a file, from its row `first` on."""

    frame: "pd.DataFrame"
    source: TableFile
    first: int

    def place(self, row: int) -> str:
        """Where a row of the frame stands in the file."""
        return self.source.place(self.first + row)


def parts_of(source: TableFile, rows: int = 0) -> Iterator[Part]:
    """The rows of a file, about so many at a time, or all at once. No part is empty."""
    held, first, marks = [], 0, set() if rows else None
    for table in filter(len, source.tables()):
        held.append(table)
        if rows and (many := sum(map(len, held))) >= rows:
            yield _part(source, held, first, marks)
            held, first = [], first + many
    if held:
        yield _part(source, held, first, marks)


def _part(
    source: TableFile, tables: Sequence[pa.Table], first: int, marks: set[str] | None
) -> Part:
    import pandas as pd

    raw = joined(tables)
    found = {ours: Column(each, ours, source, first, marks) for ours, each in raw.items()}
    n_rows = sum(map(len, tables))
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
    if source.columns.grade is not None:
        given = np.full(n_rows, source.columns.grade)
        numbers["relevance"] = given.astype(np.int64) if given.dtype.kind == "i" else given
    table = pa.table(texts).to_pandas(types_mapper={pa.large_string(): _text_type()}.get)
    # its owner may write to it, and Arrow's memory is read-only
    own = {name: np.require(each, requirements="W") for name, each in numbers.items()}
    return Part(pd.DataFrame({**table, **own}, copy=False), source, first)


@cache
def _text_type() -> object:
    """What pandas has for text of Arrow; nothing where it came without, as in a browser."""
    import pandas as pd

    try:
        if int(pd.__version__.split(".")[0]) >= 3:
            return pd.StringDtype("pyarrow", na_value=np.nan)
        return pd.StringDtype("pyarrow")
    except ImportError:
        return None


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
    what = "a header" if source.columns.names else "nothing"
    one = "item" if wanted.scored else "judgement"
    return DataError(
        f"{source.file.name} has no rows, only {what}. Expected one row for each {one}."
    )


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
    repeated = frame.duplicated(["query_id", "doc_id"]).to_numpy()
    if not repeated.any():
        return
    second = int(repeated.argmax())
    query, doc = frame.loc[second, ["query_id", "doc_id"]]
    first = int(((frame["query_id"] == query) & (frame["doc_id"] == doc)).to_numpy().argmax())
    (part, place), (other, first_place) = _place(parts, second), _place(parts, first)
    columns, file = part.source.columns, part.source.file
    found = (
        f"{file.name}: query {shown(query)} has item {shown(doc)} twice, in {first_place} and "
        f"{place}. A query holds each item once: "
    )
    if "query_id" in columns.positions:
        chunks = "score" in frame and part is other  # of two files, it may be two systems
        mend = KEPT if chunks else "remove one of them"
        raise DataError(f"{found}{mend}.")
    found += (
        "remove one of them. No column says which query a row belongs to, so all were taken for one"
    )
    others = columns.others
    if not others:
        raise DataError(f"{found}.")
    one, does = ("", "does,") if len(others) == 1 else ("one of ", "does, name it like this:")
    likely = {**(given or {}), others[0]: "query_id"}
    raise DataError(f"{found}: if {one}{quoted(others)} {does}", columns=likely)


def _place(parts: Sequence[Part], row: int) -> tuple[Part, str]:
    """The part that a row is in, and where; with the name of its file, if there are several."""
    for part in parts:
        if row < len(part.frame):
            of = f" of {part.source.file.name}" * (len(parts) > 1)
            return part, part.place(row) + of
        row -= len(part.frame)
    raise IndexError(row)


# asked in this order; the last takes any text
FORMATS: tuple[type[TableFile], ...] = (Parquet, NestedJson, JsonLines, Trec, Delimited)


def table_file(
    path: str | PathLike[str],
    wanted: TableKind,
    given: ColumnNames | None = None,
    formats: Sequence[type[TableFile]] = (),
) -> TableFile:
    """What a look at its beginning tells of a file: all that can be said before it is read."""
    mapping, head = check_mapping(given), Head(File.at(path))
    for form in formats or FORMATS:
        if source := form.of(head, wanted, mapping):
            return source
    raise DataError(f"{head.file.name} {head.file.no_table or 'holds no table known here.'}")


def table_files(
    paths: Paths, wanted: TableKind, given: ColumnNames | None = None
) -> list[TableFile]:
    """What a look at its beginning tells of each file that paths stand for, which are alike."""
    with about(wanted, paths):
        first, *others = (table_file(each, wanted, given) for each in matched(paths))
        for other in others:
            _refuse_odd(first, other)
        if left := passed_over(paths):
            one = N_("A file begins with a dot or an underscore and is passed over: {file}.")
            many = N_(
                "{n:,} files begin with a dot or an underscore and are passed over, such as {file}."
            )
            note = Message(one if len(left) == 1 else many, n=len(left), file=Path(left[0]).name)
            notes = (*first.columns.notes, note)
            first = replace(first, columns=replace(first.columns, notes=notes))
        return [first, *others]


@contextmanager
def about(wanted: TableKind, path: object) -> Iterator[None]:
    """Let errors know which table they are about, and which file needs too much memory."""
    try:
        yield
    except DataError as error:
        error.table = wanted.table
        raise
    except (MemoryError, pa.ArrowException) as error:
        # where a thread cannot be started, it is of no kind
        if not (isinstance(error, MemoryError) or type(error) is pa.ArrowException):
            raise
        raise MemoryError(f"There is not enough memory for {path}.") from None


@contextmanager
def saying_both(path: object) -> Iterator[None]:
    """Say in complaints about a file that it was named as the run and as the qrels."""
    try:
        yield
    except DataError as error:
        found = DataError(
            f"{path} is named as the run and as the qrels, so it has to say both. {error.message}",
            columns=error.ways,
            table=error.table,
            missing=error.missing,
        )
        found.file = error.file
        raise found from None


def _refuse_odd(first: TableFile, other: TableFile) -> None:
    """Complain about a file that has another format, other columns or other types than another."""
    name, one = other.file.name, first.file.name
    if other.kind != first.kind:
        raise DataError(
            f"{name} is {other.kind}, where {one} is {first.kind}. Files of one table have one "
            "format: name those that belong together."
        )
    for ours in {**first.columns.theirs, **other.columns.theirs}:
        names = [each.columns.theirs.get(ours) for each in (other, first)]
        if names[0] != names[1]:
            found, expected = (shown(name) if name else "nothing" for name in names)
            raise DataError(
                f"{name} has {found} for {ours}, where {one} has {expected}. Files of one table "
                "have the same columns: rename those of one of them."
            )
        if (kind := other.stored(ours)) != first.stored(ours):
            raise DataError(
                f"{name} holds {kind} in {other.columns.named(ours)}, where {one} holds "
                f"{first.stored(ours)}. Files of one table have the same types: write one of them "
                "anew."
            )
