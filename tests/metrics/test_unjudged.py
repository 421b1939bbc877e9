"""Items that nobody judged: their share, lists without them, and what they leave open."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from random_tables import nested, random_tables

from byhand import (
    Conventions,
    evaluate,
    explain,
    measure_list,
    tie_range,
    unjudged_range,
)
from byhand.metrics import CHOICES

REMOVED = Conventions(unjudged="removed")
RUN, QRELS = random_tables(3, grades=range(3))


@pytest.mark.parametrize("order", CHOICES["ties"].options)
@pytest.mark.missing_queries
def test_removed_is_the_same_as_leaving_the_rows_out(order):
    judged = RUN.merge(QRELS[["query_id", "doc_id"]])
    measures = ["RR", "AP@5", "nDCG", "P", "R@3"]
    ours = tie_range(RUN, QRELS, measures, conventions=REMOVED.but(ties=order))
    without = tie_range(judged, QRELS, measures, conventions=Conventions(ties=order))
    pd.testing.assert_frame_equal(ours, without)


@pytest.mark.filterwarnings("ignore::byhand.metrics.NoCommonItemsWarning")
def test_a_query_of_unjudged_items_only_is_not_missing():
    run, qrels = {"q": {"x": 1.0}}, {"q": {"a": 1}, "r": {"a": 1}}
    found = evaluate(run, qrels, "RR", conventions=REMOVED.but(missing="skip"))
    assert found["RR"]["q"] == 0
    assert found["RR"].isna().tolist() == [False, True]
    assert found.attrs["missing"] == 1


def test_one_list_without_its_unjudged_items():
    ranked, grades = ["x", "a", "y", "b"], {"a": 0, "b": 1}
    assert measure_list("RR", ranked, grades, conventions=REMOVED) == 1 / 2
    assert measure_list("Judged@3", ranked, grades) == 1 / 3
    steps = explain(ranked, grades, conventions=REMOVED)
    assert steps["item"].tolist() == ["a", "b"]
    assert steps["share of RR"].tolist() == [0, 1 / 2]
    shares = explain(ranked, grades, measures="Judged")["share of Judged"]
    assert shares.tolist() == [0, 0.25, 0, 0.25]


def test_the_range_that_unjudged_items_leave_open():
    run, qrels = {"q": {"a": 4, "b": 3, "c": 2, "d": 1}}, {"q": {"b": 0, "c": 1}}
    found = unjudged_range(run, qrels, ["RR", "P@4", "AP"]).loc["q"]
    assert (found["RR"], found["RR none"], found["RR all"]) == (1 / 3, 1 / 3, 1)
    assert (found["P@4 none"], found["P@4 all"]) == (1 / 4, 3 / 4)
    assert found["AP all"] == pytest.approx((1 / 1 + 2 / 3 + 3 / 4) / 3, abs=1e-15)
    # nobody asked for a query of its own to be judged
    assert unjudged_range(run | {"new": run["q"]}, qrels, "RR").index.tolist() == ["q"]
    removed = unjudged_range(run, qrels, "RR", conventions=REMOVED).loc["q"]
    assert (removed["RR"], removed["RR none"], removed["RR all"]) == (1 / 2, 1 / 3, 1)


def test_some_may_make_less_than_none_and_more_than_all():
    run = {"q": [f"d{n}" for n in range(1, 101)]}
    qrels = {"q": {"d2": 1, **{f"d{n}": 0 for n in range(3, 11)}}}
    found = unjudged_range(run, qrels, ["nDCG@10", "AP", "Bpref"]).loc["q"].round(3)
    ends = [found[f"nDCG@10 {kind}"] for kind in ("none", "all", "least", "most")]
    assert ends == [0.631, 0.359, 0.139, 1]
    # the last 90 or so; the first one: (1 / 1 + 2 / 2) / 2
    assert (found["AP none"], found["AP least"], found["AP most"]) == (0.5, 0.106, 1)
    # not relevant, d1 would count against d2; it is not known how far Bpref can move
    assert (found["Bpref"], found["Bpref none"], found.isna().sum()) == (1, 0, 2)
    # a relevant item that was not retrieved would lower what is divided by all of them
    more = unjudged_range(run, {"q": qrels["q"] | {"z": 1}}, ["nDCG@10", "AP"]).loc["q"]
    for column in ("nDCG@10 least", "nDCG@10 most", "AP least", "AP most"):
        assert more[column] < found[column]


MEASURES = ["RR", "RR@2", "AP", "AP@3", "AP(rel=2)", "nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@2"]
MEASURES += ["DCG@3", "ERR", "RBP", "P", "P@3", "R", "R@2", "R(rel=2)@3", "Rprec", "Rprec(rel=2)@2"]
BOUNDED = ("AP", "nDCG", "R@", "R(", "Rprec")  # and no more, where an order depends on relevance


@pytest.mark.filterwarnings("ignore::byhand.metrics.MissingQueriesWarning")
@pytest.mark.parametrize("relevant_from", [None, 2])
@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"denominator": "capped", "gain": "exponential"},
        {"denominator": "retrieved", "gain": "binary", "ideal": "retrieved"},
        {"discount": "log2_from_2", "ideal": "length", "unjudged": "removed"},
        {"gain": "exponential", "ideal": "uncut", "ties": "doc_id_ascending"},
        {"low_grades": "gain", "ties": "input", "ideal": "retrieved"},
        {"no_relevant": "skip", "missing": "skip"},
        {"no_relevant": "one"},
        {"ties": "best"},
        {"ties": "worst"},
        {"ties": "expected"},
    ],
    ids=lambda choices: "-".join(choices.values()),
)
def test_the_least_and_the_most_are_those_of_every_way_to_judge(choices, relevant_from):
    run, qrels = random_tables(9, queries=33, items=[*"abcdef"], grades=range(-1, 4))
    chosen, options = Conventions(**choices), {"relevant_from": relevant_from}
    rows, grades = nested(run, "score"), nested(qrels, "relevance")
    found = unjudged_range(run, qrels, MEASURES, conventions=chosen, **options)
    judged, of = {}, {}
    for query in found.index:
        unjudged = {*rows.get(query, {})} - {*grades[query]}
        for way in product((0, 0.5, 1, 2, 3), repeat=len(unjudged)) if len(unjudged) < 4 else ():
            name = f"{query} {way}"
            judged[name], of[name] = grades[query] | dict(zip(unjudged, way, strict=True)), query
    lists = pd.DataFrame(of.items(), columns=["name", "query_id"]).merge(run)
    lists = lists.drop(columns="query_id").rename(columns={"name": "query_id"})
    how = chosen.but(unjudged="not_relevant")
    of_query = evaluate(lists, judged, MEASURES, conventions=how, **options).groupby(of)
    least, most = of_query.min(), of_query.max()
    few = least.index
    assert len(few) > 15
    for name in MEASURES:
        counted = found.loc[few, name].notna()
        below = (least[name] - found.loc[few, f"{name} least"])[counted]
        above = (found.loc[few, f"{name} most"] - most[name])[counted]
        assert min(below.min(), above.min()) > -1e-12, name
        bound = choices.get("ties") if name.startswith(BOUNDED) else None
        if bound not in ("best", "expected") and "one" not in choices.values():
            assert below.max() < 1e-12, name
        if bound not in ("worst", "expected"):
            assert above.max() < 1e-12, name
        assert found[f"{name} least"].isna().tolist() == found[name].isna().tolist()


@pytest.mark.missing_queries
@pytest.mark.parametrize("ties", ["doc_id", "best", "worst", "expected"])
@pytest.mark.parametrize(("name", "p", "k"), [("RBP", 0.8, 99), ("RBP(rel=2,p=0.5)@3", 0.5, 3)])
def test_the_residual_is_what_all_would_add_and_the_tail(name, p, k, ties):
    run, qrels = random_tables(5, grades=range(-1, 3))
    depth = run.groupby("query_id").size().reindex(qrels["query_id"].unique(), fill_value=0)
    found = unjudged_range(run, qrels, name, conventions=Conventions(ties=ties))
    tail = p ** depth.clip(upper=k)
    moved = found[f"{name} all"] - found[f"{name} none"]
    if ties in ("doc_id", "expected"):  # in the others a tie breaks otherwise once all are judged
        np.testing.assert_allclose(found[f"{name} residual"], moved + tail, rtol=0, atol=1e-12)
    assert (found[f"{name} none"] + found[f"{name} residual"] <= 1 + 1e-12).all()


@pytest.mark.missing_queries
def test_the_residual_by_hand_and_of_no_other_measure():
    run, qrels = {"q": {"a": 3, "b": 2, "c": 1}}, {"q": {"a": 1, "c": 0}, "r": {"a": 1}}
    found = unjudged_range(run, qrels, ["RBP(p=0.5)", "RBP(p=0.5)@2", "ERR", "P@2"])
    # b at rank 2, and what lies below rank 3
    assert found["RBP(p=0.5) residual"].tolist() == [1 / 4 + 1 / 8, 1]
    assert found["RBP(p=0.5)@2 residual"].tolist() == [1 / 4 + 1 / 4, 1]
    assert found.filter(like="residual").columns.size == 2
    skipped = unjudged_range(run, qrels, "RBP", conventions=Conventions(missing="skip"))
    assert skipped["RBP residual"].isna().tolist() == [False, True]


def test_all_means_relevant_to_the_measure():
    run, qrels = {"q": {"a": 5, "b": 4, "c": 3, "d": 2, "e": 1}}, {"q": {"a": 2, "b": 0}}
    measures = ["P@5", "P(rel=2)@5", "RR(rel=3)", "P(rel=3)@5"]
    for lowest, hits in ((None, 4), (2, 4), (3, 3)):
        found = unjudged_range(run, qrels, measures, relevant_from=lowest).loc["q"]
        ends = [found[f"{name} all"] for name in measures]
        assert ends == pytest.approx([hits / 5, hits / 5, 1 / 3, 3 / 5])
        assert found["P(rel=2)@5 none"] == (0.2 if lowest != 3 else 0)


def test_below_relevant_from_nothing_is_relevant_and_gains():
    run = {"p": {"a": 3.0, "b": 2.0, "c": 1.0}, "q": {"a": 1.0}}
    grades, dropped = {"p": {"a": 3, "b": 5, "c": 4}, "q": {"a": 2}}, {"p": {"b": 5, "c": 4}}
    found = evaluate(run, grades, relevant_from=4, conventions=Conventions(no_relevant="skip"))
    assert found.loc["p"].tolist() == evaluate(run, dropped).loc["p"].tolist()
    assert found["RR"].isna().tolist() == [False, True]
    assert (found.attrs["empty"], found.attrs["relevant_from"]) == (1, 4)
    for grade in (0, -1, "4"):
        with pytest.raises(ValueError, match=r"relevant_from=.* is not a grade; expected a number"):
            evaluate(run, grades, "RR", relevant_from=grade)
