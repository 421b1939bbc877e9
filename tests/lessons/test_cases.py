"""What single lessons bring: the spots of 7, the tools of 6."""

import pandas as pd
import pytest
from sklearn.metrics import ndcg_score

from byhand import evaluate, read_qrels, read_run, reciprocal_rank
from helpers import (
    DATA,
    SpotsBoard,
    corrected_value,
    original_value,
    spots_table,
    tool_case,
    tool_links,
    tool_results,
    tools_by_value,
    tools_on,
)
from helpers.spots import SCORES, THEMES, spots_by

PRINTED = {
    ("original", "weighted"): ("0.5000", "0.3333", "0.4167"),
    ("original", "normalized"): ("0.2500", "0.3333", "0.2917"),
    ("corrected", "weighted"): ("1.0000", "0.5000", "0.7500"),
    ("corrected", "normalized"): ("1.0000", "0.5000", "0.7500"),
}


@pytest.mark.parametrize(("method", "score"), PRINTED)
def test_the_printed_values_come_out(method, score):
    procedure = {"original": original_value, "corrected": corrected_value}[method]
    values = [procedure(spots_by(SCORES[score]), theme) for theme in THEMES]
    assert tuple(f"{value:.4f}" for value in [*values, sum(values) / 2]) == PRINTED[method, score]


def test_the_table_and_the_themes_are_those_of_the_document():
    spots = pd.read_csv(DATA / "spots.csv")
    assert list(spots) == ["SpotID", "Check", *SCORES.values()]
    assert list(SCORES) == ["weighted", "normalized"]
    assert sorted(spot for theme in THEMES.values() for spot in theme) == sorted(spots["SpotID"])
    assert set(spots["SpotID"]) == {f"S00{n}" for n in range(1, 9)}
    assert THEMES["steins"] == ("S001", "S002", "S003", "S004")
    assert all(spots[column].is_unique for column in spots)  # no order depends on ties


def first_rank(order, theme):
    return min(order.index(spot) + 1 for spot in theme)


def test_a_procedure_gets_each_order_and_theme():
    table = spots_table(first_rank, reciprocal_rank)
    assert table.loc[("weighted", "first_rank")].tolist() == [1, 2, 1.5]
    assert table.loc[("normalized", "reciprocal_rank")].tolist() == [1, 0.5, 0.75]
    assert len(table) == 4


def test_the_board_follows_its_list_and_says_so():
    board = SpotsBoard(first_rank)
    status = board.children[0]
    assert board.ranks.catalogue.labels["S001"] == "S001 · Steins;Gate · 412 visits"
    assert "1.5000" in status.value
    board.ranks.rearrange([*THEMES["love"], *THEMES["steins"]])
    assert board.values.loc["first_rank"].tolist() == [5, 1, 3]
    assert "3.0000" in status.value
    assert "1.5000" not in status.value
    assert 'role="status"' in status.value
    assert repr(board) == "SpotsBoard(first_rank: average 3.0000)"


OLD = read_run(DATA / "sample-old.txt.gz"), read_qrels(DATA / "sample-qrels.csv")


def test_every_number_of_a_tool_is_in_the_table():
    table = tools_by_value("graded", "nDCG@6").set_index("value")["tools"]
    for row in tool_results("graded", "nDCG@6").dropna(subset="value").itertuples():
        assert row.tool in table[round(row.value, 4)].split(", ")
    assert table.index.is_monotonic_increasing


def test_only_a_tool_of_several_functions_has_their_names():
    tools = ", ".join(tools_by_value("deep", "AP@10")["tools"])
    assert {"recommenders (map)", "recommenders (map_at_k)"} <= {*tools.split(", ")}
    assert tools.count("(") == 2


def test_a_call_that_failed_is_passed_over():
    calls = tool_results("missing", "RR").set_index("tool").loc["ranx"]
    assert calls["value"].isna().tolist() == [True, False]
    both = tools_on({case: (case, "RR") for case in ("no-relevant", "missing")})
    assert both.loc["ranx"].tolist() == [0.25, 0.25]
    assert both.loc["cornac"].isna().tolist() == [False, True]
    assert "recmetrics" not in both.index  # it has no RR


def test_a_tool_called_in_another_way_has_a_second_row_and_leads_to_the_same_place():
    table = tools_on({"AP": ("deep", "AP@10"), "nDCG": ("tied-one", "nDCG")})
    assert table.loc["recommenders"].tolist() == [0.05, 0.5]
    assert table.loc["recommenders (2)"].tolist() == [0.1, 0.5]
    links = tool_links(table.index, "record.html")
    assert links["recommenders (2)"] == '<a href="record.html#recommenders">recommenders (2)</a>'
    assert links["trec_eval -c"] == '<a href="record.html#trec_eval-c">trec_eval -c</a>'
    assert tool_links(["trec_eval -c"])["trec_eval -c"].startswith('<a id="trec_eval-c" ')


def test_trec_eval_and_what_runs_its_code_change_with_the_name_of_an_item():
    table = tools_on({case: (case, "nDCG") for case in ("tied-one", "tied-one-renamed")})
    changed = table.index[table["tied-one"] != table["tied-one-renamed"]]
    assert set(changed) == {"trec_eval", "trec_eval -c", "pytrec_eval", "ir_measures", "mteb"}


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
