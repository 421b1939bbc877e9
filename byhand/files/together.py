"""Runs and their judgements, read together: all of them held in memory, or none."""

from collections.abc import Mapping, Sequence
from functools import partial
from os import PathLike, fspath

import pandas as pd

from byhand.errors import DataError
from byhand.files.header import check_files, columns_of
from byhand.files.memory import MEMORY
from byhand.files.read import read_judged_run, read_qrels, read_run
from byhand.files.scan import Scan, is_large, scan_judged_run, scan_qrels, scan_run

FilePath = str | PathLike[str]
Table = pd.DataFrame | Scan


def read_together(
    runs: Sequence[FilePath],
    qrels: FilePath | None = None,
    *,
    run_columns: Mapping[object, object] | None = None,
    qrels_columns: Mapping[object, str] | None = None,
    memory: str = MEMORY,
) -> tuple[list[Table], Table]:
    """Read runs and what is relevant in them.

    Where memory would not hold the files of one of them, all are scanned: nothing is read whole.

    Args:
        runs: files, folders or globs.
        qrels: such a path; None if the first of the runs says what is relevant.
        run_columns: the runs' names for our columns, such as `{"Edge": "doc_id"}`; where they
            differ, each file's under its path or name: `{"old.csv": {"Item": "doc_id"}}`.
        qrels_columns: the same for the qrels.
        memory: how much memory there is.

    Returns:
        The runs, and the judgements, which are the first run itself if that says so.

    Raises:
        DataError: a file that cannot be used, and why.
    """
    of_run, of_qrels, of_judged = read_run, read_qrels, read_judged_run
    if any(is_large(path, memory) for path in (*runs, qrels) if path is not None):
        scans = scan_run, scan_qrels, scan_judged_run
        of_run, of_qrels, of_judged = (partial(scan, memory=memory) for scan in scans)
    check_files(run_columns, runs)
    named = {fspath(path): columns_of(run_columns, path) for path in runs}
    tables = []
    for path in runs:
        of = of_judged if qrels is None and not tables else of_run
        try:
            tables.append(of(path, columns=named[fspath(path)]))
        except DataError as error:
            if len(runs) > 1:
                error.file = fspath(path)
                if not error.ways and named[error.file]:
                    named_apart = f"run_columns={{{error.file!r}: {{…: …}}}}"
                    raise DataError(
                        f"{error} Where the runs differ, name the columns of each: {named_apart}.",
                        table=error.table,
                    ) from None
            raise
    judged = tables[0] if qrels is None else of_qrels(qrels, columns=qrels_columns)
    return tables, judged
