"""Dicts and lists in memory as a frame: queries that hold items, a row for each item."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from numbers import Integral, Real
from os import PathLike
from uuid import UUID

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.naming import ColumnNames, TableKind, find_columns, known_names, names_of, plain
from byhand.tables.rows import QUERIES

# what holds several items; a text is one
LISTS = (list, tuple, np.ndarray, pd.Series, pd.Index)
HOLDS = (*LISTS, Set)
_IDS = (str, Integral, UUID)
# where objects of other libraries keep the id of what they found
_ID_OF = ("doc_id", "node_id", "id", "id_")
_LIKE = {
    "run": "Pass queries that hold items, as in {'q1': {'d7': 0.93}}, or lists, the best first, as "
    "in {'q1': ['d7', 'd2']}.",
    "qrels": "Pass queries that hold items, as in {'q1': {'d7': 1}}, or {'q1': ['d7']}.",
}


@contextmanager
def in_arguments(kind: str) -> Iterator[None]:
    """Say in a complaint about columns which argument of `evaluate` names them."""
    try:
        yield
    except DataError as error:
        error.table, error.argument = kind, f"{kind}_columns"
        raise


def is_one_run(held: object) -> bool:
    """Whether something is one run, and not several: by name, or in a list.

    Example:
        >>> is_one_run({"q1": ["d7", "d2"]}), is_one_run({"bm25": {"q1": ["d7", "d2"]}})
        (True, False)
    """
    values = held.values() if isinstance(held, Mapping) else held
    first = next(iter(values), None)
    if isinstance(first, Mapping):
        return not any(isinstance(each, (Mapping, *HOLDS)) for each in first.values())
    if not isinstance(first, HOLDS) or (isinstance(first, pd.Series) and first.index.nlevels > 1):
        return False
    inner = next(iter(first), None)
    return not isinstance(inner, LISTS) or (_is_pair(inner) and isinstance(inner[1], Real))


def frame_of_held(held: object, wanted: TableKind, columns: ColumnNames | None) -> object:
    """Return a frame of what a user holds, a row for each item; anything else as it is.

    That is query -> its items, as a dict or an object that makes a dict of itself; a list of such
    items, whose positions are the queries; named tuples; or a dict of columns.
    """
    kind = wanted.kind
    if isinstance(held, pd.Series):
        instead = f"{kind}.groupby(level=0).agg(list).to_dict() if each row is an item"
        instead += f", or {kind}.to_dict() if each is a list of items"
        if held.index.nlevels > 1:
            names = f"rename_axis(['query_id', 'doc_id']).rename({wanted.needs[2]!r})"
            instead = f"{kind}.{names}.reset_index()"
        raise DataError(f"{kind} is a Series. Pass {instead}.")
    if not isinstance(held, Mapping) and callable(getattr(held, "to_dict", None)):
        held = held.to_dict()
    if isinstance(held, Mapping):
        if _of_columns(held, columns):
            return _framed(held, wanted)
        return rows_of_lists(held.keys(), held.values(), wanted)
    held = [*held] if isinstance(held, Iterator) else held
    if not isinstance(held, list | tuple | np.ndarray):
        return held
    first = next(iter(held), None)
    if hasattr(first, "_fields"):
        return pd.DataFrame(held, columns=[*first._fields])
    if isinstance(first, Mapping) and (columns or known_names([*map(str, first)])):
        raise DataError(f"{kind} is a list of rows. Pass pd.DataFrame({kind}).")
    if _is_row(first):
        names = [*wanted.needs] if len(first) == 3 else ["query_id", "…", "doc_id", "relevance"]
        raise DataError(
            f"{kind} is a list of rows such as {shown(first)}, which do not say what they hold. "
            f"Pass pd.DataFrame({kind}, columns={names})."
        )
    if isinstance(first, str):
        raise DataError(
            f"{kind} is a list of texts, such as {shown(first)}, where each entry is taken for "
            f"what a query holds. {_LIKE[kind]} Measures come after the run and the qrels; of "
            "several files pass the folder, or a glob."
        )
    return rows_of_lists(range(len(held)), held, wanted)


def is_named(held: object, attrs: Mapping[str, str]) -> bool:
    """Whether columns say by their names what they hold; of a file what was read has `attrs`."""
    if isinstance(held, str | PathLike):
        return "JSON" not in attrs["format"] or "JSON Lines" in attrs["format"]
    if isinstance(held, Mapping):
        return _of_columns(held, None)
    if isinstance(held, list | tuple | np.ndarray):
        return hasattr(next(iter(held), None), "_fields")
    plain_dict = callable(getattr(held, "to_dict", None)) and not hasattr(held, "columns")
    return hasattr(held, "__arrow_c_stream__") or not plain_dict


def places_only(held: object) -> bool:
    """Whether something names its queries by nothing but their places."""
    if not isinstance(held, list | tuple | np.ndarray):
        return False
    first = next(iter(held), None)
    return isinstance(first, HOLDS) and not (hasattr(first, "_fields") or _is_row(first))


def _is_row(held: object) -> bool:
    """Whether something is a row of a table, with a number at its end, and no list of ids."""
    row = isinstance(held, tuple) and len(held) > 2
    return row and isinstance(held[0], str) and isinstance(held[-1], Real)


def check_places(run: object, qrels: object) -> None:
    """Refuse lists without query ids that do not belong together, and two matrices."""
    of_run, of_qrels = places_only(run), places_only(qrels)
    if of_run != of_qrels:
        name, held = ("run", run) if of_run else ("qrels", qrels)
        raise DataError(
            f"{name} is a list of {len(held)} lists, which does not say whose they are, and the "
            f"other table names its queries. Pass dict(zip(query_ids, {name}))."
        )
    if of_run and len(run) != len(qrels):
        raise DataError(
            f"run holds {len(run)} lists and qrels {len(qrels)}. Without ids, the first list of "
            "each is about the first query, and so on: pass as many, or dicts of query ids."
        )
    arrays = isinstance(run, np.ndarray) and isinstance(qrels, np.ndarray)
    if arrays and run.ndim == 2 and run.shape == qrels.shape:
        raise _matrix("run")


def _matrix(name: str) -> DataError:
    return DataError(
        f"{name} holds numbers that could be ranked ids, scores or grades. Pass ids as "
        f"[list(map(str, row)) for row in {name}], or a number for each item as {{query: "
        f"dict(enumerate(row)) for query, row in enumerate({name})}}."
    )


def _of_columns(held: Mapping, columns: ColumnNames | None) -> bool:
    """Whether a dict holds columns by their names, and not items by their queries."""
    names = [name for name in held if isinstance(name, str)]
    theirs = {*columns} - {"relevance"} if isinstance(columns, Mapping) else set()
    if len(names) < max(len(held), 1) or not all(isinstance(v, LISTS) for v in held.values()):
        return False
    return known_names(names) > 1 or (theirs and theirs <= {*names}) or "query_id" in names


def _framed(held: Mapping, wanted: TableKind) -> pd.DataFrame:
    try:
        return pd.DataFrame(held)
    except ValueError:
        lengths = ", ".join(f"{name} {len(values)}" for name, values in held.items())
        raise DataError(f"{wanted.kind}: its columns differ in length: {lengths}.") from None


# ---- queries and their items --------------------------------------------------------------------


def rows_of_lists(
    of: Iterable[object],
    lists: Iterable[object],
    wanted: TableKind,
    apart: Iterable[object] | None = None,
) -> pd.DataFrame:
    """Return a row for each item of each query; numbers may be `apart`; labels are ranks.

    Columns are made of whole lists: no step of Python is taken for an item.
    """
    queries, ids, numbers, sizes = [*of], [], [], []
    in_order, listed = [], []  # (Q,) of lists without numbers, of lists with some
    for query, items, given in zip(queries, lists, apart or [None] * len(queries), strict=True):
        found, values = _items(query, items, given, wanted)
        in_order.append(values is None)
        listed.append(not isinstance(items, Mapping))
        ids += found
        numbers += _by_place(len(found), wanted) if values is None else values
        sizes.append(len(found))
    texts = {str(query): query for query in queries}
    if wanted.scored and len(texts) < len(queries):
        _refuse_two_lists([query for query, alone in zip(queries, in_order, strict=True) if alone])
    size, place = np.array(sizes, dtype=np.intp), np.arange(len(ids))
    number = _numbers(numbers, queries, ids, size, wanted)
    rank = 1 + place - np.repeat(np.cumsum(size) - size, size)
    if wanted.scored and any(listed):
        _refuse_rising(number, rank, np.repeat(listed, size), queries, ids, size)
    columns = {"query_id": _repeated(queries, size), "doc_id": _texts(ids), wanted.needs[2]: number}
    frame = pd.DataFrame(columns)
    if (size == 0).any():
        frame.attrs[QUERIES] = texts
    return frame.set_index(pd.Index(rank, name="rank")) if any(listed) else frame


def _by_place(n: int, wanted: TableKind) -> Iterable[int]:
    """The numbers of a list without any: scores that fall, or the grade 1."""
    return range(-1, -n - 1, -1) if wanted.scored else [1] * n


def _repeated(queries: Sequence[object], size: np.ndarray) -> object:
    kinds = {*map(type, queries)}
    if kinds == {str} and len({*queries}) == len(queries):
        return pd.Categorical.from_codes(np.repeat(np.arange(len(size)), size), queries)
    if kinds == {int}:
        return np.repeat(pd.Series(queries).to_numpy(), size)
    every = np.empty(len(queries), dtype=object)
    every[:] = queries
    return np.repeat(every, size)


def _texts(ids: list[object]) -> object:
    if {*map(type, ids)} == {str}:
        import pyarrow as pa

        try:
            return pd.arrays.ArrowExtensionArray(pa.array(ids, pa.large_string()))
        except UnicodeEncodeError:  # refused with its place, as in any frame
            pass
    return pd.Series(ids)


def _numbers(
    numbers: list[object],
    queries: Sequence[object],
    ids: Sequence[object],
    size: np.ndarray,
    wanted: TableKind,
) -> np.ndarray | pd.Series:
    """Numbers as a column of them, exact; what is none is refused with its query and item."""
    kinds = {*map(type, numbers)}
    if kinds == {float}:
        return np.fromiter(numbers, float, len(numbers))
    odd = (str, bytes, Mapping, *HOLDS, type(None))
    if any(issubclass(kind, odd) for kind in kinds):
        row = next(row for row, number in enumerate(numbers) if isinstance(number, odd))
        query = queries[np.repeat(np.arange(len(size)), size)[row]]
        number, item, column = numbers[row], ids[row], wanted.needs[2]
        said = f"{wanted.kind}: query {shown(query)} holds {shown(number)} for item {shown(item)}"
        if isinstance(number, (Mapping, *HOLDS)):
            raise DataError(
                f"{said}, where its {column} belongs. {_LIKE[wanted.kind]} If {shown(query)} is "
                "the name of a run, pass what it holds."
            )
        instead = "Pass 0 if it is not relevant, or leave it out if it is not judged."
        instead = f"Pass a {column} for it." if wanted.scored else instead
        raise DataError(f"{said}, and a {column} is a finite number. {instead}")
    try:
        return pd.Series(numbers, dtype=float if kinds == {int, float} else None)
    except OverflowError:  # a whole number beyond every float
        return pd.Series(numbers, dtype=object)


def _items(
    query: object, items: object, numbers: object, wanted: TableKind
) -> tuple[Iterable[object], Iterable[object] | None]:
    """The items of a query, the best first, and the number of each; None for numbers of places."""
    if isinstance(items, Mapping):
        return items.keys(), items.values()
    where = f"{wanted.kind}: query {shown(query)}"
    if isinstance(items, Set):
        if wanted.scored:
            raise DataError(
                f"{where} holds a {type(items).__name__}, which does not say which item comes "
                "first. Pass a list of items, the best first."
            )
        items = sorted(items, key=str)
    if isinstance(items, str) and not wanted.scored:
        items = [items]
    if not isinstance(items, LISTS):
        raise DataError(
            f"{where} holds a {type(items).__name__}, where its items belong. {_LIKE[wanted.kind]}"
        )
    found = items.tolist() if isinstance(items, np.ndarray) else [*items]
    if numbers is None:
        found, numbers = _with_numbers(where, found, wanted)
    elif not isinstance(numbers, LISTS):
        raise DataError(f"{where} holds one number beside a list of items. Pass a list of numbers.")
    elif len(numbers) != len(found):
        raise DataError(
            f"{where} holds {len(found)} items and {len(numbers)} numbers for them. Pass one "
            "number for each item."
        )
    if numbers is None and not wanted.scored:
        try:
            found = [*dict.fromkeys(found)]  # to say twice that it is relevant says no more
        except TypeError:
            odd = next(each for each in found if not isinstance(each, _IDS))
            raise _no_item(where, odd, wanted) from None
    return found, numbers


def _with_numbers(where: str, items: list, wanted: TableKind) -> tuple[list, list | None]:
    """Items of a list, and their numbers, if the list has them: as pairs, or as dicts."""
    first = next(iter(items), None)
    if isinstance(first, Mapping):
        _refuse_others(where, items, lambda each: isinstance(each, Mapping), "dicts")
        doc, number, falls = _keys_of(where, first, wanted)
        numbers = [each.get(number) for each in items]
        return [each.get(doc) for each in items], negated(numbers) if falls else numbers
    if _is_pair(first) and isinstance(first[1], Real):
        if isinstance(first[0], _IDS):
            _refuse_others(where, items, _is_pair, "pairs")
            return [item for item, _ in items], [number for _, number in items]
        raise _object(where, first[0], "({0}, number) for each, number in items")
    if isinstance(first, Real) and not isinstance(first, Integral):
        raise _matrix(wanted.kind)
    if first is None or isinstance(first, _IDS):
        return items, None
    if isinstance(first, HOLDS):
        raise _no_item(where, first, wanted)
    scored = wanted.scored and hasattr(first, "score")
    raise _object(where, first, ("({0}, each.score)" if scored else "{0}") + " for each in items")


def _keys_of(where: str, first: Mapping, wanted: TableKind) -> tuple[object, object, bool]:
    """Under which keys a dict of one item has its id and its number, and whether that is a rank."""
    names = {str(each): each for each in first}
    ids = [each for each in names if plain(each) in ("id", "nodeid")]
    known = any(plain(each) in names_of("doc_id") for each in names)
    given = {} if known else dict.fromkeys(ids[:1], "doc_id")
    of_items = replace(wanted, needs=wanted.needs[1:])
    theirs = find_columns([*names], of_items, given, f"{where}: an item").theirs
    doc, number = (names[theirs[ours]] for ours in theirs if ours != "query_id")
    return doc, number, "rank" in theirs


def _is_pair(item: object) -> bool:
    """Whether something may be an item and its number."""
    return isinstance(item, list | tuple) and len(item) == 2


def negated(ranks: Sequence[object]) -> list:
    """Scores of ranks; what is no number stays what it is, and is refused with all such."""
    return [-rank if isinstance(rank, Real) else rank for rank in ranks]


# ---- what is refused ----------------------------------------------------------------------------


def _refuse_others(
    where: str, items: Sequence[object], fits: Callable[[object], bool], kind: str
) -> None:
    for each in items:
        if not fits(each):
            raise DataError(f"{where} holds {kind}, and {shown(each)}. Pass {kind} only.")


def _no_item(where: str, item: object, wanted: TableKind) -> DataError:
    return DataError(f"{where} holds {shown(item)} where an item belongs. {_LIKE[wanted.kind]}")


def _refuse_two_lists(queries: Sequence[object]) -> None:
    many = Counter(map(str, queries))
    twice = [each for each in queries if many[str(each)] > 1]
    if twice:
        raise DataError(
            f"run: query {shown(twice[0])} has two lists of items without scores, which do not say "
            "how the items of one rank beside those of the other. Pass one list for each query, "
            "the best first."
        )


def _refuse_rising(
    score: np.ndarray | pd.Series,
    rank: np.ndarray,
    listed: np.ndarray,
    queries: Sequence[object],
    ids: Sequence[object],
    size: np.ndarray,
) -> None:
    """Refuse a list whose scores say the opposite of its order, as distances do."""
    score = np.asarray(score)
    if score.dtype.kind not in "iuf":
        return
    rises = listed[1:] & (rank[1:] > 1) & (score[1:] > score[:-1])
    if not rises.any():
        return
    row = int(rises.argmax())
    query = queries[np.repeat(np.arange(len(size)), size)[row]]
    (a, b), (low, high) = map(shown, ids[row : row + 2]), map(shown, score[row : row + 2])
    raise DataError(
        f"run: query {shown(query)} lists {a} ({low}) before {b} ({high}), and a higher score is "
        f"better. If these are distances, or the list is in the right order, pass the items "
        f"alone: {{'q1': [{a}, …]}}. If the scores are right, pass a dict of them: "
        f"{{'q1': {{{a}: {low}, …}}}}."
    )


def _object(where: str, item: object, how: str) -> DataError:
    """What to say of an item that is something of another library's."""
    name = next((f".{name}" for name in _ID_OF if getattr(item, name, None) is not None), "")
    metadata = getattr(item, "metadata", None)
    if not name and isinstance(metadata, Mapping):
        keys = [key for key in metadata if plain(str(key)) in ("id", *names_of("doc_id"))]
        name = f".metadata[{[*keys, *metadata, 'id'][0]!r}]"
    return DataError(
        f"{where} holds a {type(item).__name__}, and an item is known by its id. Pass "
        f"[{how.format('each' + (name or '.id'))}]."
    )
