"""The Prediction without a browser: what is understood, what is right, what it gives away."""

from fractions import Fraction

import pytest

from helpers import DataError
from helpers.widgets import Prediction


def enter(prediction: Prediction, guess: str) -> None:
    """What a browser sends: the text as it is typed, then the press."""
    prediction.controls.set_state({"values": {"guess": guess}})
    prediction.controls._handle_custom_msg({"press": "commit"}, [])


@pytest.mark.parametrize(
    "guess", ["0.25", " 1/4 ", ".25", "25%", "25 %", "0,25", "0.254", "1 / 4", "2.5e-1"]
)
def test_a_number_is_read_as_people_write_it(guess):
    prediction = Prediction("What is RR?", 0.25, why="One over four.")
    enter(prediction, guess)
    assert prediction.right is True
    assert prediction.message.text == "Right: the answer is 0.25 (1/4)."
    assert prediction.message.more == "One over four."


@pytest.mark.parametrize("guess", ["0.5", "4", "-0.25", "0.256"])
def test_another_number_is_wrong(guess):
    prediction = Prediction("What is RR?", Fraction(1, 4))
    enter(prediction, guess)
    assert prediction.right is False
    assert prediction.message.text == "Not quite: the answer is 0.25 (1/4)."
    assert prediction.message.tone == "warn"


@pytest.mark.parametrize("guess", ["", "abc", "1/0", "1/2/3"])
def test_what_is_no_number_is_not_committed(guess):
    prediction = Prediction("What is RR?", 0.25)
    enter(prediction, guess)
    assert prediction.guess is None
    assert "Write it as 0.25 or as 1/4." in prediction.message.text


def test_two_decimals_are_enough_unless_the_lesson_asks_for_more():
    assert committed(Prediction("?", 1 / 3), "0.33").right
    assert not committed(Prediction("?", 1 / 3, tolerance=0.0005), "0.33").right


def test_a_press_brings_along_what_was_typed_just_before():
    prediction = Prediction("What is RR?", 0.25)
    prediction.controls.set_state({"values": {"guess": "1"}})
    message = {"press": "commit", "values": {"guess": "1/4"}}
    prediction.controls._handle_custom_msg(message, [])
    assert prediction.right is True


def committed(prediction: Prediction, guess: object) -> Prediction:
    prediction.commit(guess)
    return prediction


def test_a_choice():
    prediction = Prediction("Which?", "AP", options=["RR", "AP"])
    enter(prediction, "")
    assert prediction.message.text == "Choose one of the answers first."
    enter(prediction, "RR")
    assert prediction.right is False
    assert prediction.message.text == "Not quite: the answer is AP."
    assert committed(Prediction("Which?", 2, options=[1, 2]), 2).message.text == "Right."


def test_an_order():
    prediction = Prediction("Best first?", ["B", "A", "C"])
    assert prediction.ranks.order != ("B", "A", "C")
    assert prediction.ranks.order == Prediction("Best first?", ["B", "A", "C"]).ranks.order
    prediction.ranks.order = ["B", "C", "A"]
    prediction.controls._handle_custom_msg({"press": "commit"}, [])
    assert prediction.right is False
    assert prediction.message.text == "Not quite: the answer is B > A > C."
    prediction.again()
    prediction.commit(["B", "A", "C"])
    assert prediction.right is True


def test_after_committing_one_can_try_again():
    prediction = Prediction("What is RR?", 0.25)
    enter(prediction, "1")
    assert [each["name"] for each in prediction.controls.controls] == ["guess", "again"]
    assert prediction.controls.controls[0]["disabled"]
    prediction.controls._handle_custom_msg({"press": "again"}, [])
    assert (prediction.guess, prediction.right, prediction.message.text) == (None, None, "")
    assert prediction.controls.values == {"guess": ""}


def test_the_browser_does_not_hold_the_answer_before_the_reader_commits():
    prediction = Prediction("What is RR?", 0.125, why="Because of rank eight.")
    parts = [prediction, *prediction.children]
    sent = " ".join(str(part.get_state()) for part in parts)
    assert "0.125" not in sent
    assert "rank eight" not in sent


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Prediction("?", "AP"), "For a choice, give the options"),
        (lambda: Prediction("?", "AP", options=["RR"]), "'AP' is not among the options"),
        (lambda: Prediction("?", True), "neither a number nor an order"),
        (lambda: Prediction("?", ["a"]), "two items or more"),
        (lambda: Prediction("?", ["a", "b"], start=["a", "c"]), "They must agree"),
    ],
)
def test_what_cannot_be_a_question_is_refused(make, words):
    with pytest.raises(DataError, match=words):
        make()


def test_repr_and_picture():
    prediction = Prediction("Which?", "AP", options=["RR", "AP"])
    assert repr(prediction) == "Prediction('Which?'; no guess yet)"
    prediction.commit("AP")
    assert repr(prediction) == "Prediction('Which?'; AP, right)"
    texts = [text.get_text() for text in prediction.picture().axes[0].texts]
    assert texts == ["Which?", "○  RR", "○  AP"]
