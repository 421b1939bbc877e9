"""What stands beside a list that a reader changes: its values and its picture."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from html import escape
from threading import RLock
from typing import NamedTuple

from ipywidgets import HTML, Layout
from matplotlib.axes import Axes

from helpers.figures.lists import Lane, draw_list, list_size
from helpers.widgets.picture import LiveFigure, Picture, axes_in
from helpers.widgets.ranked_list import RankedList
from helpers.widgets.scores import as_fraction, in_words, lanes_of, with_cutoff

FLOW = Layout(display="flex", flex_flow="row wrap", align_items="flex-start", width="100%")


def column(basis: str) -> Layout:
    """A column of a row that wraps: as wide as `basis`, then shares what is left."""
    return Layout(flex=f"1 1 {basis}", min_width="0", width="auto", margin="0 10px 0 0")


class _State(NamedTuple):
    """What the values of a list and its picture depend on."""

    order: tuple[Hashable, ...]
    grades: tuple[tuple[Hashable, int], ...]
    k: int | None

    @property
    def relevant(self) -> dict[Hashable, int]:
        """Item -> grade of the relevant items."""
        return dict(self.grades)


class Board:
    """The values and the live picture of one list, each worked out once for each state of it.

    Args:
        ranks: the list.
        measures: the measures, in the order in which they are shown.
        k: the cutoff of the measures that have none of their own.

    Attributes:
        k: the cutoff now.
        start_k: the cutoff of the beginning.
        figure: the live picture.

    Example:
        >>> board = Board(RankedList(["D1", "D4"], {"D4"}), ["RR"])
        >>> board.values, board.words
        ({'RR': 0.5}, 'RR = 0.500.')
        >>> board.ranks.move("D4", to=1)
        >>> board.values
        {'RR': 1.0}
    """

    def __init__(self, ranks: RankedList, measures: Sequence[str], *, k: int | None = None) -> None:
        self.ranks, self.measures = ranks, measures
        self.k = self.start_k = k
        self.figure = HTML(layout=Layout(width="auto", margin="0"))
        self._live = LiveFigure(list_size(len(measures)))
        self._lanes: tuple[_State, dict[str, Lane]] | None = None
        self._drawn: _State | None = None
        self._lock = RLock()

    @property
    def values(self) -> dict[str, float]:
        """Measure, as it was asked for, -> its value for the list as it is now."""
        return {name: lane.value for name, lane in self._lanes_of(self._state).items()}

    @property
    def words(self) -> str:
        """The values in a sentence."""
        return f"{in_words(self.values, k=self.k)}."

    def show(self, beside: Callable[[], None] = lambda: None) -> None:
        """Draw the list as it is now, and what stands beside it, unless that is done.

        A kernel may hear of the next change, in another thread, while this one is drawn.
        """
        with self._lock:
            while (state := self._state) != self._drawn:
                beside()
                now = state.order, state.relevant, self._lanes_of(state), state.k
                self.figure.value = self._live.html(partial(self._draw, *now))
                self._drawn = state

    def draw_start(self, ax: Axes) -> Axes:
        """Draw the list as it was in the beginning, for an image of it."""
        order, grades = self.ranks.start
        relevant = {item: grade for item, grade in grades.items() if grade > 0}
        lanes = lanes_of(self.measures, order, relevant, k=self.start_k)
        return self._draw(order, relevant, lanes, self.start_k, ax)

    def picture(self) -> Picture:
        """The image of the list as it was in the beginning, with its words."""
        picture = Picture("", list_size(len(self.measures)))
        picture.alt = self.draw_start(axes_in(picture)).get_label()
        return picture

    @property
    def _state(self) -> _State:
        return _State(self.ranks.order, tuple(self.ranks.relevant.items()), self.k)

    def _lanes_of(self, state: _State) -> dict[str, Lane]:
        known = self._lanes
        if known is None or known[0] != state:
            lanes = lanes_of(self.measures, state.order, state.relevant, k=state.k)
            self._lanes = known = (state, lanes)
        return known[1]

    def _draw(
        self,
        order: Sequence[Hashable],
        relevant: Mapping[Hashable, int],
        lanes: Mapping[str, Lane],
        k: int | None,
        ax: Axes,
    ) -> Axes:
        return draw_list(
            order,
            relevant,
            lanes=list(lanes.values()),
            k=k,
            labels=self.ranks.catalogue.labels,
            max_grade=self.ranks.max_grade,
            ax=ax,
        )


class Cards(HTML):
    """The values of a list as cards, each with its fraction and its value before the last change.

    Example:
        >>> cards = Cards()
        >>> cards.show({"RR": 0.5})
        >>> "RR = 0.500" in cards.value, "1/2" in cards.value
        (True, True)
    """

    def __init__(self) -> None:
        super().__init__(layout=Layout(width="auto", margin="0"))
        self._before: Mapping[str, float] = {}

    def show(self, values: Mapping[str, float], *, k: int | None = None) -> None:
        """Write the values, under names with the cutoff k."""
        cards = []
        for name, value in values.items():
            was = self._before.get(name, value)
            # the line stays when there is nothing to say, so that nothing below it jumps
            before = f"was {was:.3f}" if abs(value - was) > 5e-4 else "&nbsp;"
            aside = f'<span class="rm-was">{before}</span>'
            cards.append(card(f"{with_cutoff(name, k)} = {value:.3f}", as_fraction(value), aside))
        self._before = dict(values)
        self.value = f'<div class="rm rm-values">{"".join(cards)}</div>'


def card(text: str, fraction: str, aside: str = "") -> str:
    """A card of a value: its text, its fraction if it has one, and HTML beside that."""
    exact = f'<span class="rm-fraction">{fraction}</span>' if fraction else ""
    return (
        f'<div class="rm-card"><div class="rm-value">{escape(text)}</div>'
        f'<div class="rm-aside">{exact}{aside}</div></div>'
    )
