"""Lesson 2, mean reciprocal rank: its questions' answers."""

from fractions import Fraction

from helpers.questions import Exercise, Judged, Number, Task


def _ranks_with_mrr_half(ranks: object) -> Judged:
    if not (
        isinstance(ranks, list | tuple)
        and len(ranks) == 3
        and all(isinstance(rank, int) and rank > 0 for rank in ranks)
    ):
        return None, "Write a list of three ranks, whole numbers from 1, such as [2, 2, 2]."
    mrr = sum(Fraction(1, rank) for rank in ranks) / 3
    if mrr != Fraction(1, 2):
        hint = "The three reciprocal ranks must add up to 3/2. Can that be without a rank 1?"
        if 1 in ranks:
            hint = "One rank is 1. The reciprocals of the other two must add up to 1/2."
        return False, f"MRR = {float(mrr):.4f}. {hint}"
    if len(set(ranks)) == 1:
        return False, "MRR = 1/2, but the ranks are all equal. Try one hit at rank 1."
    return True, f"MRR = 1/2, and the average rank is {sum(ranks) / 3:.2f}, not 2."


ANSWERS: dict[str, Exercise] = {
    "02-guess": Number(
        answer=Fraction(1, 2),
        why="(1/2 + 1 + 0) / 3: Q3 counts as 0.",
        hint="Take the RR of each query first. What does a query count that finds nothing?",
        second_hint="The three reciprocal ranks are 1/2, 1 and 0. MRR is their mean.",
        slips={
            Fraction(3, 4): "You averaged two queries. Q3 found nothing, and counts as 0.",
            Fraction(3, 2): "That is the sum. Divide it by the three queries.",
            Fraction(2, 3): "That is 1 / (average rank). The mean is of the reciprocals.",
        },
    ),
    "02-a": Number(
        answer=Fraction(7, 16),
        why="(1 + 1/2 + 1/4 + 0) / 4.",
        hint="Add the four reciprocal ranks, one of them 0, and divide by 4.",
        second_hint="The four reciprocal ranks are 1, 1/2, 1/4 and 0. What is their mean?",
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
        second_hint="The reciprocal ranks left are 1, 1/2 and 1/4. What is their mean?",
        slips={Fraction(7, 16): "That is the MRR. The program divides by 3, not by 4."},
    ),
    "02-c": Number(
        answer=0.26,
        why="One query of a hundred can move MRR by 0.01 at most.",
        hint="The RR of all queries add up to 25. What do they add up to now?",
        second_hint="One query went from 0 to 1, so the sum is 26. The queries are still 100.",
        slips={
            Fraction(26, 101): "There are still 100 queries: the mended one was counted before.",
            1.25: "The sum grows by 1, so the mean grows by 1/100.",
            26: "That is the sum. Divide it by 100.",
        },
    ),
    "02-d": Task(
        judge=_ranks_with_mrr_half,
        second_hint="Take rank 1, and twice the same rank. Which one has half of 1/2?",
        begins="first_hits = None  # a list of three ranks",
    ),
}
