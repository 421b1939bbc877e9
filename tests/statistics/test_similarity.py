"""How alike two rankings are: as sets and lists of items in the order of trec_eval."""

import pandas as pd
import pytest

from byhand.statistics import overlap, same_rankings


def run_of(lists):
    rows = [(query, *row) for query, scores in lists.items() for row in scores.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])


@pytest.mark.parametrize(
    ("k", "shares"),
    [(1, {"q": 1, "r": 0}), (2, {"q": 1 / 2, "r": 1}), (100, {"q": 2 / 3, "r": 1})],
)
def test_overlap_is_the_share_of_the_shorter_of_two_beginnings(k, shares):
    a = run_of({"q": {"b": 1, "a": 1, "c": 1}, "r": {"a": 2, "b": 1}, "only here": {"a": 1}})
    b = run_of({"q": {"x": 1, "a": 2, "c": 3}, "r": {"b": 1}, "only there": {"a": 1}})
    for table in (a, a[::-1], a.sort_values("score", ascending=False)):
        assert overlap(table, b, k).to_dict() == overlap(b, table, k).to_dict() == shares
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
