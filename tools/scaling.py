"""Time a row of `evaluate`, from 100,000 rows to 100 million.

    python tools/scaling.py
    python tools/scaling.py --most 10000000

Queries have 1,000 items each and integer ids; the best of three runs is shown. The largest size
takes about 6 GB of memory.
"""

import argparse
import time

import numpy as np
import pandas as pd

from byhand import evaluate

ITEMS = 1000


def seconds(rows: int) -> float:
    """The best of three evaluations of a run of so many rows."""
    n_queries = rows // ITEMS
    run = pd.DataFrame(
        {
            "query_id": np.repeat(np.arange(n_queries, dtype=np.int32), ITEMS),
            "doc_id": np.tile(np.arange(ITEMS, dtype=np.int32), n_queries),
            "score": np.random.default_rng(0).random(rows),
        }
    )
    qrels = pd.DataFrame({"query_id": np.arange(n_queries), "doc_id": 7, "relevance": 1})
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        evaluate(run, qrels)
        taken.append(time.perf_counter() - start)
    return min(taken)


def main() -> None:
    """Print one line a size."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--most", type=int, default=10**8, metavar="ROWS")
    most = options.parse_args().most
    for rows in (10**power for power in range(5, 9)):
        if rows <= most:
            taken = seconds(rows)
            print(f"{rows:>11,} rows  {taken:7.3f} s  {taken / rows * 1e9:5.1f} ns a row")


if __name__ == "__main__":
    main()
