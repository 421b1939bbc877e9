"""How alike two rankings are, whatever is relevant in them."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.tables.frames import run_of
from byhand.tables.rows import falling


def overlap(a: pd.DataFrame, b: pd.DataFrame, k: int) -> pd.Series:
    """For each query that both answer, which share of the first k items two runs have in common.

    Args:
        a, b: two runs, as `evaluate` takes them; equal scores stand by `doc_id` descending.
        k: how many items of each are looked at, 1 or more; of a shorter list, all.

    Raises:
        DataError: a missing column or value, a score that is no finite number.

    Source:
        Overlap at depth k, as in Webber, Moffat and Zobel 2010, "A similarity measure for
        indefinite rankings".

    Example:
        >>> a = pd.DataFrame({"query_id": "q", "doc_id": list("abc"), "score": [3, 2, 1]})
        >>> overlap(a, a.assign(doc_id=list("axb")), 2).to_dict()
        {'q': 0.5}
    """
    first = [_first_items(run, k) for run in (a, b)]
    shared = _shared(*first).groupby("query_id").size()
    sizes = [each.groupby("query_id", sort=False).size() for each in first]
    both = sizes[0].index.intersection(sizes[1].index, False)
    shorter = np.minimum(sizes[0][both], sizes[1][both])
    return (shared.reindex(both, fill_value=0) / shorter).rename("overlap")


def rank_biased_overlap(a: pd.DataFrame, b: pd.DataFrame, *, p: float = 0.9) -> pd.Series:
    """For each query that both answer, RBO of two rankings: overlap in which the top counts most.

    It is extrapolated (RBO_ext): below their ends the lists are taken to agree as they did there.

    Args:
        a, b: two runs, as `evaluate` takes them; equal scores stand by `doc_id` descending, so that
            ties of one run are no ties here.
        p: how likely a reader goes on to the next rank, above 0 and below 1: with 0.9, the first
            ten ranks have 86% of the weight.

    Raises:
        DataError: a missing column or value, a score that is no finite number.
        ValueError: another p.

    Source:
        Webber, Moffat and Zobel 2010, "A similarity measure for indefinite rankings", equation 32.

    Example:
        >>> a = pd.DataFrame({"query_id": "q", "doc_id": list("abc"), "score": [3, 2, 1]})
        >>> rank_biased_overlap(a, a.assign(doc_id=list("acb"))).round(4).to_dict()
        {'q': 0.955}
    """
    if not 0 < p < 1:
        raise ValueError(f"p={p!r}: expected a number above 0 and below 1, such as 0.9.")
    lists = [_first_items(run) for run in (a, b)]
    ends = pd.concat([each.groupby("query_id", sort=False).size() for each in lists], axis=1)
    ends = ends.dropna().astype(int)
    shared = _shared(*lists)
    shared["seen"] = shared[["rank_x", "rank_y"]].max(axis=1)  # from which rank on both have it
    short, long = ends.min(axis=1), ends.max(axis=1)
    rank = np.arange(1, long.max(skipna=True) + 1 if len(long) else 1)
    weight = np.append(0.0, np.cumsum(p**rank))  # of the ranks so far
    each = np.append(0.0, np.cumsum(p**rank / rank))  # where what is seen is over the rank
    query = shared["query_id"]
    shared["earned"] = each[query.map(long)] - each[shared["seen"] - 1]
    of = shared.groupby("query_id")
    earned = of["earned"].sum().reindex(ends.index, fill_value=0.0)
    by_long = of.size().reindex(ends.index, fill_value=0)
    within = shared[shared["seen"] <= query.map(short).to_numpy()].groupby("query_id").size()
    by_short = within.reindex(ends.index, fill_value=0)
    ahead = weight[long] - weight[short] - short * (each[long] - each[short])
    further = (by_long - by_short) / long + by_short / short
    found = (1 - p) / p * (earned + by_short / short * ahead) + further * p**long
    return found.clip(upper=1.0).rename("rbo")  # above is rounding


def kendall_tau(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    """For each query that both answer, Kendall's tau of two rankings, of the items in both.

    An item that only one of them has stands nowhere in the other, so it is left out, and `shared`
    says how many are not; `rank_biased_overlap` counts them.

    Args:
        a, b: two runs, as `evaluate` takes them; equal scores are ties (tau-b).

    Returns:
        One row a query: `tau`, NaN where one run has no two different scores of what both have;
        `shared`, of how many items.

    Raises:
        DataError: a missing column or value, a score that is no finite number.

    Source:
        Kendall 1945, "The treatment of ties in ranking problems".

    Example:
        >>> a = pd.DataFrame({"query_id": "q", "doc_id": list("abcd"), "score": [4, 3, 2, 1]})
        >>> b = a.assign(doc_id=list("acbx"))
        >>> kendall_tau(a, b).round(4).to_dict("index")
        {'q': {'tau': 0.3333, 'shared': 3}}
    """
    from scipy.stats import kendalltau

    first, second = (_first_items(run) for run in (a, b))
    both = first["query_id"].drop_duplicates()
    both = pd.Index(both[both.isin(second["query_id"])], name="query_id")
    rows = dict.fromkeys(both, (np.nan, 0))
    for query, items in _shared(first, second).groupby("query_id"):
        known = len(items) > 1 and items[["score_x", "score_y"]].nunique().min() > 1
        tau = kendalltau(items["score_x"], items["score_y"]).statistic if known else np.nan
        rows[query] = tau, len(items)
    return pd.DataFrame([*rows.values()], index=both, columns=["tau", "shared"])


def _shared(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """The items that two lists of a query have in common."""
    return first.merge(second, on=["query_id", "doc_id"])


def _first_items(run: pd.DataFrame, k: int | None = None) -> pd.DataFrame:
    """The first k items of each query, or all; equal scores by `doc_id` descending.

    `score` is a code of the score: floats would not tell all whole numbers apart.
    """
    checked = run_of(run)
    query, score = checked.query, checked.scores(slice(None))
    k = len(query) if k is None else k
    order = np.arange(len(query)) if checked.falls else np.lexsort((falling(score), query))
    query, score = query[order], score[order]
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    ends = np.append(starts[1:], len(query))
    last = np.repeat(score[np.minimum(starts + k, ends) - 1], ends - starts)
    likely = score >= last  # a tie may go on beyond the first k
    some = {"query": query[likely], "score": score[likely]}
    found = pd.DataFrame(some).assign(doc_id=checked.doc.text(order[likely]))
    sort = ["score", "doc_id"]
    nth = found.sort_values(sort, ascending=False).groupby("query").cumcount()
    found = found.assign(rank=nth + 1, score=np.unique(found["score"], return_inverse=True)[1])
    found["query_id"] = checked.query_ids[found["query"]]
    return found.loc[found["rank"] <= k, ["query_id", "doc_id", "rank", "score"]]


def same_rankings(
    new: pd.DataFrame, old: pd.DataFrame, queries: Iterable[str], *, ties: str
) -> bool:
    """Whether two runs rank the same items in the same order, to the end, for these queries.

    Args:
        new, old: two frames, each with `query_id`, `doc_id` and `score`.
        queries: which queries count, as text.
        ties: the order of items with equal scores, as in `Conventions`; which must be so in both.

    Example:
        >>> old = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": [2.0, 1.0]})
        >>> same_rankings(old.assign(score=[0.9, 0.1]), old, ["q"], ties="doc_id")
        True
    """
    new, old = (run[run["query_id"].astype(str).isin(list(queries))] for run in (new, old))
    if len(new) != len(old):
        return False
    # a grade of its own for each item of the old run: where they landed is the whole ranking
    judged = old[["query_id", "doc_id"]].assign(relevance=np.arange(1, len(old) + 1))
    ours, theirs = (RunWithQrels(run, judged).hits(ties=ties) for run in (new, old))
    return all(
        np.array_equal(getattr(ours, name), getattr(theirs, name))
        for name in ("query", "grade", "rank", "top", "tied")
    )
