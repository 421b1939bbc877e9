"""The words that the record's values are computed in: what each gives, and what none can."""

import pytest

from byhand import DataError
from helpers import documented_values, record


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
