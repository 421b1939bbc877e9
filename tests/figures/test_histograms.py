"""Histograms, and what a swap costs, by their artists."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from byhand import DataError
from byhand.figures import BLUE, ORANGE, draw_histogram, draw_swap_costs, swap_costs
from byhand.metrics.names import measure_list

WORDS = {"title": "A title", "xlabel": "difference"}


def bars(ax, colour=None):
    """The middle and the height of each bar that has one, from the left."""
    found = {
        round(float(bar.get_x() + bar.get_width() / 2), 9): bar.get_height()
        for bar in ax.patches
        if bar.get_height() and (colour is None or to_hex(bar.get_facecolor()) == colour)
    }
    return dict(sorted(found.items()))


def test_every_value_stands_in_a_bar_and_0_in_the_middle_of_one():
    ax = draw_histogram([0.15, 0.15, 0.0, 0.001, -0.15], **WORDS)
    assert bars(ax) == {-0.15: 1, 0: 2, 0.15: 2}


def test_what_lies_far_out_stands_in_the_last_bar():
    ax = draw_histogram([*[0.01] * 500, *[-0.01] * 500, 5.0], **WORDS)
    assert sum(bars(ax).values()) == 1001
    assert max(bars(ax)) < 1


@pytest.mark.parametrize("edge", [0.07, 0.0511, 1 / 3, 0.2])
def test_a_bar_begins_where_far_begins_and_is_of_another_colour(edge):
    values = np.random.default_rng(3).normal(0, 0.1, 2000)
    ax = draw_histogram([*values, edge, -edge], beyond=edge, **WORDS)
    far = (np.abs([*values, edge]) >= edge).sum() + 1
    assert sum(bars(ax, ORANGE).values()) == far
    assert sum(bars(ax, BLUE).values()) == 2002 - far
    assert f"At least {edge:.3f} from 0: {far / 2002:.2%}." in ax.get_label()
    assert {bar.get_hatch() for bar in ax.patches if to_hex(bar.get_facecolor()) == ORANGE} == {
        "//"
    }


def test_marks_are_lines_with_their_value():
    ax = draw_histogram([0.5, -0.25], marks={"mean": 0.125}, ax=Figure().add_subplot(), **WORDS)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["mean +0.125"]
    assert 0.125 in [line.get_xdata()[0] for line in ax.lines]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == (
        "A title",
        "difference",
        "how many",
    )
    assert ax.get_label() == (
        "A title. 2 values of difference: 1 above 0, 0 at 0, 1 below 0. "
        "From -0.250 to 0.500. Marked: mean 0.125."
    )


def test_all_values_may_be_0():
    assert bars(draw_histogram([0.0, 0.0], **WORDS)) == {0: 2}


@pytest.mark.parametrize("values", [[], [np.nan], [np.inf]])
def test_there_has_to_be_something_to_draw(values):
    with pytest.raises(DataError):
        draw_histogram(values, **WORDS)


def test_a_swap_costs_what_the_measure_loses_and_the_list_stays_as_it_was():
    ranked = list("abcde")
    costs = swap_costs(ranked, {"a", "d"}, at=[1, 3, 4])
    assert costs.index.tolist() == ["1 and 2", "3 and 4", "4 and 5"]
    assert costs["RR"].tolist() == [0.5, 0, 0]
    for name in ("AP", "nDCG"):
        after = measure_list(name, list("abced"), {"a", "d"})
        assert costs.loc["4 and 5", name] == measure_list(name, ranked, {"a", "d"}) - after > 0
        assert costs.loc["3 and 4", name] < 0  # the hit rose
    assert ranked == list("abcde")
    with pytest.raises(ValueError, match="from 1 to 4"):
        swap_costs(ranked, {"a"}, at=[5])


def test_the_bars_are_as_high_as_the_costs():
    ax = draw_swap_costs(list("abc"), {"a"}, at=[1], measures=["RR", "AP"])
    assert [group[0].get_height() for group in ax.containers] == [0.5, 0.5]
