"""What could be said of items that nobody judged, and how far that can move a value.

Each of them is relevant or not. How many are, settles what a value is divided by, and of so many
those that stand first give the most, those that stand last the least: an item that changes places
with one below it moves every hit that it passes. So of the 2^u ways to judge u items, u + 1 hold
the most, and u + 1 the least.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from byhand.metrics.hits import Hits, nth_of_query, sum_per_query, sum_so_far

FIXED = ("doc_id", "doc_id_ascending", "input")  # orders that do not look at what is relevant


@dataclass(frozen=True)
class Chain:
    """Lists of which 0, 1, ... and all unjudged items are relevant: the first, or the last ones.

    An array (M,) has a value for each query and number of such items, from 0 on.
    """

    query: np.ndarray  # (N,) for each retrieved item the position of its query, ascending
    rank: np.ndarray  # (N,) its rank from 1
    relevant: np.ndarray  # (N,) whether it is judged relevant
    unjudged: np.ndarray  # (N,) whether nobody judged it
    first: bool  # whether the first ones are relevant, or the last ones
    n_relevant: np.ndarray  # (Q,) how many items are judged relevant, retrieved or not
    n_retrieved: np.ndarray  # (Q,)

    @cached_property
    def n_unjudged(self) -> np.ndarray:
        """(Q,) how many unjudged items each list has."""
        return np.bincount(self.query[self.unjudged], minlength=len(self.n_relevant))

    @cached_property
    def begins(self) -> np.ndarray:
        """(Q,) where the values of each query begin."""
        return np.cumsum(self.n_unjudged + 1) - self.n_unjudged - 1

    @cached_property
    def whose(self) -> np.ndarray:
        """(M,) the position of the query."""
        return np.repeat(np.arange(len(self.n_relevant)), self.n_unjudged + 1)

    @cached_property
    def more(self) -> np.ndarray:
        """(M,) how many unjudged items are relevant."""
        return nth_of_query(self.whose) - 1

    @property
    def total(self) -> np.ndarray:
        """(M,) how many relevant items there are, retrieved or not."""
        return self.n_relevant[self.whose] + self.more

    def so_far(self, values: np.ndarray) -> np.ndarray:
        """(N,) the sum of `values` (N,) down to each item of a query."""
        return sum_so_far(self.query, values)

    def below(self, values: np.ndarray) -> np.ndarray:
        """(N,) the sum of `values` (N,) below each item of a query."""
        total = sum_per_query(self.query, values, len(self.n_relevant))
        return total[self.query] - self.so_far(values)

    def added(self, at_first: np.ndarray, gain: np.ndarray) -> np.ndarray:
        """(M,) the sum of `at_first` (N,), and of the `gain` (N,) of each item made relevant."""
        at = np.zeros(len(self.whose))
        at[self.begins] = sum_per_query(self.query, at_first, len(self.n_relevant))
        query = self.query[self.unjudged]
        nth = nth_of_query(query)
        at[self.begins[query] + (nth if self.first else self.n_unjudged[query] - nth + 1)] = gain[
            self.unjudged
        ]
        return sum_so_far(self.whose, at)

    def within(self, rank: np.ndarray) -> np.ndarray:
        """(M,) how many relevant items stand down to a rank (M,)."""
        begins = np.cumsum(self.n_retrieved) - self.n_retrieved
        place = begins[self.whose] + np.minimum(rank, self.n_retrieved[self.whose])
        relevant, unjudged = (
            np.concatenate([[0], np.cumsum(each)]) for each in (self.relevant, self.unjudged)
        )
        relevant, unjudged = (
            each[place] - each[begins[self.whose]] for each in (relevant, unjudged)
        )
        if self.first:
            return relevant + np.minimum(unjudged, self.more)
        others = self.n_unjudged[self.whose] - self.more
        return relevant + np.maximum(unjudged - others, 0)

    def extreme(self, values: np.ndarray) -> np.ndarray:
        """(Q,) of `values` (M,) the most of each query, or the least if the last are relevant."""
        of = np.maximum if self.first else np.minimum
        return of.reduceat(values, self.begins) if len(values) else values

    def argmax(self, values: np.ndarray) -> np.ndarray:
        """(Q,) where the most of each query stands in `values` (M,)."""
        at = np.flatnonzero(values == self.extreme(values)[self.whose])
        return at[np.unique(self.whose[at], return_index=True)[1]]


@dataclass(frozen=True)
class UnjudgedLists:
    """The lists with every retrieved item for a hit, of which nobody judged some.

    Under an order of equal scores that depends on what is relevant, the least is that of the worst
    order and the most that of the best one: they bound what can come out.
    """

    every: Hits  # of every retrieved item; those that nobody judged have a grade that no other has
    grade: float  # that grade, below all others
    ties: str  # how equal scores are ordered
    lowest: float  # the lowest grade that is relevant
    highest: float  # the highest that an unjudged item may get

    @property
    def levels(self) -> np.ndarray:
        """(L, Q) the grades that are relevant in each query, ascending, and up to the highest."""
        every = self.every
        known = pd.DataFrame({"query": every.relevant_query, "grade": every.relevant_grade})
        known = known[known["grade"] >= self.lowest].drop_duplicates().sort_values([*known])
        query = known["query"].to_numpy()
        nth = nth_of_query(query)
        found = np.full((nth.max(initial=0) + 1, every.n_queries), self.highest)
        found[nth - 1, query] = known["grade"]
        return found

    @property
    def any(self) -> np.ndarray:
        """(Q,) whether a list has an item that nobody judged."""
        unjudged = self.every.query[self.every.grade == self.grade]
        return np.bincount(unjudged, minlength=self.every.n_queries) > 0

    def chain(self, lowest: np.ndarray | float, *, first: bool) -> Chain:
        """The lists, with what has at least this grade, of all or each (Q,), called relevant."""
        every, lowest = self.every, np.broadcast_to(lowest, self.every.n_queries)
        unjudged = every.grade == self.grade
        relevant = every.grade >= lowest[every.query]
        if self.ties not in FIXED:
            state = np.select([relevant, unjudged], [2, 1], 0)
            sort = np.lexsort((-state if first else state, every.top, every.query))
            relevant, unjudged = relevant[sort], unjudged[sort]
        at_least = every.relevant_query[every.relevant_grade >= lowest[every.relevant_query]]
        return Chain(
            query=every.query,
            rank=nth_of_query(every.query),  # each item is there
            relevant=relevant,
            unjudged=unjudged,
            first=first,
            n_relevant=np.bincount(at_least, minlength=every.n_queries),
            n_retrieved=every.n_retrieved.astype(np.int64),
        )
