"""The step table that a teacher would write on the board."""

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd

from helpers.metrics.formulas import (
    ap_shares,
    dcg_shares,
    discount,
    gain_of,
    ndcg_shares,
    rr_shares,
)
from helpers.metrics.hits import Relevant, hits_of_lists, ranked_items, relevant_grades
from helpers.metrics.measures import TREC_EVAL, cutoff


def explain(
    ranked: Sequence[Hashable], relevant: Relevant, *, k: int | None = None
) -> pd.DataFrame:
    """One list, rank by rank: what is found, and what each rank adds to each metric.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.

    Returns:
        One row a rank (at most k), with `rank`, `item`, `grade`, `hit`, `hits so far`,
        `precision`, `share of RR`, `share of AP`, `discount`, `gain`, `share of DCG` and
        `share of nDCG`. The sum of a share is the metric, under trec_eval's conventions. Its
        `.attrs` says how many items are `relevant`, and which of them are `not found` in the
        rows.

    Raises:
        DataError: a repeated item in `ranked`.

    Source:
        The definitions are those of the one-list functions of `helpers.metrics.measures`.

    Example:
        >>> steps = explain(["D1", "D4"], {"D4"})
        >>> steps[["rank", "item", "precision", "share of AP"]].to_dict("list")
        {'rank': [1, 2], 'item': ['D1', 'D4'], 'precision': [0.0, 0.5], 'share of AP': [0.0, 0.5]}
    """
    ranked, grades = ranked_items(ranked), relevant_grades(relevant)
    k = cutoff(k)
    hits = hits_of_lists([(ranked, grades)])
    rank = np.arange(1, len(ranked) + 1)

    def at_rank(of_hits: np.ndarray) -> np.ndarray:
        values = np.zeros(len(ranked))
        values[hits.rank - 1] = of_hits
        return values

    hit = at_rank(np.ones(len(hits.rank))) > 0
    steps = pd.DataFrame(
        {
            "rank": rank,
            "item": pd.Series(ranked, dtype=object),
            "grade": at_rank(hits.grade),
            "hit": hit,
            "hits so far": np.cumsum(hit),
            "precision": np.cumsum(hit) / rank,
            "share of RR": at_rank(rr_shares(hits, k=k)),
            "share of AP": at_rank(ap_shares(hits, k=k)),
            "discount": discount(rank),
            "gain": at_rank(gain_of(hits.grade, TREC_EVAL.gain)),
            "share of DCG": at_rank(dcg_shares(hits, k=k)),
            "share of nDCG": at_rank(ndcg_shares(hits, k=k)),
        }
    )[:k]
    found = set(steps.loc[steps["hit"], "item"])
    steps.attrs = {
        "relevant": int(hits.n_relevant[0]),
        "not found": [item for item in grades if item not in found],
    }
    return steps
