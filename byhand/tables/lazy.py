"""Runs and qrels in an engine: checked as in memory, and counted there, not sorted.

The rows of a run are neither sorted nor sent between machines for the counts. First the run is
joined with the relevant items, which gives the hits and their scores; then with the levels of these
scores, of which each row belongs to one at most: adding up gives for each hit the rows of its query
above it and those tied with it. Both small tables come from here. Only the search for repeats
brings rows together, by a hash of their ids where the engine has one, and by the ids if two agree.

It breaks for the relevant items, not for the rows: more than `BROADCAST_ROWS` are too many for a
copy on each machine, so Spark shuffles the run; and each takes 200 bytes of the Python that asks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
import pandas as pd

from byhand.column_map import ColumnNames, check_mapping, find_columns
from byhand.columns import TableKind
from byhand.duplicates import Duplicates, left_out, unordered
from byhand.errors import DataError, option, shown
from byhand.tables.counting import (
    CountedHits,
    RelevantItems,
    Remembered,
    accumulate,
    placed,
    twice,
)
from byhand.tables.engines import Ask, Engine, is_list
from byhand.tables.held import in_arguments
from byhand.tables.ids import as_integer, no_id, no_number

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

Repeats = Literal["all", "hits"]
# of a query with more hits the rows are sorted: to hold each against every hit would take longer
DENSE = 200
_MOST = float(np.finfo(float).max)
_SIXTEEN_BITS = 1 << 16
# what Python takes for blank, in the words of DuckDB
_BLANK = r"^[\s\x0b\x1c-\x1f\x{85}\p{Z}]*$"
# which form an id or a number is asked for in, by what its column holds
_AS_ID = {"int64": "int64", "uint64": "string", "digits": "string", "string": "string"}
_NUMBERS = {"int64": "int64", "float64": "float64", "exact": "exact", "digits": "exact"}
_AS_NUMBER = {
    "score": _NUMBERS | {"uint64": "uint64"},
    "rank": _NUMBERS | {"uint64": "float64"},
    "relevance": _NUMBERS | {"uint64": "uint64", "truth": "int64"},
}


@dataclass(frozen=True, eq=False)
class LazyTable:
    """A run or qrels that lives in an engine: `query_id`, `doc_id` and a number."""

    engine: Engine
    number: str  # what its third column is called
    attrs: Mapping[str, object]  # what is known of the table beside its rows
    name: ClassVar[str]
    mend: ClassVar[str] = "keep one of them"  # what to do about repeats
    lazy: ClassVar[bool] = True

    @classmethod
    def checked(
        cls, engine: Engine, wanted: TableKind, given: ColumnNames | None, **options: object
    ) -> Self:
        """Check the columns and their types, and every row for gaps."""
        if given or not {*wanted.needs} <= {*engine.names}:
            with in_arguments(cls.name):
                found = find_columns(engine.names, wanted, check_mapping(given), cls.name)
            if found.grade is not None:
                raise DataError(
                    f"qrels: relevance={found.grade!r} is for files and tables in memory. Give "
                    "the table of the engine such a column."
                )
            engine = engine.renamed({name: ours for ours, name in found.theirs.items()})
        number = wanted.needs[2] if wanted.needs[2] in engine.names else "rank"
        columns = ("query_id", "doc_id", number)
        forms = {column: _AS_ID.get(engine.form(column)) for column in columns[:2]}
        forms[number] = _AS_NUMBER[number].get(engine.form(number))
        for column, form in forms.items():
            if form is None:
                raise _wrong_type(engine, cls.name, column, number)
        file = {"file": "string"} if engine.of_files else {}
        table = cls(engine.narrowed(forms | file), number, engine.attrs, **options)
        table._refuse_gaps()
        return table

    def _refuse_gaps(self) -> None:
        census, query = self.census, self.census["query"]
        no_query = query.isna() | (self.engine.of_files & (query.str.strip() == ""))
        for column, say, bad in (
            ("query_id", no_id, census["rows"][no_query]),
            ("doc_id", no_id, census["no_doc"]),
            (self.number, no_number, census["no_number"]),
        ):
            if bad := int(bad.sum()):
                raise say(f"{self.name}: {column}", bad, len(self), self._such_as(column))

    def _such_as(self, column: str) -> str:
        """One of the rows that lack a value, and the file it stands in if that is known."""
        columns = ["query_id", "doc_id", self.number, *["file"] * self.engine.of_files]

        def ask(table: "ir.Table", _: None) -> "ir.Table":
            return table.filter(self._lacks(table, column))[columns].limit(1)

        (row,) = self.engine.answer(ask).to_pylist()
        file = f" in {row.pop('file')}" if "file" in row else ""
        return f"such as the row {row}{file}"

    def _lacks(self, table: "ir.Table", column: str) -> "ir.BooleanValue":
        """Whether there is no id, or no finite number."""
        value = table[column]
        if value.type().is_floating():
            # not every engine has words for infinite and NaN, which to some is above all else
            return value.isnull() | ~(value.cast("float64").abs() <= _MOST)
        if self.engine.of_files and value.type().is_string():
            # blanks sort outside of ASCII's letters: of most ids nothing else has to be looked at
            unlikely = (value < "!") | (value > "~~")
            return value.isnull() | unlikely.ifelse(value.re_search(_BLANK), False)
        return value.isnull()

    @cached_property
    def census(self) -> pd.DataFrame:
        """For each query, as text: its `rows`, and those with `no_doc` and with `no_number`."""

        def ask(table: "ir.Table", _: None) -> "ir.Table":
            return table.group_by(query=table.query_id).agg(
                rows=table.count(),
                no_doc=self._lacks(table, "doc_id").sum().cast("int64"),
                no_number=self._lacks(table, self.number).sum().cast("int64"),
            )

        found = self.engine.answer(ask)
        counts = found.drop_columns("query").to_pandas()
        queries = [each if each is None else str(each) for each in found["query"].to_pylist()]
        return counts.assign(query=pd.Series(queries, dtype=object))

    def value(self, table: "ir.Table") -> "ir.NumericValue":
        """The number as it compares exactly; of a rank, minus the rank."""
        return -table.rank if self.number == "rank" else table[self.number]

    def text(self, table: "ir.Table", column: str) -> "ir.StringValue":
        """An id as it compares; as it is looked up, a whole number stays one, which is quicker."""
        return table[column].cast("string")

    def keys(self, column: str, texts: np.ndarray) -> "pa.Array":
        """Texts as they are looked up in a column; null for one that it cannot hold."""
        import pyarrow as pa

        if not self.engine.table[column].type().is_integer():
            return pa.array(texts, pa.string())
        return pa.array([as_integer(text) for text in texts], pa.int64())

    def __len__(self) -> int:
        return int(self.census["rows"].sum())

    @property
    def row_counts(self) -> pd.Series:
        """How many rows each query has."""
        return self.census.set_index("query")["rows"]

    def rows_of(self, queries: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows of a few queries, or all, with text for ids."""

        def ask(table: "ir.Table", _: None) -> "ir.Table":
            if queries is not None:
                table = table.filter(self.text(table, "query_id").isin(list(queries)))
            number = "score" if self.number == "rank" else self.number
            return table.select(**self._ids(table), **{number: self.value(table)})

        return self.engine.answer(ask).to_pandas()

    def head(self, rows: int) -> pd.DataFrame:
        """The ids of some rows; which ones is up to the engine."""
        found = self.engine.answer(lambda table, _: table.limit(rows).select(**self._ids(table)))
        return found.to_pandas()

    def few_values(self) -> np.ndarray | None:
        """The different scores or grades, ascending; None if 16 bits could not tell them apart."""

        def ask(table: "ir.Table", _: None) -> "ir.Table":
            return table.select(value=self.value(table)).distinct().limit(_SIXTEEN_BITS + 1)

        found = self.engine.answer(ask)["value"].to_numpy()
        return None if len(found) > _SIXTEEN_BITS else np.unique(found)

    def _ids(self, table: "ir.Table") -> "dict[str, ir.StringValue]":
        return {name: self.text(table, name) for name in ("query_id", "doc_id")}

    def refuse_repeats(self) -> None:
        """Complain about a (query, item) that stands in two rows, if one does; looks only once."""
        if self._repeated:
            self.refuse_pair(*self._repeated)

    @cached_property
    def _repeated(self) -> tuple[str, ...]:
        """A query and an item of it that stand in two rows, if there are such."""
        table = self.engine.table

        def repeated(**same: "ir.Value") -> "pa.Table":
            def ask(table: "ir.Table", _: None) -> "ir.Table":
                counted = table.group_by(**same).agg(many=table.count())
                return counted.filter(counted.many > 1).limit(1)

            return self.engine.answer(ask)

        # equal ids have equal hashes, and a number is less to bring together than two texts
        hashed = self.engine.hash_of(table.query_id, table.doc_id)
        if hashed is not None and not len(repeated(hash=hashed)):
            return ()
        found = repeated(query=table.query_id, doc=table.doc_id)
        return tuple(str(found[name][0].as_py()) for name in ("query", "doc") if len(found))

    def refuse_pair(self, query: str, doc: str) -> None:
        """Complain about a (query, item) that stands in two rows."""

        columns = [self.number, *["file"] * self.engine.of_files]

        def ask(table: "ir.Table", _: None) -> "ir.Table":
            these = (self.text(table, "query_id") == query) & (self.text(table, "doc_id") == doc)
            return table.filter(these)[columns].limit(2)

        rows = self.engine.answer(ask).to_pylist()
        values = " and ".join(shown(row[self.number]) for row in rows)
        files = " and ".join(dict.fromkeys(row["file"] for row in rows if "file" in row))
        in_files = f", in {files}" if files else ""
        raise twice(self.name, query, doc, f"with {self.number} {values}{in_files}", self.mend)


def _of_lists(engine: Engine, what: str, number: str) -> DataError:
    """What to say of a table with several items in a row."""
    lists = [each for each in ("doc_id", number) if is_list(engine.type_of(each))]
    rows = [f"UNNEST({each}) AS {each}" for each in lists]
    if number not in lists:
        ranks = "generate_subscripts(doc_id, 1) AS rank"
        rows.append("1 AS relevance" if number == "relevance" else ranks)
    return DataError(
        f"{what}. A table of an engine has a row for each item. Write the lists out, in DuckDB's "
        f"words as SELECT query_id, {', '.join(rows)}."
    )


def _wrong_type(engine: Engine, name: str, column: str, number: str) -> DataError:
    """What to say of a column that holds neither ids nor numbers."""
    kind = engine.type_of(column)
    what = f"{name}: {column} holds {kind} values"
    if is_list(kind) and column != "query_id":
        return _of_lists(engine, what, number)
    expected, form = "Expected numbers", "float64"
    if column in ("query_id", "doc_id"):
        expected, form = "Ids are text or whole numbers", "string"
    mend = f"convert the column, for example with {engine.conversion(column, form)}"
    return DataError(f"{what}. {expected}: {mend}.")


@dataclass(frozen=True, eq=False)
class LazyRun(LazyTable):
    """A run that lives in an engine."""

    name: ClassVar[str] = "run"
    mend: ClassVar[str] = f"{option('duplicates', 'best')} keeps the one with the highest score"
    repeats: Repeats = "all"  # where a repeated (query, item) is looked for
    duplicates: Duplicates | None = None  # which of its rows stays; None: such are refused
    repeated: int | None = None  # how many rows were left out for that; None: such are refused
    _known: Remembered[RelevantItems, tuple] = field(default_factory=Remembered)

    @classmethod
    def checked(cls, *table: object, **options: object) -> Self:
        """As any table; with `duplicates="best"` only the best row of each (query, item) counts."""
        if options["duplicates"] == "first":
            raise unordered()
        found = super().checked(*table, **options)
        if found.duplicates is None:
            return found
        best = replace(found, engine=replace(found.engine, chosen=_best))
        repeated = len(found) - len(best)
        notes = [*found.attrs.get("notes", []), *left_out(repeated, "best")]
        return replace(best, repeated=repeated, attrs={**found.attrs, "notes": notes})

    def hits(self, relevant: RelevantItems, *, ties: str) -> CountedHits:
        """As `Run.hits`, but for `ties="input"`."""
        if ties == "input":
            raise DataError(
                "run: ties='input' leaves equal scores in the order of the rows, and a table in an "
                "engine has none. Choose another tie order, such as ties='doc_id'."
            )
        if relevant not in self._known:
            self._known[relevant] = self._count(relevant)
        counted, before = self._known[relevant]
        if ties == "doc_id":
            return replace(counted, rank=counted.top + before)
        if ties == "doc_id_ascending":
            return replace(counted, rank=counted.top + counted.tied - 1 - before)
        return counted

    def _count(self, relevant: RelevantItems) -> tuple[CountedHits, np.ndarray]:
        """The hits, and how many rows with an equal score have a higher doc_id."""
        queries, sizes = (self.census[name].to_numpy() for name in ("query", "rows"))
        place, n_retrieved = placed(relevant, queries, sizes)
        item, score = self._found(relevant, np.flatnonzero(n_retrieved[relevant.query] > 0))
        if self.repeats == "all" and self.duplicates is None:
            self.refuse_repeats()
        above, tied, before = np.zeros((3, len(item)), dtype=np.int64)

        def fill(which: np.ndarray, ask: Ask, **columns: np.ndarray) -> None:
            if which.any():
                hit = np.flatnonzero(which)
                hits = self._sent(relevant, item[hit], hit=hit, value=score[hit])
                found = self.engine.answer(ask, hits)
                for name, counts in columns.items():
                    counts[found["hit"].to_numpy()] = found[name].to_numpy()

        query = relevant.query[item]
        dense = np.bincount(query, minlength=len(relevant.query_ids))[query] > DENSE
        fill(dense, self._sorted, above=above, tied=tied, before=before)
        if len(hit := np.flatnonzero(~dense)):
            above[hit], tied[hit] = self._beside(relevant, item[hit], score[hit])
        fill(~dense & (tied > 1), self._preceding, before=before)
        counted = CountedHits(item, 1 + above, 1 + above, tied, n_retrieved, int((place < 0).sum()))
        return counted, before

    def _found(self, relevant: RelevantItems, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which of these relevant items the run holds, and their scores."""
        ours = self._sent(relevant, wanted, item=wanted)
        if len(ours) == 0:
            return wanted[:0], np.empty(0)

        def ask(run: "ir.Table", ours: "ir.Table") -> "ir.Table":
            joined = run.join(ours, [run.query_id == ours.query, run.doc_id == ours.doc])
            return joined.select(item=ours.item, score=self.value(run))

        found = self.engine.answer(ask, ours).sort_by("item")
        item = found["item"].to_numpy()
        if len(again := np.flatnonzero(item[1:] == item[:-1])):
            which = item[again[0]]
            self.refuse_pair(relevant.query_ids[relevant.query[which]], relevant.doc[which])
        return item, found["score"].to_numpy()

    def _sent(self, relevant: RelevantItems, items: np.ndarray, **column: np.ndarray) -> "pa.Table":
        """Relevant items as the run names them, without those it cannot hold."""
        import pyarrow as pa

        query = self.keys("query_id", relevant.query_ids[relevant.query[items]])
        doc = self.keys("doc_id", relevant.doc[items])
        text = pa.array(relevant.doc[items], pa.string())
        return pa.table({**column, "query": query, "doc": doc, "text": text}).drop_null()

    def _beside(
        self, relevant: RelevantItems, item: np.ndarray, score: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """For each hit the rows of its query with a higher score, and with just as much.

        Among the different scores of a query's hits, its levels, each row has one place: from the
        score of a level up to what is just below the level above it.
        """
        query = relevant.query[item]
        order = np.lexsort((score, query))[::-1]
        query, ordered = query[order], score[order]
        first = np.append(True, query[1:] != query[:-1])  # of its query
        new = first | np.append(True, ordered[1:] != ordered[:-1])
        level = np.empty_like(order)
        level[order] = np.cumsum(new) - 1
        lowest, top = ordered[new], first[new]
        whole = lowest.dtype.kind in "iu"
        most = (np.iinfo if whole else np.finfo)(lowest.dtype).max
        below = lowest - 1 if whole else np.nextafter(lowest, -most)
        highest = np.where(top, most, np.roll(below, 1))
        levels = np.arange(len(lowest))
        columns = {"level": levels, "lowest": lowest, "highest": highest}
        ours = self._sent(relevant, item[order[new]], **columns)

        def ask(run: "ir.Table", ours: "ir.Table") -> "ir.Table":
            value = self.value(run)
            same = run.query_id == ours.query
            joined = run.join(ours, [same, value >= ours.lowest, value <= ours.highest])
            joined = joined.select(level=ours.level, tied=value == ours.lowest)
            return joined.group_by("level").agg(
                rows=joined.count(), tied=joined.count(where=joined.tied)
            )

        found = self.engine.answer(ask, ours)
        rows, tied = np.zeros((2, len(levels)), dtype=np.int64)
        for name, counts in {"rows": rows, "tied": tied}.items():
            counts[found["level"].to_numpy()] = found[name].to_numpy()
        above = accumulate(rows, np.append(levels[top], len(levels))) - tied
        return above[level], tied[level]

    def _preceding(self, run: "ir.Table", hits: "ir.Table") -> "ir.Table":
        """Each row beside the hits of its query that it is tied with, and has a higher doc_id."""
        same = [
            run.query_id == hits.query,
            self.value(run) == hits.value,
            self.text(run, "doc_id") > hits.text,
        ]
        joined = run.join(hits, same).select(hit=hits.hit)
        return joined.group_by("hit").agg(before=joined.count())

    def _sorted(self, run: "ir.Table", hits: "ir.Table") -> "ir.Table":
        """The places of the hits among the sorted rows of their queries."""
        import ibis

        rows = run.select(
            their_query=run.query_id,
            their_doc=run.doc_id,
            their_text=self.text(run, "doc_id"),
            their_value=self.value(run),
        )
        rows = rows.semi_join(hits, [rows.their_query == hits.query])
        query, value = rows.their_query, rows.their_value.desc()
        by_score = ibis.window(group_by=query, order_by=value)
        by_both = ibis.window(group_by=query, order_by=[value, rows.their_text.desc()])
        ranked = rows.mutate(
            above=ibis.rank().over(by_score),
            place=ibis.row_number().over(by_both),
            tied=rows.count().over(ibis.window(group_by=[query, rows.their_value])),
        )
        same = [ranked.their_query == hits.query, ranked.their_doc == hits.doc]
        return ranked.join(hits, same).select(
            hit=hits.hit,
            above=ranked.above,
            tied=ranked.tied,
            before=ranked.place - ranked.above,
        )


def _best(run: "ir.Table") -> "ir.Table":
    """The best row of each query and item."""
    value = {"score": run.score.max()} if "score" in run.columns else {"rank": run["rank"].min()}
    file = {"file": run.file.arbitrary()} if "file" in run.columns else {}
    return run.group_by("query_id", "doc_id").agg(**value, **file)


@dataclass(frozen=True, eq=False)
class LazyQrels(LazyTable):
    """Qrels that live in an engine: of the judgements only relevant ones come here."""

    name: ClassVar[str] = "qrels"
    _wanted: dict[float, RelevantItems] = field(default_factory=dict, repr=False)

    def wanted(self, lowest: float, run: object = None) -> RelevantItems:
        """The judged queries, in the order of their ids, and the items of at least this grade."""
        if lowest not in self._wanted:
            self._wanted[lowest] = self._fetch(lowest)
        return self._wanted[lowest]

    def _fetch(self, lowest: float) -> RelevantItems:
        self.refuse_repeats()

        def ask(theirs: "ir.Table", _: None) -> "ir.Table":
            found = theirs.select(
                query=self.text(theirs, "query_id"),
                doc=self.text(theirs, "doc_id"),
                grade=self.value(theirs).cast("float64"),
            )
            if lowest == np.inf:
                return found.limit(0)
            return found if lowest == -np.inf else found.filter(found.grade >= float(lowest))

        found = self.engine.answer(ask).sort_by([("query", "ascending"), ("doc", "ascending")])
        query_ids = np.array(sorted(self.census["query"]), dtype=object)
        query = pd.Index(query_ids).get_indexer(found["query"].to_pandas())
        doc = found["doc"].to_pandas().to_numpy(dtype=object)
        return RelevantItems(query_ids, query, doc, found["grade"].to_numpy())
