"""Ids compare as text, whatever the columns that hold them."""

import importlib.util
from itertools import product

import numpy as np
import pandas as pd
import pytest

import byhand.parallel
from byhand import DataError, evaluate
from byhand.tables.ids import id_column

NEEDS_ARROW = pytest.mark.skipif(
    importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed"
)


def arrow(*dtypes):
    return [pytest.param(dtype, marks=NEEDS_ARROW) for dtype in dtypes]


TEXT = ["object", "string[python]", "category", "str", *arrow("string[pyarrow]")]
TEXT += arrow("arrow string", "arrow large_string", "arrow string_view")
NUMBERS = ["int64", "int32", "uint8", "uint32", "uint64", "Int64", "UInt64", "int category"]
NUMBERS += arrow("int64[pyarrow]")
TEXT_NAMES = [getattr(dtype, "values", [dtype])[0] for dtype in TEXT]


def column(values, dtype):
    if dtype == "object":
        return pd.Series(list(values), dtype=object)
    if dtype == "str":
        return pd.Series([str(value) for value in values])
    if dtype == "int category":
        return pd.Series(list(values), dtype="int64").astype("category")
    if dtype.startswith("arrow "):
        import pyarrow as pa

        return pd.Series(list(values), dtype=pd.ArrowDtype(getattr(pa, dtype.split()[1])()))
    return pd.Series(list(values)).astype(dtype)


def as_text(values):
    return [str(value) for value in values]


def tables(run_ids, qrels_ids, relevant):
    """Two queries of the same items: scores fall in the given order, ties are none."""
    n = len(run_ids)
    run = pd.DataFrame(
        {
            "query_id": ["q1"] * n + ["q2"] * n,
            "doc_id": pd.concat([run_ids, run_ids], ignore_index=True),
            "score": [*range(n, 0, -1), *range(n)],
        }
    )
    qrels = pd.DataFrame(
        {
            "query_id": ["q1"] * len(qrels_ids) + ["q2"] * len(qrels_ids),
            "doc_id": pd.concat([qrels_ids, qrels_ids], ignore_index=True),
            "relevance": relevant * 2,
        }
    )
    return run, qrels


@pytest.mark.parametrize("qrels_dtype", TEXT)
@pytest.mark.parametrize("run_dtype", TEXT)
def test_text_ids_match_across_dtypes(run_dtype, qrels_dtype):
    ids = ["7", "007", "D4", "", "São Paulo", "명동 거리", "🗼", "x" * 40]
    run, qrels = tables(
        column(ids, run_dtype), column(["007", "🗼", "absent"], qrels_dtype), [1, 1, 1]
    )
    found = evaluate(run, qrels, ["RR", "R"])
    assert found["RR"].tolist() == [1 / 2, 1 / 2]
    assert found["R"].tolist() == [2 / 3, 2 / 3]


@pytest.mark.parametrize("qrels_dtype", NUMBERS + TEXT)
@pytest.mark.parametrize("run_dtype", NUMBERS)
def test_whole_numbers_match_their_text(run_dtype, qrels_dtype):
    wanted = [9, 250]
    if qrels_dtype in TEXT_NAMES and qrels_dtype not in ("object", "str", "category"):
        wanted = as_text(wanted)
    run, qrels = tables(column([7, 8, 9], run_dtype), column(wanted, qrels_dtype), [1, 1])
    assert evaluate(run, qrels, "RR")["RR"].tolist() == [1 / 3, 1.0]


@pytest.mark.parametrize("dtype", TEXT)
def test_run_of_text_against_qrels_of_numbers(dtype):
    run, qrels = tables(column(["7", "8", "9"], dtype), column([9], "int64"), [1])
    assert evaluate(run, qrels, "RR")["RR"].tolist() == [1 / 3, 1.0]


@pytest.mark.parametrize("other", ["007", "+7", " 7", "7.0", "٧", "²", "-", "", "7" * 30, "-0"])
def test_only_the_plain_text_of_a_number_is_that_number(other):
    run, qrels = tables(column([7, 0, 5], "int64"), column([other], "object"), [1])
    assert evaluate(run, qrels, "R")["R"].tolist() == [0, 0]


@pytest.mark.parametrize("number", [-7, 2**63 - 1, -(2**63), 0])
def test_extreme_and_negative_integers(number):
    run, qrels = tables(column([3, number, 5], "int64"), column([str(number)], "object"), [1])
    assert evaluate(run, qrels, "RR")["RR"].tolist() == [1 / 2, 1 / 2]


def test_integers_beyond_64_bits_signed():
    big = 2**64 - 1
    run, qrels = tables(column([1, big], "uint64"), column([str(big)], "object"), [1])
    assert evaluate(run, qrels, "RR")["RR"].tolist() == [1 / 2, 1.0]
    beyond = column([str(2**63), str(-(2**63) - 1)], "object")
    run, qrels = tables(column([1, 2], "int64"), beyond, [1, 1])
    assert evaluate(run, qrels, "R")["R"].tolist() == [0, 0]


def test_object_columns_may_mix_text_and_numbers():
    mixed = pd.Series([7, "8", np.int32(9), "x"], dtype=object)
    run, qrels = tables(mixed, pd.Series([9, "7"], dtype=object), [1, 1])
    assert evaluate(run, qrels, ["RR", "R"]).to_numpy().tolist() == [[1, 1], [1 / 2, 1]]


def test_categories_with_one_text_are_one_id():
    ids = pd.Categorical.from_codes([0, 1, 2], categories=pd.Index(["x", 7, "7"], dtype=object))
    run = pd.DataFrame({"query_id": ids, "doc_id": "d", "score": 1.0})
    qrels = pd.DataFrame({"query_id": ["7", "x"], "doc_id": "d", "relevance": 1})
    with pytest.raises(DataError, match="query '7' has item 'd' twice, at rows 1 and 2"):
        evaluate(run, qrels)
    run["doc_id"] = ["d", "e", "d"]
    assert evaluate(run, qrels, "P")["P"].to_dict() == {"7": 1 / 2, "x": 1.0}


def test_unused_categories_match_nothing():
    run_ids = pd.Series(["a", "b"]).astype(pd.CategoricalDtype(["b", "ghost", "a"]))
    run, qrels = tables(run_ids, pd.Series(["ghost", "b"]), [1, 1])
    assert evaluate(run, qrels, ["RR", "R"]).to_numpy().tolist() == [[1 / 2, 1 / 2], [1, 1 / 2]]


@pytest.mark.parametrize("dtype", ["object", "int64", "category", *arrow("string[pyarrow]")])
def test_query_ids_match_across_dtypes_too(dtype):
    ids = [12, 12, 3, 3] if dtype == "int64" else ["12", "12", "3", "3"]
    run = pd.DataFrame(
        {"query_id": column(ids, dtype), "doc_id": list("abab"), "score": [2, 1] * 2}
    )
    for judged in ([3, 12], ["3", "12"]):
        qrels = pd.DataFrame({"query_id": judged, "doc_id": ["b", "a"], "relevance": 1})
        found = evaluate(run, qrels, "RR")
        assert found["RR"].to_dict() == {"3": 1 / 2, "12": 1.0}


@pytest.mark.parametrize("other", ["007", "zzz", "", "²"])
@pytest.mark.parametrize("dtype", ["object", "int64", "category", *arrow("string[pyarrow]")])
def test_a_query_that_the_run_lacks_is_not_taken_for_another(dtype, other):
    ids = [0, 7] if dtype == "int64" else ["0", "7"]
    run = pd.DataFrame({"query_id": column(ids, dtype), "doc_id": "a", "score": 1.0})
    qrels = pd.DataFrame(
        {"query_id": [other, "7", "0", other + "!"], "doc_id": "a", "relevance": 1}
    )
    found = evaluate(run, qrels, ["RR", "P"])
    assert found["RR"].tolist() == found["P"].tolist() == [0, 1, 1, 0]
    assert found.attrs["missing"] == 2


@pytest.mark.parametrize("dtype", ["object", "int64", "category", *arrow("string[pyarrow]")])
def test_an_item_that_the_run_lacks_is_not_taken_for_another(dtype):
    ids = [0, 7] if dtype == "int64" else ["0", "7"]
    run, qrels = tables(column(ids, dtype), pd.Series(["zzz", "007", "0", "7"]), [1] * 4)
    assert evaluate(run, qrels, "R")["R"].tolist() == [1 / 2, 1 / 2]


@pytest.mark.parametrize("dtype", TEXT)
def test_every_length_with_a_shared_prefix_is_its_own_id(dtype):
    prefixes = ["x" * n for n in range(41)]
    ends = "yzé" if dtype == "category" else "yz\0é"  # pandas 2 takes "x" and "x\0" for one
    ids = prefixes + [f"{prefix}{end}" for prefix, end in product(prefixes, ends)]
    keys = id_column(column(ids, dtype), what="ids").keys(0, len(ids))
    assert len(set(keys.tolist())) == len(set(ids)) == len(ids)


@pytest.mark.parametrize("dtype", TEXT + NUMBERS)
def test_keys_of_texts_are_the_keys_of_rows(dtype):
    ids = [f"id {i}" for i in range(300)] if dtype in TEXT_NAMES else list(range(250))
    ids_column = id_column(column(ids, dtype), what="ids")
    keys = ids_column.keys_of(as_text(ids))
    assert keys.tolist() == ids_column.keys(0, len(ids)).tolist()
    assert ids_column.keys(100, 120).tolist() == keys[100:120].tolist()
    assert ids_column.text(np.array([200, 3])).tolist() == as_text([ids[200], ids[3]])


@NEEDS_ARROW
@pytest.mark.parametrize("block", [1, 3, 1 << 17])
def test_arrow_columns_in_many_chunks(monkeypatch, block):
    import pyarrow as pa

    monkeypatch.setattr(byhand.parallel, "BLOCK", block)
    chunks = pa.chunked_array([["skipped", "a"], [], ["bb"], ["c" * 9, "", "d" * 17]])
    ids = pd.Series(pd.arrays.ArrowExtensionArray(chunks))[1:].reset_index(drop=True)
    run, qrels = tables(ids, pd.Series(["d" * 17, "bb"]), [1, 1])
    assert evaluate(run, qrels, ["RR", "R"]).to_numpy().tolist() == [[1 / 2, 1], [1, 1]]


@NEEDS_ARROW
def test_arrow_keys_of_regular_ids_do_not_collide():
    ids = [f"{a:04d}-{b:011d}" for a, b in product(range(300), range(0, 3 * 10**9, 10**7))]
    keys = id_column(column(ids, "string[pyarrow]"), what="ids").keys(0, len(ids))
    assert len(np.unique(keys)) == len(ids)


# Each pair had one key when the keys of text were the same in every process.
CRAFTED = [
    ["616mts56raaabpep", "bp4h6rmu9wv0c6z7"],
    ["oz6ww3r9aaavarfp", "l7bw8eaw6go93990"],
    ["ay6i79n1aaaavaaa", "y6ompn7zvacv823d"],
]


@NEEDS_ARROW
@pytest.mark.parametrize("pair", CRAFTED, ids=["first", "second", "third"])
def test_ids_made_to_share_a_key_are_two_ids(pair):
    pair = column(pair, "string[pyarrow]")
    run = pd.DataFrame({"query_id": pair, "doc_id": "d", "score": 1.0})
    qrels = pd.DataFrame({"query_id": pair, "doc_id": ["d", "e"], "relevance": 1})
    assert evaluate(run, qrels, "AP")["AP"].to_dict() == {pair[0]: 1, pair[1]: 0}
    run, qrels = tables(pair, pair, [1, 1])
    assert evaluate(run, qrels, "AP")["AP"].tolist() == [1, 1]


@pytest.mark.parametrize("dtype", ["object", *arrow("string[pyarrow]")])
def test_values_are_right_even_if_all_ids_share_a_key(monkeypatch, dtype):
    rng = np.random.default_rng(15)
    pairs = np.array([*product(range(5), range(9))])
    run = pd.DataFrame(rng.permutation(pairs)[:30], columns=["query_id", "doc_id"])
    run["score"] = rng.integers(0, 6, len(run))
    qrels = pd.DataFrame(rng.permutation(pairs)[:20], columns=["query_id", "doc_id"])
    qrels["relevance"] = rng.integers(0, 3, len(qrels))
    measures, right = ["RR", "AP", "nDCG", "P@3"], ["query_id", "doc_id"]
    numbers = evaluate(run, qrels, measures)
    for name in ("python_hashes", "arrow_hashes"):
        monkeypatch.setattr(byhand.tables.ids, name, lambda ids: np.zeros(len(ids), np.uint64))
    run[right], qrels[right] = (
        frame[right].astype(str).apply(lambda values: column(values, dtype))
        for frame in (run, qrels)
    )
    pd.testing.assert_frame_equal(evaluate(run, qrels, measures), numbers, check_exact=True)
    assert 0 < numbers["RR"].mean() < 1


@NEEDS_ARROW
def test_keys_are_others_in_each_process_and_the_same_within_one():
    import pyarrow as pa

    texts = pa.array(["d1", "", "x" * 20], pa.large_string())
    spec = importlib.util.find_spec("byhand.tables.ids")
    anew = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(anew)
    hashes = byhand.tables.ids.arrow_hashes
    here, again, there = hashes(texts), hashes(texts), anew.arrow_hashes(texts)
    assert here.tolist() == again.tolist()
    assert not {*here} & {*there}


def test_results_name_queries_as_text():
    run = pd.DataFrame({"query_id": [7], "doc_id": [1], "score": [1.0]})
    qrels = pd.DataFrame({"query_id": [7], "doc_id": [1], "relevance": [1]})
    assert evaluate(run, qrels).index.tolist() == ["7"]
