"""Count, don't sort: the rank of an item is one plus the number of items before it.

Each row of a run is placed among the scores of its query's hits by bisection; counting the
rows at each place gives the ranks. Rows that score exactly as much as a hit are counted a
second time, among each other, by whatever the tie order compares. Where the rows of each query
stand together in the order of their scores, as in most files, it is the other way round: each hit
is placed among the rows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from byhand.columns import KEPT
from byhand.errors import DataError
from byhand.parallel import blocks, in_threads
from byhand.tables.rows import Rows, falling

ABOVE_ZERO = float(np.nextafter(0, 1))
_REMEMBERED = 3  # qrels


@dataclass(frozen=True)
class Qrels:
    """The judged queries, and their relevant items.

    Attributes:
        query_ids: (Q,) every judged query as text, in order of first appearance.
        query: (R,) for each relevant item the position of its query in `query_ids`.
        doc: (R,) its id as text; not there if its row is known.
        grade: (R,) its grade.
        row: (R,) its row in the run, where one table says both; else None.
    """

    query_ids: np.ndarray
    query: np.ndarray
    doc: np.ndarray
    grade: np.ndarray
    row: np.ndarray | None = None


@dataclass(frozen=True)
class CountedHits:
    """What counting a run against qrels finds.

    Attributes:
        item: (H,) for each hit its position among the relevant items of the qrels.
        rank: (H,) its rank from 1; where no tie order is asked for, the first one it can have.
        top: (H,) the first rank of the items with its score.
        tied: (H,) how many items have its score, itself included.
        n_retrieved: (Q,) how many items each judged query retrieved.
        n_run_only: how many queries of the run the qrels do not judge.
    """

    item: np.ndarray
    rank: np.ndarray
    top: np.ndarray
    tied: np.ndarray
    n_retrieved: np.ndarray
    n_run_only: int


@dataclass(frozen=True)
class Run(Rows):
    """A checked run in memory: its ids are there, and its scores (N,) are finite numbers.

    Attributes:
        repeated: how many rows were left out, since others have the same (query, item); None if
            such are refused.
    """

    score: np.ndarray
    repeated: int | None = None
    number: ClassVar[str] = "score"
    mend: ClassVar[str] = KEPT
    repeats: ClassVar[None] = None  # are always looked for everywhere
    _known: dict[int, tuple] = field(default_factory=dict, repr=False)
    _rows: dict[int, tuple] = field(default_factory=dict, repr=False)

    def scored(self, score: np.ndarray) -> "Run":
        """The same rows with other scores."""
        return replace(self, score=score, _known={})

    @cached_property
    def falls(self) -> bool:
        """Whether each query's rows stand together, and from the highest score to the lowest."""
        if self.bounds is None:
            return False
        for start, stop in blocks(len(self)):
            block = self.score[start : stop + 1]
            rises = start + 1 + np.flatnonzero(block[1:] > block[:-1])
            if (self.bounds[np.searchsorted(self.bounds, rises)] != rises).any():
                return False
        return True

    def scores(self, rows: slice | np.ndarray) -> np.ndarray:
        """The scores of some rows as they compare exactly: whole numbers as such, else float64."""
        score = self.score[rows]
        return score.astype({"i": np.int64, "u": np.uint64}.get(score.dtype.kind, float))

    def hits(self, judged: Qrels, *, ties: str) -> CountedHits:
        """Find the relevant items of each judged query, once, and count their ranks.

        Args:
            judged: the relevant items.
            ties: `"doc_id"`, `"doc_id_ascending"` and `"input"` order items with equal scores; for
                any other tie order each of them gets the first rank of its tie.

        Raises:
            DataError: a repeated (query, item), or no query in common.
        """
        place, n_retrieved = placed(judged, self.query_ids, self.sizes)
        found, above, tied = remembered(self._known, judged, lambda: _counted(self, judged, place))
        above = above.astype(np.int64, copy=False)  # may be positions, which may be shorter
        size, last = _tie_sizes(tied, len(above))
        rank = 1 + above
        if ties in ("doc_id", "doc_id_ascending", "input"):
            rank = rank + _count_tied(self, found, tied, size, last, ties)
        return CountedHits(found.item, rank, 1 + above, size, n_retrieved, int((place < 0).sum()))


@dataclass(frozen=True)
class Judgements(Rows):
    """Checked qrels in memory: ids that are there and not repeated, finite grades (N,)."""

    relevance: np.ndarray
    number: ClassVar[str] = "relevance"
    mend: ClassVar[str] = (
        "keep one of them, for example with drop_duplicates(['query_id', 'doc_id'])"
    )
    _wanted: dict[tuple[float, bool], Qrels] = field(default_factory=dict, repr=False)

    def once(self) -> np.ndarray:
        """(N,) whether a row stays, if of those with one (query, item) only the first does.

        Raises:
            DataError: two of them with different grades.
        """
        _, named = self._alike()
        graded = named.assign(grade=self.relevance[named.index])
        if len(graded.drop_duplicates()) > len(named.drop_duplicates()):
            self.unrepeated()
        return self.kept()

    def wanted(self, lowest: float, run: object = None) -> Qrels:
        """The judged queries, and the items of at least this grade.

        Args:
            lowest: the grade.
            run: where they will be looked for; their rows are known if the same table says both.
        """
        known = isinstance(run, Run) and run.doc is self.doc
        if (lowest, known) not in self._wanted:
            row = np.flatnonzero(self.relevance >= lowest)
            doc, place = (row[:0], row) if known else (self.doc.text(row), None)
            grade = self.relevance[row].astype(float)
            found = Qrels(self.query_ids, self.query[row], doc, grade, place)
            self._wanted[lowest, known] = found
        return self._wanted[lowest, known]


def remembered(known: dict[int, tuple], judged: Qrels, find: Callable[[], object]) -> object:
    """What was found of these relevant items already, or is found now."""
    if id(judged) not in known:  # while they are held, nothing else has their id
        for old in [*known][:-_REMEMBERED]:
            del known[old]
        known[id(judged)] = judged, find()
    return known[id(judged)][1]


def placed(
    judged: Qrels, queries: Sequence[str], sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where each query of a run stands among the judged ones, or -1; what each of those retrieved.

    Raises:
        DataError: no query of the run, which has so many rows of each, is judged.
    """
    positions = {text: position for position, text in enumerate(judged.query_ids)}
    place = np.array([positions.get(text, -1) for text in queries], dtype=np.int32)
    if len(place) == 0:
        raise DataError("run: no rows. Without retrieved items there is nothing to evaluate.")
    if (place < 0).all():
        raise DataError(
            f"run and qrels have no query in common. The run's begin with {queries[0]!r}, the "
            f"qrels' with {judged.query_ids[0]!r}. Both must name their queries alike."
        )
    n_retrieved = np.zeros(len(judged.query_ids), dtype=np.int64)
    n_retrieved[place[place >= 0]] = sizes[place >= 0]
    return place, n_retrieved


class _Found(NamedTuple):
    """The hits of a run, by query and by score from high to low."""

    item: np.ndarray
    row: np.ndarray
    score: np.ndarray
    start: np.ndarray  # hits of query q: start[q] up to start[q + 1]


def _counted(run: Run, judged: Qrels, place: np.ndarray) -> tuple[_Found, np.ndarray, "_Tied"]:
    """The hits of a run, the rows with a higher score than each, and those with an equal one."""
    found = _hits_by_score(run, judged, place)
    counted = _look_up(run, found) if run.falls else _count_above(run, place, found)
    return found, *counted


def _hits_by_score(run: Run, judged: Qrels, place: np.ndarray) -> _Found:
    """The hits of a run by query, from the highest score to the lowest."""
    item, row = remembered(run._rows, judged, lambda: _relevant_rows(run, judged, place))
    score = run.scores(row)
    order = np.lexsort((falling(score), judged.query[item]))
    item, row, score = item[order], row[order], score[order]
    start = np.searchsorted(judged.query[item], np.arange(len(judged.query_ids) + 1))
    return _Found(item, row, score, start)


def _relevant_rows(run: Run, judged: Qrels, judged_of: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The relevant items that the run holds, and the row of each; the run repeats none."""
    if judged.row is not None:
        return np.arange(len(judged.row)), judged.row
    numbers = run.unrepeated()
    place_in_run = np.full(len(judged.query_ids) + 1, -1)  # the last is for the unjudged ones
    place_in_run[judged_of] = np.arange(len(judged_of))
    query = place_in_run[judged.query]
    items = np.flatnonzero(query >= 0)
    keys = run.doc.keys_of(judged.doc[items])
    which, row = numbers.find(numbers.lowest(query[items], keys))
    item = items[which]
    same = (run.doc.text(row) == judged.doc[item]).astype(bool)
    return item[same], row[same]


def _insertion(
    descending: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    value: np.ndarray,
    behind: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.greater_equal,
) -> np.ndarray:
    """Bisection, all values at once: their place in descending[low:high], behind equal ones."""
    last = len(descending) - 1
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) >> 1
        open_ = low < high
        right = open_ & behind(descending[np.minimum(middle, last)], value).astype(bool)
        low = np.where(right, middle + 1, low)
        high = np.where(open_ & ~right, middle, high)
    return low


def accumulate(counts: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Running sums of `counts` that begin anew at each start."""
    total = np.concatenate([[0], np.cumsum(counts)])
    return total[1:] - np.repeat(total[start[:-1]], np.diff(start))


class _Tied(NamedTuple):
    """Rows (ascending) that score just as much as a hit: `last` is the last hit to do so."""

    row: np.ndarray
    last: np.ndarray


def _look_up(run: Run, found: _Found) -> tuple[np.ndarray, _Tied]:
    """As `_count_above`, for a run whose rows stand in the order of their scores."""
    query = run.query[found.row]
    begin, stop = run.bounds[query], run.bounds[query + 1]
    first = _insertion(run.score, begin, stop, found.score, np.greater)
    end = _insertion(run.score, first, stop, found.score)
    last = np.flatnonzero(np.diff(first, append=-1))  # of the hits with one score
    last = last[np.argsort(first[last])]
    size = end[last] - first[last]
    row = np.arange(size.sum()) + np.repeat(end[last] - np.cumsum(size), size)
    return first - begin, _Tied(row, np.repeat(last, size))


def _count_above(run: Run, judged_of: np.ndarray, found: _Found) -> tuple[np.ndarray, _Tied]:
    """For each hit the rows of its query with a higher score; and the rows with an equal one."""
    n_hits = len(found.item)
    start = found.start
    # rows below the lowest hit of their query are ahead of none; query -1 reads the last entry;
    # a whole number may round to the lowest hit's here, but is then compared exactly
    floor = np.full(len(start), np.inf)
    with_hits = np.flatnonzero(np.diff(start))
    floor[with_hits] = found.score[start[with_hits + 1] - 1]
    floor = floor[judged_of]

    def count(block: tuple[int, int]) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
        query, score = run.query[slice(*block)], run.score[slice(*block)]
        rows = block[0] + np.flatnonzero(score >= floor[query])
        queries, score = judged_of[run.query[rows]], run.scores(rows)
        end = start[queries + 1]
        place = _insertion(found.score, start[queries], end, score)
        equal = np.flatnonzero((place > start[queries]) & (found.score[place - 1] == score))
        ahead = place[place < end]
        lowest = ahead.min(initial=n_hits)
        return lowest, np.bincount(ahead - lowest), rows[equal], place[equal] - 1

    ahead = np.zeros(n_hits, dtype=np.int64)
    tied = [(start[:0], start[:0])]
    for lowest, counts, *equal in in_threads(count, blocks(len(run))):
        ahead[lowest : lowest + len(counts)] += counts
        tied.append(equal)
    return accumulate(ahead, start), _Tied(*map(np.concatenate, zip(*tied, strict=True)))


def _tie_sizes(tied: _Tied, n_hits: int) -> tuple[np.ndarray, np.ndarray]:
    """For each hit how many rows score just as much, and the last hit among them."""
    size_at_last = np.bincount(tied.last, minlength=n_hits)
    lasts = np.flatnonzero(size_at_last)
    last = lasts[np.searchsorted(lasts, np.arange(n_hits))]
    return size_at_last[last], last


def _count_tied(
    run: Run,
    found: _Found,
    tied: _Tied,
    size: np.ndarray,
    last: np.ndarray,
    ties: str,
) -> np.ndarray:
    """For each hit the rows with an equal score that the tie order puts before it."""
    before = np.zeros(len(size), dtype=np.int64)
    hits = np.flatnonzero(size > 1)
    if len(hits) == 0:
        return before
    rows = size[tied.last] > 1
    group_of_row, row = tied.last[rows], tied.row[rows]
    key, descending = _tie_keys(run, row, found.row[hits], ties)
    order = np.lexsort((-descending, last[hits]))
    start = np.searchsorted(last[hits], np.arange(len(size) + 1))
    hit_keys = key[np.searchsorted(row, found.row[hits[order]])]
    end = start[group_of_row + 1]
    place = _insertion(hit_keys, start[group_of_row], end, key)
    counts = np.bincount(place[place < end], minlength=len(hits))
    before[hits[order]] = accumulate(counts, start)
    return before


def _tie_keys(
    run: Run, row: np.ndarray, hit_row: np.ndarray, ties: str
) -> tuple[np.ndarray, np.ndarray]:
    """What the tie order compares, higher first: of the tied rows, and of the hits as integers."""
    if ties == "input":
        return -row, -hit_row
    if ties == "doc_id_ascending":
        key = -np.unique(run.doc.text(row), return_inverse=True)[1]
        return key, key[np.searchsorted(row, hit_row)]
    return run.doc.text(row), np.unique(run.doc.text(hit_row), return_inverse=True)[1]
