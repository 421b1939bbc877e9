"""Runs that memory does not hold: Parquet on DuckDB within a limit, and on Spark beside MLlib.

    python tools/beyond_memory.py
    python tools/beyond_memory.py --most 10000000 --memory 1GB --folder /large/disk
    python tools/beyond_memory.py --spark
    python tools/beyond_memory.py --spark --judged 500

Each run lies in 16 files with parts of every query: 1,000 items a query, and 10 judged ones of
which half were retrieved, ids as text. Each line is measured once, in processes of its own: with
the search for repeats among all rows, then among judged items only. 10^8 rows take 2 GB of disk,
and some more for what is spilled. --spark needs Java; the better of two rounds in one process is
printed. With 500 judged items a query, they are ten million: too many to broadcast.
"""

import argparse
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

import duckdb

from byhand import evaluate, scan_qrels, scan_run

ITEMS, FILES = 1000, 16
SPARK_ROWS = 2 * 10**7
_RUN = """
COPY (
    SELECT 'q' || i // {items} query_id, 'D' || hash(i) % 100000000 * {items} + i % {items} doc_id,
        hash(i, 1) / 2.0 ** 64 score
    FROM range({part}, {rows}, {files}) rows(i) ORDER BY hash(i, 2)
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


def made(folder: Path, rows: int, judged: int) -> tuple[Path, Path]:
    """A run of so many rows in 16 files, and its qrels with so many items a query; made once."""
    run, qrels = folder / f"run-{rows}", folder / f"qrels-{rows}-{judged}.parquet"
    options = {"items": ITEMS, "each": ITEMS // judged, "rows": rows, "files": FILES}
    run.mkdir(exist_ok=True)
    for part in range(FILES):
        if not (file := run / f"{part:02}.parquet").exists():
            duckdb.sql(_RUN.format(part=part, file=file, **options))
    if not qrels.exists():
        duckdb.sql(_QRELS.format(file=qrels, **options))
    return run, qrels


def scanned(run: Path, qrels: Path, memory: str, repeats: str) -> tuple[float, float, int, int]:
    """Seconds, those of all cores, the peak of memory, the most that lay spilled at a time."""
    start, over, most = time.perf_counter(), Event(), [0]
    with scan_run(run, memory=memory, folder=run.parent) as table:

        def watch() -> None:
            while not over.wait(0.1):
                most.append(sum(f.stat().st_size for f in table.room.glob("**/*.tmp")))

        thread = Thread(target=watch)
        thread.start()
        try:
            evaluate(table, scan_qrels(qrels), repeats=repeats)
        finally:
            over.set()
            thread.join()
    taken = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF)
    return taken, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, max(most)


def on_spark(run: Path, qrels: Path) -> None:
    """Print how long `evaluate` takes on a frame, and MLlib's ranking metrics on the same."""
    from pyspark.ml.evaluation import RankingEvaluator
    from pyspark.sql import SparkSession, functions as f

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

    def ours(repeats: str) -> float:
        return evaluate(ranked, judged, repeats=repeats)["AP"].mean()

    ways = {
        "evaluate: RR, AP, nDCG, every row searched for repeats": lambda: ours("all"),
        "evaluate: RR, AP, nDCG, judged items searched": lambda: ours("hits"),
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
            tables = made(folder, rows, chosen.judged)
            for repeats in ("all", "hits"):
                with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                    found = pool.submit(scanned, *tables, chosen.memory, repeats).result()
                taken, cpu, memory, spilled = found
                print(
                    f"{rows:>11,} rows  repeats={repeats:<4}  {taken:6.1f} s, cores busy {cpu:5.1f}"
                    f" s, {cpu / rows * 1e9:5.0f} ns a row  peak {memory / 1e9:.2f} GB  spilled "
                    f"{spilled / 1e9:.2f} GB",
                    flush=True,
                )


if __name__ == "__main__":
    main()
