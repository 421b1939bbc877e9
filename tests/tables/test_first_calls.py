"""What a practitioner holds, as it is: the calls that one would try first, and what they say."""

import re
from dataclasses import dataclass, field
from math import log2
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from lazy_cases import Stream, in_arrow, in_duckdb
from refused import cases_of, message_of

from byhand import (
    DataError,
    compare,
    evaluate,
    explain,
    mean_reciprocal_rank,
    ndcg,
    preflight,
    reciprocal_rank,
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
class Document:  # of LangChain, where it mostly has no id of its own
    id: str | None
    metadata: dict = field(default_factory=dict)


@dataclass(frozen=True)
class NodeWithScore:  # of LlamaIndex
    node_id: str
    score: float


def coded(places, values):
    """A dictionary of Arrow's, as it may come from elsewhere."""
    return pa.DictionaryArray.from_arrays(pa.array(places), pa.array(values))


TERRIER = RUN.set_axis(["qid", "docno", "score"], axis=1).assign(rank=[0, 1, 2, 0])
OWN = RUN.set_axis(["Frage", "Kante", "Wert"], axis=1)
NAMES = {"Frage": "query_id", "Kante": "doc_id", "Wert": "score"}
BOTH = RUN.assign(relevance=[0, 1, 0, 1])
TWICE = pd.concat([RUN, RUN[1:2].assign(score=1.0)], ignore_index=True)
CODED = pa.table(
    {
        "query_id": coded([0, 1, 0, 2], ["q1", "q1", "q2", None]),
        "doc_id": coded([2, 0, 1, 3], ["d1", "d2", "d3", "d4", None]),
        "score": RUN["score"],
    }
)
OPAQUE = pa.ExtensionArray.from_storage(
    pa.opaque(pa.string(), "id", "its owner"), pa.array(RUN["doc_id"], pa.string())
)


def as_dicts(**names):
    """Each result as a dict of these names."""
    ((id_, score),) = names.items()
    return {q: [{id_: d, score: s} for d, s in pairs] for q, pairs in PAIRS.items()}


CALLS = cases_of(Path(__file__).with_name("accepted.txt"))


def call(case):
    """What is passed anew, as some of it can be read only once, the options, RR and repeats."""
    passed, (expected, *repeats) = CALLS[case]
    run, qrels, *options = eval(f"({passed})", globals())
    return run, qrels, *(options or [{}]), eval(expected), int(*repeats)


@pytest.mark.parametrize("case", CALLS)
def test_what_one_holds_is_taken_as_it_is(case):
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
    (run, qrels, *_), (again, *_) = call(case), call(case)
    table = compare({"a": run, "b": again}, qrels, ["RR"], **options)
    assert table[["mean_a", "mean_b"]].iloc[0].tolist() == [np.mean(expected)] * 2
    assert table.attrs.get("repeated") == ({"a": 1, "b": 1} if repeats else None)


# what comes in a form that could mean something else: what is said can be pasted
ITEMS = {
    "[(each.id, number) for each, number in items]": [(Document("d3"), 0.9), (Document("d1"), 0.5)],
    "[(each.node_id, each.score) for each in items]": [
        NodeWithScore("d3", 0.9),
        NodeWithScore("d1", 0.5),
    ],
    "[each.id for each in items]": [Document("d3", {"doc_id": "y"}), Document("d1")],
    "[each.metadata['doc_id'] for each in items]": [
        Document(None, {"source": "x", "doc_id": each}) for each in ("d3", "d1")
    ],
    "[each.metadata['source'] for each in items]": [
        Document(None, {"source": each}) for each in ("d3", "d1")
    ],
}


@pytest.mark.parametrize("pasted", ITEMS)
@pytest.mark.missing_queries
def test_objects_are_known_by_their_ids(pasted):
    assert pasted in message_of(evaluate, {"q1": ITEMS[pasted]}, GOLD)
    found = evaluate({"q1": eval(pasted, {"items": ITEMS[pasted]})}, GOLD, "RR")
    assert found["RR"].tolist() == [1 / 2, 0]


ROWS = [("q", "a", 0.1), ("q", "b", 0.5), ("q", "a", 0.9), ("q", "b", 0.5), ("r", "b", 0.2)]


def test_the_best_of_repeated_rows_in_an_engine(tmp_path):
    run = pd.DataFrame(ROWS, columns=["query_id", "doc_id", "score"])
    qrels = pd.DataFrame({"query_id": [*"qr"], "doc_id": [*"ab"], "relevance": 1})
    measures = ["RR", "AP", "Judged@2"]
    expected = tie_range(run, qrels, measures, duplicates="best")
    run.to_csv(tmp_path / "run.csv", index=False)
    there = scan(tmp_path / "run.csv", duplicates="best")
    for table in (in_duckdb(run), in_duckdb(run.assign(rank=-run.pop("score"))), there):
        found = tie_range(table, qrels, measures, duplicates="best")
        pd.testing.assert_frame_equal(found, expected)
        assert found.attrs["repeated"] == 2
    with pytest.raises(DataError, match=r"have no order\. Pass duplicates='best' to keep"):
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
