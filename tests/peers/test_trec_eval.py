"""Against trec_eval, through pytrec_eval and ir_measures: the same numbers on random runs."""

import shutil

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from ir_measures import AP, ERR, RR, Bpref, Judged, P, R, Rprec, Success, nDCG
from random_tables import nested, random_tables

from byhand import Conventions, evaluate

CUTOFFS = (1, 3, 5, 10, 100)
EXPONENTIAL = {grade: 2**grade - 1 for grade in range(1, 5)}
ITEMS = {"text": [*map(str, range(60))], "non-ascii": [f"документ {n}" for n in range(60)]}


def drawn(seed, ids="text"):
    return random_tables(seed, items=ITEMS[ids], levels=24, grades=range(-2, 5))


def by_ir_measures(measures, run, qrels):
    found = pd.DataFrame(ir_measures.iter_calc(measures, qrels, run))
    found["measure"] = found["measure"].map(str)
    return found.pivot(index="query_id", columns="measure", values="value")


def assert_same(found, expected, *, tolerance=1e-12):
    for measure in expected.columns:
        np.testing.assert_allclose(
            found.loc[expected.index, str(measure)],
            expected[measure],
            rtol=0,
            atol=tolerance,
            err_msg=str(measure),
        )


@pytest.mark.missing_queries
@pytest.mark.parametrize("ids", ["text", "non-ascii"])
@pytest.mark.parametrize("seed", range(3))
def test_same_as_ir_measures(seed, ids):
    run, qrels = drawn(seed, ids)
    measures = [AP, RR, nDCG, AP(rel=2), RR(rel=3)]
    measures += [Rprec, Bpref, Rprec(rel=2), Bpref(rel=2), Bpref(rel=4)]
    for k in CUTOFFS:
        measures += [AP @ k, nDCG @ k, P @ k, R @ k, Success @ k]
        measures += [AP(rel=2) @ k, P(rel=3) @ k, R(rel=2) @ k, Success(rel=4) @ k]
    expected = by_ir_measures(measures, run, qrels)
    found = evaluate(run, qrels, measures)
    assert set(found.index) == set(expected.index)
    assert min(found.attrs[each] for each in ("missing", "empty", "run_only")) > 0
    assert len(expected.columns) == len(measures)
    assert_same(found, expected)


@pytest.mark.missing_queries
def test_exponential_gain_is_the_gains_of_trec_eval_mapped():
    run, qrels = drawn(13)
    measure = nDCG(gains=EXPONENTIAL)
    theirs = {str(measure @ k): f"nDCG@{k}" for k in CUTOFFS} | {str(measure): "nDCG"}
    expected = by_ir_measures([measure, *(measure @ k for k in CUTOFFS)], run, qrels)
    found = evaluate(run, qrels, theirs.values(), conventions=Conventions(gain="exponential"))
    assert_same(found, expected.rename(columns=theirs))


def without_ties(run):
    return run.assign(score=np.random.default_rng(0).permutation(len(run)))


@pytest.mark.missing_queries
def test_the_preset_takes_ties_of_some_measures_as_another_tool_does():
    # ir_measures takes RR@k and Judged@k from another tool than the others
    run, qrels = drawn(16)
    measures = [AP, RR, nDCG @ 5, Judged @ 3, Judged @ 40, *(RR @ k for k in CUTOFFS)]
    found = evaluate(run, qrels, measures, conventions="ir_measures")
    assert_same(found, by_ir_measures(measures, run, qrels))


@pytest.mark.missing_queries
@pytest.mark.skipif(shutil.which("perl") is None, reason="ir_measures runs gdeval under Perl")
def test_err_and_exponential_gain_by_its_name():
    run, qrels = drawn(17)
    run, qrels = (frame.assign(query_id=frame["query_id"].str[1:]) for frame in (run, qrels))
    qrels["relevance"] = qrels["relevance"].clip(lower=0)
    measures = [each @ k for each in (ERR, nDCG(dcg="exp-log2")) for k in CUTOFFS]
    expected = by_ir_measures(measures, without_ties(run), qrels)
    found = evaluate(without_ties(run), qrels, measures)
    assert_same(found, expected, tolerance=5.1e-6)  # gdeval prints five digits


@pytest.mark.parametrize("level", [1, 2, 4])
def test_relevant_from_is_option_l_of_trec_eval(level):
    run, qrels = drawn(20 + level)
    names = {"recip_rank": "RR", "map": "AP", "ndcg": "nDCG", "P_5": "P@5", "ndcg_cut_5": "nDCG@5"}
    names |= {"Rprec": "Rprec", "bpref": "Bpref"}
    theirs = pytrec_eval.RelevanceEvaluator(
        nested(qrels, "relevance"), {*names, "P", "ndcg_cut"}, relevance_level=level
    ).evaluate(nested(run, "score"))
    expected = pd.DataFrame.from_dict(theirs, orient="index")[[*names]].rename(columns=names)
    found, strict = (
        evaluate(run, qrels, names.values(), relevant_from=level, conventions=name)
        for name in ("trec_eval -l", "trec_eval")
    )
    assert_same(found, expected)
    same = [name for name in found if found[name].equals(strict[name])]
    without_low_grades = ["RR", "AP", "P@5", "Rprec", "Bpref"]
    assert same == (without_low_grades if level > 1 else [*found])
