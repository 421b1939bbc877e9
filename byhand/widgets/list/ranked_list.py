"""A widget for a ranked list to reorder and regrade."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Unpack

import traitlets

from byhand.errors import DataError
from byhand.widgets.list.ranking import Graded, Labelled, Ranked, Ranking, Settings
from byhand.widgets.live import Live, checks


class _Grades(dict):
    """Mapping item -> grade; read-only, because browsers do not get changes in place."""

    def _refuse(self, *_: object) -> None:
        raise TypeError(
            "grades cannot be changed in place: assign a new dict, {**ranks.grades, item: grade}."
        )

    __setitem__ = __delitem__ = __ior__ = _refuse
    pop = popitem = update = clear = setdefault = _refuse


def _order_in(keys: object, widget: "RankedList") -> object:
    """Convert the browser's order to items; the trait checks it."""
    return tuple(map(widget.catalogue.item, keys)) if isinstance(keys, list) else keys


def _grades_in(sent: object, widget: "RankedList") -> object:
    """Convert the browser's grades to items; the trait checks them."""
    if not isinstance(sent, dict):
        return sent
    given = {widget.catalogue.item(key): grade for key, grade in sent.items()}
    return {**dict.fromkeys(widget.catalogue), **given}  # the browser may omit None


class RankedList(Ranked, Live):
    """Show a ranked list to reorder and regrade, with a dock for items outside the list.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items (grade 1); or a mapping item -> grade, None for an unjudged
            item, which counts as 0 and has a dash. A relevant item that is not in `items` starts
            in the dock.
        settings: `max_grade`, `order`, `grading`, `docking`, `judged`, `caption` and `spans`; see
            `byhand.widgets.list.ranking.Settings`.

    Attributes:
        order: the retrieved items, best first, as a tuple of the caller's own objects.
        grades: mapping item -> grade or None; assign a new dict.
        start: the initial list and its settings.

    Raises:
        DataError: If an item is repeated or unknown, a grade is out of range, or a span is below 1
            or of a relevant item.

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
        """Move an item to rank `to`, from the list or the dock.

        Raises:
            DataError: If the item is unknown, or the rank is outside the list.
        """
        moved = self.catalogue.known(item)
        # `is`, because ids may define their own equality
        rest = tuple(other for other in self.order if other is not moved)
        if not 1 <= to <= len(rest) + 1:
            raise DataError(f"to is {to!r}. Expected a rank from 1 to {len(rest) + 1}.")
        self.order = (*rest[: to - 1], item, *rest[to - 1 :])

    @checks("order")
    def _check_order(self, order: Iterable[Hashable]) -> tuple[Hashable, ...]:
        return self.start.checked_order(order)

    @checks("grades")
    def _check_grades(self, grades: Mapping[Hashable, object]) -> _Grades:
        return _Grades(self.start.checked_grades(grades))
