"""What a run and its qrels hold, counted once over all rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from byhand.metrics.hits import Hits, Tables
from byhand.metrics.measures.ap import AP
from byhand.metrics.measures.measure import DEFAULT
from byhand.metrics.names import measures_named
from byhand.parallel import blocks
from byhand.tables.counting import Run
from byhand.tables.ids import SEED, mix
from byhand.tables.lazy import LazyRun
from byhand.tables.lazy_columns import LONG

TOP = 10
SAMPLE = 100_000
_AP = AP()
RANGED = ("RR", "AP", "nDCG")


@dataclass(frozen=True)
class Counts:
    """What was counted in a run and its qrels.

    Attributes:
        judged: judged queries. `run_only`: queries of the run that nobody judged.
        missing: ids of judged queries that the run lacks.
        empty: ids of judged queries without a relevant item.
        retrieved: (Q,) items of each judged query that the run holds.
        judged_retrieved: how many of these are judged.
        top, judged_top: the same among the first ten ranks.
        judgements: rows of the qrels. `relevant`: those that count as relevant.
        grades: the grades used, ascending.
        relevant_from: the lowest grade that is relevant; None for any above 0.
        rows: rows of the run. `tied`: those that share score and query with another row;
            `tied_as_float32`: those that do if scores are rounded to float32.
        touched: queries in which a relevant item shares its score.
        tie_range: for each measure asked for the least and the greatest mean over all judged
            queries that the order of equal scores allows.
        precision: what the scores look rounded to; empty if nothing.
        blank_ends: an id that begins or ends with a blank, if one was seen.
        one_score: whether all scores are equal.
        numbered: whether the scores of every query are 1 to n, or 0 to n - 1, each once.
        below: how many standard errors the ranks of the relevant items lie below those of a random
            order.
        by_chance: the mean AP, and what it would be on average in a random order.
        first: an item of the run, and a judged one.
    """

    judged: int
    run_only: int
    missing: Sequence[str]
    empty: Sequence[str]
    retrieved: np.ndarray
    judged_retrieved: int
    top: int
    judged_top: int
    judgements: int
    relevant: int
    grades: np.ndarray
    relevant_from: float | None
    rows: int
    tied: int
    tied_as_float32: int
    touched: int
    tie_range: dict[str, tuple[float, float]]
    precision: str
    blank_ends: str | None
    one_score: bool
    numbered: bool
    below: float
    by_chance: tuple[float, float]
    first: tuple[str, str]


def count(
    run: object,
    qrels: object,
    *,
    measures: Iterable[object] = RANGED,
    relevant_from: float | None = None,
    judged_run: bool = False,
) -> Counts:
    """Count what a run and qrels hold.

    Args:
        run: as `evaluate` takes it, or checked.
        qrels: as `evaluate` takes them, or checked.
        measures: names of those whose range under ties is counted.
        relevant_from: the lowest grade that is relevant; None for any above 0.
        judged_run: whether both are one table that lives in an engine.

    Raises:
        DataError: as `evaluate`.

    Example:
        >>> run = pd.DataFrame({"query_id": "q1", "doc_id": ["D1", "D4"], "score": [0.5, 0.5]})
        >>> qrels = pd.DataFrame({"query_id": ["q1"], "doc_id": ["D4"], "relevance": [1]})
        >>> count(run, qrels).tied
        2
    """
    # of a run that says itself what is relevant every item is judged: too many to bring here
    own = judged_run and run.lazy
    tables = Tables(run, qrels, relevant_from=relevant_from)
    hits = tables.hits(judged=not own)
    ranges = {name: measure.bounds(hits) for name, measure in measures_named(measures).items()}
    heads = [table.head(SAMPLE) for table in (tables.run, tables.qrels)]
    scores = _scores(tables.run)
    top = int(np.minimum(hits.n_retrieved, TOP).sum())
    return Counts(
        judged=hits.n_queries,
        run_only=hits.n_run_only,
        missing=hits.query_ids[hits.n_retrieved == 0],
        empty=hits.query_ids[hits.n_relevant == 0],
        retrieved=hits.n_retrieved,
        judged_retrieved=int(hits.n_retrieved.sum()) if own else len(hits.judged.rank),
        top=top,
        judged_top=top if own else int((hits.judged.rank <= TOP).sum()),
        judgements=len(tables.qrels),
        relevant=len(hits.relevant_grade),
        grades=qrels.few_values() if own else np.unique(hits.judged.relevant_grade),
        relevant_from=relevant_from,
        rows=len(tables.run),
        **vars(scores),
        touched=len(np.unique(hits.query[hits.tied > 1])),
        tie_range={name: (worst.mean(), best.mean()) for name, (worst, best) in ranges.items()},
        blank_ends=_blank_ends(heads[0]) or _blank_ends(heads[1]),
        below=_below_chance(hits),
        by_chance=(_AP.values(hits).mean(), _AP.expected(hits.all_tied, DEFAULT).mean()),
        first=tuple(str(head["doc_id"].iloc[0]) for head in heads),
    )


def _below_chance(hits: Hits) -> float:
    """How far the ranks of the hits lie below those of a random order, in standard errors.

    Over random orders the ranks of m hits among n items add up to m(n + 1)/2, with a variance of
    m(n - m)(n + 1)/12 (Mann and Whitney 1947), or less where items are tied.
    """
    n, m = hits.n_retrieved.astype(float), hits.per_query(np.ones(len(hits.rank)))
    middle = hits.top + (hits.tied - 1) / 2
    variance = (m * (n - m) * (n + 1) / 12).sum()
    return float((middle.sum() - (m * (n + 1) / 2).sum()) / np.sqrt(variance or np.inf))


@dataclass(frozen=True)
class _Scores:
    """Rows that share score and query, exactly and as float32; and what all scores look like."""

    tied: int
    tied_as_float32: int
    precision: str
    one_score: bool
    numbered: bool


def _scores(table: Run | LazyRun) -> _Scores:
    if table.lazy:
        return _scores_in_engine(table)
    exact = np.empty(len(table), dtype=np.uint64)
    rounded = np.empty(len(table), dtype=np.uint64)
    half = brain = True
    for start, stop in blocks(len(table)):
        query = table.query[start:stop]
        score = table.scores(slice(start, stop)) + 0  # -0.0 equals 0
        with np.errstate(over="ignore"):
            single = score.astype(np.float32)
            half = half and bool((score.astype(np.float16) == score).all())
        exact[start:stop] = _keys(query, score.view(np.uint64))
        rounded[start:stop] = _keys(query, single.view(np.uint32).astype(np.uint64))
        brain = brain and bool(((single == score) & (single.view(np.uint32) << 16 == 0)).all())
    whole = all(not (table.score[a:b] % 1).any() for a, b in blocks(len(table)))
    kind = "float16" if half else "bfloat16" if brain else ""
    one = table.score.min() == table.score.max()
    tied = _shared(exact)
    numbered = whole and not tied and _numbered(table)
    return _Scores(tied, _shared(rounded), "" if whole else kind, bool(one), numbered)


def _numbered(table: Run) -> bool:
    """Whether scores that are whole, and differ within a query, are 1 to n or 0 to n - 1 there."""
    least = table.score.min()
    if least not in (0, 1) or table.sizes.max() < LONG:
        return False
    most = table.sizes + (int(least) - 1)
    return all((table.score[a:b] <= most[table.query[a:b]]).all() for a, b in blocks(len(table)))


def _scores_in_engine(run: LazyRun) -> _Scores:
    values = run.few_values()
    precision = "" if values is None or not (values % 1).any() else _precision(values)
    tied, tied_as_float32, numbered = run.scores_within()
    one = values is not None and len(values) == 1
    return _Scores(tied, tied_as_float32, precision, one, numbered)


def _precision(scores: np.ndarray) -> str:
    with np.errstate(over="ignore"):
        single, half = scores.astype(np.float32), scores.astype(np.float16)
    if (half == scores).all():
        return "float16"
    brain = (single == scores) & (single.view(np.uint32) << 16 == 0)
    return "bfloat16" if brain.all() else ""


def _keys(query: np.ndarray, bits: np.ndarray) -> np.ndarray:
    """One number for each pair of a query's position and the bits of a score."""
    return mix(mix(query.astype(np.uint64) ^ SEED) + bits)


def _shared(keys: np.ndarray) -> int:
    """How many keys are there more than once. Sorts them in place."""
    keys.sort()
    same = keys[1:] == keys[:-1]
    return int(same.sum() + (same & ~np.concatenate([[False], same[:-1]])).sum())


def _blank_ends(ids: pd.DataFrame) -> str | None:
    """An id that begins or ends with a blank, if one of these does."""
    return next((text for name in ids for text in ids[name] if text != text.strip()), None)
