"""The figure of many pairs, by its artists."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from byhand import DataError
from byhand.figures import draw_pairs, system_style

A = pd.Series({"q1": 1.0, "q2": 0.5, "q3": 0.25, "q4": 0.5})
B = pd.Series({"q4": 0.0, "q3": 0.5, "q2": 0.5, "q1": 0.25})  # A - B: 3/4, 0, -1/4, 1/2
SYSTEMS = {"A": A, "B": B, "C": B - B}


def rows_of(ax):
    """The bars of each row: what each reaches from the line of the row, as drawn."""
    found = []
    for line, bars in enumerate(ax.collections):
        tips = [path.vertices[1, 1] for path in bars.get_paths()]
        found.append(np.array(tips) + line)
    return found


def test_a_row_a_pair_sorted_and_on_one_scale():
    ax = draw_pairs(SYSTEMS, measure="RR")
    first, second = rows_of(ax)
    unit = second.max()  # 1 at q1 of A minus C
    np.testing.assert_allclose(first / unit, [0.75, 0.5, 0, -0.25])
    np.testing.assert_allclose(second / unit, [1, 0.5, 0.5, 0.25])
    assert unit < 0.5  # rows do not touch
    a, b, _ = (to_rgba(system_style(place)["color"]) for place in range(3))
    colours = ax.collections[0].get_facecolors()
    assert (tuple(colours[0]), tuple(colours[3])) == (a, b)


def test_a_system_has_its_own_colour_in_every_row():
    ax = draw_pairs(SYSTEMS, all_pairs=True)
    colours = [to_rgba(system_style(place)["color"]) for place in range(3)]
    assert [tuple(row.get_facecolors()[0]) for row in ax.collections] == [
        colours[0], colours[0], colours[1]
    ]  # fmt: skip


def test_who_is_higher_on_how_many_is_written_at_the_ends():
    ax = draw_pairs(SYSTEMS, all_pairs=True)
    texts = [text.get_text() for text in ax.texts]
    assert texts == [
        "A higher: 2", "B higher: 1", "A higher: 4", "C higher: 0", "B higher: 3", "C higher: 0"
    ]  # fmt: skip
    assert "A minus B: A higher on 2, equal on 1, B higher on 1, mean +0.25." in ax.get_label()


def test_a_query_without_a_value_is_left_out_of_its_row_only():
    ax = draw_pairs({**SYSTEMS, "B": B.where(B.index != "q1")})
    assert [len(row) for row in rows_of(ax)] == [3, 4]


def test_draws_on_the_axes_it_is_given_and_needs_two():
    ax = Figure().add_subplot()
    assert draw_pairs(SYSTEMS, ax=ax) is ax
    with pytest.raises(DataError, match=r"values has 1 systems\. Expected two or more"):
        draw_pairs({"A": A})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["n" * 60, "ten letter " * 6])
def test_long_names_fit_into_the_figure(name):
    ax = draw_pairs({f"1{name}": A, f"2{name}": B})
    ax.figure.canvas.draw()
    box = ax.figure.bbox
    for part in (ax.title, ax.xaxis.label, *ax.texts):
        found = part.get_window_extent()
        assert box.x0 <= found.x0 < found.x1 <= box.x1, part
        assert box.y0 <= found.y0 < found.y1 <= box.y1, part
    assert ax.get_window_extent().width > box.width / 2
