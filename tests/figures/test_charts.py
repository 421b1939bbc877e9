"""Charts of a table, by their artists."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from byhand.figures import WIDEST, draw_bars, draw_lines

TABLE = pd.DataFrame(
    {"RR": [0.5, 1.0], "AP": [0.25, 0.75]}, index=pd.Index(["Q1", "Q2"], name="query")
)
LINES = pd.DataFrame(
    {"RR": [1.0, 0.5, 0.1], "AP": [0.9, 0.4, 0.2]}, index=pd.Index([1, 10, 100], name="rank")
)


def test_bars_are_as_high_as_the_numbers_and_stand_by_their_group():
    ax = draw_bars(TABLE, title="Two queries", ylabel="value")
    heights = [[bar.get_height() for bar in bars] for bars in ax.containers]
    assert heights == [[0.5, 1.0], [0.25, 0.75]]
    for bars in ax.containers:
        assert [round(bar.get_x() + bar.get_width() / 2) for bar in bars] == [0, 1]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["Q1", "Q2"]


def test_bars_differ_by_more_than_their_colour():
    ax = draw_bars(TABLE, title="Two queries", ylabel="value")
    assert len({bars[0].get_hatch() for bars in ax.containers}) == 2


def test_lines_pass_through_the_numbers():
    ax = draw_lines(LINES, title="Three ranks", ylabel="value", logx=True)
    assert [list(line.get_ydata()) for line in ax.lines] == [[1.0, 0.5, 0.1], [0.9, 0.4, 0.2]]
    assert list(ax.lines[0].get_xdata()) == [1, 10, 100]
    assert ax.get_xscale() == "log"
    assert len({line.get_linestyle() for line in ax.lines}) == 2


def test_heights_go_across_with_their_names_on_logarithmic_axes():
    heights = {"CCGGDD": 0.25, "CGGD": 0.5}
    ax = draw_lines(LINES, title="Three", ylabel="value", logx=True, logy=True, across=heights)
    ax.figure.canvas.draw()
    assert [line.get_ydata()[0] for line in ax.lines[2:]] == [0.25, 0.5]
    assert [text.get_text() for text in ax.texts] == ["CCGGDD 0.25", "CGGD 0.5"]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert "100" in [label.get_text() for label in ax.get_xticklabels()]
    assert "0.1" in [label.get_text() for label in ax.get_yticklabels()]
    assert ax.get_label().endswith(" A line across at 0.25: CCGGDD. A line across at 0.5: CGGD.")


@pytest.mark.parametrize(("draw", "table"), [(draw_bars, TABLE), (draw_lines, LINES)])
def test_has_title_labels_legend_and_words(draw, table):
    given = Figure().add_subplot()
    ax = draw(table, title="A title", ylabel="value", ax=given)
    assert ax is given
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == (
        "A title",
        table.index.name,
        "value",
    )
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["RR", "AP"]
    assert ax.get_label().startswith("A title. ")


def test_long_names_get_room():
    names = pd.Index(["torchmetrics", "recommenders"] * 4, name="preset")
    wide = draw_bars(pd.DataFrame({"AP": [0.5] * 8}, index=names), title="t", ylabel="v")
    wide.figure.canvas.draw()
    assert wide.figure.get_figwidth() == WIDEST
    ends = [label.get_window_extent().x1 for label in wide.get_xticklabels()]
    assert np.diff(ends).min() > 50  # slanted: each ends under its own bars
    assert {label.get_rotation() for label in wide.get_xticklabels()} == {25}
