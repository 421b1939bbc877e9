"""A run that lives in Spark: the same hits as in memory, and a plan that leaves it where it is."""

import sys
from pathlib import Path

import pandas as pd
import pytest

import helpers.tables.lazy
from helpers.metrics.hits import Tables

sys.path.append(str(Path(__file__).parents[1] / "tables"))
from lazy_cases import TIES, assert_same_hits, random_case

# Spark takes a second for any question, so cases with scores of one kind share a table
KINDS, CASES = 7, 200


def cases_of_kind(kind):
    """Cases as one run and one qrels, each with queries of its own."""
    tables = [[], []]
    for seed in range(kind, CASES, KINDS):
        for table, frame in zip(tables, random_case(seed), strict=True):
            ids = frame[["query_id", "doc_id"]].astype(str)
            table.append(frame.assign(query_id=f"{seed}:" + ids["query_id"], doc_id=ids["doc_id"]))
    return [pd.concat(table, ignore_index=True) for table in tables]


@pytest.mark.parametrize("dense", [1, 200])
@pytest.mark.parametrize("kind", range(KINDS))
def test_hits_are_those_of_memory_to_the_last_bit(spark, kind, dense, monkeypatch):
    monkeypatch.setattr(helpers.tables.lazy, "DENSE", dense)
    run, qrels = cases_of_kind(kind)
    here, there = Tables(run, qrels), Tables(spark.createDataFrame(run), qrels)
    for ties in TIES:
        assert_same_hits(there.hits(ties=ties), here.hits(ties=ties))


def test_whole_ids_are_those_of_memory(spark):
    run, qrels = random_case(
        next(n for n in range(99) if random_case(n)[0]["doc_id"].dtype.kind == "i")
    )
    here, there = (
        Tables(run, qrels),
        Tables(spark.createDataFrame(run), spark.createDataFrame(qrels)),
    )
    assert there.run.table.engine.table["doc_id"].type().is_integer()
    for ties in TIES:
        assert sorted(there.hits(ties=ties).rank) == sorted(here.hits(ties=ties).rank)


def test_the_run_is_not_shuffled_for_the_counts(spark, monkeypatch):
    run, qrels = cases_of_kind(0)
    plans = []

    def seen(engine, ask, ours=None):
        with engine.asked(ask, ours) as frame:
            if ours is not None:
                plans.append(frame._jdf.queryExecution().executedPlan().toString())
            return frame.toArrow()

    monkeypatch.setattr("helpers.tables.engines._OfSpark.answer", seen)
    Tables(spark.createDataFrame(run), qrels, repeats="hits").hits()
    assert len(plans) == 2  # the hits, and the counts
    for plan in plans:
        assert "BroadcastHashJoin" in plan
        assert "SortMergeJoin" not in plan
    found, counts = plans
    assert "Exchange hashpartitioning" not in found
    # the sums of each machine meet, and nothing else does
    (shuffled,) = [line for line in counts.splitlines() if "Exchange hashpartitioning" in line]
    assert "hashpartitioning(hit#" in shuffled
