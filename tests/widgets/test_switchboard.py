"""The switchboard: a switch for each convention, and the values under them."""

from dataclasses import fields

import pytest

from byhand import PRESETS, Conventions, evaluate
from byhand.widgets import Switchboard
from helpers import tool_case


@pytest.fixture
def board():
    return Switchboard(*tool_case("deep"), measures=["AP@10"])


def test_it_begins_with_trec_eval_and_a_switch_for_each_choice_changes_the_value(board):
    choices = [field.name for field in fields(Conventions)]
    choices.remove("low_grades")  # there is no lowest relevant grade to be below
    assert list(board.switches) == choices
    assert board.conventions == Conventions()
    assert repr(board) == "Switchboard(AP@10 = 0.0500 as trec_eval -c, ir_measures)"
    for denominator, value in (("capped", 0.1), ("retrieved", 1.0), ("relevant", 0.05)):
        board.switches["denominator"].value = denominator
        assert board.values == {"AP@10": pytest.approx(value, abs=1e-12)}


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("case", ["graded", "tied-one", "many-relevant", "missing", "no-relevant"])
def test_the_values_are_those_of_evaluate_under_each_preset(case, name):
    measures, tables = ["RR", "RR@3", "AP@3", "nDCG@3"], tool_case(case)
    board = Switchboard(*tables, measures=measures)
    board.preset.value = name
    try:
        expected = evaluate(*tables, measures, conventions=name).mean().to_dict()
    except ValueError:
        expected = None
    assert board.values == pytest.approx(expected, nan_ok=True)
    assert name in repr(board)


def test_what_a_preset_chooses_for_one_measure_is_said_and_a_switch_counts_for_all():
    board = Switchboard(*tool_case("graded"), measures=["AP@3", "nDCG@3"])
    board.preset.value = "recommenders"
    assert board.values["nDCG@3"] == 1.0  # what the tool gave: data/tool-results.csv
    said = "nDCG@3 differs: gain = binary, query missing = zero"
    assert f"<p>{said}</p>" in board._result.value
    board.switches["ties"].value = "worst"
    assert board.values["nDCG@3"] == 1.0
    board.switches["gain"].value = "exponential"
    board.switches["gain"].value = "linear"
    assert "differs: query missing = zero" in board._result.value
    assert board.values["nDCG@3"] == pytest.approx(0.9013, abs=5e-5)
    alone = Switchboard(*tool_case("graded"), measures="nDCG@3")
    alone.preset.value = "recommenders"
    assert (alone.switches["gain"].value, alone.values) == ("binary", {"nDCG@3": 1.0})
    assert "differs" not in alone._result.value


def test_a_refusal_is_said():
    board = Switchboard(*tool_case("missing"), measures=["RR"])
    board.switches["missing"].value = "error"
    assert board.values is None
    assert "refused" in repr(board)
    board.switches["missing"].value = "skip"
    assert board.values == {"RR": 0.5}


def test_the_preset_that_is_shown_is_the_one_that_is_on(board):
    for name, preset in PRESETS.items():
        board.preset.value = name
        assert board.conventions == preset.of("AP", 10)
        assert name in repr(board)
    board.preset.value = "sklearn"
    board.switches["ties"].value = "worst"
    assert board.preset.value == "choose …"
    wanted = PRESETS["sklearn"].choices
    for name, switch in board.switches.items():
        switch.value = getattr(wanted, name)
    assert board.preset.value in [name for name, each in PRESETS.items() if each.choices == wanted]


def test_a_preset_is_evaluated_once_into_a_table_that_has_a_name(board):
    shown = []
    board._result.observe(lambda change: shown.append(change["new"]), "value")
    board.preset.value = "torchmetrics"
    (html,) = shown
    assert 'aria-label="Means under these choices"' in html
    assert '<th scope="col"' in html
