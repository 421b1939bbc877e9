"""The tables of lesson 6: what the tools gave, and what one of them gives now."""

import numpy as np
from sklearn.metrics import ndcg_score

from byhand import evaluate, read_qrels, read_run
from helpers import tool_case, tool_results, tools_by_value, tools_on
from helpers.places import DATA

OLD = read_run(DATA / "sample-old.txt.gz"), read_qrels(DATA / "sample-qrels.csv")


def test_every_number_of_a_tool_is_in_the_table():
    table = tools_by_value("graded", "nDCG@6").set_index("value")["tools"]
    for row in tool_results("graded", "nDCG@6").dropna(subset="value").itertuples():
        assert row.tool in table[round(row.value, 4)].split(", ")
    assert table.index.is_monotonic_increasing


def test_only_a_tool_of_several_functions_has_their_names():
    tools = ", ".join(tools_by_value("deep", "AP@10")["tools"])
    assert "recommenders (map), recommenders (map_at_k)" in tools
    assert tools.count("(") == 2


def test_a_call_that_failed_is_passed_over():
    calls = tool_results("missing", "RR").set_index("tool").loc["ranx"]
    assert calls["value"].isna().tolist() == [True, False]
    assert tools_on(["no-relevant", "missing"], "RR").loc["ranx"].tolist() == [0.25, 0.25]


def test_a_tool_without_a_number_for_each_case_is_left_out():
    table = tools_on(["no-relevant", "missing"], "RR")
    assert "cornac" in set(tool_results("no-relevant", "RR").dropna(subset="value")["tool"])
    assert "cornac" not in table.index
    assert table.notna().all(axis=None)


def test_scikit_learn_itself_gives_what_lesson_6_says_of_it():
    run, judged = OLD
    rows = run.merge(judged, how="left", on=["query_id", "doc_id"]).fillna({"relevance": 0})
    own = [
        ndcg_score([query["relevance"]], [query["score"]], k=10)
        for _, query in rows.groupby("query_id")
    ]
    ours = evaluate(run, judged, ["nDCG@10"], conventions="sklearn")["nDCG@10"]
    assert np.isclose(np.mean(own), ours.mean(), atol=1e-12)
    assert f"{ours.mean():.4f}" == "0.3065"


def test_scikit_learn_gives_trec_evals_value_once_the_missed_items_are_appended():
    run, judged = tool_case("graded")
    rows = judged.merge(run, how="left", on=["query_id", "doc_id"])
    assert rows["score"].isna().sum() == 2
    rows["score"] = rows["score"].fillna(run["score"].min() - 1)
    value = ndcg_score([rows["relevance"].astype(int)], [rows["score"]], k=6)
    trec_eval = tool_results("graded", "nDCG@6").set_index("tool").at["trec_eval", "value"]
    assert f"{value:.4f}" == f"{trec_eval:.4f}" == "0.7850"


def test_recommenders_skips_five_queries_of_the_old_search():
    frame = evaluate(*OLD, ["nDCG@10"], conventions="recommenders")
    assert (len(frame), frame.attrs["averaged"]) == (200, 195)
