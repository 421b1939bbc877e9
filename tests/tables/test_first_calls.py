"""What a practitioner holds, as it is: the calls that one would try first."""

from decimal import Decimal  # noqa: F401 - a case calls it
from math import log2
from pathlib import Path
from types import SimpleNamespace as Item  # noqa: F401
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from lazy_cases import Stream, in_arrow, in_duckdb, in_ibis  # noqa: F401
from refused import cases_of

from byhand import compare, evaluate, preflight, scan  # noqa: F401

NESTED_RUN = {"q1": {"d3": 0.9, "d1": 0.5, "d2": 0.1}, "q2": {"d4": 0.8}}
NESTED_QRELS = {"q1": {"d1": 1}, "q2": {"d4": 1}}
RANKED = {"q1": ["d3", "d1", "d2"], "q2": ["d4"]}
GOLD = {"q1": ["d1"], "q2": ["d4"]}
NUMBERED = {"q1": [3, 1, 2], "q2": [4]}
RUN = pd.DataFrame({"query_id": ["q1"] * 3 + ["q2"], "doc_id": ["d3", "d1", "d2", "d4"]})
RUN["score"] = [0.9, 0.5, 0.1, 0.8]
QRELS = pd.DataFrame({"query_id": ["q1", "q2"], "doc_id": ["d1", "d4"], "relevance": 1})
SCORED = [*RUN.itertuples(index=False)]
JUDGED = [*QRELS.assign(iteration="0").itertuples(index=False)]
CELLS = pd.DataFrame({"query_id": [*RANKED], "doc_ids": [*RANKED.values()]})
SCORES = [[*held.values()] for held in NESTED_RUN.values()]
GOLD_CELLS = pd.DataFrame({"query_id": [*GOLD], "doc_ids": [*GOLD.values()]})
# d3 ties with d1 and comes first
BOTH_CELLS = {
    "query_id": ["q1", "q2"],
    "doc_ids": [["d1", "d3", "d2"], ["d4"]],
    "scores": [[2, 2, 1], [1]],
    "relevance": [[1, 0, None], [2]],
}
TERRIER = RUN.set_axis(["qid", "docno", "score"], axis=1).assign(rank=[0, 1, 2, 0])
OWN = RUN.set_axis(["Frage", "Kante", "Wert"], axis=1)
NAMES = {"Frage": "query_id", "Kante": "doc_id", "Wert": "score"}
BOTH = RUN.assign(relevance=[0, 1, 0, 1])
BOTH_OWN = BOTH.set_axis(["Frage", "doc_id", "score", "Hit"], axis=1)
QUERY, GRADE = {"Frage": "query_id"}, {"Hit": "relevance"}
RANKER = BOTH.drop(columns="doc_id").set_axis(["group", "y_pred", "y_true"], axis=1)
TWICE = pd.concat([RUN, RUN[1:2].assign(score=1.0)], ignore_index=True)
SELF = pd.concat([RUN.assign(doc_id=RUN["query_id"], score=2.0)[::3], RUN], ignore_index=True)
UUIDS = [UUID(int=n << 124) for n in (1, 9, 15, 8)]


def lazily(frame):
    """A frame of polars that nobody has computed yet."""
    return type("LazyFrame", (), {"collect": lambda self: Stream(in_arrow(frame))})()


def coded(places, values):
    """A dictionary of Arrow's, as it may come from elsewhere."""
    return pa.DictionaryArray.from_arrays(pa.array(places), pa.array(values))


def of_sql(*columns):
    """A query of DuckDB with one row for each query, and another column."""
    rows = (f"SELECT 'q{n}' query_id, 1 other, {each}" for n, each in enumerate(columns, 1))
    return pytest.importorskip("duckdb").connect().sql(" UNION ALL ".join(rows))


def in_file(frame):
    """The file of a case, in an empty folder."""
    if not Path("table.csv").exists():
        frame.to_csv("table.csv", index=False)
    return "table.csv"


CALLS = cases_of(Path(__file__).with_name("accepted.txt"))


def call(case):
    """What is passed anew, as some of it can be read only once, the options, RR and repeats."""
    passed, (expected, *repeats) = CALLS[case]
    run, qrels, *options = eval(f"({passed})", globals())
    return run, qrels, *(options or [{}]), eval(expected), int(*repeats)


@pytest.mark.parametrize("case", CALLS)
def test_what_one_holds_is_taken_as_it_is(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run, qrels, options, expected, repeats = call(case)
    found = evaluate(run, qrels, ["RR", "nDCG"], **options)
    assert found["RR"].tolist() == expected
    assert found["nDCG"].tolist() == [1 / log2(1 + 1 / each) for each in expected]
    placed = "without query ids" in case or "neighbours" in case
    assert found.index.tolist() == ([0, 1] if placed else ["q1", "q2"])
    assert found.attrs.get("repeated") == (repeats or None)
    run, qrels, *_ = call(case)
    checked = preflight(run, qrels, measures=["RR"], **options)
    assert checked.problems == ()
    assert any("1 row repeats a query and" in note for note in checked.notes) == bool(repeats)
    run, qrels, *_ = call(case)
    again = run if run is qrels else call(case)[0]
    table = compare({"a": run, "b": again}, qrels, ["RR"], **options)
    assert table[["mean_a", "mean_b"]].iloc[0].tolist() == [np.mean(expected)] * 2
    assert table.attrs.get("repeated") == ({"a": 1, "b": 1} if repeats else None)
