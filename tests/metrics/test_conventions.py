"""The choices on which tools differ: names, presets, and queries that have nothing to count."""

import pandas as pd
import pytest

from byhand import PRESETS, Conventions, evaluate, measure_list
from byhand.metrics import CHOICES

RUN = pd.DataFrame({"query_id": ["hit", "empty"], "doc_id": "a", "score": 1.0})
QRELS = pd.DataFrame(
    {"query_id": ["hit", "missing", "empty"], "doc_id": "a", "relevance": [1, 1, 0]}
)
NOT_RELEVANT = QRELS.assign(relevance=[1, 0, 1])  # the missing one is empty, too
pytestmark = pytest.mark.filterwarnings("ignore::byhand.metrics.MissingQueriesWarning")


@pytest.mark.parametrize(
    ("choices", "qrels", "values"),
    [
        ({}, QRELS, [1, 0, 0]),
        ({"no_relevant": "skip"}, QRELS, [1, 0, None]),
        ({"missing": "skip"}, QRELS, [1, None, 0]),
        ({"missing": "skip", "no_relevant": "skip"}, QRELS, [1, None, None]),
        ({"missing": "skip"}, NOT_RELEVANT, [1, None, 1]),
        ({"no_relevant": "skip"}, NOT_RELEVANT, [1, None, 1]),
        ({"no_relevant": "error", "missing": "error"}, QRELS[:1], [1]),
        ({"no_relevant": "one"}, NOT_RELEVANT, [1, 1, 1]),
        ({"no_relevant": "one"}, QRELS, [1, 0, 1]),
        ({"no_relevant": "one", "missing": "skip"}, NOT_RELEVANT, [1, None, 1]),
        ({"missing": "skip"}, QRELS.assign(doc_id="other"), [0, None, 0]),  # it has a row
        ({"no_relevant": "skip"}, QRELS.assign(relevance=[1, -1, -0.5]), [1, None, None]),
    ],
)
@pytest.mark.filterwarnings("ignore::byhand.metrics.NoCommonItemsWarning")
def test_a_query_without_anything_counts_zero_or_is_left_out(choices, qrels, values):
    found = evaluate(RUN, qrels, "RR", conventions=Conventions(**choices))
    assert [None if value != value else value for value in found["RR"]] == values
    assert found.attrs["averaged"] == found["RR"].count()


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_every_choice_is_checked_and_explained(choice):
    assert "a grade below `relevant_from` gains nothing" in Conventions.__doc__
    assert Conventions() == PRESETS["trec_eval -c"].choices
    for option in choice.options:
        assert f'"{option}": ' in Conventions.__doc__
    with pytest.raises(ValueError, match=f"{choice.name}='nonsense' is not an option; choose from"):
        Conventions(**{choice.name: "nonsense"})


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("trec_eval -c -l", {"low_grades": "gain"}),
        ("trec_eval -l", {"missing": "skip", "low_grades": "gain"}),
        ("trec_eval -J", {"missing": "skip", "unjudged": "removed"}),
        ("trec_eval -c -J -l", {"unjudged": "removed", "low_grades": "gain"}),
    ],
)
def test_trec_eval_takes_several_of_its_options(name, choices):
    found = evaluate(RUN, QRELS, "RR", conventions=name).attrs
    assert found["conventions"] == Conventions(**choices).as_dict()
    assert found["preset"] == name


def test_recall_capped_at_the_cutoff():
    # one of one, and of five with room for three: (1 + 1/3) / 2; without the cap (1 + 1/5) / 2
    run = {"u1": ["a", "x", "y"], "u2": ["b", "z", "w"]}
    qrels = {"u1": ["a"], "u2": ["b", "c", "d", "e", "f"]}
    capped = Conventions(denominator="capped")
    found = evaluate(run, qrels, ["R@3", "R", "R(denominator='relevant')@3"], conventions=capped)
    assert found.mean().tolist() == pytest.approx([2 / 3, 0.6, 0.6])
    # nothing is left to divide by where the cutoff cannot be reached
    assert measure_list("R_cap@3", ["a"], []) == 0
