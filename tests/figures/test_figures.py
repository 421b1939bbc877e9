"""Figures, by their artists: what holds for every one, and what each draws."""

import base64
import re
from html import escape
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from byhand import DataError, figures
from byhand.figures import GAP, GAP_SOFT, HIT
from byhand.figures.style import system_style

CASES = {
    "Q1": (["D1", "D4", "D2"], {"D4"}),
    "Q2": (["D4", "D2", "D1"], {"D4"}),
    "Q3": (["D5", "D3", "D1"], {"D4"}),
}
LONG = [f"D{n}" for n in range(1, 21)], {"D2": 1, "D9": 1, "Z": 1}
TABLE = pd.DataFrame(
    {"RR": [0.5, 1.0], "AP": [0.25, 0.75]}, index=pd.Index(["Q1", "Q2"], name="query")
)
LINES = pd.DataFrame(
    {"RR": [1.0, 0.5, 0.1], "AP": [0.9, 0.4, 0.2]}, index=pd.Index([1, 10, 100], name="rank")
)
A = pd.Series({"q1": 1.0, "q2": 0.5, "q3": 0.25, "q4": 0.5})
B = pd.Series({"q4": 0.0, "q3": 0.5, "q2": 0.5, "q1": 0.25})  # A - B: 3/4, 0, -1/4, 1/2
CURVE = pd.DataFrame({"R@1": [0.0, 1, 0], "R@2": [1.0, 1, 0], "R@3": [1.0, 1, 0], "RR@2": 0.5})
MEANS = pd.DataFrame(
    {"RR": [0.5, 0.4, 0.3, 0.2], "AP": [0.3, 0.1 + 0.2, 0.1, 0.4], "nDCG": [0.1, 0.2, 0.3, 0.4]},
    index=["BM25 of the old search", "B", "C", "D"],
)
SAID = {"title": "A title", "ylabel": "value"}
HISTOGRAM = {"title": "A title", "xlabel": "difference"}
DRAWN = {
    "lists": lambda **on: figures.draw_lists(CASES, **on),
    "lists with a cutoff": lambda **on: figures.draw_lists(CASES, k=2, **on),
    "lists with grades": lambda **on: figures.draw_lists(
        {"A": (list("abcdefgh"), {"a": 3, "d": 2.5})}, k=4, **on
    ),
    "long lists": lambda **on: figures.draw_lists({"A": LONG}, **on),
    "bars": lambda **on: figures.draw_bars(
        pd.DataFrame(
            np.eye(4), TABLE.columns.append(pd.Index(["nDCG", "P@5"])), list("wxyz")
        ).rename_axis("metric"),
        **SAID,
        **on,
    ),
    "lines": lambda **on: figures.draw_lines(LINES, **SAID, logx=True, **on),
    "histogram": lambda **on: figures.draw_histogram(A - B, **HISTOGRAM, marks={"m": 0.2}, **on),
    "distribution": lambda **on: figures.draw_distribution({"A": A, "B": B}, **on),
    "gaps": lambda **on: figures.draw_distribution({"A": [0.5, np.nan, 0.25]}, **on),
    "differences": lambda **on: figures.draw_differences({"A": A, "B": B}, **on),
    "rankings": lambda **on: figures.draw_rankings(MEANS, **on),
    "curve": lambda **on: figures.draw_curve({"A": CURVE, "B": CURVE / 2}, "R", **on),
}


@pytest.mark.parametrize("name", DRAWN)
class TestEveryFigure:
    def test_has_a_title_named_axes_and_words_on_the_axes_that_it_is_given(self, name):
        given = Figure().add_subplot()
        ax = DRAWN[name](ax=given)
        assert ax is given
        assert any(ax.get_title(loc=place) for place in ("left", "center"))
        assert ax.get_xlabel()
        names_rows = name.startswith(("lists", "long lists", "differences", "rankings"))
        assert bool(ax.get_ylabel()) != names_rows
        assert ax.get_label().endswith(".")


def heights_of(ax):
    """Of each group of bars, or of each line, how high it is, from the left."""
    bars = [[bar.get_height() for bar in bars] for bars in ax.containers]
    return bars or [list(line.get_ydata()) for line in ax.lines]


@pytest.mark.parametrize(
    ("drawn", "heights"),
    [
        (lambda: figures.draw_bars(TABLE, **SAID), [[0.5, 1.0], [0.25, 0.75]]),
        (DRAWN["lines"], [[1.0, 0.5, 0.1], [0.9, 0.4, 0.2]]),
        (DRAWN["rankings"], [[1, 2.5, 4], [2, 2.5, 3], [3, 4, 2], [4, 1, 1]]),
        (DRAWN["curve"], [[1 / 3, 2 / 3, 2 / 3], [1 / 6, 1 / 3, 1 / 3]]),
    ],
)
def test_bars_and_lines_are_as_high_as_the_numbers(drawn, heights):
    found = heights_of(drawn())
    assert list(map(len, found)) == list(map(len, heights))
    for mine, theirs in zip(found, heights, strict=True):
        assert mine == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        ("lines", "RR: from 1.00 at 1 to 0.10 at 100; AP: from 0.90 at 1 to 0.20 at 100."),
        ("histogram", "From −0.250 to 0.750. Marked: m 0.200."),
        ("gaps", "A: 2 queries, 1 more without a value, mean 0.375"),
        ("curve", "A: 1: 0.333, 2: 0.667, 3: 0.667. B: 1: 0.167, 2: 0.333, "),
        ("lists", "Q2: relevant at rank 1 of 3. Q3: nothing relevant of 3; not retrieved: D4."),
    ],
)
def test_the_words_say_more_than_in_the_examples(drawn, words):
    assert words in DRAWN[drawn]().get_label()


def shown(monkeypatch, ax):
    """What `show` displays of a figure, and the drawing in it."""
    seen = []
    monkeypatch.setattr("IPython.display.display", lambda data, **options: seen.append(data))
    figures.show(ax)
    (data,) = seen
    source = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', data["text/html"])[1]
    return data, base64.b64decode(source).decode()


def test_show_gives_a_title_the_picture_and_the_words(monkeypatch):
    data, _ = shown(monkeypatch, figures.draw_lists({"<b>": (["x"], {"x"})}))
    said = "<b>: relevant at rank 1 of 1."
    title, _, rest = data["text/html"].partition("\n")
    assert title == "Filled box with a dot: relevant"
    assert rest.count("&lt;b&gt;: relevant at rank 1 of 1.") == 2  # of the image, and to open
    assert f"<details><summary>The figure in words</summary>{escape(said)}</details>" in rest
    assert data["text/plain"] == said


def test_a_shown_figure_is_drawn_in_the_tokens_in_either_theme(monkeypatch):
    ax = figures.draw_bars(pd.DataFrame({"AP": [0.125]}), title="1 z < 2", ylabel="y < z")
    data, svg = shown(monkeypatch, ax)
    drawing = ElementTree.fromstring(svg)
    said = {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert {"y < z", "0.12"} <= said
    assert "1 z < 2" not in said  # it stands above
    assert data["text/html"].startswith("1 z &lt; 2\n<br><img ")
    assert "color-scheme:light dark" in svg
    used, known = (set(re.findall(each, svg)) for each in (r"var\(--([\w-]+)", r"--([\w-]+):"))
    assert {"ink", "ground"} <= used
    assert used <= known | {"jp-layout-color0", "jp-ui-font-color1"}
    assert not re.search("#000000|#222222", svg)
    width = re.search(r'" width="(\d+)"', data["text/html"])[1]
    assert int(width) == round(ax.figure.get_figwidth() * 112)


class TestLists:
    def boxes(self, ax, colour):
        """Column and row of every box that is filled with a colour."""
        middles = (
            (box.get_x() + box.get_width() / 2, box.get_y() + box.get_height() / 2)
            for box in ax.patches
            if box.get_facecolor() == to_rgba(colour)
        )
        return [tuple(map(round, middle)) for middle in middles]

    def dots(self, ax):
        """Column and row of every dot."""
        return [tuple(map(round, t.get_position())) for t in ax.texts if set(t.get_text()) == {"●"}]

    def test_a_box_is_filled_where_the_item_is_relevant_and_retrieved_and_nowhere_else(self):
        ax = figures.draw_lists(CASES)
        assert self.boxes(ax, HIT) == [(2, 0), (1, 1)]  # D4 at rank 2 of Q1 and rank 1 of Q2
        dashed = [box for box in ax.patches if box.get_linestyle() == "--"]
        assert [box.get_facecolor() for box in dashed] == [to_rgba(GAP_SOFT)]  # D4, lost by Q3
        hatched = [box for box in ax.patches if box.get_hatch()]
        assert [box.get_edgecolor() for box in hatched] == [to_rgba(GAP)]
        assert dashed[0].get_x() == hatched[0].get_x()
        assert self.dots(ax) == [(2, 0), (1, 1), (5, 2)]
        plain = [box for box in ax.patches if box not in hatched]
        assert len(self.boxes(ax, "none")) - 1 == len(plain) - 3

    def test_a_grade_is_as_many_dots_and_what_is_not_relevant_is_not_missed(self):
        grades = {"b": 1, "c": 3, "d": 5, "e": 0, "f": -1}
        ax = figures.draw_lists({"Q": (["a", "b", "c"], grades)})
        drawn = [text.get_text() for text in ax.texts]
        assert drawn == ["a", "b", "●", "c", "●●●", "d", "grade 5", "not retrieved"]
        key = ax.get_title(loc="left").replace("\n", " ")
        assert key == "Filled box: relevant; dots: grade; hatched: not retrieved"


def test_a_curve_sorts_cutoffs_as_numbers_and_means_over_the_queries_that_count():
    assert heights_of(figures.draw_curve({"A": CURVE.replace(0, np.nan)}, "R")) == [[1, 1, 1]]
    table = pd.DataFrame({f"nDCG@{k}": [k / 1000] for k in (100, 5, 10, 1000)})
    ax = figures.draw_curve({"A": table, "B": table[["nDCG@5"]]}, "nDCG")
    assert [list(line.get_xdata()) for line in ax.lines] == [[5, 10, 100, 1000], [5]]
    assert ax.get_xscale() == "log"
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["5", "10", "100", "1,000"]
    many = pd.DataFrame({f"P@{k}": [0.5] for k in range(1, 31)})
    assert 5 <= len(figures.draw_curve({"A": many}, "P").get_xticks()) <= 9


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
        (figures.draw_distribution, ({},), "an empty mapping"),
        (figures.draw_distribution, ([0.5],), "got list"),
        (figures.draw_distribution, ({"A": [np.nan]},), r"values\['A'\] has only NaN"),
        (figures.draw_distribution, ({"A": ["x"]},), r"values\['A'\] holds"),
        (figures.draw_differences, ({"A": A},), "has 1 systems. Expected two"),
        (figures.draw_differences, ({"A": A, "B": B[1:]},), "have different queries"),
        (figures.draw_differences, ({"A": [1], "B": [0.5]},), "RR of 'A' is a list"),
        (figures.draw_rankings, (MEANS[["RR"]],), r"means is \(4, 1\)\. Expected a table"),
        (figures.draw_rankings, (A,), "means is Series"),
        (figures.draw_rankings, (MEANS.where(MEANS > 0.15),), "means.*AP.* has a NaN"),
        (figures.draw_curve, ({"A": A}, "RR"), "Columns found: none"),
        (figures.draw_curve, ({"A": CURVE}, "nDCG"), r"no column such as 'nDCG@10'.*'R@1'"),
        (lambda values: figures.draw_histogram(values, **HISTOGRAM), ([],), "has no values"),
        (lambda values: figures.draw_histogram(values, **HISTOGRAM), ([np.inf],), "is inf"),
    ],
)
def test_what_cannot_be_drawn_is_explained(draw, data, says):
    with pytest.raises(DataError, match=says):
        draw(*data)


# Machado, Oliveira and Fernandes 2009: full colour vision, and none of one kind of cone
VISIONS = {
    "all": np.eye(3),
    "no red": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "no green": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "no blue": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
# Ottosson 2020: from linear light to OKLab
CONES = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]]
OKLAB = [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]


def test_each_of_ten_systems_has_a_marker_of_its_own():
    assert len({system_style(place)["marker"] for place in range(10)}) == 10


@pytest.mark.parametrize("vision", VISIONS)
def test_ten_systems_differ_in_colour_whoever_looks(vision):
    colours = np.array([to_rgba(system_style(place)["color"])[:3] for place in range(10)])
    light = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    seen = np.clip(light @ np.transpose(VISIONS[vision]), 0, 1)
    where = np.cbrt(seen @ np.transpose(CONES)) @ np.transpose(OKLAB)
    apart = np.linalg.norm(where[:, None] - where[None], axis=2)
    eight, ten = (apart[:n, :n][np.triu_indices(n, 1)].min() for n in (8, 10))
    assert eight > (0.15 if vision == "all" else 0.08)
    assert ten > (0.11 if vision == "all" else 0.06)
    luminance = light @ [0.2126, 0.7152, 0.0722] + 0.05
    assert (1.05 / luminance).min() >= 3  # on a white page
    assert (luminance / 0.058).min() >= 3  # and on the dark one
