"""The switchboard: a switch for each convention, and the values under them."""

import json
from pathlib import Path

import pytest

from byhand import PRESETS, Conventions, evaluate
from byhand.metrics.conventions import CHOICES
from byhand.widgets import Switchboard
from helpers import tool_case

LESSON = Path(__file__).parents[2] / "notebooks" / "06-why-tools-disagree.ipynb"


@pytest.fixture
def board():
    return Switchboard(*tool_case("deep"), measures=["RR", "AP@10"])


def switches(board: Switchboard) -> dict[str, list[str]]:
    return {name: [option for option, *_ in of] for name, _, of in board.fixed["choices"]}


def test_it_begins_with_trec_eval_and_has_the_switches_that_concern_a_measure(board):
    known = {name: [*choice.options] for name, choice in CHOICES.items()}
    for name in ("low_grades", "ideal", "gain", "discount"):  # no grade is said to be low; no nDCG
        del known[name]
    assert switches(board) == known
    assert board.conventions == {"RR": Conventions(), "AP@10": Conventions()}
    assert "denominator" not in board.chosen["RR"]
    alike = "trec_eval -c, ir_measures, haystack, mlflow, phoenix"
    said = f"Switchboard(RR = 1.0000, AP@10 = 0.0500 as {alike})"
    assert repr(board) == said
    whose = "These are the choices of trec_eval -c, ir_measures, haystack, mlflow and phoenix."
    assert board.picture().alt == f"RR = 1.0000, AP@10 = 0.0500. {whose}"


def test_a_switch_turns_all_measures_that_it_concerns(board):
    for denominator, value in (("capped", 0.1), ("retrieved", 1.0), ("relevant", 0.05)):
        board.turn(denominator=denominator, ties="worst")
        assert board.values == {"RR": 1.0, "AP@10": pytest.approx(value, abs=1e-12)}
        assert {of["ties"] for of in board.chosen.values()} == {"worst"}
    with pytest.raises(ValueError, match="ties='wurst' is not an option; choose from 'doc_id'"):
        board.turn(ties="wurst")


def means(tables: tuple, measures: list[str], preset: str) -> dict[str, float | None]:
    """What `evaluate` says, all at once where it refuses none of them."""
    try:
        table = evaluate(*tables, measures, conventions=preset)
        return {name: table[name].mean() for name in measures}
    except ValueError:
        if len(measures) == 1:
            return {measures[0]: None}
        return {name: means(tables, [name], preset)[name] for name in measures}


MISSING = pytest.param("missing", marks=pytest.mark.missing_queries)


@pytest.mark.parametrize("case", ["graded", "tied-one", "many-relevant", MISSING, "no-relevant"])
def test_the_values_are_those_of_evaluate_under_each_preset(case):
    measures, tables = ["RR", "RR@3", "AP@3", "nDCG@3"], tool_case(case)
    board = Switchboard(*tables, measures=measures)
    for preset in PRESETS:
        board.take(preset)
        assert preset in repr(board).partition(" as ")[2]
        expected = means(tables, measures, preset)
        assert board.values == pytest.approx(expected, nan_ok=True, abs=1e-12), preset


def test_a_preset_may_choose_otherwise_for_one_measure():
    board = Switchboard(*tool_case("graded"), measures=["AP@3", "nDCG@3"])
    board.take("recommenders")
    assert board.values["nDCG@3"] == 1.0  # what the tool gave: data/tool-results.csv
    assert [of["missing"] for of in board.chosen.values()] == ["skip", "zero"]
    board.turn(gain="linear")
    assert board.values["nDCG@3"] == pytest.approx(0.9013, abs=5e-5)
    assert repr(board).endswith("as no preset)")


def test_what_is_refused_is_said():
    board = Switchboard(*tool_case("missing"), measures=["RR"])
    board.take("ranx")  # it refuses a missing query
    assert board.values == {"RR": None}
    assert repr(board) == "Switchboard(RR refused as ranx)"
    missing = board.fixed["measures"][0]["of_some"]["not_relevant"]["missing"]
    assert missing["skip"] == [0.5, None]
    assert missing["error"] == "1 of 2 judged queries are missing from the run, the first is '2'"
    board.turn(missing="skip")
    assert board.values == {"RR": 0.5}


@pytest.fixture(scope="module")
def lesson() -> Switchboard:
    """The board of lesson 6, as its cell makes it."""
    found = json.loads(LESSON.read_text(encoding="utf-8"))["cells"]
    cells = ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]
    made: dict = {}
    (cell,) = (each for each in cells if "Switchboard(" in each)
    exec(cell.replace("\nSwitchboard(", "\nboard = Switchboard("), made)
    return made["board"]


def test_in_the_lesson_every_option_of_every_switch_moves_a_number(lesson):
    start = lesson.values
    for name, options in switches(lesson).items():
        for option in options[1:]:
            lesson.take("trec_eval -c")
            lesson.turn(**{name: option})
            moved = [m for m, was in start.items() if lesson.values[m] != pytest.approx(was)]
            assert moved, f"{name}={option} moves nothing"


def test_the_goal_of_the_lesson_can_be_reached_and_is_not_where_it_begins(lesson):
    lesson.take("trec_eval -c")
    goal = {name: (float(printed), within) for name, printed, within in lesson.fixed["goal"]}
    assert lesson.fixed["goal"][0][2] == 0.5 / 10 ** len(lesson.fixed["goal"][0][1][2:])
    away = [abs(lesson.values[name] - value) > within for name, (value, within) in goal.items()]
    assert all(away)
    lesson.turn(ties="input", missing="skip", denominator="capped", gain="exponential")
    assert lesson.values == {
        name: pytest.approx(value, abs=within) for name, (value, within) in goal.items()
    }
