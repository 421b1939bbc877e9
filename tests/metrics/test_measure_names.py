"""Measures by name: ir_measures' notation, its objects, and errors that help."""

from pathlib import Path

import pytest

from byhand import Conventions, evaluate, measure_list
from byhand.metrics import measure_named
from byhand.metrics.measures import AP, MEASURES

NAMES = Path(__file__).with_name("measure_names.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", NAMES[1:])
def test_names_as_people_write_them(line):
    meant, _, said = line.partition(" = ")
    assert {str(measure_named(name)) for name in said.split("|")} == {meant}


@pytest.mark.parametrize("kind", MEASURES.values(), ids=MEASURES)
def test_what_an_option_changes_stands_in_the_name(kind):
    tried = {"rel": 2, "dcg": "exp-log2", "p": 0.95, "max_rel": 3, "denominator": "capped"}
    for name in kind.options():
        made = kind(k=4, **{name: tried[name]})
        assert str(made) == f"{kind.name}({name}={tried[name]!r})@4"
        assert measure_named(str(made)) == measure_named(made) == made


def test_ir_measures_objects_work_and_columns_are_named_as_asked():
    ir_measures = pytest.importorskip("ir_measures")
    run, qrels = {"q": {"a": 1.0}}, {"q": {"a": 1}}
    names = ["RR", "RR@5", "ERR@20", "RBP(rel=1)", "RBP(p=0.95,rel=2)@5", "AP(rel=2)@10", "R@5"]
    for asked in (*names, "nDCG(dcg='exp-log2')@10"):
        theirs = ir_measures.parse_measure(asked)
        assert measure_named(theirs) == measure_named(asked)
        assert evaluate(run, qrels, theirs).columns.tolist() == [str(theirs)]
    found = evaluate(run, qrels, ["MRR", ir_measures.RR, AP(rel=2), AP(), "Recall@100"])
    assert found.columns.tolist() == ["MRR", "RR", "AP(rel=2)", "AP", "Recall@100"]


def test_a_gain_in_the_name_overrules_the_conventions():
    exponential = Conventions(gain="exponential")
    grade_2_at_rank_3 = ["x", "a", "b"], {"b": 2}
    for name, dcg in [("DCG", 3 / 2), ("DCG(dcg='log2')", 1), ("DCG(dcg='exp-log2')", 3 / 2)]:
        assert measure_list(name, *grade_2_at_rank_3, conventions=exponential) == dcg
    assert measure_list("DCG(dcg='exp-log2')", *grade_2_at_rank_3) == 3 / 2
