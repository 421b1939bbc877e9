"""Files into tables: runs, qrels and judged runs, in every format that they come in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike

import numpy as np
import pandas as pd
import pyarrow as pa

from helpers.errors import DataError
from helpers.files.columns import (
    JUDGED_RUN,
    QRELS,
    RUN,
    Columns,
    Wanted,
    check_mapping,
    listed,
)
from helpers.files.delimited import read_delimited
from helpers.files.delimited import row_place as delimited_place
from helpers.files.file import File
from helpers.files.json_lines import json_columns, looks_like_json, read_json
from helpers.files.json_lines import row_place as json_place
from helpers.files.layout import layout_of
from helpers.files.parquet import ParquetFile
from helpers.files.parquet import row_place as parquet_place
from helpers.files.values import Column, grades, ids, scores
from helpers.tables.columns import Pairs, pair_keys
from helpers.tables.ids import id_column

CHECKED_FOR_REPEATS = 1_000_000
_NEW = int(pd.__version__.split(".")[0]) >= 3
TEXT = pd.StringDtype("pyarrow", na_value=np.nan) if _NEW else pd.StringDtype("pyarrow")


def read_run(
    path: str | PathLike[str], *, columns: Mapping[object, str] | None = None
) -> pd.DataFrame:
    """Read what a system ranked: one row a retrieved item.

    Args:
        path: a TREC run, CSV, TSV, Parquet or JSON Lines file, gzipped or not; the content tells
            which, not the name.
        columns: the file's names for our columns, where it has its own, such as
            `{"TestTriple": "query_id"}`; for a file without names their positions from 0.

    Returns:
        Columns `query_id` and `doc_id` (text, exactly as written) and `score` (float64), rows as
        in the file. A file with ranks and no scores gets minus the rank as its score. `.attrs`
        says the `file`, its `format`, the `other columns`, which were not read, and `notes` on
        what was decided.

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
    return _read(path, RUN, columns)


def read_qrels(
    path: str | PathLike[str], *, columns: Mapping[object, str] | None = None
) -> pd.DataFrame:
    """Read what is relevant: one row a judgement.

    Args:
        path: TREC qrels, CSV, TSV, Parquet or JSON Lines, gzipped or not.
        columns: the file's names for our columns, as in `read_run`.

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
    return _read(path, QRELS, columns)


def read_judged_run(
    path: str | PathLike[str], *, columns: Mapping[object, str] | None = None
) -> pd.DataFrame:
    """Read one table that holds both the scores and what is relevant.

    Args:
        path: CSV, TSV, Parquet or JSON Lines, gzipped or not.
        columns: the file's names for our columns, as in `read_run`.

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
    return _read(path, JUDGED_RUN, columns)


def _read(
    path: str | PathLike[str], wanted: Wanted, given: Mapping[object, str] | None
) -> pd.DataFrame:
    mapping = check_mapping(given)
    file = File.at(path)
    kind, columns, raw, place = _parsed(file, wanted, mapping)
    if not raw or len(next(iter(raw.values()))) == 0:
        raise DataError(
            f"{file.name} has no rows, only {'a header' if columns.names else 'nothing'}. "
            f"Expected one row for each {'item' if wanted.scored else 'judgement'}."
        )
    frame = _frame(raw, columns, file, place)
    if len(frame) <= CHECKED_FOR_REPEATS:
        _refuse_repeats(frame, columns, file, place)
    frame.attrs = {
        "file": file.name,
        "format": kind.removeprefix("a ") + (", gzipped" if file.gzipped else ""),
        "other columns": columns.others,
        "notes": list(columns.notes),
    }
    return frame


def _parsed(
    file: File, wanted: Wanted, given: dict[object, str]
) -> tuple[str, Columns, dict[str, pa.ChunkedArray], Callable[[int], str]]:
    """The format, our columns in it, their values, and where a row stands."""
    if file.is_parquet:
        parquet = ParquetFile(file, wanted, given)
        return "Parquet", parquet.columns, parquet.read(), parquet_place
    if looks_like_json(file):
        columns = json_columns(file, wanted, given)
        return "JSON Lines", columns, read_json(file, columns), json_place(file)
    layout = layout_of(file, wanted, given)
    place = delimited_place(file, layout)
    return layout.kind, layout.columns, read_delimited(file, layout), place


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
    table = pa.table(texts).to_pandas(types_mapper={pa.large_string(): TEXT}.get)
    return pd.DataFrame({**table, **numbers}, copy=False)


@dataclass(frozen=True)
class _PairsOfFile(Pairs):
    """The ids of a file, which knows the lines that its rows stand in."""

    place: Callable[[int], str]

    def _places(self, first: int, second: int) -> str:
        lines = self.place(first), self.place(second)
        if lines[0].startswith("row"):
            return f"{first} and {second} (counted from 0)"
        return f"{first} and {second} of the table ({lines[0]} and {lines[1]} of the file)"


def _refuse_repeats(
    frame: pd.DataFrame, columns: Columns, file: File, place: Callable[[int], str]
) -> None:
    query, doc = (id_column(frame[name], what=name) for name in ("query_id", "doc_id"))
    table = _PairsOfFile(file.name, query, doc, frame.index, place)
    try:
        table.refuse_repeats(pair_keys(query.keys(0, len(frame)), doc.keys(0, len(frame))))
    except DataError as error:
        if "query_id" in columns.positions:
            raise
        raise DataError(
            f"{error} No column says which query a row belongs to, so all were taken for one: if "
            f"one of {listed(columns.others)} does, pass columns={{'its name': 'query_id'}}."
        ) from None
