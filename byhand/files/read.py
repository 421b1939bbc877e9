"""Files into tables: runs, qrels and judged runs, in every format that they come in."""

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from byhand.duplicates import KEPT, Duplicates, left_out
from byhand.errors import DataError, shown
from byhand.files.forms import TREC, Form
from byhand.files.lines import Passed, notes_of, values_at
from byhand.files.paths import Paths
from byhand.files.reading import Part, about, forms_of, parts_of
from byhand.files.values import rounded
from byhand.hashes import arrow_hashes, mix
from byhand.naming import (
    JUDGED_RUN,
    QRELS,
    RUN,
    ColumnNames,
    TableKind,
    plain,
    with_grade,
)
from byhand.words import N_, Message

if TYPE_CHECKING:  # a complaint about a column does not wait for it
    import pandas as pd

_CHECKED_FOR_REPEATS = 1_000_000
# what a column is called that says which system a row is of
_SYSTEMS = {"system", "run", "runid", "runname", "runtag", "tag", "model", "method", "retriever"}


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
    return read_table(path, RUN, columns, duplicates)


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
    return read_table(path, QRELS, with_grade(columns, relevance))


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
    return read_table(path, JUDGED_RUN, columns, duplicates)


def read_table(
    path: Paths, wanted: TableKind, given: ColumnNames | None, duplicates: Duplicates | None = None
) -> "pd.DataFrame":
    """Read a table of one of the three kinds into memory."""
    import pandas as pd

    with about(wanted, path), ExitStack() as unchanged:
        forms, later = forms_of(path, wanted, given), []
        parts: list[Part] = []
        for form in forms:
            unchanged.enter_context(form.file.unchanged())
            parts += parts_of(form, passed=(passed := Passed()))
            later += notes_of(passed)
        if not parts:
            raise no_rows(forms[0], wanted)
        if wanted.scored:
            kind = np.result_type(*(part.numbers["score"] for part in parts))
            for part in parts:
                part.numbers["score"] = part.numbers["score"].astype(kind, copy=False)
        frames = [part.frame() for part in parts]
        frame = pd.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0]
        rows = len(frame)
        if forms[0].columns.grade is not None:
            frame = frame.drop_duplicates(ignore_index=True)
        elif rows <= _CHECKED_FOR_REPEATS and duplicates is None:
            refuse_repeats(parts)
    pa.default_memory_pool().release_unused()  # what is counted next needs the room
    if "score" in frame:
        later += [*rounded(frame["score"].to_numpy()), *tied(forms[0], parts[0])]
    frame.attrs = attrs_from(forms, later, rows - len(frame))
    return frame if duplicates is None else _once(frame, duplicates)


def _once(frame: "pd.DataFrame", duplicates: Duplicates) -> "pd.DataFrame":
    """One row of each query and item, and in `.attrs` how many others there were."""
    pair, attrs = ["query_id", "doc_id"], frame.attrs
    if "relevance" in frame:
        odd = frame.duplicated(pair) & ~frame.duplicated([*pair, "relevance"])
        if odd.any():
            query, doc = map(shown, frame.loc[odd.idxmax(), pair])
            raise DataError(
                f"{attrs['file']}: query {query} has item {doc} twice, with another relevance. "
                "Only you can tell which is right: keep that one."
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


def no_rows(form: Form, wanted: TableKind) -> DataError:
    """What to say of a table that is empty."""
    only = "a header" if form.columns.names else "nothing"
    one = "item" if wanted.scored else "judgement"
    return DataError(f"{form.file.name} has no rows, only {only}. Expected one row for each {one}.")


def attrs_from(forms: Sequence[Form], later: Sequence[str], repeated: int) -> dict[str, object]:
    """What a table says of the files that it came from, with what was noted while reading."""
    first = forms[0]
    notes = [*dict.fromkeys([*(note for form in forms for note in form.columns.notes), *later])]
    if repeated:
        one = N_("1 row repeats a query and its item.")
        many = N_("{n:,} rows repeat a query and its item.")
        notes.append(Message(one if repeated == 1 else many, n=repeated))
    return {
        "file": first.file.name + (f" and {len(forms) - 1:,} more" if len(forms) > 1 else ""),
        "format": first.kind + (", gzipped" if first.file.gzipped else ""),
        "other columns": first.columns.others,
        "notes": notes,
    }


def tied(form: Form, part: Part) -> list[str]:
    """A note if all scores are equal and a column of ranks could order the items."""
    numbers, names = part.numbers["score"], form.columns.names
    position = next((at for at, name in enumerate(names) if plain(name) == "rank"), None)
    if "rank" in form.columns.positions or position is None or len(numbers) < 2:
        return []
    if (numbers != numbers[0]).any() or len({*_others(form, position, [0, 1])}) < 2:
        return []
    trec = names == TREC["run"]
    way = {0: "query_id", 2: "doc_id", 3: "rank"} if trec else {names[position]: "rank"}
    message = N_("All scores are equal. To rank by the ranks in the file, pass columns={way}.")
    return [Message(message, way=way)]


def refuse_repeats(parts: Sequence[Part]) -> None:
    """Complain about a (query, item) that a table has twice, and say where."""
    if not _may_repeat(parts):
        return
    import pandas as pd

    frame = pd.concat([part.frame()[["query_id", "doc_id"]] for part in parts], ignore_index=True)
    repeated = frame.duplicated().to_numpy()
    if not repeated.any():
        return
    second = int(repeated.argmax())
    query, doc = frame.loc[second]
    first = int(((frame["query_id"] == query) & (frame["doc_id"] == doc)).to_numpy().argmax())
    (part, place, row), (other, first_place, first_row) = _at(parts, second), _at(parts, first)
    form = part.form
    said = f"{form.file.name}: query {shown(query)} has item {shown(doc)} twice, in {first_place} "
    said += f"and {place}."
    if part is other and (why := _why_twice(form, first_row, row)):
        raise DataError(f"{said} {why}")
    if "query_id" not in form.columns.positions:
        said += " No column says which query a row belongs to, so all were taken for one."
        raise DataError(f"{said} Pass columns= to say which does, or remove one of the rows.")
    chunks = "score" in part.numbers and part is other  # of two files, it may be two systems
    raise DataError(
        f"{said} A query holds each item once: {KEPT if chunks else 'remove one of them'}."
    )


def _why_twice(form: Form, first: int, second: int) -> str:
    """What two rows of a query and its item are, if another column tells them apart."""
    names = form.columns.names
    telling = {"iteration"} if names == TREC["qrels"] else _SYSTEMS
    for position in (at for at, name in enumerate(names) if plain(name) in telling):
        one, other = _others(form, position, [first, second])
        if one != other and telling is _SYSTEMS:
            return (
                f"Column {names[position]!r} holds {shown(one)} and {shown(other)}: the file holds "
                "several systems. Write the rows of each system into a file of its own."
            )
        if one != other:
            return (
                f"Their second column holds {one} and {other}: subtopics, as in the diversity "
                "qrels of ndeval, which measures such as alpha-nDCG and ERR-IA need. No measure "
                "here uses subtopics: for graded relevance, write one line for each query and "
                "item, with its highest grade."
            )
    return ""


def _others(form: Form, position: int, rows: Sequence[int]) -> list[str]:
    """What another column holds in two rows; the same if it cannot be told."""
    with suppress(DataError, pa.ArrowException, IndexError):
        return values_at(form, position, rows)
    return ["", ""]


def _may_repeat(parts: Sequence[Part]) -> bool:
    """Whether two rows share a key; where none do, which is found sooner, none share their ids."""

    def keys(texts: pa.ChunkedArray) -> np.ndarray:
        return np.concatenate([arrow_hashes(each) for each in texts.chunks])

    found = [mix(mix(keys(part.ids["query_id"])) + keys(part.ids["doc_id"])) for part in parts]
    every = np.sort(np.concatenate(found))
    return bool((every[1:] == every[:-1]).any())


def _at(parts: Sequence[Part], row: int) -> tuple[Part, str, int]:
    """The part that a row is in, and where; with the name of its file, if there are several."""
    for part in parts:
        if row < len(part):
            of = f" of {part.form.file.name}" * (len(parts) > 1)
            return part, part.place(row) + of, part.first + row
        row -= len(part)
    raise IndexError(row)
