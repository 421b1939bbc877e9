"""The Challenge without a browser: its goal, the best there is against every permutation."""

from itertools import permutations

import pytest

from byhand import DataError, measure_list
from byhand.widgets import Challenge, Goal
from byhand.widgets.list.goals import solve

LIST = ["D1", "D2", "D3", "D4", "D5", "D6"]


GRADES = {"b": 3, "d": 1, "e": 3, "z": 2}


def values_of(goal, order):
    return {name: measure_list(name, order, GRADES) for name in goal.measures}


def test_from_the_goal_that_a_browser_is_told_to_the_solution_that_it_shows():
    challenge = Challenge(LIST, {"D3", "D5"}, Goal.highest("AP", given={"RR": "1/2"}))
    fixed = challenge.page_state()["fixed"]
    assert fixed["goal"]["sentence"] == "Keep RR = 1/2 and make AP as high as you can."
    assert fixed["solution"]["score"] == pytest.approx(7 / 12, abs=1e-12)
    ranks = fixed["ranks"]["fixed"]
    assert (ranks["grading"], ranks["docking"]) == (False, False)  # only the order changes
    challenge.ranks.order = challenge.solution.order
    challenge.set_state({"told": True, "shown": True})
    assert (challenge.values["RR"], challenge.told, challenge.done) == (0.5, True, False)
    assert '>RR = <tspan class="h">0.500 = 1/2</tspan></text>' in "".join(challenge.picture().drawn)
    challenge.set_state({"done": True})
    assert repr(challenge).endswith("; goal reached)")


@pytest.mark.parametrize("part", [5, 4])
def test_a_list_beside_that_is_the_dragged_one_or_a_part_of_it_follows(part: int):
    order = ["x", "y", "a", "b", "c"]
    ranked, relevant, other = order[:part], {"y", "b"}, {"x": 1, "z": 2}
    beside = {"same": (ranked, other), "mixed": (ranked[::-1], relevant)}
    challenge = Challenge(order, relevant, Goal.highest("AP"), measures="nDCG", beside=beside)
    assert challenge.page_state()["fixed"]["names"] == {"AP": "MAP", "nDCG": "mean nDCG"}

    def mean(measure, order):
        cases = [(order, relevant), ([i for i in order if i in ranked], other), beside["mixed"]]
        return sum(measure_list(measure, *case) for case in cases) / 3

    every = [mean("AP", each) for each in permutations(order)]
    for each in [order[::-1], order[2:] + order[:2]]:
        challenge.ranks.order = each
        values = {name: mean(name, each) for name in ("AP", "nDCG")}
        assert challenge.values == pytest.approx(values, abs=1e-12)
    found = challenge.solution
    assert found.values["AP"] == pytest.approx(mean("AP", found.order), abs=1e-12)
    assert found.values["AP"] == pytest.approx(max(every), abs=1e-12)
    # each value that an order has may be asked for
    for each in set(every):
        Challenge(order, relevant, Goal.reach("AP", each), beside=beside)


def test_what_is_docked_may_come_in_and_count_in_the_mean():
    items, beside = ["lasagne", "tart", "salad", "omelette", "ketchup"], {"soup": (["b"], {"b"})}
    challenge = Challenge(
        items, {"dumplings"}, Goal.reach("RR", "5/8"), docking=True, beside=beside
    )
    assert challenge.values == {"RR": 0.5}
    assert challenge.page_state()["fixed"]["goal"]["sentence"] == "Make MRR = 5/8."
    challenge.ranks.order = challenge.solution.order
    assert challenge.values["RR"] == pytest.approx(5 / 8)
    assert challenge.ranks.order.index("dumplings") == 3
    assert challenge.page_state()["fixed"]["ranks"]["fixed"]["docking"]


@pytest.mark.parametrize("measure", ["AP", "nDCG", "P@2", "RR"])
def test_with_a_dock_the_best_is_the_best_of_all_lists_that_can_be_made(measure):
    listed, dock = ["a", "b", "c"], ["d", "e"]
    everything = [*listed, *dock]
    lists = [order for n in range(6) for order in permutations(everything, n)]
    for goal in (Goal.highest(measure), Goal.lowest(measure)):
        values = [{measure: measure_list(measure, order, GRADES)} for order in lists]
        best = max(goal.score(each) for each in values)
        found = solve(goal, listed, GRADES, dock=dock)
        assert found.score == pytest.approx(best, abs=1e-12)


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


@pytest.mark.parametrize(
    ("goal", "items", "relevant", "words"),
    [
        (Goal.reach("RR", "2/5"), 6, 1, "goal: Make RR = 2/5. RR can be 1/6, 1/5, 1/4, 1/3"),
        (Goal.highest("AP", given={"RR": "2/3"}), 6, 1, "Keep RR = 2/3"),
        (Goal.highest("AP"), 30, 15, "30 items .* more than 20,000 different orders"),
    ],
)
def test_a_goal_that_cannot_be_reached_or_solved_is_refused(goal, items, relevant, words):
    with pytest.raises(DataError, match=words):
        solve(goal, range(items), dict.fromkeys(range(relevant), 1))
