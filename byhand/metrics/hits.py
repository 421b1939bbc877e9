"""Where the relevant items landed: the one thing that every metric here is a function of."""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Hits:
    """The ranks and grades of the relevant items that each query retrieved, to be read only.

    Example:
        >>> from byhand.metrics.cases import hits_of_lists
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

    def __post_init__(self) -> None:
        for name, each in vars(self).items():
            if isinstance(each, np.ndarray):  # several measures have it in common
                object.__setattr__(self, name, _read_only(each))

    @property
    def n_queries(self) -> int:
        """How many queries there are."""
        return len(self.query_ids)

    @property
    def missing(self) -> np.ndarray:
        """(Q,) which queries the run lacks."""
        return self.n_retrieved == 0

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
        return replace(self, rank=rank, grade=self.grade[sort], top=top, tied=tied)

    @cached_property
    def all_tied(self) -> "Hits":
        """The same items as if all of a query's had the same score: nothing is known of them."""
        return self._all_tied()

    def _all_tied(self) -> "Hits":
        tied = self.n_retrieved[self.query].astype(np.int64)
        return replace(self, top=np.ones_like(self.rank), tied=tied)

    @cached_property
    def closed_up(self) -> "Hits":
        """The same lists without the items that are no hits: those below them move up."""
        first, size = first_of_tie(self.query, self.top)
        n_hits = np.bincount(self.query, minlength=self.n_queries)
        return replace(self, rank=self.nth, top=self.nth[first], tied=size, n_retrieved=n_hits)

    def among(self, judged: "Hits") -> "JudgedHits":
        """The same, and beside them every judged item as if it were a hit."""
        own = {each.name: getattr(self, each.name) for each in fields(Hits)}
        return JudgedHits(**own, judged=judged)


@dataclass(frozen=True)
class JudgedHits(Hits):
    """Hits, and the items that are judged and not relevant: some measures look at these, too."""

    judged: Hits = field(kw_only=True)  # the same lists, of which every judged item is a hit

    @property
    def missing(self) -> np.ndarray:
        """(Q,) which queries the run lacks; not those whose items were all removed."""
        return self.judged.missing

    def _untied(self, order: Literal["best", "worst"]) -> Hits:
        return replace(super()._untied(order), judged=getattr(self.judged, order))

    def _all_tied(self) -> Hits:
        return replace(super()._all_tied(), judged=self.judged.all_tied)


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


def sum_so_far(query: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(N,) the sum of the `weights` (N,) of each query down to each of them."""
    return pd.Series(weights.astype(float)).groupby(query).cumsum().to_numpy()


def at_ranks(rank: np.ndarray, values: np.ndarray | float, n_ranks: int) -> np.ndarray:
    """(n_ranks,) these values at their ranks of one list, and 0 at the others."""
    at = np.zeros(n_ranks)
    at[rank - 1] = values
    return at


def nth_of_query(query: np.ndarray) -> np.ndarray:
    """(N,) the position from 1 of each row within its query, for queries that ascend."""
    first, _ = first_of_tie(query, query)
    return np.arange(len(query)) - first + 1
