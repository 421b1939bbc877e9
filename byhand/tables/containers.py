"""Convert dicts and lists in memory to frames: columns, or queries with their items."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Real

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.files.items import HOLDS, LIKE, LISTS, in_order, is_pair, items_of
from byhand.naming import ColumnNames, TableKind, known_names
from byhand.tables.rows import QUERIES

# key in `attrs` of a frame made from queries and their items: its numbers had no name
UNNAMED = "unnamed"
_NO_NUMBERS = (str, bytes, Mapping, *HOLDS, type(None))


@contextmanager
def in_arguments(kind: str) -> Iterator[None]:
    """Add the argument of `evaluate` that maps the columns to errors about them."""
    try:
        yield
    except DataError as error:
        error.table, error.argument = kind, f"{kind}_columns"
        raise


def is_one_run(data: object) -> bool:
    """Test whether an object is one run, and not several by name or in a list.

    Example:
        >>> is_one_run({"q1": ["d7", "d2"]}), is_one_run({"bm25": {"q1": ["d7", "d2"]}})
        (True, False)
    """
    values = data.values() if isinstance(data, Mapping) else data
    first = next(iter(values), None)
    if isinstance(first, Mapping):
        return not any(isinstance(each, (Mapping, *HOLDS)) for each in first.values())
    if not isinstance(first, HOLDS) or (isinstance(first, pd.Series) and first.index.nlevels > 1):
        return False
    inner = next(iter(first), None)
    return not isinstance(inner, LISTS) or (is_pair(inner) and isinstance(inner[1], Real))


def frame_of_containers(data: object, wanted: TableKind, columns: ColumnNames | None) -> object:
    """Convert an object in memory to a frame with a row for each item; return others unchanged.

    The object is a mapping from queries to items (a dict, or an object with `to_dict`), a dict of
    columns, a list with the items of each query, or a list of named tuples.
    """
    kind = wanted.kind
    if not isinstance(data, Mapping | pd.Series) and callable(getattr(data, "to_dict", None)):
        data = data.to_dict()
    if isinstance(data, Mapping):
        if _holds_columns(data, columns):
            return _framed(data, wanted)
        return _unnamed(rows_of_lists(data.keys(), data.values(), wanted))
    data = [*data] if isinstance(data, Iterator) else data
    if not isinstance(data, list | tuple | np.ndarray):
        return data
    first = next(iter(data), None)
    if hasattr(first, "_fields"):
        return pd.DataFrame(data, columns=[*first._fields])
    row = isinstance(first, Mapping) and (columns or known_names([*map(str, first)]))
    if row or isinstance(first, str):
        raise DataError(
            f"{kind} is a list of entries such as {shown(first)}, not a list with the items of "
            f"each query. {LIKE[kind]} If they are rows, pass pd.DataFrame({kind})."
        )
    return _unnamed(rows_of_lists(range(len(data)), data, wanted))


def _unnamed(frame: pd.DataFrame) -> pd.DataFrame:
    frame.attrs[UNNAMED] = True
    return frame


def check_positions(run: object, qrels: object) -> None:
    """Refuse lists without query ids that do not match, and two arrays of the same shape."""
    of_run, of_qrels = _without_query_ids(run), _without_query_ids(qrels)
    if of_run != of_qrels:
        name = "run" if of_run else "qrels"
        raise DataError(
            f"{name} is a list without query ids, but the other table has query ids. Pass "
            f"dict(zip(query_ids, {name}))."
        )
    if of_run and len(run) != len(qrels):
        raise DataError(
            f"run and qrels differ in their number of lists: {len(run)} and {len(qrels)}. Lists "
            "without query ids are matched by position. Pass the same number of lists, or dicts "
            "keyed by query id."
        )
    arrays = isinstance(run, np.ndarray) and isinstance(qrels, np.ndarray)
    if arrays and run.ndim == 2 and run.shape == qrels.shape:
        raise DataError(
            "run and qrels are arrays of the same shape, whose numbers could be ids, scores or "
            "grades. If they are ids, pass run.tolist() and qrels.tolist(). If they are scores and "
            "grades, pass {query: dict(enumerate(row)) for query, row in enumerate(run)}, and the "
            "same for qrels."
        )


def _without_query_ids(data: object) -> bool:
    """Test whether an object identifies its queries only by position."""
    if not isinstance(data, list | tuple | np.ndarray):
        return False
    first = next(iter(data), None)
    return isinstance(first, HOLDS) and not hasattr(first, "_fields")


def _holds_columns(data: Mapping, columns: ColumnNames | None) -> bool:
    """Test whether a dict contains columns by name, and not items by query."""
    names = [name for name in data if isinstance(name, str)]
    theirs = {*columns} - {"relevance"} if isinstance(columns, Mapping) else set()
    if len(names) < max(len(data), 1) or not all(isinstance(v, LISTS) for v in data.values()):
        return False
    return known_names(names) > 1 or (theirs and theirs <= {*names}) or "query_id" in names


def _framed(data: Mapping, wanted: TableKind) -> pd.DataFrame:
    try:
        return pd.DataFrame(data)
    except ValueError:
        lengths = ", ".join(f"{name} {len(values)}" for name, values in data.items())
        raise DataError(
            f"{wanted.kind}: its columns differ in length: {lengths}. Pass columns of equal length."
        ) from None


# ---- lists of items -----------------------------------------------------------------------------


def rows_of_lists(
    of: Iterable[object],
    lists: Iterable[object],
    wanted: TableKind,
    apart: Iterable[object] | None = None,
) -> pd.DataFrame:
    """Return a row for each item of each query, labelled by rank; `apart` are lists of numbers.

    Columns are built from whole lists, without a Python loop over items.
    """
    queries, ids, numbers, sizes = [*of], [], [], []
    unscored, listed = [], []  # (Q,) True without numbers; True for lists, not dicts
    for query, items, given in zip(queries, lists, apart or [None] * len(queries), strict=True):
        where = f"{wanted.kind}: query {shown(query)}"
        found, values = items_of(where, items, given, wanted)
        unscored.append(values is None)
        listed.append(not isinstance(items, Mapping))
        values = in_order(len(found), wanted) if values is None else values
        ids += found
        numbers += values
        sizes.append(len(found))
    texts = {str(query): query for query in queries}
    alone = Counter(str(query) for query, alone in zip(queries, unscored, strict=True) if alone)
    if wanted.scored and alone and (most := alone.most_common(1)[0])[1] > 1:
        raise DataError(
            f"run: query {most[0]!r} has two lists of items without scores, so the order of all "
            "its items is unknown. Pass one list for each query, best first."
        )
    size, place = np.array(sizes, dtype=np.intp), np.arange(len(ids))
    query = np.repeat(np.arange(len(size)), size)
    rank = 1 + place - np.repeat(np.cumsum(size) - size, size)

    def row(at: int) -> tuple[object, object, object]:
        return queries[query[at]], ids[at], numbers[at]

    number = _numbers(numbers, row, wanted)
    if wanted.scored and any(listed) and np.asarray(number).dtype.kind in "iuf":
        score = np.asarray(number)
        rises = np.repeat(listed, size)[1:] & (rank[1:] > 1) & (score[1:] > score[:-1])
        if rises.any():
            raise _rising(row(int(rises.argmax())), row(int(rises.argmax()) + 1))
    columns = {"query_id": _repeated(queries, query), "doc_id": _texts(ids)}
    frame = pd.DataFrame(columns | {wanted.needs[2]: number})
    if (size == 0).any():
        frame.attrs[QUERIES] = texts
    return frame.set_index(pd.Index(rank, name="rank")) if any(listed) else frame


def _repeated(queries: Sequence[object], place: np.ndarray) -> object:
    if {*map(type, queries)} == {str} and len({*queries}) == len(queries):
        return pd.Categorical.from_codes(place, queries)
    every = np.empty(len(queries), dtype=object)
    every[:] = queries
    return pd.Series(every).infer_objects().to_numpy()[place]


def _texts(ids: list[object]) -> object:
    if {*map(type, ids)} == {str}:
        import pyarrow as pa

        try:
            return pd.arrays.ArrowExtensionArray(pa.array(ids, pa.large_string()))
        except UnicodeEncodeError:  # refused later, with its place
            pass
    return pd.Series(ids)


def _numbers(
    numbers: list[object], row: Callable[[int], tuple], wanted: TableKind
) -> np.ndarray | pd.Series:
    """Return exact numbers as a column; refuse other values with their query and item."""
    kinds = {*map(type, numbers)}
    if kinds == {float}:
        return np.fromiter(numbers, float, len(numbers))
    if any(issubclass(kind, _NO_NUMBERS) for kind in kinds):
        at = next(at for at, number in enumerate(numbers) if isinstance(number, _NO_NUMBERS))
        query, item, number = map(shown, row(at))
        column = wanted.needs[2]
        problem = f"{wanted.kind}: query {query} has {number} for item {item}"
        if isinstance(numbers[at], (Mapping, *HOLDS)):
            raise DataError(
                f"{problem} instead of a {column}. {LIKE[wanted.kind]} If {query} is the name of "
                "a run, pass only its contents."
            )
        instead = "Pass 0 if it is not relevant, or leave it out if it is not judged."
        instead = f"Pass a {column} for it." if wanted.scored else instead
        raise DataError(f"{problem}, but a {column} must be a finite number. {instead}")
    try:
        return pd.Series(numbers, dtype=float if kinds == {int, float} else None)
    except OverflowError:  # a whole number too large for float
        return pd.Series(numbers, dtype=object)


def _rising(first: Sequence[object], second: Sequence[object]) -> DataError:
    """Return the error for a list whose scores contradict its order, as distances do."""
    (query, a, low), (_, b, high) = (map(shown, each) for each in (first, second))
    return DataError(
        f"run: query {query} lists {a} ({low}) before {b} ({high}), but a higher score is better. "
        "If these are distances, or the list is in the right order, pass the items alone: {'q1': "
        f"[{a}, …]}}. If the scores are right, pass a dict of them: {{'q1': {{{a}: {low}, …}}}}."
    )
