"""Lesson 4, nDCG: its questions' answers."""

from fractions import Fraction
from math import log2

from byhand import ndcg
from helpers.questions import Choice, Exercise, Judged, Number, Task, initials, wrong_items

# by the letters that the lasagnes begin with; the last two were not retrieved
_GRADES = {"a": 3, "b": 2, "c": 3, "d": 0, "e": 1, "f": 2, "g": 3, "h": 2}


def _lowest_ndcg(order: object) -> Judged:
    letters = initials(order)
    if wrong := wrong_items(letters, list("abcdef")):
        return None, wrong
    value, lowest = (ndcg(list(items), _GRADES, k=6) for items in (letters, "debfac"))
    if value > lowest + 1e-9:
        return False, f"nDCG@6 = {value:.4f}. It can get lower: where should grade 3 stand?"
    return True, f"nDCG@6 = {value:.4f}, still far from 0."


ANSWERS: dict[str, Exercise] = {
    "04-guess": Choice(
        answer="a",
        comments={
            "a": "Between ranks 2 and 3 the discount falls most of the three, by 0.13.",
            "b": "That gains 0.0438. Where does the discount fall faster?",
            "c": "That gains 0.0306. Where does the discount fall faster?",
        },
    ),
    "04-a": Number(
        answer=Fraction(1, 2),
        why="The discount at rank 3 is 1 / log2(4), and the ideal DCG is 1.",
        hint="The ideal puts it at rank 1, worth 1. What is the discount at rank 3?",
        second_hint="The discount at rank 3 is 1 / log2(3 + 1). Which power of 2 gives 4?",
        slips={
            Fraction(1, 3): "That is RR. The discount at rank 3 is 1 / log2(3 + 1).",
            1 / log2(3): "That is the discount at rank 2. At rank r it is 1 / log2(r + 1).",
        },
    ),
    "04-b": Number(
        answer=4,
        why="3 x 1 + 0 + 2 x 0.5.",
        hint="The discounts at ranks 1, 2 and 3 are 1, 0.6309 and 0.5.",
        second_hint="Multiply each grade by its discount: 3 x 1, 0 x 0.6309, 2 x 0.5. Then add.",
        slips={
            5: "That is the sum of the grades. Multiply each by its discount first.",
            3 + 2 / 3: "Divide by log2(rank + 1), not by the rank.",
            8.5: "That has the exponential gain. Take the grade itself.",
        },
    ),
    "04-c": Number(
        answer=4 / (3 + 2 / log2(3)),
        why="The ideal order has the grades 3, 2, 0 and a DCG of 4.2619.",
        hint="The DCG is 4. Sort the grades, work out the DCG of that order, and divide.",
        second_hint="The ideal order is 3, 2, 0: its DCG is 3 + 2 x 0.6309. Divide 4 by it.",
        slips={
            4: "That is the DCG. Divide it by the DCG of the ideal order.",
            Fraction(4, 5): "5 is the sum of the grades. The ideal DCG discounts them, too.",
        },
    ),
    "04-d": Task(
        judge=_lowest_ndcg,
        second_hint="The best grades belong where the discount is lowest. Sort by grade.",
        begins='order = None  # a list such as ["f", "a", ...]',
    ),
}
