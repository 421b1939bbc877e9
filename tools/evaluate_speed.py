"""How long `evaluate` takes beside a sort and beside pytrec_eval, and what memory it needs.

    python tools/evaluate_speed.py
    python tools/evaluate_speed.py --sizes 200x1000 --ids str int --repeats 5

Each line is measured in a process of its own, all three ways on the same run in memory, one
after the other; the values are compared, the times are only printed.
"""

import argparse
import platform
import statistics
import time
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context

import numpy as np
import pandas as pd

from byhand import evaluate

MEASURES = {"recip_rank": "RR", "map": "AP", "ndcg": "nDCG"}
RELEVANT = 10  # judged relevant items of each query, half of them retrieved


def make_tables(n_queries: int, n_items: int, ids: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A random run without ties, and its qrels, with ids of one kind."""
    rng = np.random.default_rng(0)
    query = np.repeat(np.arange(n_queries), n_items)
    item = (np.tile(np.arange(n_items), n_queries) * 7919 + query * 104_729) % 8_800_003
    scores = rng.permutation(len(query)).astype(float)
    run = pd.DataFrame({"query_id": query, "doc_id": item, "score": scores})
    judged = run.groupby("query_id", sort=False).sample(min(RELEVANT, n_items), random_state=0)
    qrels = judged[["query_id", "doc_id"]].reset_index(drop=True)
    qrels.loc[qrels.index % 2 == 1, "doc_id"] += 10_000_000  # never retrieved
    qrels["relevance"] = rng.integers(1, 4, len(qrels))
    if ids == "int":
        return run, qrels
    for frame in (run, qrels):
        for column, prefix in (("query_id", "q"), ("doc_id", "D")):
            text = (prefix + frame[column].astype(str)).astype(object)
            frame[column] = text if ids == "object" else text.astype(ids)
    return run, qrels


def by_sorting(run: pd.DataFrame, qrels: pd.DataFrame) -> pd.DataFrame:
    """RR, AP and nDCG by sorting every row: the usual way."""
    codes, queries = pd.factorize(run["query_id"])
    order = np.lexsort((-run["score"].to_numpy(), codes))
    starts = np.searchsorted(codes[order], np.arange(len(queries)))
    rank = np.empty(len(run), dtype=np.int64)
    rank[order] = np.arange(len(run)) - starts[codes[order]] + 1
    hits = run[["query_id", "doc_id"]].assign(rank=rank).merge(qrels, on=["query_id", "doc_id"])
    hits = hits.sort_values(["query_id", "rank"])
    nth = hits.groupby("query_id").cumcount() + 1
    ideal = qrels.sort_values(["query_id", "relevance"], ascending=[True, False])
    ideal_rank = ideal.groupby("query_id").cumcount() + 1
    best = (ideal["relevance"] / np.log2(ideal_rank + 1)).groupby(ideal["query_id"]).sum()
    found = (hits["relevance"] / np.log2(hits["rank"] + 1)).groupby(hits["query_id"]).sum()
    precisions = (nth / hits["rank"]).groupby(hits["query_id"]).sum()
    values = {
        "RR": 1 / hits.groupby("query_id")["rank"].min(),
        "AP": precisions / qrels.groupby("query_id").size(),
        "nDCG": found / best,
    }
    frame = pd.DataFrame(values)
    frame.index = frame.index.astype(str)
    return frame


def as_dicts(frame: pd.DataFrame, value: str) -> dict[str, dict[str, float]]:
    """The nested dicts that pytrec_eval reads."""
    dicts: dict[str, dict[str, float]] = {}
    ids = (frame[column].astype(str).tolist() for column in ("query_id", "doc_id"))
    for query, item, number in zip(*ids, frame[value].tolist(), strict=True):
        dicts.setdefault(query, {})[item] = number
    return dicts


def seconds(repeats: int, call, *args) -> tuple[float, object]:
    """The median time of some calls, and what the last one returned."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = call(*args)
        times.append(time.perf_counter() - start)
    return statistics.median(times), result


def arrow_bytes() -> tuple[int, int]:
    """The bytes that pyarrow holds now and held at most; tracemalloc does not see them."""
    try:
        import pyarrow as pa
    except ImportError:
        return 0, 0
    pool = pa.default_memory_pool()
    return pool.bytes_allocated(), pool.max_memory() or 0


def measure_memory(n_queries: int, n_items: int, ids: str) -> float:
    """Peak bytes a row that `evaluate` needs beyond its input."""
    run, qrels = make_tables(n_queries, n_items, ids)
    evaluate(run[:10], qrels)  # imports and caches
    held, peak_before = arrow_bytes()
    tracemalloc.start()
    evaluate(run, qrels)
    peak = tracemalloc.get_traced_memory()[1]
    arrow_peak = arrow_bytes()[1]
    if arrow_peak > peak_before:
        peak += arrow_peak - held
    return peak / len(run)


def measure_times(n_queries: int, n_items: int, ids: str, repeats: int, peers: bool) -> list[float]:
    """Seconds of `evaluate`, of sorting, of pytrec_eval on dicts, and of making the dicts."""
    run, qrels = make_tables(n_queries, n_items, ids)
    ours, found = seconds(repeats, evaluate, run, qrels)
    sorting, expected = seconds(repeats, by_sorting, run, qrels)
    np.testing.assert_allclose(found, expected.loc[found.index], rtol=0, atol=1e-9)
    if not peers:
        return [ours, sorting, np.nan, np.nan]
    import pytrec_eval

    making, run_dicts = seconds(1, as_dicts, run, "score")
    evaluator = pytrec_eval.RelevanceEvaluator(as_dicts(qrels, "relevance"), set(MEASURES))
    trec, result = seconds(repeats, evaluator.evaluate, run_dicts)
    theirs = pd.DataFrame.from_dict(result, orient="index").rename(columns=MEASURES)
    np.testing.assert_allclose(found, theirs.loc[found.index, found.columns], rtol=0, atol=1e-9)
    return [ours, sorting, trec, making]


def in_new_process(call, *args):
    """The result of a call in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(call, *args).result()


def size(text: str) -> tuple[int, int]:
    """Read `6980x1000`."""
    n_queries, n_items = text.split("x")
    return int(n_queries), int(n_items)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sizes = [(6980, 1000), (100, 70_000)]
    kinds = ["str", "object", "int", "category"]
    parser.add_argument("--sizes", nargs="+", type=size, default=sizes, metavar="QxI")
    parser.add_argument("--ids", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--repeats", type=int, default=3, help="the median is shown (default: 3)")
    parser.add_argument("--no-peers", action="store_true", help="leave pytrec_eval out")
    options = parser.parse_args()

    print(f"Python {platform.python_version()}, {platform.machine()}", end="")
    for name in ("numpy", "pandas", "pyarrow", "pytrec_eval-terrier"):
        try:
            print(f", {name} {version(name)}", end="")
        except PackageNotFoundError:
            print(f", no {name}", end="")
    print("\nMedian of", options.repeats, "runs; x: how many times as long as evaluate.\n")
    head = [
        "queries x items",
        "ids",
        "evaluate",
        "sorting",
        "pytrec_eval",
        "with its dicts",
        "memory",
    ]
    line = "{:>15}  {:8} {:>9} {:>9} {:>12} {:>15} {:>12}".format
    print(line(*head))
    for n_queries, n_items in options.sizes:
        for ids in options.ids:
            table = (n_queries, n_items, ids)
            ours, sorting, trec, making = in_new_process(
                measure_times, *table, options.repeats, not options.no_peers
            )
            memory = in_new_process(measure_memory, *table)
            ratios = [f"{t / ours:.1f} x" for t in (sorting, trec, trec + making)]
            shown = (
                f"{n_queries} x {n_items}",
                ids,
                f"{ours:.2f} s",
                *ratios,
                f"{memory:.0f} B a row",
            )
            print(line(*shown), flush=True)


if __name__ == "__main__":
    main()
