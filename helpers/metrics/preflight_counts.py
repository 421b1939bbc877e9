"""What a run and its qrels hold, counted once over all rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers.metrics.hits import hits_of_tables
from helpers.tables.columns import Run, blocks
from helpers.tables.ids import id_column, mix

TOP = 10
_SAMPLE = 100_000


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
        judgements: rows of the qrels. `relevant`: those above 0.
        grades: the grades used, ascending.
        rows: rows of the run. `tied`: those that share score and query with another row;
            `tied_as_float32`: those that do if scores are rounded to float32, as trec_eval does.
        touched: queries in which a relevant item shares its score.
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
    rows: int
    tied: int
    tied_as_float32: int
    touched: int
    precision: str
    blank_ends: str | None


def count(run: pd.DataFrame, qrels: pd.DataFrame) -> Counts:
    """Count what a run and qrels hold.

    Raises:
        DataError: as `evaluate`.

    Example:
        >>> run = pd.DataFrame({"query_id": "q1", "doc_id": ["D1", "D4"], "score": [0.5, 0.5]})
        >>> qrels = pd.DataFrame({"query_id": ["q1"], "doc_id": ["D4"], "relevance": [1]})
        >>> count(run, qrels).tied
        2
    """
    grades, codes = np.unique(qrels["relevance"].to_numpy(dtype=float), return_inverse=True)
    # every judged item is a hit here, whatever its grade: code 1 is the lowest grade
    hits = hits_of_tables(run, qrels[["query_id", "doc_id"]].assign(relevance=codes + 1))
    is_relevant = grades[hits.grade.astype(np.int64) - 1] > 0
    relevant_of_query = np.bincount(
        hits.relevant_query[grades[hits.relevant_grade.astype(np.int64) - 1] > 0],
        minlength=hits.n_queries,
    )
    tied, tied_as_float32, precision = _ties_and_precision(run)
    return Counts(
        judged=hits.n_queries,
        run_only=hits.n_run_only,
        missing=hits.query_ids[hits.n_retrieved == 0],
        empty=hits.query_ids[relevant_of_query == 0],
        retrieved=hits.n_retrieved,
        judged_retrieved=len(hits.rank),
        top=int(np.minimum(hits.n_retrieved, TOP).sum()),
        judged_top=int((hits.rank <= TOP).sum()),
        judgements=len(qrels),
        relevant=int(relevant_of_query.sum()),
        grades=grades,
        rows=len(run),
        tied=tied,
        tied_as_float32=tied_as_float32,
        touched=len(np.unique(hits.query[is_relevant & (hits.tied > 1)])),
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
        query = mix(table.query.keys(start, stop))
        score = table.score[start:stop].astype(float) + 0.0  # -0 equals 0
        with np.errstate(over="ignore"):
            single = score.astype(np.float32)
            half = half and bool((score.astype(np.float16) == score).all())
        exact[start:stop] = mix(query + score.view(np.uint64))
        rounded[start:stop] = mix(query + single.view(np.uint32).astype(np.uint64))
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
