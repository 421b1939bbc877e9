"""Similarity of two rankings, independent of relevance."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.statistics.per_query import expect
from byhand.tables.frames import run_of


def overlap(a: pd.DataFrame, b: pd.DataFrame, k: int) -> pd.Series:
    """Compute for each query of both runs the share of the first k items that they have in common.

    Args:
        a, b: two runs, as in `evaluate`; equal scores are ordered by `doc_id` descending.
        k: the number of items to compare, 1 or more. If a list has fewer, the divisor is the
            length of the shorter list.

    Raises:
        DataError: If a column or value is missing, or a score is not a finite number.
        ValueError: If k is below 1.

    References:
        Overlap at depth k, as in Webber, Moffat and Zobel 2010, "A similarity measure for
        indefinite rankings".

    Example:
        >>> a = pd.DataFrame({"query_id": "q", "doc_id": list("abc"), "score": [3, 2, 1]})
        >>> overlap(a, a.assign(doc_id=list("axb")), 2).to_dict()
        {'q': 0.5}
    """
    expect(k >= 1, "a whole number, 1 or more", k=k)
    first = [_first_items(run, k) for run in (a, b)]
    shared = first[0].merge(first[1]).groupby("query_id").size()
    sizes = [each.groupby("query_id", sort=False).size() for each in first]
    both = sizes[0].index.intersection(sizes[1].index, False)
    shorter = np.minimum(sizes[0][both], sizes[1][both])
    return (shared.reindex(both, fill_value=0) / shorter).rename("overlap")


def _first_items(run: pd.DataFrame, k: int) -> pd.DataFrame:
    """Return `query_id` and `doc_id` of the first k items; equal scores by `doc_id` descending."""
    checked = run_of(run)
    query, score = checked.query, checked.score
    order = np.arange(len(query)) if checked.falls else np.lexsort((-score, query))
    query, score = query[order], score[order]
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    ends = np.append(starts[1:], len(query))
    last = np.repeat(score[np.minimum(starts + k, ends) - 1], ends - starts)
    likely = score >= last  # a tie may go on beyond the first k
    rows = pd.DataFrame({"query_id": checked.query_ids[query[likely]], "score": score[likely]})
    rows["doc_id"] = checked.doc.text(order[likely])
    by_rank = rows.sort_values(["score", "doc_id"], ascending=False)
    return by_rank.groupby("query_id").head(k)[["query_id", "doc_id"]]


def same_rankings(
    new: pd.DataFrame, old: pd.DataFrame, queries: Iterable[str], *, ties: str
) -> bool:
    """Return whether two runs rank the same items in the same order for these queries.

    Args:
        new, old: two frames, each with `query_id`, `doc_id` and `score`.
        queries: the queries that count, as text.
        ties: the order of items with equal scores, as in `Conventions`. Items with equal scores in
            one run must have equal scores in the other.

    Example:
        >>> old = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": [2.0, 1.0]})
        >>> same_rankings(old.assign(score=[0.9, 0.1]), old, ["q"], ties="doc_id")
        True
    """
    new, old = (run[run["query_id"].astype(str).isin(list(queries))] for run in (new, old))
    if len(new) != len(old):
        return False
    # a distinct grade per item of the old run makes the hits identify the whole ranking
    judged = old[["query_id", "doc_id"]].assign(relevance=np.arange(1, len(old) + 1))
    ours, theirs = (RunWithQrels(run, judged).hits(ties=ties) for run in (new, old))
    return all(
        np.array_equal(getattr(ours, name), getattr(theirs, name))
        for name in ("query", "grade", "rank", "top", "tied")
    )
