"""What lesson 9 says of the Cranfield files, and what losing judgements does to a verdict."""

import numpy as np
import pandas as pd
import pytest

from byhand import chance, read_run
from helpers import check
from helpers.places import DATA


@pytest.fixture(scope="module")
def runs() -> dict[str, pd.DataFrame]:
    return {name: read_run(DATA / f"cranfield-{name}.txt.gz") for name in ("bm25", "tfidf")}


@pytest.fixture(scope="module")
def judged() -> pd.DataFrame:
    return pd.read_csv(DATA / "cranfield-qrels.csv", dtype={"query_id": str, "doc_id": str})


def test_what_lesson_9_says_of_the_codes(judged):
    a_question = {code: f"{n / 225:.1f}" for code, n in judged["code"].value_counts().items()}
    assert [a_question[code] for code in (3, 4, 2, 1)] == ["3.3", "1.6", "1.7", "0.6"]
    assert f"{902 / 279:.1f} {427 / 279:.1f}" == "3.2 1.5"  # of the report of 1966
    assert chance(1400, 1, "Success@10") == pytest.approx(0.007, abs=0.0002)
    minus = judged.loc[judged["code"] == -1, "doc_id"]
    beside = minus.eq(minus.shift()) | minus.eq(minus.shift(-1))
    assert (minus.nunique(), int(beside.sum())) == (128, 137)


def test_twenty_lost_judgements_make_bm25_win_and_fifteen_do_not(runs, judged):
    """Those that tip nDCG@10 of a question most, as the exercise of lesson 9 says."""
    ranks = [
        run.assign(**{name: run.groupby("query_id").cumcount() + 1}).drop(columns="score")
        for name, run in runs.items()
    ]
    hits = judged[judged["relevance"] > 0]
    for each in ranks:
        hits = hits.merge(each, how="left", on=["query_id", "doc_id"])
    adds = {name: (1 / np.log2(hits[name] + 1)).where(hits[name] <= 10, 0) for name in runs}
    best = hits.sort_values("relevance", ascending=False, kind="stable")
    rank = best.groupby("query_id").cumcount() + 1
    ideal = (best["relevance"] / np.log2(rank + 1)).where(rank <= 10, 0)
    ideal = ideal.groupby(best["query_id"]).sum()
    tips = (adds["tfidf"] - adds["bm25"]) * hits["relevance"] / hits["query_id"].map(ideal)
    ordered = hits.assign(tips=tips).sort_values("tips", ascending=False, kind="stable")
    assert repr(check("09-open", ordered.head(20))).startswith("Right: 20 of 1,612 are gone")
    said = repr(check("09-open", ordered.head(15)))
    assert said.startswith("Not yet. The difference is +0.012 (-0.004 to +0.028): inconclusive")
    assert "You may lose at most 60" in repr(check("09-open", ordered.head(61)))
    assert "Only 0 of these 1 judge" in repr(check("09-open", judged[judged["code"] == -1].head(1)))
