"""How long it takes from files to the table of each query's values, beside other tools.

    python tools/read_speed.py
    python tools/read_speed.py --sizes 200x1000 --repeats 1

The files are made once, in a folder that is removed afterwards. What is measured is the whole
process, from its start and with all that it imports, to the values; the tools take turns, so that
a busy machine slows them alike. This package is measured on one core, on two and on all. The
values are compared, the times only printed.
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

MEASURES = {"recip_rank": "RR", "map": "AP", "ndcg": "nDCG"}
RELEVANT = 10  # judged items of each query, half of them retrieved
COLUMNS = ["query_id", "doc_id", "score"]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def make_files(folder: Path, n_queries: int, n_items: int) -> None:
    """A random run without ties, even as float32, as TREC text and Parquet, and TREC qrels.

    And a judged run as one table, and as a run and qrels of its size.
    """
    import numpy as np
    import pandas as pd
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
    grades = np.where(rng.random(len(run)) < RELEVANT / n_items, rng.integers(1, 4, len(run)), 0)
    table = run[COLUMNS].assign(relevance=grades)
    table.to_parquet(folder / "judged.parquet", index=False)
    table.drop(columns="score").to_parquet(folder / "qrels.parquet", index=False)


def ours(run: str, qrels: str = "qrels.trec"):
    """Read and evaluate with this package; a run alone is a judged one."""
    from byhand import evaluate, read_judged_run, read_qrels, read_run

    def call(folder: Path):
        if not qrels:
            table = read_judged_run(folder / run)
            return evaluate(table, table, list(MEASURES.values()))
        tables = read_run(folder / run), read_qrels(folder / qrels)
        return evaluate(*tables, list(MEASURES.values()))

    return call


def only_pyarrow():
    """Let pyarrow read the three columns from Parquet, and do nothing with them."""
    import pyarrow.parquet as pq

    return lambda folder: pq.read_table(folder / "run.parquet", columns=COLUMNS) and None


def with_pytrec_eval():
    """Read and evaluate with pytrec_eval."""
    import pytrec_eval

    def call(folder: Path):
        with open(folder / "qrels.trec") as file:
            qrels = pytrec_eval.parse_qrel(file)
        with open(folder / "run.trec") as file:
            run = pytrec_eval.parse_run(file)
        values = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES)).evaluate(run)
        return {query: {MEASURES[name]: row[name] for name in row} for query, row in values.items()}

    return call


def with_ir_measures():
    """Read and evaluate with ir_measures."""
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in MEASURES.values()]

    def call(folder: Path):
        qrels = ir_measures.read_trec_qrels(str(folder / "qrels.trec"))
        run = ir_measures.read_trec_run(str(folder / "run.trec"))
        values: dict[str, dict[str, float]] = {}
        for found in ir_measures.iter_calc(measures, qrels, run):
            values.setdefault(found.query_id, {})[str(found.measure)] = found.value
        return values

    return call


def with_ranx():
    """Read and evaluate with ranx."""
    import ranx

    names = {"mrr": "RR", "map": "AP", "ndcg": "nDCG"}

    def call(folder: Path):
        qrels = ranx.Qrels.from_file(str(folder / "qrels.trec"), kind="trec")
        run = ranx.Run.from_file(str(folder / "run.trec"), kind="trec")
        ranx.evaluate(qrels, run, list(names), make_comparable=True)
        values: dict[str, dict[str, float]] = {}
        for theirs, measure in names.items():
            for query, value in run.scores[theirs].items():
                values.setdefault(query, {})[measure] = value
        return values

    return call


WAYS = {
    "pyarrow, Parquet, read only": (only_pyarrow, "pyarrow"),
    "this package, Parquet": (lambda: ours("run.parquet"), "pyarrow"),
    "this package, TREC text": (lambda: ours("run.trec"), "pyarrow"),
    "this package, judged Parquet": (lambda: ours("judged.parquet", ""), "pyarrow"),
    "… as run and qrels": (lambda: ours("judged.parquet", "qrels.parquet"), "pyarrow"),
    "pytrec_eval, TREC text": (with_pytrec_eval, "pytrec_eval"),
    "ir_measures, TREC text": (with_ir_measures, "ir_measures"),
    "ranx, TREC text": (with_ranx, "ranx"),
}
BASE, PYARROW = "pytrec_eval, TREC text", "pyarrow, Parquet, read only"
OURS = [way for way in WAYS if way.startswith(("this", "…"))]
JUDGED = OURS[2:]


def peak_megabytes() -> float:
    """The most memory that this process has had."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def do(way: str, folder: str, *numbers: str) -> None:
    """Make the files, or measure one way from the time on when its process was started."""
    folder = Path(folder)
    if way == "make":
        make_files(folder, *map(int, numbers))
        print("{}")
        return
    cores = int(numbers[0])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    values = WAYS[way][0]()(folder)
    found = {
        "seconds": time.time() - float(os.environ["STARTED"]),
        "busy": resource.getrusage(resource.RUSAGE_SELF).ru_utime,
        "peak": peak_megabytes(),
    }
    if values is not None:
        import pandas as pd

        if isinstance(values, dict):
            values = pd.DataFrame.from_dict(values, orient="index")
        frame = values[list(MEASURES.values())].sort_index()
        frame.to_csv(folder / f"{way}.csv", index_label="query_id")
    print(json.dumps(found))


def in_new_process(*task: object, cores: int = CORES) -> dict[str, float]:
    """Do a task in a fresh Python that sees this package, on so many cores."""
    root = str(Path(__file__).resolve().parents[1])
    seen = {"PYTHONPATH": root, "OMP_NUM_THREADS": str(cores), "STARTED": str(time.time())}
    done = subprocess.run(
        [sys.executable, __file__, "--task", *map(str, task)],
        env=os.environ | seen,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def largest_difference(folder: Path) -> float:
    """How far any tool's value of any query is from pytrec_eval's, and of judged ones from ours."""
    import pandas as pd

    values = {
        way: pd.read_csv(file, index_col="query_id", dtype={"query_id": str})
        for way in WAYS
        if (file := folder / f"{way}.csv").exists()
    }
    others = []
    for way, frame in values.items():
        base = values.get(JUDGED[0] if way in JUDGED else BASE)
        if base is None:
            return float("nan")
        others.append(float((frame.reindex(base.index) - base).abs().max().max()))
    return max(others)


def print_table(measured: dict[tuple[str, int], list[dict[str, float]]]) -> None:
    """One line a tool: the best time, the memory, and both beside pytrec_eval's and pyarrow's."""
    best = {
        way: {name: min(run[name] for run in runs) for name in runs[0]}
        for way, runs in measured.items()
    }
    base, bare = best.get((BASE, CORES), {}), best[PYARROW, CORES]
    line = "  {:28} {:>5} {:>17} {:>17} {:>17} {:>10}".format
    print(line("", "cores", "seconds", "cores busy", "peak memory", "of pyarrow"))
    for (way, cores), found in best.items():
        shown = {"seconds": "{:.2f} s", "busy": "{:.2f} s", "peak": "{:,.0f} MB"}
        cells = [
            form.format(found[name]) + (f" ({found[name] / base[name]:.2f})" if base else "")
            for name, form in shown.items()
        ]
        print(line(way, cores, *cells, f"{found['seconds'] / bare['seconds']:.1f}"))
    print("  In brackets: of pytrec_eval. Busy cores are counted, whatever else the machine does.")


def size(text: str) -> tuple[int, int]:
    """Read `6980x1000`."""
    n_queries, n_items = text.split("x")
    return int(n_queries), int(n_items)


def print_versions() -> None:
    """What was measured, and where."""
    print(f"Python {platform.python_version()}, {platform.machine()}, {CORES} cores", end="")
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
    parser.add_argument("--repeats", type=int, default=5, help="the best is shown (default: 5)")
    parser.add_argument("--no-peers", action="store_true", help="only this package and pyarrow")
    parser.add_argument("--task", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.task:
        do(*options.task)
        return
    ways = [way for way, (_, module) in WAYS.items() if find_spec(module)]
    if options.no_peers:
        ways = [way for way in ways if way in (PYARROW, *OURS)]
    runs = [
        (way, n)
        for way in ways
        for n in sorted({1, min(2, CORES), CORES} if way in OURS else {CORES})
    ]
    print_versions()
    for n_queries, n_items in options.sizes:
        with TemporaryDirectory() as name:
            folder = Path(name)
            # not in this process: its children would inherit the peak of its memory
            in_new_process("make", folder, n_queries, n_items)
            in_new_process(PYARROW, folder, CORES)  # the files are in memory for all alike
            measured: dict[tuple[str, int], list[dict[str, float]]] = {run: [] for run in runs}
            for _ in range(options.repeats):
                for way, cores in runs:
                    found = in_new_process(way, folder, cores, cores=cores)
                    measured[way, cores].append(found)
            print(f"\n{n_queries:,} queries x {n_items:,} items, best of {options.repeats}")
            print_table(measured)
            print(f"  largest difference of any value: {largest_difference(folder):.0e}")


if __name__ == "__main__":
    main()
