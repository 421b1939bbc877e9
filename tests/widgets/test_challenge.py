"""The Challenge without a browser: how far, how good, what counts."""

import pytest

from byhand import DataError
from byhand.widgets import Challenge, Goal

LIST = ["D1", "D2", "D3", "D4", "D5", "D6"]
GOALS = [
    Goal.highest("AP", given={"RR": "1/2"}),
    Goal.change("AP", keep="RR"),
    Goal.swap("nDCG", "lose"),
    Goal.reach("RR", 1),
]


@pytest.fixture
def challenge() -> Challenge:
    return Challenge(LIST, {"D3", "D5"}, GOALS)


def test_it_says_what_is_not_yet_as_it_should_be(challenge):
    assert challenge.goal.sentence == "Keep RR = 1/2 and make AP as high as you can."
    assert challenge.verdict == "Not yet: RR is 0.333 and has to be 1/2."
    assert challenge.best == [None] * 4


def test_it_says_how_far_the_best_is_and_keeps_the_reader_s_best(challenge):
    challenge.ranks.order = ["D1", "D3", "D2", "D5", "D4", "D6"]
    assert challenge.verdict == "AP is 0.500, which is 0.083 below the best there is."
    challenge.ranks.order = ["D1", "D3", "D2", "D4", "D5", "D6"]
    assert challenge.verdict == "AP is 0.450, which is 0.133 below the best there is."
    assert challenge.best[0]["order"] == ["D1", "D3", "D2", "D5", "D4", "D6"]
    assert challenge.best[0]["score"] == 0.5
    assert challenge.done == (False,) * 4
    challenge.ranks.order = ["D1", "D3", "D5", "D2", "D4", "D6"]
    assert challenge.verdict == ("Reached: with RR = 1/2, no order of these 6 items does better.")
    assert challenge.done == (True, False, False, False)


def test_another_goal_starts_from_the_first_order(challenge):
    challenge.ranks.order = ["D1", "D3", "D5", "D2", "D4", "D6"]
    challenge.set_state({"current": 1})
    assert challenge.current == 1
    assert challenge.ranks.order == tuple(LIST)
    assert challenge.verdict == "AP is still 0.367, as in the first order."
    challenge.ranks.move("D5", to=4)
    assert challenge.verdict == "Reached: AP moved by 0.050. The most it can move is 0.050."
    challenge.current = 0
    assert challenge.done == (True, True, False, False)


def test_a_swap_is_one_swap_of_the_first_order(challenge):
    challenge.current = 2
    assert challenge.verdict.startswith("Not yet: no items have changed places")
    challenge.ranks.move("D3", to=6)
    assert challenge.verdict.startswith("Not yet: 4 items have changed places")
    challenge.ranks.order = ["D1", "D2", "D3", "D4", "D6", "D5"]
    assert challenge.verdict == "nDCG is 0.525, which is 0.069 above the lowest there is."
    challenge.ranks.order = ["D1", "D2", "D6", "D4", "D5", "D3"]
    assert challenge.verdict == "Reached: no other swap does better."


def test_a_value_to_reach(challenge):
    challenge.current = 3
    assert challenge.verdict == "RR is 0.333, which is 0.667 away from it."
    challenge.ranks.move("D3", to=1)
    assert challenge.verdict == "Reached."


def test_a_solution_shown_is_not_a_goal_reached(challenge):
    for n in range(4):
        challenge.current = n
        challenge.show_solution()
        assert challenge.verdict.startswith("Reached")
    assert challenge.done == (False,) * 4
    challenge.reset()
    assert challenge.ranks.order == tuple(LIST)
    challenge.ranks.rearrange(challenge.solutions[3].order)
    assert challenge.done == (False, False, False, True)


def test_lists_beside_make_the_goal_one_of_means():
    challenge = Challenge(
        ["D5", "D3", "D1", "D4"],
        {"D4"},
        Goal.reach("RR", "2/3"),
        beside={"first": (["D4", "D2"], {"D4"}), "second": (["D1", "D4"], {"D4"})},
    )
    assert challenge.values == {"RR": pytest.approx(7 / 12)}
    assert challenge.verdict == "MRR is 0.583, which is 0.083 away from it."
    assert challenge.beside[1] == {
        "name": "second",
        "items": [["D1", False], ["D4", True]],
        "values": {"RR": 0.5},
    }
    challenge.ranks.move("D4", to=2)
    assert (challenge.verdict, challenge.done) == ("Reached.", (True,))


def test_what_is_judged_and_retrieved_is_fixed(challenge):
    state = challenge.ranks.get_state()
    assert (state["grading"], state["docking"]) == (False, False)


def test_missed_items_count():
    challenge = Challenge(["D1", "D2"], {"D2", "D9"}, Goal.highest("AP"))
    assert challenge.solutions[0].values == {"AP": 0.5}


def test_what_cannot_be_a_challenge_is_refused(challenge):
    with pytest.raises(DataError, match="needs a goal"):
        Challenge(LIST, {"D3"}, [])
    with pytest.raises(DataError, match="There is no goal 4"):
        challenge.current = 4


def test_repr_and_picture(challenge):
    assert repr(challenge) == ("Challenge(D1 > D2 > D3* > D4 > D5* > D6; 0 of 4 goals reached)")
    challenge.ranks.move("D3", to=1)
    texts = [text.get_text() for ax in challenge.picture().axes for text in ax.texts]
    assert "RR = 1.000" in texts
    assert texts[-1] == "4. Make RR = 1."
