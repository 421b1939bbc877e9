"""Measures by name: ir_measures' notation, its objects, and errors that help."""

import pytest

from helpers import measure_list
from helpers.metrics.measures import MEASURES
from helpers.metrics.measures.ap import AP
from helpers.metrics.measures.dcg import DCG
from helpers.metrics.measures.measure import cutoff
from helpers.metrics.measures.ndcg import nDCG
from helpers.metrics.measures.precision import P
from helpers.metrics.measures.recall import R
from helpers.metrics.measures.rr import RR
from helpers.metrics.measures.success import Success
from helpers.metrics.names import measure_named

RANKED, GRADES = ["x", "a", "b", "c"], {"a": 1, "b": 2, "c": 3, "d": 2}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RR", RR()),
        ("RR(rel=1)", RR(rel=1)),
        (" P@5 ", P(k=5)),
        ("AP(rel=2)@10", AP(k=10, rel=2)),
        ("R( rel=3 )@1000", R(k=1000, rel=3)),
        ("nDCG(dcg='exp-log2')@10", nDCG(k=10, dcg="exp-log2")),
        ("nDCG(dcg='log2')", nDCG(dcg="log2")),
        ("DCG()@3", DCG(k=3)),
        ("Success@1", Success(k=1)),
    ],
)
def test_names_are_read(text, expected):
    assert measure_named(text) == expected
    assert measure_named(str(expected)) == expected
    assert measure_named(expected) is expected


@pytest.mark.parametrize("asked", ["RR", "RR@5", "AP(rel=2)@10", "nDCG@3", "P@5", "R@5"])
def test_ir_measures_objects_work_through_their_text(asked):
    ir_measures = pytest.importorskip("ir_measures")
    measure = ir_measures.parse_measure(asked)
    assert measure_list(measure, RANKED, GRADES) == measure_list(asked, RANKED, GRADES)


def test_ir_measures_objects_with_options():
    ir_measures = pytest.importorskip("ir_measures")
    assert measure_named(ir_measures.nDCG(dcg="exp-log2") @ 10).dcg == "exp-log2"
    assert measure_named(ir_measures.P(rel=2) @ 5) == P(k=5, rel=2)
    assert measure_named(ir_measures.Success(rel=3) @ 1) == Success(k=1, rel=3)


def test_evaluate_names_its_columns_as_asked():
    ir_measures = pytest.importorskip("ir_measures")
    import pandas as pd

    from helpers import evaluate

    run = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]})
    qrels = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
    measures = [ir_measures.nDCG @ 10, "RR", ir_measures.AP(rel=2)]
    assert evaluate(run, qrels, measures).columns.tolist() == ["nDCG@10", "RR", "AP(rel=2)"]
    assert evaluate(run, qrels, ir_measures.nDCG @ 10).columns.tolist() == ["nDCG@10"]


def test_a_gain_in_the_name_overrules_the_conventions():
    from helpers import Conventions

    exponential = Conventions(gain="exponential")
    grade_2_at_rank_3 = {"b": 2}
    for name, dcg in [("DCG", 3 / 2), ("DCG(dcg='log2')", 1), ("DCG(dcg='exp-log2')", 3 / 2)]:
        assert measure_list(name, RANKED, grade_2_at_rank_3, conventions=exponential) == dcg
    assert measure_list("DCG(dcg='exp-log2')", RANKED, grade_2_at_rank_3) == 3 / 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [("RR", 1 / 2), ("RR(rel=2)", 1 / 3), ("RR(rel=3)", 1 / 4), ("R(rel=2)", 2 / 3)],
)
def test_rel_sets_the_lowest_relevant_grade(name, expected):
    assert measure_list(name, RANKED, GRADES) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("MRR", "For MRR ask for 'RR', then take .mean() over the queries."),
        ("map", "For map ask for 'AP', then take .mean() over the queries."),
        ("MRR@10", "For MRR ask for 'RR', then take .mean() over the queries."),
        ("NDCG@10", "For NDCG ask for 'nDCG'."),
        ("recall@5", "For recall ask for 'R'."),
        ("ERR@20", "known are RR, AP, nDCG, DCG, P, R, Success, Judged, each also with a cutoff"),
        ("P@", "'P@' is not a measure"),
        ("P@-1", "'P@-1' is not a measure"),
        ("", "'' is not a measure"),
        (None, "'None' is not a measure"),
        ("P@0", "k=0 is not a cutoff; expected a whole number from 1, or None."),
        ("nDCG(rel=2)", "option 'rel=2' is not known; nDCG has dcg='log2' and dcg='exp-log2'."),
        ("AP(judged_only=True)", "'judged_only=True' is not known; AP has rel=1, rel=2 and so on."),
        ("AP(dcg='log2')", "option \"dcg='log2'\" is not known; AP has rel=1"),
        ("P(rel=0)@5", "rel=0 is not a grade; expected a whole number from 1."),
        ("P(rel='1')@5", "rel='1' is not a grade"),
        ("P(rel=x)@5", "option 'rel=x' is not known; P has rel=1, rel=2 and so on."),
        ("P(2)", "option '2' is not known"),
        ("nDCG(dcg='log')", "dcg='log' is not an option; expected one of ['log2', 'exp-log2']."),
        ("nDCG(dcg=1)", "dcg=1 is not an option"),
    ],
)
def test_errors_say_what_is_known(name, message):
    with pytest.raises(ValueError, match="not") as caught:
        measure_named(name)
    assert message in str(caught.value)


@pytest.mark.parametrize("k", [0, -1, True, False, "5", 5.0, [5]])
def test_a_cutoff_is_a_whole_number_from_one(k):
    with pytest.raises(ValueError, match="is not a cutoff; expected a whole number from 1"):
        cutoff(k)


def test_any_whole_number_from_one_is_a_cutoff():
    import numpy as np

    assert (cutoff(None), cutoff(1), cutoff(np.int64(7))) == (None, 1, 7)
    huge = 10**20
    names = ("RR", "AP", "nDCG", "R", "Judged")
    values = [measure_list(f"{name}@{huge}", ["a"], ["a"]) for name in names]
    assert values == [1, 1, 1, 1, 1]
    assert measure_list(f"P@{huge}", ["a"], ["a"]) == 1e-20


@pytest.mark.parametrize("kind", MEASURES.values(), ids=MEASURES)
def test_a_measure_says_what_it_is_and_where_that_is_defined(kind):
    assert kind.meaning
    assert kind.source
    assert kind.__doc__
