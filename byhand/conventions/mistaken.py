"""Implementations of the mistakes in mistakes.toml: other rows, hits and formulas."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from operator import attrgetter

import numpy as np
import pandas as pd

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits, JudgedHits
from byhand.metrics.measures import Measure
from byhand.naming import ABOVE_ZERO
from byhand.tables.counting import Run
from byhand.tables.qrels import Qrels


def _texts(run: Run) -> np.ndarray:
    return run.doc.text(np.arange(len(run)))


def _narrow(run: Run, qrels: Qrels) -> Run | None:
    narrow = np.asarray(run.score).astype(np.float32)
    return None if (narrow == run.score).all() else run.scored(narrow.astype(float))


def _by_positions(run: Run, qrels: Qrels) -> Run | None:
    names = [*qrels.query_ids[: len(run.query_ids)]]
    names += [f"\0{n}" for n in range(len(names), len(run.query_ids))]
    if [*run.query_ids] == names:
        return None
    return replace(run, query_ids=np.array(names, dtype=object))


def _without_itself(run: Run, qrels: Qrels) -> Run | None:
    return run.without_query_itself() if 0 < len(run.of_query_itself()) < len(run) else None


# other rows or orders to rank; None if it makes no difference
ROWS: Mapping[str, Callable[[Run, Qrels], Run | pd.DataFrame | None]] = {
    "ascending": lambda run, qrels: run.scored(-np.asarray(run.score, dtype=float)),
    "rows": lambda run, qrels: run.scored(-np.arange(len(run), dtype=float)),
    "ids": lambda run, qrels: run.scored(-pd.factorize(_texts(run), sort=True)[0].astype(float)),
    "float32": _narrow,
    "positions": _by_positions,
    "itself": _without_itself,
}


def with_copies(
    run: Run, qrels: Qrels, *, judged: bool
) -> tuple[pd.DataFrame, Qrels | pd.DataFrame]:
    """Return all rows of a run, with own ids for repeats, and qrels, with theirs if `judged`."""
    rows = run.rows_of()
    nth = rows.groupby(["query_id", "doc_id"], sort=False).cumcount()
    named = rows["doc_id"].where(nth == 0, rows["doc_id"] + "\0" + nth.astype(str))
    if judged:
        grades = qrels.rows_of()
        pairs = rows.assign(copy=named)[nth > 0].drop(columns="score")
        copies = pairs.merge(grades, on=["query_id", "doc_id"]).drop(columns="doc_id")
        qrels = pd.concat([grades, copies.rename(columns={"copy": "doc_id"})], ignore_index=True)
    return rows.assign(doc_id=named), qrels


def relevant_as_in(once: Hits, hits: Hits) -> Hits:
    """Return the same lists with the relevant (and judged) items of other hits."""
    changed = replace(hits, relevant_query=once.relevant_query, relevant_grade=once.relevant_grade)
    if isinstance(hits, JudgedHits):
        changed = replace(changed, judged=relevant_as_in(once.judged, hits.judged))
    return changed


def _regraded(hits: Hits, change: Callable[[np.ndarray], np.ndarray]) -> Hits:
    """Return the same lists with changed grades; items with a grade of 0 are no longer relevant."""
    grade, relevant = change(hits.grade), change(hits.relevant_grade)
    sort = np.lexsort((-relevant, hits.relevant_query))
    return replace(hits, grade=grade, relevant_grade=relevant[sort]).at_least(ABOVE_ZERO)


# changes of the hits, with the highest grade as the second argument
HITS: Mapping[str, Callable[[Hits, float], Hits]] = {
    "from 2": lambda hits, top: hits.at_least(2),
    "from 3": lambda hits, top: hits.at_least(3),
    "highest": lambda hits, top: hits.at_least(top),
    "turned": lambda hits, top: _regraded(hits, lambda grade: top + 1 - grade),
    "higher": lambda hits, top: _regraded(hits, lambda grade: grade + 1),
    "lower": lambda hits, top: _regraded(hits, lambda grade: grade - 1),
}


class _Unknown:
    """A formula without a known exact mean over ties."""

    def expected_credit(self, *_: object) -> np.ndarray:
        raise ValueError("No exact mean is known.")


class _IdealAboveCutoff(_Unknown):
    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        near = hits.within(self.k)
        hits = replace(hits, query=hits.query[near], grade=hits.grade[near])
        return super().divisor(hits, chosen.but(ideal="retrieved"))


class _Late(_Unknown):
    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        return super().credit(hits, chosen) * hits.rank / (hits.rank + 1)


class _SumOfHits(_Unknown):
    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        alone = replace(hits, query=np.arange(len(hits.query)))  # makes each hit a first hit
        return super().credit(alone, chosen)


class _EveryHit(_SumOfHits):
    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        return hits.per_query(hits.within(self.k))


def _weighted(weight: Callable[[np.ndarray], np.ndarray]) -> type:
    return type("Weighted", (), {"weight_under": lambda self, chosen: weight})


def _over(number: Callable[[Hits], np.ndarray]) -> type:
    """Make a formula that divides by a number per query, at most the cutoff."""

    def divisor(self: Measure, hits: Hits, chosen: Conventions) -> np.ndarray:
        return np.minimum(number(hits), np.inf if self.k is None else self.k)

    return type("Over", (), {"divisor": divisor})


_FORMULAS = {
    "ideal above cutoff": _IdealAboveCutoff,
    "log2 late": _weighted(lambda rank: 1 / np.log2(np.asarray(rank) + 2)),
    "by rank": _weighted(lambda rank: 1 / np.asarray(rank, dtype=float)),
    "late": _Late,
    "every hit": _EveryHit,
    "sum of hits": _SumOfHits,
    "over cutoff": _over(lambda hits: np.full(hits.n_queries, np.inf)),
    "over shown": _over(attrgetter("n_retrieved")),
    "capped": _over(attrgetter("n_relevant")),
}


def with_formula(formula: str, measure: Measure) -> Measure:
    """Return a measure with a mistaken formula."""
    same = {each.name: getattr(measure, each.name) for each in fields(measure)}
    return _mistaken(formula, type(measure))(**same)


@cache
def _mistaken(formula: str, kind: type[Measure]) -> type[Measure]:
    return type(f"mistaken {kind.__name__}", (_FORMULAS[formula], kind), {})
