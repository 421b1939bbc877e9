"""Random runs and qrels with everything that tools count in different ways."""

import numpy as np
import pandas as pd

ITEMS = ["a", "B", "10", "9", "é", "z1", "z10", "doc", "document", "ドキュメント"]


def random_tables(seed, *, queries=60, items=ITEMS, levels=8, grades=range(-1, 4)):
    """A shuffled run with ties (`levels` scores at most), and qrels; each has items of its own.

    Queries of the run have from one item to all of them. Every eleventh is not in the run, every
    thirteenth not in the qrels, and every seventh has no relevant item. Scores are eighths, which
    are the same as float32.
    """
    rng = np.random.default_rng(seed)
    run, qrels = [], []
    for query in range(1, queries + 1):
        retrieved = rng.permutation(items)[: rng.integers(1, len(items) + 1)]
        scores = rng.integers(0, rng.integers(1, levels + 1), len(retrieved)) / 8 - 0.25
        judged = rng.permutation(items)[: rng.integers(1, len(items))]
        found = rng.choice(list(grades) if query % 7 else [0], len(judged))
        if query % 11:
            run += [(f"q{query}", *row) for row in zip(retrieved, scores, strict=True)]
        if query % 13:
            qrels += [(f"q{query}", *row) for row in zip(judged, found, strict=True)]
    run = pd.DataFrame(run, columns=["query_id", "doc_id", "score"])
    qrels = pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"])
    return run.sample(frac=1, random_state=seed, ignore_index=True), qrels


def nested(frame, value):
    """The same table as dicts of queries that hold items."""
    return {
        query: dict(zip(rows["doc_id"], rows[value].tolist(), strict=True))
        for query, rows in frame.groupby("query_id")
    }
