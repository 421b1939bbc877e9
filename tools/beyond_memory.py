"""Runs that memory does not hold: Parquet within a limit, and on Spark beside MLlib.

    python tools/beyond_memory.py
    python tools/beyond_memory.py --most 10000000 --memory 1GB --folder /large/disk
    python tools/beyond_memory.py --spark
    python tools/beyond_memory.py --spark --judged 500

Each run lies in 16 files with parts of every query: 1,000 items a query, and 10 judged ones of
which half were retrieved, ids as text; the rows are in random order, then in that of the queries.
Each line is measured once, in a process of its own. 10^8 rows take 4 GB of disk, and 2 GB more for
what is dealt out. --spark needs Java; the better of two rounds in one process is printed. With 500
judged items a query, they are ten million.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from byhand import evaluate, scan

ITEMS, FILES = 1000, 16
SPARK_ROWS = 2 * 10**7
_RUN = """
COPY (
    SELECT 'q' || i // {items} query_id, 'D' || hash(i) % 100000000 * {items} + i % {items} doc_id,
        hash(i, 1) / 2.0 ** 64 score
    FROM range({rows}) rows(i) WHERE {which} ORDER BY {order}
) TO '{file}' (COMPRESSION zstd)
"""
_QRELS = """
COPY (
    SELECT 'q' || i // {items} query_id,
        'D' || hash(i) % 100000000 * {items} + i % {items} + i // {each} % 2 * 100000000000 doc_id,
        (1 + hash(i, 3) % 3)::INTEGER relevance
    FROM range(0, {rows}, {each}) rows(i)
) TO '{file}' (COMPRESSION zstd)
"""


# which rows a file holds, and in which order
_ORDERS = {
    "shuffled": ("i % {files} = {part}", "hash(i, 2)"),
    "grouped": ("i // {items} % {files} = {part}", "i"),
}


def made(folder: Path, rows: int, judged: int, order: str = "shuffled") -> tuple[Path, Path]:
    """A run of so many rows in 16 files, and its qrels with so many items a query; made once."""
    run, qrels = folder / f"{order}-{rows}", folder / f"qrels-{rows}-{judged}.parquet"
    options = {"items": ITEMS, "each": ITEMS // judged, "rows": rows, "files": FILES}
    run.mkdir(exist_ok=True)
    for part in range(FILES):
        if not (file := run / f"{part:02}.parquet").exists():
            which, how = (each.format(part=part, **options) for each in _ORDERS[order])
            duckdb.sql(_RUN.format(which=which, order=how, file=file, **options))
    if not qrels.exists():
        duckdb.sql(_QRELS.format(file=qrels, **options))
    return run, qrels


def scanned(run: Path, qrels: Path, memory: str) -> tuple[float, float, int, int]:
    """Seconds, those of all cores, the peak of memory, and what lies dealt out in the end."""
    start = time.perf_counter()
    scratch = run.parent / "scratch"
    scratch.mkdir(exist_ok=True)
    tempfile.tempdir = str(scratch)
    with scan(run, memory=memory) as table:
        evaluate(table, scan(qrels, "qrels"))
        taken = time.perf_counter() - start
        dealt = sum(file.stat().st_size for file in scratch.rglob("*.arrow"))
    used = resource.getrusage(resource.RUSAGE_SELF)
    return taken, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, dealt


def on_spark(run: Path, qrels: Path) -> None:
    """Print how long `evaluate` takes on a frame, and MLlib's ranking metrics on the same."""
    from pyspark.ml.evaluation import RankingEvaluator
    from pyspark.sql import SparkSession, functions as f

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # or it takes the first in the path
    builder = SparkSession.builder.master("local[*]").config("spark.driver.memory", "6g")
    spark = builder.config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    ranked, judged = spark.read.parquet(str(run)), spark.read.parquet(str(qrels))
    ranked.limit(1).collect()

    def mllib() -> float:
        number = f.substring("doc_id", 2, 20).cast("double")  # it takes numbers for ids
        pairs = f.sort_array(f.collect_list(f.struct("score", number)), asc=False)
        lists = ranked.groupBy("query_id").agg(pairs.alias("pairs"))
        lists = lists.select("query_id", f.col("pairs").getField("col2").alias("prediction"))
        relevant = judged.groupBy("query_id").agg(f.collect_set(number).alias("label"))
        table = relevant.join(lists, "query_id").select("prediction", "label")
        metric = RankingEvaluator(metricName="meanAveragePrecision")
        return metric.setPredictionCol("prediction").setLabelCol("label").evaluate(table)

    ways = {
        "evaluate: RR, AP, nDCG, every row searched for repeats": lambda: evaluate(ranked, judged)[
            "AP"
        ].mean(),
        "MLlib's ranking metrics: MAP, nothing searched": mllib,
    }
    values, seconds = dict.fromkeys(ways), dict.fromkeys(ways, float("inf"))
    for name in [*ways] * 2:  # in the first round Java warms up
        start = time.perf_counter()
        values[name] = ways[name]()
        seconds[name] = min(seconds[name], time.perf_counter() - start)
    for name in ways:
        print(f"{name:<56} {seconds[name]:6.1f} s   MAP {values[name]:.12f}", flush=True)
    spark.stop()


def main() -> None:
    """Print one line a size, or a way."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--most", type=int, default=10**8, metavar="ROWS")
    options.add_argument("--judged", type=int, default=10, metavar="ITEMS", help="of each query")
    options.add_argument("--memory", default="2GB")
    options.add_argument("--folder", type=Path, help="where the files are made, and kept")
    options.add_argument("--spark", action="store_true")
    chosen = options.parse_args()
    with TemporaryDirectory() as own:
        folder = chosen.folder or Path(own)
        if chosen.spark:
            on_spark(*made(folder, min(chosen.most, SPARK_ROWS), chosen.judged))
            return
        for rows in (10**power for power in range(6, 9)):
            if rows > chosen.most:
                return
            for order in _ORDERS:
                tables = made(folder, rows, chosen.judged, order)
                with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                    found = pool.submit(scanned, *tables, chosen.memory).result()
                taken, cpu, memory, dealt = found
                print(
                    f"{rows:>11,} rows  {order:<8}  {taken:6.1f} s, cores busy {cpu:5.1f} s, "
                    f"{cpu / rows * 1e9:5.0f} ns a row  peak {memory / 1e9:.2f} GB  dealt out "
                    f"{dealt / 1e9:.2f} GB",
                    flush=True,
                )


if __name__ == "__main__":
    main()
