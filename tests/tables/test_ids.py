"""Ids compare as text, whatever the columns that hold them."""

from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from byhand import evaluate

TEXT = ["object", "string[python]", "category", "str", "string[pyarrow]"]
TEXT += ["arrow string", "arrow large_string", "arrow string_view", "dictionary"]
NUMBERS = ["int64", "int32", "uint8", "uint32", "uint64", "Int64", "UInt64", "int category"]
NUMBERS += ["int64[pyarrow]", "decimal"]


def column(values, dtype):
    """Values as they are in an object or a number column, and as text in one of text."""
    if dtype == "object":
        return pd.Series(list(values), dtype=object)
    if dtype in ("int category", "category"):
        numbers = pd.Series(list(values), dtype="int64" if dtype == "int category" else None)
        return numbers.astype("category")
    if "int" in dtype.lower():
        return pd.Series(list(values)).astype(dtype)
    if dtype == "decimal":
        return pd.Series(values, dtype=pd.ArrowDtype(pa.decimal128(30, 0)))
    texts = [str(value) for value in values]
    if dtype == "dictionary":
        return pd.Series(pd.arrays.ArrowExtensionArray(pa.array(texts).dictionary_encode()))
    if dtype.startswith("arrow "):
        return pd.Series(texts, dtype=pd.ArrowDtype(getattr(pa, dtype.split()[1])()))
    return pd.Series(texts) if dtype == "str" else pd.Series(texts).astype(dtype)


def found_in(run_ids, qrels_ids, measures=("RR", "R")):
    """The values of two queries of the same items: scores fall in the given order, then rise."""
    n, queries = len(run_ids), ["q1", "q2"]
    run, qrels = (
        pd.DataFrame({"query_id": np.repeat(queries, len(ids)), "doc_id": pd.concat([ids, ids])})
        for ids in (run_ids, qrels_ids)
    )
    run["score"] = [*range(n, 0, -1), *range(n)]
    return evaluate(run, qrels.assign(relevance=1), measures).to_numpy().T.tolist()


# an id goes from one table to the other as text, so each kind meets a few others
@pytest.mark.parametrize(
    ("run_dtype", "qrels_dtype"), [*product(TEXT, ["object"]), *product(["object"], TEXT)]
)
def test_text_ids_match_across_dtypes(run_dtype, qrels_dtype):
    ids = ["7", "007", "D4", "", "São Paulo", "명동 거리", "🗼", "x" * 40]
    found = found_in(column(ids, run_dtype), column(["007", "🗼", "absent"], qrels_dtype))
    assert found == [[1 / 2, 1 / 2], [2 / 3, 2 / 3]]


@pytest.mark.parametrize(
    ("run_dtype", "qrels_dtype"),
    [*product(NUMBERS, ["object", "int64"]), *product(["int64"], NUMBERS + TEXT)],
)
def test_whole_numbers_match_their_text(run_dtype, qrels_dtype):
    run, qrels = column([7, 8, 9], run_dtype), column([9, 250], qrels_dtype)
    assert found_in(run, qrels, "RR") == [[1 / 3, 1.0]]
    run, qrels = column([9, 250, 8], qrels_dtype), column([8], run_dtype)
    assert found_in(run, qrels, "RR") == [[1 / 3, 1.0]]


@pytest.mark.parametrize("other", ["007", "+7", " 7", "7.0", "٧", "²", "-", "", "7" * 30, "-0"])
@pytest.mark.filterwarnings("ignore::byhand.metrics.NoCommonItemsWarning")
def test_only_the_plain_text_of_a_number_is_that_number(other):
    assert found_in(column([7, 0, 5], "int64"), column([other], "object"), "R") == [[0, 0]]


@pytest.mark.parametrize(
    ("number", "dtype"),
    [(-7, "int64"), (2**63 - 1, "int64"), (-(2**63), "int64"), (0, "int64"), (2**64 - 1, "uint64")],
)
@pytest.mark.filterwarnings("ignore::byhand.metrics.NoCommonItemsWarning")
def test_extreme_and_negative_integers(number, dtype):
    found = found_in(column([3, number, 5], dtype), column([str(number)], "object"))
    assert found == [[1 / 2, 1 / 2], [1, 1]]
    beyond = column([str(2**63), str(-(2**63) - 1)], "object")
    assert found_in(column([1, 2], "int64"), beyond, "R") == [[0, 0]]


def test_object_columns_may_mix_text_and_numbers():
    mixed = column([7, "8", np.int32(9), "x"], "object")
    assert found_in(mixed, column([9, "7"], "object")) == [[1, 1 / 2], [1, 1]]


def test_unused_categories_match_nothing():
    ids = pd.Series(["a", "b"]).astype(pd.CategoricalDtype(["b", "ghost", "a"]))
    assert found_in(ids, pd.Series(["ghost", "b"])) == [[1 / 2, 1], [1 / 2, 1 / 2]]


def test_relevant_ids_of_a_set_may_be_numbers_and_text():
    assert evaluate({"q": ["b"]}, {"q": {1, "b"}}, "AP")["AP"].tolist() == [1 / 2]
