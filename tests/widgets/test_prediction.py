"""The Prediction without a browser: what is understood, what is right, what a browser is told."""

from fractions import Fraction

import pytest
from IPython.core.formatters import DisplayFormatter

from byhand import DataError
from byhand.widgets import Challenge, Goal, Prediction, live
from byhand.widgets.embed import PASSING

GUESSES = ["0.25", " 1/4 ", ".25", "25%", "25 %", "0,25", "0.254", "1 / 4", "2.5e-1"]


def committed(prediction: Prediction, guess: object) -> Prediction:
    prediction.commit(guess)
    return prediction


@pytest.mark.parametrize(
    ("guess", "right"),
    [*((guess, True) for guess in GUESSES), *((g, False) for g in ("0.5", "4", "-0.25", "0.256"))],
)
def test_a_number_is_read_as_people_write_it(guess, right):
    assert committed(Prediction("What is RR?", Fraction(1, 4)), guess).right is right


@pytest.mark.parametrize("guess", ["", "abc", "1/0", "1/2/3", "1/2.5", "0.25x"])
def test_what_is_no_number_is_not_committed(guess):
    prediction = Prediction("What is RR?", 0.25)
    with pytest.raises(DataError, match=r"Write it as 0\.25 or as 1/4"):
        prediction.commit(guess)
    assert (prediction.guess, prediction.right) == (None, None)


def test_two_decimals_are_enough_unless_the_lesson_asks_for_more():
    assert committed(Prediction("?", 1 / 3), "0.33").right
    with pytest.raises(DataError, match="three decimals"):
        Prediction("?", 1 / 3, tolerance=0.0005).commit("0.33")


def test_what_a_browser_sends_is_a_guess():
    prediction = Prediction("What is RR?", 0.25)
    prediction.set_state({"guesses": ["1", "1/4"]})
    assert (prediction.guess, prediction.right) == (0.25, True)
    prediction.again()
    assert (prediction.guess, prediction.right, prediction.guesses) == (None, None, [])


def test_a_choice():
    prediction = Prediction("Which?", "AP", options=["RR", "AP"], slips={"RR": "No."})
    with pytest.raises(DataError, match="Choose one of these: RR, AP"):
        prediction.commit("")
    assert committed(prediction, "RR").right is False
    assert committed(Prediction("Which?", 2, options=[1, 2]), 2).right is True
    assert prediction.fixed["slips"] == [["RR", "No."]]


def test_an_order():
    prediction = Prediction("Best first?", ["B", "A", "C"])
    assert prediction.ranks.order != ("B", "A", "C")
    assert prediction.ranks.order == Prediction("Best first?", ["B", "A", "C"]).ranks.order
    assert committed(prediction, ["B", "C", "A"]).right is False
    prediction.again()
    assert committed(prediction, ["B", "A", "C"]).right is True
    assert prediction.guess == ["B", "A", "C"]


def test_a_browser_knows_the_answer_and_how_to_say_it():
    state = Prediction("?", Fraction(1, 3), why="Because.", slips={3: "The rank."}).fixed
    assert (state["answer"], state["shown_answer"]) == (1 / 3, "0.333 (1/3)")
    assert (state["why"], state["slips"]) == ("Because.", [[3.0, "The rank."]])
    assert Prediction("?", ["b", "a"], start=["a", "b"]).fixed["shown_answer"] == "b > a"


def test_repr_and_picture():
    prediction = Prediction("Which?", "AP", options=["RR", "AP"], hints="look")
    prediction.commit("AP")
    assert repr(prediction) == "Prediction('Which?'; AP, right)"
    texts = [text.get_text() for text in prediction.picture().axes[0].texts]
    assert texts == ["Which?", "a  ○  RR", "b  ○  AP"]
    assert prediction.fixed["hints"] == ["look"]


def test_what_follows_is_covered_before_the_widget_until_there_is_an_answer(monkeypatch):
    covers = []
    monkeypatch.setattr(live, "display", lambda data, **how: covers.append(how))

    def covered(prediction):
        covers.clear()
        data, _ = DisplayFormatter().format(prediction)
        assert data["text/plain"] == repr(prediction)  # the widget itself follows
        return covers == [{"raw": True, "metadata": {PASSING: True}}]

    prediction = Prediction("?", 1, covers=True)
    assert covered(prediction)
    assert covered(committed(prediction, 2))
    assert not covered(committed(prediction, 1))
    prediction.again()
    assert not covered(prediction)
    assert not covered(Prediction("?", 1))

    challenge = Challenge(["a", "b"], {"b"}, [Goal.highest("RR")] * 2, covers=True)
    assert covered(challenge)
    challenge.set_state({"best": [{"reached": True}, None]})
    assert covered(challenge)
    challenge.set_state({"shown": [1]})
    assert not covered(challenge)
    assert not covered(Challenge(["a", "b"], {"b"}, Goal.highest("RR")))
