"""A ranked list to reorder, regrade and take apart with a mouse, a finger or the keyboard."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from numbers import Integral

import traitlets

from byhand.widgets.items import Items, ListError, checked_grade, grades_of, labels_of
from byhand.widgets.live import Live
from byhand.widgets.words import say


class _Grades(dict):
    """Item -> grade, which cannot be changed in place: a browser would never hear of it."""

    def _refuse(self, *_: object) -> None:
        raise TypeError(
            "grades is read as a whole: use .set_grade(item, grade), or assign a new dict."
        )

    __setitem__ = __delitem__ = __ior__ = _refuse
    pop = popitem = update = clear = setdefault = _refuse


def _keys_out(value: Sequence[Hashable], widget: "RankedList") -> list[str]:
    return [widget.catalogue.key(item) for item in value]


def _keys_in(value: Iterable[str], widget: "RankedList") -> tuple[Hashable, ...]:
    return tuple(widget.catalogue.item(key) for key in value)


def _grades_out(
    value: Mapping[Hashable, int | None], widget: "RankedList"
) -> dict[str, int | None]:
    return {widget.catalogue.key(item): grade for item, grade in value.items()}


def _grades_in(value: Mapping[str, int | None], widget: "RankedList") -> dict[Hashable, int | None]:
    given = {widget.catalogue.item(key): grade for key, grade in value.items()}
    return {**dict.fromkeys(widget.catalogue), **given}  # None may be lost on its way


def _start_out(value: Mapping[str, object], widget: "RankedList") -> dict[str, object]:
    if not value:
        return {}
    return {
        "order": _keys_out(value["order"], widget),
        "grades": _grades_out(value["grades"], widget),
    }


def _items_out(value: Sequence[Mapping], widget: "RankedList") -> list[dict[str, str]]:
    return [{"id": widget.catalogue.key(each["id"]), "label": each["label"]} for each in value]


class RankedList(Live):
    """A ranked list whose order and grades a reader changes, with a dock for what is left out.

    Every item is either in the list or in the dock below it: `order` holds the retrieved items,
    best first, and whatever is not in `order` is in the dock ("judged relevant, not retrieved").
    Taking an item out shortens `order`; bringing it in lengthens it.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items (grade 1), or a mapping item -> grade, None for one that
            nobody judged: it counts as 0, and a dash says so. A relevant item that is not among
            `items` starts in the dock.
        max_grade: the highest grade, from 1 (relevant or not) to 9.
        order: the retrieved ones among `items`, best first, when not all of them are.
        grading: whether grades can be changed by the reader.
        docking: whether items can be taken out and brought in by the reader.
        judged: whether the rows say which items are relevant.
        caption: what stands above the list.
        spans: item -> how many ranks its row stands for, a whole number from 1, for a row that sums
            up several items of which none is relevant; 1 for the others.

    Attributes:
        items: one {"id", "label"} an item.
        order: the retrieved items, best first, as a tuple of the caller's own objects.
        grades: item -> grade or None, for every item; assign a new dict or use `set_grade`.
        max_grade: the highest grade.
        start: the order and the grades of the beginning.

    Raises:
        DataError: a repeated or unknown item, a grade out of range, or a span that is none.

    Example:
        >>> ranks = RankedList(["D1", "D4", "D2"], {"D4", "D9"})
        >>> ranks.move("D4", to=1)
        >>> ranks.order, ranks.docked
        (('D4', 'D1', 'D2'), ('D9',))
    """

    items = traitlets.List(read_only=True).tag(sync=True, to_json=_items_out)
    order = traitlets.Tuple().tag(sync=True, to_json=_keys_out, from_json=_keys_in)
    grades = traitlets.Dict().tag(sync=True, to_json=_grades_out, from_json=_grades_in)
    max_grade = traitlets.Int(1, read_only=True).tag(sync=True)
    grading = traitlets.Bool(True).tag(sync=True)
    docking = traitlets.Bool(True).tag(sync=True)
    judged = traitlets.Bool(True).tag(sync=True)
    caption = traitlets.Unicode("").tag(sync=True)
    spans = traitlets.Dict(read_only=True).tag(sync=True, to_json=_grades_out)
    start = traitlets.Dict(read_only=True).tag(sync=True, to_json=_start_out)

    def __init__(
        self,
        items: Mapping[Hashable, object] | Iterable[Hashable],
        relevant: Mapping[Hashable, float | None] | Iterable[Hashable],
        *,
        max_grade: int = 1,
        order: Iterable[Hashable] | None = None,
        grading: bool = True,
        docking: bool = True,
        judged: bool = True,
        caption: str | None = None,
        spans: Mapping[Hashable, int] | None = None,
    ) -> None:
        if not (isinstance(max_grade, int) and 1 <= max_grade <= 9):
            raise ListError(
                f"max_grade is {max_grade!r}. It is a whole number from 1 (relevant or not) to 9."
            )
        labels = labels_of(items)
        retrieved = tuple(labels) if order is None else tuple(order)
        grades = grades_of(relevant, max_grade=max_grade)
        for item, grade in grades.items():
            if grade:
                labels.setdefault(item, str(item))
        self.catalogue = Items(labels)
        super().__init__(
            "list",
            items=[{"id": item, "label": labels[item]} for item in labels],
            max_grade=max_grade,
            spans=self._checked_spans(spans or {}),
            grades={item: grade for item, grade in grades.items() if item in labels},
            order=retrieved,
            grading=grading,
            docking=docking,
            judged=judged,
            caption=say("list", "caption") if caption is None else caption,
        )

    @traitlets.default("start")
    def _begin(self) -> dict[str, object]:
        return {"order": self.order, "grades": self.grades}

    def _checked_spans(self, spans: Mapping[Hashable, int]) -> dict[Hashable, int]:
        for item, span in spans.items():
            self._known(item)
            if not (isinstance(span, Integral) and span >= 1):
                raise ListError(
                    f"The span of {item!r} is {span!r}. It is the number of ranks that its row "
                    "stands for: a whole number from 1."
                )
        return {item: int(span) for item, span in spans.items()}

    @property
    def docked(self) -> tuple[Hashable, ...]:
        """The items that are not retrieved, in the order in which they were given."""
        retrieved = set(self.order)
        return tuple(item for item in self.catalogue if item not in retrieved)

    @property
    def relevant(self) -> dict[Hashable, int]:
        """The relevant items, retrieved or not, with their grades: what a measure asks for."""
        return {item: grade for item, grade in self.grades.items() if grade}

    def label(self, item: Hashable) -> str:
        """The text shown for an item."""
        return self.catalogue.labels[item]

    def move(self, item: Hashable, *, to: int) -> None:
        """Put an item at rank `to`; from the dock, it comes in.

        Raises:
            DataError: an unknown item, or a rank outside the list.

        Example:
            >>> ranks = RankedList(["D1", "D4", "D2"], {"D4"})
            >>> ranks.move("D1", to=3)
            >>> ranks.order
            ('D4', 'D2', 'D1')
        """
        self._known(item)
        rest = self._without(item)
        if not 1 <= to <= len(rest) + 1:
            raise ListError(f"There is no rank {to!r} here: ranks go from 1 to {len(rest) + 1}.")
        rest.insert(to - 1, item)
        self.order = tuple(rest)

    def take_out(self, item: Hashable) -> None:
        """Take an item out of the list, into the dock."""
        self._known(item)
        self.order = tuple(self._without(item))

    def set_grade(self, item: Hashable, grade: int | None) -> None:
        """Give an item a grade from 0 to `max_grade`, or take its judgement back with None."""
        self._known(item)
        self.grades = {**self.grades, item: grade}

    def rearrange(self, order: Iterable[Hashable]) -> None:
        """Put the items into a whole new order; those it leaves out go to the dock."""
        self.order = tuple(order)

    def reset(self) -> None:
        """Go back to the order and the grades of the beginning."""
        with self.hold_trait_notifications():
            self.order, self.grades = self.start["order"], self.start["grades"]

    def _without(self, item: Hashable) -> list[Hashable]:
        return [other for other in self.order if not self.catalogue.same(other, item)]

    def _known(self, item: Hashable) -> None:
        if item not in self.catalogue:
            raise ListError(
                f"{item!r} is not an item of this list, which holds {self.catalogue.names()}. "
                "Use one of those, or make the list with this item."
            )

    @traitlets.validate("order")
    def _check_order(self, proposal: Mapping) -> tuple[Hashable, ...]:
        seen: dict[Hashable, int] = {}
        for rank, item in enumerate(proposal["value"], start=1):
            self._known(item)
            if item in seen:
                raise ListError(
                    f"{item!r} stands at rank {seen[item]} and again at rank {rank} of order. "
                    "A ranked list holds each item once: remove the repeat."
                )
            seen[item] = rank
        return tuple(self.catalogue.own(item) for item in seen)

    @traitlets.validate("grades")
    def _check_grades(self, proposal: Mapping) -> _Grades:
        for item in proposal["value"]:
            self._known(item)
        given, top = proposal["value"], self.max_grade
        for item in self.spans:
            if given.get(item, 0):
                raise ListError(
                    f"The grade of {item!r} is {given[item]!r}, but its row stands for several "
                    "items of which none is relevant. Take it out of spans, or give it the grade 0."
                )
        return _Grades(
            (item, checked_grade(item, given.get(item, 0), max_grade=top))
            for item in self.catalogue
        )

    @property
    def line(self) -> str:
        """The order, relevant items marked, and what is in the dock.

        Example:
            >>> RankedList(["D1", "D4", "D2"], {"D4", "D9"}).line
            'D1 > D4* > D2; not retrieved: D9*'
        """
        docked = ", ".join(self._marked(item) for item in self.docked)
        order = " > ".join(self._marked(item) for item in self.order) or "nothing retrieved"
        return f"{order}{'; not retrieved: ' + docked if docked else ''}"

    def __repr__(self) -> str:
        """One stable line."""
        return f"RankedList({self.line})"

    def _marked(self, item: Hashable) -> str:
        grade = self.grades[item]
        if self.max_grade == 1:
            return f"{item}{'*' if grade else ''}"
        return f"{item}:{'–' if grade is None else grade}"
