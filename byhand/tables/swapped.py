"""Qrels given as the run, and the run as qrels, as other tools take them.

Frames and most files say by names of columns which is which. Nested dicts and lists do not: what is
refused are grades in the first place, and in the second numbers that hardly any judge gives.
"""

from collections.abc import Mapping
from os import PathLike

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.tables.counting import Run
from byhand.tables.held import is_named, places_only
from byhand.tables.qrels import Qrels

_FEW = 10  # different whole numbers, which grades are
_MANY = 20  # different numbers, which hardly any judge tells apart
_LONG = 5  # more relevant items than benchmarks have that give each query as many
_CONSTANTS = (60, 0, 1, 10)  # c of scores 1 / (c + rank): reciprocal rank fusion, and plain ones


def refuse_swapped(run: object, qrels: object, held: tuple[object, object]) -> None:
    """Refuse a checked run and qrels that look like each other; `held` is what they are made of."""
    if not isinstance(run, Run) or not isinstance(qrels, Qrels) or not len(run) or not len(qrels):
        return
    if is_named(held[0], run.attrs) or is_named(held[1], qrels.attrs):
        return
    ranked = run.labels.name == "rank" and np.array_equal(run.score, -run.labels.to_numpy())
    ranked |= run.attrs.get("format", "").startswith("JSON lists")
    graded = not ranked and _are_few(run.score) and not _are_places(run)
    found = ""
    if graded and (_are_of_ranks(run, qrels) or _are_scores(run, qrels)):
        few, grade = np.unique(run.score), qrels.relevance.max()
        found = (
            f"the scores are {len(few)} different whole numbers, {few[0]:g} to {few[-1]:g}, and "
            f"the grades of {len(qrels):,} items fall from item to item, such as {grade:g}"
        )
    elif (ranked or graded) and _are_lists(run, qrels):
        longest = qrels.sizes.max()
        found = f"qrels hold {longest} items for nearly every query, and run mostly has fewer"
    if found:
        of_qrels = ", and of qrels dict(enumerate(qrels))" if places_only(held[1]) else ""
        raise DataError(
            f"run looks like judgements, and qrels like a run: {found}. Other tools take them the "
            "other way round; here the run comes first, as in evaluate(run, qrels). If they are "
            f"in this order, say so by names: in the place of run pass {_named(held[0], ranked)}"
            f"{of_qrels}."
        )


def _named(run: object, ranked: bool) -> str:
    """How to write a run so that it says by names what it holds."""
    if isinstance(run, str | PathLike):
        return "read_run(run)"
    held = "run" if isinstance(run, Mapping) else "run.to_dict()"
    held = "dict(enumerate(run))" if isinstance(run, list | tuple | np.ndarray) else held
    if ranked:
        return f"pd.Series({held}, name='doc_id').rename_axis('query_id').reset_index()"
    scores = f"pd.DataFrame({held}).unstack().dropna().rename('score')"
    return f"{scores}.rename_axis(['query_id', 'doc_id']).reset_index()"


def _are_few(scores: np.ndarray) -> bool:
    """Whether scores are few different whole numbers, as grades are; most are not, at a glance."""
    for some in (scores[:100], scores):
        if (some % 1 != 0).any() or len(np.unique(some)) > _FEW or some.min() < -2:
            return False
    return True


def _are_places(run: Run) -> bool:
    """Whether scores count down to 1 or 0 in each query, as who has ranks only writes them."""
    same = np.diff(run.query) == 0
    last = run.score[np.append(~same, True)]
    several = len(last) >= 3 and np.median(run.sizes) >= 3
    return several and bool((np.diff(run.score)[same] == -1).all() and np.isin(last, [0, 1]).all())


def _are_of_ranks(run: Run, qrels: Qrels) -> bool:
    """Whether grades are fractions made from ranks, and the scores not those of a short ranking.

    Then the highest grade of each query is the same, the second, and so on; no two of a query are
    alike. Of one query, or of few grades, only what is 1 / (c + rank) is sure.
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
    fused = any(_is_reciprocal(by_rank, c) for c in _CONSTANTS)
    several = len(starts) > 1 and (len(by_rank) > 3 or (len(by_rank) == 3 and _has_ties(run)))
    return (fused and len(by_rank) > (1 if by_rank[0] < 0.1 else 2)) or several


def _is_reciprocal(by_rank: np.ndarray, constant: int) -> bool:
    made = 1 / (constant + np.arange(len(by_rank)) + 1)
    return bool(np.isclose(by_rank, made, rtol=1e-3, atol=0).all())


def _has_ties(run: Run) -> bool:
    pairs = pd.DataFrame({"query": run.query, "score": run.score})
    return bool((run.sizes == 1).all() or pairs.duplicated().any())


def _are_scores(run: Run, qrels: Qrels) -> bool:
    """Whether grades are many different numbers that differ within each query."""
    grades, more = np.unique(qrels.relevance), len(qrels) - len(run)
    repeated = 2 * len(grades) < len(qrels)
    if len(grades) <= _MANY and ((grades % 1 == 0).all() or more < 0 or repeated):
        return False
    if len(grades) <= _MANY and more == 0 and (run.score.min() > 0 or len(qrels.sizes) == 1):
        return False
    several = (qrels.sizes[qrels.query] > 1) | (len(grades) > _MANY)
    pairs = pd.DataFrame({"query": qrels.query[several], "grade": qrels.relevance[several]})
    return len(pairs) > 0 and pairs.duplicated().mean() <= 0.1


def _are_lists(run: Run, qrels: Qrels) -> bool:
    """Whether qrels hold equal grades, as many in each query, and mostly more than the run."""
    longest = qrels.sizes.max()
    cut = longest > _LONG and (qrels.sizes == longest).mean() >= 0.9
    if not cut or len(np.unique(qrels.relevance)) > 1:
        return False
    judged = qrels.row_counts
    found = run.row_counts.reindex(judged.index).dropna()
    shorter = len(found) >= 3 and (found < judged[found.index]).mean() >= 0.75
    return bool(shorter and (found.max() == 1 or found.nunique() > 1))
