"""Figures of many queries and of systems side by side, by their artists."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from byhand import DataError, evaluate
from byhand.figures import BLUE, ORANGE, show, system_style
from byhand.figures import comparisons as figures
from byhand.metrics.hits import hits_of_tables
from byhand.metrics.lists import hits_of_lists
from helpers import as_tables, worked_example

RUN, QRELS = as_tables(worked_example("d4", "mrr"))  # D4 at rank 2, at rank 1, not found
A = pd.Series({"q1": 1.0, "q2": 0.5, "q3": 0.25, "q4": 0.5})
B = pd.Series({"q4": 0.0, "q3": 0.5, "q2": 0.5, "q1": 0.25})  # A - B: 3/4, 0, -1/4, 1/2
CURVE = evaluate(RUN, QRELS, ["RR", "R@1", "R@2", "R@3", "RR@2"])
HITS = hits_of_tables(RUN, QRELS)
DRAWINGS = {
    "distribution": lambda **on: figures.draw_distribution({"A": A, "B": B}, **on),
    "differences": lambda **on: figures.draw_differences({"A": A, "B": B}, **on),
    "curve": lambda **on: figures.draw_curve({"A": CURVE}, "R", **on),
    "recall": lambda **on: figures.draw_recall({"A": HITS}, **on),
}


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def heights_of(ax):
    (bars,) = ax.collections
    highest = [path.vertices[:, 1] for path in bars.get_paths()]
    return [float(y[np.abs(y).argmax()]) for y in highest]


@pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)
@pytest.mark.filterwarnings("error")
def test_has_title_labelled_axes_words_and_a_picture(draw, capsys):
    ax = draw()
    assert ax.get_title()
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    assert ax.get_label()
    show(ax)
    assert ax.get_label() in capsys.readouterr().out


@pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)
def test_draws_on_the_axes_it_is_given(draw):
    ax = Figure().add_subplot()
    assert draw(ax=ax) is ax


@pytest.mark.parametrize("name", ["distribution", "curve", "recall"])
def test_systems_differ_in_colour_and_in_line(name):
    systems = {str(place): A for place in range(9)}
    if name == "distribution":
        ax = figures.draw_distribution(systems)
    elif name == "curve":
        ax = figures.draw_curve(dict.fromkeys(systems, CURVE), "R")
    else:
        ax = figures.draw_recall(dict.fromkeys(systems, HITS))
    lines = [line for line in ax.lines if line.get_linestyle() != "None"]
    assert legend_of(ax) == list(systems)
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 9
    assert len({line.get_color() for line in lines[:8]}) == 8
    assert len({line.get_marker() for line in lines[:8]}) == 8
    assert lines[0].get_linestyle() != lines[1].get_linestyle()


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


@pytest.mark.parametrize("vision", VISIONS)
def test_eight_systems_differ_in_colour_whoever_looks(vision):
    colours = np.array([to_rgba(system_style(place)["color"])[:3] for place in range(8)])
    light = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    seen = np.clip(light @ np.transpose(VISIONS[vision]), 0, 1)
    where = np.cbrt(seen @ np.transpose(CONES)) @ np.transpose(OKLAB)
    apart = np.linalg.norm(where[:, None] - where[None], axis=2)[np.triu_indices(8, 1)]
    assert apart.min() > (0.15 if vision == "all" else 0.08)
    luminance = light @ [0.2126, 0.7152, 0.0722] + 0.05
    assert (1.05 / luminance).min() >= 3  # on a white page
    assert (luminance / 0.058).min() >= 3  # and on the dark one


@pytest.mark.parametrize("name", ["n" * 60, "W" * 60, "ten letter " * 6, r"\$x\$" * 20])
@pytest.mark.parametrize("draw", [*DRAWINGS])
@pytest.mark.filterwarnings("error")
def test_long_names_fit_into_the_figure(draw, name):
    names, measure = (f"1{name}", f"2{name}"), "nDCG(dcg='exp-log2')@10"
    curve = CURVE.rename(columns=lambda column: column.replace("R@", "nDCG(dcg='exp-log2')@"))
    ax = {
        "distribution": lambda: figures.draw_distribution(dict.fromkeys(names, A), measure=measure),
        "differences": lambda: figures.draw_differences(
            dict(zip(names, (A, B), strict=True)), measure=measure
        ),
        "curve": lambda: figures.draw_curve(dict.fromkeys(names, curve), "nDCG(dcg='exp-log2')"),
        "recall": lambda: figures.draw_recall(dict.fromkeys(names, HITS)),
    }[draw]()
    ax.figure.canvas.draw()
    box = ax.figure.bbox
    legend = ax.get_legend()
    for part in (ax.title, ax.xaxis.label, ax.yaxis.label, legend, *legend.get_texts()):
        found = part.get_window_extent()
        assert box.x0 <= found.x0 < found.x1 <= box.x1, part
        assert box.y0 <= found.y0 < found.y1 <= box.y1, part
    assert ax.get_window_extent().height > box.height / 4
    written = "".join(legend_of(ax)).replace("\n", "").replace(" ", "")
    assert all(each.replace(" ", "") in written for each in names)


def test_the_legend_stands_below_the_axis_and_what_is_written_there():
    ax = figures.draw_differences({"A" * 60: A, "B" * 60: B})
    ax.figure.canvas.draw()
    assert ax.get_legend().get_window_extent().y1 <= ax.xaxis.label.get_window_extent().y0


class TestDistribution:
    def test_the_curve_is_the_share_of_queries_up_to_each_value(self):
        curve, mean = figures.draw_distribution({"A": A}).lines
        points = dict(zip(*curve.get_data(), strict=True))  # the last one at each value
        assert points == {0.25: 0.25, 0.5: 0.75, 1: 1}
        assert curve.get_drawstyle() == "steps-post"
        assert [data.tolist() for data in mean.get_data()] == [[0.5625], [0.75]]

    def test_the_dot_stands_on_the_curve(self):
        _, mean = figures.draw_distribution({"A": [0, 0.5, 1]}).lines
        assert mean.get_ydata() == pytest.approx([2 / 3], abs=1e-12)

    def test_skewed_values_are_drawn_on_a_log_axis_with_zero_at_its_edge(self):
        skewed = np.append(1 / np.arange(1, 1000), [0.0] * 111)
        ax = figures.draw_distribution({"A": skewed}, measure="AP")
        assert ax.get_xscale() == "log"
        x, y = ax.lines[0].get_data()
        left = ax.get_xlim()[0]
        assert 0 < x.min() == left < 1 / 999
        assert y[x == left].max() == pytest.approx(111 / 1110, abs=1e-12)
        assert ax.get_xlabel() == "AP (log scale; 0 stands at the left edge)"
        assert "10% at 0" in ax.get_label()

    def test_even_values_are_drawn_on_a_linear_axis(self):
        ax = figures.draw_distribution({"A": np.linspace(0, 1, 50)})
        assert (ax.get_xscale(), ax.get_xlabel()) == ("linear", "RR")

    def test_the_axis_can_be_chosen(self):
        assert figures.draw_distribution({"A": A}, log=True).get_xscale() == "log"
        assert figures.draw_distribution({"A": [0, 0]}, log=True).get_xscale() == "linear"

    def test_queries_without_a_value_are_left_out_and_counted(self):
        ax = figures.draw_distribution({"A": [0.5, np.nan, 0.25]})
        assert "A: 2 queries, 1 more without a value, mean 0.375" in ax.get_label()


class TestDifferences:
    def test_a_bar_a_query_paired_and_sorted(self):
        ax = figures.draw_differences({"A": A, "B": B})
        assert heights_of(ax) == [0.75, 0.5, 0, -0.25]
        colours = [tuple(colour) for colour in ax.collections[0].get_facecolor()]
        assert colours[:2] == [to_rgba(BLUE)] * 2
        assert colours[3] == to_rgba(ORANGE)

    def test_the_line_is_the_mean_and_the_legend_counts(self):
        ax = figures.draw_differences({"A": A, "B": B})
        assert [list(line.get_ydata()) for line in ax.lines] == [[0, 0], [0.25, 0.25]]
        counts = ["A higher: 2", "equal: 1", "B higher: 1", "mean +0.25"]
        assert legend_of(ax) == counts
        handles = ax.get_legend().legend_handles
        assert handles[0].get_facecolor() == to_rgba(BLUE)
        assert handles[2].get_facecolor() == to_rgba(ORANGE)

    def test_the_words(self):
        ax = figures.draw_differences({"A": A, "B": B.where(B > 0)}, measure="AP")
        assert ax.get_label() == (
            "AP of A minus B on 3 queries (1 more without a value): A higher on 1, equal on 1, "
            "B higher on 1. Mean: 0.167."
        )

    def test_every_bar_lies_inside_the_axes(self):
        rng = np.random.default_rng(0)
        many = {name: pd.Series(rng.random(7000) / 100) for name in "AB"}
        ax = figures.draw_differences(many)
        heights = heights_of(ax)
        assert len(heights) == 7000
        assert ax.get_ylim()[0] < min(heights) < 0 < max(heights) < ax.get_ylim()[1]
        assert ax.get_ylim()[1] < 2 * max(heights)
        assert ax.get_xlim()[0] <= -0.5
        assert ax.get_xlim()[1] >= 6999.5

    @pytest.mark.filterwarnings("error")
    def test_equal_systems(self):
        ax = figures.draw_differences({"A": A, "B": A})
        assert heights_of(ax) == [0, 0, 0, 0]
        assert "equal on 4" in ax.get_label()


class TestCurve:
    def test_a_point_is_the_mean_at_its_cutoff(self):
        (line,) = figures.draw_curve({"A": CURVE}, "R").lines
        k, mean = line.get_data()
        assert list(k) == [1, 2, 3]
        assert list(mean) == pytest.approx([1 / 3, 2 / 3, 2 / 3], abs=1e-12)

    def test_queries_that_the_conventions_leave_out_are_not_in_the_mean(self):
        (line,) = figures.draw_curve({"A": CURVE.replace(0, np.nan)}, "R").lines
        assert list(line.get_ydata()) == [1, 1, 1]

    def test_cutoffs_are_sorted_as_numbers_and_far_ones_are_on_a_log_axis(self):
        table = pd.DataFrame({f"nDCG@{k}": [k / 1000] for k in (100, 5, 10, 1000)})
        ax = figures.draw_curve({"A": table}, "nDCG")
        assert list(ax.lines[0].get_xdata()) == [5, 10, 100, 1000]
        assert ax.get_xscale() == "log"
        assert [tick.get_text() for tick in ax.get_xticklabels()] == ["5", "10", "100", "1,000"]

    def test_many_cutoffs_leave_room_between_the_ticks(self):
        table = pd.DataFrame({f"P@{k}": [0.5] for k in range(1, 31)})
        assert 5 <= len(figures.draw_curve({"A": table}, "P").get_xticks()) <= 9


class TestRecall:
    def test_the_curve_counts_the_relevant_items_found(self):
        lists = [(list("abcdefghij"), ["a", "d", "z"]), (list("abcde"), ["d"])]
        ax = figures.draw_recall({"A": hits_of_lists(lists)})
        x, y = ax.lines[0].get_data()
        assert dict(zip(x.tolist(), y.tolist(), strict=True)) == {1: 0.25, 4: 0.75, 10: 0.75}
        assert ax.get_xscale() == "log"
        assert ax.get_label() == (
            "Relevant items found by depth. "
            "A: of 4, 25% within rank 1, 75% within rank 10, 25% not retrieved."
        )

    def test_with_one_relevant_item_a_query_it_is_the_mean_of_r_at_k(self):
        (line,) = figures.draw_recall({"A": HITS}).lines
        share = dict(zip(*line.get_data(), strict=True))
        assert share[1] == pytest.approx(CURVE["R@1"].mean(), abs=1e-12)
        assert share[2] == pytest.approx(CURVE["R@2"].mean(), abs=1e-12)

    @pytest.mark.filterwarnings("error")
    def test_nothing_found(self):
        ax = figures.draw_recall({"A": hits_of_lists([(["x"], ["a"])])})
        assert set(ax.lines[0].get_ydata()) == {0}
        assert "100% not retrieved" in ax.get_label()


@pytest.mark.parametrize(
    ("draw", "data", "says"),
    [
        (figures.draw_distribution, ({},), "an empty mapping"),
        (figures.draw_distribution, ([0.5],), "got list"),
        (figures.draw_distribution, ({"A": [np.nan]},), r"values\['A'\] has only NaN"),
        (figures.draw_distribution, ({"A": ["x"]},), r"values\['A'\] holds"),
        (figures.draw_differences, ({"A": A},), "has 1 systems. Expected two"),
        (figures.draw_differences, ({"A": A, "B": B[1:]},), "not about the same queries"),
        (figures.draw_differences, ({"A": [1], "B": [0.5]},), "RR of 'A' is a list"),
        (figures.draw_curve, ({"A": A}, "RR"), "Columns found: none"),
        (figures.draw_curve, ({"A": CURVE}, "nDCG"), r"no column such as 'nDCG@10'.*'R@1'"),
        (figures.draw_recall, ({"A": hits_of_lists([(["x"], [])])},), "no relevant item"),
    ],
)
def test_what_cannot_be_drawn_is_explained(draw, data, says):
    with pytest.raises(DataError, match=says):
        draw(*data)
