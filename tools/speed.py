"""Time the evaluation from files to the value of each query, and compare it with pytrec_eval.

    python tools/speed.py
    python tools/speed.py --queries 100000 --shuffled --ways "scan, Parquet"

Each query has 1,000 retrieved items and 10 judged ones, half of them retrieved; ids are text. Each
method runs in its own process, including start and imports, and methods alternate. It prints the
minimum of the repeats, also relative to pytrec_eval if that ran.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

MEASURES = {"recip_rank": "RR", "map": "AP", "ndcg": "nDCG"}
BASE = "pytrec_eval, TREC text"
_RUN = """
SELECT 'q' || i // 1000 query_id, 'Q0' q0, 'D' || hash(i) % 100000000 * 1000 + i % 1000 doc_id,
    i % 1000 + 1 rank, round(30 - i % 1000 / 50, 4) score, 'tag' tag, i % 100 = 0 relevance
FROM range({rows}) rows(i) ORDER BY {order}
"""
_QRELS = """
SELECT 'q' || i // 1000 query_id, 0 iteration,
    'D' || hash(i) % 100000000 * 1000 + i % 1000 + i // 100 % 2 * 100000000000 doc_id,
    1 + hash(i, 3) % 3 relevance
FROM range(0, {rows}, 100) rows(i)
"""


def make_files(folder: Path, queries: int, *, shuffled: bool) -> None:
    """Write runs as TREC text and Parquet, one run with grades, and qrels."""
    import duckdb

    rows = {"rows": queries * 1000, "order": "hash(i, 2)" if shuffled else "i"}
    trec = "(FORMAT csv, DELIMITER ' ', HEADER false)"
    duckdb.sql(f"CREATE TABLE run AS {_RUN.format(**rows)}")
    duckdb.sql(f"COPY (FROM run SELECT * EXCLUDE relevance) TO '{folder}/run.trec' {trec}")
    duckdb.sql(f"COPY (FROM run SELECT query_id, doc_id, score) TO '{folder}/run.parquet'")
    table = "FROM run SELECT query_id, doc_id, score, relevance::INTEGER relevance"
    duckdb.sql(f"COPY ({table}) TO '{folder}/judged.parquet'")
    duckdb.sql(f"COPY ({_QRELS.format(**rows)}) TO '{folder}/qrels.trec' {trec}")


def from_files(run: str):
    """Return a function that reads and evaluates a run with this library."""

    def call(folder: Path) -> None:
        from byhand import evaluate, read_judged_run, read_qrels, read_run

        if run.startswith("judged"):
            table = read_judged_run(folder / run)
            evaluate(table, table, [*MEASURES.values()])
        else:
            tables = read_run(folder / run), read_qrels(folder / "qrels.trec")
            evaluate(*tables, [*MEASURES.values()])

    return call


def by_scanning(folder: Path) -> None:
    """Evaluate a run within 2 GB of memory."""
    from byhand import evaluate, scan

    with scan(folder / "run.parquet", memory="2GB", scratch=folder) as run:
        evaluate(run, scan(folder / "qrels.trec", "qrels"), [*MEASURES.values()])


def with_pytrec_eval(folder: Path) -> None:
    """Read and evaluate with pytrec_eval."""
    import pytrec_eval

    with open(folder / "qrels.trec") as qrels, open(folder / "run.trec") as run:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(qrels), {*MEASURES})
        evaluator.evaluate(pytrec_eval.parse_run(run))


def only_pyarrow(folder: Path) -> None:
    """Read the three columns from Parquet with pyarrow, without evaluation."""
    import pyarrow.parquet

    pyarrow.parquet.read_table(folder / "run.parquet")


WAYS = {
    "this library, Parquet": from_files("run.parquet"),
    "this library, TREC text": from_files("run.trec"),
    "this library, judged Parquet": from_files("judged.parquet"),
    "scan, Parquet": by_scanning,
    "pyarrow, only reading": only_pyarrow,
    BASE: with_pytrec_eval,
}


def in_new_process(way: str, folder: Path) -> list[float]:
    """Run a method in a new process; return elapsed seconds, CPU seconds and peak memory."""
    root = str(Path(__file__).resolve().parents[1])
    began = time.perf_counter()
    command = [sys.executable, __file__, "--measure", way, str(folder)]
    process = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": root})
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{way} failed")
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return [time.perf_counter() - began, used.ru_utime + used.ru_stime, peak / 1e9]


def main() -> None:
    """Print one line per method."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--queries", type=int, default=6980)
    parser.add_argument("--shuffled", action="store_true", help="rows in random order")
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=[*WAYS])
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        WAYS[options.measure[0]](Path(options.measure[1]))
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder, options.queries, shuffled=options.shuffled)
        rounds = [
            [in_new_process(way, folder) for way in options.ways] for _ in range(options.repeats)
        ]
    least = {
        way: [min(each) for each in zip(*found, strict=True)]
        for way, *found in zip(options.ways, *rounds, strict=True)
    }
    print(f"{'':30} {'by the clock':>18} {'computing':>18} {'memory':>18}")
    for way, found in least.items():
        cells = [
            f"{value:8.2f} {unit:2}" for value, unit in zip(found, ("s", "s", "GB"), strict=True)
        ]
        if BASE in least:
            cells = [f"{c} {v / b:6.2f}" for c, v, b in zip(cells, found, least[BASE], strict=True)]
        print(f"{way:30} {' '.join(cells)}")


if __name__ == "__main__":
    main()
