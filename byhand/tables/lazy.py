"""Count, don't sort, where the table lives: hits and their ranks by two joins with small tables.

The rows of a run are neither sorted nor sent between machines for the counts. First the run is
joined with the relevant items, which gives the hits and their scores; then with the levels of these
scores, of which each row belongs to one at most: adding up gives for each hit the rows of its query
above it and those tied with it. Both small tables come from here. Only the search for repeats
brings rows together, by a hash of their ids where the engine has one, and by the ids if two agree.

What to expect of 10^9 rows (of 10^10, ten times that), from the plan and from 10^8 rows measured on
DuckDB, with text for ids, 15 bytes a row on disk:

- Read: 45 GB, as three questions need the scores, and three the ids.
- Shuffled: sums only, one for each level and task; by the search for repeats a hash and a count a
  row, 16 GB, which on one machine lie spilled (1.8 GB of 10^8 rows). `repeats="hits"` does without.
- Broadcast: 50 bytes a relevant item. Of queries with 10 relevant among 100,000 items that is 5 MB,
  among 1,000 items 500 MB.
- Where it breaks: not for the rows, but for the relevant items. More than `BROADCAST_ROWS` are too
  many for a copy on each machine, so Spark sorts and shuffles the run. They pass through the memory
  of the Python that asks, too: some 200 bytes each, so 10^8 of them are too many for most.
"""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.files.scanned import Scan
from byhand.tables.columns import Qrels
from byhand.tables.counting import CountedHits, refuse_strangers
from byhand.tables.engines import Ask, engine_of
from byhand.tables.lazy_columns import LazyTable
from byhand.tables.levels import Levels
from byhand.tables.ties import TieOrder

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

Repeats = Literal["all", "hits"]
# of a query with more hits the rows are sorted: to hold each against every hit would take longer
DENSE = 200
_REMEMBERED = 3  # qrels


@dataclass(frozen=True, eq=False)
class LazyRun:
    """A run that lives in an engine.

    Attributes:
        table: its checked columns.
        repeats: where a repeated (query, item) is looked for: among all rows, or among the hits.
    """

    table: LazyTable
    repeats: Repeats = "all"
    _known: dict[int, tuple] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, run: object, *, repeats: Repeats = "all") -> Self | None:
        """Check a table that lives in an engine; None for one that does not.

        Raises:
            DataError: a missing column, a missing id, a score that is no finite number.
        """
        if isinstance(run, cls):
            return run
        known = run.known if isinstance(run, Scan) else {}
        if (cls, repeats) not in known:
            engine = engine_of(run)
            if engine is None:
                return None
            known[cls, repeats] = cls(LazyTable.of(engine, "run", "score"), repeats)
        return known[cls, repeats]

    def hits(self, judged: Qrels, *, ties: TieOrder) -> CountedHits:
        """As `hits_of_run`; asked again with the same `judged`, it remembers.

        Raises:
            DataError: a repeated (query, item) in the run, no query in common, or `ties="input"`.
        """
        if ties == "input":
            raise DataError(
                "run: ties='input' leaves equal scores in the order of the rows, and a table in an "
                "engine has none. Choose another tie order, such as ties='doc_id'."
            )
        if id(judged) not in self._known:
            for old in [*self._known][:-_REMEMBERED]:
                del self._known[old]
            self._known[id(judged)] = judged, *self._count(judged)
        _, counted, before = self._known[id(judged)]
        if ties == "doc_id":
            return replace(counted, rank=counted.top + before)
        if ties == "doc_id_ascending":
            return replace(counted, rank=counted.top + counted.tied - 1 - before)
        return counted

    def _count(self, judged: Qrels) -> tuple[CountedHits, np.ndarray]:
        """The hits, and how many rows with an equal score have a higher doc_id."""
        census = self.table.census
        positions = {text: position for position, text in enumerate(judged.query_ids)}
        place = np.array([positions.get(text, -1) for text in census["query"]], dtype=np.int64)
        shared = place >= 0
        if not shared.any():
            refuse_strangers(census["query"].to_numpy(), judged)
        n_retrieved = np.zeros(len(judged.query_ids), dtype=np.int64)
        n_retrieved[place[shared]] = census["rows"].to_numpy()[shared]
        item, score = self._found(judged, np.flatnonzero(n_retrieved[judged.query] > 0))
        if self.repeats == "all":
            self.table.refuse_repeats()
        above, tied, before = np.zeros((3, len(item)), dtype=np.int64)

        def fill(which: np.ndarray, ask: Ask, **columns: np.ndarray) -> None:
            if which.any():
                hit = np.flatnonzero(which)
                hits = self._sent(judged, item[hit], hit=hit, value=score[hit])
                found = self.table.engine.answer(ask, hits)
                for name, counts in columns.items():
                    counts[found["hit"].to_numpy()] = found[name].to_numpy()

        query = judged.query[item]
        dense = np.bincount(query, minlength=len(judged.query_ids))[query] > DENSE
        fill(dense, self._sorted, above=above, tied=tied, before=before)
        if len(hit := np.flatnonzero(~dense)):
            levels = Levels.of(query[hit], score[hit])
            rows, equal = self._placed(judged, levels, item[hit])
            above[hit], tied[hit] = levels.above(rows, equal), equal[levels.of_hit]
        fill(~dense & (tied > 1), self._preceding, before=before)
        n_run_only = int((~shared).sum())
        return CountedHits(item, 1 + above, 1 + above, tied, n_retrieved, n_run_only), before

    def _found(self, judged: Qrels, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which of these relevant items the run holds, and their scores."""
        table = self.table
        ours = self._sent(judged, wanted, item=wanted)
        if len(ours) == 0:
            return wanted[:0], np.empty(0)

        def ask(run: "ir.Table", ours: "ir.Table") -> "ir.Table":
            joined = run.join(ours, [run.query_id == ours.query, run.doc_id == ours.doc])
            return joined.select(item=ours.item, score=table.value(run))

        found = table.engine.answer(ask, ours).sort_by("item")
        item = found["item"].to_numpy()
        if len(again := np.flatnonzero(item[1:] == item[:-1])):
            which = item[again[0]]
            table.refuse_pair(judged.query_ids[judged.query[which]], judged.doc[which])
        return item, found["score"].to_numpy()

    def _sent(self, judged: Qrels, items: np.ndarray, **column: np.ndarray) -> "pa.Table":
        """Relevant items as the run names them, without those it cannot hold."""
        import pyarrow as pa

        query, known = self.table.keys("query_id", judged.query_ids[judged.query[items]])
        doc, possible = self.table.keys("doc_id", judged.doc[items])
        text = pa.array(judged.doc[items], pa.string())
        ours = pa.table({**column, "query": query, "doc": doc, "text": text})
        return ours.filter(pa.array(known & possible))

    def _placed(
        self, judged: Qrels, levels: Levels, item: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """For each level the rows that it is the next one for, and those that are just there."""
        table = self.table
        ours = self._sent(
            judged,
            item[levels.hit],
            level=np.arange(len(levels.hit)),
            lowest=levels.lowest,
            highest=levels.highest,
        )

        def ask(run: "ir.Table", ours: "ir.Table") -> "ir.Table":
            value = table.value(run)
            same = run.query_id == ours.query
            joined = run.join(ours, [same, value >= ours.lowest, value <= ours.highest])
            joined = joined.select(level=ours.level, tied=value == ours.lowest)
            return joined.group_by("level").agg(
                rows=joined.count(), tied=joined.count(where=joined.tied)
            )

        found = table.engine.answer(ask, ours)
        rows, tied = np.zeros((2, len(levels.hit)), dtype=np.int64)
        for name, counts in {"rows": rows, "tied": tied}.items():
            counts[found["level"].to_numpy()] = found[name].to_numpy()
        return rows, tied

    def _preceding(self, run: "ir.Table", hits: "ir.Table") -> "ir.Table":
        """Each row beside the hits of its query that it is tied with, and has a higher doc_id."""
        same = [
            run.query_id == hits.query,
            self.table.value(run) == hits.value,
            self.table.text(run, "doc_id") > hits.text,
        ]
        joined = run.join(hits, same).select(hit=hits.hit)
        return joined.group_by("hit").agg(before=joined.count())

    def _sorted(self, run: "ir.Table", hits: "ir.Table") -> "ir.Table":
        """The places of the hits among the sorted rows of their queries."""
        import ibis

        table = self.table
        rows = run.select(
            their_query=run.query_id,
            their_doc=run.doc_id,
            their_text=table.text(run, "doc_id"),
            their_value=table.value(run),
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


@dataclass(frozen=True, eq=False)
class LazyQrels:
    """Qrels that live in an engine: of the judgements only relevant ones come here.

    Attributes:
        table: their checked columns.
    """

    table: LazyTable
    _wanted: dict[float, Qrels] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, qrels: object) -> Self | None:
        """Check a table that lives in an engine; None for one that does not.

        Raises:
            DataError: as `Qrels.of`, but that repeats are looked for with the first question.
        """
        if isinstance(qrels, cls):
            return qrels
        known = qrels.known if isinstance(qrels, Scan) else {}
        if cls not in known:
            engine = engine_of(qrels)
            if engine is None:
                return None
            table = LazyTable.of(engine, "qrels", "relevance")
            if len(table.census) == 0:
                raise DataError("qrels: no rows. Without judgements there is nothing to evaluate.")
            known[cls] = cls(table)
        return known[cls]

    def wanted(self, lowest: float) -> Qrels:
        """The judged queries, in the order of their ids, and the items of at least this grade.

        Raises:
            DataError: a repeated (query, item).
        """
        if lowest not in self._wanted:
            self._wanted[lowest] = self._fetch(lowest)
        return self._wanted[lowest]

    def _fetch(self, lowest: float) -> Qrels:
        table = self.table
        table.refuse_repeats()

        def ask(theirs: "ir.Table", _: None) -> "ir.Table":
            found = theirs.select(
                query=table.text(theirs, "query_id"),
                doc=table.text(theirs, "doc_id"),
                grade=table.value(theirs).cast("float64"),
            )
            if lowest == np.inf:
                return found.limit(0)
            return found if lowest == -np.inf else found.filter(found.grade >= float(lowest))

        found = table.engine.answer(ask).sort_by([("query", "ascending"), ("doc", "ascending")])
        query_ids = np.array(sorted(table.census["query"]), dtype=object)
        query = pd.Index(query_ids).get_indexer(found["query"].to_pandas())
        doc = found["doc"].to_pandas().to_numpy(dtype=object)
        return Qrels(query_ids, query, doc, found["grade"].to_numpy())
