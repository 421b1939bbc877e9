"""What a run and its qrels hold, counted once over all rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import Evaluation
from byhand.metrics.hits import Hits, Tables
from byhand.metrics.measures import AP
from byhand.metrics.measures.measure import DEFAULT
from byhand.parallel import blocks
from byhand.tables.counting import Run
from byhand.tables.ids import SEED, mix
from byhand.tables.lazy import LazyRun
from byhand.tables.lazy_columns import LONG

TOP = 10
SAMPLE = 100_000
_SHORT = ["float16", "bfloat16"]


@dataclass(frozen=True)
class Counts:
    """What was counted in a run and its qrels."""

    judged: int  # judged queries
    run_only: int  # queries of the run that nobody judged
    missing: Sequence[str]  # judged queries that the run lacks
    empty: Sequence[str]  # judged queries without a relevant item
    retrieved: np.ndarray  # (Q,) items of each judged query that the run holds
    judged_retrieved: int  # how many of these are judged
    top: int  # how many stand among the first ten ranks
    judged_top: int  # how many of these are judged
    judgements: int  # rows of the qrels
    relevant: int  # judgements that count as relevant
    grades: np.ndarray  # the grades used, ascending
    relevant_from: float | None  # the lowest grade that is relevant; None for any above 0
    rows: int  # rows of the run
    tied: int  # rows that share score and query with another row
    tied_as_float32: int  # the same if scores are rounded to float32
    touched: int  # queries in which a relevant item shares its score
    tie_range: dict[str, tuple[float, float]]  # what ties leave open of each mean asked for
    precision: str  # what the scores look rounded to; empty if nothing
    blank_ends: str | None  # an id that begins or ends with a blank, if one was seen
    one_score: bool  # whether all scores are equal
    numbered: bool  # whether the scores of every query are 1 to n, or 0 to n - 1, each once
    below: float  # standard errors by which relevant items stand lower than in a random order
    by_chance: tuple[float, float]  # the mean AP, and what a random order would get
    first: tuple[str, str]  # an item of the run, and a judged one


def count(
    tables: Tables,
    *,
    measures: Iterable[object],
    conventions: str | Conventions,
    judged_run: bool = False,
) -> Counts:
    """Count what a run and qrels hold, which may be one judged run, and how far ties move means."""
    # of a run that says itself what is relevant every item is judged: too many to bring here
    own = judged_run and tables.run.lazy
    hits = tables.hits(judged=not own)
    heads = [table.head(SAMPLE) for table in (tables.run, tables.qrels)]
    ends = (text for ids in heads for name in ids for text in ids[name] if text != text.strip())
    top, ap = int(np.minimum(hits.n_retrieved, TOP).sum()), AP()
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
        grades=tables.qrels.few_values() if own else np.unique(hits.judged.relevant_grade),
        relevant_from=tables.relevant_from,
        rows=len(tables.run),
        **(_scores_in_engine if tables.run.lazy else _scores)(tables.run),
        touched=len(np.unique(hits.query[hits.tied > 1])),
        tie_range=_tie_range(tables, measures, conventions),
        blank_ends=next(ends, None),
        below=_below_chance(hits),
        by_chance=(ap.values(hits).mean(), ap.expected(hits.all_tied, DEFAULT).mean()),
        first=tuple(str(ids["doc_id"].iloc[0]) for ids in heads),
    )


def _tie_range(
    tables: Tables, measures: Iterable[object], conventions: str | Conventions
) -> dict[str, tuple[float, float]]:
    """The ends of each mean; none where `evaluate` will say why these conventions have no mean."""
    try:
        found = Evaluation(tables, measures, conventions=conventions)
        means = found.table("ties", lenient=True).mean()
    except ValueError:
        return {}
    ends = {name: (means[f"{name} worst"], means[f"{name} best"]) for name in found.measures}
    return {name: (float(low), float(high)) for name, (low, high) in ends.items() if low <= high}


def _below_chance(hits: Hits) -> float:
    """How far the ranks of the hits lie below those of a random order, in standard errors.

    Over random orders the ranks of m hits among n items add up to m(n + 1)/2, with a variance of
    m(n - m)(n + 1)/12 (Mann and Whitney 1947), or less where items are tied.
    """
    n, m = hits.n_retrieved.astype(float), hits.per_query(np.ones(len(hits.rank)))
    middle = hits.top + (hits.tied - 1) / 2
    variance = (m * (n - m) * (n + 1) / 12).sum()
    return float((middle.sum() - (m * (n + 1) / 2).sum()) / np.sqrt(variance or np.inf))


def _fitting(kinds: Sequence[str], score: np.ndarray) -> list[str]:
    """Those of these kinds of numbers that hold every score."""
    if not kinds:
        return []
    with np.errstate(over="ignore"):
        single, half = score.astype(np.float32), score.astype(np.float16)
    short = (single == score) & (single.view(np.uint32) << 16 == 0)
    return [kind for kind in kinds if (half == score if kind == "float16" else short).all()]


def _scores(run: Run) -> dict[str, Any]:
    """What the scores of a run in memory look like."""
    exact, rounded = (np.empty(len(run), dtype=np.uint64) for _ in range(2))
    kinds, whole = _SHORT, True
    for start, stop in blocks(len(run)):
        query = run.query[start:stop].astype(np.uint64)
        score = run.scores(slice(start, stop)) + 0  # -0.0 equals 0
        with np.errstate(over="ignore"):
            single = score.astype(np.float32)
        exact[start:stop] = _keys(query, score.view(np.uint64))
        rounded[start:stop] = _keys(query, single.view(np.uint32).astype(np.uint64))
        kinds = _fitting(kinds, score)
        whole = whole and not (run.score[start:stop] % 1).any()
    tied, least = _shared(exact), run.score.min()
    return {
        "tied": tied,
        "tied_as_float32": _shared(rounded),
        "precision": "" if whole else next(iter(kinds), ""),
        "one_score": bool(least == run.score.max()),
        "numbered": whole and not tied and least in (0, 1) and _ends_at_length(run, int(least)),
    }


def _ends_at_length(run: Run, least: int) -> bool:
    """Whether no score, of those that begin at `least`, lies beyond the items of its query."""
    most = run.sizes + (least - 1)
    ends = ((run.score[a:b] <= most[run.query[a:b]]).all() for a, b in blocks(len(run)))
    return run.sizes.max() >= LONG and all(ends)


def _scores_in_engine(run: LazyRun) -> dict[str, Any]:
    values, (tied, tied_as_float32, numbered) = run.few_values(), run.scores_within()
    parts = values is not None and (values % 1).any()
    return {
        "tied": tied,
        "tied_as_float32": tied_as_float32,
        "precision": next(iter(_fitting(_SHORT, values)), "") if parts else "",
        "one_score": values is not None and len(values) == 1,
        "numbered": numbered,
    }


def _keys(query: np.ndarray, bits: np.ndarray) -> np.ndarray:
    """One number for each pair of a query's position and the bits of a score."""
    return mix(mix(query ^ SEED) + bits)


def _shared(keys: np.ndarray) -> int:
    """How many keys are there more than once. Sorts them in place."""
    keys.sort()
    same = keys[1:] == keys[:-1]
    return int(same.sum() + (same & ~np.concatenate([[False], same[:-1]])).sum())
