"""Lesson 3, average precision: its questions' answers."""

from fractions import Fraction
from numbers import Real

from byhand import average_precision, reciprocal_rank
from helpers.questions import Exercise, Judged, Number, Task, wrong_items

_SOUPS = {"roasted", "creamy", "gazpacho"}


def _best_ap_with_rr_half(order: object) -> Judged:
    if wrong := wrong_items(order, ["salad", "sauce", "bread", *sorted(_SOUPS)]):
        return None, wrong
    rr, ap = reciprocal_rank(order, _SOUPS), average_precision(order, _SOUPS)
    if rr != 0.5:
        return False, f"RR = {rr:.4f}. For 1/2 the first hit has to be at rank 2."
    if ap < 23 / 36 - 1e-9:
        return False, f"RR = 1/2, AP = {ap:.4f}. AP can get higher: move the later hits up."
    return True, "RR = 1/2 and AP = 23/36 = 0.6389."


def _is_ap(function: object) -> Judged:
    if not callable(function):
        return None, "Pass the function itself: check('03-d', my_ap)."
    for ranks, n_relevant, expected in (
        ([1, 4, 5], 3, Fraction(7, 10)),
        ([2, 3, 8], 4, Fraction(37, 96)),
        ([], 2, Fraction(0)),
    ):
        call = f"my_ap({ranks}, {n_relevant})"
        try:
            found = function(ranks, n_relevant)
        except Exception as error:  # whatever the reader's own function does
            return False, f"{call} ends in {type(error).__name__}: {error}."
        if found is None:
            return None, f"No answer yet: {call} returns None. Let it return a number."
        if isinstance(found, bool) or not isinstance(found, Real):
            return False, f"{call} returns {found!r}. It should return a number."
        if not abs(found - expected) <= 1e-9:
            return False, (
                f"{call} is {float(found):.6g}, expected {float(expected):.6g}. The i-th hit, at "
                "rank r, adds i / r. Divide the sum by n_relevant, and do not round."
            )
    return True, "it agrees on scenario A, on the films of lesson 1, and on a list without hits."


ANSWERS: dict[str, Exercise] = {
    "03-guess": Number(
        answer=Fraction(7, 10),
        why="(1/1 + 2/4 + 3/5) / 3.",
        hint="At each hit, take the precision: the hits so far over the rank.",
        second_hint="The precisions at ranks 1, 4 and 5 are 1, 1/2 and 3/5. AP is their mean.",
        slips={
            Fraction(11, 15): "The document has that number too. Add again: 1 + 0.5 + 0.6.",
            2.1: "That is the sum. Divide it by the three relevant items.",
            Fraction(21, 100): "Divide by the relevant items, 3, not by the ten ranks.",
            Fraction(3, 10): "That is P@10, the share of hits in the list.",
            1: "AP looks at the later hits, too. They are at ranks 4 and 5.",
        },
    ),
    "03-a": Number(
        answer=Fraction(3, 4),
        why="(1/1 + 2/4) / 2.",
        hint="At each hit, take the hits so far over the rank. Which two precisions are that?",
        second_hint="The precisions at the hits are 1/1 and 2/4. Add them, divide by 2.",
        slips={
            Fraction(3, 2): "That is the sum. Divide by the number of relevant items.",
            Fraction(5, 8): "At rank 4 there are two hits so far: the precision is 2/4, not 1/4.",
            Fraction(3, 8): "Divide by the 2 relevant items, not by the 4 ranks.",
            Fraction(7, 12): "That is the mean precision over all four ranks. The tutorial's "
            "words read like that, but its table does not: only the ranks with a hit count.",
            Fraction(1, 2): "That is P@4. AP looks at precision at each hit.",
        },
        begins='ranked, relevant = ["1", "2", "3", "4"], ["1", "4"]\nanswer = None',
    ),
    "03-b": Number(
        answer=Fraction(3, 8),
        why="The same sum, 3/2, now divided by 4.",
        hint="The hits are the same. What do you divide by?",
        second_hint="The precisions still add up to 3/2. How many items are relevant now?",
        slips={Fraction(3, 4): "The two that were never retrieved are relevant, too: divide by 4."},
    ),
    "03-c": Task(
        judge=_best_ap_with_rr_half,
        second_hint="Rank 1 has to be a miss. Which ranks are the best for three hits then?",
        begins='order = None  # a list such as ["sauce", "creamy", ...]',
    ),
    "03-d": Task(
        judge=_is_ap,
        second_hint="enumerate(ranks, start=1) gives i and r together. A sum of nothing is 0.",
        begins="def my_ap(ranks, n_relevant):\n    return None\n",
    ),
}
