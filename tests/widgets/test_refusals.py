"""What a caller gets wrong is said to them; one name is one measure, wherever it is asked for."""

import pytest

from byhand import Conventions, DataError, explain
from byhand.figures import (
    conventions_table,
    draw_lists,
    draw_per_query,
    draw_precision,
    draw_shares,
    draw_swap_costs,
    lists_table,
)
from byhand.widgets import Challenge, Duel, Explorer, Goal, OwnList, Prediction, Switchboard
from helpers import tool_case

LIST, RELEVANT = ["D1", "D4", "D2"], {"D4"}
REMOVED = Conventions(unjudged="removed")


@pytest.mark.parametrize(
    "ask",
    [
        lambda name: Explorer(LIST, RELEVANT, measures=name).values,
        lambda name: OwnList("D1\nD4*", measures=name).values,
        lambda name: Duel([LIST, LIST], RELEVANT, measures=name).values["A"],
        lambda name: Challenge(LIST, RELEVANT, Goal.highest(name), measures=name).values,
        lambda name: Switchboard(*tool_case("deep"), measures=name).values,
        lambda name: [draw_swap_costs(LIST, RELEVANT, at=[1], measures=name).get_label()[30:32]],
        lambda name: lists_table({"Q1": (LIST, RELEVANT)}, name)._heads[1:],
        lambda name: conventions_table(*tool_case("deep"), name)._heads[1:],
        lambda name: [each[9:] for each in explain(LIST, RELEVANT, measures=name).columns[6:]],
    ],
)
def test_one_name_is_one_measure(ask):
    assert list(ask("RR")) == ["RR"]


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda: draw_lists({}), r"cases is \{\}. Expected lists by their names: \{'Q1'"),
        (lambda: draw_per_query({}), r"values is empty. Expected .* \{'Q1': 0.5\}"),
        (
            lambda: draw_precision(explain(LIST, RELEVANT, measures="RR")),
            r"no column 'share of AP'; its shares are: 'share of RR'. .*measures=\['AP'\]",
        ),
        (lambda: draw_shares(explain(LIST, RELEVANT, measures=[])), "its shares are: none"),
        (lambda: Challenge(LIST, RELEVANT, "AP"), r"'AP' is none. .*Goal.highest\('AP'\)"),
        (lambda: Challenge(LIST, RELEVANT, [None]), "None is none"),
        (lambda: Goal("AP", "highst"), "one of 'reach', 'highest', .*, not 'highst'"),
        (lambda: Goal("AP", "reach"), r"no value to reach. Write Goal.reach\('AP', '1/2'\)"),
        (lambda: Goal.reach("AP", "1_0"), "'1_0', which is no number"),
        (lambda: Explorer(LIST, RELEVANT, spans={"z": 3}), "'z' is not an item of this list"),
        (lambda: Explorer(LIST, RELEVANT, spans={"D1": 0}), "span of 'D1' is 0. .*from 1"),
        (lambda: Explorer(LIST, RELEVANT, spans={"D4": 3}), "grade of 'D4' is 1, but its row"),
        (lambda: Explorer(LIST, RELEVANT, conventions=REMOVED), "choose unjudged='not_relevant'"),
        (lambda: Prediction("?", 1, slips={"abc": "x"}), "slip 'abc' .* a number, as 0.25"),
        (lambda: Prediction("?", "a", options="abc"), "options is the text 'abc', not a list"),
        (
            lambda: Prediction("?", "a", options=["a", "b"], slips={"c": "x"}),
            r"slip 'c' .* one of \['a', 'b'\]",
        ),
        (lambda: Prediction("?", ["a", "b"], slips={"b": "x"}), "Say it in hints"),
        (lambda: Prediction("?", float("nan")), "nan is neither a finite number"),
    ],
)
def test_a_mistake_is_said_to_whoever_made_it(mistake, said):
    with pytest.raises(DataError, match=said):
        mistake()


def test_one_hint_is_one_hint():
    assert Prediction("?", 1, hints="look").fixed["hints"] == ["look"]


def test_a_figure_names_the_cutoff_that_it_was_drawn_with():
    steps = explain(LIST, RELEVANT, k=2)
    assert draw_shares(steps).get_title() == "What each rank adds: nDCG@2 = 0.6309"
    assert draw_precision(steps).get_label().endswith("AP@2: 0.5000.")
    assert draw_shares(explain([], RELEVANT)).get_title().endswith("nDCG = 0.0000")
