"""Lesson 1, reciprocal rank: its questions' answers."""

from fractions import Fraction

from byhand import reciprocal_rank
from helpers.questions import Exercise, Judged, Number, Task, initials, wrong_items
from helpers.worked_examples import worked_example

_KO = worked_example("ko", "rr")["list"]  # the document's letters: the films begin with them


def _lowest_rr(order: object) -> Judged:
    letters = initials(order)
    if wrong := wrong_items(letters, _KO.ranked):
        return None, wrong
    rr = reciprocal_rank(letters, _KO.relevant)
    if rr > 1 / 6 + 1e-9:
        return False, f"RR = {rr:.4f}. It can get lower: what has to come before the first hit?"
    return True, "RR = 1/6. Five films are not relevant, so the first hit stands at rank 6."


ANSWERS: dict[str, Exercise] = {
    "01-guess": Number(
        answer=Fraction(1, 2),
        why="The first hit is Bakery, at rank 2.",
        hint="Go down the list until you meet a relevant item. At which rank does it stand?",
        second_hint="The first relevant item is Bakery. RR is 1 divided by its rank.",
        slips={
            2: "2 is the rank. RR is 1 divided by it.",
            1: "Attic, at rank 1, is not relevant. Which one is the first that is?",
            Fraction(3, 4): "3 of 4 is how many relevant items were found (the recall).",
            Fraction(3, 8): "3 of 8 is the share of hits in the list (the precision).",
        },
    ),
    "01-a": Number(
        answer=Fraction(1, 3),
        why="The first hit is Compass, at rank 3.",
        hint="Walk down from Lantern. At which rank is the first relevant item? Divide 1 by it.",
        second_hint="Of Bakery, Compass, Kiosk and Zigzag, which comes first here? At which rank?",
        slips={
            3: "3 is the rank of the first hit. The reciprocal rank is 1 divided by it.",
            Fraction(1, 2): "Ranks start at 1: Lantern is at rank 1. Where is Compass?",
            Fraction(1, 5): "Bakery is at rank 5, but Compass is relevant too, and comes first.",
        },
        begins='shuffled = ["Lantern", "Yonder", "Compass", "Attic", "Bakery"]\nanswer = None',
    ),
    "01-b": Number(
        answer=0,
        why="The first two ranks, Lantern and Yonder, hold no hit.",
        hint="Cover everything below rank 2. Is there a hit left to see?",
        second_hint="Two films are left, and no hit. What is the RR of a list without a hit?",
        slips={
            Fraction(1, 3): "That is RR without a cutoff. RR@2 sees only Lantern and Yonder.",
            Fraction(1, 2): "A hit at rank 2 would give 1/2, but Yonder is not relevant.",
        },
    ),
    "01-c": Number(
        answer=Fraction(1, 6),
        why="1/2 - 1/3: from 0.5 to 0.3333.",
        hint="Work out both reciprocal ranks, then subtract.",
        second_hint="RR goes from 1/2 to 1/3. How far is that?",
        slips={
            1: "One rank, but how much RR? Subtract 1/3 from 1/2.",
            Fraction(-1, 6): "A loss of 1/6 it is. Write it without the minus.",
            Fraction(1, 3): "That is the RR after the change. Subtract it from 1/2.",
        },
    ),
    "01-d": Task(
        judge=_lowest_rr,
        second_hint="Every item that is not relevant can stand before the first hit.",
        begins='order = None  # a list such as ["Z", "A", ...]',
    ),
}
