"""What public reports ask of data in memory: each rule with its right value."""

from math import log2
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from refused import message_of

from byhand import (
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
from byhand.metrics import NoCommonItemsWarning

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


def test_ids_that_are_not_one():
    for other in ("02", "2.0", 2.0, True, ("2",)):
        assert reciprocal_rank([other, "b"], {2, "b"}) == 1 / 2
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


QRELS_OF = {
    "dicts": GOLD,
    "nested dicts": {query: dict.fromkeys(items, 1) for query, items in GOLD.items()},
    "frames": pd.DataFrame({"query_id": [*GOLD], "doc_id": [*"dea"], "relevance": 1}),
}
QRELS_OF |= {kind: QRELS_OF["frames"].astype({"query_id": kind}) for kind in ("category", "object")}


@pytest.mark.parametrize("how", QRELS_OF)
@pytest.mark.parametrize("run", [WHOLE, {str(query): items for query, items in WHOLE.items()}])
def test_ids_of_queries_come_back_as_they_came(how, run):
    qrels = QRELS_OF[how]
    values = evaluate(run, qrels, ["RR"])["RR"]
    assert values.index.tolist() == [*GOLD]
    assert values.index.name == "query_id"
    assert values.loc[10] == 1
    for table in (tie_range(run, qrels), chance_levels(run, qrels)):
        assert table.index.equals(values.index)
    assert [*lists_of(run, qrels)] == [*GOLD]
    assert preflight(run, qrels).first_rows()["query_id"].tolist() == [1, 1]
    assert evaluate(run, qrels, ["RR"], queries=[2])["RR"].to_dict() == {2: 1 / 2}


def test_ids_of_text_of_uuids_and_of_both_kinds_come_back_as_they_came(tmp_path):
    for ids in (["q1", "q2"], UUIDS[:2], [7, "q2"], ["007", "7"], [2**63, 5]):
        held = {query: ["a"] for query in ids}
        assert evaluate(held, held.copy(), "RR").index.tolist() == ids
    QRELS_OF["frames"].to_csv(tmp_path / "qrels.csv", index=False)
    assert evaluate(WHOLE, tmp_path / "qrels.csv", "RR").index.tolist() == ["2", "10", "1"]


TOP = pd.DataFrame({"user_id": "u", "item_id": ["a", "b", "c"], "score": [3.0, 2.0, 1.0]})
MERGED = TOP.assign(relevance=[np.nan, 1, np.nan])
BLANKS = {
    "NaN": MERGED,
    "None": MERGED.astype(object).where(MERGED.notna(), None),
    "NA": MERGED.astype({"relevance": "Int64"}),
    "blank": MERGED.astype({"relevance": object}).fillna({"relevance": ""}),
    "Arrow": pa.Table.from_pandas(MERGED, preserve_index=False),
    "NaN of Arrow": pa.table({name: pa.array(each.to_numpy()) for name, each in MERGED.items()}),
}


@pytest.mark.parametrize("blank", BLANKS)
def test_a_missing_grade_of_a_judged_table_means_not_judged(blank):
    table = BLANKS[blank]
    found = evaluate(table, table, ["RR", "Judged@10", "AP"])
    assert found.iloc[0].tolist() == [1 / 2, 1 / 3, 1 / 2]
    table = compare({"a": table, "b": table}, table, ["RR"])
    assert table[["mean_a", "mean_b"]].iloc[0].tolist() == [1 / 2, 1 / 2]


EMPTY = [{}, [], (), np.array([])]


@pytest.mark.missing_queries
@pytest.mark.parametrize("empty", EMPTY, ids=str)
def test_an_empty_result_list_counts_0_alone_and_beside_others(empty):
    qrels = {"q1": {"a": 1}}
    alone = evaluate({"q1": empty}, qrels, ["RR", "nDCG@5", "P@5"])
    assert alone.to_numpy().tolist() == [[0, 0, 0]]
    beside = evaluate({"q1": empty, "q2": ["a"]}, qrels | {"q2": ["a"]}, ["RR"])["RR"]
    assert beside.to_dict() == {"q1": 0, "q2": 1}
    frame = pd.DataFrame({"query_id": ["q1"], "doc_ids": [[*empty]]})
    assert evaluate(frame, qrels, "RR")["RR"].to_dict() == {"q1": 0}
    assert preflight({"q1": empty}, qrels).problems


def test_an_empty_gold_list_is_taken_and_judges_a_query():
    run, gold = {"q1": ["x", "a"], "q3": ["c"]}, {"q3": [], "q1": ["a"]}
    assert [*evaluate(run, gold, "RR")["RR"].items()] == [("q3", 0), ("q1", 1 / 2)]
    assert evaluate(run, {"q3": []}, "RR")["RR"].to_dict() == {"q3": 0}


MIXED = [(1, 2.5), (2**53 - 2, 2**53 - 1), (0.5, 2), (True, 0.5), (np.float32(1.5), 1)]


@pytest.mark.parametrize("scores", MIXED, ids=str)
def test_numbers_of_dicts_stay_exact(scores):
    low, high = sorted(scores)
    found = tie_range({"q": {"a": low, "b": high}, "r": {"c": 0.25}}, {"q": ["a"], "r": ["c"]})
    assert found["RR"].tolist() == [1 / 2, 1]
    assert not found["tied"].any() or isinstance(low, int)


RANKER = pd.DataFrame(
    {"group": [1, 1, 1, 1, 2], "y_true": [0, 1, 2, 3, 1], "y_pred": [0.1, 0.2, 0.3, 0.2, 0.9]}
)
RANKERS = {
    "LightGBM": (RANKER, {}),
    "XGBoost": (RANKER.set_axis(["qid", "label", "pred"], axis=1), {}),
    "with features": (RANKER.assign(f1=0.5, f2=[3, 1, 4, 1, 5]), {}),
    "own names": (
        RANKER.set_axis(["g", "t", "p"], axis=1),
        {"run_columns": {"g": "query_id", "t": "relevance", "p": "score"}},
    ),
}


@pytest.mark.parametrize("case", RANKERS)
def test_each_row_of_a_learned_ranker_without_ids_is_an_item(case):
    table, options = RANKERS[case]
    found = evaluate(table, table, ["nDCG@3"], conventions="lightgbm", **options)["nDCG@3"]
    # by score: grade 2, then a tie (1, 3) in the order of the rows, then 0; gains 2^grade - 1
    dcg, ideal = 3 + 1 / log2(3) + 7 / 2, 7 + 3 / log2(3) + 1 / 2
    assert found.to_dict() == {1: pytest.approx(dcg / ideal, abs=1e-15), 2: 1}
    named = RANKER.set_axis(["query_id", "relevance", "score"], axis=1)
    named["doc_id"] = [f"d{row}" for row in range(len(named))]
    apart = evaluate(named, named, ["nDCG@3"], conventions="lightgbm")["nDCG@3"]
    pd.testing.assert_series_equal(found, apart)


PASTED = [
    pd.DataFrame({"question": ["q1"], "retrieved": [["x", "a"]], "gold": [["a"]]}),
    TOP.assign(relevance=[0, 1, 0]).rename(columns={"item_id": "Kante", "score": "Wert"}),
]


@pytest.mark.parametrize("table", PASTED)
def test_the_columns_that_are_offered_can_be_pasted(table):
    pasted = message_of(evaluate, table, table).rpartition("pass ")[2][:-1]
    found = eval(f"evaluate(table, table, 'RR', {pasted})", {"evaluate": evaluate} | locals())
    assert found["RR"].tolist() == [1 / 2]
