"""The query itself in its own list: preflight says so, and `drop_self` leaves it out."""

import numpy as np
import pandas as pd
import pytest
from lazy_cases import in_duckdb

from byhand import chance_levels, evaluate, lists_of, preflight, tie_range

# each list begins with the query itself, as in ArguAna; the relevant item is next
RUN = {f"a{i}": {f"a{i}": 9.0, f"b{i}": 8.0, f"c{i}": 7.0} for i in range(40)}
QRELS = {f"a{i}": {f"b{i}": 1, f"c{i}": 0} for i in range(40)}


def flat(nested, number):
    rows = [(q, d, n) for q, items in nested.items() for d, n in items.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", number])


def test_the_query_itself_is_left_out_and_ranks_close_up():
    names = ["nDCG@10", "RR", "Judged@10", "P"]
    # the relevant item is second of three, two of them judged
    assert evaluate(RUN, QRELS, names).mean().tolist() == pytest.approx(
        [1 / np.log2(3), 1 / 2, 2 / 3, 1 / 3]
    )
    assert evaluate(RUN, QRELS, names, drop_self=True).mean().tolist() == [1, 1, 1, 1 / 2]
    # 1 of 2 items at random: (1 + 1/2) / 2
    assert chance_levels(RUN, QRELS, "RR", drop_self=True)["RR chance"].mean() == 3 / 4
    assert lists_of(RUN, QRELS, drop_self=True)["a0"][0] == ["b0", "c0"]


def test_ties_with_the_query_itself_are_left_out():
    run, qrels = {"q": {"q": 1.0, "a": 1.0, "b": 1.0}}, {"q": ["a"]}
    assert tie_range(run, qrels, "RR").loc["q", "RR worst"] == 1 / 3
    found = tie_range(run, qrels, "RR", drop_self=True).loc["q"]
    assert (found["RR worst"], found["RR best"]) == (1 / 2, 1)


@pytest.mark.parametrize("kind", ["frame", "one table", "file", "whole numbers", "relation"])
def test_the_query_itself_in_any_table(kind, tmp_path):
    run, qrels = flat(RUN, "score"), flat(QRELS, "relevance")
    if kind == "one table":
        run = qrels = run.merge(qrels, how="left").fillna({"relevance": 0})
    elif kind == "file":
        run.to_csv(tmp_path / "run.csv", index=False)
        run = str(tmp_path / "run.csv")
    elif kind == "whole numbers":
        numbers = {text: n for n, text in enumerate(run["doc_id"].unique())}
        run, qrels = (
            table.assign(**{name: table[name].map(numbers) for name in ("query_id", "doc_id")})
            for table in (run, qrels)
        )
    elif kind == "relation":
        run = in_duckdb(run)
    assert evaluate(run, qrels, ["RR", "P"]).mean().tolist() == [1 / 2, 1 / 3]
    assert evaluate(run, qrels, ["RR", "P"], drop_self=True).mean().tolist() == [1, 1 / 2]
    assert len(preflight(run, qrels).counts.itself) == 40
    assert preflight(run, qrels, drop_self=True).counts.itself == ()


def test_numbers_that_meet_by_accident_are_no_query_itself():
    # half of the lists, and not more
    run = {f"{i}": [f"{i if i % 2 else i + 1}", "x"] for i in range(10)}
    found = preflight(run, {f"{i}": ["x"] for i in range(10)})
    assert len(found.counts.itself) == 5
    assert not any("itself" in note for note in found.notes)


@pytest.mark.missing_queries
def test_a_list_of_nothing_but_the_query_is_empty():
    found = evaluate({"p": ["p"], "q": ["a"]}, {"p": ["a"], "q": ["a"]}, "RR", drop_self=True)
    assert found["RR"].tolist() == [0, 1]
