"""Lesson 8, is the difference real: its questions' answers."""

from fractions import Fraction

from helpers.questions import Choice, Exercise, Number

ANSWERS: dict[str, Exercise] = {
    "08-guess": Choice(
        answer="b",
        comments={
            "a": "Less often: most tosses turn some queries round and others not, and cancel out.",
            "b": "6.5% of all that the coins can do get as far. Below you toss them.",
            "c": "More often: only 11 queries differ, and a few large ones make the mean.",
        },
    ),
    "08-a": Number(
        answer=Fraction(1, 4),
        why="Only +++ and --- are as far. Three queries can do no better.",
        hint="Write down all that three coins can do. Which means are as far from 0 as this one?",
        second_hint="There are 8 ways. As far below 0 counts, too.",
        slips={
            Fraction(1, 8): "That is +++ alone. As far below 0 counts, too.",
            Fraction(1, 2): "Turn round the smallest difference: is the mean still as far from 0?",
        },
    ),
    "08-b": Choice(
        answer="b",
        comments={
            "a": "p is computed as if they were equally good. It is no probability of that.",
            "b": "That is what p is: how rare the result would be if it made no difference.",
            "c": "p does not say how large a difference is. Look at the interval.",
        },
        second_hint="What was supposed when the coins were tossed?",
    ),
    "08-c": Number(
        answer=800,
        within=70,  # by 1.96 times the spread, over 0.013: 737 to 774
        why="Half the width takes four times the queries.",
        hint="The width goes with 1 over the square root of the number of queries.",
        second_hint="Half as wide: what number has a square root of 2?",
        slips={
            400: "Twice as many queries divide the width by the square root of 2 only.",
            100: "Fewer queries make it wider.",
        },
    ),
}
