"""What is wrong with the data: each message says what, where, what was expected, what to do."""

import pickle
import re
import sqlite3  # noqa: F401 - a case calls it
from pathlib import Path
from types import SimpleNamespace as Item  # noqa: F401

import numpy as np  # noqa: F401 - a case calls it
import pandas as pd
import pyarrow as pa  # noqa: F401 - a case calls it
import pytest
from lazy_cases import Stream, in_arrow, in_duckdb  # noqa: F401
from refused import cases_of, message_of, refusal_of

import byhand
from byhand import DataError, average_precision, dcg, explain, ndcg, preflight, reciprocal_rank

RUN = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [0.9, 0.4]})
QRELS = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
JUDGED = RUN.assign(doc_id="a", relevance=[1, 0])
NESTED_RUN = {"q1": {"a": 0.5, "b": 2.0, 7: 1}, "q2": {}, 3: {"a": 1}}
NESTED_QRELS = {"q1": {"a": 2, "7": 1}, "q2": {"a": 1}, "3": {"a": 0, "b": 1}}
FOUR = pd.DataFrame({"query_id": [*"pppq"], "doc_id": [*"abcx"], "score": [0.5, 0.5, 0.1, 1.0]})
FOUR_QRELS = pd.DataFrame({"query_id": [*"pr"], "doc_id": [*"az"], "relevance": [1, 2]})
FAR = pd.DataFrame({"query_id": "s", "doc_id": range(200_000), "score": 1.0})
RANKER = pd.DataFrame({"group": 1, "y_true": [0, 1, 2], "y_pred": [0.1, 0.2, 0.3]})


def objects(*values):
    return pd.Series(values, dtype=object)


def cells(**columns):
    """A run with a list of one item in a cell, and further columns."""
    return pd.DataFrame({"query_id": ["q1"], "doc_ids": [["a"]], **columns})


def selected(columns):
    """A table of DuckDB with query p and these columns."""
    duckdb = pytest.importorskip("duckdb")
    return duckdb.connect().sql(f"SELECT 'p' query_id, {columns} FROM range(3)")


def connected(by):
    """A connection to DuckDB, by itself or by Ibis."""
    duckdb = pytest.importorskip("duckdb")
    return (duckdb if by == "duckdb" else pytest.importorskip(by).duckdb).connect()


NAMES = {name: getattr(byhand, name) for name in byhand.__all__} | globals()
CASES = cases_of(Path(__file__).with_name("messages.txt"))
TABLES = [name for name, (call, _) in CASES.items() if call.startswith("evaluate")]
LISTS = [name for name, (call, _) in CASES.items() if call.startswith("ndcg")]


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_explained(name):
    call, (said,) = CASES[name]
    assert refusal_of(call, NAMES) == said


@pytest.mark.parametrize("name", TABLES)
def test_preflight_says_the_same(name):
    call, (said,) = CASES[name]
    assert eval(call, NAMES | {"evaluate": preflight}).problems[0].startswith(said)


@pytest.mark.parametrize("function", [reciprocal_rank, average_precision, explain])
@pytest.mark.parametrize("name", LISTS)
def test_every_function_of_one_list_says_the_same(name, function):
    call, (said,) = CASES[name]
    assert refusal_of(call, NAMES | {"ndcg": function}) == said


def test_an_error_of_another_process_carries_all_that_it_had():
    error = DataError("If 'sim' is it,", columns={"the-page " * 20: "score"}, table="run")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), vars(copy)) == (str(error), vars(error))


def test_what_is_said_of_labels_can_be_pasted():
    held = {"ranked": [0.1, 0.9, 0.3], "relevant": [0, 2, 1]}
    said = message_of(ndcg, **held)
    items, grades = re.search(r"pass (sorted.*) as ranked, and (dict.*) as rel", said).groups()
    assert ndcg(eval(items, held), eval(grades, held)) == 1  # the highest score, the highest grade


def test_grades_that_just_fit_and_one_that_does_not():
    assert message_of(dcg, ["A"], {"A": 10**400}).startswith("The grade of 'A' is 1000")
    most = 2.0**1000
    assert dcg(["A", "B", "C"], {"A": most, "C": most}) == 1.5 * most
    assert ndcg(["A"], {"A": 5000}) == 1
