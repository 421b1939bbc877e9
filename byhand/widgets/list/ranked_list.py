"""A ranked list to reorder, regrade and take apart with a mouse, a finger or the keyboard."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Unpack

import traitlets

from byhand.errors import DataError
from byhand.widgets.list.ranking import Graded, Labelled, Ranked, Ranking, Settings
from byhand.widgets.live import Live, checks


class _Grades(dict):
    """Item -> grade, which cannot be changed in place: a browser would never hear of it."""

    def _refuse(self, *_: object) -> None:
        raise TypeError(
            "grades is read as a whole: use .set_grade(item, grade), or assign a new dict."
        )

    __setitem__ = __delitem__ = __ior__ = _refuse
    pop = popitem = update = clear = setdefault = _refuse


def _order_in(keys: object, widget: "RankedList") -> object:
    """What a browser sends as the order; the trait refuses what is no list."""
    return tuple(map(widget.catalogue.item, keys)) if isinstance(keys, list) else keys


def _grades_in(sent: object, widget: "RankedList") -> object:
    """What a browser sends as the grades; the trait refuses what is no mapping."""
    if not isinstance(sent, dict):
        return sent
    given = {widget.catalogue.item(key): grade for key, grade in sent.items()}
    return {**dict.fromkeys(widget.catalogue), **given}  # None may be lost on its way


class RankedList(Ranked, Live):
    """A ranked list whose order and grades a reader changes, with a dock for what is left out.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items (grade 1), or a mapping item -> grade, None for one that
            nobody judged: it counts as 0, and a dash says so. A relevant item that is not among
            `items` starts in the dock.
        settings: `max_grade`, `order`, `grading`, `docking`, `judged`, `caption`, `spans`, as
            `byhand.widgets.list.ranking.Settings` says.

    Attributes:
        order: the retrieved items, best first, as a tuple of the caller's own objects.
        grades: item -> grade or None, for every item; assign a new dict or use `set_grade`.
        start: the list of the beginning, and what was settled then.

    Raises:
        DataError: a repeated or unknown item, a grade out of range, or a span that is none.

    Example:
        >>> ranks = RankedList(["D1", "D4", "D2"], {"D4", "D9"})
        >>> ranks.move("D4", to=1)
        >>> ranks.order, ranks.docked
        (('D4', 'D1', 'D2'), ('D9',))
    """

    _line = Ranked.line
    order = traitlets.Tuple().tag(
        sync=True, to_json=lambda order, self: self.catalogue.keys(order), from_json=_order_in
    )
    grades = traitlets.Dict().tag(
        sync=True, to_json=lambda grades, self: self.catalogue.by_key(grades), from_json=_grades_in
    )

    def __init__(self, items: Labelled, relevant: Graded, **settings: Unpack[Settings]) -> None:
        self.start = start = Ranking(items, relevant, **settings)
        self.catalogue, self.max_grade, self.spans = start.catalogue, start.max_grade, start.spans
        super().__init__("list", fixed=start.fixed(), order=start.order, grades=start.grades)

    def move(self, item: Hashable, *, to: int) -> None:
        """Put an item at rank `to`; from the dock, it comes in.

        Raises:
            DataError: an unknown item, or a rank outside the list.
        """
        rest = self._without(item)
        if not 1 <= to <= len(rest) + 1:
            raise DataError(f"There is no rank {to!r} here: ranks go from 1 to {len(rest) + 1}.")
        self.order = (*rest[: to - 1], item, *rest[to - 1 :])

    def take_out(self, item: Hashable) -> None:
        """Take an item out of the list, into the dock."""
        self.order = self._without(item)

    def set_grade(self, item: Hashable, grade: int | None) -> None:
        """Give an item a grade from 0 to `max_grade`, or take its judgement back with None."""
        self.grades = {**self.grades, self.catalogue.known(item): grade}

    def rearrange(self, order: Iterable[Hashable]) -> None:
        """Put the items into a whole new order; those it leaves out go to the dock."""
        self.order = tuple(order)

    def reset(self) -> None:
        """Go back to the order and the grades of the beginning."""
        with self.hold_trait_notifications():
            self.order, self.grades = self.start.order, self.start.grades

    def _without(self, item: Hashable) -> tuple[Hashable, ...]:
        taken = self.catalogue.known(item)
        # the very same: an id may compare in its own way
        return tuple(other for other in self.order if other is not taken)

    @checks("order")
    def _check_order(self, order: Iterable[Hashable]) -> tuple[Hashable, ...]:
        return self.start.checked_order(order)

    @checks("grades")
    def _check_grades(self, grades: Mapping[Hashable, object]) -> _Grades:
        return _Grades(self.start.checked_grades(grades))
