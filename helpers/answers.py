"""The answers to the lessons' questions, with what to say of the wrong ones."""

from collections.abc import Sequence
from fractions import Fraction
from math import log2
from numbers import Real

from helpers.documents import worked_example
from helpers.exercises import Choice, Exercise, Number, Task
from helpers.measures import average_precision, ndcg, reciprocal_rank

_KO = worked_example("ko", "rr")["list"]
_GRADES = {"a": 3, "b": 2, "c": 3, "d": 0, "e": 1, "f": 2, "g": 3, "h": 2}


def _wrong_items(order: object, items: Sequence[str]) -> str:
    """What to say if `order` is not an order of these items; nothing if it is."""
    if isinstance(order, list | tuple) and sorted(map(str, order)) == sorted(items):
        return ""
    return (
        f"Write a list with each of these {len(items)} items once, in an order of yours: {items}."
    )


def _lowest_rr(order: object) -> tuple[bool, str]:
    if wrong := _wrong_items(order, _KO.ranked):
        return False, wrong
    rr = reciprocal_rank(order, _KO.relevant)
    if rr > 1 / 6 + 1e-9:
        return False, f"RR = {rr:.4f}. It can get lower: what has to come before the first hit?"
    return True, "RR = 1/6. Five items are not relevant, so the first hit stands at rank 6."


def _ranks_with_mrr_half(ranks: object) -> tuple[bool, str]:
    if not (
        isinstance(ranks, list | tuple)
        and len(ranks) == 3
        and all(isinstance(rank, int) and rank > 0 for rank in ranks)
    ):
        return False, "Write a list of three ranks, whole numbers from 1, such as [2, 2, 2]."
    mrr = sum(Fraction(1, rank) for rank in ranks) / 3
    if mrr != Fraction(1, 2):
        hint = "The three reciprocal ranks must add up to 3/2. Can that be without a rank 1?"
        if 1 in ranks:
            hint = "One rank is 1. The reciprocals of the other two must add up to 1/2."
        return False, f"MRR = {float(mrr):.4f}. {hint}"
    if len(set(ranks)) == 1:
        return False, "MRR = 1/2, but the ranks are all equal. Try one hit at rank 1."
    return True, f"MRR = 1/2, and the average rank is {sum(ranks) / 3:.2f}, not 2."


def _best_ap_with_rr_half(order: object) -> tuple[bool, str]:
    if wrong := _wrong_items(order, list("abcdef")):
        return False, wrong
    rr, ap = reciprocal_rank(order, set("abc")), average_precision(order, set("abc"))
    if rr != 0.5:
        return False, f"RR = {rr:.4f}. For 1/2 the first hit has to be at rank 2."
    if ap < 23 / 36 - 1e-9:
        return False, f"RR = 1/2, AP = {ap:.4f}. AP can get higher: move the later hits up."
    return True, "RR = 1/2 and AP = 23/36 = 0.6389."


def _is_ap(function: object) -> tuple[bool, str]:
    if not callable(function):
        return False, "Pass the function itself: check('03-d', my_ap)."
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
        if isinstance(found, bool) or not isinstance(found, Real):
            return False, f"{call} returns {found!r}. It should return a number."
        if not abs(found - expected) <= 1e-9:
            return False, (
                f"{call} is {float(found):.6g}, expected {float(expected):.6g}. The i-th hit, at "
                "rank r, adds i / r. Divide the sum by n_relevant, and do not round."
            )
    return True, "it agrees on scenario A, on the Korean list, and on a list without hits."


def _lowest_ndcg(order: object) -> tuple[bool, str]:
    if wrong := _wrong_items(order, list("abcdef")):
        return False, wrong
    upside_down = ["d", "e", "b", "f", "a", "c"]
    value, lowest = (ndcg(items, _GRADES, k=6) for items in (order, upside_down))
    if value > lowest + 1e-9:
        return False, f"nDCG@6 = {value:.4f}. It can get lower: where should grade 3 stand?"
    return True, f"nDCG@6 = {value:.4f}, still far from 0."


ANSWERS: dict[str, Exercise] = {
    "01-guess": Number(
        answer=Fraction(1, 2),
        why="The first hit is B, at rank 2.",
        hint="The first hit is B, at rank 2, so RR is 1/2.",
        slips={
            2: "2 is the rank. RR is 1 divided by it: 1/2.",
            1: "Item A, at rank 1, is not relevant. The first hit is B, at rank 2: RR is 1/2.",
            Fraction(3, 4): "3 of 4 is how many relevant items were found (the recall). RR is 1/2.",
            Fraction(3, 8): "3 of 8 is the share of hits in the list (the precision). RR is 1/2.",
        },
    ),
    "01-a": Number(
        answer=Fraction(1, 3),
        why="The first hit is C, at rank 3.",
        hint="Walk down from L. At which rank is the first item that is relevant? Divide 1 by it.",
        slips={
            3: "3 is the rank of the first hit. The reciprocal rank is 1 divided by it.",
            Fraction(1, 2): "Ranks start at 1: L is at rank 1, Y at rank 2. Where is C?",
            Fraction(1, 5): "B stands at rank 5, but C is relevant too, and comes first.",
        },
    ),
    "01-b": Number(
        answer=0,
        why="The first two ranks, L and Y, hold no hit.",
        hint="Cover everything below rank 2. Is there a hit left to see?",
        slips={
            Fraction(1, 3): "That is RR without a cutoff. RR@2 sees only L and Y.",
            Fraction(1, 2): "A hit at rank 2 would give 1/2, but Y is not relevant.",
        },
    ),
    "01-c": Number(
        answer=Fraction(1, 6),
        why="1/2 - 1/3: from 0.5 to 0.3333.",
        hint="Work out both reciprocal ranks, then subtract.",
        slips={
            1: "One rank, but how much RR? Subtract 1/3 from 1/2.",
            Fraction(-1, 6): "A loss of 1/6 it is. Write it without the minus.",
            Fraction(1, 3): "That is the RR after the change. Subtract it from 1/2.",
        },
    ),
    "01-d": Task(judge=_lowest_rr),
    "02-guess": Number(
        answer=Fraction(1, 2),
        why="(1/2 + 1 + 0) / 3: Q3 counts as 0.",
        hint="The three reciprocal ranks are 1/2, 1 and 0. Their mean is 1/2.",
        slips={
            Fraction(3, 4): "You averaged two queries. Q3 found nothing, and counts as 0: 1/2.",
            Fraction(3, 2): "That is the sum. Divide it by the three queries: 1/2.",
            Fraction(2, 3): "That is 1 / (average rank). The mean is of the reciprocals: 1/2.",
        },
    ),
    "02-a": Number(
        answer=Fraction(7, 16),
        why="(1 + 1/2 + 1/4 + 0) / 4.",
        hint="Add the four reciprocal ranks, one of them 0, and divide by 4.",
        slips={
            Fraction(7, 12): "You divided by 3. The query that finds nothing counts, too.",
            Fraction(7, 4): "That is the sum. Now divide by the number of queries.",
            Fraction(3, 7): "That is 1 / (average rank). Take the mean of the reciprocals.",
        },
    ),
    "02-b": Number(
        answer=Fraction(7, 12),
        why="A quarter of the queries fail, and the number goes up.",
        hint="Only three queries are left. Take the mean of their reciprocal ranks.",
        slips={Fraction(7, 16): "That is the MRR. The program divides by 3, not by 4."},
    ),
    "02-c": Number(
        answer=0.26,
        why="One query of a hundred can move MRR by 0.01 at most.",
        hint="The RR of all queries add up to 25. What do they add up to now?",
        slips={
            Fraction(26, 101): "There are still 100 queries: the mended one was counted before.",
            1.25: "The sum grows by 1, so the mean grows by 1/100.",
            26: "That is the sum. Divide it by 100.",
        },
    ),
    "02-d": Task(judge=_ranks_with_mrr_half),
    "03-guess": Number(
        answer=Fraction(7, 10),
        why="(1/1 + 2/4 + 3/5) / 3.",
        hint="Add the precisions at ranks 1, 4 and 5, and divide by 3. That gives 0.7.",
        slips={
            Fraction(11, 15): "The document has that number too. Add again: 1 + 0.5 + 0.6 is 2.1.",
            2.1: "That is the sum. Divide it by the three relevant items: 0.7.",
            Fraction(21, 100): "Divide by the relevant items, 3, not by the ten ranks: 0.7.",
            Fraction(3, 10): "That is P@10, the share of hits in the list. AP is 0.7.",
            1: "AP looks at the later hits, too. They are at ranks 4 and 5: AP is 0.7.",
        },
    ),
    "03-a": Number(
        answer=Fraction(3, 4),
        why="(1/1 + 2/4) / 2.",
        hint="The precisions at the hits are 1/1 and 2/4. Add them, divide by 2.",
        slips={
            Fraction(3, 2): "That is the sum. Divide by the number of relevant items.",
            Fraction(5, 8): "At rank 4 there are two hits so far: the precision is 2/4, not 1/4.",
            Fraction(3, 8): "Divide by the 2 relevant items, not by the 4 ranks.",
            Fraction(7, 12): "That is the mean precision over all four ranks. The tutorial's "
            "words read like that, but its table does not: only the ranks with a hit count.",
            Fraction(1, 2): "That is P@4. AP looks at precision at each hit.",
        },
    ),
    "03-b": Number(
        answer=Fraction(3, 8),
        why="The same sum, 3/2, now divided by 4.",
        hint="The hits are the same. What do you divide by?",
        slips={Fraction(3, 4): "The two that were never retrieved are relevant, too: divide by 4."},
    ),
    "03-c": Task(judge=_best_ap_with_rr_half),
    "03-d": Task(judge=_is_ap),
    "04-guess": Choice(
        answer="a",
        comments={
            "a": "Between ranks 2 and 3 the discount falls most of the three, by 0.13.",
            "b": "That gains 0.0438. The discount falls faster near the top: a gains 0.1309.",
            "c": "That gains 0.0306. The discount falls faster near the top: a gains 0.1309.",
        },
    ),
    "04-a": Number(
        answer=Fraction(1, 2),
        why="The discount at rank 3 is 1 / log2(4), and the ideal DCG is 1.",
        hint="The ideal puts it at rank 1, worth 1. What is the discount at rank 3?",
        slips={
            Fraction(1, 3): "That is RR. The discount at rank 3 is 1 / log2(3 + 1).",
            1 / log2(3): "That is the discount at rank 2. At rank r it is 1 / log2(r + 1).",
        },
    ),
    "04-b": Number(
        answer=4,
        why="3 x 1 + 0 + 2 x 0.5.",
        hint="The discounts at ranks 1, 2 and 3 are 1, 0.6309 and 0.5.",
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
        slips={
            4: "That is the DCG. Divide it by the DCG of the ideal order.",
            Fraction(4, 5): "5 is the sum of the grades. The ideal DCG discounts them, too.",
        },
    ),
    "04-d": Task(judge=_lowest_ndcg),
}
