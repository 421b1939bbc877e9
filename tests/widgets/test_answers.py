"""Kinds of answers, and the Prediction, without a browser: what is right, what is said to whom."""

from fractions import Fraction

import pytest

from byhand.widgets import Prediction
from byhand.widgets.prediction.answers import Choice, Number, Order, Several

SAID = {"hints": ["first", "second"], "why": "so"}
LETTERS = {each: each for each in "abcd"}
KINDS = {
    "number": Number(
        answer=Fraction(1, 3), tolerance=0.0006, slips={"3": "rank", 0.331: "near"}, **SAID
    ),
    "choice": Choice(answer="b", options=LETTERS, slips={"a": "not a"}, **SAID),
    "several": Several(answer="ca", options=LETTERS, slips={"a": "one", "dba": "three"}, **SAID),
    "opinion": Several(answer="ca", options=LETTERS, opinion="{n} of {of}", why="so"),
    "order": Order(
        answer=["short", "lone", "late"],
        slips={"late > short": "late first", ("late", "lone"): "lone last"},
        **SAID,
    ),
    "parts": Order(answer=["late", "lone", "short", "full"], parts=[3, 1], **SAID),
}
# given, whether it is right, and what is said to it as the first wrong guess and as a later one
TABLE = {
    "number": [
        ("1/3", True, "", ""),
        (0.3333, True, "", ""),
        (3, False, "rank", "rank second"),
        ("0.331", False, "near", "near second"),
        ("2", False, "first", "second"),
        ("0.33", None, "Close. Write three decimals, or the fraction itself, such as 1/3.", ""),
        ("x", None, "This is not a number: “x”. Write it as 0.25 or as 1/4.", ""),
        (" ", None, "Enter a number first. Write it as 0.25 or as 1/4.", ""),
        ((0, 5), None, "Python writes decimals with a point: 0.5, not 0,5.", ""),
        (True, None, "This is not a number: “True”. Write it as 0.25 or as 1/4.", ""),
    ],
    "choice": [
        (" B ", True, "", ""),
        ("a", False, "not a", "not a second"),
        ("c", False, "first", "second"),
        ("x", None, "Choose one of these: a, b, c, d.", ""),
    ],
    "several": [
        ("c, a", True, "", ""),
        ({"a", "c"}, True, "", ""),
        (["a"], False, "one", "one second"),
        ("abd", False, "three", "three second"),
        ("abcd", False, "first", "second"),
        ("", None, "Tick one or more of these: a, b, c, d.", ""),
        ("ae", None, "Tick one or more of these: a, b, c, d.", ""),
        (3, None, "Tick one or more of these: a, b, c, d.", ""),
    ],
    "opinion": [("bd", True, "", ""), ("", None, "Tick one or more of these: a, b, c, d.", "")],
    "parts": [
        (["short", "late", "lone", "full"], True, "", ""),
        (["short", "late", "full", "lone"], False, "first", "second"),
        (["late", "lone", "short"], None, "Write a list with each of these 4 items once", ""),
    ],
    "order": [
        (("short", "lone", "late"), True, "", ""),
        (["late", "short", "lone"], False, "late first", "late first second"),
        (["short", "late", "lone"], False, "lone last", "lone last second"),
        (["lone", "short", "late"], False, "first", "second"),
        (["s", "lo", "la"], None, "Write a list with each of these 3 items once", ""),
        ("short", None, "Write a list with each of these 3 items once", ""),
    ],
}
ROWS = [(kind, *row) for kind, rows in TABLE.items() for row in rows]


@pytest.mark.parametrize(("kind", "given", "right", "said", "later"), ROWS)
def test_what_is_right_and_what_is_said(kind, given, right, said, later):
    answer = KINDS[kind]
    refused, guess = answer.refused(given), answer.read(given)
    if right is None:
        assert refused.startswith(said)
        return
    assert (refused, answer.is_right(guess)) == ("", right)
    if not right:
        assert (answer.comment(guess, n=1), answer.comment(guess, n=2)) == (said, later)


def test_an_order_starts_shuffled_and_says_nothing_of_what_is_relevant():
    ranks = Prediction("", KINDS["order"]).page_state()["fixed"]["ranks"]
    assert not any(ranks["fixed"][each] for each in ("grading", "docking", "judged"))
    assert sorted(ranks["order"]) == ["late", "lone", "short"]
    assert ranks["order"] != ["short", "lone", "late"]


def test_what_a_reader_gives_is_kept_as_it_is_entered_and_read_as_what_it_means():
    prediction = Prediction("What is RR?", Number(answer=0.25))
    prediction.set_state({"guesses": ["1", "1/4"]})
    assert (prediction.guess, prediction.right) == (0.25, True)
    order = Prediction("Best first?", Order(answer=["B", "A", "C"]))
    order.guesses = [["B", "A", "C"]]
    assert repr(order) == "Prediction('Best first?'; ['B', 'A', 'C'], right)"


def test_two_decimals_are_enough_unless_the_lesson_asks_for_more():
    quarter = Prediction("?", Number(answer=0.25))
    for guess, right in (("0.254", True), ("0.256", False), ("-0.25", False)):
        quarter.guesses = [guess]
        assert quarter.right is right
