"""Where the relevant items landed: the one thing that every metric here is a function of."""

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd

from helpers.errors import DataError
from helpers.metrics.conventions import TieOrder
from helpers.tables.columns import Qrels, Run
from helpers.tables.counting import hits_of_run

Relevant = Mapping[Hashable, float] | Iterable[Hashable]
Case = tuple[Sequence[Hashable], Relevant]


@dataclass(frozen=True)
class Hits:
    """The ranks and grades of the relevant items that each query retrieved.

    Attributes:
        query_ids: (Q,) the queries, in the order of the qrels or of the cases.
        query: (H,) for each hit the position of its query in `query_ids`, ascending.
        rank: (H,) for each hit its rank from 1, ascending within a query.
        grade: (H,) for each hit its grade, above 0.
        top: (H,) for each hit the first rank of the items with its score.
        tied: (H,) for each hit how many items have its score, itself included.
        relevant_query: (R,) for each relevant item, retrieved or not, the position of its query.
        relevant_grade: (R,) its grade, descending within a query: the ideal order.
        n_retrieved: (Q,) how many items each query retrieved.
        n_run_only: how many further queries the run has that nobody judged.

    Example:
        >>> hits = hits_of_lists([(["D1", "D4", "D2"], {"D4", "D9"})])
        >>> hits.rank.tolist(), hits.n_relevant.tolist()
        ([2], [2])
    """

    query_ids: np.ndarray
    query: np.ndarray
    rank: np.ndarray
    grade: np.ndarray
    top: np.ndarray
    tied: np.ndarray
    relevant_query: np.ndarray
    relevant_grade: np.ndarray
    n_retrieved: np.ndarray
    n_run_only: int = 0

    @property
    def n_queries(self) -> int:
        """How many queries there are."""
        return len(self.query_ids)

    @cached_property
    def n_relevant(self) -> np.ndarray:
        """(Q,) how many relevant items each query has, retrieved or not."""
        return np.bincount(self.relevant_query, minlength=self.n_queries)

    @cached_property
    def nth(self) -> np.ndarray:
        """(H,) for each hit: the how-manieth hit of its query it is, from 1."""
        return nth_of_query(self.query)

    def per_query(self, weights: np.ndarray) -> np.ndarray:
        """(Q,) the sum over each query's hits of `weights` (H,)."""
        return sum_per_query(self.query, weights, self.n_queries)

    def at_least(self, grade: float) -> "Hits":
        """The same lists with only items of this grade or a higher one called relevant."""
        hit, relevant = self.grade >= grade, self.relevant_grade >= grade
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
        return replace(self, rank=rank, grade=self.grade[sort], top=top, tied=tied)

    @cached_property
    def all_tied(self) -> "Hits":
        """The same items as if all of a query's had the same score: nothing is known of them."""
        return replace(
            self, top=np.ones_like(self.rank), tied=self.n_retrieved[self.query].astype(np.int64)
        )


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
    return np.arange(len(query)) - np.searchsorted(query, query) + 1


def hits_of_lists(cases: Iterable[Case]) -> Hits:
    """Hits of (ranked, relevant) pairs, one query each.

    Args:
        cases: pairs of a ranked list (best first, no repeats) and what is relevant: a set, list
            or other iterable of items (grade 1), or a mapping item -> grade. A grade of 0 or
            below means not relevant.

    Raises:
        DataError: a repeated item, a text, table or set where a list belongs, an item that
            cannot be looked up, or a grade that is no finite number.

    Example:
        >>> hits_of_lists([("ABC", ["B"])])
        Traceback (most recent call last):
        helpers.errors.DataError: ranked is the text 'ABC', not a list of items. \
Put the items into a list: ['ABC'] if it is one item.
    """
    query, rank, grade, relevant_query, relevant_grade, n_retrieved = [], [], [], [], [], []
    for case, pair in enumerate(cases):
        ranked, relevant = _pair(pair, case)
        grades = relevant_grades(relevant)
        landed = _ranks(ranked)
        found = sorted((landed[item], g) for item, g in grades.items() if item in landed)
        query += [case] * len(found)
        rank += [r for r, _ in found]
        grade += [g for _, g in found]
        relevant_query += [case] * len(grades)
        relevant_grade += sorted(grades.values(), reverse=True)
        n_retrieved.append(len(landed))
    ranks = np.array(rank, dtype=np.int64)
    return Hits(
        query_ids=np.arange(len(n_retrieved)),
        query=np.array(query, dtype=np.int64),
        rank=ranks,
        grade=np.array(grade, dtype=float),
        top=ranks,
        tied=np.ones_like(ranks),
        relevant_query=np.array(relevant_query, dtype=np.int64),
        relevant_grade=np.array(relevant_grade, dtype=float),
        n_retrieved=np.array(n_retrieved, dtype=np.int64),
    )


def _pair(pair: Case, case: int) -> Case:
    try:
        ranked, relevant = pair
    except (TypeError, ValueError):
        raise DataError(
            f"Case {case} is {pair!r}, not a pair. Each case is (ranked, relevant); put a single "
            "one into a list: [(ranked, relevant)]."
        ) from None
    return ranked, relevant


def ranked_items(ranked: Sequence[Hashable]) -> list[Hashable]:
    """The items of a ranked list, best first.

    Raises:
        DataError: something that is no list, or has no order.

    Example:
        >>> ranked_items({"D1", "D4"})
        Traceback (most recent call last):
        helpers.errors.DataError: ranked is a set, which does not say which item comes first. \
Pass a list of items, best first.
    """
    if isinstance(ranked, set | frozenset | Mapping | pd.DataFrame):
        raise DataError(
            f"ranked is a {type(ranked).__name__}, which does not say which item comes first. "
            "Pass a list of items, best first."
        )
    return _items(ranked, "ranked")


def _ranks(ranked: Sequence[Hashable]) -> dict[Hashable, int]:
    ranks: dict[Hashable, int] = {}
    for rank, item in enumerate(ranked_items(ranked), start=1):
        if item in ranks:
            raise DataError(
                f"{item!r} stands at rank {ranks[item]} and again at rank {rank} of the ranked "
                "list. A ranked list holds each item once: remove the repeat."
            )
        ranks[item] = rank
    return ranks


def relevant_grades(relevant: Relevant) -> dict[Hashable, float]:
    """The relevant items with their grades: 1 where none is given, never 0 or below.

    Raises:
        DataError: a text or table where a list belongs, or a grade that is no finite number.

    Example:
        >>> relevant_grades({"a": 2, "b": 0})
        {'a': 2.0}
    """
    if isinstance(relevant, pd.Series | pd.DataFrame):
        raise DataError(
            f"relevant is a {type(relevant).__name__}, whose items could be its values or its "
            "index. Pass list(series) if the items are its values, series.to_dict() if it holds "
            "the grades of the items in its index."
        )
    if not isinstance(relevant, Mapping):
        items = _items(relevant, "relevant")
        # a set has no order of its own: whatever shows it should show it the same every time
        return dict.fromkeys(sorted(items, key=str) if isinstance(relevant, Set) else items, 1.0)
    grades = {}
    for item, grade in relevant.items():
        try:
            grades[item] = float(grade)
        except (TypeError, ValueError, OverflowError):
            grades[item] = np.nan
        if not np.isfinite(grades[item]):
            raise DataError(
                f"The grade of {item!r} is {grade!r}. A grade is a finite number: 0 for not "
                "relevant, 1 for relevant, more for more relevant."
            )
    return {item: grade for item, grade in grades.items() if grade > 0}


def _items(items: object, name: str) -> list[Hashable]:
    if isinstance(items, str | bytes) or not isinstance(items, Iterable):
        kind = "text" if isinstance(items, str) else type(items).__name__
        raise DataError(
            f"{name} is the {kind} {items!r}, not a list of items. "
            f"Put the items into a list: [{items!r}] if it is one item."
        )
    listed = list(items)
    for item in listed:
        try:
            hash(item)
        except TypeError:
            raise DataError(
                f"{name} holds {item!r} ({type(item).__name__}), which cannot be looked up. Items "
                "are text, numbers or tuples."
            ) from None
    return listed


def hits_of_tables(run: pd.DataFrame, qrels: pd.DataFrame, *, ties: TieOrder = "doc_id") -> Hits:
    """Hits of a run under qrels, one query for each query that the qrels judge.

    Args:
        run: one row a retrieved item: `query_id`, `doc_id`, `score` (finite, higher is better).
        qrels: one row a judgement: `query_id`, `doc_id`, `relevance` (finite).
        ties: the order of items with equal scores, as in `Conventions`.

    Raises:
        DataError: a missing column or value, a repeated (query, item), a score or grade that is
            no finite number, no query in common.

    Example:
        >>> run = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": [0.2, 0.9]})
        >>> qrels = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
        >>> hits_of_tables(run, qrels).rank.tolist()
        [2]
    """
    judged = Qrels.of(qrels)
    counted = hits_of_run(Run.of(run), judged, ties=ties)
    order = np.lexsort((counted.rank, judged.query[counted.item]))
    item = counted.item[order]
    ideal = np.lexsort((-judged.grade, judged.query))
    hits = Hits(
        query_ids=judged.query_ids,
        query=judged.query[item],
        rank=counted.rank[order],
        grade=judged.grade[item],
        top=counted.top[order],
        tied=counted.tied[order],
        relevant_query=judged.query[ideal],
        relevant_grade=judged.grade[ideal],
        n_retrieved=counted.n_retrieved,
        n_run_only=counted.n_run_only,
    )
    return getattr(hits, ties) if ties in ("best", "worst") else hits
