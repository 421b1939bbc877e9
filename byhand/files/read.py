"""Read run, qrels and judged-run files of every supported format into data frames."""

from typing import TYPE_CHECKING

from byhand.duplicates import Duplicates
from byhand.files.paths import Paths
from byhand.files.reading import read_table
from byhand.naming import JUDGED_RUN, QRELS, RUN, ColumnNames, with_grade

if TYPE_CHECKING:  # slow to import, and not needed to report an error
    import pandas as pd


def read_run(
    path: Paths, *, columns: ColumnNames | None = None, duplicates: Duplicates | None = None
) -> "pd.DataFrame":
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
        duplicates: The row to keep if several have the same query and item: `"first"` or `"best"`.
            None (the default) raises a DataError.

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
    return read_table(path, RUN, columns, duplicates)


def read_qrels(
    path: Paths, *, columns: ColumnNames | None = None, relevance: float | None = None
) -> "pd.DataFrame":
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
) -> "pd.DataFrame":
    """Read a judged run: one table with both scores and relevance.

    Args:
        path: A CSV, TSV, Parquet or JSON Lines file, possibly gzipped, or several, as in
            `read_run`.
        columns: A mapping from the file's column names to ours, as in `read_run`.
        duplicates: The row to keep of repeated ones, as in `read_run`, if their relevance is equal.

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
    return read_table(path, JUDGED_RUN, columns, duplicates)
