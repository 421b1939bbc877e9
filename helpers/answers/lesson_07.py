"""Lesson 7, the tourist spots: its questions' answers."""

from fractions import Fraction

from helpers.questions import Exercise, Number

ANSWERS: dict[str, Exercise] = {
    "07-guess": Number(
        answer=Fraction(3, 5),
        why="One theme is always at rank 1. The other begins at rank 5 at the latest.",
        hint="Which theme does the spot at rank 1 belong to? And how late can the other begin?",
        second_hint="One theme begins at rank 1, the other at rank 5 at the latest. Average 1/1 "
        "and 1/5.",
        slips={
            0: "Whatever stands at rank 1 belongs to one of the themes.",
            Fraction(1, 5): "That is the theme that begins last. Average it with the other one.",
            Fraction(1, 2): "Nearly: a theme that never came would give 0. Here both come.",
            Fraction(9, 16): "A theme has four spots: the first of them cannot be as late as 8.",
            Fraction(3, 4): "That is what the two rankings got. Can the second theme come later?",
            Fraction(6, 5): "That is the sum. Take the mean.",
            Fraction(1, 3): "That is 1 / (average rank). Take the mean of the reciprocals.",
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
        why="Each of the four ranks is as likely: (1 + 1/2 + 1/3 + 1/4) / 4. "
        "Both scores, 0.4167 and 0.2917, stay below it.",
        hint="The spot is at rank 1, 2, 3 or 4, each as likely. Average the reciprocal ranks.",
        second_hint="Add up 1, 1/2, 1/3 and 1/4, and divide by how many they are.",
        slips={
            Fraction(2, 5): "That is 1 / (average rank). Average the reciprocal ranks.",
            Fraction(25, 12): "That is the sum. Each of the four has chance 1/4.",
        },
    ),
}
