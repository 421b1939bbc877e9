"""The Challenge without a browser: its goal, the best there is against every permutation."""

from itertools import permutations

import pytest

from byhand import DataError, measure_list
from byhand.widgets import Challenge, Goal
from byhand.widgets.list.goals import solve

LIST = ["D1", "D2", "D3", "D4", "D5", "D6"]


@pytest.fixture
def challenge() -> Challenge:
    return Challenge(LIST, {"D3", "D5"}, Goal.highest("AP", given={"RR": "1/2"}))


def test_a_browser_is_told_of_the_goal_and_its_solution(challenge):
    fixed = challenge.page_state()["fixed"]
    assert fixed["goal"]["sentence"] == "Keep RR = 1/2 and make AP as high as you can."
    assert fixed["solution"]["score"] == pytest.approx(7 / 12, abs=1e-12)
    ranks = fixed["ranks"]["fixed"]
    assert (ranks["grading"], ranks["docking"]) == (False, False)  # only the order changes


def test_what_a_browser_says_is_reached_is_done(challenge):
    assert challenge.done is False
    challenge.set_state({"done": True})
    assert repr(challenge).endswith("; goal reached)")


def test_a_solution_that_a_browser_shows_is_told(challenge):
    challenge.ranks.order = challenge.solution.order
    challenge.set_state({"told": True, "shown": True})
    assert (challenge.values["RR"], challenge.told, challenge.done) == (0.5, True, False)


def test_lists_beside_make_the_goal_one_of_means():
    challenge = Challenge(
        ["D5", "D3", "D1", "D4"],
        {"D4"},
        Goal.reach("RR", "2/3"),
        measures=["AP", "nDCG@5"],
        beside={"first": (["D4", "D2"], {"D4"}), "second": (["D2", "D4"], {"D4"})},
    )
    assert challenge.values["RR"] == pytest.approx(7 / 12)
    fixed = challenge.page_state()["fixed"]
    assert fixed["names"] == {"AP": "MAP", "nDCG@5": "mean nDCG@5", "RR": "MRR"}
    assert fixed["beside"][1] == {
        "name": "second",
        "values": {"AP": 0.5, "nDCG@5": pytest.approx(0.6309, abs=1e-4), "RR": 0.5},
    }


@pytest.mark.parametrize("part", [5, 4])
def test_a_list_beside_that_is_the_dragged_one_or_a_part_of_it_follows(part: int):
    order = ["x", "y", "a", "b", "c"]
    ranked, relevant, other = order[:part], {"y", "b"}, {"x": 1, "z": 2}
    beside = {"same": (ranked, other), "mixed": (ranked[::-1], relevant)}
    challenge = Challenge(order, relevant, Goal.highest("AP"), measures="nDCG", beside=beside)

    def mean(measure, order):
        cases = [(order, relevant), ([i for i in order if i in ranked], other), beside["mixed"]]
        return sum(measure_list(measure, *case) for case in cases) / 3

    orders = [(*two, *(i for i in order if i not in two)) for two in permutations(order, 2)]
    for each in [*orders, tuple(reversed(order))]:
        challenge.ranks.order = each
        values = {name: mean(name, each) for name in ("AP", "nDCG")}
        assert challenge.values == pytest.approx(values, abs=1e-12)
    every = [mean("AP", each) for each in permutations(order)]
    found = challenge.solution
    assert found.values["AP"] == pytest.approx(mean("AP", found.order), abs=1e-12)
    assert found.values["AP"] == pytest.approx(max(every), abs=1e-12)
    # each value that an order has may be asked for
    for each in set(every):
        Challenge(order, relevant, Goal.reach("AP", each), beside=beside)


def test_missed_items_count():
    challenge = Challenge(["D1", "D2"], {"D2", "D9"}, Goal.highest("AP"))
    assert challenge.solution.values == {"AP": 0.5}


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


def test_a_picture_has_the_list_and_the_goal(challenge):
    challenge.ranks.move("D3", to=1)
    drawn = "".join(challenge.picture().drawn)
    assert '>RR = <tspan class="h">1.000</tspan></text>' in drawn
    assert ">Keep RR = 1/2 and make AP as high as you can.</text>" in drawn


ITEMS = ["a", "b", "c", "d", "e", "f"]
GRADES = {"b": 3, "d": 1, "e": 3, "z": 2}


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (Goal.reach("RR", "1/3"), "Make RR = 1/3."),
        (Goal.reach("RR", 1), "Make RR = 1."),
        (Goal.nearest("AP", 0.7333), "Bring AP as near to 0.7333 as you can."),
        (Goal.highest("AP"), "Make AP as high as you can."),
        (Goal.lowest("AP", given={"RR": 1}), "Keep RR = 1 and make AP as low as you can."),
        (Goal.highest("AP", text="Do your best."), "Do your best."),
    ],
)
def test_a_goal_says_itself(goal, words):
    assert goal.sentence == words


AIMS = [
    Goal.highest("AP"),
    Goal.lowest("AP"),
    Goal.highest("AP", given={"RR": "1/2"}),
    Goal.lowest("nDCG", given={"RR": 1}),
    Goal.reach("RR", "1/3"),
    Goal.nearest("AP", 0.7333),
]


@pytest.mark.parametrize("goal", AIMS, ids=lambda goal: goal.sentence)
def test_the_best_is_the_best_of_all_permutations(goal):
    def values(order):
        return {name: measure_list(name, order, GRADES) for name in goal.measures}

    scores = [goal.score(v) for order in permutations(ITEMS) if goal.is_met(v := values(order))]
    solution = solve(goal, ITEMS, GRADES)
    assert solution.score == pytest.approx(max(scores), abs=1e-12)
    assert solution.values == pytest.approx(values(solution.order))
    assert sorted(solution.order) == ITEMS


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (Goal.reach("RR", "2/5"), "'Make RR = 2/5.'. RR can be 0, 1/6, 1/5, 1/4, 1/3, 1/2, 1"),
        (Goal.highest("AP", given={"RR": "2/3"}), "Keep RR = 2/3"),
    ],
)
def test_a_goal_that_no_order_reaches_is_refused(goal, words):
    with pytest.raises(DataError, match=words.replace("RR can be 0, ", "RR can be ")):
        solve(goal, ITEMS, {"a": 1})


def test_more_orders_than_can_be_tried_are_refused():
    items = list(range(30))
    with pytest.raises(DataError, match=r"155,117,520 ways that differ.*at most 20,000"):
        solve(Goal.highest("AP"), items, dict.fromkeys(items[:15], 1))
