"""Runs and qrels as tables: what comes back, in which order, and how it is counted."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from needs import TEXT_BY_ARROW

import byhand.parallel
from byhand import Conventions, chance_levels, evaluate, tie_range
from byhand.metrics import CHOICES

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
    for measures in ("RR", ("RR",), iter(["RR"])):
        assert evaluate(RUN, QRELS, measures).columns.tolist() == ["RR"]


def test_attrs_say_how_many_queries_were_what():
    found = evaluate(RUN, QRELS)
    assert found.columns.tolist() == ["RR", "AP", "nDCG"]
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
    chosen = Conventions(missing="skip", no_relevant="skip", ties="worst")
    found = evaluate(RUN, QRELS, "RR", conventions=chosen)
    assert found.attrs["averaged"] == 2 == found["RR"].count()
    assert found.attrs["conventions"] == chosen.as_dict()
    assert found.attrs["preset"] == "none"


@pytest.mark.parametrize("denominator", CHOICES["denominator"].options)
@pytest.mark.parametrize("ties", ["doc_id", "worst", "expected"])
def test_no_hits_at_all_give_zeros_under_every_convention(ties, denominator):
    qrels = pd.DataFrame({"query_id": ["q1", "q9"], "doc_id": "nowhere", "relevance": 1})
    chosen = Conventions(ties=ties, denominator=denominator)
    measures = ["RR", "AP", "AP@2", "nDCG", "DCG", "ERR", "RBP", "P", "P@3", "R", "Success"]
    found = tie_range(RUN, qrels, measures, conventions=chosen)
    assert not found.pop("tied").any()
    levels = chance_levels(RUN, qrels, measures, conventions=chosen)
    for table in (found, levels):
        assert set(table.dtypes) == {np.dtype(float)}
        assert (table == 0).all(axis=None)
    assert np.isnan([*levels.attrs["lift"].values()]).all()
    skipped = evaluate(RUN, qrels, measures, conventions=chosen.but(missing="skip"))
    assert skipped.isna().all(axis=1).tolist() == [False, True]


@TEXT_BY_ARROW
@pytest.mark.parametrize("dtype", ["int64", "object", "str"])
def test_memory_beyond_the_input_is_a_few_bytes_a_row(monkeypatch, dtype):
    monkeypatch.setattr(byhand.parallel, "BLOCK", 4096)
    rng, (n_queries, n_items) = np.random.default_rng(0), (100, 1000)
    run = pd.DataFrame({"query_id": np.repeat(np.arange(n_queries), n_items)})
    run["doc_id"] = np.tile(rng.permutation(n_items), n_queries)
    run["score"] = rng.permutation(len(run)) * 1.0
    qrels = run[rng.random(len(run)) < 0.1].drop(columns="score").assign(relevance=1)
    run = run.sort_values(["query_id", "score"], ignore_index=True)
    run["doc_id"] = run["doc_id"].astype(str if dtype != "int64" else dtype).astype(dtype)
    evaluate(run[:10], qrels)
    peaks = []
    for _ in range(3):  # what other threads of the tests take meanwhile is counted, too
        tracemalloc.start()
        evaluate(run, qrels[:500])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert min(peaks) / len(run) < 25
