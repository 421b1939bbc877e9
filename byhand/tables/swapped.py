"""Detect swapped arguments: qrels given as the run, and the run as the qrels.

Column names identify frames and most files. Nested dicts are compared by their numbers: scores like
grades raise a DataError if the qrels contain fractions or many different numbers.
"""

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.tables.containers import UNNAMED
from byhand.tables.counting import Run
from byhand.tables.qrels import Qrels
from byhand.tables.rows import Rows

_FEW = 10  # the most different grades
_MANY = 20  # more different numbers are not grades
_CONSTANTS = (60, 0, 1, 10)  # c in scores 1 / (c + rank): reciprocal rank fusion, and plain


def refuse_swapped(run: object, qrels: object) -> None:
    """Refuse a checked run and qrels without column names that look like each other."""
    if not isinstance(run, Run) or not isinstance(qrels, Qrels) or not len(run) or not len(qrels):
        return
    if _is_named(run) or _is_named(qrels):
        return
    if not _are_few(run.score) or _are_places(run):
        return
    if not _are_of_ranks(qrels) and not _are_scores(qrels):
        return
    few, grade = np.unique(run.score), qrels.relevance.max()
    raise DataError(
        f"run looks like judgements, and qrels like a run: the scores are {len(few)} different "
        f"whole numbers, {few[0]:g} to {few[-1]:g}. The grades of {len(qrels):,} items look like "
        f"scores, such as {grade:g}, because they fall from item to item. Other tools take the "
        "qrels first; here the run comes first, as in evaluate(run, qrels). If the order is right, "
        "pass frames with the columns query_id, doc_id, score and query_id, doc_id, relevance."
    )


def _is_named(table: Rows) -> bool:
    """Test whether columns identify a table by their names."""
    nested = table.attrs.get("format", "").startswith(("nested JSON", "JSON lists"))
    return not (nested or UNNAMED in table.attrs)


def _are_few(scores: np.ndarray) -> bool:
    """Test whether scores are few different whole numbers, like grades."""
    for some in (scores[:100], scores):
        few = len(np.unique(some)) <= _FEW and some.min() >= -2 and some.max() >= 0
        if not few or (some % 1 != 0).any():
            return False
    return True


def _are_places(run: Run) -> bool:
    """Test whether scores count down to 1 or 0 in each query, like ranks."""
    same = np.diff(run.query) == 0
    last = run.score[np.append(~same, True)]
    several = len(last) >= 3 and np.median(run.sizes) >= 3
    return several and bool((np.diff(run.score)[same] == -1).all() and np.isin(last, [0, 1]).all())


def _are_of_ranks(qrels: Qrels) -> bool:
    """Test whether grades are fractions made from ranks: equal in all queries, and falling.

    For one query, or few grades, only 1 / (c + rank) is certain.
    """
    order = np.lexsort((-qrels.relevance, qrels.query))
    query, grade = qrels.query[order], qrels.relevance[order].astype(float)
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    rank = np.arange(len(query)) - np.repeat(starts, np.diff(starts, append=len(query)))
    by_rank = np.zeros(rank.max() + 1)
    by_rank[rank] = grade
    if not (grade % 1).any() or (np.diff(by_rank) >= 0).any():
        return False
    if not np.isclose(grade, by_rank[rank], rtol=1e-9, atol=0).all():
        return False
    places = np.arange(len(by_rank)) + 1
    fused = any(np.allclose(by_rank, 1 / (c + places), rtol=1e-3, atol=0) for c in _CONSTANTS)
    least = 1 if by_rank[0] < 0.1 else 2
    return (fused and len(by_rank) > least) or (len(starts) > 1 and len(by_rank) > 3)


def _are_scores(qrels: Qrels) -> bool:
    """Test whether grades are many different numbers that rarely repeat within a query."""
    pairs = pd.DataFrame({"query": qrels.query, "grade": qrels.relevance})
    return pairs["grade"].nunique() > _MANY and pairs.duplicated().mean() <= 0.1
