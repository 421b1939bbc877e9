"""Lesson 6, why tools disagree: its questions' answers."""

from fractions import Fraction

from helpers.questions import Choice, Exercise, Number

ANSWERS: dict[str, Exercise] = {
    "06-guess": Choice(
        answer="d",
        comments={
            "a": "Some tools say so: they divide by all 20. Do all tools?",
            "b": "Some tools say so: they divide by min(20, 10). Do all tools?",
            "c": "Some tools say so: they divide by the one hit. Do all tools?",
            "d": "0.05, 0.1 or 1: each is what some well-known tool gives.",
        },
    ),
    "06-a": Number(
        answer=Fraction(1, 2),
        why="The precisions 1 and 1 add up to 2, and min(4, 5) is 4.",
        hint="Add up the precisions at the two hits. Which is smaller, R or k?",
        second_hint="The precisions at the hits are 1/1 and 2/2. Divide their sum by min(4, 5).",
        slips={
            Fraction(2, 5): "min(4, 5) is 4: divide by that.",
            1: "That divides by the two hits. Here the divisor is min(R, k).",
            2: "That is the sum. Divide it by min(R, k).",
        },
    ),
    "06-b": Number(
        answer=Fraction(25, 48),
        why="(1 + 1/2 + 1/3 + 1/4) / 4.",
        hint="The item is at rank 1, 2, 3 or 4, each as likely. Average the reciprocal ranks.",
        second_hint="Add up 1, 1/2, 1/3 and 1/4, and divide by how many they are.",
        slips={
            Fraction(2, 5): "That is 1 / (average rank). Average the reciprocal ranks.",
            Fraction(1, 4): "That is the worst value. Average over the four ranks.",
            1: "That is the best value. Average over the four ranks.",
        },
    ),
    "06-c": Choice(
        answer="b",
        comments={
            "a": "Neither tool does, unless the grades are transformed first.",
            "b": "It gets rows with grades, and takes them for all there is: a smaller ideal.",
            "c": "No: the discount is 1 / log2(rank + 1) in both.",
        },
        second_hint="What does each tool get to see: all that was judged, or what was retrieved?",
    ),
}
