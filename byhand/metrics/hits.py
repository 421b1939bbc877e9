"""Where the relevant items landed: the one thing that every metric here is a function of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Unpack

import numpy as np

from byhand.errors import DataError, shown
from byhand.files.file import are_one
from byhand.tables.counting import ABOVE_ZERO, RelevantItems, Run
from byhand.tables.frames import Reading, tables_of
from byhand.tables.lazy import LazyRun


@dataclass(frozen=True)
class Hits:
    """The ranks and grades of the relevant items that each query retrieved, to be read only.

    Example:
        >>> from byhand.metrics.ranked import hits_of_lists
        >>> hits = hits_of_lists([(["D1", "D4", "D2"], {"D4", "D9"})])
        >>> hits.rank.tolist(), hits.n_relevant.tolist()
        ([2], [2])
    """

    query_ids: np.ndarray  # (Q,) the queries, in the order of the qrels or of the cases
    query: np.ndarray  # (H,) for each hit the position of its query in `query_ids`, ascending
    rank: np.ndarray  # (H,) its rank from 1, ascending within a query
    grade: np.ndarray  # (H,) its grade, above 0
    top: np.ndarray  # (H,) the first rank of the items with its score
    tied: np.ndarray  # (H,) how many items have its score, itself included
    relevant_query: np.ndarray  # (R,) for each relevant item, retrieved or not, where its query is
    relevant_grade: np.ndarray  # (R,) its grade, descending within a query: the ideal order
    n_retrieved: np.ndarray  # (Q,) how many items each query retrieved
    n_run_only: int = 0  # further queries of the run, which nobody judged
    judged: "Hits | None" = None  # the same with every judged item for a hit, if that was asked for

    def __post_init__(self) -> None:
        for name, each in vars(self).items():
            if isinstance(each, np.ndarray):  # several measures have it in common
                object.__setattr__(self, name, _read_only(each))

    @property
    def n_queries(self) -> int:
        """How many queries there are."""
        return len(self.query_ids)

    @cached_property
    def n_relevant(self) -> np.ndarray:
        """(Q,) how many relevant items each query has, retrieved or not."""
        return _read_only(np.bincount(self.relevant_query, minlength=self.n_queries))

    @cached_property
    def nth(self) -> np.ndarray:
        """(H,) for each hit: the how-manieth hit of its query it is, from 1."""
        return _read_only(nth_of_query(self.query))

    @cached_property
    def nth_relevant(self) -> np.ndarray:
        """(R,) the rank of each relevant item in the ideal order of its query."""
        return _read_only(nth_of_query(self.relevant_query))

    def per_query(self, weights: np.ndarray) -> np.ndarray:
        """(Q,) the sum over each query's hits of `weights` (H,)."""
        return sum_per_query(self.query, weights, self.n_queries)

    def at_least(self, grade: float) -> "Hits":
        """The same lists with only items of this grade or a higher one called relevant."""
        hit, relevant = self.grade >= grade, self.relevant_grade >= grade
        return self if hit.all() and relevant.all() else self._kept(hit, relevant)

    def of_queries(self, kept: np.ndarray) -> "Hits":
        """Those of some queries, of which `kept` (Q,) says whether they stay."""
        place = np.cumsum(kept) - 1
        found = self._kept(kept[self.query], kept[self.relevant_query])
        return replace(
            found,
            query_ids=self.query_ids[kept],
            query=place[found.query],
            relevant_query=place[found.relevant_query],
            n_retrieved=self.n_retrieved[kept],
        )

    def _kept(self, hit: np.ndarray, relevant: np.ndarray) -> "Hits":
        return replace(
            self,
            query=self.query[hit],
            rank=self.rank[hit],
            grade=self.grade[hit],
            top=self.top[hit],
            tied=self.tied[hit],
            relevant_query=self.relevant_query[relevant],
            relevant_grade=self.relevant_grade[relevant],
        )

    def within(self, k: int | None) -> np.ndarray:
        """(H,) which hits stand in the first k ranks; all of them where k is None."""
        return self.rank <= (np.inf if k is None else k)

    @cached_property
    def best(self) -> "Hits":
        """The same lists with the relevant items first in each tie, the highest grade foremost."""
        return self._untied("best")

    @cached_property
    def worst(self) -> "Hits":
        """The same lists with the relevant items last in each tie, the lowest grade foremost."""
        return self._untied("worst")

    def _untied(self, order: Literal["best", "worst"]) -> "Hits":
        sign = -1 if order == "best" else 1
        sort = np.lexsort((sign * self.grade, self.top, self.query))
        top, tied = self.top[sort], self.tied[sort]
        first, size = first_of_tie(self.query, top)
        rank = top + np.arange(len(top)) - first + (tied - size if order == "worst" else 0)
        judged = self.judged and getattr(self.judged, order)
        return replace(self, rank=rank, grade=self.grade[sort], top=top, tied=tied, judged=judged)

    @cached_property
    def all_tied(self) -> "Hits":
        """The same items as if all of a query's had the same score: nothing is known of them."""
        return replace(
            self,
            top=np.ones_like(self.rank),
            tied=self.n_retrieved[self.query].astype(np.int64),
            judged=self.judged and self.judged.all_tied,
        )

    @cached_property
    def closed_up(self) -> "Hits":
        """The same lists without the items that are no hits: those below them move up."""
        first, size = first_of_tie(self.query, self.top)
        n_hits = np.bincount(self.query, minlength=self.n_queries)
        return replace(self, rank=self.nth, top=self.nth[first], tied=size, n_retrieved=n_hits)


def _read_only(array: np.ndarray) -> np.ndarray:
    seen = array.view()
    seen.flags.writeable = False
    return seen


def first_of_tie(query: np.ndarray, top: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(H,) for each hit the position of the first hit with its score, and how many have it."""
    new = np.concatenate([[True], (np.diff(query) != 0) | (np.diff(top) != 0)])[: len(query)]
    firsts = np.flatnonzero(new)
    size = np.diff(firsts, append=len(query))
    return np.repeat(firsts, size), np.repeat(size, size)


def sum_per_query(query: np.ndarray, weights: np.ndarray, n_queries: int) -> np.ndarray:
    """(Q,) the sum of each query's `weights`, for each of which `query` says whose it is."""
    sums = np.bincount(query, weights=weights, minlength=n_queries)
    return sums.astype(float)  # where there are no weights at all, numpy makes integers


def nth_of_query(query: np.ndarray) -> np.ndarray:
    """(N,) the position from 1 of each row within its query, for queries that ascend."""
    first, _ = first_of_tie(query, query)
    return np.arange(len(query)) - first + 1


class Tables:
    """A run and qrels, in memory or in an engine: checked once, and asked for their hits often.

    Args:
        run, qrels, queries, relevant_from, reading: as in `evaluate`, which says what is refused.

    Example:
        >>> Tables({"q": {"a": 0.2, "b": 0.9}}, {"q": {"a": 1}}).hits().rank.tolist()
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
                f"relevant_from={relevant_from!r} is not a grade; expected a number above 0, or "
                "None for any grade above 0."
            )
        self.run, self.qrels = tables_of(run, qrels, **reading)
        self.queries = None if queries is None else _texts(queries)
        self.of_one = are_one(run, qrels)
        self.relevant_from = relevant_from
        self._counted: dict[tuple[str, float], Hits] = {}

    def hits(
        self,
        *,
        ties: str = "doc_id",
        unjudged: str = "not_relevant",
        low_grades: str = "nothing",
        judged: bool = False,
    ) -> Hits:
        """The hits under these conventions; with `judged` also every judged item, as a hit."""
        lowest = self.relevant_from
        if lowest is None or low_grades == "gain":
            lowest = ABOVE_ZERO
        if not judged and unjudged == "not_relevant":
            return self._ordered(ties, lowest)
        every = self._ordered(ties, -np.inf)
        kept = every.closed_up if unjudged == "removed" else every
        return replace(kept.at_least(lowest), judged=every)

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
    """Ids as they compare, each once."""
    one = isinstance(queries, str) or not hasattr(queries, "__iter__")
    queries = [queries] if one else queries
    found = [*dict.fromkeys(map(str, queries))]
    if not found:
        raise DataError("queries is empty. Name those to evaluate, or leave it out for all.")
    return found


def _chosen(queries: Sequence[str], judged: np.ndarray) -> np.ndarray:
    """(Q,) which of the judged queries are named."""
    if strangers := [*dict.fromkeys(queries).keys() - {*judged}]:
        first = next(query for query in queries if query in strangers)
        raise DataError(
            f"queries: {len(strangers)} of {len(queries)} are not judged, the first is "
            f"{shown(first)}. The qrels judge {len(judged):,}, such as {shown(judged[0])}: name "
            "only those."
        )
    return np.isin(judged, np.array(queries, dtype=object))


def _hits(run: Run | LazyRun, wanted: RelevantItems, ties: str) -> Hits:
    counted = run.hits(wanted, ties=ties)
    # a tie may leave hits with one rank: their grades give them one order, wherever they come from
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
