"""Items that nobody judged: their share, lists without them, and what they leave open."""

import pandas as pd
import pytest
from random_tables import random_tables

from byhand import Conventions, evaluate, explain, measure_list, tie_range, unjudged_range
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


def test_below_relevant_from_nothing_is_relevant_and_gains():
    run = {"p": {"a": 3.0, "b": 2.0, "c": 1.0}, "q": {"a": 1.0}}
    grades, dropped = {"p": {"a": 3, "b": 5, "c": 4}, "q": {"a": 2}}, {"p": {"b": 5, "c": 4}}
    found = evaluate(run, grades, relevant_from=4, conventions=Conventions(no_relevant="skip"))
    assert found.loc["p"].tolist() == evaluate(run, dropped).loc["p"].tolist()
    assert found["RR"].isna().tolist() == [False, True]
    assert (found.attrs["empty"], found.attrs["relevant_from"]) == (1, 4)
