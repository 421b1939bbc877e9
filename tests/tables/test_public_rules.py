"""What public reports ask of data in memory: each rule with its right value."""

import warnings
from fractions import Fraction
from math import log2
from types import SimpleNamespace
from uuid import UUID

import numpy as np
import pandas as pd
import pytest

from byhand import (
    DataError,
    average_precision,
    chance_levels,
    compare,
    evaluate,
    explain,
    lists_of,
    mean_reciprocal_rank,
    ndcg,
    preflight,
    recall,
    reciprocal_rank,
    tie_range,
)
from byhand.figures import draw_lists
from byhand.metrics import MissingQueriesWarning, NoCommonItemsWarning, hits_of_lists
from byhand.statistics import compare_values

UUIDS = [UUID(int=n) for n in range(3)]


@pytest.mark.parametrize(
    ("ranked", "relevant"),
    [
        ([1, 2, 3], {"2"}),
        (["1", "2", "3"], [2]),
        (np.array([1, 2, 3]), {"2": 1}),
        ([1, "2", 3], {np.int64(2): 1.0}),
        (UUIDS, {str(UUIDS[1])}),
    ],
)
def test_ids_of_two_types_are_one_item_as_in_tables(ranked, relevant):
    expected = evaluate({1: ["1", "2", "3"]}, {"1": ["2"]}, ["RR", "AP", "nDCG", "R"]).iloc[0]
    calls = (reciprocal_rank, average_precision, ndcg, recall)
    assert [call(ranked, relevant) for call in calls] == expected.tolist()
    assert expected.tolist() == [1 / 2, 1 / 2, 1 / log2(3), 1]
    steps = explain(ranked, relevant)
    assert steps["hit"].tolist() == [False, True, False]
    assert steps["item"].tolist() == [*ranked]
    assert steps.attrs["not found"] == []
    assert mean_reciprocal_rank([(ranked, relevant), (["x"], ["y"])]) == 1 / 4
    assert len(hits_of_lists([(ranked, relevant)], unjudged="removed").rank) == 1
    assert draw_lists({"Q": (ranked, relevant)}).get_label() == "Q: relevant at rank 2 of 3."


def test_ids_that_are_not_one():
    for other in ("02", "2.0", 2.0, True, ("2",)):
        assert reciprocal_rank([other, "b"], {2, "b"}) == 1 / 2
    with pytest.raises(DataError, match="stands at rank 1 and again at rank 2"):
        reciprocal_rank([2, "2"], {"2"})
    with pytest.raises(DataError, match="holds 2 and '2', which are one item"):
        reciprocal_rank(["2"], {2: 1, "2": 0})
    assert recall(["2"], [2, "2", 3]) == 1 / 2


# what the run calls an item, and the qrels
OF_TWO_KINDS = [("7", "0007"), ("docs/d7.txt", "d7"), ("d7#1", "d7"), (7, "7.0")]


@pytest.mark.parametrize(("of_run", "of_qrels"), OF_TWO_KINDS)
def test_a_run_without_any_item_of_the_qrels_warns_with_one_of_each(of_run, of_qrels):
    run = {f"q{n}": [of_run, "x"] for n in range(3)}
    qrels = {query: [of_qrels] for query in run}
    said = f"The run has '{of_run}', the qrels have '{of_qrels}'."
    for call in (evaluate, tie_range, chance_levels):
        with pytest.warns(NoCommonItemsWarning, match=f"^No item of the run .* {said}") as caught:
            assert (call(run, qrels, ["RR"])["RR"] == 0).all()
        assert [each.filename for each in caught] == [__file__]
    right = {query: [of_qrels] for query in run}
    with pytest.warns(NoCommonItemsWarning, match=rf"^runs\['a'\]: No item.* {said}") as caught:
        compare({"a": run, "b": right}, qrels, ["RR"])
    assert [each.filename for each in caught] == [__file__]
    assert preflight(run, qrels).problems


def test_a_run_that_finds_nothing_and_knows_the_items_is_as_it_was():
    """A judged item of another query, or one that is not relevant, shows that ids are alike."""
    assert evaluate({"p": ["b"], "q": ["a"]}, {"p": ["a"], "q": ["b"]}, "RR")["RR"].sum() == 0
    assert evaluate({"p": ["a"]}, {"p": {"a": 0, "b": 1}}, "RR")["RR"].sum() == 0


WHOLE = {1: ["a", "b"], 2: ["c", "d"], 10: ["e"]}
GOLD = {2: ["d"], 10: ["e"], 1: ["a"]}
EXPECTED = [1 / 2, 1.0, 1.0]


def in_rows(held, **more):
    rows = [(query, item, -rank) for query, of in held.items() for rank, item in enumerate(of)]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "score"]).assign(**more)


QRELS_OF = {
    "dicts": GOLD,
    "nested dicts": {query: dict.fromkeys(items, 1) for query, items in GOLD.items()},
    "frames": in_rows(GOLD, relevance=1)[["query_id", "doc_id", "relevance"]],
    "categories": in_rows(GOLD, relevance=1).astype({"query_id": "category"}),
    "objects": in_rows(GOLD, relevance=1).astype({"query_id": object}),
}


@pytest.mark.parametrize("how", QRELS_OF)
@pytest.mark.parametrize("run", [WHOLE, {str(query): items for query, items in WHOLE.items()}])
def test_ids_of_queries_come_back_as_they_came(how, run):
    qrels = QRELS_OF[how]
    qrels = qrels.drop(columns="score", errors="ignore") if how == "categories" else qrels
    values = evaluate(run, qrels, ["RR"])["RR"]
    assert values.index.tolist() == [*GOLD]
    assert values.index.name == "query_id"
    assert values.loc[10] == 1
    assert values[values.index.isin([2])].tolist() == [1 / 2]
    assert values.groupby({1: "a", 2: "b", 10: "b"}).mean().to_dict() == {"a": 1, "b": 3 / 4}
    for table in (tie_range(run, qrels), chance_levels(run, qrels)):
        assert table.index.equals(values.index)
    assert [*lists_of(run, qrels)] == [*GOLD]
    assert preflight(run, qrels).first_rows()["query_id"].tolist() == [1, 1]
    assert evaluate(run, qrels, ["RR"], queries=[2])["RR"].to_dict() == {2: 1 / 2}
    chosen = {"1": "x", "2": "y", "10": "z"}
    as_text = values.set_axis([*map(str, GOLD)]) / 2
    table = compare_values({"a": values.to_frame(), "b": as_text.to_frame()}, clusters=chosen)
    assert table["difference"].tolist() == [pytest.approx(5 / 12)]


def test_ids_of_text_of_uuids_and_of_both_kinds_come_back_as_they_came(tmp_path):
    for ids in (["q1", "q2"], UUIDS[:2], [7, "q2"], ["007", "7"], [2**63, 5]):
        found = evaluate(dict.fromkeys(ids, ["a"]), dict.fromkeys(ids, ["a"]), "RR")
        assert found.index.tolist() == ids
    path = str(tmp_path / "qrels.csv")
    in_rows(GOLD, relevance=1).drop(columns="score").to_csv(path, index=False)
    assert evaluate(WHOLE, path, "RR").index.tolist() == ["2", "10", "1"]
