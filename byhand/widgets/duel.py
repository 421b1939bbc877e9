"""Two lists under the same measures, to see which measure tells them apart."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

import traitlets
from ipywidgets import widget_serialization

from byhand.errors import DataError
from byhand.metrics.measures.measure import cutoff
from byhand.widgets.board import Board
from byhand.widgets.goals import NEAR
from byhand.widgets.items import grades_of, labels_of
from byhand.widgets.live import Live
from byhand.widgets.picture import Picture, Pictured, axes_in
from byhand.widgets.ranked_list import RankedList
from byhand.widgets.scores import with_cutoff
from byhand.widgets.words import listed, say

List = Mapping[Hashable, object] | Iterable[Hashable]


class Duel(Pictured, Live):
    """Two lists to reorder, side by side, and which measures tell them apart.

    The two share the judgements: a grade changed in one list changes in the other. An item of one
    list that the other has not retrieved stands in the other's dock, and can be dragged across.

    Args:
        lists: name -> list for two lists; or a pair of lists, which are then called A and B. A
            list is its items, best first, or a mapping item -> label.
        relevant: the relevant items (grade 1), or a mapping item -> grade.
        measures: names in ir_measures' notation, or just one.
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

    ranks = traitlets.List(read_only=True).tag(sync=True, **widget_serialization)
    measures = traitlets.List(read_only=True).tag(sync=True)
    k = traitlets.Int(None, allow_none=True, read_only=True).tag(sync=True)
    answers = traitlets.List(read_only=True).tag(sync=True)

    def __init__(
        self,
        lists: Mapping[str, List] | Sequence[List],
        relevant: Mapping[Hashable, float] | Iterable[Hashable],
        *,
        measures: Iterable[object] = ("RR", "AP", "nDCG"),
        max_grade: int = 1,
        k: int | None = None,
    ) -> None:
        named = lists if isinstance(lists, Mapping) else dict(zip("AB", lists, strict=False))
        if len(named) != 2 or len(lists) != 2:
            raise DataError(
                f"A duel is between two lists, and there are {len(lists)}. Pass a pair of lists, "
                "or a dict with two names."
            )
        relevant, k = grades_of(relevant, max_grade=max_grade), cutoff(k)
        labels = {str(name): labels_of(items) for name, items in named.items()}
        everything = {item: label for each in labels.values() for item, label in each.items()}
        self.lists = {
            name: RankedList(
                own | everything, relevant, max_grade=max_grade, order=own, caption=name
            )
            for name, own in labels.items()
        }
        self._boards = {name: Board(each, measures, k=k) for name, each in self.lists.items()}
        board, *_ = self._boards.values()
        self._names = tuple(board.measures)
        self._answer()
        super().__init__("duel", ranks=list(self.lists.values()), measures=board.specs, k=k)
        for ranks in self.lists.values():
            ranks.observe(lambda _, ranks=ranks: self._changed(ranks), ["order", "grades"])

    @property
    def values(self) -> dict[str, dict[str, float]]:
        """List name -> measure -> its value for that list as it is now."""
        return {name: board.values for name, board in self._boards.items()}

    @property
    def told_apart(self) -> dict[str, bool]:
        """Measure -> whether it has different values for the two lists."""
        a, b = self.values.values()
        return {name: abs(a[name] - b[name]) > NEAR for name in self._names}

    @property
    def verdict(self) -> str:
        """Which measures tell the two lists apart, and which list they prefer."""
        a, b = self.values.values()
        first, second = self.lists
        apart = self.told_apart
        blind = [with_cutoff(name, self.k) for name in self._names if not apart[name]]
        said = [say("duel", "blind", measures=listed(blind))] if blind else []
        for winner, sign in ((first, 1), (second, -1)):
            fans = [name for name in self._names if apart[name] and sign * (a[name] - b[name]) > 0]
            if fans:
                names = listed([with_cutoff(name, self.k) for name in fans])
                verb = "can" if blind else ("say" if len(fans) > 1 else "says")
                said.append(say("duel", verb, measures=names, list=winner))
        return " ".join(said)

    def reset(self) -> None:
        """Both lists back to the first order and grades."""
        for ranks in self.lists.values():
            ranks.reset()

    def picture(self) -> Picture:
        """The picture of both lists, for a page on which nothing can be dragged."""
        width, height = next(iter(self._boards.values())).size
        picture = Picture("", (2 * width, height + 0.3))
        said = []
        for n, (name, board) in enumerate(self._boards.items()):
            ax = axes_in(picture, top=height / (height + 0.3))
            box = ax.get_position()
            ax.set_position((0.005 + n * 0.5, box.y0, 0.47, box.height))
            said.append(f"{name}: {board.draw(ax).get_label()}")
            ax.set_title(name, loc="left", fontsize=11, fontweight="bold")
        picture.alt = " ".join(said)
        return picture

    def _changed(self, ranks: RankedList) -> None:
        """Give the other list the grades of this one."""
        for other in self.lists.values():
            if other.grades != ranks.grades:
                other.grades = {item: ranks.grades[item] for item in other.grades}
        self._answer()

    def _answer(self) -> None:
        self.set_trait("answers", [board.answers for board in self._boards.values()])

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
            for name in self._names
        )
        return f"Duel({orders}; {scores})"
