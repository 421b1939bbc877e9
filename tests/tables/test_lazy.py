"""Runs and qrels in an engine: the same values and complaints as in memory."""

import sqlite3
from contextlib import closing

import pandas as pd
import pytest
from lazy_cases import CASES, assert_same_values, in_duckdb, random_case

from byhand import DataError, evaluate, preflight, tie_range
from byhand.tables.databases import engine_of

duckdb = pytest.importorskip("duckdb")
ibis = pytest.importorskip("ibis")
pytest.importorskip("ibis.backends.sqlite")


def in_parts(table):
    """A table of an engine of which no more than a few rows may come at a time."""
    return engine_of(table, memory="1KB")


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_values_are_those_of_memory_to_the_last_bit(case):
    place, (run, qrels) = CASES.index(case), random_case(*case)
    # each kind of scores both ways: whole, or in parts
    table = in_parts(in_duckdb(run)) if (place // 2 + place // 8) % 2 else in_duckdb(run)
    assert_same_values((table, qrels), (run, qrels), relevant_from=[None, 2][place % 2])
    found, expected = (preflight(each, qrels, measures=["RR"]) for each in (table, run))
    assert repr(found) == repr(expected)


TYPES = ["HUGEINT", "UBIGINT", "DECIMAL(20,0)", "SMALLINT", "VARCHAR COLLATE NOCASE", "ENUM"]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("held", [lambda table: table, in_parts], ids=["whole", "in parts"])
def test_ids_and_numbers_of_any_type(kind, held):
    ids = ["9", "10", "101", "1"] if "(" in kind or "INT" in kind else ["b", "B", "é", "a"]
    rows = [(q, d, 7 + n % 2) for q in "pq" for n, d in enumerate(ids)]
    run = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    qrels = run.rename(columns={"score": "relevance"}).iloc[::3]
    kind = f"ENUM ({', '.join(map(repr, ids))})" if kind == "ENUM" else kind
    number = kind if "INT" in kind or "DEC" in kind else "FLOAT"
    con = duckdb.connect()
    con.execute(f"CREATE TABLE run (query_id VARCHAR, doc_id {kind}, score {number}, a INTERVAL)")
    con.executemany("INSERT INTO run VALUES (?, ?, ?, NULL)", rows)
    assert_same_values((held(con.table("run")), qrels), (run, qrels))


def test_a_connection_is_free_after_an_error():
    con = duckdb.connect()
    con.execute("CREATE TABLE run AS SELECT 'p' query_id, 'a' doc_id, '' score FROM range(300000)")
    with pytest.raises(DataError, match="score contains string"):
        evaluate(con.table("run"), {"p": ["a"]})
    assert con.sql("SELECT 1").fetchall() == [(1,)]


@pytest.mark.parametrize("held", [in_duckdb, lambda frame: in_parts(in_duckdb(frame))])
def test_a_repeat_is_named_wherever_it_stands(held):
    rows = pd.DataFrame({"query_id": [*"pqpqpqpq"], "doc_id": [*"aaeebbec"], "score": range(8)})
    qrels = {"p": ["a"], "q": ["c"]}
    with pytest.raises(DataError, match=r"'p' has item 'e' twice\. Each item"):
        evaluate(held(rows), qrels)
    best = evaluate(held(rows), qrels, duplicates="best")
    pd.testing.assert_frame_equal(best, evaluate(rows, qrels, duplicates="best"))
    assert best.attrs["repeated"] == 1


def test_an_engine_that_only_ibis_knows(tmp_path):
    class Elsewhere(ibis.backends.sqlite.Backend):  # stands in for, say, BigQuery
        name = "elsewhere"

    rows, qrels = [("p", "a", 0.1), ("p", "b", 0.3), ("q", "y", 0.2)], {"p": ["a"]}
    with closing(sqlite3.connect(tmp_path / "runs.db")) as database:
        database.execute("CREATE TABLE run (query_id TEXT, doc_id TEXT, score DECIMAL(4, 2))")
        database.executemany("INSERT INTO run VALUES (?, ?, ?)", rows)
        database.commit()
    there = tie_range(Elsewhere().connect(tmp_path / "runs.db").table("run"), qrels)
    here = tie_range(pd.DataFrame(rows, columns=["query_id", "doc_id", "score"]), qrels)
    pd.testing.assert_frame_equal(there, here, check_exact=True)
