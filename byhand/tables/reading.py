"""Read run, qrels and judged-run files into one frame."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import pandas as pd
import pyarrow as pa

from byhand.duplicates import KEEP_ONE, Duplicates
from byhand.errors import DataError, shown
from byhand.files.forms import TREC, Form
from byhand.files.lines import notes_of, values_at
from byhand.files.parts import Part, attrs_from, errors_about, forms_of, no_rows, parts_of
from byhand.files.paths import Paths
from byhand.naming import (
    JUDGED_RUN,
    NAME,
    QRELS,
    RUN,
    ColumnNames,
    TableKind,
    plain,
    with_grade,
)
from byhand.tables.counting import without_repeats
from byhand.tables.qrels import Qrels, graded
from byhand.tables.rows import Rows
from byhand.words import N_, Message

_CHECKED_FOR_REPEATS = 1_000_000
# plain names of columns that identify the system of a row
_SYSTEMS = {"system", "run", "runid", "runname", "runtag", "tag", "model", "method", "retriever"}


def read_run(
    path: Paths, *, columns: ColumnNames | None = None, duplicates: Duplicates | None = None
) -> pd.DataFrame:
    """Read a run: one row for each retrieved item.

    Args:
        path: A TREC run, CSV, TSV, Parquet or JSON Lines file, or nested JSON with scores, as in
            ranx, BEIR and pytrec_eval (`{"q1": {"d7": 0.93}}`), or with lists, best item first
            (`{"q1": ["d7", "d2"]}`). The content decides the format, not the name; files may be
            gzipped. Also a folder, a glob such as `"runs/*.parquet"`, or a list of files with one
            format and equal columns and types.
        columns: A mapping from the file's column names to ours, such as
            `{"TestTriple": "query_id"}`. Columns without names are counted from 0. By default,
            usual names are recognised.
        duplicates: The row to keep if several have the same query and item: `"first"`, or `"best"`
            for the one with the highest score. None (the default) raises a DataError.

    Returns:
        The columns `query_id` and `doc_id` (text, exactly as written) and `score`, with the rows in
        the order of the file. Scores are float64; if a file has ranks and no scores, the score is
        minus the rank.
        `.attrs` contains the `file`, its `format`, the unread `other columns`, and `notes` on
        how the file was read.

    Raises:
        DataError: If the file is invalid; the message states the line, the column and the fix.
            Tables of up to a million rows are checked for repeated (query, item) pairs. In longer
            ones, `evaluate` and `preflight` find them without a second pass.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "run.csv")
        ...     _ = path.write_text("qid,docno,rank\\n007,NA,2\\n")
        ...     read_run(path).values.tolist()
        [['007', 'NA', -2.0]]
    """
    return without_repeats(read_table(path, RUN, columns, duplicates), duplicates)


def read_qrels(
    path: Paths, *, columns: ColumnNames | None = None, relevance: float | None = None
) -> pd.DataFrame:
    """Read relevance judgements: one row for each judgement.

    Args:
        path: A file of TREC qrels, CSV, TSV, Parquet, JSON Lines or nested JSON, possibly gzipped.
            In lists (`{"q1": ["d7"]}`) each item is relevant. Also several files, as in `read_run`.
        columns: A mapping from the file's column names to ours, as in `read_run`.
        relevance: A grade above 0 for every row of a file without grades, in which each row is a
            hit, such as a click log. A hit may then be repeated. `relevance=1` equals
            `columns={"relevance": 1}`. By default grades are read from the file.

    Returns:
        The columns `query_id` and `doc_id` (text, exactly as written) and `relevance` (int64, or
        float64 if any grade is a fraction; true is 1, false is 0). `.attrs` is as in `read_run`.

    Raises:
        DataError: If the file is invalid; the message states the line, the column and the fix.

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
) -> pd.DataFrame:
    """Read a judged run: one table with both scores and relevance.

    Args:
        path: A CSV, TSV, Parquet or JSON Lines file, possibly gzipped, or several, as in
            `read_run`.
        columns: A mapping from the file's column names to ours, as in `read_run`.
        duplicates: The row to keep if several have the same query and item, as in `read_run`. If
            their relevance differs, a DataError is raised.

    Returns:
        The columns `query_id`, `doc_id`, `score` and `relevance`, as in `read_run` and
        `read_qrels`. `evaluate(table, table)` evaluates it. Without a query column, all rows are
        one query, called 'all', and `.attrs["notes"]` reports it.

    Raises:
        DataError: If the file is invalid; the message states the line, the column and the fix.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "edges.csv")
        ...     _ = path.write_text("Edge;Score;In_path\\nA;0,5;true\\n")
        ...     read_judged_run(path, columns={"Edge": "doc_id"}).values.tolist()
        [['all', 'A', 0.5, 1]]
    """
    frame = read_table(path, JUDGED_RUN, columns, duplicates)
    if duplicates is not None:
        Qrels.of(graded(frame)).once()
    return without_repeats(frame, duplicates)


def read_table(
    path: Paths, wanted: TableKind, given: ColumnNames | None, duplicates: Duplicates | None = None
) -> pd.DataFrame:
    """Read a table of one of the three kinds into memory; with `duplicates`, rows may repeat."""
    with errors_about(wanted, path):
        forms = forms_of(path, wanted, given)
        parts = [part for form in forms for part in parts_of(form)]
        if not parts:
            raise no_rows(forms[0], wanted)
        later = [note for form in forms for note in notes_of(form)]
        frames = [part.frame() for part in parts]
        frame = pd.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0]
        rows = len(frame)
        if forms[0].columns.grade is not None:
            frame = frame.drop_duplicates(ignore_index=True)
        elif rows <= _CHECKED_FOR_REPEATS and duplicates is None:
            Rows.of(frame).unrepeated(partial(_twice, parts, frame))
    pa.default_memory_pool().release_unused()  # free memory for counting
    if "score" in frame:
        later += _tied(forms[0], parts[0])
    frame.attrs = attrs_from(forms, later, rows - len(frame))
    return frame


def _tied(form: Form, part: Part) -> list[str]:
    """Return a note if all scores are equal and a column of ranks could order the items."""
    numbers, names = part.numbers["score"], form.columns.names
    position = next((at for at, name in enumerate(names) if plain(name) == "rank"), None)
    if "rank" in form.columns.positions or position is None or len(numbers) < 2:
        return []
    if (numbers != numbers[0]).any() or len({*_other_values(form, position, [0, 1])}) < 2:
        return []
    trec = names == TREC["run"]
    mapping = {0: "query_id", 2: "doc_id", 3: "rank"} if trec else {names[position]: "rank"}
    message = N_("All scores are equal. To rank by the ranks in the file, pass columns={way}.")
    return [Message(message, way=mapping)]


def _twice(parts: Sequence[Part], frame: pd.DataFrame, first: int, second: int) -> DataError:
    """Return the error for two rows of one (query, item) pair, with both places."""
    (part, place, row), (other, first_place, first_row) = _at(parts, second), _at(parts, first)
    query, doc = map(shown, frame.loc[second, ["query_id", "doc_id"]])
    text = f"{part.form.file.name}: query {query} has item {doc} twice, in {first_place} and "
    text += f"{place}."
    if part is other and (why := _why_twice(part.form, first_row, row)):
        return DataError(f"{text} {why}")
    if "query_id" not in part.form.columns.positions:
        text += " No column contains the query, so all rows were read as one query."
        advice = "Remove one of the rows, or, with your column in place of NAME,"
        return DataError(f"{text} {advice}", columns={NAME: "query_id"})
    chunks = "score" in part.numbers and part is other  # two files may be two systems
    return DataError(
        f"{text} Each item must appear once per query: "
        f"{KEEP_ONE if chunks else 'remove one of them'}."
    )


def _why_twice(form: Form, first: int, second: int) -> str:
    """Explain two rows of a pair by another column that differs: a system or a subtopic."""
    names = form.columns.names
    telling = {"iteration"} if names == TREC["qrels"] else _SYSTEMS
    for position in (at for at, name in enumerate(names) if plain(name) in telling):
        one, other = _other_values(form, position, [first, second])
        if one != other and telling is _SYSTEMS:
            return (
                f"Column {names[position]!r} contains {shown(one)} and {shown(other)}: the file "
                "contains several systems. Write the rows of each system to a file of its own."
            )
        if one != other:
            return (
                f"Their second column contains {one} and {other}: subtopics, as in the diversity "
                "qrels of ndeval, which measures such as alpha-nDCG and ERR-IA need. No measure "
                "here uses subtopics: for graded relevance, write one line for each query and "
                "item, with its highest grade."
            )
    return ""


def _other_values(form: Form, position: int, rows: Sequence[int]) -> list[str]:
    """Return the values of another column in two rows; equal ones if it cannot be read."""
    with suppress(DataError, pa.ArrowException, IndexError):
        return values_at(form, position, rows)
    return ["", ""]


def _at(parts: Sequence[Part], row: int) -> tuple[Part, str, int]:
    """Return the part that contains a row, its place in words, and its position in the file."""
    for part in parts:
        if row < len(part):
            suffix = f" of {part.form.file.name}" * (len(parts) > 1)
            return part, part.location(row) + suffix, part.first + row
        row -= len(part)
    raise IndexError(row)
