"""Rank hits by counting: the rank of an item is one plus the number of items before it.

Bisection finds each row's place among the scores of its query's hits. The counts of these places
give the ranks. Rows tied with a hit are counted again in the tie order. If rows are sorted by query
and score, as in most files, each hit is bisected among the rows instead.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, NamedTuple, Self
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from byhand.duplicates import KEEP_BEST, KEEP_ONE, Duplicates, left_out
from byhand.errors import DataError
from byhand.parallel import blocks, in_threads
from byhand.tables.columns import finite_numbers, keys_of
from byhand.tables.qrels import RelevantItems
from byhand.tables.rows import Rows


class WeakCache(WeakKeyDictionary):
    """A cache whose entries live as long as their keys; copies are empty."""

    def __reduce__(self) -> tuple[type, tuple]:
        return type(self), ()


@dataclass(frozen=True)
class CountedHits:
    """The hits of a run, or of a part of it, and its queries."""

    item: np.ndarray  # (H,) position of each hit among the relevant items of the qrels
    rank: np.ndarray  # (H,) from 1; without a tie order the first of its tie
    top: np.ndarray  # (H,) first rank of its tie
    tied: np.ndarray  # (H,) number of items with its score, itself included
    n_retrieved: np.ndarray  # (Q,) number of items that each judged query retrieved
    n_run_only: int  # number of unjudged queries of the run


def without_repeats(frame: pd.DataFrame, duplicates: Duplicates | None) -> pd.DataFrame:
    """Keep one row of each query and item of a run; note how many rows are left out in `.attrs`."""
    if duplicates is None:
        return frame
    run = Run.of(frame)
    kept = run.rows_to_keep(run.score if duplicates == "best" else None)
    left = int((~kept).sum())
    found = frame[kept].reset_index(drop=True) if left else frame
    notes = [*frame.attrs.get("notes", []), *left_out(left, duplicates)]
    found.attrs = {**frame.attrs, "notes": notes, "repeated": left + frame.attrs.get("repeated", 0)}
    return found


@dataclass(frozen=True)
class Run(Rows):
    """A checked run in memory."""

    score: np.ndarray  # (N,) finite float64
    repeated: int | None = None  # number of repeated rows left out; None: repeats are refused
    name: ClassVar[str] = "run"
    number: ClassVar[str] = "score"
    # caches for each set of relevant items: counts, and rows, which are the same for other scores
    _known: WeakCache[RelevantItems, "_RankedHits"] = field(default_factory=WeakCache, init=False)
    _rows: WeakCache[RelevantItems, tuple] = field(default_factory=WeakCache, init=False)

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Self:
        """Check the columns of a frame, except for repeats."""
        name = "score" if "score" in frame else "rank"
        score = finite_numbers(frame, name, "run").astype(float, copy=False)
        return super().of(frame, score=score if name == "score" else -score)

    def scored(self, score: np.ndarray) -> "Run":
        """Return the same rows with other scores."""
        found = replace(self, score=score)
        found._rows.update(self._rows)
        return found

    @property
    def fix_of_repeats(self) -> str:
        """Return the advice on repeated rows."""
        return KEEP_ONE if self.ordered else KEEP_BEST

    @cached_property
    def falls(self) -> bool:
        """Return whether each query's rows are consecutive, with falling scores."""
        if self.bounds is None:
            return False
        for start, stop in blocks(len(self)):
            block = self.score[start : stop + 1]
            rises = start + 1 + np.flatnonzero(block[1:] > block[:-1])
            if (self.bounds[np.searchsorted(self.bounds, rises)] != rises).any():
                return False
        return True

    def hits(self, relevant: RelevantItems, *, ties: str) -> CountedHits:
        """Find the relevant items of each judged query, and compute their ranks.

        `"doc_id"`, `"doc_id_ascending"` and `"input"` order items with equal scores. For any other
        tie order, each item gets the first rank of its tie.

        Raises:
            DataError: If a (query, item) pair is repeated, or no query of the run is judged.
        """
        if ties == "input" and not self.ordered:
            raise no_order()
        queries = retrieved_counts(relevant, self.query_ids, self.sizes)
        return CountedHits(*self.ranked(relevant, ties), *queries)

    def ranked(self, relevant: RelevantItems, ties: str) -> tuple[np.ndarray, ...]:
        """Return item, rank, top and tied of the hits; the run may have no judged query."""
        if relevant not in self._known:
            self._known[relevant] = _ranked_hits(self, relevant)
        found = self._known[relevant]
        rank = top = 1 + found.above
        if ties in ("doc_id", "doc_id_ascending", "input"):
            before = _count_tied(self, found, by_text=ties != "input")
            rank = top + (found.size - 1 - before if ties == "doc_id_ascending" else before)
        return found.item, rank, top, found.size


def no_order() -> DataError:
    """Return the error for `ties="input"` in a table whose rows have no order."""
    return DataError(
        "run: ties='input' keeps equal scores in the order of the rows, but the rows of a table "
        "in a database have no order. Choose another tie order, such as ties='doc_id'."
    )


def retrieved_counts(
    relevant: RelevantItems, queries: Sequence[str], sizes: np.ndarray
) -> tuple[np.ndarray, int]:
    """Return how many items each judged query retrieved, and how many queries are unjudged.

    `sizes` are the numbers of rows of the `queries`. A DataError is raised if none is judged.
    """
    place = relevant.positions(queries)
    if len(place) == 0:
        raise DataError("run has no rows. Pass the table that contains the retrieved items.")
    if (place < 0).all():
        raise DataError(
            f"run and qrels have no query in common. The first id is {queries[0]!r} in the run, "
            f"but {relevant.query_ids[0]!r} in the qrels. Use the same ids in both."
        )
    n_retrieved = np.zeros(len(relevant.query_ids), dtype=np.int64)
    n_retrieved[place[place >= 0]] = sizes[place >= 0]
    return n_retrieved, int((place < 0).sum())


class _RankedHits(NamedTuple):
    """The hits of a run, sorted by query and falling score, and the rows tied with them."""

    item: np.ndarray  # (H,)
    row: np.ndarray  # (H,)
    above: np.ndarray  # (H,) number of rows of the query with a higher score
    size: np.ndarray  # (H,) number of rows with an equal score
    last: np.ndarray  # (H,) last hit with the same score
    tied_row: np.ndarray  # rows with the score of a hit, ascending
    tied_last: np.ndarray  # last hit that each of them is tied with


def _ranked_hits(run: Run, relevant: RelevantItems) -> _RankedHits:
    """Find the hits of a run, and count the rows with equal and higher scores."""
    place = relevant.positions(run.query_ids)
    if relevant not in run._rows:
        run._rows[relevant] = _relevant_rows(run, relevant, place)
    item, row = run._rows[relevant]
    score = run.score[row]
    order = np.lexsort((-score, relevant.query[item]))
    item, row, score = item[order], row[order], score[order]
    if run.falls:
        above, tied_row, tied_last = _look_up(run, row, score)
    else:
        start = np.searchsorted(relevant.query[item], np.arange(len(relevant.query_ids) + 1))
        above, tied_row, tied_last = _count_above(run, place, score, start)
    size_at_last = np.bincount(tied_last, minlength=len(item))
    lasts = np.flatnonzero(size_at_last)
    last = lasts[np.searchsorted(lasts, np.arange(len(item)))]
    above = above.astype(np.int64, copy=False)  # positions may be 32 bits
    return _RankedHits(item, row, above, size_at_last[last], last, tied_row, tied_last)


def _relevant_rows(
    run: Run, relevant: RelevantItems, judged_of: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the retrieved relevant items and their rows, each item once."""
    if relevant.row is not None:
        return np.arange(len(relevant.row)), relevant.row
    keys = run.unrepeated()
    place_in_run = np.full(len(relevant.query_ids) + 1, -1)  # the last one is for unjudged queries
    place_in_run[judged_of] = np.arange(len(judged_of))
    query = place_in_run[relevant.query]
    items = np.flatnonzero(query >= 0)
    wanted = keys.lowest(query[items], keys_of(relevant.doc[items]))
    which, row = keys.find(wanted)
    item = items[which]
    same = (run.doc.text(row) == relevant.doc[item]).astype(bool)
    return item[same], row[same]


def _insertion(
    descending: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    value: np.ndarray,
    behind: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.greater_equal,
) -> np.ndarray:
    """Bisect all values at once: their place in descending[low:high], after equal ones."""
    last = len(descending) - 1
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) >> 1
        open_ = low < high
        right = open_ & behind(descending[np.minimum(middle, last)], value).astype(bool)
        low = np.where(right, middle + 1, low)
        high = np.where(open_ & ~right, middle, high)
    return low


def accumulate(counts: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return running sums of `counts` that restart at each start."""
    total = np.concatenate([[0], np.cumsum(counts)])
    return total[1:] - np.repeat(total[start[:-1]], np.diff(start))


def _look_up(
    run: Run, hit: np.ndarray, score: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the same as `_count_above` for a run that is sorted by score."""
    query = run.query[hit]
    begin, stop = run.bounds[query], run.bounds[query + 1]
    first = _insertion(run.score, begin, stop, score, np.greater)
    end = _insertion(run.score, first, stop, score)
    last = np.flatnonzero(np.diff(first, append=-1))  # last hit of each score
    last = last[np.argsort(first[last])]
    size = end[last] - first[last]
    row = np.arange(size.sum()) + np.repeat(end[last] - np.cumsum(size), size)
    return first - begin, row, np.repeat(last, size)


def _count_above(
    run: Run, judged_of: np.ndarray, hit_score: np.ndarray, start: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Count the rows of its query above each hit, and return the rows tied with a hit and this hit.

    The hits of query q, by falling score, are those from start[q] up to start[q + 1].
    """
    n_hits = len(hit_score)
    # skip rows below the lowest hit of their query; query -1 reads the last entry
    floor = np.full(len(start), np.inf)
    with_hits = np.flatnonzero(np.diff(start))
    floor[with_hits] = hit_score[start[with_hits + 1] - 1]
    floor = floor[judged_of]

    def count(block: tuple[int, int]) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
        query, score = run.query[slice(*block)], run.score[slice(*block)]
        rows = block[0] + np.flatnonzero(score >= floor[query])
        queries, score = judged_of[run.query[rows]], run.score[rows]
        end = start[queries + 1]
        place = _insertion(hit_score, start[queries], end, score)
        equal = np.flatnonzero((place > start[queries]) & (hit_score[place - 1] == score))
        ahead = place[place < end]
        lowest = ahead.min(initial=n_hits)
        return lowest, np.bincount(ahead - lowest), rows[equal], place[equal] - 1

    ahead = np.zeros(n_hits, dtype=np.int64)
    tied = [(start[:0], start[:0])]
    for lowest, counts, *equal in in_threads(count, blocks(len(run))):
        ahead[lowest : lowest + len(counts)] += counts
        tied.append(equal)
    return accumulate(ahead, start), *map(np.concatenate, zip(*tied, strict=True))


def _count_tied(run: Run, found: _RankedHits, *, by_text: bool) -> np.ndarray:
    """Count for each hit the tied rows with a higher id, or those before it."""
    before = np.zeros(len(found.item), dtype=np.int64)
    hits = np.flatnonzero(found.size > 1)
    if len(hits) == 0:
        return before
    rows = found.size[found.tied_last] > 1
    group, row = found.tied_last[rows], found.tied_row[rows]
    key = run.doc.text(row) if by_text else -row
    hit_key = key[np.searchsorted(row, found.row[hits])]
    order = np.lexsort((-np.unique(hit_key, return_inverse=True)[1], found.last[hits]))
    start = np.searchsorted(found.last[hits], np.arange(len(before) + 1))
    end = start[group + 1]
    place = _insertion(hit_key[order], start[group], end, key)
    counts = np.bincount(place[place < end], minlength=len(hits))
    before[hits[order]] = accumulate(counts, start)
    return before
