"""The Challenge without a browser: its goals, the best there is, what a browser tells it."""

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


def test_a_browser_is_told_of_goals_and_solutions(challenge):
    fixed = challenge.page_state()["fixed"]
    assert fixed["goals"][0]["sentence"] == "Keep RR = 1/2 and make AP as high as you can."
    assert [each["score"] for each in fixed["solutions"]] == pytest.approx(
        [7 / 12, 0.05, -0.45561, 0], abs=1e-5
    )
    assert fixed["solutions"][3]["order"][0] in ("D3", "D5")
    ranks = fixed["ranks"]["fixed"]
    assert (ranks["grading"], ranks["docking"]) == (False, False)  # only the order changes


def test_what_a_browser_says_is_reached_is_done_and_another_goal_starts_anew(challenge):
    assert challenge.done == (False,) * 4
    kept = {"score": 0.5, "order": LIST, "reached": False}
    challenge.set_state({"best": [kept, {**kept, "reached": True}, None, None]})
    challenge.set_state({"told": True})
    challenge.ranks.move("D3", to=1)
    challenge.set_state({"current": 1})
    assert (challenge.done, challenge.told) == ((False, True, False, False), False)
    assert challenge.ranks.order == tuple(LIST)
    assert repr(challenge) == "Challenge(D1 > D2 > D3* > D4 > D5* > D6; 1 of 4 goals reached)"


def test_a_solution_that_is_shown_is_known_to_be_told(challenge):
    challenge.current = 3
    challenge.show_solution()
    assert (challenge.values["RR"], challenge.told, challenge.done) == (1, True, (False,) * 4)
    challenge.reset()
    assert (challenge.ranks.order, challenge.told) == (tuple(LIST), False)


def test_lists_beside_make_the_goal_one_of_means():
    challenge = Challenge(
        ["D5", "D3", "D1", "D4"],
        {"D4"},
        Goal.reach("RR", "2/3"),
        measures=["AP", "nDCG@5"],
        beside={"first": (["D4", "D2"], {"D4"}), "second": (["D1", "D4"], {"D4"})},
    )
    assert challenge.values["RR"] == pytest.approx(7 / 12)
    fixed = challenge.page_state()["fixed"]
    assert fixed["names"] == {"AP": "MAP", "nDCG@5": "mean nDCG@5", "RR": "MRR"}
    assert fixed["beside"][1] == {
        "name": "second",
        "items": [["D1", False], ["D4", True]],
        "values": {"AP": 0.5, "nDCG@5": pytest.approx(0.6309, abs=1e-4), "RR": 0.5},
    }


def test_missed_items_count():
    challenge = Challenge(["D1", "D2"], {"D2", "D9"}, Goal.highest("AP"))
    assert challenge.solutions[0].values == {"AP": 0.5}


def test_what_cannot_be_a_challenge_is_refused(challenge):
    with pytest.raises(DataError, match="needs a goal"):
        Challenge(LIST, {"D3"}, [])
    with pytest.raises(DataError, match="There is no goal 4"):
        challenge.current = 4


def test_a_picture_has_the_list_and_the_goals(challenge):
    challenge.ranks.move("D3", to=1)
    texts = [text.get_text() for ax in challenge.picture().axes for text in ax.texts]
    assert "RR = 1.000" in texts
    assert texts[-1] == "4. Make RR = 1."
