"""How long it takes from files to the table of each query's values, beside other tools.

    python tests/benchmarks/read_speed.py
    python tests/benchmarks/read_speed.py --sizes 200x1000 --repeats 1

The files are made once, in a folder that is removed afterwards. Every measurement runs in a
process of its own, which has imported what it uses before the clock starts; the tools take turns,
so that a busy machine slows them alike. The values are compared, the times only printed.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

MEASURES = {"recip_rank": "RR", "map": "AP", "ndcg": "nDCG"}
RELEVANT = 10  # judged items of each query, half of them retrieved
COLUMNS = ["query_id", "doc_id", "score"]


def make_files(folder: Path, n_queries: int, n_items: int) -> None:
    """A random run without ties, even as float32, as TREC text and Parquet, and TREC qrels."""
    import pyarrow as pa
    import pyarrow.csv

    rng = np.random.default_rng(0)
    query = np.repeat(rng.choice(900_000, n_queries, replace=False) + 100_000, n_items)
    place = np.tile(np.arange(n_items), n_queries)
    item = (place * 7919 + query * 104_729) % 8_800_003
    score = np.round(30 - place * 20 / n_items, 4)
    table = {"query_id": query.astype(str), "q0": "Q0", "doc_id": item.astype(str)}
    run = pd.DataFrame(table | {"rank": place + 1, "score": score, "tag": "tag"})
    run[COLUMNS].to_parquet(folder / "run.parquet", index=False)
    options = pa.csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    text = pa.Table.from_pandas(run, preserve_index=False)
    pa.csv.write_csv(text, str(folder / "run.trec"), options)
    judged = run.groupby("query_id", sort=False).sample(min(RELEVANT, n_items), random_state=0)
    qrels = judged[["query_id", "q0", "doc_id"]].assign(relevance=rng.integers(1, 4, len(judged)))
    qrels.loc[qrels.index % 2 == 1, "doc_id"] += "x"  # never retrieved
    qrels.to_csv(folder / "qrels.trec", sep=" ", header=False, index=False)


def ours(extension: str):
    """Read and evaluate with this package."""
    from helpers import evaluate
    from helpers.files.read import read_qrels, read_run

    def call(folder: Path) -> pd.DataFrame:
        run, qrels = read_run(folder / f"run.{extension}"), read_qrels(folder / "qrels.trec")
        return evaluate(run, qrels, list(MEASURES.values()))

    return call


def only_pyarrow():
    """Let pyarrow read the three columns from Parquet, and do nothing with them."""
    import pyarrow.parquet as pq

    return lambda folder: pq.read_table(folder / "run.parquet", columns=COLUMNS) and None


def with_pytrec_eval():
    """Read and evaluate with pytrec_eval."""
    import pytrec_eval

    def call(folder: Path) -> pd.DataFrame:
        with open(folder / "qrels.trec") as file:
            qrels = pytrec_eval.parse_qrel(file)
        with open(folder / "run.trec") as file:
            run = pytrec_eval.parse_run(file)
        values = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES)).evaluate(run)
        return pd.DataFrame.from_dict(values, orient="index").rename(columns=MEASURES)

    return call


def with_ir_measures():
    """Read and evaluate with ir_measures."""
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in MEASURES.values()]

    def call(folder: Path) -> pd.DataFrame:
        qrels = ir_measures.read_trec_qrels(str(folder / "qrels.trec"))
        run = ir_measures.read_trec_run(str(folder / "run.trec"))
        values = pd.DataFrame(ir_measures.iter_calc(measures, qrels, run))
        values["measure"] = values["measure"].astype(str)
        return values.pivot(index="query_id", columns="measure", values="value")

    return call


def with_ranx():
    """Read and evaluate with ranx."""
    import ranx

    names = {"mrr": "RR", "map": "AP", "ndcg": "nDCG"}

    def call(folder: Path) -> pd.DataFrame:
        qrels = ranx.Qrels.from_file(str(folder / "qrels.trec"), kind="trec")
        run = ranx.Run.from_file(str(folder / "run.trec"), kind="trec")
        ranx.evaluate(qrels, run, list(names), make_comparable=True)
        return pd.DataFrame({ours: run.scores[theirs] for theirs, ours in names.items()})

    return call


WAYS = {
    "pyarrow, Parquet, read only": (only_pyarrow, "pyarrow"),
    "this package, Parquet": (lambda: ours("parquet"), "pyarrow"),
    "this package, TREC text": (lambda: ours("trec"), "pyarrow"),
    "pytrec_eval, TREC text": (with_pytrec_eval, "pytrec_eval"),
    "ir_measures, TREC text": (with_ir_measures, "ir_measures"),
    "ranx, TREC text": (with_ranx, "ranx"),
}
BASE, PYARROW = "pytrec_eval, TREC text", "pyarrow, Parquet, read only"


def peak_megabytes() -> float:
    """The most memory that this process has had."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def do(way: str, folder: str, *size: str) -> None:
    """Make the files or measure one way, and print what was measured."""
    folder = Path(folder)
    if way == "make":
        make_files(folder, *map(int, size))
        print("{}")
        return
    call = WAYS[way][0]()
    start = time.perf_counter()
    frame = call(folder)
    seconds = time.perf_counter() - start
    found = {"seconds": seconds, "peak": peak_megabytes()}
    if frame is not None:
        frame = frame[list(MEASURES.values())].sort_index()
        frame.to_csv(folder / f"{way}.csv", index_label="query_id")
    print(json.dumps(found))


def in_new_process(*task: object) -> dict[str, float]:
    """Do a task in a fresh Python that sees this package."""
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, __file__, "--task", *map(str, task)],
        env=os.environ | {"PYTHONPATH": root},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def largest_difference(folder: Path, ways: list[str]) -> float:
    """How far any tool's value of any query is from pytrec_eval's."""
    values = {
        way: pd.read_csv(folder / f"{way}.csv", index_col="query_id", dtype={"query_id": str})
        for way in ways
        if (folder / f"{way}.csv").exists()
    }
    base = values.get(BASE)
    if base is None:
        return float("nan")
    others = [
        float((frame.reindex(base.index) - base).abs().max().max()) for frame in values.values()
    ]
    return max(others)


def print_table(measured: dict[str, list[dict[str, float]]]) -> None:
    """One line a tool: the best time, the memory, and both beside the others'."""
    best = {way: min(run["seconds"] for run in runs) for way, runs in measured.items()}
    peak = {way: min(run["peak"] for run in runs) for way, runs in measured.items()}
    line = "  {:28} {:>9} {:>14} {:>11} {:>11}".format
    print(line("", "seconds", "of pytrec_eval", "of pyarrow", "peak memory"))
    for way in measured:
        of_base = f"{best[way] / best[BASE]:.2f}" if BASE in best else ""
        of_pyarrow = f"{best[way] / best[PYARROW]:.1f}"
        print(line(way, f"{best[way]:.2f}", of_base, of_pyarrow, f"{peak[way]:,.0f} MB"))


def size(text: str) -> tuple[int, int]:
    """Read `6980x1000`."""
    n_queries, n_items = text.split("x")
    return int(n_queries), int(n_items)


def print_versions() -> None:
    """What was measured, and where."""
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores", end=""
    )
    for name in ("numpy", "pandas", "pyarrow", "pytrec_eval-terrier", "ir_measures", "ranx"):
        try:
            print(f", {name} {version(name)}", end="")
        except PackageNotFoundError:
            print(f", no {name}", end="")
    print()


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sizes = [(6980, 1000), (100, 100_000)]
    parser.add_argument("--sizes", nargs="+", type=size, default=sizes, metavar="QxI")
    parser.add_argument("--repeats", type=int, default=3, help="the best is shown (default: 3)")
    parser.add_argument("--no-peers", action="store_true", help="only this package and pyarrow")
    parser.add_argument("--task", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.task:
        do(*options.task)
        return
    ways = [way for way, (_, module) in WAYS.items() if find_spec(module)]
    if options.no_peers:
        ways = [way for way in ways if way.startswith(("pyarrow", "this"))]
    print_versions()
    for n_queries, n_items in options.sizes:
        with TemporaryDirectory() as name:
            folder = Path(name)
            # not in this process: its children would inherit the peak of its memory
            in_new_process("make", folder, str(n_queries), str(n_items))
            in_new_process(PYARROW, folder)  # the files are in memory for all alike
            measured: dict[str, list[dict[str, float]]] = {way: [] for way in ways}
            for _ in range(options.repeats):
                for way in ways:
                    measured[way].append(in_new_process(way, folder))
            print(f"\n{n_queries:,} queries x {n_items:,} items, best of {options.repeats}")
            print_table(measured)
            print(f"  largest difference of any value: {largest_difference(folder, ways):.0e}")


if __name__ == "__main__":
    main()
