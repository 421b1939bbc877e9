"""The choices on which tools differ: names, presets, and queries that have nothing to count."""

import pandas as pd
import pytest

from byhand import PRESETS, Conventions, DataError, evaluate, measure_list, recall
from byhand.metrics import CHOICES
from byhand.metrics.measures import MEASURES

RUN = pd.DataFrame({"query_id": ["hit", "empty"], "doc_id": "a", "score": 1.0})
QRELS = pd.DataFrame(
    {"query_id": ["hit", "missing", "empty"], "doc_id": "a", "relevance": [1, 1, 0]}
)
NOT_RELEVANT = QRELS.assign(relevance=[1, 0, 1])  # the missing one is empty, too
MISSING = pytest.mark.missing_queries


@pytest.mark.parametrize(
    ("choices", "qrels", "values"),
    [
        pytest.param({}, QRELS, [1, 0, 0], marks=MISSING),
        pytest.param({"no_relevant": "skip"}, QRELS, [1, 0, None], marks=MISSING),
        ({"missing": "skip"}, QRELS, [1, None, 0]),
        ({"missing": "skip", "no_relevant": "skip"}, QRELS, [1, None, None]),
        ({"missing": "skip"}, NOT_RELEVANT, [1, None, 1]),
        pytest.param({"no_relevant": "skip"}, NOT_RELEVANT, [1, None, 1], marks=MISSING),
        ({"no_relevant": "error", "missing": "error"}, QRELS[:1], [1]),
        pytest.param({"no_relevant": "one"}, NOT_RELEVANT, [1, 1, 1], marks=MISSING),
        pytest.param({"no_relevant": "one"}, QRELS, [1, 0, 1], marks=MISSING),
        ({"no_relevant": "one", "missing": "skip"}, NOT_RELEVANT, [1, None, 1]),
        ({"missing": "skip"}, QRELS.assign(doc_id="other"), [0, None, 0]),  # it has a row
        pytest.param(
            {"no_relevant": "skip"},
            QRELS.assign(relevance=[1, -1, -0.5]),
            [1, None, None],
            marks=MISSING,
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::byhand.metrics.NoCommonItemsWarning")
def test_a_query_without_anything_counts_zero_or_is_left_out(choices, qrels, values):
    found = evaluate(RUN, qrels, "RR", conventions=Conventions(**choices))
    assert [None if value != value else value for value in found["RR"]] == values
    assert found.attrs["averaged"] == found["RR"].count()


@pytest.mark.parametrize(
    ("choice", "what"),
    [
        ("no_relevant", "without a relevant item, the first is 'empty'"),
        ("missing", "missing from the run, the first is 'missing'"),
    ],
)
def test_asking_for_an_error_names_the_query_and_the_way_out(choice, what):
    with pytest.raises(DataError) as caught:
        evaluate(RUN, QRELS, "RR", conventions=Conventions(**{choice: "error"}))
    assert str(caught.value) == (
        f"1 of 3 judged queries are {what}. Conventions({choice}='zero') counts them as 0, "
        f"Conventions({choice}='skip') leaves them out of the mean."
    )


def test_what_is_relevant_to_one_measure_alone_counts_zero_or_is_skipped_for_it():
    run = {"low": {"a": 1}, "high": {"a": 1}}
    qrels = {"low": {"a": 1}, "high": {"a": 2}}
    found = evaluate(run, qrels, ["RR(rel=2)"])
    assert found["RR(rel=2)"].tolist() == [0, 1]
    assert (found.attrs["empty"], found.attrs["averaged"]) == (1, 2)
    skip = Conventions(no_relevant="skip")
    found = evaluate(run, qrels, ["RR", "RR(rel=2)"], conventions=skip)
    assert found["RR"].tolist() == [1, 1]
    assert found["RR(rel=2)"].isna().tolist() == [True, False]
    assert (found.attrs["empty"], found.attrs["averaged"]) == (1, 1)
    with pytest.raises(DataError, match="without a relevant item, the first is 'low'"):
        evaluate(run, qrels, "RR(rel=2)", conventions=Conventions(no_relevant="error"))


def test_a_grade_below_the_lowest_relevant_one_is_no_hit():
    assert measure_list("RR", ["a"], {"a": 0.5}) == 1
    assert measure_list("RR(rel=1)", ["a"], {"a": 0.5}) == 0


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_every_choice_is_checked_and_explained(choice):
    assert [*CHOICES] == [*Conventions().as_dict()]
    assert "a grade below `relevant_from` gains nothing" in Conventions.__doc__
    assert Conventions() == PRESETS["trec_eval -c"].choices
    for option in choice.options:
        chosen = PRESETS["trec_eval -c"].choices.but(**{choice.name: option})
        assert chosen.as_dict() == Conventions().as_dict() | {choice.name: option}
        assert f'"{option}": ' in Conventions.__doc__
    with pytest.raises(ValueError, match=f"{choice.name}='nonsense' is not an option; choose from"):
        Conventions(**{choice.name: "nonsense"})


def test_a_measure_has_the_choices_that_concern_it():
    concerned = {name: {*kind.conventions} for name, kind in MEASURES.items() if kind.conventions}
    of_dcg = {"gain", "discount", "low_grades"}
    of_others = {"AP": {"denominator"}, "R": {"denominator"}, "ERR": {"low_grades"}}
    assert concerned == of_others | {"DCG": of_dcg, "nDCG": {*of_dcg, "ideal"}}
    assert {*type("mine", (MEASURES["DCG"],), {"name": "mine"}).conventions} == of_dcg
    own = type("own", (MEASURES["RR"],), {"name": "own", "conventions": ("gain",)})
    assert own.conventions == ("gain",)


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        pytest.param("trec_eval -c -l", {"low_grades": "gain"}, marks=MISSING),
        ("trec_eval -l", {"missing": "skip", "low_grades": "gain"}),
        ("trec_eval -J", {"missing": "skip", "unjudged": "removed"}),
        pytest.param(
            "trec_eval -c -J -l", {"unjudged": "removed", "low_grades": "gain"}, marks=MISSING
        ),
    ],
)
def test_trec_eval_takes_several_of_its_options(name, choices):
    found = evaluate(RUN, QRELS, "RR", conventions=name).attrs
    assert found["conventions"] == Conventions(**choices).as_dict()
    assert found["preset"] == name
    with pytest.raises(ValueError, match="its options -c, -J and -l together"):
        evaluate(RUN, QRELS, "RR", conventions=f"{name} -x")


def test_one_list_takes_a_preset_or_a_value():
    ranked, relevant = ["a", "b"], {"a": 2, "b": 3}
    assert measure_list("DCG@1", ranked, relevant, conventions="trec_eval") == 2
    exponential = Conventions(gain="exponential")
    assert measure_list("DCG@1", ranked, relevant, conventions=exponential) == 3
    with pytest.raises(ValueError, match="'sklearm' is not a preset; the presets are: trec_eval"):
        measure_list("DCG", ranked, relevant, conventions="sklearm")


def test_recall_capped_at_the_cutoff():
    # one of one, and of five with room for three: (1 + 1/3) / 2; without the cap (1 + 1/5) / 2
    run = {"u1": ["a", "x", "y"], "u2": ["b", "z", "w"]}
    qrels = {"u1": ["a"], "u2": ["b", "c", "d", "e", "f"]}
    capped = Conventions(denominator="capped")
    found = evaluate(run, qrels, ["R@3", "R", "R(denominator='relevant')@3"], conventions=capped)
    assert found.mean().tolist() == pytest.approx([2 / 3, 0.6, 0.6])
    assert evaluate(run, qrels, "R_cap@3")["R_cap@3"].mean() == pytest.approx(2 / 3)
    assert recall(run["u2"], qrels["u2"], k=3, denominator="capped") == 1 / 3
    with pytest.raises(ValueError, match="denominator='retrieved' is not an option; R has"):
        recall(run["u2"], qrels["u2"], k=3, denominator="retrieved")
    # nothing is left to divide by where the cutoff cannot be reached
    assert measure_list("R_cap@3", ["a"], []) == 0


@pytest.mark.parametrize("tool", ["recommenders", "spark", "recommenders spark"])
def test_a_tool_that_caps_average_precision_may_divide_recall_by_all(tool):
    preset = PRESETS[tool]
    assert preset.of("AP", 3).denominator == "capped"
    assert preset.of("R", 3).denominator == "relevant"
