"""A run that lives in Spark: the same hits as in memory, and a plan that leaves it where it is."""

import sys
from pathlib import Path

import pandas as pd
import pytest

import byhand.tables.engines
import byhand.tables.lazy
from byhand import DataError, preflight
from byhand.metrics import RunWithQrels

sys.path.append(str(Path(__file__).parents[1] / "tables"))
from lazy_cases import HALF_OF_THEM, TIES, assert_same_hits, batch


@pytest.mark.parametrize("which", HALF_OF_THEM[:-1])  # Spark has no whole numbers beyond 64 bits
def test_hits_are_those_of_memory_to_the_last_bit(spark, which, monkeypatch):
    monkeypatch.setattr(byhand.tables.lazy, "DENSE", [1, 200][which[0] % 2])
    run, qrels = batch(*which)
    here, there = RunWithQrels(run, qrels), RunWithQrels(spark.createDataFrame(run), qrels)
    # DuckDB is asked for each order of each kind, by the same expressions
    for ties in ("doc_id", TIES[1 + which[0] % 4]):
        assert_same_hits(there.hits(ties=ties), here.hits(ties=ties))


def test_preflight_is_that_of_memory(spark):
    run, qrels = batch(4, False)  # with scores from -1e300 to 1e300
    assert repr(preflight(spark.createDataFrame(run), qrels)) == repr(preflight(run, qrels))


def test_columns_by_other_names_and_the_best_of_repeats(spark):
    run, qrels = batch(0, False)
    run = pd.concat([run, run.assign(score=run["score"] - 1)]).sample(frac=1, random_state=0)
    options = {"duplicates": "best", "run_columns": {"Wert der Zeile": "score"}}
    run = run.rename(columns={"query_id": "qid", "score": "Wert der Zeile"})
    found = RunWithQrels(spark.createDataFrame(run), qrels, **options)
    expected = RunWithQrels(run, qrels, **options)
    assert_same_hits(found.hits(), expected.hits())
    assert found.run.repeated == expected.run.repeated == len(run) / 2


def test_the_run_is_not_shuffled_for_the_counts(spark, monkeypatch):
    run, qrels = batch(0, False)
    plans = []

    def seen(engine, ask, ours=None):
        with engine.asked(ask, ours) as frame:
            if ours is not None:
                plans.append(frame._jdf.queryExecution().executedPlan().toString())
            return frame.toArrow()

    monkeypatch.setattr("byhand.tables.engines._OfSpark.answer", seen)
    RunWithQrels(spark.createDataFrame(run), qrels, repeats="hits").hits()
    assert len(plans) == 3  # the hits, the counts, and the order of ties
    for plan in plans:
        assert "BroadcastHashJoin" in plan
        assert "SortMergeJoin" not in plan
    found, *counts = plans
    assert "Exchange hashpartitioning" not in found
    # the sums of each machine meet, and nothing else does
    for plan, by in zip(counts, ("level", "hit"), strict=True):
        (shuffled,) = [line for line in plan.splitlines() if "Exchange hashpartitioning" in line]
        assert f"hashpartitioning({by}#" in shuffled


def test_the_search_for_repeats_sends_a_number_a_row(spark, monkeypatch):
    run, qrels = batch(0, False)
    asked = []

    def seen(engine, ask, ours=None):
        with engine.asked(ask, ours) as frame:
            asked.append(frame._jdf.queryExecution().executedPlan().toString())
            return frame.toArrow()

    table = spark.createDataFrame(run)
    monkeypatch.setattr("byhand.tables.engines._OfSpark.answer", seen)
    RunWithQrels(table, qrels, repeats="all").hits()
    (plan,) = [plan for plan in asked if "xxhash64(" in plan]
    (shuffled,) = [line for line in plan.splitlines() if "Exchange hashpartitioning" in line]
    assert "query_id" not in shuffled
    assert "doc_id" not in shuffled


def test_too_many_items_to_broadcast_work_and_say_so(spark, monkeypatch):
    run, qrels = batch(1, False)
    monkeypatch.setattr(byhand.tables.engines, "BROADCAST_ROWS", 1)
    said = r"items are too many .* \(1 are the most\), so Spark so"
    with pytest.warns(byhand.tables.engines.ShuffleWarning, match=said):
        found = RunWithQrels(spark.createDataFrame(run), qrels).hits()
    assert_same_hits(found, RunWithQrels(run, qrels).hits())


@pytest.mark.parametrize("score", [float("nan"), float("-inf")])
def test_a_score_that_is_not_finite(spark, score):
    run, qrels = batch(0, False)
    run = run.assign(score=[score, *run["score"][1:]])
    with pytest.raises(DataError, match="score is no finite number in 1 of"):
        RunWithQrels(spark.createDataFrame(run), qrels).hits()


def test_ids_that_know_no_case_and_a_column_that_arrow_has_no_type_for(spark):
    run = pd.DataFrame({"query_id": [*"pppP"], "doc_id": [*"aAba"], "score": [0.5, 0.5, 1, 1]})
    qrels = pd.DataFrame({"query_id": [*"pP"], "doc_id": "a", "relevance": 1})
    no_case = [f"{name} COLLATE UTF8_LCASE AS {name}" for name in ("query_id", "doc_id")]
    frame = spark.createDataFrame(run).selectExpr(*no_case, "score", "INTERVAL '1' YEAR AS age")
    here, there = RunWithQrels(run, qrels), RunWithQrels(frame, qrels)
    for ties in TIES:
        assert_same_hits(there.hits(ties=ties), here.hits(ties=ties))
    with pytest.raises(DataError, match=r"run: doc_id holds double values\. Ids are"):
        RunWithQrels(frame.selectExpr("query_id", "score AS doc_id", "score"), qrels)
