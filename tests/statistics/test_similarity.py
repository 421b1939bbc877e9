"""How alike two rankings are: as sets and lists of items in the order of trec_eval."""

import numpy as np
import pandas as pd
import pytest

from byhand.statistics import overlap, same_rankings


def random_run(seed, n_scores=4):
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{query}", f"d{item}", rng.integers(n_scores))
        for query in range(30)
        for item in rng.permutation(20)[: rng.integers(1, 20)]
    ]
    run = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    return run.sample(frac=1, random_state=seed)


def first_of(run, query, k):
    rows = run[run["query_id"] == query]
    ordered = sorted(zip(rows["score"], rows["doc_id"], strict=True), reverse=True)
    return [doc for _, doc in ordered[:k]]


@pytest.mark.parametrize("k", [1, 5, 100])
@pytest.mark.parametrize("n_scores", [1, 4, 1000])
def test_overlap_is_the_share_of_the_shorter_of_two_beginnings(k, n_scores):
    a, b = random_run(2, n_scores), random_run(3, n_scores)
    b = b[b["query_id"] != "q7"]
    for table in (a, a.sort_values(["query_id", "score"], ascending=[True, False])):
        found = overlap(table, b, k)
        assert set(found.index) == {f"q{n}" for n in range(30)} - {"q7"}
        for query, share in found.items():
            mine, theirs = set(first_of(a, query, k)), set(first_of(b, query, k))
            assert share == len(mine & theirs) / min(len(mine), len(theirs))
    assert len(overlap(a[:0], b, k)) == 0
    with pytest.raises(ValueError, match="k=0: expected a whole number, 1 or more"):
        overlap(a, b, 0)


OLD = pd.DataFrame(
    {"query_id": ["q", "q", "q", "r", "s"], "doc_id": list("abcab"), "score": [3, 2, 2, 1, 1]}
)
CHANGED = {
    "other scores": (OLD.assign(score=[9, 0.5, 0.5, 7, 2]), True),
    "rows in another order": (OLD[::-1], True),
    "a query that nobody judged": (OLD.assign(doc_id=list("abcax")), True),
    "scores that are no longer equal": (OLD.assign(score=[3, 2, 1, 1, 1]), False),
    "two items that changed places": (OLD.assign(score=[2, 2, 3, 1, 1]), False),
    "another item below": (OLD.assign(doc_id=list("abxab")), False),
    "an item less": (OLD[1:], False),
    "a query more": (pd.concat([OLD, OLD[-1:].assign(query_id="t")]), False),
}


@pytest.mark.parametrize(("new", "same"), CHANGED.values(), ids=CHANGED)
def test_the_same_items_in_the_same_order_to_the_end(new, same):
    for ties in ("doc_id", "best", "expected"):
        assert same_rankings(new, OLD, ["q", "r", "t"], ties=ties) == same
