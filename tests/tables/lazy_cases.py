"""Random runs and qrels with everything that could be counted differently somewhere else."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from byhand.metrics import Hits

# zeros, blanks, other scripts, letters beyond 16 bits, quotes, a zero byte's neighbours
_IDS = [*"7aAéß語Ω😀\uffff\x01'\"%\\", "07", "7.0", "a ", " a", "a\tb", "e\u0301", "질문", "zz"]
_IDS += ["-1", "1e3", "NaN", "None", "null", "{x}"]
CASES, KINDS = 200, 8  # in all, and what scores can be
_MOST, _NEXT = np.finfo(float).max, np.nextafter(1, 2)
_FRACTIONS = [0.0, -0.0, 1e-320, 1e300, -1e300, 0.1 + 0.2, 0.3, _MOST, -_MOST, 1.0, _NEXT]
_WHOLE = [1 - 2**53, 2 - 2**53, -1, 0, 1, 2**40, 2**52, 2**53 - 2, 2**53 - 1]
_UNSIGNED = [0, 1, 2**40, 2**52, 2**53 - 3, 2**53 - 2, 2**53 - 1]
# a question takes an engine as long for one case as for many, so cases of one kind share a table
BATCHES = [(kind, whole) for kind in range(KINDS) for whole in (False, True)]
# each kind of scores once, and of ids in turn
HALF_OF_THEM = [(kind, kind // 2 % 2 == 1) for kind in range(KINDS)]
NUMBERED = [(seed, None) for seed in (2, 3, 11, 12, 20, 25)]  # cases of queries that are numbers
TIES = ("doc_id", "doc_id_ascending", "expected", "best", "worst")


def random_case(seed):
    """A run and qrels, of text or whole ids, with ties, grades and queries of one side only."""
    rng = np.random.default_rng(seed)
    if rng.random() < 0.3:
        ids = np.arange(-3, 40, dtype=np.int64)
        ids = ids.astype(rng.choice(["int64", "int32"])) if rng.random() < 0.7 else ids + 2**62
    else:
        ids = np.array(_IDS + [f"d{n}" for n in range(12)], dtype=object)
    queries = rng.permutation(ids)[: rng.integers(2, 9)]
    run = _pairs(rng, rng.permutation(queries)[: len(queries) - 1], ids, rng.integers(1, 25))
    qrels = _pairs(rng, queries[: len(queries) - rng.integers(0, 2)], ids, rng.integers(1, 9))
    kinds = (
        lambda n: rng.integers(0, 4, n) / 4,
        lambda n: rng.integers(-3, 3, n),
        lambda n: rng.random(n).astype("float32").round(1),
        lambda n: rng.choice(np.array(_WHOLE, dtype=np.int64), n),
        lambda n: rng.choice(_FRACTIONS, n),
        lambda n: np.ones(n),
        lambda n: rng.random(n),
        lambda n: rng.choice(np.array(_UNSIGNED, dtype=np.uint64), n),
    )
    run["score"] = kinds[seed % len(kinds)](len(run))
    grades = [-1, 0, 1, 2, 3] if seed % 2 else [0, 0.5, 1]
    qrels["relevance"] = rng.choice(grades, len(qrels))
    if seed % 5 == 0:  # text on one side, numbers on the other
        qrels = qrels.astype({"query_id": str, "doc_id": str})
    if not set(run["query_id"].astype(str)) & set(qrels["query_id"].astype(str)):
        return random_case(seed + 1_000_000)
    return run, qrels


def batch(kind, whole):
    """The random cases with scores of a kind, and with text or whole ids, as a run and qrels.

    Of `NUMBERED`, one case.
    """
    if whole is None:
        return random_case(kind)
    tables = [[], []]
    for seed in range(kind, CASES, KINDS):
        frames = random_case(seed)
        if (frames[0]["doc_id"].dtype.kind in "iu") == whole:
            for table, frame in zip(tables, frames, strict=True):
                queries = str(seed) + ":" + frame["query_id"].astype(str)
                table.append(frame.assign(query_id=queries))
    run, qrels = (pd.concat(table, ignore_index=True) for table in tables)
    return run, qrels if whole else qrels.astype({"doc_id": str})


def _pairs(rng, queries, ids, most):
    rows = [(query, doc) for query in queries for doc in rng.permutation(ids)[:most]]
    rows = [rows[place] for place in rng.permutation(len(rows))]
    return pd.DataFrame(rows, columns=["query_id", "doc_id"])


def assert_same_hits(found: Hits, wanted: Hits):
    """Every field, to the last bit."""
    for field in fields(Hits):
        ours, theirs = getattr(found, field.name), getattr(wanted, field.name)
        if isinstance(ours, Hits):
            assert_same_hits(ours, theirs)
        else:
            np.testing.assert_array_equal(ours, theirs, err_msg=field.name, strict=True)


class Stream:
    """A table of polars or of a data set: it speaks nothing but Arrow's C stream interface."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def in_arrow(frame):
    return pa.Table.from_pandas(frame, preserve_index=False)


def in_duckdb(frame):
    return pytest.importorskip("duckdb").connect().from_df(frame)
