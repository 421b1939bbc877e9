"""What single lessons bring: the tourist spots, the tools of 6, the t test of 8."""

import pandas as pd
from sklearn.metrics import ndcg_score

from byhand import evaluate, read_qrels, read_run
from byhand.statistics import paired_t_p
from helpers import DATA, tool_case, tool_results
from helpers.places import NOTEBOOKS
from helpers.spots import THEMES


def test_the_table_and_the_themes_are_those_of_the_document():
    spots = pd.read_csv(DATA / "spots.csv")
    assert sorted(spot for theme in THEMES.values() for spot in theme) == sorted(spots["SpotID"])
    assert set(spots["SpotID"]) == {f"S00{n}" for n in range(1, 9)}
    assert all(spots[column].is_unique for column in spots)  # no order depends on ties


def test_scikit_learn_gives_trec_evals_value_once_the_missed_items_are_appended():
    run, judged = tool_case("graded")
    rows = judged.merge(run, how="left", on=["query_id", "doc_id"])
    assert rows["score"].isna().sum() == 2
    rows["score"] = rows["score"].fillna(run["score"].min() - 1)
    value = ndcg_score([rows["relevance"].astype(int)], [rows["score"]], k=6)
    trec_eval = tool_results("graded", "nDCG@6").set_index("tool").at["trec_eval", "value"]
    assert f"{value:.4f}" == f"{trec_eval:.4f}" == "0.7850"


def test_what_lesson_8_says_of_the_t_test_comes_out():
    judged = read_qrels(DATA / "sample-qrels.csv")
    new, old = (
        evaluate(read_run(DATA / f"sample-{name}.txt.gz"), judged, ["nDCG@10"])["nDCG@10"]
        for name in ("new", "old")
    )
    few, all_of_them = paired_t_p((new - old).head(16)), paired_t_p(new - old)
    said = f"gives {few:.3f} for the 16 queries, and {all_of_them:.4f} for all 200."
    assert said in (NOTEBOOKS / "08-is-the-difference-real.ipynb").read_text(encoding="utf-8")
