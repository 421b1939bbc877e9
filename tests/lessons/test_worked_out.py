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


@pytest.mark.parametrize("measure", ["RR", "AP"])
@pytest.mark.parametrize(("document", "example"), EXAMPLES)
def test_the_fractions_come_to_the_measure(document, example, measure):
    cases = worked_example(document, example)
    steps = by_hand(cases, measure)["value"]
    for query, case in cases.items():
        assert steps[query, measure] == pytest.approx(measure_list(measure, *case), abs=1e-12)


def test_a_list_without_a_hit_has_no_steps_and_other_measures_have_none():
    nothing = {"Q3": worked_example("d4", "mrr")["Q3"]}
    for measure, step in {"AP": "(0) / 1", "RR": "0"}.items():
        assert by_hand(nothing, measure).reset_index().iloc[0].tolist() == ["Q3", measure, step, 0]
    with pytest.raises(DataError, match="RR and AP, not 'nDCG'"):
        by_hand(nothing, "nDCG")
