"""Every worked example of the five documents, as an exact fraction."""

from fractions import Fraction
from math import log2

import pytest

from byhand import (
    average_precision,
    mean_average_precision,
    mean_reciprocal_rank,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
    success,
)


def marked(*hits, length):
    """A list whose relevant items stand at these ranks, and those items."""
    ranked = [f"item {rank}" for rank in range(1, length + 1)]
    return ranked, [ranked[rank - 1] for rank in hits]


KO = (list("ABCLYUFZ"), {"C": 1.0, "K": 1.0, "B": 1.0, "Z": 1.0})
KO_CASES = [KO, (list("NXYBM"), {"E": 1.0, "B": 1.0})]
KO_SUM = Fraction(1, 2) + Fraction(2, 3) + Fraction(3, 8)  # K is never retrieved
D4 = [(["D1", "D4", "D2"], {"D4"}), (["D4", "D2", "D1"], {"D4"}), (["D5", "D3", "D1"], {"D4"})]
PT = [([1, 2, 3, 4], [2]), ([5, 6, 7, 8], [5, 6]), ([9, 10, 11, 12], [11])]
PT_TABLE = {second: ([1, 2, 3, 4], [1, second]) for second in (2, 3, 4)}
TRACIN = [marked(3, 4, length=5), marked(1, 3, length=3), marked(5, length=5)]
TRIPLES = [marked(2, 4, 6, length=7), marked(1, 3, length=4), marked(3, length=3)]
SCENARIOS = [marked(1, 4, 5, length=10), marked(1, 2, 3, length=10)]


@pytest.mark.parametrize(
    ("function", "given", "options", "value"),
    [
        (reciprocal_rank, KO, {"k": 5}, Fraction(1, 2)),
        (mean_reciprocal_rank, [KO_CASES], {}, Fraction(3, 8)),
        (mean_reciprocal_rank, [KO_CASES], {"k": 3}, Fraction(1, 4)),
        (mean_average_precision, [KO_CASES], {"k": 3}, (Fraction(1, 2) + Fraction(2, 3)) / 8),
        (average_precision, KO, {}, KO_SUM / 4),
        (average_precision, KO, {"denominator": "retrieved"}, KO_SUM / 3),
        (precision, KO, {"k": 5}, Fraction(2, 5)),
        (recall, KO, {}, Fraction(3, 4)),
        (success, KO, {"k": 1}, 0),
        (success, KO, {"k": 2}, 1),
        (reciprocal_rank, D4[2], {}, 0),
        (mean_reciprocal_rank, [D4], {}, Fraction(1, 2)),
        (mean_reciprocal_rank, [iter(PT)], {}, Fraction(11, 18)),
        *((reciprocal_rank, case, {}, 1) for case in PT_TABLE.values()),
        (average_precision, PT_TABLE[2], {}, 1),
        (average_precision, PT_TABLE[3], {}, Fraction(5, 6)),
        (average_precision, PT_TABLE[4], {}, Fraction(3, 4)),
        *(
            (ndcg, PT_TABLE[second], {}, (1 + 1 / log2(second + 1)) / (1 + 1 / log2(3)))
            for second in PT_TABLE
        ),
        (mean_reciprocal_rank, [TRACIN], {}, Fraction(23, 45)),
        (average_precision, TRIPLES[0], {}, Fraction(1, 2)),
        (average_precision, TRIPLES[1], {}, Fraction(5, 6)),
        (average_precision, TRIPLES[2], {}, Fraction(1, 3)),
        (mean_average_precision, [TRIPLES], {}, Fraction(5, 9)),
        (average_precision, SCENARIOS[0], {}, Fraction(7, 10)),
        (average_precision, SCENARIOS[1], {}, 1),
        (reciprocal_rank, SCENARIOS[0], {}, 1),
    ],
)
def test_the_documents_lists(function, given, options, value):
    assert function(*given, **options) == pytest.approx(float(value), abs=1e-12, rel=0)
