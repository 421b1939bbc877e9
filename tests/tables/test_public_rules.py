"""What public reports ask of data in memory: each rule with its right value."""

from math import log2
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from byhand import (
    chance_levels,
    compare,
    evaluate,
    explain,
    lists_of,
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
        (("x", "a"), {"a": True, "x": False}),
        (np.array(["x", "a"]), np.array(["a"])),
        (pd.Series(["x", "a"]), frozenset("a")),
        (iter(["x", "a"]), iter(["a"])),
        (pd.Index(["x", "a"]), dict.fromkeys("a", 1).keys()),
        (range(1, 3), [2, 2]),
        ([7, 2], [2, 2]),  # as many numbers, and no labels
        ([3, 1, 2], [1, 8, 9]),
        ([("x", 1), ("a", 1)], {("a", 1)}),
        # ids compare as text
        ([1, 2, 3], {"2"}),
        (["1", "2", "3"], [2]),
        (np.array([1, 2, 3]), {"2": 1}),
        ([1, "2", 3], {np.int64(2): 1.0}),
        (UUIDS, {str(UUIDS[1])}),
        *(([other, "b"], {2, "b"}) for other in ("02", "2.0", 2.0, True, ("2",))),
    ],
)
def test_any_sequence_and_any_set_will_do(ranked, relevant):
    assert reciprocal_rank(ranked, relevant) == 1 / 2


def test_items_are_shown_as_they_are_written_in_the_list():
    steps = explain([1, 2, 3], {"2"})
    assert steps["item"].tolist() == [1, 2, 3]
    assert steps["hit"].tolist() == [False, True, False]
    assert steps.attrs["not found"] == []
    assert recall(["2"], [2, "2", 3]) == 1 / 2


# what the run calls an item, and the qrels
OF_TWO_KINDS = [("7", "0007"), ("docs/d7.txt", "d7"), ("d7#1", "d7"), (7, "7.0")]


@pytest.mark.parametrize(("of_run", "of_qrels"), OF_TWO_KINDS)
def test_a_run_without_any_item_of_the_qrels_warns_with_one_of_each(of_run, of_qrels):
    run, qrels = ({f"q{n}": [item] for n in range(3)} for item in (of_run, of_qrels))
    said = f"No item of the run .* The run has '{of_run}', the qrels have '{of_qrels}'."
    for call in (evaluate, tie_range, chance_levels):
        with pytest.warns(NoCommonItemsWarning, match=f"^{said}") as caught:
            call(run, qrels, ["RR"])
        assert [each.filename for each in caught] == [__file__]
    with pytest.warns(NoCommonItemsWarning, match=rf"^runs\['a'\]: {said}") as caught:
        compare({"a": run, "b": qrels}, qrels, ["RR"])
    assert [each.filename for each in caught] == [__file__]
    assert preflight(run, qrels).problems


def test_a_run_that_finds_nothing_and_knows_the_items_is_as_it_was():
    """A judged item of another query, or one that is not relevant, shows that ids are alike."""
    assert evaluate({"p": ["b"], "q": ["a"]}, {"p": ["a"], "q": ["b"]}, "RR")["RR"].sum() == 0
    assert evaluate({"p": ["a"]}, {"p": {"a": 0, "b": 1}}, "RR")["RR"].sum() == 0


GOLD = pd.DataFrame({"query_id": [2, 10, 1], "doc_id": [*"dea"], "relevance": 1})
QRELS_OF = {
    "dicts": {2: ["d"], 10: ["e"], 1: ["a"]},
    "nested dicts": {2: {"d": 1}, 10: {"e": 1}, 1: {"a": 1}},
    **{kind: GOLD.astype({"query_id": kind}) for kind in ("int64", "category", "object")},
}


@pytest.mark.parametrize("how", QRELS_OF)
@pytest.mark.parametrize("kind", [int, str])
def test_ids_of_queries_come_back_as_they_came(how, kind):
    run, qrels = {kind(1): ["a", "b"], kind(2): ["c", "d"], kind(10): ["e"]}, QRELS_OF[how]
    values = evaluate(run, qrels, ["RR"])["RR"]
    assert [*values.items()] == [(2, 1 / 2), (10, 1), (1, 1)]
    assert values.index.name == "query_id"
    for table in (tie_range(run, qrels), chance_levels(run, qrels)):
        assert table.index.equals(values.index)
    assert [*lists_of(run, qrels)] == [2, 10, 1]
    assert preflight(run, qrels).first_rows()["query_id"].tolist() == [1, 1]
    assert evaluate(run, qrels, ["RR"], queries=[2])["RR"].to_dict() == {2: 1 / 2}


@pytest.mark.parametrize(
    "ids", [["q1", "q2"], UUIDS[:2], [7, "q2"], ["007", "7"], [2**63, 5]], ids=str
)
def test_ids_of_text_of_uuids_and_of_both_kinds_come_back_as_they_came(ids):
    held = {query: ["a"] for query in ids}
    assert evaluate(held, held.copy(), "RR").index.tolist() == ids


MERGED = pd.DataFrame({"user_id": "u", "item_id": [*"abc"], "score": [3.0, 2.0, 1.0]})
MERGED["relevance"] = [np.nan, 1, np.nan]
BLANKS = {
    "NaN": MERGED,
    "None": MERGED.astype(object).where(MERGED.notna(), None),
    "NA": MERGED.astype({"relevance": "Int64"}),
    "blank": MERGED.astype({"relevance": object}).fillna({"relevance": ""}),
    "Arrow": pa.Table.from_pandas(MERGED, preserve_index=False),
    "NaN of Arrow": pa.table({name: pa.array(each.to_numpy()) for name, each in MERGED.items()}),
    "in a list": pa.table(
        {"user_id": ["u"], "item_ids": [[*"abc"]], "score": [[3, 2, 1]], "grade": [[None, 1, None]]}
    ),
}


@pytest.mark.parametrize("blank", BLANKS)
def test_a_missing_grade_of_a_judged_table_means_not_judged(blank):
    table = BLANKS[blank]
    found = evaluate(table, table, ["RR", "Judged@10", "AP"])
    assert found.iloc[0].tolist() == [1 / 2, 1 / 3, 1 / 2]


@pytest.mark.missing_queries
@pytest.mark.parametrize("empty", [{}, [], (), np.array([])], ids=str)
def test_an_empty_result_list_counts_0_alone_and_beside_others(empty):
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    alone = evaluate({"q1": empty}, {"q1": ["a"]}, ["RR", "nDCG@5", "P@5"])
    assert alone.to_numpy().tolist() == [[0, 0, 0]]
    frame = pd.DataFrame({"query_id": ["q1", "q2"], "doc_ids": [[*empty], ["a"]]})
    for run in ({"q1": empty, "q2": ["a"]}, frame):
        assert evaluate(run, qrels, ["RR"])["RR"].to_dict() == {"q1": 0, "q2": 1}
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


def test_the_query_itself_is_left_out_and_ranks_close_up():
    # each list begins with the query itself, as in ArguAna; two of three are judged
    run = {n: {n: 9.0, f"b{n}": 8.0, f"c{n}": 7.0} for n in range(40)}
    qrels = {n: {f"b{n}": 1, f"c{n}": 0} for n in range(40)}
    names = ["nDCG@10", "RR", "Judged@10", "P"]
    expected = [1 / log2(3), 1 / 2, 2 / 3, 1 / 3]
    assert evaluate(run, qrels, names).mean().tolist() == pytest.approx(expected)
    assert evaluate(run, qrels, names, drop_self=True).mean().tolist() == [1, 1, 1, 1 / 2]
    # 1 of 2 items at random: (1 + 1/2) / 2
    assert chance_levels(run, qrels, "RR", drop_self=True)["RR chance"].mean() == 3 / 4
    assert lists_of(run, qrels, drop_self=True)[0][0] == ["b0", "c0"]
    assert "In 40 of 40 lists the first item is the query itself" in repr(preflight(run, qrels))
    assert "itself" not in repr(preflight(run, qrels, drop_self=True))


def test_numbers_that_meet_by_accident_are_no_query_itself():
    # half of the lists, and not more
    run = {f"{i}": [f"{i if i % 2 else i + 1}", "x"] for i in range(10)}
    assert "itself" not in repr(preflight(run, {f"{i}": ["x"] for i in range(10)}))


@pytest.mark.missing_queries
def test_a_list_of_nothing_but_the_query_is_empty():
    found = evaluate({"p": ["p"], "q": ["a"]}, {"p": ["a"], "q": ["a"]}, "RR", drop_self=True)
    assert found["RR"].tolist() == [0, 1]
