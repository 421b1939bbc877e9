"""Counts of a run and its qrels, over all rows."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.hashes import SEED, mix
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import Evaluation
from byhand.metrics.hits import Hits
from byhand.metrics.measures import AP
from byhand.metrics.measures.measure import DEFAULT
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.parallel import blocks
from byhand.tables.counting import Run
from byhand.tables.lazy import LazyRun
from byhand.tables.qrels import UNGRADED
from byhand.tables.runs_and_qrels import FROM_RUNS

TOP = 10
LONG = 3  # minimum length of a list with scores 1 to n; with two items it may be chance
SAMPLE = 100_000
# "12-1", "12_b", and with seeds and versions "q1/seed1", "q0_seed0", "1-v2"
_VARIANT = re.compile(
    r"(.*\w)[-_.:/#+~](\d{1,2}|[A-Za-z]|(?:seed|run|trial|fold|rep|v|r|s)[-_=]?\d{1,5})",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Counts:
    """The counts of a run and its qrels."""

    judged: int  # judged queries
    run_only: int  # unjudged queries of the run
    variants: list[str]  # judged queries that look like variants of another
    missing: np.ndarray  # judged queries that the run lacks
    empty: np.ndarray  # judged queries without a relevant item
    retrieved: np.ndarray  # (Q,) number of items of each judged query in the run
    judged_retrieved: int  # number of judged items among the retrieved ones
    top: int  # number of retrieved items in the first ten ranks
    judged_top: int  # number of judged items in the first ten ranks
    judgements: int  # rows of the qrels
    ungraded: int  # rows without a grade in a combined table
    from_runs: bool  # True if the judgements are rows of one or several runs
    relevant: int  # relevant judgements
    grades: np.ndarray  # distinct grades, ascending
    relevant_from: float | None  # lowest relevant grade, None for any above 0
    rows: int  # rows of the run
    tied: int  # rows that share score and query with another row
    tied_as_float32: int  # the same with scores rounded to float32
    one_score: bool  # True if all scores are equal
    numbered: bool  # True if the scores of every query are 1 to n, or 0 to n - 1, each once
    itself: tuple[str, ...]  # queries with the same id as the first item in their list
    touched: int  # queries with a relevant item in a tie
    tie_range: Mapping[str, tuple[float, float]]  # worst and best mean over orders of ties
    blank_ends: str | None  # an id with a leading or trailing blank, if there is one
    below: float  # distance of hits below the ranks of a random ordering, in standard errors
    by_chance: tuple[float, float]  # mean AP, and its chance level
    first: tuple[str, ...]  # an item of each table


def count(
    tables: RunWithQrels,
    *,
    measures: Iterable[object],
    conventions: str | Conventions,
    clustered: bool = False,
) -> Counts:
    """Count the contents of a run and its qrels, and the effect of ties on the means.

    `judged_run` is True for a combined table. If queries are `clustered`, no id counts as a
    variant of another.
    """
    # a combined table in a database has too many judged items to load, and all are judged
    ungraded = tables.qrels.attrs.get(UNGRADED, 0)
    own = tables.qrels.own and tables.run.lazy and not ungraded
    for table in (tables.run, tables.qrels):
        if len(table) == 0 and len(table.row_counts):  # queries with empty lists
            raise DataError(
                f"{table.name}: no query has an item, so every value is 0. "
                "Add the items of at least one query."
            )
    from_runs = tables.qrels.own or FROM_RUNS in tables.qrels.attrs
    hits = tables.hits(judged=not own)
    heads = [table.head(SAMPLE) for table in (tables.run, tables.qrels)]
    ends = (text for ids in heads for name in ids for text in ids[name] if text != text.strip())
    top, ap = int(np.minimum(hits.n_retrieved, TOP).sum()), AP()
    return Counts(
        judged=hits.n_queries,
        run_only=hits.n_run_only,
        variants=[] if clustered else variants(hits.query_ids),
        missing=hits.query_ids[hits.missing],
        empty=hits.query_ids[hits.n_relevant == 0],
        retrieved=hits.n_retrieved,
        judged_retrieved=int(hits.n_retrieved.sum()) if own else len(hits.judged.rank),
        top=top,
        judged_top=top if own else int((hits.judged.rank <= TOP).sum()),
        judgements=len(tables.qrels),
        ungraded=ungraded,
        from_runs=from_runs,
        relevant=len(hits.relevant_grade),
        grades=tables.qrels.grades() if own else np.unique(hits.judged.relevant_grade),
        relevant_from=tables.relevant_from,
        rows=len(tables.run),
        **_scores(tables.run),
        touched=len(np.unique(hits.query[hits.tied > 1])),
        tie_range=_tie_range(tables, measures, conventions),
        blank_ends=next(ends, None),
        below=_below_chance(hits),
        by_chance=(ap.values(hits).mean(), ap.expected(hits.all_tied, DEFAULT).mean()),
        first=tuple(str(ids["doc_id"].iloc[0]) for ids in heads),
    )


def variants(ids: Iterable[object]) -> list[str]:
    """Return the ids that look like variants of a query, such as "12-1" and "12-2", if most do."""
    ids, groups = [str(each) for each in ids], {}
    for each in ids:
        if named := _VARIANT.fullmatch(each):
            groups.setdefault(named[1], []).append(each)
    several = [alike for alike in groups.values() if len(alike) > 1]
    alike = [each for group in several for each in group]
    return alike if len(several) > 1 and 2 * len(alike) > len(ids) else []


def _tie_range(
    tables: RunWithQrels, measures: Iterable[object], conventions: str | Conventions
) -> dict[str, tuple[float, float]]:
    """Return the worst and best mean of each measure; empty if the conventions have no mean."""
    try:
        evaluation = Evaluation(tables, measures, conventions=conventions)
        means = evaluation.table("ties", lenient=True).mean()
    except ValueError:
        return {}
    ends = {name: (means[f"{name} worst"], means[f"{name} best"]) for name in evaluation.measures}
    return {name: (float(low), float(high)) for name, (low, high) in ends.items() if low <= high}


def _below_chance(hits: Hits) -> float:
    """Return how far hits are below the ranks of a random ordering, in standard errors.

    Over random orderings, the sum of the ranks of m hits among n items has the mean m(n + 1)/2 and
    the variance m(n - m)(n + 1)/12 (Mann and Whitney 1947), or less with ties.
    """
    n, m = hits.n_retrieved.astype(float), hits.per_query(np.ones(len(hits.rank)))
    middle = hits.top + (hits.tied - 1) / 2
    variance = (m * (n - m) * (n + 1) / 12).sum()
    return float((middle.sum() - (m * (n + 1) / 2).sum()) / np.sqrt(variance or np.inf))


def _scores(run: Run | LazyRun) -> dict[str, Any]:
    parts = pd.DataFrame(run.fold(_scores_of))
    least, tied = parts["least"].min(), int(parts["tied"].sum())
    to_length = parts["to_n_minus_1" if least == 0 else "to_n"].all()
    long = parts["longest"].max() >= LONG
    numbered = parts["whole"].all() and not tied and least in (0, 1) and long and to_length
    return {
        "tied": tied,
        "tied_as_float32": int(parts["rounded"].sum()),
        "one_score": bool(least == parts["most"].max()),
        "numbered": bool(numbered),
        "itself": tuple(query for some in parts["itself"] for query in some),
    }


def _scores_of(run: Run) -> dict[str, Any]:
    """Summarise the scores of some queries, from all of their rows."""
    exact, rounded = (np.empty(len(run), dtype=np.uint64) for _ in range(2))
    whole, to_n, to_n_minus_1 = True, True, True
    for start, stop in blocks(len(run)):
        query = run.query[start:stop]
        score = run.score[start:stop] + 0  # -0.0 equals 0
        with np.errstate(over="ignore"):
            single = score.astype(np.float32)
        query_keys = query.astype(np.uint64)
        exact[start:stop] = _keys(query_keys, score.view(np.uint64))
        rounded[start:stop] = _keys(query_keys, single.view(np.uint32).astype(np.uint64))
        whole = whole and not (run.score[start:stop] % 1).any()
        behind = run.score[start:stop] - run.sizes[query].astype(float)
        to_n, to_n_minus_1 = to_n and (behind <= 0).all(), to_n_minus_1 and (behind <= -1).all()
    return {
        "tied": _shared(exact),
        "rounded": _shared(rounded),
        "whole": whole,
        "least": run.score.min(),
        "most": run.score.max(),
        "longest": run.sizes.max(),
        "to_n": to_n,
        "to_n_minus_1": to_n_minus_1,
        "itself": _queries_first(run),
    }


def _queries_first(run: Run) -> list[str]:
    """Return the queries whose own id is that of a top-scored item in their list."""
    rows = run.of_query_itself()
    if len(rows) == 0:
        return []
    best = pd.Series(run.score).groupby(run.query).max()
    first = rows[run.score[rows] == best[run.query[rows]].to_numpy()]
    return run.query_ids[run.query[first]].tolist()


def _keys(query: np.ndarray, bits: np.ndarray) -> np.ndarray:
    """Return one hash for each pair of a query's position and the bits of a score."""
    return mix(mix(query ^ SEED) + bits)


def _shared(keys: np.ndarray) -> int:
    """Count the keys that occur more than once; sorts them in place."""
    keys.sort()
    same = keys[1:] == keys[:-1]
    return int(same.sum() + (same & ~np.concatenate([[False], same[:-1]])).sum())
