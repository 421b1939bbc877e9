"""Goals in words, and the best there is for each, against every permutation."""

from itertools import permutations

import pytest

from byhand import DataError, measure_list
from byhand.widgets import Goal
from byhand.widgets.goals import solve

ITEMS = ["a", "b", "c", "d", "e", "f"]
GRADES = {"b": 3, "d": 1, "e": 3, "z": 2}


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (Goal.reach("RR", "1/3"), "Make RR = 1/3."),
        (Goal.reach("RR", 1), "Make RR = 1."),
        (Goal.highest("AP"), "Make AP as high as you can."),
        (Goal.lowest("AP", given={"RR": 1}), "Keep RR = 1 and make AP as low as you can."),
        (Goal.change("AP", keep="RR"), "Keep RR as it is and change AP."),
        (Goal.swap("AP", "gain"), "Swap one pair of items and gain as much AP as you can."),
        (Goal.highest("AP", text="Do your best."), "Do your best."),
    ],
)
def test_a_goal_says_itself(goal, words):
    assert goal.sentence == words


def test_a_goal_refuses_what_it_cannot_mean():
    with pytest.raises(ValueError, match="is not a measure"):
        Goal.highest("MAPP")
    with pytest.raises(DataError, match="'half', which is no number"):
        Goal.reach("RR", "half")
    with pytest.raises(DataError, match="'lose' or 'gain'"):
        Goal.swap("RR", "win")


GOALS = [
    Goal.highest("AP"),
    Goal.lowest("AP"),
    Goal.highest("AP", given={"RR": "1/2"}),
    Goal.lowest("nDCG", given={"RR": 1}),
    Goal.change("AP", keep="RR"),
    Goal.change("nDCG", keep="AP"),
    Goal.swap("nDCG", "lose"),
    Goal.swap("AP", "gain"),
    Goal.reach("RR", "1/3"),
]


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.sentence)
def test_the_best_is_the_best_of_all_permutations(goal):
    def values(order):
        return {name: measure_list(name, order, GRADES) for name in goal.measures}

    first = values(ITEMS)
    orders = list(permutations(ITEMS))
    if goal.one_swap:
        orders = [o for o in orders if sum(x != y for x, y in zip(o, ITEMS, strict=True)) == 2]
    scores = [goal.score(v, first) for o in orders if not goal.unmet(v := values(o), first)]
    solution = solve(goal, ITEMS, GRADES)
    assert solution.score == pytest.approx(max(scores), abs=1e-12)
    assert solution.values == pytest.approx(values(solution.order))
    assert sorted(solution.order) == ITEMS


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (Goal.reach("RR", "2/5"), "'Make RR = 2/5.'. RR can be 0, 1/6, 1/5, 1/4, 1/3, 1/2, 1"),
        (Goal.highest("AP", given={"RR": "2/3"}), "Keep RR = 2/3"),
        (Goal.change("RR", keep="AP"), "Keep AP as it is and change RR"),
    ],
)
def test_a_goal_that_no_order_reaches_is_refused(goal, words):
    with pytest.raises(DataError, match=words.replace("RR can be 0, ", "RR can be ")):
        solve(goal, ITEMS, {"a": 1})


def test_more_orders_than_can_be_tried_are_refused():
    items = list(range(30))
    with pytest.raises(DataError, match=r"155,117,520 ways that differ.*at most 20,000"):
        solve(Goal.highest("AP"), items, dict.fromkeys(items[:15], 1))
    assert solve(Goal.swap("AP", "lose"), items, dict.fromkeys(items[:15], 1)).score < 0
