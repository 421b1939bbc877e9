"""What stands beside a list that a reader changes: its values and its picture."""

from collections.abc import Hashable, Mapping, Sequence
from html import escape

from ipywidgets import HTML, Layout
from matplotlib.axes import Axes

from helpers.widgets.picture import (
    LiveFigure,
    Picture,
    draw_list,
    figure_size,
    new_axes,
    text_alternative,
)
from helpers.widgets.ranked_list import RankedList
from helpers.widgets.scores import as_fraction, in_words, values_of, with_cutoff

FLOW = Layout(display="flex", flex_flow="row wrap", align_items="flex-start", width="100%")


def column(basis: str) -> Layout:
    """A column of a row that wraps: as wide as `basis`, then shares what is left."""
    return Layout(flex=f"1 1 {basis}", min_width="0", width="auto", margin="0 10px 0 0")


class Board:
    """The values and the live picture of one list; the text is sent before the picture is drawn.

    Args:
        ranks: the list.
        measures: the measures, in the order in which they are shown.
    """

    def __init__(self, ranks: RankedList, measures: Sequence[str]) -> None:
        self.ranks, self.measures = ranks, measures
        self.values = HTML(layout=Layout(width="auto", margin="0"))
        self.figure = HTML(layout=Layout(width="auto", margin="0"))
        self._live = LiveFigure(figure_size(len(measures)))
        self._before: Mapping[str, float] = {}

    def show_values(self, values: Mapping[str, float], *, k: int | None = None) -> None:
        """Write the values, each with its fraction and with what it was before the last change."""
        cards = [
            _card(with_cutoff(name, k), value, self._before.get(name, value))
            for name, value in values.items()
        ]
        self._before = dict(values)
        self.values.value = f'<div class="rm rm-values">{"".join(cards)}</div>'

    def show_figure(self, values: Mapping[str, float], *, k: int | None = None) -> None:
        """Draw the picture."""
        ranks = self.ranks
        said = text_alternative(ranks.order, ranks.relevant, in_words(values, k=k))
        svg = self._live.svg(lambda ax: draw_ranks(ax, ranks, self.measures, k=k))
        self.figure.value = (
            f'<div class="rm rm-figure" role="img" aria-label="{escape(said)}">{svg}</div>'
        )


def draw_ranks(
    ax: Axes,
    ranks: RankedList,
    measures: Sequence[str],
    *,
    k: int | None = None,
    state: tuple[Sequence[Hashable], Mapping[Hashable, int]] | None = None,
) -> Axes:
    """Draw a list widget as it is now, or in another state (order, relevant)."""
    order, relevant = state or (ranks.order, ranks.relevant)
    return draw_list(
        ax,
        order,
        relevant,
        measures=measures,
        k=k,
        labels=ranks.catalogue.labels,
        max_grade=ranks.max_grade,
    )


def picture_of(
    ranks: RankedList,
    state: tuple[Sequence[Hashable], Mapping[Hashable, int]],
    measures: Sequence[str] = (),
    *,
    k: int | None = None,
) -> Picture:
    """The static picture of a list in a state (order, grades), with its text alternative."""
    order = state[0]
    relevant = {item: grade for item, grade in state[1].items() if grade > 0}
    values = values_of(order, relevant, measures, k=k)
    alt = text_alternative(order, relevant, in_words(values, k=k))
    picture = Picture(alt, figure_size(len(measures)))
    draw_ranks(new_axes(picture), ranks, measures, k=k, state=(order, relevant))
    return picture


def _card(name: str, value: float, before: float) -> str:
    fraction = as_fraction(value)
    beside = f'<span class="rm-fraction">{fraction}</span>' if fraction else ""
    # the line stays when there is nothing to say, so that nothing below it jumps
    was = f"was {before:.3f}" if abs(value - before) > 5e-4 else "&nbsp;"
    return (
        f'<div class="rm-card"><div class="rm-value">{escape(name)} = {value:.3f}</div>'
        f'<div class="rm-aside">{beside}<span class="rm-was">{was}</span></div></div>'
    )
