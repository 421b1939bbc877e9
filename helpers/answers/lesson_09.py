"""Lesson 9, TracIn at scale: its questions' answers."""

from fractions import Fraction

from byhand.metrics.chance import chance
from helpers.questions import Choice, Exercise, Number

ANSWERS: dict[str, Exercise] = {
    "09-guess": Choice(
        answer="c",
        comments={
            "a": "More. The first of 17 edges is likely to stand much higher than that of 2.",
            "b": "More. The first of 17 edges is likely to stand much higher than that of 2.",
            "c": "6.2, without any skill.",
        },
    ),
    "09-a": Number(
        answer=Fraction(137, 300),
        why="(1 + 1/2 + 1/3 + 1/4 + 1/5) / 5.",
        hint="Each of the five ranks is as likely. Average the five reciprocal ranks.",
        second_hint="Add up 1, 1/2, 1/3, 1/4 and 1/5, and divide by how many they are.",
        slips={
            Fraction(1, 3): "That is 1 / (average rank). Average the reciprocal ranks.",
            Fraction(1, 5): "That is the chance of rank 1. Average over all five ranks.",
            Fraction(137, 60): "That is the sum. Divide it by 5.",
        },
    ),
    "09-b": Number(
        answer=0.02 / chance(1000, 17),
        why="The chance level is 0.0709, and 0.02 is far below it.",
        hint="chance(1000, 17) is the expected RR of a random order. Divide 0.02 by it.",
        second_hint="The chance level is about 0.0709. The lift is 0.02 divided by it.",
        slips={
            chance(1000, 17): "That is the chance level. Divide 0.02 by it.",
            chance(1000, 17) / 0.02: "The other way round: MRR divided by the chance level.",
        },
    ),
    "09-c": Choice(
        answer="b",
        comments={
            "a": "The test compared two data sets, and neither of them with chance.",
            "b": "And it does not say why they are.",
            "c": "p is computed as if there were no difference. It is no probability of that.",
        },
        second_hint="Did the test compare the method with chance, or one group with another?",
    ),
}
