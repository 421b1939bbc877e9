"""What a run and its qrels hold, counted once over all rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers.metrics.hits import hits_of_tables
from helpers.metrics.names import measures_named
from helpers.tables.columns import Run, blocks
from helpers.tables.ids import id_column

TOP = 10
_SAMPLE = 100_000
_RANGED = ("RR", "AP", "nDCG")


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
        tie_range: for RR, AP and nDCG the least and the greatest mean over all judged queries that
            the order of equal scores allows.
        precision: what the scores look rounded to; empty if nothing.
        blank_ends: an id that begins or ends with a blank, if one was seen.
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


def count(run: pd.DataFrame, qrels: pd.DataFrame, *, relevant_from: float | None = None) -> Counts:
    """Count what a run and qrels hold.

    Args:
        run: as `evaluate` takes it.
        qrels: as `evaluate` takes them.
        relevant_from: the lowest grade that is relevant; None for any above 0.

    Raises:
        DataError: as `evaluate`.

    Example:
        >>> run = pd.DataFrame({"query_id": "q1", "doc_id": ["D1", "D4"], "score": [0.5, 0.5]})
        >>> qrels = pd.DataFrame({"query_id": ["q1"], "doc_id": ["D4"], "relevance": [1]})
        >>> count(run, qrels).tied
        2
    """
    hits = hits_of_tables(run, qrels, relevant_from=relevant_from, judged=True)
    ranges = {name: measure.bounds(hits) for name, measure in measures_named(_RANGED).items()}
    tied, tied_as_float32, precision = _ties_and_precision(run)
    return Counts(
        judged=hits.n_queries,
        run_only=hits.n_run_only,
        missing=hits.query_ids[hits.n_retrieved == 0],
        empty=hits.query_ids[hits.n_relevant == 0],
        retrieved=hits.n_retrieved,
        judged_retrieved=len(hits.judged.rank),
        top=int(np.minimum(hits.n_retrieved, TOP).sum()),
        judged_top=int((hits.judged.rank <= TOP).sum()),
        judgements=len(qrels),
        relevant=len(hits.relevant_grade),
        grades=np.unique(hits.judged.relevant_grade),
        relevant_from=relevant_from,
        rows=len(run),
        tied=tied,
        tied_as_float32=tied_as_float32,
        touched=len(np.unique(hits.query[hits.tied > 1])),
        tie_range={name: (worst.mean(), best.mean()) for name, (worst, best) in ranges.items()},
        precision=precision,
        blank_ends=_blank_ends(run) or _blank_ends(qrels),
    )


def _ties_and_precision(run: pd.DataFrame) -> tuple[int, int, str]:
    """Rows that share score and query, exactly and as float32; what the scores are rounded to."""
    table = Run.of(run)
    exact = np.empty(len(table), dtype=np.uint64)
    rounded = np.empty(len(table), dtype=np.uint64)
    half = brain = True
    for start, stop in blocks(len(table)):
        query = table.query[start:stop]
        score = table.scores(slice(start, stop)) + 0  # -0.0 equals 0
        with np.errstate(over="ignore"):
            single = score.astype(np.float32)
            half = half and bool((score.astype(np.float16) == score).all())
        exact[start:stop] = table.pair_keys(query, score.view(np.uint64))
        rounded[start:stop] = table.pair_keys(query, single.view(np.uint32).astype(np.uint64))
        brain = brain and bool(((single == score) & (single.view(np.uint32) << 16 == 0)).all())
    whole = all(not (table.score[a:b] % 1).any() for a, b in blocks(len(table)))
    kind = "float16" if half else "bfloat16" if brain else ""
    return _shared(exact), _shared(rounded), "" if whole else kind


def _shared(keys: np.ndarray) -> int:
    """How many keys are there more than once. Sorts them in place."""
    keys.sort()
    same = keys[1:] == keys[:-1]
    return int(same.sum() + (same & ~np.concatenate([[False], same[:-1]])).sum())


def _blank_ends(frame: pd.DataFrame) -> str | None:
    """An id that begins or ends with a blank, if one of the first rows has one."""
    for name in ("query_id", "doc_id"):
        ids = id_column(frame[name][:_SAMPLE], what=name)
        for text in ids.text(np.arange(min(len(frame), _SAMPLE))):
            if text != text.strip():
                return text
    return None
