"""Items that nobody judged: their share, lists without them, and what they leave open."""

import numpy as np
import pandas as pd
import pytest

from byhand import (
    Conventions,
    DataError,
    evaluate,
    explain,
    measure_list,
    tie_range,
    unjudged_range,
)

ir_measures = pytest.importorskip("ir_measures")
pytrec_eval = pytest.importorskip("pytrec_eval")
REMOVED = Conventions(unjudged="removed")


def tables(rng, *, n_queries=12, n_items=15, ties=False):
    """A run, and judgements of about half of its items and of some that it lacks."""
    query = np.repeat([f"q{n}" for n in range(n_queries)], n_items)
    doc = np.tile([f"d{n:02}" for n in range(n_items)], n_queries)
    score = rng.integers(0, 4, len(doc)) / 2 if ties else rng.permutation(len(doc)) / 7
    run = pd.DataFrame({"query_id": query, "doc_id": doc, "score": score})
    qrels = run[["query_id", "doc_id"]].sample(frac=0.5, random_state=int(rng.integers(99)))
    extra = pd.DataFrame({"query_id": [f"q{n}" for n in range(n_queries)], "doc_id": "new"})
    qrels = pd.concat([qrels, extra], ignore_index=True)
    return run, qrels.assign(relevance=rng.integers(0, 3, len(qrels)))


def nested(frame, value):
    return {
        query: dict(zip(rows["doc_id"], rows[value].tolist(), strict=True))
        for query, rows in frame.groupby("query_id")
    }


@pytest.mark.parametrize("k", [1, 3, 10, 40])
def test_judged_is_that_of_ir_measures(k):
    run, qrels = tables(np.random.default_rng(1))
    theirs = ir_measures.iter_calc([ir_measures.Judged @ k], qrels, run)
    expected = {each.query_id: each.value for each in theirs}
    found = evaluate(run, qrels, [ir_measures.Judged @ k])[f"Judged@{k}"]
    assert found.to_dict() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_removed_is_what_trec_eval_does_with_judged_documents_only(ties):
    run, qrels = tables(np.random.default_rng(2), ties=ties)
    names = {"map": "AP", "recip_rank": "RR", "ndcg": "nDCG", "P_5": "P@5", "ndcg_cut_5": "nDCG@5"}
    evaluator = pytrec_eval.RelevanceEvaluator(
        nested(qrels, "relevance"),
        {"map", "recip_rank", "ndcg", "P", "ndcg_cut"},
        judged_docs_only_flag=True,
    )
    theirs = pd.DataFrame(evaluator.evaluate(nested(run, "score"))).T[list(names)]
    ours = evaluate(run, qrels, list(names.values()), conventions=REMOVED)
    assert ours.loc[theirs.index].to_numpy() == pytest.approx(theirs.to_numpy(float), abs=1e-12)


@pytest.mark.parametrize("order", ["doc_id", "input", "best", "worst", "expected"])
def test_removed_is_the_same_as_leaving_the_rows_out(order):
    run, qrels = tables(np.random.default_rng(3), ties=True)
    judged = run.merge(qrels[["query_id", "doc_id"]])
    measures = ["RR", "AP@5", "nDCG", "P", "R@3"]
    chosen = REMOVED.but(ties=order)
    ours = tie_range(run, qrels, measures, conventions=chosen)
    without = tie_range(judged, qrels, measures, conventions=chosen)
    assert ours.drop(columns="tied").to_numpy() == pytest.approx(
        without.drop(columns="tied").loc[ours.index].to_numpy(), abs=1e-12
    )


def test_a_query_of_unjudged_items_only_is_not_missing():
    run = pd.DataFrame({"query_id": ["q"], "doc_id": ["x"], "score": [1.0]})
    qrels = pd.DataFrame({"query_id": ["q", "r"], "doc_id": ["a", "a"], "relevance": [1, 1]})
    found = evaluate(run, qrels, "RR", conventions=REMOVED.but(missing="skip"))
    assert found["RR"]["q"] == 0
    assert found["RR"].isna().tolist() == [False, True]
    assert found.attrs["missing"] == 1


def test_one_list_without_its_unjudged_items():
    ranked, grades = ["x", "a", "y", "b"], {"a": 0, "b": 1}
    assert measure_list("RR", ranked, grades) == 1 / 4
    assert measure_list("RR", ranked, grades, conventions=REMOVED) == 1 / 2
    assert measure_list("Judged@3", ranked, grades) == 1 / 3
    steps = explain(ranked, grades, conventions=REMOVED)
    assert steps["item"].tolist() == ["a", "b"]
    assert steps["share of RR"].sum() == 1 / 2
    assert explain(ranked, grades, measures="Judged")["share of Judged"].tolist() == [
        0,
        0.25,
        0,
        0.25,
    ]


def test_the_range_that_unjudged_items_leave_open():
    run = pd.DataFrame({"query_id": "q", "doc_id": list("abcd"), "score": [4.0, 3, 2, 1]})
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["b", "c"], "relevance": [0, 1]})
    found = unjudged_range(run, qrels, ["RR", "P@4", "AP"]).loc["q"]
    assert (found["RR"], found["RR none"], found["RR all"]) == (1 / 3, 1 / 3, 1)
    assert (found["P@4 none"], found["P@4 all"]) == (1 / 4, 3 / 4)
    assert found["AP all"] == pytest.approx((1 / 1 + 2 / 3 + 3 / 4) / 3, abs=1e-15)
    # nobody asked for a query of its own to be judged
    more = pd.concat([run, run.assign(query_id="new")])
    assert unjudged_range(more, qrels, "RR").index.tolist() == ["q"]
    removed = unjudged_range(run, qrels, "RR", conventions=REMOVED).loc["q"]
    assert (removed["RR"], removed["RR none"], removed["RR all"]) == (1 / 2, 1 / 3, 1)


class TestRelevantFrom:
    run = pd.DataFrame(
        {"query_id": ["p"] * 3 + ["q"], "doc_id": [*"abc", "a"], "score": [3.0, 2.0, 1.0, 1.0]}
    )
    qrels = pd.DataFrame(
        {"query_id": ["p"] * 3 + ["q"], "doc_id": [*"abc", "a"], "relevance": [3, 5, 4, 2]}
    )

    def test_lower_grades_are_not_relevant_and_gain_nothing(self):
        found = evaluate(self.run, self.qrels, ["RR", "P@3", "nDCG"], relevant_from=4)
        assert found["RR"].tolist() == [1 / 2, 0]
        assert found["P@3"].tolist() == [2 / 3, 0]
        dropped = self.qrels.assign(relevance=[0, 5, 4, 0])
        assert found["nDCG"].tolist() == evaluate(self.run, dropped, "nDCG")["nDCG"].tolist()
        assert (found.attrs["empty"], found.attrs["relevant_from"]) == (1, 4)

    def test_empty_and_skip_are_counted_after_it(self):
        skip = Conventions(no_relevant="skip")
        found = evaluate(self.run, self.qrels, "RR", conventions=skip, relevant_from=4)
        assert found["RR"].isna().tolist() == [False, True]
        with pytest.raises(DataError, match="without a relevant item, the first is 'q'"):
            evaluate(
                self.run,
                self.qrels,
                "RR",
                conventions=Conventions(no_relevant="error"),
                relevant_from=4,
            )

    @pytest.mark.parametrize("grade", [0, -1, "4"])
    def test_it_is_a_grade_above_zero(self, grade):
        with pytest.raises(ValueError, match=r"relevant_from=.* is not a grade; expected a number"):
            evaluate(self.run, self.qrels, "RR", relevant_from=grade)


def test_all_means_relevant_to_the_measure():
    run = pd.DataFrame({"query_id": "q", "doc_id": list("abcde"), "score": [5.0, 4, 3, 2, 1]})
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "relevance": [2, 0]})
    measures = ["P@5", "P(rel=2)@5", "RR(rel=3)", "P(rel=3)@5"]
    for lowest, hits in ((None, 4), (2, 4), (3, 3)):
        found = unjudged_range(run, qrels, measures, relevant_from=lowest).loc["q"]
        ends = [found[f"{name} all"] for name in measures]
        assert ends == pytest.approx([hits / 5, hits / 5, 1 / 3, 3 / 5])
        assert found["P(rel=2)@5 none"] == (0.2 if lowest != 3 else 0)
