"""Expand lists of items, in cells or by query, into a row for each item."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, repeat

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from byhand.errors import DataError
from byhand.files import jsons
from byhand.files.forms import Form
from byhand.files.opening import LIMITS
from byhand.naming import QRELS, RUN
from byhand.words import N_

NO_SCORES = N_(
    "There are no scores: score is minus the position of an item in the list of its query."
)
NO_GRADES = N_("There are no grades: each item that a query lists is relevant, with relevance 1.")


def batches_of(form: Form) -> Iterator[pa.Table]:
    """Yield our columns with a row for each item, some rows at a time."""
    lists: list[tuple[str, Mapping[str, object]]] = []
    rows = 0
    for where, cells in _lists(form):
        lists.append((where, _expanded(form, f"{form.file.name}, {where}", cells)))
        rows += len(lists[-1][1]["doc_id"])
        if rows >= LIMITS.rows:
            yield _table(form, lists)
            lists, rows = [], 0
    if rows:
        yield _table(form, lists)


def location(form: Form, row: int) -> str:
    """Return the place of an item, such as "item 2 of query 'q1'"; slow, so only for messages."""
    for where, cells in _lists(form):
        if row < len(cells["doc_id"]):
            return f"item {row + 1} of {where}"
        row -= len(cells["doc_id"])
    raise IndexError(row)


def _lists(form: Form) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the place and our cells of each list of items."""
    if form.kind in ("nested JSON", "JSON lists"):
        judged = "relevance" in form.columns.names
        yield from jsons.queries(form.file, listed=bool(form.columns.listed), judged=judged)
    elif form.kind == "Parquet":
        from byhand.files import parquet

        parts = parquet.batches_of(form.file, form.columns.positions, few=True)
        for n, cells in enumerate(cells for part in parts for cells in part.to_pylist()):
            yield f"row {n} (counted from 0)", cells
    else:
        yield from jsons.objects(form.file, form.records, form.columns.theirs)


def _expanded(form: Form, where: str, cells: Mapping[str, object]) -> dict[str, object]:
    """Return the cells of a row, with the numbers that its list of items contains."""
    items, number = cells["doc_id"], form.columns.listed
    if not isinstance(items, list):
        raise DataError(
            f"{where}: the list of items is missing. Write an empty list for a query without items."
        )
    from byhand.files.items import in_order, items_of, uneven

    if number:
        wanted = QRELS if number == "relevance" else RUN
        items, numbers = items_of(where, items, None, wanted)
        if numbers is None:
            form.noted[NO_SCORES if wanted.scored else NO_GRADES] += len(items)
            numbers = in_order(len(items), wanted)
        cells = {**cells, "doc_id": items, number: numbers}
    for ours, value in cells.items():
        if isinstance(value, list) and len(value) != len(items):
            raise uneven(where, ours)
    return cells


def _table(form: Form, lists: Sequence[tuple[str, Mapping[str, object]]]) -> pa.Table:
    """Return a row for each item; a cell without a list is of all items of its row."""
    sizes = [len(cells["doc_id"]) for _, cells in lists]

    def where(row: int) -> str:
        ends = np.cumsum(sizes)
        at = int(np.searchsorted(ends, row, side="right"))
        return f"{form.file.name}, item {row - ends[at] + sizes[at] + 1} of {lists[at][0]}"

    columns = {}
    for ours in lists[0][1]:
        each = zip((cells[ours] for _, cells in lists), sizes, strict=True)
        values = chain.from_iterable(v if isinstance(v, list) else repeat(v, n) for v, n in each)
        columns[ours] = _array(form, ours, [*values], where)
    if form.kind in ("nested JSON", "JSON lists") and "relevance" in columns:
        _refuse_fractions(form, columns["relevance"])
    return pa.table(columns)


def _array(form: Form, ours: str, values: list, where: Callable[[int], str]) -> pa.Array:
    """Return ids as text, and numbers as they are."""
    if not ours.endswith("_id"):
        return jsons.array(values)
    kinds = {*map(type, values)}
    if odd := kinds - {str, int, type(None)}:
        row = next(n for n, each in enumerate(values) if type(each) in odd)
        raise jsons.not_an_id(f"{where(row)}, {form.columns.named(ours)}", values[row])
    if int in kinds:
        values = [str(each) if type(each) is int else each for each in values]
    try:
        return pa.array(values, pa.large_string())
    except UnicodeEncodeError as error:
        raise jsons.half_a_character(form.file.name, error.object) from None


def _refuse_fractions(form: Form, grades: pa.Array) -> None:
    """Refuse scores in nested qrels, whose grades are whole numbers."""
    if not pa.types.is_floating(grades.type):
        return
    whole = pc.fill_null(pc.equal(pc.floor(grades), grades), True)
    if odd := grades.filter(pc.and_(pc.invert(whole), pc.is_finite(grades))):
        raise DataError(
            f"{form.file.name} contains {odd[0].as_py()!r}, which looks like a score: grades in "
            "such a file must be whole numbers. Is it a run? Were the two files swapped? For "
            "fractional grades, write a table with the columns query_id, doc_id, relevance."
        )
