"""Worked examples as tables: the fractions behind each value, and what the documents print."""

import pandas as pd
import pytest

from byhand import DataError, measure_list
from helpers import DATA, by_hand, printed_beside, worked_example

RECORD = pd.read_csv(DATA / "documented-values.csv", dtype=str, keep_default_na=False)
PRINTED = RECORD[RECORD["example"] != ""]
EXAMPLES = [*PRINTED[["document", "example"]].drop_duplicates().itertuples(index=False, name=None)]


@pytest.mark.parametrize(("document", "example"), EXAMPLES)
def test_every_printed_value_stands_beside_what_comes_out(document, example):
    held = PRINTED[(PRINTED["document"] == document) & (PRINTED["example"] == example)]
    for measure, of_measure in held.groupby("measure"):
        frame = printed_beside(document, example, measure)
        assert [*frame.columns] == [measure, "printed", "✓"]
        lists = [*worked_example(document, example)]
        assert [*frame.index][: len(lists)] == lists
        stated = dict(zip(of_measure["list"], of_measure["documented"], strict=False))
        assert len(frame) == len(lists) + ("" in stated)
        for query, text in stated.items():
            row = frame.loc[query] if query else frame.iloc[-1]
            assert row["printed"] == text
            assert row["✓"] == {"0.7333": "✗", "0.8334": "≈"}.get(text, "✓")


def test_several_measures_share_their_mean():
    frame = printed_beside("pt", "table", ["RR", "nDCG"])
    assert [*frame.columns] == ["RR", "printed", "✓", "nDCG", "printed", "✓"]
    assert frame.iloc[2].tolist() == ["1", "1", "✓", "0.877215", "0.877215", "✓"]
    assert frame.loc["mean"].tolist() == ["1", "1", "✓", "0.932312", "–", ""]
    assert printed_beside("tracin", "map", "AP").index[-1] == "MAP"
    assert printed_beside("pt", "mrr", "RR")["printed"].tolist() == ["–"] * 3


@pytest.mark.parametrize("measure", ["RR", "AP"])
@pytest.mark.parametrize(("document", "example"), EXAMPLES)
def test_the_fractions_come_to_the_measure(document, example, measure):
    cases = worked_example(document, example)
    steps = by_hand(cases, measure)["value"]
    for query, case in cases.items():
        assert steps[query, measure] == pytest.approx(measure_list(measure, *case), abs=1e-12)


def test_the_steps_of_a_list():
    frame = by_hand(worked_example("tracin", "map"), "AP").reset_index()
    assert frame.iloc[3].tolist() == ["triple 1", "AP", "(1/2 + 2/4 + 3/6) / 3", 0.5]
    assert frame.iloc[5].tolist() == ["triple 2", "precision at rank 3", "2/3", 2 / 3]
    nothing = {"Q3": worked_example("d4", "mrr")["Q3"]}
    assert by_hand(nothing, "AP").reset_index().iloc[0].tolist() == ["Q3", "AP", "(0) / 1", 0]
    assert by_hand(nothing, "RR").reset_index().iloc[0].tolist() == ["Q3", "RR", "0", 0]
    with pytest.raises(DataError, match="RR and AP, not 'nDCG'"):
        by_hand(nothing, "nDCG")


def test_the_spots_are_lists_of_both_procedures():
    inside = worked_example("spots", "weighted inside")
    assert inside["Steins;Gate"] == (["S003", "S001", "S004", "S002"], {"S001": 1})
    among = worked_example("spots", "normalized")["LoveLive"]
    assert sorted(among.ranked) == [f"S00{n}" for n in range(1, 9)]
    assert {*among.relevant} == {"S005", "S006", "S007", "S008"}
