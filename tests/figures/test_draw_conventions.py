"""The table of conventions: each row is what `evaluate` gives under them."""

import re

import pytest

from byhand import PRESETS, Conventions, evaluate
from byhand.figures import conventions_table
from helpers import tool_case

GRADED = tool_case("graded")


def rows_of(table):
    return [line.split() for line in repr(table).splitlines()]


def mean(measure, conventions):
    return f"{evaluate(*GRADED, [measure], conventions=conventions)[measure].mean():.4f}"


def test_a_row_is_a_combination_and_a_column_a_measure():
    gains, ideals = ["binary", "linear"], ["retrieved", "judged"]
    head, *rows = rows_of(conventions_table(*GRADED, ["nDCG@6", "RR"], gain=gains, ideal=ideals))
    assert head == ["gain", "ideal", "nDCG@6", "RR"]
    assert [row[:2] for row in rows] == [[gain, ideal] for gain in gains for ideal in ideals]
    for gain, ideal, *values in rows:
        chosen = Conventions(gain=gain, ideal=ideal)
        assert values == [mean("nDCG@6", chosen), mean("RR", chosen)]
    assert len({row[2] for row in rows}) == 4


def test_without_choices_a_row_is_a_preset():
    caption, head, *rows = rows_of(conventions_table(*GRADED, ["nDCG@6"], "Presets"))
    assert (caption, head) == (["Presets"], ["preset", "nDCG@6"])
    assert [(" ".join(name), value) for *name, value in rows] == [
        (name, mean("nDCG@6", name)) for name in PRESETS
    ]


def test_what_differs_from_the_first_row_is_marked():
    ways = ["relevant", "capped", "retrieved"]
    shown = [
        conventions_table(*tool_case("deep"), ["AP@10", "RR"], mark=mark, denominator=ways)
        for mark in (True, False)
    ]
    marked, plain = (re.findall(r"<strong>([\d.]+)", each._repr_html_()) for each in shown)
    assert (marked, plain) == (["0.1000", "1.0000"], [])


def test_an_unknown_choice_is_an_error():
    with pytest.raises(ValueError, match="ties='none' is not an option"):
        conventions_table(*GRADED, ["RR"], ties=["none"])
