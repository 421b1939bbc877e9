"""What the notebooks on `ko` and `d4` say of a list that was dragged comes out."""

from fractions import Fraction

import nbformat
import pytest

from byhand import reciprocal_rank, success
from helpers import worked_example
from helpers.measuring import placements
from helpers.places import NOTEBOOKS

KO, D4 = worked_example("ko", "mrr"), worked_example("d4", "mrr")


def moved(lists, query, item, rank=None, metric=reciprocal_rank, **cut):
    """The mean over the lists, an item of one moved to a rank, or taken off without one."""
    values = []
    for name, (ranked, relevant) in lists.items():
        order = [*ranked]
        if name == query:
            order = [each for each in order if each != item]
            if rank:
                order.insert(rank - 1, item)
        values.append(Fraction(metric(order, relevant, **cut)).limit_denominator(1000))
    return sum(values) / len(values)


def rr(order, relevant, k=None):
    return Fraction(reciprocal_rank([*order], {*relevant}, k=k)).limit_denominator(1000)


SAID = {
    "korean-list": {
        "Only RR, from 1/2 to {}.": rr("ALYUFBCZ", "BCKZ"),
        "RR stays at {}: the tutorial is right.": rr("ABLYUF", "BCKZ"),
        "The first two cost more, 1/2 and {}.": rr("AB", "B") - rr("ACB", "B"),
        "and the last one only {}.": Fraction(1, 7) - Fraction(1, 8),
        "with k = 5, RR@5 falls from {} to 0": rr("ACLYBUFZ", "B", k=5),
        "so MRR gains {}. With K": moved(KO, "case 2", "E", 1) - moved(KO, "", ""),
        "case 1 rises from 1/2 to 1, and MRR gains {}.": moved(KO, "case 1", "K", 1)
        - moved(KO, "", ""),
        "its RR falls to 0 and MRR to {}.": moved(KO, "case 2", "B"),
        "RR has {} values for them,": len({*placements("RR", 3, 8)}),
        "AP has {} |": len({*placements("AP", 3, 8)}),
    },
    "d4-queries": {
        "MRR falls from 1/2 to {},": moved(D4, "Q2", "D4", 2),
        "and then only to {}.": moved(D4, "Q2", "D4", 3),
        "from rank 9 to 10 it loses {}.": Fraction(1, 9) - Fraction(1, 10),
        "MRR rises from 1/2 to {}.": moved(D4, "Q3", "D4", 3),
        "it suits recommenders when *only* the top matters | Success@1 is {}, MRR 1/2": moved(
            D4, "", "", metric=success, k=1
        ),
        "RR falls from 1/2 to {}: it also": rr(["D1", "D2", "D4"], D4["Q1"].relevant),
    },
}


@pytest.mark.parametrize(
    ("name", "said", "value"),
    [(name, *each) for name, told in SAID.items() for each in told.items()],
)
def test_what_is_said_of_a_list_that_was_dragged_comes_out(name, said, value):
    cells = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells
    assert said.format(value) in "\n".join(cell.source for cell in cells)


def test_one_d4_makes_mrr_two_thirds_in_two_ways():
    ways = {
        (query, rank)
        for query, (ranked, _) in D4.items()
        for rank in (None, *range(1, len(ranked) + 2))
        if moved(D4, query, "D4", rank) == Fraction(2, 3)
    }
    assert ways == {("Q1", 1), ("Q3", 2)}


def test_with_b_off_both_lists_the_first_case_loses_nothing():
    (ranked, liked), _ = KO.values()
    assert rr([each for each in ranked if each != "B"], liked) == rr(ranked, liked)
