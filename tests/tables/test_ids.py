"""Ids compare as text, whatever the columns that hold them."""

from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from byhand import evaluate

TEXT = ["object", "string[python]", "category", "str", "string[pyarrow]", "large_string[pyarrow]"]
TEXT += [pd.ArrowDtype(pa.string_view()), pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))]
NUMBERS = ["int64", "int32", "uint8", "uint32", "uint64", "Int64", "UInt64", "int64[pyarrow]"]
NUMBERS += [pd.CategoricalDtype([7, 8, 9, 250]), pd.ArrowDtype(pa.decimal128(30, 0))]


def column(values, dtype):
    """Values in an object or a number column, and as text in one of text."""
    as_they_are = dtype == "object" or dtype in NUMBERS
    return pd.Series([*values] if as_they_are else [*map(str, values)], dtype=dtype)


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
@pytest.mark.parametrize("dtype", TEXT, ids=str)
def test_text_ids_match_across_dtypes(dtype):
    ids = ["7", "007", "D4", "", "São Paulo", "명동 거리", "🗼", "x" * 40]
    for of_run, of_qrels in ((dtype, "object"), ("object", dtype)):
        found = found_in(column(ids, of_run), column(["007", "🗼", "absent"], of_qrels))
        assert found == [[1 / 2, 1 / 2], [2 / 3, 2 / 3]]


@pytest.mark.parametrize(
    ("run_dtype", "qrels_dtype"),
    [*product(NUMBERS, ["object", "int64"]), *product(["int64"], NUMBERS + TEXT)],
    ids=str,
)
def test_whole_numbers_match_their_text(run_dtype, qrels_dtype):
    run, qrels = column([7, 8, 9], run_dtype), column([9, 250], qrels_dtype)
    assert found_in(run, qrels, "RR") == [[1 / 3, 1.0]]


@pytest.mark.parametrize("other", ["007", "+7", " 7", "7.0", "٧", "²", "-", "", "7" * 30, "-0"])
@pytest.mark.filterwarnings("ignore::byhand.metrics.NoCommonItemsWarning")
def test_only_the_plain_text_of_a_number_is_that_number(other):
    assert found_in(column([7, 0, 5], "int64"), column([other], "object"), "R") == [[0, 0]]


@pytest.mark.parametrize("number", [-7, 2**63 - 1, -(2**63), 0, 2**64 - 1])
def test_extreme_and_negative_integers(number):
    dtype = "uint64" if number >= 2**63 else "int64"
    found = found_in(column([3, number, 5], dtype), column([str(number)], "object"))
    assert found == [[1 / 2, 1 / 2], [1, 1]]


def test_object_columns_may_mix_text_and_numbers():
    mixed = column([7, "8", np.int32(9), "x"], "object")
    assert found_in(mixed, column([9, "7"], "object")) == [[1, 1 / 2], [1, 1]]


def test_unused_categories_match_nothing():
    ids = pd.Series(["a", "b"], dtype=pd.CategoricalDtype(["b", "ghost", "a"]))
    assert found_in(ids, pd.Series(["ghost", "b"])) == [[1 / 2, 1], [1 / 2, 1 / 2]]


def test_relevant_ids_of_a_set_may_be_numbers_and_text():
    assert evaluate({"q": ["b"]}, {"q": {1, "b"}}, "AP")["AP"].tolist() == [1 / 2]
