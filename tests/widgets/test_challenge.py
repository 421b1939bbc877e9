"""The Challenge without a browser: its goal, the best there is against every permutation."""

from itertools import permutations

import pytest

from byhand import measure_list
from byhand.widgets import Challenge, Goal
from byhand.widgets.list.goals import solve

GRADES = {"b": 3, "d": 1, "e": 3, "z": 2}


def values_of(goal, order):
    return {name: measure_list(name, order, GRADES) for name in goal.measures}


@pytest.mark.parametrize("part", [5, 4])
def test_a_list_beside_that_is_the_dragged_one_or_a_part_of_it_follows(part: int):
    order = ["x", "y", "a", "b", "c"]
    ranked, relevant, other = order[:part], {"y", "b"}, {"x": 1, "z": 2}
    beside = {"same": (ranked, other), "mixed": (ranked[::-1], relevant)}
    challenge = Challenge(order, relevant, Goal.highest("AP"), measures="nDCG", beside=beside)

    def mean(measure, order):
        cases = [(order, relevant), ([i for i in order if i in ranked], other), beside["mixed"]]
        return sum(measure_list(measure, *case) for case in cases) / 3

    every = {mean("AP", each) for each in permutations(order)}
    for each in [order[::-1], order[2:] + order[:2]]:
        challenge.ranks.order = each
        values = {name: mean(name, each) for name in ("AP", "nDCG")}
        assert challenge.values == pytest.approx(values, abs=1e-12)
    found = challenge.solution
    assert found.values["AP"] == pytest.approx(mean("AP", found.order), abs=1e-12)
    assert found.values["AP"] == pytest.approx(max(every), abs=1e-12)
    # each value that an order has may be asked for
    for each in every:
        Challenge(order, relevant, Goal.reach("AP", each), beside=beside)


@pytest.mark.parametrize("measure", ["AP", "nDCG", "P@2", "RR"])
def test_with_a_dock_the_best_is_the_best_of_all_lists_that_can_be_made(measure):
    listed, dock = ["a", "b", "c"], ["d", "e"]
    lists = [order for n in range(6) for order in permutations([*listed, *dock], n)]
    for goal in (Goal.highest(measure), Goal.lowest(measure)):
        best = max(goal.score(values_of(goal, order)) for order in lists)
        assert solve(goal, listed, GRADES, dock=dock).score == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (Goal.reach("RR", "1/3"), "Make RR = 1/3."),
        (Goal.nearest("AP", 0.7333), "Bring AP as near to 0.7333 as you can."),
        (Goal.highest("AP"), "Make AP as high as you can."),
        (Goal.lowest("nDCG", given={"RR": 1}), "Keep RR = 1 and make nDCG as low as you can."),
        (Goal.highest("AP", text="Do your best."), "Do your best."),
    ],
)
def test_a_goal_says_itself_and_its_best_is_the_best_of_all_permutations(goal, words):
    assert goal.sentence == words
    items = [*"abcdef"]
    every = (values_of(goal, order) for order in permutations(items))
    scores = [goal.score(values) for values in every if goal.is_met(values)]
    solution = solve(goal, items, GRADES)
    assert solution.score == pytest.approx(max(scores), abs=1e-12)
    assert solution.values == pytest.approx(values_of(goal, solution.order))
    assert sorted(solution.order) == items
