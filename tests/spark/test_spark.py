"""A run that lives in Spark: the same values as in memory, and its rows stay where they are."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from byhand import DataError, evaluate, preflight

sys.path.append(str(Path(__file__).parents[1] / "tables"))
from lazy_cases import CASES, TIES, assert_same_values, in_arrow, random_case

FOUND = {
    "Java": shutil.which("java") or os.environ.get("JAVA_HOME"),
    "PySpark": find_spec("pyspark"),
}
# where nothing can run them and they were asked for, they fail
pytestmark = pytest.mark.skipif(
    not all(FOUND.values()) and not os.environ.get("SPARK"),
    reason=f"There is no {' and no '.join(each for each in FOUND if not FOUND[each])} here, so the "
    "tests with Spark were left out. To have them, install Java 17 (Debian, Ubuntu: apt-get "
    "install openjdk-17-jre-headless) and run make test SPARK=yes.",
)


@pytest.fixture(scope="module")
def spark():
    """Real PySpark in local mode."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # or it takes the first in the path
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.maxResultSize", "4m")  # answers fit into it, and rows do not
        # its queries are small and many: to compile them twice, the second time well, is a loss
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


# each kind of scores, and of ids; more of them are tried on DuckDB, by the same functions
@pytest.mark.parametrize(
    "case", [each for each in CASES[:8] if "unsigned" not in each], ids="-".join
)
def test_values_are_those_of_memory_to_the_last_bit(spark, case):
    run, qrels = random_case(*case)
    order = TIES[CASES.index(case) % 3]
    assert_same_values((spark.createDataFrame(run), qrels), (run, qrels), orders=[order])


def test_the_rows_never_come_to_the_driver(spark):
    rng = np.random.default_rng(0)  # so that they cannot be packed
    run = pd.DataFrame({"query_id": rng.integers(0, 99, 240_000).astype(str)})
    run = run.assign(
        doc_id=[f"d{n}" for n in rng.permutation(len(run))], score=rng.random(len(run))
    )
    qrels = run[::240].rename(columns={"score": "relevance"})
    frame = spark.createDataFrame(in_arrow(run))
    with pytest.raises(Exception, match="maxResultSize"):  # as who holds all of them would see
        frame.toArrow()
    found = evaluate(frame, spark.createDataFrame(qrels))
    pd.testing.assert_frame_equal(found, evaluate(run, qrels).sort_index())
    assert "240,000" in repr(preflight(frame, qrels))


def test_a_repeat_is_named(spark):
    run, qrels = random_case("quarters", "text")
    repeated = pd.concat([run, run[-1:].assign(score=7.0)])
    said = f"{run.iloc[-1]['query_id']!r} has item .* twice. Each item .*: duplicates='best'"
    with pytest.raises(DataError, match=said):
        evaluate(spark.createDataFrame(repeated), qrels)


def test_ids_that_know_no_case_and_a_column_that_arrow_has_no_type_for(spark):
    run = pd.DataFrame({"query_id": [*"pppP"], "doc_id": [*"aAba"], "score": [0.5, 0.5, 1, 1]})
    qrels = pd.DataFrame({"query_id": [*"pP"], "doc_id": "a", "relevance": 1})
    no_case = [f"{name} COLLATE UTF8_LCASE AS {name}" for name in ("query_id", "doc_id")]
    frame = spark.createDataFrame(run).selectExpr(*no_case, "score", "INTERVAL '1' YEAR AS age")
    assert_same_values((frame, qrels), (run, qrels))


def test_workers_without_this_package(spark, tmp_path, monkeypatch):
    bare = tmp_path / "python3"  # as the first in the path may be
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    run, qrels = random_case("quarters", "text")
    frame = spark.createDataFrame(run)
    for python, found in ((bare, "ModuleNotFoundError: No module"), (tmp_path / "3", "Cannot run")):
        monkeypatch.setattr(spark.sparkContext, "pythonExec", str(python))
        said = f"Spark cannot read the table: {found} .*PYSPARK_PYTHON'. = sys.exec"
        with pytest.raises(DataError, match=said):
            evaluate(frame, qrels)
