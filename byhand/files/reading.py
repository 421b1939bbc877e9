"""Read files into checked parts: first the format of each file, then its rows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from byhand.errors import DataError, shown
from byhand.files.forms import Form, form_of
from byhand.files.lines import Passed, place, tables
from byhand.files.paths import Paths, matched
from byhand.files.values import Column, grades, ids, joined, scores
from byhand.naming import ColumnNames, TableKind

if TYPE_CHECKING:  # slow to import, and not needed to report an error
    import pandas as pd

_TEXT = pa.large_string()


def forms_of(paths: Paths, wanted: TableKind, given: ColumnNames | None = None) -> list[Form]:
    """Return the format of each file of a table, which must be alike."""
    with about(wanted, paths):
        first, *others = (form_of(each, wanted, given) for each in matched(paths))
        for other in others:
            _refuse_odd(first, other)
        return [first, *others]


@contextmanager
def about(wanted: TableKind, path: object) -> Iterator[None]:
    """Add to errors which table they are about, and which file needs too much memory."""
    try:
        yield
    except DataError as error:
        error.table = wanted.table
        raise
    except (MemoryError, pa.ArrowException) as error:
        # the error for a thread that cannot start has no subclass
        if not (isinstance(error, MemoryError) or type(error) is pa.ArrowException):
            raise
        raise MemoryError(f"There is not enough memory for {path}.") from None


@contextmanager
def saying_both(path: object) -> Iterator[None]:
    """Add to errors that the file was passed both as the run and as the qrels."""
    try:
        yield
    except DataError as error:
        problem = f"{path} is named as the run and as the qrels, so it has to say both."
        error.message = f"{problem} {error.message}"
        raise


def _refuse_odd(first: Form, other: Form) -> None:
    """Refuse a file that differs from the first in its format, columns or types."""
    name, one = other.file.name, first.file.name
    if other.kind != first.kind:
        raise DataError(
            f"{name} is {other.kind}, where {one} is {first.kind}. Files of one table have one "
            "format: pass those that belong together."
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
                "again."
            )


class Part(NamedTuple):
    """Checked rows of a file, from its row `first` on."""

    form: Form
    first: int
    ids: dict[str, pa.ChunkedArray]
    numbers: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.ids["doc_id"])

    def place(self, row: int) -> str:
        """Return the place of a row in the file."""
        return place(self.form, self.first + row)

    def frame(self) -> "pd.DataFrame":
        """Return the rows as a frame, without a copy of Arrow's text."""
        import pandas as pd

        texts = pa.table(self.ids).to_pandas(types_mapper={_TEXT: _text_type()}.get)
        # copied if read-only, as Arrow's memory is: users may write to the frame
        own = {name: np.require(each, requirements="W") for name, each in self.numbers.items()}
        return pd.DataFrame({**texts, **own}, copy=False)


@cache
def _text_type() -> object:
    """Return the Arrow-backed text type of pandas; None without pyarrow support."""
    import pandas as pd

    try:
        if int(pd.__version__.split(".")[0]) >= 3:
            return pd.StringDtype("pyarrow", na_value=np.nan)
        return pd.StringDtype("pyarrow")
    except ImportError:
        return None


def parts_of(form: Form, rows: int = 0, passed: Passed | None = None) -> Iterator[Part]:
    """Read the checked rows of a file, about `rows` at a time or all at once; no part is empty."""
    batches, first, marks = [], 0, set() if rows else None
    for table in filter(len, tables(form, Passed() if passed is None else passed)):
        batches.append(table)
        if rows and (n_rows := sum(map(len, batches))) >= rows:
            yield _part(form, batches, first, marks)
            batches, first = [], first + n_rows
    if batches:
        yield _part(form, batches, first, marks)


def _part(form: Form, batches: Sequence[pa.Table], first: int, marks: set[str] | None) -> Part:
    raw, n_rows = joined(batches), sum(map(len, batches))
    found = {ours: Column(each, ours, form, first, marks) for ours, each in raw.items()}
    if "query_id" in found:
        queries = ids(found["query_id"])
    else:
        queries = pa.chunked_array([pa.repeat(pa.scalar("all", _TEXT), n_rows)])
    if "doc_id" in found:
        items = ids(found["doc_id"])
    else:  # each row is an item; its id is its number
        items = pa.chunked_array([pa.array(np.arange(first, first + n_rows) + 1).cast(_TEXT)])
    numbers = {}
    if "score" in found:
        numbers["score"] = scores(found["score"])
    elif "rank" in found:
        numbers["score"] = -scores(found["rank"])
    if "relevance" in found:
        numbers["relevance"] = grades(found["relevance"], all_judged=not numbers)
    if form.columns.grade is not None:
        numbers["relevance"] = np.full(n_rows, form.columns.grade)
    return Part(form, first, {"query_id": queries, "doc_id": items}, numbers)
