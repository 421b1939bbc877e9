"""Runs and qrels as tables: what comes back, in which order, and how it is counted."""

import tracemalloc
from functools import partial

import numpy as np
import pandas as pd
import pytest
from needs import TEXT_BY_ARROW

import byhand.parallel
from byhand import Conventions, chance_levels, evaluate, tie_range

assert_same = partial(pd.testing.assert_frame_equal, check_exact=True)

RUN = pd.DataFrame(
    {
        "query_id": ["q2", "q1", "q2", "q1", "q2", "stray", "odd"],
        "doc_id": ["a", "b", "b", "a", "c", "a", "a"],
        "score": [0.1, 0.8, 0.3, 0.2, 0.2, 9.0, 9.0],
    }
)
QRELS = pd.DataFrame(
    {
        "query_id": ["q2", "q9", "q1", "q2", "q0"],
        "doc_id": ["c", "a", "a", "zzz", "a"],
        "relevance": [2, 1, 1, 1, 0],
    }
)


def test_one_row_a_judged_query_in_the_order_of_the_qrels():
    found = evaluate(RUN, QRELS, ["RR", "R", "P@4"])
    assert found.index.tolist() == ["q2", "q9", "q1", "q0"]
    assert found.index.name == "query_id"
    assert found.columns.tolist() == ["RR", "R", "P@4"]
    assert found["RR"].tolist() == [1 / 2, 0, 1 / 2, 0]
    assert found["R"].tolist() == [1 / 2, 0, 1, 0]
    assert found["P@4"].tolist() == [1 / 4, 0, 1 / 4, 0]


def test_the_default_measures():
    assert evaluate(RUN, QRELS).columns.tolist() == ["RR", "AP", "nDCG"]


def test_attrs_say_how_many_queries_were_what():
    found = evaluate(RUN, QRELS)
    assert found.attrs == {
        "judged": 4,
        "averaged": 4,
        "missing": 2,
        "empty": 1,
        "run_only": 2,
        "preset": "trec_eval -c",
        "conventions": Conventions().as_dict(),
        "relevant_from": None,
    }


def test_attrs_under_skipping():
    chosen = Conventions(missing="skip", no_relevant="skip", ties="worst")
    found = evaluate(RUN, QRELS, "RR", conventions=chosen)
    assert found.attrs["averaged"] == 2 == found["RR"].count()
    assert found.attrs["conventions"]["ties"] == "worst"


def test_queries_of_the_run_only_are_counted_once_each():
    strangers = pd.DataFrame(
        {"query_id": ["s", "t", "s", "q1", "s"], "doc_id": list("abcde"), "score": 1.0}
    )
    qrels = pd.DataFrame({"query_id": ["q1"], "doc_id": ["d"], "relevance": [1]})
    assert evaluate(strangers, qrels).attrs["run_only"] == 2


@pytest.mark.parametrize("seed", range(3))
def test_rows_in_any_order(seed):
    expected = evaluate(RUN, QRELS, ["RR", "AP", "nDCG", "P", "R"])
    shuffled = RUN.sample(frac=1, random_state=seed)
    found = evaluate(shuffled, QRELS, ["RR", "AP", "nDCG", "P", "R"])
    assert_same(found, expected)


def test_no_hits_at_all_gives_zeros_that_can_be_skipped():
    qrels = QRELS[["query_id", "relevance"]].assign(doc_id="nowhere").drop_duplicates("query_id")
    measures = ["RR", "AP", "nDCG", "DCG", "P", "P@3", "R", "Success"]
    assert set(evaluate(RUN, qrels, measures).dtypes) == {np.dtype(float)}
    found = evaluate(RUN, qrels, measures, conventions=Conventions(missing="skip"))
    assert found.loc["q1"].tolist() == [0.0] * len(measures)
    assert found.loc["q9"].isna().all()


@pytest.mark.parametrize("ties", ["doc_id", "input", "best", "worst", "expected"])
@pytest.mark.parametrize("denominator", ["relevant", "capped", "retrieved"])
def test_no_hits_at_all_give_zeros_under_every_convention(ties, denominator):
    qrels = pd.DataFrame({"query_id": ["q1"], "doc_id": ["nowhere"], "relevance": [1]})
    chosen = Conventions(ties=ties, denominator=denominator)
    measures = ["RR", "AP", "AP@2", "nDCG", "DCG", "P", "P@3", "R", "Success"]
    found = tie_range(RUN, qrels, measures, conventions=chosen)
    assert not found.pop("tied").any()
    levels = chance_levels(RUN, qrels, measures, conventions=chosen)
    for table in (found, levels):
        assert set(table.dtypes) == {np.dtype(float)}
        assert (table == 0).all(axis=None)
    assert np.isnan([*levels.attrs["lift"].values()]).all()


def test_extra_columns_and_an_odd_index_do_no_harm():
    run = RUN.assign(rank=1, system="x").set_index(pd.Index([5] * len(RUN)))
    qrels = QRELS.assign(iteration="0").set_index(pd.Index(list("vwxyz")))
    assert_same(evaluate(run, qrels), evaluate(RUN, QRELS))


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "int64", "Float64", "bool"])
def test_scores_of_any_number_type(dtype):
    run = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": [0, 1]})
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["a"], "relevance": [1]})
    assert evaluate(run.astype({"score": dtype}), qrels, "RR")["RR"].tolist() == [1 / 2]
    assert evaluate(run, qrels.astype({"relevance": dtype}), "RR")["RR"].tolist() == [1 / 2]


def test_scores_wider_than_float64_do_not_lose_hits():
    tenths = np.array([1, 3, 7], dtype=np.longdouble) / 10  # two of them round up
    run = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b", "c"], "score": tenths})
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b", "c"], "relevance": 1})
    assert evaluate(run, qrels, ["AP"])["AP"].tolist() == [1]


def test_items_may_be_queries_too():
    run = pd.DataFrame({"query_id": ["a", "b"], "doc_id": ["b", "a"], "score": 1.0})
    qrels = run[["query_id", "doc_id"]].assign(relevance=1)
    assert evaluate(run, qrels, "R")["R"].tolist() == [1, 1]


def test_inputs_are_left_as_they_were():
    run, qrels = RUN.copy(deep=True), QRELS.copy(deep=True)
    evaluate(run, qrels)
    assert_same(run, RUN)
    assert_same(qrels, QRELS)


@pytest.mark.parametrize("measures", ["RR", ("RR",), iter(["RR"])])
def test_measures_may_be_one_or_several(measures):
    assert evaluate(RUN, QRELS, measures).columns.tolist() == ["RR"]


def random_tables(n_queries, n_items, seed=0):
    rng = np.random.default_rng(seed)
    query = np.repeat(np.arange(n_queries), n_items)
    item = np.concatenate([rng.permutation(n_items * 2)[:n_items] for _ in range(n_queries)])
    run = pd.DataFrame(
        {"query_id": query, "doc_id": item, "score": rng.integers(0, 99, len(query))}
    )
    judged = pd.DataFrame(
        {"query_id": query, "doc_id": rng.permuted(item.reshape(n_queries, -1), axis=1).ravel()}
    )
    judged = judged[rng.random(len(judged)) < 0.1]
    return run, judged.assign(relevance=rng.integers(-1, 4, len(judged)))


@TEXT_BY_ARROW
@pytest.mark.parametrize("dtype", ["int64", "object", "str", "arrow"])
def test_memory_beyond_the_input_is_a_few_bytes_a_row(monkeypatch, dtype):
    monkeypatch.setattr(byhand.parallel, "BLOCK", 4096)
    run, qrels = random_tables(100, 1000)
    run["score"] = np.arange(len(run)) * 1.0
    if dtype != "int64":
        run["doc_id"] = run["doc_id"].astype(str).astype(object)
    if dtype == "arrow":
        dtype = pd.ArrowDtype(pytest.importorskip("pyarrow").string())
    run["doc_id"] = run["doc_id"].astype(dtype)
    evaluate(run[:10], qrels)
    peaks = []
    for _ in range(3):  # what other threads of the tests take meanwhile is counted, too
        tracemalloc.start()
        evaluate(run, qrels[:500])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert min(peaks) / len(run) < 25


@pytest.mark.parametrize("ties", ["doc_id", "input", "best", "worst", "expected"])
@pytest.mark.parametrize("block", [1, 7, 64])
def test_the_size_of_a_block_changes_nothing(monkeypatch, block, ties):
    run, qrels = random_tables(20, 30)
    run = run.sample(frac=1, random_state=1, ignore_index=True)
    chosen = Conventions(ties=ties)
    expected = evaluate(run, qrels, conventions=chosen)
    monkeypatch.setattr(byhand.parallel, "BLOCK", block)
    assert len(byhand.parallel.blocks(len(run))) == -(-len(run) // block)
    assert_same(evaluate(run, qrels, conventions=chosen), expected)


def test_more_rows_than_one_block_holds():
    run, qrels = random_tables(60, 5000)
    assert len(run) > 2 * byhand.parallel.BLOCK
    run = run.astype({"score": float})
    run["score"] += np.random.default_rng(1).random(len(run))
    found = evaluate(run, qrels, ["RR", "AP", "R"])
    ordered = run.sort_values(["query_id", "score"], ascending=[True, False])
    ordered["rank"] = ordered.groupby("query_id").cumcount() + 1
    hits = ordered.merge(qrels[qrels["relevance"] > 0], on=["query_id", "doc_id"])
    hits["nth"] = hits.groupby("query_id").cumcount() + 1
    ap = (hits["nth"] / hits["rank"]).groupby(hits["query_id"]).mean()
    rr = 1 / hits.groupby("query_id")["rank"].min()
    np.testing.assert_allclose(found["AP"], ap, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found["RR"], rr, rtol=0, atol=1e-12)
    assert (found["R"] == 1).all()
