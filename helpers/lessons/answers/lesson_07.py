"""Lesson 7, the tourist spots: its questions' answers."""

from fractions import Fraction

from helpers.lessons.questions import Exercise, Judged, Number, Task, wrong_items
from helpers.metrics.measures.rr import reciprocal_rank

_STEINS_GATE = ["S001", "S003", "S004", "S002"]
_LOVE_LIVE = ["S005", "S007", "S006", "S008"]


def _lowest_corrected(order: object) -> Judged:
    if wrong := wrong_items(order, sorted([*_STEINS_GATE, *_LOVE_LIVE])):
        return None, wrong
    average = sum(reciprocal_rank(order, theme) for theme in (_STEINS_GATE, _LOVE_LIVE)) / 2
    if average > 0.6 + 1e-9:
        return False, f"the average is {average:.4f}. How late can the second theme begin?"
    return True, "0.6. All four spots of one theme come first, then the other theme."


ANSWERS: dict[str, Exercise] = {
    "07-guess": Number(
        answer=Fraction(3, 4),
        why="One theme begins at rank 1, the other at rank 2: (1 + 1/2) / 2.",
        hint="At which rank does each of the two themes begin?",
        second_hint="One theme begins at rank 1, the other at rank 2. Take the mean of 1 and 1/2.",
        slips={
            1: "Only one theme begins at rank 1. Where does the other begin?",
            Fraction(2, 3): "That is 1 / (average rank). Take the mean of the reciprocals.",
            Fraction(3, 2): "That is the sum. Take the mean.",
            Fraction(5, 12): "That is the original procedure. Here any spot of a theme counts.",
        },
    ),
    "07-a": Number(
        answer=(1 + Fraction(1, 4) + Fraction(1, 7)) / 3,
        why="The themes begin at ranks 1, 4 and 7.",
        hint="Put all spots of one theme first, then the next theme. At which ranks do they begin?",
        second_hint="The themes begin at ranks 1, 4 and 7. Take the mean of the reciprocal ranks.",
        slips={
            Fraction(3, 5): "0.6 is for two themes of four spots. Here three themes have three.",
            (1 + Fraction(1, 4) + Fraction(1, 7)): "That is the sum. Divide by the three themes.",
        },
    ),
    "07-b": Number(
        answer=Fraction(25, 48),
        why="Each of the four ranks is as likely: (1 + 1/2 + 1/3 + 1/4) / 4.",
        hint="The spot is at rank 1, 2, 3 or 4, each as likely. Average the reciprocal ranks.",
        second_hint="Add up 1, 1/2, 1/3 and 1/4, and divide by how many they are.",
        slips={
            Fraction(2, 5): "That is 1 / (average rank). Average the reciprocal ranks.",
            Fraction(25, 12): "That is the sum. Each of the four has chance 1/4.",
        },
    ),
    "07-c": Task(
        judge=_lowest_corrected,
        second_hint="The second theme begins late if nothing of it stands among the first.",
    ),
}
