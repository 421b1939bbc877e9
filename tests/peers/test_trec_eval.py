"""Against trec_eval, through pytrec_eval and ir_measures: the same numbers on random runs."""

import shutil

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from ir_measures import AP, ERR, RR, P, R, Success, nDCG
from random_tables import nested, random_tables

from byhand import Conventions, evaluate

CUTOFFS = (1, 3, 5, 10, 100)
EXPONENTIAL = {grade: 2**grade - 1 for grade in range(1, 5)}


ITEMS = {"text": [*map(str, range(60))], "non-ascii": [f"документ {n}" for n in range(60)]}


def drawn(seed, ids="text"):
    return random_tables(seed, items=ITEMS[ids], levels=24, grades=range(-1, 5))


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


@pytest.mark.parametrize("ids", ["text", "non-ascii"])
@pytest.mark.parametrize("seed", range(5))
def test_same_as_ir_measures(seed, ids):
    run, qrels = drawn(seed, ids)
    measures = [AP, RR, nDCG, AP(rel=2), RR(rel=3)]
    for k in CUTOFFS:
        measures += [AP @ k, nDCG @ k, P @ k, R @ k, Success @ k]
        measures += [AP(rel=2) @ k, P(rel=3) @ k, R(rel=2) @ k, Success(rel=4) @ k]
    expected = by_ir_measures(measures, run, qrels)
    found = evaluate(run, qrels, measures)
    assert set(found.index) == set(expected.index)
    assert found.attrs["missing"] > 0
    assert found.attrs["empty"] > 0
    assert found.attrs["run_only"] > 0
    assert len(expected.columns) == len(measures)
    assert_same(found, expected)


@pytest.mark.parametrize("seed", range(5, 8))
def test_means_are_those_of_ir_measures(seed):
    run, qrels = drawn(seed)
    measures = [RR, AP, nDCG @ 10]
    expected = ir_measures.calc_aggregate(measures, qrels, run)
    found = evaluate(run, qrels, measures).mean()
    for measure in measures:
        assert found[str(measure)] == pytest.approx(expected[measure], abs=1e-12)


@pytest.mark.parametrize("seed", range(8, 13))
def test_same_as_pytrec_eval(seed):
    run, qrels = drawn(seed)
    names = {"recip_rank": "RR", "map": "AP", "ndcg": "nDCG", "set_P": "P", "set_recall": "R"}
    for k in CUTOFFS:
        names |= {f"map_cut_{k}": f"AP@{k}", f"ndcg_cut_{k}": f"nDCG@{k}", f"P_{k}": f"P@{k}"}
        names |= {f"recall_{k}": f"R@{k}", f"success_{k}": f"Success@{k}"}
    evaluator = pytrec_eval.RelevanceEvaluator(nested(qrels, "relevance"), set(names))
    results = evaluator.evaluate(nested(run, "score"))
    expected = pd.DataFrame.from_dict(results, orient="index").rename(columns=names)
    assert set(names.values()) <= set(expected.columns)
    # pytrec_eval drops the queries that the run lacks
    found = evaluate(run, qrels, names.values(), conventions=Conventions(missing="skip"))
    assert set(found["RR"].dropna().index) == set(expected.index)
    assert_same(found, expected)


@pytest.mark.parametrize("seed", range(13, 16))
def test_exponential_gain_is_the_gains_of_trec_eval_mapped(seed):
    run, qrels = drawn(seed)
    mapped = [nDCG(gains=EXPONENTIAL) @ k for k in CUTOFFS] + [nDCG(gains=EXPONENTIAL)]
    expected = by_ir_measures(mapped, run, qrels)
    names = {str(m): f"nDCG@{m['cutoff']}" for m in mapped[:-1]} | {str(mapped[-1]): "nDCG"}
    chosen = Conventions(gain="exponential")
    found = evaluate(run, qrels, names.values(), conventions=chosen)
    assert_same(found, expected.rename(columns=names))


def without_ties(run):
    return run.assign(score=np.random.default_rng(0).permutation(len(run)))


def test_reciprocal_rank_with_a_cutoff():
    # ir_measures takes RR@k from another tool than RR, which settles ties in another way
    run, qrels = drawn(16)
    run, measures = without_ties(run), [RR @ k for k in CUTOFFS]
    assert_same(evaluate(run, qrels, measures), by_ir_measures(measures, run, qrels))


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
    evaluator = pytrec_eval.RelevanceEvaluator(
        nested(qrels, "relevance"), {*names} | {"P", "ndcg_cut"}, relevance_level=level
    )
    results = evaluator.evaluate(nested(run, "score"))
    expected = pd.DataFrame.from_dict(results, orient="index")[[*names]].rename(columns=names)
    how = {"relevant_from": level, "conventions": "trec_eval -l"}
    assert_same(evaluate(run, qrels, names.values(), **how), expected)


def test_what_a_low_grade_gains_is_a_choice():
    run = pd.DataFrame({"query_id": "q", "doc_id": list("abc"), "score": [3.0, 2, 1]})
    qrels = run.drop(columns="score").assign(relevance=[3, 5, 1])
    evaluator = pytrec_eval.RelevanceEvaluator(
        nested(qrels, "relevance"), {"ndcg"}, relevance_level=4
    )
    theirs = evaluator.evaluate(nested(run, "score"))["q"]["ndcg"]
    found = [
        evaluate(run, qrels, "nDCG", relevant_from=4, conventions=name)["nDCG"]["q"]
        for name in ("trec_eval -c", "trec_eval -c -l")
    ]
    assert found == pytest.approx([1 / np.log2(3), theirs], abs=1e-12)
    assert found == pytest.approx([0.6309, 0.9002], abs=5e-5)
