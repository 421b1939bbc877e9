"""Two lists under the same measures, to see which measure tells them apart."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

import ipywidgets

from helpers.errors import DataError, both
from helpers.figures.lists import list_size
from helpers.metrics.measures.measure import cutoff
from helpers.metrics.names import measure_named
from helpers.widgets.board import FLOW, Board, card, column
from helpers.widgets.controls import Controls, button
from helpers.widgets.goals import NEAR
from helpers.widgets.items import grades_of
from helpers.widgets.message import Message
from helpers.widgets.picture import Picture, Pictured, axes_in
from helpers.widgets.ranked_list import RankedList
from helpers.widgets.scores import as_fraction, with_cutoff

List = Mapping[Hashable, object] | Iterable[Hashable]


class Duel(Pictured, ipywidgets.VBox):
    """Two lists to reorder, side by side, and which measures tell them apart.

    The two share the judgements: a grade changed in one list changes in the other.

    Args:
        lists: name -> list for two lists; or a pair of lists, which are then called A and B. A
            list is its items, best first, or a mapping item -> label.
        relevant: the relevant items (grade 1), or a mapping item -> grade.
        measures: names in ir_measures' notation.
        max_grade: the highest grade, from 1 (relevant or not) to 9.
        k: the cutoff of the measures that have none of their own.

    Attributes:
        lists: name -> `RankedList`.

    Raises:
        DataError: not exactly two lists, a repeated item, or a grade out of range.

    Example:
        >>> duel = Duel([["D1", "D4", "D5"], ["D2", "D4", "D3"]], {"D4", "D5"})
        >>> duel.told_apart
        {'RR': False, 'AP': True, 'nDCG': True}
        >>> duel.verdict
        'RR cannot tell the two apart. AP and nDCG can: A is better.'
    """

    def __init__(
        self,
        lists: Mapping[str, List] | Sequence[List],
        relevant: Mapping[Hashable, float] | Iterable[Hashable],
        *,
        measures: Sequence[str] = ("RR", "AP", "nDCG"),
        max_grade: int = 1,
        k: int | None = None,
    ) -> None:
        for name in measures:
            measure_named(name)
        self.measures, self.k = tuple(str(name) for name in measures), cutoff(k)
        named = lists if isinstance(lists, Mapping) else dict(zip("AB", lists, strict=False))
        if len(named) != 2 or len(lists) != 2:
            raise DataError(
                f"A duel is between two lists, and there are {len(lists)}. Pass a pair of lists, "
                "or a dict with two names."
            )
        relevant = grades_of(relevant, max_grade=max_grade)
        self.lists = {
            str(name): RankedList(items, relevant, max_grade=max_grade, caption=str(name))
            for name, items in named.items()
        }
        self._boards = {
            name: Board(ranks, self.measures, k=self.k) for name, ranks in self.lists.items()
        }
        self._resetting = False
        self.controls = Controls(
            [button("reset", "Reset", title="Both lists back to the first order")],
            caption="Change the lists",
        )
        self.controls.on_press(lambda _: self.reset())
        self.message = Message()
        self._scores = ipywidgets.HTML(layout=ipywidgets.Layout(width="auto", margin="0"))
        super().__init__(layout=ipywidgets.Layout(width="100%"))
        for name, ranks in self.lists.items():
            ranks.narrate = lambda board=self._boards[name]: board.words
            ranks.observe(lambda _, ranks=ranks: self._changed(ranks), ["order", "grades"])
        columns = [
            ipywidgets.VBox([board.ranks, board.figure], layout=column("300px"))
            for board in self._boards.values()
        ]
        row = ipywidgets.HBox(columns, layout=FLOW)
        self.children = (self.controls, self._scores, self.message, row)
        self._show()

    @property
    def values(self) -> dict[str, dict[str, float]]:
        """List name -> measure -> its value for that list as it is now."""
        return {name: board.values for name, board in self._boards.items()}

    @property
    def told_apart(self) -> dict[str, bool]:
        """Measure -> whether it has different values for the two lists."""
        a, b = self.values.values()
        return {name: abs(a[name] - b[name]) > NEAR for name in self.measures}

    @property
    def verdict(self) -> str:
        """Which measures tell the two lists apart, and which list they prefer."""
        a, b = self.values.values()
        first, second = self.lists
        apart = self.told_apart
        blind = [with_cutoff(name, self.k) for name in self.measures if not apart[name]]
        said = [f"{both(blind)} cannot tell the two apart."] if blind else []
        for winner, sign in ((first, 1), (second, -1)):
            fans = [
                name for name in self.measures if apart[name] and sign * (a[name] - b[name]) > 0
            ]
            if fans:
                names = both([with_cutoff(name, self.k) for name in fans])
                verb = "can" if blind else ("say" if len(fans) > 1 else "says")
                said.append(f"{names} {verb}: {winner} is better.")
        return " ".join(said)

    def reset(self) -> None:
        """Both lists back to the first order and grades."""
        self._resetting = True
        try:
            for ranks in self.lists.values():
                ranks.reset()
        finally:
            self._resetting = False
        self._show()

    def picture(self) -> Picture:
        """The picture of the first state, for a page on which nothing can be dragged."""
        width, height = list_size(len(self.measures))
        picture = Picture("", (2 * width, height + 0.3))
        said = []
        for n, (name, board) in enumerate(self._boards.items()):
            ax = axes_in(picture, top=height / (height + 0.3))
            box = ax.get_position()
            ax.set_position((0.005 + n * 0.5, box.y0, 0.47, box.height))
            said.append(f"{name}: {board.draw_start(ax).get_label()}")
            ax.set_title(name, loc="left", fontsize=11, fontweight="bold")
        picture.alt = " ".join(said)
        return picture

    def _changed(self, ranks: RankedList) -> None:
        self._share(ranks)
        if not self._resetting:
            self._show()

    def _share(self, ranks: RankedList) -> None:
        """Give the other list the grades of this one."""
        for other in self.lists.values():
            shared = {item: grade for item, grade in ranks.grades.items() if item in other.grades}
            if any(other.grades[item] != grade for item, grade in shared.items()):
                other.grades = {**other.grades, **shared}

    def _show(self) -> None:
        self._scores.value = self._cards()
        self.message.say(self.verdict)
        for board in self._boards.values():
            board.show()

    def _cards(self) -> str:
        a, b = self.values.values()
        apart = self.told_apart
        cards = []
        for name in self.measures:
            sign = "≠" if apart[name] else "="
            fractions = [as_fraction(each[name], largest=60) for each in (a, b)]
            exact = f" {sign} ".join(fractions) if all(fractions) else "&nbsp;"
            text = f"{with_cutoff(name, self.k)}: {a[name]:.3f} {sign} {b[name]:.3f}"
            cards.append(card(text, exact))
        return f'<div class="rm rm-values rm-pairs">{"".join(cards)}</div>'

    def __repr__(self) -> str:
        """One stable line: both orders, and the values side by side."""
        a, b = self.values.values()
        apart = self.told_apart
        orders = "; ".join(
            f"{name}: {repr(ranks).removeprefix('RankedList(').removesuffix(')')}"
            for name, ranks in self.lists.items()
        )
        scores = ", ".join(
            f"{with_cutoff(name, self.k)} {a[name]:.3f} {'≠' if apart[name] else '='} {b[name]:.3f}"
            for name in self.measures
        )
        return f"Duel({orders}; {scores})"
