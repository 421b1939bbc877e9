"""What a practitioner holds, as it is: the calls that one would try first, and what they say."""

import re
from dataclasses import dataclass
from math import log2
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from lazy_cases import Stream, in_arrow, in_duckdb
from refused import message_of

from byhand import (
    DataError,
    compare,
    evaluate,
    explain,
    mean_reciprocal_rank,
    ndcg,
    preflight,
    reciprocal_rank,
    report,
    scan,
    tie_range,
)

ir_measures = pytest.importorskip("ir_measures")

NESTED_RUN = {"q1": {"d3": 0.9, "d1": 0.5, "d2": 0.1}, "q2": {"d4": 0.8}}
NESTED_QRELS = {"q1": {"d1": 1}, "q2": {"d4": 1}}
RANKED = {"q1": ["d3", "d1", "d2"], "q2": ["d4"]}
GOLD = {"q1": ["d1"], "q2": ["d4"]}
SCORED = [
    ir_measures.ScoredDoc(q, d, score)
    for q, held in NESTED_RUN.items()
    for d, score in held.items()
]
JUDGED = [
    ir_measures.Qrel(q, d, grade) for q, held in NESTED_QRELS.items() for d, grade in held.items()
]
RUN = pd.DataFrame(SCORED)
QRELS = pd.DataFrame(JUDGED).drop(columns="iteration")
PAIRS = {query: [*held.items()] for query, held in NESTED_RUN.items()}
CELLS = pd.DataFrame({"query_id": [*RANKED], "doc_ids": [*RANKED.values()]})
SCORES = [[*held.values()] for held in NESTED_RUN.values()]
GOLD_CELLS = pd.DataFrame({"query_id": [*GOLD], "doc_ids": [*GOLD.values()]})
NUMBERED = {"q1": [3, 1, 2], "q2": [4]}


class OfRanx:
    """A run of ranx, which makes a dict of itself."""

    def __init__(self, nested):
        self._nested = nested

    def to_dict(self):
        return self._nested


class LazyFrame:
    """A frame of polars that nobody has computed yet."""

    def __init__(self, frame):
        self._frame = frame

    def collect(self):
        return Stream(in_arrow(self._frame))


@dataclass(frozen=True)
class Document:  # of LangChain
    id: str


@dataclass(frozen=True)
class NodeWithScore:  # of LlamaIndex
    node_id: str
    score: float


def by_name(run, **names):
    return run.rename(columns=names)


def coded(places, values):
    """A dictionary of Arrow's, as it may come from elsewhere."""
    return pa.DictionaryArray.from_arrays(pa.array(places), pa.array(values))


TERRIER = by_name(RUN, query_id="qid", doc_id="docno").assign(rank=[0, 1, 2, 0])
OWN = by_name(RUN, query_id="Frage", doc_id="Kante", score="Wert")
NAMES = {"Frage": "query_id", "Kante": "doc_id", "Wert": "score"}
TWICE = pd.concat([RUN, RUN[1:2].assign(score=1.0)], ignore_index=True)
CHUNKS = {"q1": ["d3", "d3", "d1", "d2"], "q2": ["d4"]}
# what is passed, and further options; all say that RR is 1/2 and 1, unless they name it
CALLS = {
    "nested dicts, as pytrec_eval has them": (NESTED_RUN, NESTED_QRELS),
    "ranked ids and gold ids": (RANKED, GOLD),
    "gold as sets": (RANKED, {query: {*ids} for query, ids in GOLD.items()}),
    "gold as grades": (RANKED, NESTED_QRELS),
    "ids that are numbers": (NUMBERED, {"q1": [1], "q2": [4]}),
    "numbers here, text there": (NUMBERED, {"q1": {"1"}, "q2": {"4"}}),
    "pairs of id and score": (PAIRS, GOLD),
    "results as dicts, as of sentence-transformers": (
        {q: [{"corpus_id": d, "score": s} for d, s in pairs] for q, pairs in PAIRS.items()},
        GOLD,
    ),
    "results as dicts, as of Elasticsearch": (
        {q: [{"_id": d, "_score": s} for d, s in pairs] for q, pairs in PAIRS.items()},
        GOLD,
    ),
    "lists without query ids": ([*RANKED.values()], [*GOLD.values()]),
    "an array of neighbours, as of FAISS": (np.array([[3, 1, 2], [4, 5, 6]]), [[1], {4}]),
    "ScoredDocs and Qrels of ir_measures": (SCORED, JUDGED),
    "generators of them": (lambda: (iter(SCORED), iter(JUDGED))),
    "a Run of ranx": (OfRanx(NESTED_RUN), OfRanx(NESTED_QRELS)),
    "a dict of columns": (RUN.to_dict("list"), QRELS.to_dict("list")),
    "frames of PyTerrier": (TERRIER, by_name(QRELS, query_id="qid", doc_id="docno").assign(x=1)),
    "ranks and no scores": (RUN.drop(columns="score").assign(rank=[1, 2, 3, 1]), QRELS),
    "ids in the index": (RUN.set_index("query_id"), QRELS.set_index(["query_id", "doc_id"])),
    "lists in cells": (CELLS, GOLD_CELLS),
    "lists in cells with scores and grades": (
        CELLS.assign(scores=SCORES),
        GOLD_CELLS.assign(grades=[[1], [1]]),
    ),
    "lists in cells of Arrow": (in_arrow(CELLS), Stream(in_arrow(GOLD_CELLS))),
    "a stream that can be read only once": (
        lambda: [pa.RecordBatchReader.from_stream(Stream(in_arrow(each))) for each in (RUN, QRELS)]
    ),
    "columns by names of their own": (
        OWN,
        by_name(QRELS, doc_id="Kante"),
        {"run_columns": NAMES, "qrels_columns": {"Kante": "doc_id"}},
    ),
    "dictionaries of Arrow that repeat and lack a text": (
        lambda: [
            in_arrow(RUN.drop(columns=["query_id", "doc_id"]))
            .append_column("query_id", coded([0, 1, 0, 2], ["q1", "q1", "q2", None]))
            .append_column("doc_id", coded([2, 0, 1, 3], ["d1", "d2", "d3", "d4", None])),
            GOLD,
        ]
    ),
    "frames that nobody has computed yet": (LazyFrame(RUN), LazyFrame(QRELS)),
    "one such frame that says both": (lambda: [LazyFrame(RUN.assign(relevance=[0, 1, 0, 1]))] * 2),
    "a log of clicks": (
        RUN,
        pd.concat([QRELS[["query_id", "doc_id"]]] * 2),
        {"qrels_columns": {"relevance": 1}},
    ),
    "one table that says both, by names of its own": (
        lambda: [OWN.assign(relevance=[0, 1, 0, 1])] * 2 + [{"run_columns": NAMES}]
    ),
    "columns of DuckDB by names of their own": (
        lambda: (in_duckdb(OWN), in_duckdb(by_name(QRELS, doc_id="docno")), {"run_columns": NAMES})
    ),
    "chunks of one document, the first": (CHUNKS, GOLD, {"duplicates": "first"}),
    "rows that repeat, the first": (TWICE, QRELS, {"duplicates": "first"}),
    "rows that repeat, the best": (TWICE, QRELS, {"duplicates": "best"}, [1, 1]),
    "rows of DuckDB that repeat, the best": (
        lambda: (in_duckdb(TWICE), QRELS, {"duplicates": "best"}, [1, 1])
    ),
}


def call(case):
    held = CALLS[case]
    run, qrels, *more = held() if callable(held) else held
    return run, qrels, *more, *[{}, [1 / 2, 1]][len(more) :]


@pytest.mark.parametrize("case", CALLS)
def test_what_one_holds_is_taken_as_it_is(case):
    run, qrels, options, expected = call(case)
    found = evaluate(run, qrels, ["RR", "nDCG"], **options)
    assert found["RR"].tolist() == expected
    assert found["nDCG"].tolist() == [1 / log2(1 + 1 / each) for each in expected]
    placed = "without query ids" in case or "neighbours" in case
    assert found.index.tolist() == ([0, 1] if placed else ["q1", "q2"])
    assert found.attrs.get("repeated") == (1 if "duplicates" in options else None)
    run, qrels, *_ = call(case)
    checked = preflight(run, qrels, measures=["RR"], **options)
    assert checked.problems == ()
    repeats = ["1 row repeats a query and its item" in note for note in checked.notes]
    assert any(repeats) == ("duplicates" in options)
    (run, qrels, *_), (again, *_) = call(case), call(case)
    table = compare({"a": run, "b": again}, qrels, ["RR"], **options)
    assert table[["mean_a", "mean_b"]].iloc[0].tolist() == [np.mean(expected)] * 2
    assert table.attrs.get("repeated") == ({"a": 1, "b": 1} if "duplicates" in options else None)


@pytest.mark.parametrize(
    "case",
    ["ranked ids and gold ids", "frames of PyTerrier"],
)
def test_a_report_takes_it(case):
    run, qrels, _, expected = call(case)
    made = report(run, qrels, measures="RR")
    assert made.results["queries"]["run"]["RR"].tolist() == expected
    twice = {"q1": ["d3", "d3", "d1"], "q2": ["d4"]}
    made = report({"new": run, "old": twice}, qrels, measures="RR", duplicates="first")
    assert [table["RR"].tolist() for table in made.results["queries"].values()] == [expected] * 2


@pytest.mark.parametrize("reader", [str, Path])
def test_files_are_read(tmp_path, reader):
    by_name(RUN, score="Wert").to_csv(tmp_path / "run.csv", index=False)
    QRELS.to_parquet(tmp_path / "qrels")
    held = reader(tmp_path / "run.csv"), str(tmp_path / "qrels")
    found = evaluate(*held, "RR", run_columns={"Wert": "score"})
    assert found["RR"].tolist() == [1 / 2, 1]
    TWICE.assign(relevance=TWICE["doc_id"].isin(["d1", "d4"])).to_csv(tmp_path / "one.csv")
    path = str(tmp_path / "one.csv")
    for duplicates, expected in {"first": [1 / 2, 1], "best": [1, 1]}.items():
        found = evaluate(path, path, "RR", duplicates=duplicates)
        assert found["RR"].tolist() == expected
        assert found.attrs["repeated"] == 1


# what comes in a form that could mean something else: what is said can be pasted
ITEMS = {
    "[(each.id, number) for each, number in items]": [(Document("d3"), 0.9), (Document("d1"), 0.5)],
    "[(each.node_id, each.score) for each in items]": [
        NodeWithScore("d3", 0.9),
        NodeWithScore("d1", 0.5),
    ],
    "[each.id for each in items]": [Document("d3"), Document("d1")],
}


@pytest.mark.parametrize("pasted", ITEMS)
@pytest.mark.missing_queries
def test_objects_are_known_by_their_ids(pasted):
    assert pasted in message_of(evaluate, {"q1": ITEMS[pasted]}, GOLD)
    found = evaluate({"q1": eval(pasted, {"items": ITEMS[pasted]})}, GOLD, "RR")
    assert found["RR"].tolist() == [1 / 2, 0]


def test_matrices_of_scores_and_labels_are_not_guessed():
    with pytest.raises(DataError, match="doc_id contains float64 values"):
        evaluate([[0.2, 0.5, 0.9]], [["a"]])
    with pytest.raises(DataError, match="numbers could be ids, scores or grades"):
        evaluate(np.array([[3, 1, 2]]), np.array([[0, 1, 0]]))


ROWS = [("q", "a", 0.1), ("q", "b", 0.5), ("q", "a", 0.9), ("q", "b", 0.5), ("r", "b", 0.2)]


@pytest.mark.missing_queries
def test_what_of_repeated_rows_stays():
    run = pd.DataFrame(ROWS, columns=["query_id", "doc_id", "score"])
    qrels = {"q": {"a"}, "r": {"b"}}
    assert evaluate(run, qrels, "RR", duplicates="first")["RR"].tolist() == [1 / 2, 1]
    assert evaluate(run, qrels, "RR", duplicates="best")["RR"].tolist() == [1, 1]
    found = evaluate(run[::-1], qrels, "RR", duplicates="first")
    assert found["RR"].tolist() == [1, 1]
    assert found.attrs["repeated"] == 2
    assert evaluate(run[:2], qrels, "RR", duplicates="best").attrs["repeated"] == 0
    whole = run.assign(score=np.array([0, 5, 2**53 - 1, 5, 1], dtype=np.uint64))
    assert evaluate(whole, qrels, "RR", duplicates="best")["RR"].tolist() == [1, 1]
    with pytest.raises(ValueError, match="'last' is not an option; choose from None, 'fi"):
        evaluate(run, qrels, duplicates="last")
    with pytest.raises(DataError, match="qrels: query 'q' has item 'a' twice"):
        evaluate(run, run.rename(columns={"score": "relevance"}), duplicates="best")


def test_the_best_of_repeated_rows_in_an_engine(tmp_path):
    run = pd.DataFrame(ROWS, columns=["query_id", "doc_id", "score"])
    qrels = pd.DataFrame({"query_id": [*"qr"], "doc_id": [*"ab"], "relevance": 1})
    measures = ["RR", "AP", "Judged@2"]
    expected = tie_range(run, qrels, measures, duplicates="best")
    run.to_csv(tmp_path / "run.csv", index=False)
    run.to_parquet(tmp_path / "run.parquet")
    scans = [scan(tmp_path / f"run.{form}", duplicates="best") for form in ("csv", "parquet")]
    for there in (in_duckdb(run), in_duckdb(run.assign(rank=-run.pop("score"))), *scans):
        found = tie_range(there, qrels, measures, duplicates="best")
        pd.testing.assert_frame_equal(found, expected)
        assert found.attrs["repeated"] == 2
    pd.testing.assert_frame_equal(tie_range(scans[0], qrels, measures), expected)
    match = r"have no order\. Pass duplicates='best' to keep"
    with pytest.raises(DataError, match=match):
        evaluate(there, qrels, duplicates="first")
    with pytest.raises(DataError, match=match):
        scan(tmp_path / "run.csv", duplicates="first")


LABELS = {
    "lists": ([0.1, 0.9, 0.3], [0, 1, 1]),
    "arrays": (np.array([0.1, 0.9, 0.3]), np.array([0, 1, 1])),
    "whole scores": ([10, 30, 20], [0, 1, 1]),
    "truth values": ([3, 9, 4], [False, True, True]),
    "one of each": ([0.5], [1]),
    "texts": (["a", "b"], [0, 1]),
}


@pytest.mark.parametrize("case", LABELS)
def test_labels_are_refused_and_what_is_said_can_be_pasted(case):
    ranked, relevant = LABELS[case]
    for call in (reciprocal_rank, ndcg, explain, lambda *pair: mean_reciprocal_rank([pair])):
        refused = message_of(call, ranked, relevant)
        assert "relevant has one number for each entry of ranked, like labels" in refused
    held = {"ranked": ranked, "relevant": relevant}
    if case == "texts":
        (pasted,) = re.findall(r"pass (dict.*?) as relevant", refused)
        assert reciprocal_rank(ranked, eval(pasted, held)) == 1 / 2
        return
    said = re.search(r"pass (sorted.*) as ranked, and (dict.*) as relevant", refused)
    items, grades = (eval(said[at], held) for at in (1, 2))
    assert ndcg(items, grades) == 1  # the highest score has the highest grade, and so on


def test_ids_that_are_numbers_are_no_labels():
    for ranked, relevant in (([3, 1, 2], [2, 3, 1]), ([7, 2], [2, 2]), ([0, 1, 2], [1, 0])):
        assert reciprocal_rank(ranked, relevant) > 0


def test_a_list_of_texts_is_told_what_it_is_taken_for():
    told = "list of entries such as 'MRR@10', not a list with the items of each query"
    with pytest.raises(DataError, match=f"^qrels is a {told}"):
        report(RUN, ["MRR@10"])
