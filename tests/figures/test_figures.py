"""Figures, by their artists: heights, positions, words."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.text import Text

from byhand import average_precision, explain, figures
from byhand.figures import BLUE, BLUE_SOFT, INK_ANYWHERE, WHITE, on_any_ground
from helpers import worked_example

TRIPLE = worked_example("tracin", "map")["triple 1"]
CASES = worked_example("d4", "mrr")
DRAWINGS = {
    "lists": lambda **on: figures.draw_lists(CASES, **on),
    "rr curve": lambda **on: figures.draw_rr_curve(**on),
    "per query": lambda **on: figures.draw_per_query({"Q1": 0.5, "Q2": 1.0}, **on),
    "precision": lambda **on: figures.draw_precision(explain(*TRIPLE), **on),
    "discount": lambda **on: figures.draw_discount(**on),
    "shares": lambda **on: figures.draw_shares(explain(*TRIPLE), **on),
}


@pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)
def test_has_title_labelled_axes_and_words(draw):
    ax = draw()
    assert any(ax.get_title(loc=place) for place in ("left", "center"))
    assert ax.get_xlabel()
    assert ax.get_label()


@pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)
def test_draws_on_the_axes_it_is_given(draw):
    ax = Figure().add_subplot()
    assert draw(ax=ax) is ax


def boxes(ax):
    """The boxes of a drawing by their middle, rounded, and how each looks."""
    return {
        (round(box.get_x() + box.get_width() / 2), round(box.get_y() + box.get_height() / 2)): box
        for box in ax.patches
    }


def filled(ax, colour):
    return [at for at, box in boxes(ax).items() if box.get_facecolor() == to_rgba(colour)]


def marks(ax):
    """Column and row of every dot."""
    return [tuple(map(round, t.get_position())) for t in ax.texts if set(t.get_text()) == {"●"}]


def test_a_box_is_filled_where_the_item_is_relevant_and_retrieved_and_nowhere_else():
    ax = figures.draw_lists(CASES)
    assert filled(ax, BLUE) == [(2, 0), (1, 1)]  # D4 at rank 2 of Q1 and rank 1 of Q2
    dashed = {at for at, box in boxes(ax).items() if box.get_linestyle() == "--"}
    assert len(dashed) == 1  # D4, which Q3 did not retrieve
    assert {*marks(ax)} == {(2, 0), (1, 1), *dashed}
    assert len(filled(ax, "none")) == len(ax.patches) - 2


def test_what_stands_below_the_cutoff_is_pale_and_keeps_its_dot():
    ax = figures.draw_lists({"Q": (["a", "b", "c", "d"], {"b", "d"})}, k=2)
    assert (filled(ax, BLUE), filled(ax, BLUE_SOFT)) == ([(2, 0)], [(4, 0)])
    assert marks(ax) == [(2, 0), (4, 0)]


def test_a_grade_is_as_many_dots():
    ax = figures.draw_lists({"Q": (["a", "b", "c"], {"b": 1, "c": 3, "d": 5})})
    drawn = [text.get_text() for text in ax.texts]
    assert drawn == ["a", "b", "●", "c", "●●●", "d", "grade 5", "not retrieved"]
    key = ax.get_title(loc="left").replace("\n", " ")
    assert key == "Filled box: relevant; dots: grade; dashed: not retrieved"


def test_one_list_looks_as_many_do():
    case = (["a", "b", "c"], {"b": 1, "z": 1})
    many, one = figures.draw_lists({"Q": case}, k=2), figures.draw_list(*case, k=2)
    looks = [
        [(box.get_facecolor(), box.get_edgecolor(), box.get_linestyle()) for box in ax.patches]
        for ax in (many, one)
    ]
    assert looks[0] == looks[1]


def test_a_label_is_no_formula_and_as_long_as_there_is_room():
    ax = figures.draw_list(["$x$", "a" * 40, "한" * 20], {})
    names = [text.get_text() for text in ax.texts[1::2]]
    assert names == ["$x$", "a" * 9 + "…", "한" * 4 + "…"]
    assert not any(text.get_parse_math() for text in ax.texts)


def test_in_little_room_letters_take_the_place_of_the_ellipsis():
    ax = figures.draw_list(["compass", "한국어", *"abcdefghij"], {})
    assert [text.get_text() for text in ax.texts[1:4:2]] == ["comp", "한국"]


def test_the_label_of_a_relevant_item_fits_its_box():
    ax = figures.draw_lists({"soup": (["gazpacho", "salad"], {"gazpacho", "compass"})})
    scale = ax.get_window_extent().width / (ax.get_xlim()[1] - ax.get_xlim()[0])
    bold = [text for text in ax.texts if text.get_weight() == "bold"]
    assert [text.get_text() for text in bold] == ["gazpacho", "compass"]
    assert all(text.get_window_extent().width < 0.86 * scale for text in bold)


def test_the_cutoff_line_stands_after_rank_k():
    (line,) = figures.draw_lists(CASES, k=2).lines
    assert list(line.get_xdata()) == [2.5, 2.5]


def test_the_rr_curve_is_one_over_the_rank():
    (curve,) = figures.draw_rr_curve(max_rank=20).lines
    assert curve.get_ydata() == pytest.approx([1 / rank for rank in range(1, 21)], abs=1e-12)


def test_bars_are_as_high_as_the_values_and_the_line_is_their_mean():
    ax = figures.draw_per_query({"Q1": 0.5, "Q2": 1.0, "Q3": 0.0})
    assert [bar.get_height() for bar in ax.patches] == [0.5, 1.0, 0.0]
    assert list(ax.lines[0].get_ydata()) == [0.5, 0.5]


def test_a_list_without_a_hit_says_so():
    words = figures.draw_precision(explain(["a", "b"], {"c"})).get_label()
    assert words == "Precision at the hits: none. AP: 0.0000."


def test_the_precision_line_marks_the_hits_and_ap():
    lines = figures.draw_precision(explain(*TRIPLE)).lines
    precision, hits, ap = (list(line.get_ydata()) for line in lines)
    assert precision[:2] == [0, 0.5]
    assert hits == [0.5, 0.5, 0.5]
    assert ap == pytest.approx([average_precision(*TRIPLE)] * 2, abs=1e-12)


def test_the_discount_curve():
    discount, reciprocal = (line.get_ydata() for line in figures.draw_discount(max_rank=3).lines)
    assert list(discount)[::2] == pytest.approx([1, 0.5], abs=1e-12)
    assert list(reciprocal) == pytest.approx([1, 1 / 2, 1 / 3], abs=1e-12)


def test_shares_are_bars_that_add_up():
    bars = figures.draw_shares(explain(*TRIPLE), share="share of AP").patches
    assert sum(bar.get_height() for bar in bars) == pytest.approx(0.5, abs=1e-12)


def test_show_gives_the_picture_and_the_words(monkeypatch):
    shown = []
    monkeypatch.setattr(figures.style, "display", lambda data, **options: shown.append(data))
    figures.show(figures.draw_lists({"<b>": (["x"], {"x"})}))
    picture, words = shown
    assert picture["image/png"].startswith(b"\x89PNG")
    assert picture["text/plain"] == words["text/plain"] == "<b>: relevant at rank 1 of 1."
    assert "&lt;b&gt;: relevant at rank 1 of 1." in words["text/html"]


LONG = ([f"D{n}" for n in range(1, 21)], {"D2": 1, "D9": 1, "Z": 1})
TWO = {"a system": [1.0, 0.5, 0.2], "another": [0.5, 0.5, 0.4]}
ALL = DRAWINGS | {
    "cutoff": lambda: figures.draw_lists(CASES, k=2),
    "grades": lambda: figures.draw_lists({"A": (list("abcdefgh"), {"a": 3, "d": 2.5})}, k=4),
    "long lists": lambda: figures.draw_lists({"A": LONG}),
    "bars": lambda: figures.draw_bars(
        pd.DataFrame(np.eye(4), columns=["RR", "AP", "nDCG", "P@5"]), title="Bars", ylabel="value"
    ),
    "distribution": lambda: figures.draw_distribution(TWO),
    "differences": lambda: figures.draw_differences(
        {name: pd.Series(values, list("pqr")) for name, values in TWO.items()}
    ),
    "lines": lambda: figures.draw_lines(
        pd.DataFrame({"RR": [1.0, 0.5]}), title="Lines", ylabel="value"
    ),
}


@pytest.mark.parametrize("draw", ALL.values(), ids=ALL)
class TestShown:
    def test_every_text_is_inside_and_nine_pixels_high_in_a_lesson_700_wide(self, draw):
        figure = draw().figure
        figure.canvas.draw()
        assert figure.get_figwidth() * 80 <= 700
        shown = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
        assert len(shown) > 3
        for text in shown:
            if set(text.get_text()) != {"●"}:
                assert text.get_fontsize() * 80 / 72 >= 9, text
        drawn = figure.get_tightbbox()
        assert min(drawn.x0, drawn.y0) >= 0
        assert drawn.x1 <= figure.get_figwidth()
        assert drawn.y1 <= figure.get_figheight()

    def test_it_has_no_ground_and_its_text_can_be_read_on_white_and_on_black(self, draw):
        figure = on_any_ground(draw().figure)
        figure.canvas.draw()
        assert np.asarray(figure.canvas.buffer_rgba())[0, 0, 3] == 0
        on_boxes = {to_rgba(colour) for colour in (WHITE, BLUE)}
        colours = {to_rgba(t.get_color()) for t in figure.findobj(Text) if t.get_text()}
        assert colours - on_boxes == {to_rgba(INK_ANYWHERE)}
