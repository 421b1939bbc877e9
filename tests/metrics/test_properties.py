"""What holds for every list: properties that Hypothesis tries to break."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from byhand import Conventions, measure_list

MEASURES = ["RR", "AP", "nDCG", "DCG", "ERR(max_rel=10)", "RBP", "P", "R", "Success"]
MEASURES += [f"{name}@{k}" for name in MEASURES for k in (1, 3)]
MEASURES += ["AP(rel=2)", "RR(rel=2)@3", "nDCG(dcg='exp-log2')", "nDCG(dcg='exp-log2')@3"]

items = st.sampled_from([*"abcdefgh", "10", "9", "é", "doc"])
rankings = st.lists(items, unique=True, max_size=10)
grades = st.dictionaries(items, st.integers(-1, 3), max_size=8)
conventions = st.builds(
    Conventions,
    denominator=st.sampled_from(["relevant", "capped", "retrieved"]),
    gain=st.sampled_from(["linear", "exponential"]),
    ideal=st.sampled_from(["judged", "retrieved"]),
)


def values(ranked, relevant, chosen):
    return {name: measure_list(name, ranked, relevant, conventions=chosen) for name in MEASURES}


@given(rankings, grades, conventions)
def test_every_measure_but_dcg_lies_between_0_and_1(ranked, relevant, chosen):
    for name, value in values(ranked, relevant, chosen).items():
        assert 0 <= value <= (np.inf if name.startswith("DCG") else 1 + 1e-12), name


@given(rankings, conventions)
def test_the_ideal_order_is_perfect(ranked, chosen):
    relevant = {item: len(ranked) - rank for rank, item in enumerate(ranked)}
    found = values(ranked, relevant, chosen)
    for name in ("RR", "AP", "nDCG", "nDCG@3", "P", "R", "Success"):
        assert found[name] == pytest.approx(1 if ranked else 0, abs=1e-12), name


@given(rankings, grades, conventions, st.data())
def test_moving_an_item_up_past_a_lesser_one_never_lowers_any_measure(
    ranked, relevant, chosen, data
):
    moves = [
        (upper, lower)
        for lower in range(len(ranked))
        for upper in range(lower)
        if relevant.get(ranked[lower], 0) > 0
        and all(
            max(relevant.get(item, 0), 0) <= relevant[ranked[lower]] for item in ranked[upper:lower]
        )
    ]
    if not moves:
        return
    upper, lower = data.draw(st.sampled_from(moves))
    moved = [*ranked[:upper], ranked[lower], *ranked[upper:lower], *ranked[lower + 1 :]]
    before, after = values(ranked, relevant, chosen), values(moved, relevant, chosen)
    for name in MEASURES:
        if chosen.denominator == "retrieved" and name.startswith("AP") and "@" in name:
            continue  # a second hit inside the cutoff adds to what AP is divided by
        assert after[name] >= before[name] - 1e-12, name


@given(rankings, grades, conventions)
def test_irrelevant_items_at_the_end_change_only_precision_without_cutoff(ranked, relevant, chosen):
    before = values(ranked, relevant, chosen)
    after = values([*ranked, "new 1", "new 2"], relevant, chosen)
    assert {name for name in MEASURES if before[name] != after[name]} <= {"P"}
    assert after["P"] == pytest.approx(before["P"] * len(ranked) / (len(ranked) + 2), abs=1e-12)
