"""Count, don't sort, where the table lives: hits and their ranks by two joins with small tables.

The rows of a run are neither sorted nor sent between machines for the counts. First the run is
joined with the relevant items, which gives the hits and their scores; then with the levels of these
scores, of which each row belongs to one at most: adding up gives for each hit the rows of its query
above it and those tied with it. Both small tables come from here. Only the search for repeats
brings rows together, by a hash of their ids where the engine has one, and by the ids if two agree.

It breaks for the relevant items, not for the rows: more than `BROADCAST_ROWS` are too many for a
copy on each machine, so Spark shuffles the run; and each takes 200 bytes of the Python that asks.
"""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
import pandas as pd

from byhand.columns import Duplicates, left_out, unordered
from byhand.errors import DataError
from byhand.tables.counting import CountedHits, Qrels, accumulate, placed, remembered
from byhand.tables.engines import Ask
from byhand.tables.lazy_columns import LazyTable

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

Repeats = Literal["all", "hits"]
# of a query with more hits the rows are sorted: to hold each against every hit would take longer
DENSE = 200


@dataclass(frozen=True, eq=False)
class LazyRun(LazyTable):
    """A run that lives in an engine."""

    name: ClassVar[str] = "run"
    mend: ClassVar[str] = "duplicates='best' keeps the one with the highest score"
    repeats: Repeats = "all"  # where a repeated (query, item) is looked for
    duplicates: Duplicates | None = None  # which of its rows stays; None: such are refused
    repeated: int | None = None  # how many rows were left out for that; None: such are refused
    _known: dict[int, tuple] = field(default_factory=dict, repr=False)

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

    def hits(self, judged: Qrels, *, ties: str) -> CountedHits:
        """As `Run.hits`, but for `ties="input"`."""
        if ties == "input":
            raise DataError(
                "run: ties='input' leaves equal scores in the order of the rows, and a table in an "
                "engine has none. Choose another tie order, such as ties='doc_id'."
            )
        counted, before = remembered(self._known, judged, lambda: self._count(judged))
        if ties == "doc_id":
            return replace(counted, rank=counted.top + before)
        if ties == "doc_id_ascending":
            return replace(counted, rank=counted.top + counted.tied - 1 - before)
        return counted

    def _count(self, judged: Qrels) -> tuple[CountedHits, np.ndarray]:
        """The hits, and how many rows with an equal score have a higher doc_id."""
        queries, sizes = (self.census[name].to_numpy() for name in ("query", "rows"))
        place, n_retrieved = placed(judged, queries, sizes)
        item, score = self._found(judged, np.flatnonzero(n_retrieved[judged.query] > 0))
        if self.repeats == "all" and self.duplicates is None:
            self.refuse_repeats()
        above, tied, before = np.zeros((3, len(item)), dtype=np.int64)

        def fill(which: np.ndarray, ask: Ask, **columns: np.ndarray) -> None:
            if which.any():
                hit = np.flatnonzero(which)
                hits = self._sent(judged, item[hit], hit=hit, value=score[hit])
                found = self.engine.answer(ask, hits)
                for name, counts in columns.items():
                    counts[found["hit"].to_numpy()] = found[name].to_numpy()

        query = judged.query[item]
        dense = np.bincount(query, minlength=len(judged.query_ids))[query] > DENSE
        fill(dense, self._sorted, above=above, tied=tied, before=before)
        if len(hit := np.flatnonzero(~dense)):
            above[hit], tied[hit] = self._beside(judged, item[hit], score[hit])
        fill(~dense & (tied > 1), self._preceding, before=before)
        counted = CountedHits(item, 1 + above, 1 + above, tied, n_retrieved, int((place < 0).sum()))
        return counted, before

    def _found(self, judged: Qrels, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which of these relevant items the run holds, and their scores."""
        ours = self._sent(judged, wanted, item=wanted)
        if len(ours) == 0:
            return wanted[:0], np.empty(0)

        def ask(run: "ir.Table", ours: "ir.Table") -> "ir.Table":
            joined = run.join(ours, [run.query_id == ours.query, run.doc_id == ours.doc])
            return joined.select(item=ours.item, score=self.value(run))

        found = self.engine.answer(ask, ours).sort_by("item")
        item = found["item"].to_numpy()
        if len(again := np.flatnonzero(item[1:] == item[:-1])):
            which = item[again[0]]
            self.refuse_pair(judged.query_ids[judged.query[which]], judged.doc[which])
        return item, found["score"].to_numpy()

    def _sent(self, judged: Qrels, items: np.ndarray, **column: np.ndarray) -> "pa.Table":
        """Relevant items as the run names them, without those it cannot hold."""
        import pyarrow as pa

        query = self.keys("query_id", judged.query_ids[judged.query[items]])
        doc = self.keys("doc_id", judged.doc[items])
        text = pa.array(judged.doc[items], pa.string())
        return pa.table({**column, "query": query, "doc": doc, "text": text}).drop_null()

    def _beside(
        self, judged: Qrels, item: np.ndarray, score: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """For each hit the rows of its query with a higher score, and with just as much.

        Among the different scores of a query's hits, its levels, each row has one place: from the
        score of a level up to what is just below the level above it.
        """
        query = judged.query[item]
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
        ours = self._sent(judged, item[order[new]], **columns)

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
    _wanted: dict[float, Qrels] = field(default_factory=dict, repr=False)

    def wanted(self, lowest: float, run: object = None) -> Qrels:
        """The judged queries, in the order of their ids, and the items of at least this grade."""
        if lowest not in self._wanted:
            self._wanted[lowest] = self._fetch(lowest)
        return self._wanted[lowest]

    def _fetch(self, lowest: float) -> Qrels:
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
        return Qrels(query_ids, query, doc, found["grade"].to_numpy())
