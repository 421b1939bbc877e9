"""The ranks and grades of the relevant items, from which every measure is computed."""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Hits:
    """The ranks and grades of the relevant items that each query retrieved; read-only.

    Example:
        >>> from byhand.metrics.cases import hits_of_lists
        >>> hits = hits_of_lists([(["D1", "D4", "D2"], {"D4", "D9"})])
        >>> hits.rank.tolist(), hits.n_relevant.tolist()
        ([2], [2])
    """

    query_ids: np.ndarray  # (Q,) queries, in the order of the qrels or of the cases
    query: np.ndarray  # (H,) position of the query in `query_ids`, ascending
    rank: np.ndarray  # (H,) rank from 1, ascending within a query
    grade: np.ndarray  # (H,) grade, above 0 except in `JudgedHits.judged`
    top: np.ndarray  # (H,) first rank of the items with the same score
    tied: np.ndarray  # (H,) number of items with the same score, including the hit
    relevant_query: np.ndarray  # (R,) query position of each relevant item, retrieved or not
    relevant_grade: np.ndarray  # (R,) grade, descending within a query: the ideal order
    n_retrieved: np.ndarray  # (Q,) number of items that each query retrieved
    n_run_only: int = 0  # number of unjudged queries of the run

    def __post_init__(self) -> None:
        for name, each in vars(self).items():
            if isinstance(each, np.ndarray):  # measures share the arrays
                object.__setattr__(self, name, _read_only(each))

    @property
    def n_queries(self) -> int:
        """Return the number of queries."""
        return len(self.query_ids)

    @property
    def missing(self) -> np.ndarray:
        """Return a mask (Q,) of the queries that the run lacks."""
        return self.n_retrieved == 0

    @cached_property
    def n_relevant(self) -> np.ndarray:
        """Return the number (Q,) of relevant items of each query, retrieved or not."""
        return _read_only(np.bincount(self.relevant_query, minlength=self.n_queries))

    @cached_property
    def nth(self) -> np.ndarray:
        """Return the position (H,) of each hit among the hits of its query, from 1."""
        return _read_only(nth_of_query(self.query))

    @cached_property
    def nth_relevant(self) -> np.ndarray:
        """Return the rank (R,) of each relevant item in the ideal order of its query."""
        return _read_only(nth_of_query(self.relevant_query))

    def per_query(self, weights: np.ndarray) -> np.ndarray:
        """Return the sum (Q,) of `weights` (H,) over the hits of each query."""
        return sum_per_query(self.query, weights, self.n_queries)

    def at_least(self, grade: float) -> "Hits":
        """Return the same lists in which only items of at least this grade are relevant."""
        hit, relevant = self.grade >= grade, self.relevant_grade >= grade
        return self if hit.all() and relevant.all() else self._select(hit, relevant)

    def of_queries(self, kept: np.ndarray) -> "Hits":
        """Return the hits of the queries selected by the mask `kept` (Q,)."""
        position = np.cumsum(kept) - 1
        hits = self._select(kept[self.query], kept[self.relevant_query])
        return replace(
            hits,
            query_ids=self.query_ids[kept],
            query=position[hits.query],
            relevant_query=position[hits.relevant_query],
            n_retrieved=self.n_retrieved[kept],
        )

    def _select(self, hit: np.ndarray, relevant: np.ndarray) -> "Hits":
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
        """Return a mask (H,) of the hits in the first k ranks; all of them if k is None."""
        return self.rank <= (np.inf if k is None else k)

    @cached_property
    def best(self) -> "Hits":
        """Return the same lists, with hits first in each tie, highest grade first."""
        return self._untied("best")

    @cached_property
    def worst(self) -> "Hits":
        """Return the same lists, with hits last in each tie, lowest grade first."""
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
        """Return the same items as if all items of a query had the same score."""
        return self._all_tied()

    def _all_tied(self) -> "Hits":
        tied = self.n_retrieved[self.query].astype(np.int64)
        return replace(self, top=np.ones_like(self.rank), tied=tied)

    @cached_property
    def closed_up(self) -> "Hits":
        """Return the same lists with only the hits, which move up.

        If every judged item is a hit here, these are the condensed lists.
        """
        first, size = first_of_tie(self.query, self.top)
        n_hits = np.bincount(self.query, minlength=self.n_queries)
        return replace(self, rank=self.nth, top=self.nth[first], tied=size, n_retrieved=n_hits)

    def among(self, judged: "Hits") -> "JudgedHits":
        """Return the same hits, together with every judged item as if it were a hit."""
        own = {each.name: getattr(self, each.name) for each in fields(Hits)}
        return JudgedHits(**own, judged=judged)


@dataclass(frozen=True)
class JudgedHits(Hits):
    """Hits together with the items judged not relevant, for measures that also use these."""

    judged: Hits = field(kw_only=True)  # the same lists with every judged item as a hit

    @property
    def missing(self) -> np.ndarray:
        """Return a mask (Q,) of the missing queries; an empty condensed list is not missing."""
        return self.judged.missing

    def _untied(self, order: Literal["best", "worst"]) -> Hits:
        return replace(super()._untied(order), judged=getattr(self.judged, order))

    def _all_tied(self) -> Hits:
        return replace(super()._all_tied(), judged=self.judged.all_tied)


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


def first_of_tie(query: np.ndarray, top: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each hit (H,) the position of the first hit with its score, and their number."""
    new = np.concatenate([[True], (np.diff(query) != 0) | (np.diff(top) != 0)])[: len(query)]
    firsts = np.flatnonzero(new)
    size = np.diff(firsts, append=len(query))
    return np.repeat(firsts, size), np.repeat(size, size)


def sum_per_query(query: np.ndarray, weights: np.ndarray, n_queries: int) -> np.ndarray:
    """Return the sum (Q,) of the `weights` of each query, with `query` as their query positions."""
    sums = np.bincount(query, weights=weights, minlength=n_queries)
    return sums.astype(float)  # numpy returns integers if there are no weights


def sum_so_far(query: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the cumulative sum (N,) of the `weights` (N,) within each query."""
    return pd.Series(weights.astype(float)).groupby(query).cumsum().to_numpy()


def at_ranks(rank: np.ndarray, values: np.ndarray | float, n_ranks: int) -> np.ndarray:
    """Return an array (n_ranks,) with these values at their ranks in one list, and 0 elsewhere."""
    at = np.zeros(n_ranks)
    at[rank - 1] = values
    return at


def nth_of_query(query: np.ndarray) -> np.ndarray:
    """Return the position (N,) from 1 of each row within its query, for ascending queries."""
    first, _ = first_of_tie(query, query)
    return np.arange(len(query)) - first + 1
