"""Runs and qrels in an engine: the same hits, values and complaints as in memory."""

import sqlite3
from contextlib import closing

import pandas as pd
import pytest
from lazy_cases import (
    BATCHES,
    HALF_OF_THEM,
    NUMBERED,
    TIES,
    assert_same_hits,
    batch,
    in_duckdb,
)

from byhand import DataError, evaluate, preflight, tie_range
from byhand.metrics import RunWithQrels
from byhand.tables.databases import engine_of

duckdb = pytest.importorskip("duckdb")
ibis = pytest.importorskip("ibis")
pytest.importorskip("ibis.backends.sqlite")


def in_parts(table):
    """A table of an engine of which no more than a few rows may come at a time."""
    return engine_of(table, memory="1KB")


def by_turns(which, table):
    """Such a table, or one that comes whole: every kind of scores both ways."""
    kind, whole = which
    return in_parts(table) if (kind // 2 + bool(whole)) % 2 else table


@pytest.mark.parametrize("which", [*BATCHES, *NUMBERED])
def test_hits_are_those_of_memory_to_the_last_bit(which):
    (kind, _), (run, qrels) = which, batch(*which)
    options, table = {"relevant_from": [None, 2][kind % 2]}, by_turns(which, in_duckdb(run))
    here, there = RunWithQrels(run, qrels, **options), RunWithQrels(table, qrels, **options)
    for ties in TIES:
        found, expected = (each.hits(ties=ties, judged=kind % 3 == 0) for each in (there, here))
        assert_same_hits(found, expected)


RUN = pd.DataFrame({"query_id": [*"pppq"], "doc_id": [*"abcx"], "score": [0.5, 0.5, 0.1, 1.0]})
QRELS = pd.DataFrame({"query_id": [*"pr"], "doc_id": [*"az"], "relevance": [1, 2]})


@pytest.mark.parametrize("of", [in_duckdb, lambda frame: ibis.memtable(frame).limit(9)])
@pytest.mark.missing_queries
def test_values_and_counts_are_those_of_memory(of):
    measures = ["RR", "AP", "nDCG@2", "Judged@2"]
    here, there = tie_range(RUN, QRELS, measures), tie_range(of(RUN), of(QRELS), measures)
    pd.testing.assert_frame_equal(there, here)
    assert there.attrs == here.attrs


def test_a_judged_run_is_looked_at_without_bringing_it_here():
    table = RUN.assign(relevance=[0, 2, 0, 1])
    run = in_duckdb(table)
    assert repr(preflight(run, run)) == repr(preflight(table, table))
    pd.testing.assert_frame_equal(evaluate(run, run), evaluate(table, table))


@pytest.mark.parametrize("which", HALF_OF_THEM)
def test_preflight_is_that_of_memory(which):
    run, qrels = batch(*which)
    found, expected = (preflight(each, qrels, measures=["RR"]) for each in (in_duckdb(run), run))
    assert repr(found) == repr(expected)


TYPES = ["HUGEINT", "UBIGINT", "DECIMAL(20,0)", "SMALLINT", "VARCHAR COLLATE NOCASE", "ENUM"]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("held", [lambda table: table, in_parts], ids=["whole", "in parts"])
def test_ids_and_numbers_of_any_type(kind, held):
    ids = ["9", "10", "101", "1"] if "(" in kind or "INT" in kind else ["b", "B", "é", "a"]
    run = pd.DataFrame([(q, d, 7 + n % 2) for q in "pq" for n, d in enumerate(ids)], columns=[*RUN])
    qrels = run.rename(columns={"score": "relevance"}).iloc[::3]
    kind = f"ENUM ({', '.join(map(repr, ids))})" if kind == "ENUM" else kind
    number = kind if "INT" in kind or "DEC" in kind else "FLOAT"
    con = duckdb.connect()
    con.execute(f"CREATE TABLE run (query_id VARCHAR, doc_id {kind}, score {number}, a INTERVAL)")
    con.executemany("INSERT INTO run VALUES (?, ?, ?, NULL)", run.values.tolist())
    here, there = RunWithQrels(run, qrels), RunWithQrels(held(con.table("run")), qrels)
    for ties in TIES:
        assert_same_hits(there.hits(ties=ties), here.hits(ties=ties))


CELLS = {
    "a list, the best first": ("['b', 'a'] AS doc_id", [1 / 2, 0]),
    "lists of items and scores": ("['b', 'a'] AS doc_id, [0.7, 0.5] AS score", [1 / 2, 0]),
    "their plurals": ("['b', 'a'] AS doc_ids, [0.7, 0.5] AS scores", [1 / 2, 0]),
    "a map": ("MAP {'b': 0.5, 'a': 0.7, 'c': 0.6} AS doc_id", [1, 0]),
    "structs": ("[{'id': 'b', 'score': 0.7}, {'id': 'a', 'score': 0.5}] AS doc_id", [1 / 2, 0]),
    "a 32-bit float": ("'a' AS doc_id, 0.5::FLOAT AS score", [1, 0]),
}


@pytest.mark.parametrize("case", CELLS)
@pytest.mark.parametrize("of", ["a relation", "a relation in parts", "a table of Ibis", "memory"])
@pytest.mark.missing_queries
def test_cells_of_an_engine_are_read_as_in_memory(case, of):
    columns, expected = CELLS[case]
    con = duckdb.connect()
    con.execute(f"CREATE TABLE run AS SELECT 'p' AS query_id, {columns}, 1 AS other")
    if of == "a table of Ibis":
        table = ibis.duckdb.from_connection(con).table("run")
    else:
        table = con.table("run")
        table = table.to_arrow_table() if of == "memory" else table
        table = in_parts(table) if of == "a relation in parts" else table
    assert evaluate(table, QRELS, "RR")["RR"].tolist() == expected


def test_lists_of_an_engine_are_read_in_batches_of_any_size(monkeypatch):
    monkeypatch.setattr("byhand.tables.databases._SOME", 2048)
    rows = "SELECT i::VARCHAR query_id, ['x', 'a'] doc_id FROM range(2050) _(i)"
    table, qrels = in_parts(duckdb.connect().sql(rows)), {"7": ["a"], "2049": ["x"]}
    assert evaluate(table, qrels, "RR")["RR"].tolist() == [1 / 2, 1]


def test_every_row_of_an_engine_may_be_a_hit():
    con = duckdb.connect()
    con.execute("CREATE TABLE clicks AS SELECT 'p' query_id, unnest(['c', 'b', 'b']) doc_id")
    for table in (con.table("clicks"), in_parts(con.table("clicks"))):
        found = evaluate(RUN, table, "AP", qrels_columns={"relevance": 1})
        assert found["AP"].tolist() == [(1 / 1 + 2 / 3) / 2]
    found = evaluate(RUN, con.sql("SELECT 'p' query_id, ['c', 'b'] doc_id"), "AP")
    assert found["AP"].tolist() == [(1 / 1 + 2 / 3) / 2]


def test_a_connection_is_no_table():
    con = duckdb.connect()
    for held in (con, ibis.duckdb.from_connection(con), sqlite3.connect(":memory:")):
        for tables in ((held, QRELS), (RUN, held)):
            with pytest.raises(DataError, match=r"is a connection .* con\.table\('run'\), or"):
                evaluate(*tables)


WRONG = {
    "'a' doc_id, {'bm25': 0.5} score": r"score contains struct<.* pass one of .* as score\.bm25",
    "'a' doc_id, 'high' score": r"score contains string.* CAST\(score AS DOUBLE\)",
    "0.5 doc_id, 1 score": r"doc_id contains decimal.* CAST\(doc_id AS VARCHAR\)",
    "'a' doc_id, 1 one": r"no column 'score' .*Columns found: 'query_id', 'doc_id', 'one'",
}


@pytest.mark.parametrize("columns", WRONG)
def test_what_is_wrong_in_an_engine_leaves_its_connection_free(columns):
    con = duckdb.connect()
    con.execute(f"CREATE TABLE run AS SELECT 'p' query_id, {columns} FROM range(300000)")
    with pytest.raises(DataError, match=WRONG[columns]):
        evaluate(con.table("run"), QRELS)
    assert con.sql("SELECT 1").fetchall() == [(1,)]


@pytest.mark.parametrize("held", [in_duckdb, lambda frame: in_parts(in_duckdb(frame))])
@pytest.mark.missing_queries
def test_a_repeat_is_named_wherever_it_stands(held):
    rows = pd.DataFrame({"query_id": [*"pqpqpqpq"], "doc_id": [*"aaeebbec"], "score": range(8)})
    with pytest.raises(DataError, match=r"'p' has item 'e' twice\. Each item"):
        evaluate(held(rows), QRELS)
    best = evaluate(held(rows), QRELS, duplicates="best")
    pd.testing.assert_frame_equal(best, evaluate(rows, QRELS, duplicates="best"))
    assert best.attrs["repeated"] == 1


def test_qrels_with_a_repeat_and_without_rows():
    with pytest.raises(DataError, match="qrels: query 'p' has item 'a' twice"):
        evaluate(RUN, in_duckdb(QRELS.assign(query_id="p", doc_id="a")))
    with pytest.raises(DataError, match="qrels has no rows"):
        evaluate(RUN, in_duckdb(QRELS[:0]))


def in_sqlite(path, rows, declared="query_id TEXT, doc_id TEXT, score REAL"):
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"CREATE TABLE run ({declared})")
        database.executemany("INSERT INTO run VALUES (?, ?, ?)", rows)
        database.commit()
    return ibis.sqlite.connect(path).table("run")


@pytest.mark.missing_queries
def test_an_engine_that_only_ibis_knows(tmp_path):
    class Elsewhere(ibis.backends.sqlite.Backend):  # stands in for, say, BigQuery
        name = "elsewhere"

    rows = [("p", "a", 0.1), ("p", "b", 0.3), ("q", "y", 0.2)]
    in_sqlite(tmp_path / "runs.db", rows, "query_id TEXT, doc_id TEXT, score DECIMAL(4, 2)")
    there = tie_range(Elsewhere().connect(tmp_path / "runs.db").table("run"), QRELS)
    here = tie_range(pd.DataFrame(rows, columns=[*RUN]), QRELS)
    pd.testing.assert_frame_equal(there, here, check_exact=True)


def test_input_order_is_refused():
    with pytest.raises(DataError, match="ties='input' keeps equal scores in the order of the"):
        evaluate(in_duckdb(RUN), QRELS, conventions="ranx")
