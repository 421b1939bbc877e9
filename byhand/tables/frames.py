"""The one door in: whatever a user holds for a run or for qrels becomes one checked thing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np
import pandas as pd

from byhand.columns import OURS, type_of
from byhand.errors import DataError, shown
from byhand.files.unread import Scan
from byhand.parallel import blocks, in_threads
from byhand.tables.columns import IN_ARROW, is_ranked, require_columns
from byhand.tables.counting import Qrels, Rows, Run, no_number
from byhand.tables.engines import engine_of, home_of
from byhand.tables.ids import id_column, of_dictionary
from byhand.tables.lazy import LazyQrels, LazyRun, Repeats
from byhand.tables.lazy_columns import LazyTable

if TYPE_CHECKING:
    import pyarrow

# what `.attrs` say of a frame that is a view of a table that no pandas function changes
_OF_ARROW = {"of": "arrow"}
_SOME = 100  # rows, which tell what type of values the columns hold


@dataclass(frozen=True)
class Judgements(Rows):
    """Checked qrels in memory: ids that are there and not repeated, finite grades (N,)."""

    relevance: np.ndarray
    number: ClassVar[str] = "relevance"
    _wanted: dict[tuple[float, bool], Qrels] = field(default_factory=dict, repr=False)

    def wanted(self, lowest: float, run: Run | LazyRun | None = None) -> Qrels:
        """The judged queries, and the items of at least this grade.

        Args:
            lowest: the grade.
            run: where they will be looked for; their rows are known if the same table says both.
        """
        known = isinstance(run, Run) and run.doc is self.doc
        if (lowest, known) not in self._wanted:
            row = np.flatnonzero(self.relevance >= lowest)
            doc, place = (row[:0], row) if known else (self.doc.text(row), None)
            grade = self.relevance[row].astype(float)
            found = Qrels(self.query_ids, self.query[row], doc, grade, place)
            self._wanted[lowest, known] = found
        return self._wanted[lowest, known]


def tables_of(
    run: object, qrels: object, *, repeats: Repeats = "all"
) -> tuple[Run | LazyRun, Judgements | LazyQrels]:
    """A run and qrels, checked; of one table that says both the ids are looked at once.

    Args:
        run, qrels: as for `run_of` and `qrels_of`.
        repeats: where to look for repeats in a run that lives in an engine.

    Raises:
        DataError, ValueError: as `run_of` and `qrels_of`.

    Example:
        >>> run, qrels = tables_of({"q": {"a": 0.5}}, {"q": {"a": 1}})
        >>> len(run), qrels.relevance.tolist()
        (1, [1])
    """
    run, qrels = frames_of(run, qrels)
    checked = run_of(run, repeats=repeats)
    return checked, qrels_of(qrels, run=checked if run is qrels else None)


def several_of(
    runs: Mapping[str, object], qrels: object, *, repeats: Repeats = "all"
) -> tuple[dict[str, Run | LazyRun], Judgements | LazyQrels]:
    """Runs by name and their qrels, which may be one of them, checked as by `tables_of`.

    Raises:
        DataError: as `tables_of`, with the name of the run.
    """
    checked, same = {}, None
    for name, run in runs.items():
        try:
            frame = frame_of(run, "score")
            checked[name] = run_of(frame, repeats=repeats)
        except DataError as error:
            raise DataError(f"Evaluating runs[{shown(name)}]: {error}") from None
        if run is qrels:
            qrels, same = frame, checked[name]
    return checked, qrels_of(qrels, run=same)


def run_of(table: object, *, repeats: Repeats = "all") -> Run | LazyRun:
    """A checked run.

    Args:
        table: a frame with `query_id`, `doc_id` and `score`, or with `rank`, for minus the rank;
            what `frame_of` makes one of; a table in an engine; or a checked run.
        repeats: where to look for repeats in a run that lives in an engine.

    Raises:
        DataError: a missing column, a missing id, a score that is no finite number.
        ValueError: an unknown search for repeats.
    """
    if repeats not in get_args(Repeats):
        raise ValueError(f"repeats={repeats!r} is not an option; choose from 'all', 'hits'.")
    if isinstance(table, Run | LazyRun):
        return table
    lazy = _in_engine(LazyRun, table, "score", repeats=repeats)
    if lazy is not None:
        return lazy
    frame = frame_of(table, "score")
    ranked = isinstance(frame, pd.DataFrame) and is_ranked([*frame.columns])
    _require(frame, "run", "rank" if ranked else "score")
    if ranked:
        score = -_numbers(frame["rank"], "run: rank").astype(float)
    else:
        score = _numbers(frame["score"], "run: score")
    return Run(**_rows(frame, "run"), score=score)


def qrels_of(table: object, *, run: Run | LazyRun | None = None) -> Judgements | LazyQrels:
    """Checked qrels.

    Args:
        table: as for `run_of`, with `relevance` for a number.
        run: the checked run, if the same table says both.

    Raises:
        DataError: a missing column, a missing id, a relevance that is no finite number, a repeated
            (query, item), which an engine looks for later, or no rows.
    """
    if isinstance(table, Judgements | LazyQrels):
        return table
    found = _in_engine(LazyQrels, table, "relevance")
    if found is None:
        frame = frame_of(table, "relevance")
        _require(frame, "qrels", "relevance")
        rows = run.ids_as("qrels") if isinstance(run, Run) else _rows(frame, "qrels")
        grades = _numbers(frame["relevance"], "qrels: relevance")
        found = Judgements(**rows, relevance=grades)
    if len(found) == 0:
        raise DataError("qrels: no rows. Without judgements there is nothing to evaluate.")
    if not found.lazy:
        found.unrepeated()
    return found


def _in_engine(
    kind: type[LazyTable], table: object, number: str, **options: str
) -> LazyTable | None:
    """A checked table in an engine, None for one that is in memory; a scan is checked once."""
    known = table.known if isinstance(table, Scan) else {}
    asked = kind, *options.values()
    if asked not in known:
        if (engine := engine_of(table)) is None:
            return None
        known[asked] = kind.checked(engine, number, **options)
    return known[asked]


def frames_of(run: object, qrels: object) -> tuple[object, object]:
    """A run and qrels as `frame_of` makes them; one table that says both stays one."""
    frame = frame_of(run, "score")
    return frame, frame if run is qrels else frame_of(qrels, "relevance")


def frame_of(table: object, number: Literal["score", "relevance"]) -> object:
    """Nested dicts, or a table that speaks Arrow's C stream interface, as a frame; else as it is.

    Dicts are those of pytrec_eval, BEIR and ranx, query -> item -> number; text and numbers of
    Arrow are not copied.

    Raises:
        DataError: dicts that are nested in another way, or judge a query without an item.
    """
    if isinstance(table, pd.DataFrame) or home_of(table):
        return table
    if isinstance(table, Mapping) and table.keys().isdisjoint(OURS):
        return _unnested(table, number)
    if not hasattr(table, "__arrow_c_stream__"):
        return table
    import pyarrow as pa

    try:
        found = pa.table(table)
    except (pa.ArrowInvalid, TypeError):  # one column, not a table
        return table
    frame = found.to_pandas(types_mapper=_kept, ignore_metadata=True)
    frame.attrs = dict(_OF_ARROW)
    return frame


def _kept(kind: "pyarrow.DataType") -> object:
    """The dtype that keeps a column as it is; categories and truth values have one in pandas."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return None
    return pd.BooleanDtype() if pa.types.is_boolean(kind) else pd.ArrowDtype(kind)


def _unnested(nested: Mapping[object, object], number: str) -> pd.DataFrame:
    """A row for each item of each query."""
    name, like = ("run", 0.93) if number == "score" else ("qrels", 1)
    expected = f"Expected a dict of queries that hold items, as in {{'q1': {{'d7': {like}}}}}."
    for query, items in nested.items():
        where = f"{name}: query {shown(query)} holds"
        if not isinstance(items, Mapping):
            raise DataError(f"{where} a {type(items).__name__}, where its items belong. {expected}")
        odd = next((item for item in items if isinstance(items[item], Mapping)), None)
        if odd is not None:
            raise DataError(
                f"{where} a dict for item {shown(odd)}, where its number belongs. {expected} If "
                f"{shown(query)} is the name of a run, pass what it holds."
            )
        if not items and number == "relevance":
            raise DataError(
                f"{where} no items. A query without any judgement cannot be evaluated: leave it "
                "out, or give it an item with grade 0."
            )
    return pd.DataFrame(
        {
            "query_id": [query for query, items in nested.items() for _ in items],
            "doc_id": [item for items in nested.values() for item in items],
            number: [value for items in nested.values() for value in items.values()],
        }
    )


def _require(frame: object, name: str, number: str) -> None:
    """Complain about what is no frame, and about columns that a frame lacks."""
    columns = ("query_id", "doc_id", number)
    if not isinstance(frame, pd.DataFrame):
        raise DataError(
            f"{name} is a {type(frame).__name__}, not a pandas DataFrame. Expected a table with "
            f"the columns {', '.join(columns)}: pd.DataFrame({name}) may be all it takes."
        )
    names = list(frame.columns)
    if set(columns) <= set(names) and len(set(names)) == len(names):
        return
    some = frame.head(_SOME)
    types = {each: type_of(some.iloc[:, n].dropna()) for n, each in enumerate(names)}
    if frame.attrs == _OF_ARROW:
        require_columns(names, name, columns, types=types, change=IN_ARROW)
    levels = [level for level in frame.index.names if isinstance(level, str)]
    require_columns(names, name, columns, index=levels, types=types)


def _rows(frame: pd.DataFrame, name: str) -> dict[str, object]:
    """The fields of `Rows`; of queries, rows are counted by stretches."""
    query = id_column(frame["query_id"], what=f"{name}: query_id")
    doc = id_column(frame["doc_id"], what=f"{name}: doc_id")
    places: dict[str, int] = {}
    sizes = np.zeros(0, dtype=np.intp)
    codes = np.empty(len(frame), dtype=np.int32)
    cuts = blocks(len(frame))
    found = in_threads(lambda block: query.stretches(*block), cuts)
    for (start, stop), (new, which, texts) in zip(cuts, found, strict=True):
        here = np.array([places.setdefault(text, len(places)) for text in texts], dtype=np.int32)
        lengths = np.diff(new, append=stop - start)
        codes[start:stop] = np.repeat(here[which], lengths)
        sizes = np.append(sizes, np.zeros(len(places) - len(sizes), dtype=np.intp))
        np.add.at(sizes, here[which], lengths)
    query_ids = np.array(list(places), dtype=object)
    return {
        "name": name,
        "query": codes,
        "query_ids": query_ids,
        "sizes": sizes,
        "doc": doc,
        "labels": frame.index,
    }


def _numbers(column: pd.Series, what: str) -> np.ndarray:
    """The column as finite numbers: not copied if its type is one of numpy's up to 64 bits."""
    column = _as_numbers(column)
    dtype = column.dtype
    if not pd.api.types.is_numeric_dtype(dtype) or dtype.kind == "c":
        if len(column) == 0:
            return np.empty(0)
        odd = next((each for each in column if isinstance(each, str | bytes)), column.iloc[0])
        raise DataError(
            f"{what} holds {dtype} values, such as {shown(odd)}. Expected numbers: convert the "
            "column, for example with pd.to_numeric."
        )
    if isinstance(dtype, np.dtype) and dtype.itemsize <= 8:
        values = column.to_numpy()
    elif pd.api.types.is_integer_dtype(dtype) and not column.hasnans:
        values = column.to_numpy(dtype=dtype.numpy_dtype)
    else:
        values = column.to_numpy(dtype=float, na_value=np.nan)
    if all(np.isfinite(values[start:stop]).all() for start, stop in blocks(len(values))):
        return values
    bad = ~np.isfinite(values)
    row = int(bad.argmax())
    where = f"the first, {values[row]}, at row {shown(column.index[row])}"
    raise no_number(what, int(bad.sum()), len(values), where)


def _as_numbers(column: pd.Series) -> pd.Series:
    """Categories, Arrow's own kinds and objects as the numbers or truth values that they are."""
    column = of_dictionary(column)
    dtype = column.dtype
    if isinstance(dtype, pd.ArrowDtype) and dtype.kind == "b":
        return column.astype("boolean")
    if isinstance(dtype, pd.CategoricalDtype) and dtype.categories.dtype.kind in "iufb":
        return column.astype(float if column.hasnans else dtype.categories.dtype)
    if not pd.api.types.is_object_dtype(dtype):
        return column
    found = column.infer_objects()
    if not pd.api.types.is_object_dtype(found):
        return found if pd.api.types.is_numeric_dtype(found) else column
    kinds = {*map(type, column[column.notna()])}
    numbers = all(issubclass(kind, Real | Decimal | np.bool_) for kind in kinds)
    return column.astype(float) if numbers else column
