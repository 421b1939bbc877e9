"""A run that lives in Spark: the same hits as in memory, and its rows stay where they are."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from byhand import DataError, evaluate, preflight
from byhand.metrics import RunWithQrels

sys.path.append(str(Path(__file__).parents[1] / "tables"))
from lazy_cases import HALF_OF_THEM, TIES, assert_same_hits, batch, in_arrow


@pytest.mark.parametrize("which", HALF_OF_THEM[:-1])  # Spark has no whole numbers beyond 64 bits
def test_hits_are_those_of_memory_to_the_last_bit(spark, which):
    run, qrels = batch(*which)
    here, there = RunWithQrels(run, qrels), RunWithQrels(spark.createDataFrame(run), qrels)
    # the other orders of each kind are tried on tables of DuckDB, by the same functions
    for ties in ("doc_id", TIES[1 + which[0] % 4]):
        assert_same_hits(there.hits(ties=ties), here.hits(ties=ties))


def test_the_rows_never_come_to_the_driver(spark):
    rng = np.random.default_rng(0)  # so that they cannot be packed
    run = pd.DataFrame({"query_id": rng.integers(0, 99, 600_000).astype(str)})
    run = run.assign(
        doc_id=[f"d{n}" for n in rng.permutation(len(run))], score=rng.random(len(run))
    )
    qrels = run[::600].rename(columns={"score": "relevance"})
    frame = spark.createDataFrame(in_arrow(run))
    with pytest.raises(Exception, match="maxResultSize"):  # as who holds all of them would see
        frame.toArrow()
    found = evaluate(frame, spark.createDataFrame(qrels))
    pd.testing.assert_frame_equal(found, evaluate(run, qrels).sort_index())
    assert "600,000" in repr(preflight(frame, qrels))


def test_a_repeat_and_a_score_that_is_not_finite_are_named(spark):
    run, qrels = batch(0, False)
    repeated = pd.concat([run, run[-1:].assign(score=7.0)])
    said = f"{run.iloc[-1]['query_id']!r} has item .* twice. Each item .*: duplicates='best'"
    with pytest.raises(DataError, match=said):
        evaluate(spark.createDataFrame(repeated), qrels)
    run = run.assign(score=[float("nan"), *run["score"][1:]])
    with pytest.raises(DataError, match="score is not a finite number in 1 of"):
        RunWithQrels(spark.createDataFrame(run), qrels).hits()


def test_ids_that_know_no_case_and_a_column_that_arrow_has_no_type_for(spark):
    run = pd.DataFrame({"query_id": [*"pppP"], "doc_id": [*"aAba"], "score": [0.5, 0.5, 1, 1]})
    qrels = pd.DataFrame({"query_id": [*"pP"], "doc_id": "a", "relevance": 1})
    no_case = [f"{name} COLLATE UTF8_LCASE AS {name}" for name in ("query_id", "doc_id")]
    frame = spark.createDataFrame(run).selectExpr(*no_case, "score", "INTERVAL '1' YEAR AS age")
    here, there = RunWithQrels(run, qrels), RunWithQrels(frame, qrels)
    for ties in TIES:
        assert_same_hits(there.hits(ties=ties), here.hits(ties=ties))
    with pytest.raises(DataError, match=r"run: doc_id contains double.* values.*\. Ids are"):
        RunWithQrels(frame.selectExpr("query_id", "score AS doc_id", "score"), qrels).hits()


def test_workers_without_this_package(spark, tmp_path, monkeypatch):
    bare = tmp_path / "python3"  # as the first in the path may be
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    run, qrels = batch(0, False)
    frame = spark.createDataFrame(run)
    for python, found in ((bare, "ModuleNotFoundError: No module"), (tmp_path / "3", "Cannot run")):
        monkeypatch.setattr(spark.sparkContext, "pythonExec", str(python))
        said = f"Spark cannot read the table: {found} .*PYSPARK_PYTHON'. = sys.exec"
        with pytest.raises(DataError, match=said):
            evaluate(frame, qrels)
