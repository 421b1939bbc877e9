"""Which item comes first: equal scores in each order, and scores of every type of number."""

import numpy as np
import pandas as pd
import pytest

from byhand import Conventions, evaluate


def typed(dtype, *scores):
    return pd.Series(scores).astype(dtype)


WHOLE = ["int64", "uint64", "Int64", "UInt64", "int64[pyarrow]"]
ANY = ["float32", "float16", "int8", "int64", "Float64", "bool"]


@pytest.mark.parametrize(
    ("items", "scores", "ties", "expected"),
    [
        ("acb", [1, 1, 1], "doc_id", "cba"),
        ("acb", [1, 1, 1], "doc_id_ascending", "abc"),
        ([10, 9, 100], [1, 1, 1], "doc_id", [9, 100, 10]),  # as text
        (["", "d", "d1"], [0, 0, 0], "doc_id", ["d1", "d", ""]),
        # by code point, as UTF-8 bytes are
        (["Z", "a", "é", "ド", "\uffee", "🗼"], [0] * 6, "doc_id", "🗼\uffeeドéaZ"),
        ("bca", [1, 1, 1], "input", "bca"),
        ("abcde", [2, 2, 1, 1, 1], "doc_id", "baedc"),  # two ties
        ("abcde", [2, 2, 1, 1, 1], "input", "abcde"),
        ("ab", [-0.0, 0.0], "input", "ab"),
        ("ab", [-0.0, 0.0], "doc_id", "ba"),
        *(("ab", typed(dtype, 0, 1), "input", "ba") for dtype in ANY),
        # compared in the precision they come in
        ("ab", typed("float64", 1, 1 + 1e-12), "input", "ba"),
        ("ab", typed("float32", 1, 1 + 1e-12), "input", "ab"),
        ("abc", np.array([1, 3, 7], dtype=np.longdouble) / 10, "input", "cba"),
        *(("cab", typed(each, 2**52, 2**52 + 1, 2**52 + 1), "input", "abc") for each in WHOLE),
        *(("ab", typed(each, 2**53 - 2, 2**53 - 1), "input", "ba") for each in WHOLE),
        ("abcd", typed("int64", 1 - 2**53, 2**53 - 1, 2**53 - 2, 0), "input", "bcda"),
        ("abcd", typed("uint64", 0, 2**53 - 1, 2**53 - 2, 0), "input", "bcad"),
    ],
)
def test_orders(items, scores, ties, expected):
    items = [*items]
    # a query for each item, to which it alone is relevant
    run = pd.DataFrame({"doc_id": items, "score": scores})
    run = pd.concat([run.assign(query_id=f"q{n}") for n in range(len(items))])
    qrels = {f"q{n}": [item] for n, item in enumerate(items)}
    values = evaluate(run, qrels, "RR", conventions=Conventions(ties=ties))["RR"]
    order = (1 / values).round().argsort()
    assert [items[n] for n in order] == [*expected]
    assert sorted(1 / values) == pytest.approx(range(1, len(items) + 1))
