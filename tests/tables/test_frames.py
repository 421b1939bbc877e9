"""Tables of any library, and one table that says both: the same hits, without a copy of the ids."""

import re
from decimal import Decimal
from itertools import product
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lazy_cases import BATCHES, NUMBERED, TIES, Stream, assert_same_hits, batch, in_arrow
from needs import TEXT_BY_ARROW

from byhand import DataError, compare, evaluate, preflight, read_run, tie_range
from byhand.metrics import RunWithQrels


def as_text(ids):
    return ids.astype(str)


def streamed(frame, kind=None):
    """A frame in chunks of three rows, its text of one kind."""
    table = in_arrow(frame)
    for place, field in enumerate(table.schema):
        if kind and (pa.types.is_string(field.type) or pa.types.is_large_string(field.type)):
            # not a cast: pyarrow before 25 may end the process when it exports views of its making
            ids = pa.array(table[field.name].to_pylist(), kind)
            table = table.set_column(place, field.name, ids)
    return Stream(pa.Table.from_batches(table.to_batches(max_chunksize=3), table.schema))


KINDS = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]


@pytest.mark.parametrize("which", [*BATCHES, *NUMBERED])
def test_hits_are_the_same_however_the_rows_are_held(which):
    run, qrels = batch(*which)
    kind, falling = KINDS[which[0] % len(KINDS)], run.sort_values("score", ascending=False)
    held = [(streamed(run, kind), streamed(qrels.astype({"doc_id": str}), kind))]
    for rows in (run, falling):
        held.append((rows.sort_values("query_id", kind="stable", key=as_text), qrels))
    tables = [RunWithQrels(*each) for each in held]
    for ties in TIES:
        expected = RunWithQrels(run, qrels).hits(ties=ties, judged=True)
        for found in tables:
            assert_same_hits(found.hits(ties=ties, judged=True), expected)


@pytest.mark.parametrize("which", [*BATCHES, *NUMBERED])
def test_a_judged_table_has_the_hits_of_a_run_and_its_qrels(which):
    run, _ = batch(*which)
    grades = np.random.default_rng(which[0]).choice([-1, 0, 1, 2, 2.5], len(run))
    table = run.assign(relevance=grades)
    for judged, relevant_from in product((False, True), (None, 2)):
        apart = RunWithQrels(table, table.copy(), relevant_from=relevant_from)
        found = RunWithQrels(table, table, relevant_from=relevant_from)
        assert_same_hits(found.hits(judged=judged), apart.hits(judged=judged))
    own, apart = preflight(table, table), preflight(table, table.copy())
    assert "never retrieved" in own.notes[0]
    assert (own.facts, own.notes[1:]) == (apart.facts, apart.notes)


def test_qrels_that_are_one_of_the_runs():
    run, _ = batch(*NUMBERED[0])
    table = run.assign(relevance=np.arange(len(run)) % 3)
    runs = {"one": table, "two": run.assign(score=-run["score"])[::-1]}
    expected = compare(runs, table.copy(), ["RR", "nDCG"])
    for order in (1, -1):
        some = dict([*runs.items()][::order])
        found = compare(some, table, ["RR", "nDCG"], pairs=[("one", "two")])
        pd.testing.assert_frame_equal(found, expected)


@TEXT_BY_ARROW
@pytest.mark.parametrize("kind", ["string", "string_view", "int64", "uint64"])
def test_ids_are_not_copied(kind):
    n = 2_000_000
    ids = pa.array(range(n), pa.uint64())
    ids = ids if kind == "uint64" else ids.cast(pa.int64())
    if "string" in kind:
        ids = ids.cast(pa.string()).cast(kind)
    chunks = pa.chunked_array([ids[: n // 2], ids[n // 2 :]])
    query = pa.chunked_array([pa.repeat("q", n // 2)] * 2)
    table = pa.table({"query_id": query, "doc_id": chunks, "score": np.arange(n) * 1.0})
    qrels = pd.DataFrame({"query_id": ["q"], "doc_id": [str(n - 1)], "relevance": [1]})
    counted = pa.proxy_memory_pool(usual := pa.default_memory_pool())
    pa.set_memory_pool(counted)
    try:
        assert evaluate(Stream(table), qrels, "RR")["RR"].tolist() == [1.0]
    finally:
        pa.set_memory_pool(usual)
    # a few blocks of text at a time, where the whole column has more than 13 megabytes
    assert 0 < counted.max_memory() < 10_000_000


def test_what_is_wrong_is_said_as_of_a_frame():
    run = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b", "c"], "score": [3.0, 2.0, 1.0]})
    qrels = pd.DataFrame({"query_id": ["q"], "doc_id": ["c"], "relevance": [True]})
    for bad in (run.assign(doc_id=["a", "b", "a"]), run.assign(doc_id=["a", None, "b"]), run[:0]):
        with pytest.raises(DataError) as expected:
            evaluate(bad, qrels)
        with pytest.raises(DataError, match=re.escape(str(expected.value))):
            evaluate(streamed(bad), streamed(qrels))
    with pytest.raises(DataError) as found:
        evaluate(streamed(run.rename(columns={"score": "bm25_score"})), qrels)
    assert "pass run_columns={'bm25_score': 'score'}." in str(found.value)
    with pytest.raises(
        DataError, match=r"run is of type ChunkedArray\. Pass a table with the columns"
    ):
        evaluate(pa.chunked_array([["q"]]), qrels)


@pytest.mark.missing_queries
def test_nested_dicts_may_mix_ids_and_hold_queries_without_items():
    run = {"q1": {"a": 0.5, "b": 2.0, 7: 1}, "q2": {}, 3: {"a": 1}}
    qrels = {"q1": {"a": 2, "7": 1}, "q2": {"a": 1}, "3": {"a": 0, "b": 1}}
    found = evaluate(run, qrels, ["RR", "P@2"])
    assert found.to_numpy().tolist() == [[1 / 2, 1 / 2], [0, 0], [0, 0]]
    assert found.attrs["missing"] == 1


def arrow(values):
    return pd.Series(pd.arrays.ArrowExtensionArray(values))


HOWS = {
    "objects": lambda column: column.astype(object),
    "Decimals": lambda column: pd.Series([Decimal(str(each)) for each in column], dtype=object),
    "categories": lambda column: column.astype("category"),
    "dictionaries": lambda column: arrow(pa.array(column).dictionary_encode()),
    "decimals of Arrow": lambda column: arrow(pa.array(column).cast(pa.decimal128(30, 0))),
    "truth of Arrow": lambda column: arrow(pa.array(column).cast(pa.bool_())),
    "objects of truth": lambda column: pd.Series(
        [True, 1, *map(np.bool_, column[2:])], dtype=object
    ),
}
OF_IDS = ["objects", "categories", "dictionaries", "decimals of Arrow"]
OF_SCORES = ["objects", "Decimals", "categories", "dictionaries"]
OF_GRADES = [*OF_SCORES, "truth of Arrow", "objects of truth"]
HELD = {"query_id": OF_IDS, "doc_id": OF_IDS, "score": OF_SCORES, "relevance": OF_GRADES}


@pytest.mark.parametrize("text_of", [str, int], ids=["text", "whole"])
@pytest.mark.parametrize(("name", "how"), [(name, how) for name in HELD for how in HELD[name]])
def test_columns_of_any_dtype(name, how, text_of):
    ids = [text_of(each) for each in (3, 20, 100)]
    run = pd.DataFrame({"query_id": ids[0], "doc_id": ids, "score": [0.5, 2, 2]})
    qrels = pd.DataFrame({"query_id": ids[0], "doc_id": ids, "relevance": [1, 1, 0]})
    expected = tie_range(run, qrels)
    changed = [
        table.assign(**{name: HOWS[how](table[name])}) if name in table else table
        for table in (run, qrels)
    ]
    found = tie_range(*changed)
    whole = name == "query_id" and (text_of is int or how == "decimals of Arrow")
    assert [*map(type, found.index.tolist())] == [int if whole else type(ids[0])]
    found, expected = (each.set_index(each.index.astype(str)) for each in (found, expected))
    pd.testing.assert_frame_equal(found, expected)


@pytest.mark.parametrize("of", ["objects", "Arrow", "Parquet"])
def test_ids_that_are_uuids(of, tmp_path):
    items = [UUID(int=n << 124) for n in (1, 9, 15, 8)]
    run = pd.DataFrame({"query_id": "q", "doc_id": items, "score": 0.5})
    qrels = pd.DataFrame({"query_id": "q", "doc_id": [*map(str, items)], "relevance": [1, 0, 0, 1]})
    expected = evaluate(run.astype({"doc_id": str}), qrels)
    if of != "objects":
        ids = pa.ExtensionArray.from_storage(
            pa.uuid(), pa.array([each.bytes for each in items], pa.binary(16))
        )
        run = pa.table({"query_id": ["q"] * 4, "doc_id": ids, "score": run["score"]})
    if of == "Parquet":
        pq.write_table(run, tmp_path / "run")
        run = read_run(tmp_path / "run")
    pd.testing.assert_frame_equal(evaluate(run, qrels), expected)


def test_a_frame_of_ranks():
    run = pd.DataFrame({"query_id": "q", "doc_id": [*"abc"], "rank": np.uint8([3, 1, 2])})
    scored = run.assign(score=-run["rank"].astype(float))
    qrels = pd.DataFrame({"query_id": ["q"], "doc_id": ["b"], "relevance": [1]})
    pd.testing.assert_frame_equal(evaluate(run, qrels), evaluate(scored, qrels))
    assert evaluate(run, qrels, "RR")["RR"].tolist() == [1]
    pd.testing.assert_frame_equal(evaluate(streamed(run), qrels), evaluate(run, qrels))
    (note,) = preflight(run, qrels).notes[-1:]
    assert note == "run: There are no scores: score is minus the rank in 'rank'."
    assert preflight(run, qrels).facts == preflight(scored, qrels).facts
