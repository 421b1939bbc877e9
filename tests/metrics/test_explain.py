"""The step table: each column by hand, and shares that add up to the measures."""

from math import log2

import pytest

from byhand import PRESETS, explain, measure_list
from byhand.metrics.measures import MEASURES

RANKED, GRADES = ["x", "a", "b", "y", "c"], {"a": 1, "c": 3, "b": 0, "d": 2}


def test_every_column_by_hand():
    steps = explain(RANKED, GRADES)
    ideal = 3 + 2 / log2(3) + 1 / 2
    at_2, at_5 = 1 / log2(3), 1 / log2(6)
    expected = {
        "rank": [1, 2, 3, 4, 5],
        "item": RANKED,
        "grade": [0, 1, 0, 0, 3],
        "hit": [False, True, False, False, True],
        "hits so far": [0, 1, 1, 1, 2],
        "precision": [0, 1 / 2, 1 / 3, 1 / 4, 2 / 5],
        "share of RR": [0, 1 / 2, 0, 0, 0],
        "share of AP": [0, 1 / 2 / 3, 0, 0, 2 / 5 / 3],
        "discount": [1, at_2, 1 / 2, 1 / log2(5), at_5],
        "gain": [0, 1, 0, 0, 3],
        "share of DCG": [0, at_2, 0, 0, 3 * at_5],
        "share of nDCG": [0, at_2 / ideal, 0, 0, 3 * at_5 / ideal],
    }
    assert steps.columns.tolist() == list(expected)
    for column, values in expected.items():
        wanted = values if column == "item" else pytest.approx(values, abs=1e-15)
        assert steps[column].tolist() == wanted, column


@pytest.mark.parametrize(
    ("ranked", "relevant", "k", "items", "n_relevant", "lost"),
    [
        (RANKED, GRADES, 2, ["x", "a"], 3, ["c", "d"]),
        (["a"], ["z", "a", "m"], None, ["a"], 3, ["z", "m"]),  # in their order
        (["x"], {*"dbacfe"}, None, ["x"], 6, [*"abcdef"]),  # a set has none
        (iter(RANKED), iter(["a", "d"]), None, RANKED, 2, ["d"]),  # generators are read once
        ([("a", 1), ("b", 2)], [("b", 2)], None, [("a", 1), ("b", 2)], 1, []),
    ],
)
def test_rows_end_at_the_cutoff_and_what_was_not_found_is_named(
    ranked, relevant, k, items, n_relevant, lost
):
    steps = explain(ranked, relevant, k=k)
    assert steps["item"].tolist() == items
    assert steps.attrs["relevant"] == n_relevant
    assert steps.attrs["not found"] == lost
    assert steps["hit"].sum() == n_relevant - len(lost)


@pytest.mark.parametrize("k", [None, 1, 3])
def test_shares_add_up_to_every_measure_under_every_preset(k):
    ranked, grades = ["x", "a", "b", "y", "c"], {"a": 1, "b": 3, "c": 2, "missed": 2}
    measures = [*MEASURES, "RR(rel=2)", "AP(rel=3)", "nDCG(dcg='exp-log2')"]
    for preset in PRESETS:
        if PRESETS[preset].choices.ties == "expected":
            continue
        steps = explain(ranked, grades, k=k, measures=measures, conventions=preset)
        for name in measures:
            measure = name if k is None else f"{name}@{k}"
            expected = measure_list(measure, ranked, grades, conventions=preset)
            assert steps[f"share of {name}"].sum() == pytest.approx(expected, abs=1e-12), preset


def test_each_gain_has_its_column():
    ranked, grades = ["a", "b"], {"a": 1, "b": 2}
    measures = ["DCG(dcg='exp-log2')", "DCG", "nDCG"]
    steps = explain(ranked, grades, measures=measures)
    assert steps["gain"].tolist() == [1, 3]
    assert steps["gain (linear)"].tolist() == [1, 2]
    for gain, name in {"gain": measures[0], "gain (linear)": "DCG"}.items():
        assert (steps[gain] * steps["discount"]).tolist() == steps[f"share of {name}"].tolist()
    assert [name for name in steps if "gain" in name] == ["gain", "gain (linear)"]
    by_preset = explain(ranked, grades, measures=["DCG", "nDCG"], conventions="recommenders")
    assert by_preset["gain"].tolist() == [1, 2]
    assert by_preset["gain (binary)"].tolist() == [1, 1]
