"""A run together with its qrels, and the hits counted from them."""

from collections.abc import Iterable, Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from byhand.duplicates import Reading
from byhand.errors import DataError, shown
from byhand.metrics.hits import Hits, JudgedHits
from byhand.naming import ABOVE_ZERO
from byhand.tables.counting import Run
from byhand.tables.lazy import LazyRun
from byhand.tables.qrels import RelevantItems
from byhand.tables.runs_and_qrels import tables_of


class RunWithQrels:
    """Combine a run and its qrels, in memory or in a database; both are checked once.

    Args:
        run, qrels, queries, relevant_from, reading: as in `evaluate`.

    Example:
        >>> RunWithQrels({"q": {"a": 0.2, "b": 0.9}}, {"q": {"a": 1}}).hits().rank.tolist()
        [2]
    """

    def __init__(
        self,
        run: object,
        qrels: object,
        *,
        queries: Iterable[object] | None = None,
        relevant_from: float | None = None,
        **reading: Unpack[Reading],
    ) -> None:
        if relevant_from is not None and not (np.isreal(relevant_from) and relevant_from > 0):
            raise ValueError(
                f"relevant_from={relevant_from!r} is not valid. Expected a number above "
                "0, or None for any grade above 0."
            )
        self.run, self.qrels = tables_of(run, qrels, **reading)
        self.queries = None if queries is None else _texts(queries)
        self.relevant_from = relevant_from
        self._counted: dict[tuple[str, float], Hits] = {}

    def as_given(self, queries: Sequence[str]) -> pd.Index:
        """Return an index with the ids of judged queries as written in the qrels."""
        given = getattr(self.qrels, "given", str)
        return pd.Index([*map(given, queries)], name="query_id")

    def hits(
        self,
        *,
        ties: str = "doc_id",
        unjudged: str = "not_relevant",
        low_grades: str = "nothing",
        judged: bool = False,
    ) -> Hits | JudgedHits:
        """Count the hits under these conventions; with `judged`, every judged item as well."""
        lowest = self.relevant_from
        if lowest is None or low_grades == "gain":
            lowest = ABOVE_ZERO
        if not judged and unjudged == "not_relevant":
            return self._ordered(ties, lowest)
        every = self._ordered(ties, -np.inf)
        kept = every.closed_up if unjudged == "removed" else every
        return kept.at_least(lowest).among(every)

    def _ordered(self, ties: str, lowest: float) -> Hits:
        if ties in ("best", "worst"):
            return getattr(self._ordered("expected", lowest), ties)
        key, every = (ties, lowest), (ties, -np.inf)
        if key not in self._counted and every in self._counted:
            self._counted[key] = self._counted[every].at_least(lowest)
        elif key not in self._counted:
            hits = _hits(self.run, self.qrels.wanted(lowest, self.run), ties)
            if self.queries is not None:
                hits = hits.of_queries(_chosen(self.queries, hits.query_ids))
            self._counted[key] = hits
        return self._counted[key]


def _texts(queries: Iterable[object]) -> list[str]:
    single = isinstance(queries, str) or not hasattr(queries, "__iter__")
    texts = [*dict.fromkeys(map(str, [queries] if single else queries))]
    if not texts:
        raise DataError("queries is empty. Pass the ids to evaluate, or None for all.")
    return texts


def _chosen(queries: Sequence[str], judged: np.ndarray) -> np.ndarray:
    """Return a mask (Q,) of the judged queries that were requested."""
    if strangers := [*dict.fromkeys(queries).keys() - {*judged}]:
        first = next(query for query in queries if query in strangers)
        raise DataError(
            f"queries: {shown(first)} is not judged ({len(strangers)} of {len(queries)} that you "
            f"passed). Pass only judged queries, such as {shown(judged[0])}."
        )
    return np.isin(judged, np.array(queries, dtype=object))


def _hits(run: Run | LazyRun, wanted: RelevantItems, ties: str) -> Hits:
    counted = run.hits(wanted, ties=ties)
    # tied hits may share a rank; sorting by grade makes their order the same for all sources
    sort = np.lexsort((-wanted.grade[counted.item], counted.rank, wanted.query[counted.item]))
    item = counted.item[sort]
    ideal = np.lexsort((-wanted.grade, wanted.query))
    return Hits(
        query_ids=wanted.query_ids,
        query=wanted.query[item],
        rank=counted.rank[sort],
        grade=wanted.grade[item],
        top=counted.top[sort],
        tied=counted.tied[sort],
        relevant_query=wanted.query[ideal],
        relevant_grade=wanted.grade[ideal],
        n_retrieved=counted.n_retrieved,
        n_run_only=counted.n_run_only,
    )
