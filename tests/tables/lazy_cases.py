"""Random runs and qrels with everything that could be counted differently somewhere else."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from byhand import Conventions, tie_range

# blanks, other scripts, letters beyond 16 bits, quotes, a zero byte's neighbour, almost numbers
_TEXT = [*"7aAéß語Ω😀\uffff\x01'\"%\\", "07", "7.0", "a ", " a", "a\tb", "e\u0301", "질문", "zz"]
_TEXT += ["-1", "1e3", "NaN", "None", "null", "{x}"]
_MOST, _NEXT = np.finfo(float).max, np.nextafter(1, 2)
_FRACTIONS = [0.0, -0.0, 1e-320, 1e300, -1e300, 0.1 + 0.2, 0.3, _MOST, -_MOST, 1.0, _NEXT]
_WHOLE = [1 - 2**53, 2 - 2**53, -1, 0, 1, 2**40, 2**52, 2**53 - 2, 2**53 - 1]
SCORES = {
    "quarters": lambda rng, n: rng.integers(0, 4, n) / 4,
    "whole": lambda rng, n: rng.integers(-3, 3, n),
    "32 bits": lambda rng, n: rng.random(n).astype("float32").round(1),
    "large whole": lambda rng, n: rng.choice(_WHOLE, n),
    "odd fractions": lambda rng, n: rng.choice(_FRACTIONS, n),
    "one": lambda rng, n: np.ones(n),
    "without ties": lambda rng, n: rng.random(n),
    "unsigned": lambda rng, n: rng.choice(np.array(_WHOLE[3:], np.uint64), n),
}
IDS = {
    "text": np.array(_TEXT, object),
    "numbers": np.arange(-3, 40),
    "32 bits": np.arange(-3, 40, dtype="int32"),
    "large numbers": np.arange(40) + 2**62,
}
# each kind of scores once, and of ids twice
CASES = [(scores, [*IDS][place % len(IDS)]) for place, scores in enumerate(SCORES)]
CASES += [("quarters", ids) for ids in [*IDS][1:]] + [("odd fractions", "numbers")]
CASES += [(scores, "text") for scores in ("whole", "large whole", "one")]
TIES = ("doc_id", "doc_id_ascending", "expected")
MEASURES = ["RR", "AP", "nDCG", "P@3", "Bpref", "Judged@3"]


def random_case(scores, ids):
    """A run and qrels with ties, grades and queries of one side only."""
    rng = np.random.default_rng([*SCORES].index(scores))
    ids = IDS[ids]
    queries = rng.permutation(ids)[:30]
    run, qrels = (
        pd.DataFrame(
            [(q, d) for q in some for d in rng.permutation(ids)[: rng.integers(1, most)]],
            columns=["query_id", "doc_id"],
        ).sample(frac=1, random_state=1, ignore_index=True)
        for some, most in ((queries[:-1], 25), (queries[2:], 9))
    )
    run["score"] = SCORES[scores](rng, len(run))
    fine = scores in ("quarters", "one")
    qrels["relevance"] = rng.choice([0, 0.5, 1] if fine else [-1, 0, 1, 2, 3], len(qrels))
    if scores in ("32 bits", "one"):  # text on one side, perhaps numbers on the other
        qrels = qrels.astype({"query_id": str, "doc_id": str})
    return run, qrels


def assert_same_values(held, wanted, orders=TIES, **options):
    """Every value of a run and its qrels in every order of ties, to the last bit."""
    for ties in orders:
        chosen = Conventions(ties=ties)  # beside it come the best and the worst order
        found, expected = (
            tie_range(*each, MEASURES, conventions=chosen, **options) for each in (held, wanted)
        )
        pd.testing.assert_frame_equal(found, expected, check_exact=True, check_index_type=False)
        for count in ("judged", "averaged", "missing", "empty", "run_only"):
            assert found.attrs[count] == expected.attrs[count]


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


def in_ibis(frame):
    return pytest.importorskip("ibis").memtable(frame).limit(9)
