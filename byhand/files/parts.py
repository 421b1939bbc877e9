"""Read run, qrels and judged-run files into checked parts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from byhand.errors import DataError
from byhand.files.forms import Form, form_of
from byhand.files.lines import batches_of, location
from byhand.files.paths import Paths, matched
from byhand.files.values import Column, grades, ids, joined, scores
from byhand.naming import ColumnNames, TableKind
from byhand.words import N_, Message

if TYPE_CHECKING:  # slow to import, and not needed to report an error
    import pandas as pd

_TEXT = pa.large_string()


def forms_of(paths: Paths, wanted: TableKind, given: ColumnNames | None = None) -> list[Form]:
    """Return the format of each file of a table, which must be alike."""
    with errors_about(wanted, paths):
        first, *others = (form_of(each, wanted, given) for each in matched(paths))
        for other in others:
            _refuse_odd(first, other)
        return [first, *others]


@contextmanager
def errors_about(wanted: TableKind, path: object) -> Iterator[None]:
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
        raise MemoryError(
            f"There is not enough memory for {path}. Pass it to evaluate in parts: "
            f"scan(path, {wanted.kind!r}, memory='500MB')."
        ) from None


def _refuse_odd(first: Form, other: Form) -> None:
    """Refuse a file that differs from the first in its format or its columns."""
    one, odd = ({"format": form.kind, **form.columns.theirs} for form in (first, other))
    for what in one | odd:
        if one.get(what) != odd.get(what):
            theirs, ours = (
                repr(each[what]) if what in each else "no column" for each in (odd, one)
            )
            raise DataError(
                f"{other.file.name} has {theirs} as its {what}, but {first.file.name} "
                f"has {ours}. Files of one table must have the same format and "
                "columns: rewrite one of them, or pass only files that match."
            )


class Part(NamedTuple):
    """Checked rows of a file, from its row `first` on."""

    form: Form
    first: int
    ids: dict[str, pa.ChunkedArray]
    numbers: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.ids["doc_id"])

    def location(self, row: int) -> str:
        """Return the place of a row in the file."""
        return location(self.form, self.first + row)

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


def parts_of(form: Form, rows: int = 0) -> Iterator[Part]:
    """Read the checked rows of a file, about `rows` at a time or all at once; no part is empty."""
    batches, first, marks = [], 0, set() if rows else None
    with form.file.unchanged():
        for table in filter(len, batches_of(form)):
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


# ---- what is said of a whole table -------------------------------------------------------------


def no_rows(form: Form, wanted: TableKind) -> DataError:
    """Return the error for an empty table."""
    one = "item" if wanted.scored else "judgement"
    return DataError(f"{form.file.name} has no rows. Expected one for each {one}.")


def attrs_from(forms: Sequence[Form], later: Sequence[str], repeated: int) -> dict[str, object]:
    """Return the `.attrs` of a table: its files, format and other columns, and all notes."""
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
