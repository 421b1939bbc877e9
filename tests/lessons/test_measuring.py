"""The words that the record's values are computed in: what each gives, and what none can."""

import math
from fractions import Fraction

import pytest

from byhand import DataError
from helpers import documented_values, record
from helpers.measuring import (
    average,
    chance_ratio,
    exact,
    graded,
    hits,
    impossible_originals,
    inverse_mrr,
    least_gain,
    lists,
    mean,
    mean_of_printed,
    measured,
    of,
    ordered_differently,
    other_theme,
    pairs_won,
    placements,
    possible,
    precision,
    rank,
    scattered,
    share_on_top,
    tied,
    told_apart,
    values,
    walks_that_differ,
)
from helpers.printed_values import printed
from helpers.spots import corrected_value, mixed_orders, most_visited, orders_within, original_value

COMES_TO = [
    (lambda: of("AP", "tracin/scenarios", "A"), Fraction(7, 10)),
    (lambda: values("RR", "d4/mrr")[:2], [Fraction(1, 2), 1]),
    (lambda: mean("RR", "ko/mrr"), Fraction(3, 8)),
    (lambda: rank(3, "tracin/map", "triple 1"), 6),
    (lambda: precision(2, "tracin/map", "triple 2"), Fraction(2, 3)),
    (lambda: len(lists("ko/rr")["list"].relevant), 4),
    (lambda: measured("RR", ["d", "a", "b"], {"b"}), Fraction(1, 3)),
    (lambda: hits("AP", [1, 4, 5], 10), Fraction(7, 10)),
    (lambda: graded("RR", 0, 3), Fraction(1, 2)),
    (lambda: placements("RR", 1, 4), [1, Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)]),
    (lambda: min(possible("nDCG")), 0),
    (lambda: told_apart("RR"), 3),
    (lambda: ordered_differently("RR", "RR@9"), 0),
    (lambda: least_gain("AP"), Fraction(1, 12)),
    (lambda: tied("worst"), Fraction(1, 4)),
    (lambda: average([1, 0.25, 0.25]), Fraction(1, 2)),
    (lambda: inverse_mrr(1, 4, 4), 2),
    (lambda: share_on_top(Fraction(9, 10)), Fraction(4, 5)),
    (lambda: pairs_won([1, 1], [1, 0]), Fraction(3, 4)),
    (lambda: scattered(3, 4, 6), True),
    (lambda: chance_ratio("RR", 18) > 1, True),
    (lambda: printed("tracin-a-ap"), Fraction(7333, 10000)),
    (lambda: mean_of_printed("d4-q1-rr", "tracin-mrr1-rr"), Fraction(5, 12)),
    (lambda: other_theme("spots-love-weighted-corrected"), 1),
    (lambda: of("RR", "spots/weighted inside", "Steins;Gate"), Fraction(1, 2)),
    (lambda: impossible_originals(), 0),
    (lambda: walks_that_differ(), 0),
    (lambda: original_value(["S005", "S003", "S001"], "steins"), 0.5),
    (lambda: corrected_value(["S005", "S003", "S001"], "steins"), 0.5),
    (lambda: len(mixed_orders()), 70),
    (lambda: len(orders_within()), 24),
    (lambda: most_visited("love") == "S005", True),
]


@pytest.mark.parametrize(("call", "value"), COMES_TO)
def test_a_word_gives_what_it_says(call, value):
    assert call() == value


def test_a_rank_that_there_is_not_is_infinite_and_a_measure_may_be_no_fraction():
    assert rank(1, "d4/mrr", "Q3") == math.inf
    user = (1 + 1 / 2) / (1 + 1 / math.log2(3))
    assert of("nDCG", "pt/table", "likes 1 and 3") == pytest.approx(user, abs=1e-12)
    assert exact(0.1 + 0.2) == Fraction(3, 10)
    assert exact(math.pi) == math.pi


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("of('MRRR', 'd4/mrr', 'Q1')", "'MRRR' is not a measure"),
        ("of('RR', 'd4/map', 'Q1')", "has no example 'map'. It has: mrr"),
        ("of('RR', 'd4/mrr', 'Q4')", "no list 'Q4'. The example has: Q1"),
        ("hits('RR', [2, 5], 4)", "no rank 5 in a list of 4"),
        ("hits('RR', [0], 4)", "no rank 0 in a list of 4"),
        ("precision(9, 'ko/rr', 'list')", "P@inf"),
        # at rank 1: the other begins at rank 2, 3, 4 or 5
        ("other_theme('d4-q2-rr')", "An RR of 1 leaves 4 values to the other"),
        ("printed('ko-mmr')", "no row 'ko-mmr'"),
        ("printed('ko-grades')", "is no printed value"),
        ("1 / 0", "division by zero"),
    ],
)
def test_a_row_that_cannot_be_computed_is_named(monkeypatch, formula, expected):
    formulas = record.formulas().copy()
    formulas.loc["d4-q1-rr", "formula"] = formula
    monkeypatch.setattr(record, "formulas", lambda: formulas)
    with pytest.raises(DataError, match=f"^Row 'd4-q1-rr' of documented-values.csv: .*{expected}"):
        documented_values()
