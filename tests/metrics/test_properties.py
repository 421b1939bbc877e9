"""What holds for every list: properties that Hypothesis tries to break."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from byhand import Conventions, evaluate, explain, measure_list

MEASURES = ["RR", "AP", "nDCG", "DCG", "P", "R", "Success"]
MEASURES += [f"{name}@{k}" for name in MEASURES for k in (1, 3)]
MEASURES += ["AP(rel=2)", "RR(rel=2)@3", "nDCG(dcg='exp-log2')", "nDCG(dcg='exp-log2')@3"]
TIES = ["doc_id", "input", "best", "worst", "expected"]

items = st.sampled_from([*"abcdefgh", "10", "9", "é", "doc"])
rankings = st.lists(items, unique=True, max_size=10)
grades = st.dictionaries(items, st.integers(-1, 3), max_size=8)
conventions = st.builds(
    Conventions,
    denominator=st.sampled_from(["relevant", "capped", "retrieved"]),
    gain=st.sampled_from(["linear", "exponential"]),
    ideal=st.sampled_from(["judged", "retrieved"]),
)


@st.composite
def tables(draw, levels=4):
    """A run with many equal scores (`levels` different ones; None: all differ), and qrels."""
    run, qrels = [], []
    for query in range(draw(st.integers(1, 4))):
        ranked = draw(rankings)
        scores = draw(st.permutations(range(len(ranked))))
        run += [
            (query, item, s % levels if levels else s)
            for item, s in zip(ranked, scores, strict=True)
        ]
        qrels += [(query, item, grade) for item, grade in draw(grades).items()]
    run = [*run, (0, "always there", 99)]
    qrels = [*qrels, (0, "always judged", 0)]
    return (
        pd.DataFrame(draw(st.permutations(run)), columns=["query_id", "doc_id", "score"]),
        pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"]),
    )


assert_same = partial(pd.testing.assert_frame_equal, check_exact=True)


def values(ranked, relevant, chosen):
    return {name: measure_list(name, ranked, relevant, conventions=chosen) for name in MEASURES}


def evaluated(run, qrels, ties="doc_id"):
    return evaluate(run, qrels, MEASURES, conventions=Conventions(ties=ties))


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


@given(rankings, grades, conventions)
def test_renaming_the_items_of_a_list_changes_nothing(ranked, relevant, chosen):
    renamed = {item: ("other", item) for item in {*ranked, *relevant}}
    new_grades = {renamed[item]: grade for item, grade in relevant.items()}
    new_ranked = [renamed[item] for item in ranked]
    assert values(new_ranked, new_grades, chosen) == values(ranked, relevant, chosen)


@given(rankings, st.sets(items), conventions)
def test_grade_1_is_the_same_as_being_in_the_set(ranked, relevant, chosen):
    graded = dict.fromkeys(relevant, 1) | {"elsewhere": 0}
    assert values(ranked, graded, chosen) == values(ranked, relevant, chosen)


@given(rankings, grades, st.one_of(st.none(), st.integers(1, 12)))
def test_shares_add_up_to_the_measures(ranked, relevant, k):
    steps = explain(ranked, relevant, k=k)
    for name in ("RR", "AP", "DCG", "nDCG"):
        asked = name if k is None else f"{name}@{k}"
        expected = measure_list(asked, ranked, relevant)
        assert steps[f"share of {name}"].sum() == pytest.approx(expected, abs=1e-12), name
    found = [item for item in ranked[:k] if relevant.get(item, 0) > 0]
    assert steps.loc[steps["hit"], "item"].tolist() == found
    assert len(found) + len(steps.attrs["not found"]) == steps.attrs["relevant"]


@given(tables(levels=None), st.sampled_from(TIES), conventions)
def test_tables_say_what_the_one_list_functions_say(tables, ties, chosen):
    run, qrels = tables
    found = evaluate(run, qrels, MEASURES, conventions=chosen.but(ties=ties))
    for query, judged in qrels.groupby("query_id"):
        rows = run[run["query_id"] == query].sort_values("score", ascending=False)
        relevant = dict(zip(judged["doc_id"], judged["relevance"], strict=True))
        expected = values(list(rows["doc_id"]), relevant, chosen)
        assert found.loc[str(query)].to_dict() == pytest.approx(expected, abs=1e-12)


@given(tables(levels=None))
def test_renaming_items_changes_nothing_without_ties(tables):
    run, qrels = tables
    new_names = {name: name[::-1] + "!" for name in {*run["doc_id"], *qrels["doc_id"]}}
    renamed = [frame.assign(doc_id=frame["doc_id"].map(new_names)) for frame in (run, qrels)]
    assert_same(evaluated(*renamed), evaluated(run, qrels))


@given(tables(levels=None))
def test_without_ties_every_tie_order_is_the_same(tables):
    expected = evaluated(*tables)
    for ties in TIES[1:]:
        np.testing.assert_allclose(evaluated(*tables, ties), expected, rtol=0, atol=1e-12)


@given(
    tables(),
    st.sampled_from([ties for ties in TIES if ties != "input"]),
    st.randoms(use_true_random=False),
)
def test_the_order_of_rows_matters_to_input_ties_only(tables, ties, random):
    run, qrels = tables
    order = random.sample(range(len(run)), len(run))
    shuffled = run.iloc[order]
    assert_same(evaluated(shuffled, qrels, ties), evaluated(run, qrels, ties))


def test_the_order_of_rows_does_matter_to_input_ties():
    run = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": 1})
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["b"], "relevance": [1]})
    assert evaluated(run, qrels, "input").loc["q", "RR"] == 1 / 2
    assert evaluated(run[::-1], qrels, "input").loc["q", "RR"] == 1


@given(tables())
def test_best_is_at_least_any_order_and_worst_at_most(tables):
    best, worst = evaluated(*tables, "best"), evaluated(*tables, "worst")
    for ties in ("doc_id", "input", "expected"):
        between = evaluated(*tables, ties)
        assert (best >= between - 1e-12).all(axis=None), ties
        assert (between >= worst - 1e-12).all(axis=None), ties


@pytest.mark.parametrize(
    "transform", [lambda s: 3 * s - 7, np.exp, lambda s: s.astype("float32"), lambda s: s**3]
)
@given(tables=tables(), ties=st.sampled_from(TIES))
def test_a_monotone_change_of_scores_changes_nothing(transform, tables, ties):
    run, qrels = tables
    changed = run.assign(score=transform(run["score"].astype(float) / 4))
    assert_same(evaluated(changed, qrels, ties), evaluated(run, qrels, ties))


@given(tables(), st.sampled_from(TIES))
def test_what_nobody_judged_changes_no_other_query(tables, ties):
    run, qrels = tables
    more = pd.DataFrame({"query_id": "stranger", "doc_id": list("abc"), "score": [9, 9, 1]})
    found = evaluated(pd.concat([more, run, more.assign(query_id="x")]), qrels, ties)
    assert_same(found, evaluated(run, qrels, ties))
    assert found.attrs["run_only"] == evaluated(run, qrels, ties).attrs["run_only"] + 2


@given(tables(), st.sampled_from(TIES))
def test_grades_of_zero_or_below_change_nothing(tables, ties):
    run, qrels = tables
    positive = qrels[qrels["relevance"] > 0]
    expected = evaluated(run, qrels, ties)
    if not set(positive["query_id"]) & set(run["query_id"]):
        return
    found = evaluated(run, positive, ties)
    assert_same(found, expected.loc[found.index])
