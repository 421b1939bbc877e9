"""Every worked example of the five documents, as an exact fraction."""

from fractions import Fraction
from math import log2

import pytest

from byhand import (
    average_precision,
    dcg,
    mean_average_precision,
    mean_reciprocal_rank,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
    success,
)


def exactly(value):
    return pytest.approx(float(value), abs=1e-12, rel=0)


def marked(*hits, length):
    """A list whose relevant items stand at these ranks, and those items."""
    ranked = [f"item {rank}" for rank in range(1, length + 1)]
    return ranked, [ranked[rank - 1] for rank in hits]


KO = (list("ABCLYUFZ"), {"C": 1.0, "K": 1.0, "B": 1.0, "Z": 1.0})
KO_CASES = [KO, (list("NXYBM"), {"E": 1.0, "B": 1.0})]


def test_ko_reciprocal_rank_at_5_is_one_half():
    assert reciprocal_rank(*KO, k=5) == exactly(Fraction(1, 2))


def test_ko_mean_of_two_cases_is_three_eighths():
    assert mean_reciprocal_rank(KO_CASES) == exactly(Fraction(3, 8))


def test_ko_mean_with_a_cutoff():
    assert mean_reciprocal_rank(KO_CASES, k=3) == exactly(Fraction(1, 4))
    assert mean_average_precision(KO_CASES, k=3) == exactly((Fraction(1, 2) + Fraction(2, 3)) / 8)


def test_ko_item_never_retrieved_counts_in_the_denominator():
    assert average_precision(*KO) == exactly((Fraction(1, 2) + Fraction(2, 3) + Fraction(3, 8)) / 4)


def test_ko_divided_by_the_items_found_forgets_the_one_that_was_not():
    found = average_precision(*KO, denominator="retrieved")
    assert found == exactly((Fraction(1, 2) + Fraction(2, 3) + Fraction(3, 8)) / 3)


def test_ko_precision_recall_and_success():
    assert precision(*KO, k=5) == exactly(Fraction(2, 5))
    assert recall(*KO) == exactly(Fraction(3, 4))
    assert (success(*KO, k=1), success(*KO, k=2)) == (0.0, 1.0)


D4 = [(["D1", "D4", "D2"], {"D4"}), (["D4", "D2", "D1"], {"D4"}), (["D5", "D3", "D1"], {"D4"})]


def test_d4_queries_count_the_one_that_found_nothing():
    assert [reciprocal_rank(*case) for case in D4] == [0.5, 1.0, 0.0]
    assert mean_reciprocal_rank(D4) == exactly(Fraction(1, 2))


def test_pt_three_users():
    lists = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
    cases = zip(lists, [[2], [5, 6], [11]], strict=True)
    assert mean_reciprocal_rank(cases) == exactly(Fraction(11, 18))


@pytest.mark.parametrize(
    ("relevant", "rank_of_second", "ap", "printed_ndcg", "printed_ap"),
    [
        ([1, 2], 2, Fraction(1), 1.0, 1.0),
        ([1, 3], 3, Fraction(5, 6), 0.919721, 0.833333),
        ([1, 4], 4, Fraction(3, 4), 0.877215, 0.75),
    ],
)
def test_pt_table(relevant, rank_of_second, ap, printed_ndcg, printed_ap):
    ranked = [1, 2, 3, 4]
    closed_form = (1 + 1 / log2(rank_of_second + 1)) / (1 + 1 / log2(3))
    assert reciprocal_rank(ranked, relevant) == 1.0
    assert ndcg(ranked, relevant) == exactly(closed_form)
    assert average_precision(ranked, relevant) == exactly(ap)
    assert round(ndcg(ranked, relevant), 6) == printed_ndcg
    assert round(average_precision(ranked, relevant), 6) == printed_ap


def test_tracin_mean_reciprocal_rank():
    cases = [marked(3, 4, length=5), marked(1, 3, length=3), marked(5, length=5)]
    assert mean_reciprocal_rank(cases) == exactly(Fraction(23, 45))


TRIPLES = [marked(2, 4, 6, length=7), marked(1, 3, length=4), marked(3, length=3)]


@pytest.mark.parametrize(
    ("triple", "expected"),
    list(zip(TRIPLES, [Fraction(1, 2), Fraction(5, 6), Fraction(1, 3)], strict=True)),
)
def test_tracin_average_precision(triple, expected):
    assert average_precision(*triple) == exactly(expected)


def test_tracin_mean_average_precision():
    assert mean_average_precision(TRIPLES) == exactly(Fraction(5, 9))


@pytest.mark.parametrize(("hits", "ap"), [((1, 4, 5), Fraction(7, 10)), ((1, 2, 3), Fraction(1))])
def test_tracin_scenarios_differ_in_ap_only(hits, ap):
    scenario = marked(*hits, length=10)
    assert reciprocal_rank(*scenario) == 1.0
    assert average_precision(*scenario) == exactly(ap)


GRADED = (list("abcdef"), {"a": 3, "b": 2, "c": 3, "d": 0, "e": 1, "f": 2, "g": 3, "h": 2})


def graded_dcg(grades, worth):
    return sum(worth(grade) / log2(rank + 1) for rank, grade in enumerate(grades, start=1))


@pytest.mark.parametrize(
    ("gain", "ideal", "best", "printed"),
    [
        ("linear", "judged", [3, 3, 3, 2, 2, 2], 0.785),
        ("linear", "retrieved", [3, 3, 2, 2, 1, 0], 0.961),
        ("exponential", "judged", [3, 3, 3, 2, 2, 2], 0.751),
        ("exponential", "retrieved", [3, 3, 2, 2, 1, 0], 0.949),
    ],
)
def test_graded_list_under_two_gains_and_two_ideals(gain, ideal, best, printed):
    worth = {"linear": lambda grade: grade, "exponential": lambda grade: 2**grade - 1}[gain]
    found = graded_dcg([3, 2, 3, 0, 1, 2], worth)
    assert dcg(*GRADED, k=6, gain=gain) == exactly(found)
    assert ndcg(*GRADED, k=6, gain=gain, ideal=ideal) == exactly(found / graded_dcg(best, worth))
    assert round(ndcg(*GRADED, k=6, gain=gain, ideal=ideal), 3) == printed


@pytest.mark.parametrize(
    ("denominator", "expected"),
    [("relevant", Fraction(1, 20)), ("capped", Fraction(1, 10)), ("retrieved", Fraction(1))],
)
def test_one_hit_of_twenty_under_three_denominators(denominator, expected):
    ranked = [f"d{i}" for i in range(10)]
    relevant = ["d0", *(f"other {i}" for i in range(19))]
    assert average_precision(ranked, relevant, k=10, denominator=denominator) == exactly(expected)
    mean = mean_average_precision([(ranked, relevant)] * 2, k=10, denominator=denominator)
    assert mean == exactly(expected)


def test_capped_denominator_is_the_smaller_of_relevant_and_cutoff():
    ranked, relevant = marked(1, 3, length=6)
    assert average_precision(ranked, relevant, k=5, denominator="capped") == exactly(Fraction(5, 6))
    assert average_precision(ranked, relevant, k=1, denominator="capped") == exactly(1)
    assert average_precision(ranked, relevant, denominator="capped") == exactly(Fraction(5, 6))
