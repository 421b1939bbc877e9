"""Figures, by their artists: what holds for every one, and what each draws."""

import base64
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from byhand import DataError, figures
from byhand.figures.style import system_style
from byhand.reports.page_figures import COLOURS
from byhand.theme import tokens

TABLE = pd.DataFrame(
    {"RR": [0.5, 1.0], "AP": [0.25, 0.75]}, index=pd.Index(["Q1", "Q2"], name="query")
)
LINES = pd.DataFrame(
    {"RR": [1.0, 0.5, 0.1], "AP": [0.9, 0.4, 0.2]}, index=pd.Index([1, 10, 100], name="rank")
)
CURVE = pd.DataFrame({"R@1": [0.0, 1, 0], "R@2": [1.0, 1, 0], "R@3": [1.0, 1, 0], "RR@2": 0.5})
MEANS = pd.DataFrame(
    {"RR": [0.5, 0.4, 0.3, 0.2], "AP": [0.3, 0.1 + 0.2, 0.1, 0.4], "nDCG": [0.1, 0.2, 0.3, 0.4]},
    index=["BM25 of the old search", "B", "C", "D"],
)
SAID = {"title": "A title", "ylabel": "value"}
HISTOGRAM = {"title": "A title", "xlabel": "difference"}
# what draws a figure, and how high each group of its bars or each of its lines is, from the left
DRAWN = {
    "bars": (lambda **on: figures.draw_bars(TABLE, **SAID, **on), [[0.5, 1.0], [0.25, 0.75]]),
    "lines": (
        lambda **on: figures.draw_lines(LINES, **SAID, logx=True, **on),
        [[1.0, 0.5, 0.1], [0.9, 0.4, 0.2]],
    ),
    "histogram": (
        lambda **on: figures.draw_histogram([0, 0.01, 0.5, 1], **HISTOGRAM, marks={"m": 0.2}, **on),
        [[2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]],  # without a value below 0 from 0 on
    ),
    "rankings": (
        lambda **on: figures.draw_rankings(MEANS, **on),
        [[1, 2.5, 4], [2, 2.5, 3], [3, 4, 2], [4, 1, 1]],
    ),
    "curve": (
        lambda **on: figures.draw_curve({"A": CURVE, "B": CURVE / 2}, "R", **on),
        [[1 / 3, 2 / 3, 2 / 3], [1 / 6, 1 / 3, 1 / 3]],
    ),
}


def heights_of(ax):
    bars = [[bar.get_height() for bar in bars] for bars in ax.containers if len(bars)]
    return bars or [list(line.get_ydata()) for line in ax.lines]


@pytest.mark.parametrize("name", DRAWN)
def test_a_figure_has_a_title_named_axes_words_and_the_heights_of_the_numbers(name):
    draw, heights = DRAWN[name]
    given = Figure().add_subplot()
    ax = draw(ax=given)
    assert ax is given
    assert ax.get_title()
    assert ax.get_xlabel()
    assert bool(ax.get_ylabel()) != (name == "rankings")
    assert ax.get_label().endswith(".")
    for found, wanted in zip(heights_of(ax), heights, strict=True):
        assert found == pytest.approx(wanted, abs=1e-12)


def test_a_shown_figure_is_drawn_in_the_tokens_in_either_theme(monkeypatch):
    seen = []
    monkeypatch.setattr("IPython.display.display", lambda data, **options: seen.append(data))
    table = pd.DataFrame({"AP": {"<b>": 0.125}})
    ax = figures.draw_bars(table, title="1 z < 2", ylabel="y < z")
    figures.show(ax)
    (data,) = seen
    source = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', data["text/html"])[1]
    svg = base64.b64decode(source).decode()
    drawing = ElementTree.fromstring(svg)
    said = {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert {"y < z", "0.12"} <= said
    assert "1 z < 2" not in said  # it stands above
    assert data["text/html"].startswith("1 z &lt; 2\n<br><img ")
    assert data["text/plain"] == "1 z < 2. <b>: AP 0.12."
    assert data["text/html"].count("&lt;b&gt;: AP 0.12.") == 2  # of the image, and to open
    assert "color-scheme:light dark" in svg
    used, known = (set(re.findall(each, svg)) for each in (r"var\(--([\w-]+)", r"--([\w-]+):"))
    assert {"ink", "ground"} <= used
    assert used <= known | {"jp-layout-color0", "jp-ui-font-color1"}
    assert not re.search("#000000|#222222", svg)
    width = re.search(r'" width="(\d+)"', data["text/html"])[1]
    assert int(width) == round(ax.figure.get_figwidth() * 112)


def test_a_curve_sorts_cutoffs_as_numbers_and_means_over_the_queries_that_count():
    assert heights_of(figures.draw_curve({"A": CURVE.replace(0, np.nan)}, "R")) == [[1, 1, 1]]
    table = pd.DataFrame({f"nDCG@{k}": [k / 1000] for k in (100, 5, 10, 1000)})
    ax = figures.draw_curve({"A": table, "B": table[["nDCG@5"]]}, "nDCG")
    assert [list(line.get_xdata()) for line in ax.lines] == [[5, 10, 100, 1000], [5]]
    assert ax.get_xscale() == "log"
    assert "1,000" in [tick.get_text() for tick in ax.get_xticklabels()]


def test_systems_that_tie_share_a_rank_and_tau_counts_pairs_of_them():
    ax = figures.draw_rankings(MEANS)
    # of six pairs of systems AP agrees with RR on two, not on three, and ties one: -1 / √(6 × 5)
    heads = [label.get_text() for label in ax.get_xticklabels()]
    assert heads == ["RR", "AP\nτ = −0.18", "nDCG\nτ = −1.00"]
    assert "AP (−0.18): D, BM25 of the old search = B, C. nDCG" in ax.get_label()
    assert [text.get_text() for text in ax.texts] == ["D", "C", "B", "BM25 of the old search"]
    tied = figures.draw_rankings(MEANS[["AP", "RR"]])
    names = [label.get_text() for label in tied.get_yticklabels()]
    assert names == ["D", "BM25 of the old search\nB", "C"]


@pytest.mark.parametrize(
    ("draw", "data", "says"),
    [
        (figures.draw_curve, ({}, "RR"), "values is {}. Expected the table"),
        (figures.draw_rankings, (MEANS[["RR"]],), r"means is of shape \(4, 1\)\. Expected a table"),
        (figures.draw_rankings, (MEANS.where(MEANS > 0.15),), "means.*AP.* is NaN for 'C'"),
        (figures.draw_curve, ({"A": CURVE}, "nDCG"), r"no column such as 'nDCG@10'.*'R@1'"),
        (lambda values: figures.draw_histogram(values, **HISTOGRAM), ([],), "has no values"),
    ],
)
def test_what_cannot_be_drawn_is_explained(draw, data, says):
    with pytest.raises(DataError, match=says):
        draw(*data)


def test_a_histogram_has_a_bin_around_0_or_from_0_without_a_value_below_it():
    ax = figures.draw_histogram([0, 0.01, 0.5, 1], **HISTOGRAM)
    middles = [bar.get_x() + bar.get_width() / 2 for bar in ax.containers[0]]
    assert middles == pytest.approx([(n + 0.5) / 15 for n in range(15)])
    assert sum(heights_of(figures.draw_histogram([-1, 0, 1], **HISTOGRAM))[0]) == 3


def test_systems_have_the_colours_of_the_report_and_a_marker_each():
    css = tokens()
    for nth, token in enumerate(COLOURS):
        assert f"--c{token}: light-dark({system_style(nth)['color']}," in css
    assert len({system_style(nth)["marker"] for nth in range(8)}) == 8
