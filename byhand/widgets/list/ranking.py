"""The state of a ranked list: items, order, grades and settings."""

from collections.abc import Hashable, Iterable, Mapping, Set
from numbers import Integral
from typing import TypedDict

import numpy as np

from byhand.errors import DataError
from byhand.metrics.cases import no_list, repeated
from byhand.widgets.numbers import LIMITS
from byhand.widgets.phrases import say

Labelled = Mapping[Hashable, object] | Iterable[Hashable]  # item -> label, or items
Graded = Mapping[Hashable, float | None] | Iterable[Hashable]


class Items:
    """The items of a widget, each with a label and a key for the browser.

    Keys are unique texts, so 1 and "1" are two items.
    """

    def __init__(self, labels: Mapping[Hashable, str]) -> None:
        self.labels = dict(labels)
        self._keys: dict[Hashable, str] = {}
        self._items: dict[str, Hashable] = {}
        for item in self.labels:
            key = str(item)
            if key in self._items:
                key = repr(item)
            while key in self._items:
                key += "'"
            self._keys[item], self._items[key] = key, item

    def __contains__(self, item: object) -> bool:
        try:
            return item in self.labels
        except TypeError:
            return False

    def __iter__(self) -> Iterable[Hashable]:
        return iter(self.labels)

    def keys(self, items: Iterable[Hashable]) -> list[str]:
        """Return the keys of items."""
        return [self._keys[item] for item in items]

    def by_key(self, values: Mapping[Hashable, object]) -> dict[str, object]:
        """Return the values by key."""
        return {self._keys[item]: value for item, value in values.items()}

    def item(self, key: str) -> Hashable:
        """Return the item of a key, or an unknown key itself."""
        return self._items.get(key, key) if isinstance(key, str) else key

    def known(self, item: Hashable) -> Hashable:
        """Return the caller's object for an equal item, or raise `DataError`."""
        if item in self:
            return self._items[self._keys[item]]
        shown = ", ".join(repr(each) for each in list(self.labels)[:8])
        n = len(self.labels) - 8
        more = f" and {n} more" if n > 0 else ""
        raise DataError(
            f"{item!r} is not an item of this list, which contains {shown}{more}. Use one of "
            "those, or create the list with this item."
        )


def labels_of(items: Labelled) -> dict[Hashable, str]:
    """Return checked item -> label, from such a mapping or from items."""
    if isinstance(items, str | bytes):
        raise no_list(items, "items")
    if isinstance(items, Mapping):
        return {_plain(item): str(label) for item, label in items.items()}
    ranks: dict[Hashable, int] = {}
    for rank, item in enumerate(items, start=1):
        try:
            again = item in ranks
        except TypeError:
            raise DataError(
                f"The item at rank {rank} is {item!r} ({type(item).__name__}), which cannot be "
                "an id. Use texts or whole numbers."
            ) from None
        if again:
            raise repeated(item, ranks[item], rank, "items")
        ranks[_plain(item)] = rank
    return {item: str(item) for item in ranks}


def _plain(item: Hashable) -> Hashable:
    """Convert a NumPy scalar to a Python object."""
    return item.item() if isinstance(item, np.generic) else item


class Settings(TypedDict, total=False):
    """The settings of a list.

    Attributes:
        max_grade: highest grade, from 1 (binary) to 9; 1 by default.
        order: the retrieved items, best first; all items by default.
        grading: If True (the default), readers can change grades.
        docking: If True (the default), readers can remove and add items.
        judged: If True (the default), rows show which items are relevant.
        caption: caption of the list; a standard text by default.
        spans: mapping item -> number of ranks of its row, a whole number from 1, for rows that
            stand for several irrelevant items; 1 by default.
    """

    max_grade: int
    order: Iterable[Hashable]
    grading: bool
    docking: bool
    judged: bool
    caption: str
    spans: Mapping[Hashable, int]


class Ranked:
    """Base of lists with items, an order and grades."""

    catalogue: Items  # all items
    order: tuple[Hashable, ...]  # retrieved items, best first
    grades: Mapping[Hashable, int | None]  # for every item; None if unjudged
    max_grade: int
    spans: Mapping[Hashable, int]

    @property
    def relevant(self) -> dict[Hashable, int]:
        """The grades of all relevant items, for the measures."""
        return {item: grade for item, grade in self.grades.items() if grade}

    @property
    def docked(self) -> tuple[Hashable, ...]:
        """The items that are not retrieved, in their original order."""
        retrieved = set(self.order)
        return tuple(item for item in self.catalogue if item not in retrieved)

    @property
    def unfolded(self) -> list[Hashable]:
        """The list by rank; a row for several ranks becomes several items."""
        spans = self.spans
        return [
            each
            for item in self.order
            for each in ([(item, n) for n in range(spans[item])] if item in spans else [item])
        ]

    @property
    def line(self) -> str:
        """The order with marked relevant items, and the dock, as text."""
        order = " > ".join(map(self._marked, self.order)) or "nothing retrieved"
        docked = ", ".join(map(self._marked, self.docked))
        return f"{order}; not retrieved: {docked}" if docked else order

    def _marked(self, item: Hashable) -> str:
        grade = self.grades[item]
        if self.max_grade == 1:
            return f"{item}{'*' if grade else ''}"
        return f"{item}:{'–' if grade is None else grade}"

    def state(self) -> dict[str, object]:
        """Return order and grades for the browser."""
        return {
            "order": self.catalogue.keys(self.order),
            "grades": self.catalogue.by_key(self.grades),
        }


class Ranking(Ranked):
    """A checked ranked list and its settings."""

    def __init__(
        self,
        items: Labelled,
        relevant: Graded,
        *,
        max_grade: int = 1,
        order: Iterable[Hashable] | None = None,
        grading: bool = True,
        docking: bool = True,
        judged: bool = True,
        caption: str | None = None,
        spans: Mapping[Hashable, int] | None = None,
    ) -> None:
        most = LIMITS["grade"]
        if not (isinstance(max_grade, int) and 1 <= max_grade <= most):
            raise DataError(
                f"max_grade is {max_grade!r}. Expected a whole number from 1 (relevant or not) to "
                f"{most}."
            )
        labels, grades = labels_of(items), grades_of(relevant, max_grade=max_grade)
        retrieved = list(labels) if order is None else order
        missed = (item for item, grade in grades.items() if grade and item not in labels)
        self.catalogue = Items(labels | {item: str(item) for item in missed})
        self.max_grade, self.grading = max_grade, grading
        self.docking, self.judged = docking, judged
        self.caption = say("list", "caption") if caption is None else caption
        self.spans = self._checked_spans(spans or {})
        self.order = self.checked_order(retrieved)
        self.grades = self.checked_grades({i: g for i, g in grades.items() if i in self.catalogue})

    def checked_order(self, order: Iterable[Hashable]) -> tuple[Hashable, ...]:
        """Return an order with the caller's objects, or raise `DataError`."""
        seen: dict[Hashable, int] = {}
        for rank, item in enumerate(order, start=1):
            item = self.catalogue.known(item)
            if item in seen:
                raise repeated(item, seen[item], rank, "order")
            seen[item] = rank
        return tuple(seen)

    def checked_grades(self, grades: Mapping[Hashable, object]) -> dict[Hashable, int | None]:
        """Return the grade of every item, 0 by default, or raise `DataError`."""
        for item in grades:
            self.catalogue.known(item)
        for item in self.spans:
            if grades.get(item, 0):
                raise DataError(
                    f"The grade of {item!r} is {grades[item]!r}, but its row stands for several "
                    "items, none of them relevant. Remove it from spans, or set its grade "
                    "to 0."
                )
        return {
            item: _checked_grade(item, grades.get(item, 0), max_grade=self.max_grade)
            for item in self.catalogue
        }

    def _checked_spans(self, spans: Mapping[Hashable, int]) -> dict[Hashable, int]:
        for item, span in spans.items():
            self.catalogue.known(item)
            if not (isinstance(span, Integral) and span >= 1):
                raise DataError(
                    f"The span of {item!r} is {span!r}. Expected the number of ranks that its row "
                    "stands for: 1 or more."
                )
        return {item: int(span) for item, span in spans.items()}

    def fixed(self) -> dict[str, object]:
        """Return the browser's constant data."""
        catalogue = self.catalogue
        labels = catalogue.by_key(catalogue.labels)
        return {
            "items": [{"id": key, "label": label} for key, label in labels.items()],
            "start": self.state(),
            "spans": catalogue.by_key(self.spans),
            "max_grade": self.max_grade,
            "grading": self.grading,
            "docking": self.docking,
            "judged": self.judged,
            "caption": self.caption,
        }

    def page_state(self) -> dict[str, object]:
        """Return the state of the list for a page."""
        return {"view": "list", "fixed": self.fixed(), **self.state()}


def grades_of(relevant: Graded, *, max_grade: int) -> dict[Hashable, int | None]:
    """Return checked item -> grade, from such a mapping or from relevant items (grade 1)."""
    if isinstance(relevant, str | bytes):
        raise DataError(
            f"relevant is the text {relevant!r}, not a set of items. If it is one item, pass "
            f"{{{relevant!r}}}."
        )
    if isinstance(relevant, Set):
        # the order of a set of texts changes between runs
        try:
            relevant = sorted(relevant)
        except TypeError:
            relevant = sorted(relevant, key=lambda item: (type(item).__name__, str(item)))
    pairs = relevant.items() if isinstance(relevant, Mapping) else ((i, 1) for i in relevant)
    return {item: _checked_grade(item, grade, max_grade=max_grade) for item, grade in pairs}


def _checked_grade(item: Hashable, grade: object, *, max_grade: int) -> int | None:
    """Return a grade as an int from 0 to `max_grade`, or None."""
    if grade is None:
        return None
    try:
        whole = int(grade) if grade == int(grade) else None
    except (TypeError, ValueError, OverflowError):
        whole = None
    if whole is None or not 0 <= whole <= max_grade:
        raise DataError(
            f"The grade of {item!r} is {grade!r}. Expected a whole number from 0 (not relevant) to "
            f"{max_grade}. Change the grade, or pass a larger max_grade."
        )
    return whole
