"""How alike two rankings are: as sets and lists of items in the order of trec_eval."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from byhand import evaluate
from byhand.statistics import kendall_tau, overlap, rank_biased_overlap, same_rankings


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


def extrapolated(mine, theirs, p):
    """RBO_ext depth by depth: what two lists agree in at their ends goes on to be so."""
    short, long = sorted((mine, theirs), key=len)
    n_short, n_long, whole = len(short), len(long), 0.0
    for depth in range(1, 3000):
        at = min(depth, n_long)
        agreed = len({*short[:at]} & {*long[:at]})
        if at > n_short:
            agreed += len({*short} & {*long[:n_short]}) * (at - n_short) / n_short
        whole += (1 - p) * p ** (depth - 1) * agreed / at
    return whole


@pytest.mark.parametrize("p", [0.5, 0.9, 0.98])
@pytest.mark.parametrize("n_scores", [4, 1000])
def test_rank_biased_overlap_is_the_overlap_at_every_depth(p, n_scores):
    a, b = random_run(4, n_scores), random_run(5, n_scores)
    a, b = a[a["query_id"] != "q3"], b[b["query_id"] != "q7"]
    found = rank_biased_overlap(a, b, p=p)
    assert set(found.index) == {f"q{n}" for n in range(30)} - {"q3", "q7"}
    for query, value in found.items():
        wanted = extrapolated(first_of(a, query, 99), first_of(b, query, 99), p)
        assert value == pytest.approx(wanted, abs=1e-12)
    assert rank_biased_overlap(b, a, p=p)[found.index].to_numpy() == pytest.approx(found.to_numpy())


def test_rank_biased_overlap_of_the_same_of_nothing_and_of_no_queries():
    a = random_run(6)
    assert rank_biased_overlap(a, a).to_numpy() == pytest.approx(1.0, abs=1e-12)
    other = a.assign(doc_id="other " + a["doc_id"])
    assert set(rank_biased_overlap(a, other)) == {0.0}
    assert len(rank_biased_overlap(a[:0], a)) == len(kendall_tau(a[:0], a)) == 0
    with pytest.raises(ValueError, match="p=1: expected a number above 0 and below 1"):
        rank_biased_overlap(a, a, p=1)


def test_kendall_tau_counts_the_pairs_of_items_that_both_have():
    a, b = random_run(7), random_run(8, 9)
    found = kendall_tau(a, b[b["query_id"] != "q7"])
    assert set(found.index) == {f"q{n}" for n in range(30)} - {"q7"}
    assert found["tau"].isna().any()
    for query, (tau, shared) in found.iterrows():
        both = a[a["query_id"] == query].merge(b[b["query_id"] == query], on="doc_id")
        assert shared == len(both)
        pairs = [
            (np.sign(x - y), np.sign(v - w))
            for (x, v), (y, w) in combinations(both[["score_x", "score_y"]].to_numpy(), 2)
        ]
        apart = [sum(each != 0 for each in side) for side in zip(*pairs, strict=True)]
        if not pairs or 0 in apart:
            assert np.isnan(tau)
            continue
        wanted = sum(mine * theirs for mine, theirs in pairs) / np.sqrt(np.prod(apart))
        assert tau == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("first", ["a", "b", "c"])
def test_whole_scores_that_a_float_would_not_tell_apart(first):
    ids, scores = list("abc"), np.array([2**63 + 1, 2**63, 2**63 + 2], dtype="uint64")
    run = pd.DataFrame({"query_id": "q", "doc_id": ids, "score": scores})
    other = pd.DataFrame({"query_id": "q", "doc_id": [first], "score": 1})
    assert overlap(run, other, 1).to_dict() == {"q": float(first == "c")}
    ranked = run.assign(score=[2, 1, 3])
    assert kendall_tau(run, ranked).to_numpy().tolist() == [[1.0, 3]]


@pytest.mark.parametrize("kind", ["int64", "category", "str"])
def test_ids_compare_as_text_whatever_their_type(kind):
    run = pd.DataFrame({"query_id": [1, 1, 1], "doc_id": [9, 10, 7], "score": [1, 1, 1]})
    typed, text = run.astype({"doc_id": kind}), run.astype({"query_id": str, "doc_id": str})
    assert evaluate(typed, run.assign(relevance=[1, 0, 0]), ["RR"])["RR"].tolist() == [1.0]
    assert overlap(typed, text, 2).to_dict() == {"1": 1.0}
    assert overlap(typed, text[:1], 1).to_dict() == {"1": 1.0}  # 9 stands above 7 and 10


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
