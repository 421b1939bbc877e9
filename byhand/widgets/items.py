"""The items of a list: the reader's own objects, their labels, and what a browser calls them."""

from collections.abc import Hashable, Iterable, Mapping, Set

import numpy as np
from traitlets import TraitError

from byhand.errors import DataError


class ListError(DataError, TraitError):
    """A `DataError` that is a `TraitError` too, so that a refused value leaves no trace."""


class Items:
    """The items of a widget, each with a label to show and a key that a browser can send back.

    The key is the item's text, made unique, so that 1 and "1" stay two items.

    Args:
        labels: item -> label, in the order in which the items were given.

    Example:
        >>> items = Items({1: "Museum", "1": "Market"})
        >>> items.key(1), items.key("1"), items.item("'1'")
        ('1', "'1'", '1')
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

    def __len__(self) -> int:
        return len(self.labels)

    def key(self, item: Hashable) -> str:
        """The text by which a browser knows an item."""
        return self._keys[item]

    def item(self, key: str) -> Hashable:
        """The item behind a browser's text, or the text itself where there is none."""
        return self._items.get(key, key) if isinstance(key, str) else key

    def same(self, one: Hashable, other: Hashable) -> bool:
        """Whether two items are one; asked of their keys, as an id may compare in its own way."""
        return self._keys[one] == self._keys[other]

    def own(self, item: Hashable) -> Hashable:
        """The item as it was given, for one that equals it."""
        return self._items[self._keys[item]]

    def names(self, limit: int = 8) -> str:
        """The items as text for a message, cut after `limit` of them."""
        shown = ", ".join(repr(item) for item in list(self.labels)[:limit])
        return shown + (f" and {len(self) - limit} more" if len(self) > limit else "")


def labels_of(items: Mapping[Hashable, object] | Iterable[Hashable]) -> dict[Hashable, str]:
    """Items with their labels, from a mapping item -> label or from the items alone.

    Raises:
        DataError: a text where a list belongs, a repeated item, or an item that is no id.

    Example:
        >>> labels_of([7, "D4"])
        {7: '7', 'D4': 'D4'}
    """
    if isinstance(items, str | bytes):
        raise ListError(
            f"items is the text {items!r}, not a list of items. "
            f"Put the items into a list: [{items!r}] if it is one item."
        )
    if isinstance(items, Mapping):
        return {_plain(item): str(label) for item, label in items.items()}
    labels: dict[Hashable, str] = {}
    for rank, item in enumerate(items, start=1):
        try:
            repeated = item in labels
        except TypeError:
            raise ListError(
                f"The item at rank {rank} is {item!r} ({type(item).__name__}), which cannot be an "
                "id. Use texts or whole numbers."
            ) from None
        if repeated:
            raise ListError(
                f"{item!r} stands at rank {list(labels).index(item) + 1} and again at rank {rank} "
                "of items. A ranked list holds each item once: remove the repeat."
            )
        labels[_plain(item)] = str(item)
    return labels


def _plain(item: Hashable) -> Hashable:
    """An id out of a numpy array or a frame as the plain number or text that it equals."""
    return item.item() if isinstance(item, np.generic) else item


def grades_of(
    relevant: Mapping[Hashable, float | None] | Iterable[Hashable], *, max_grade: int
) -> dict[Hashable, int | None]:
    """Item -> grade, from a mapping or from the relevant items alone (grade 1 each).

    Raises:
        DataError: a grade that is neither a whole number from 0 to `max_grade` nor None.

    Example:
        >>> grades_of({"D9", "D4"}, max_grade=1)
        {'D4': 1, 'D9': 1}
    """
    if isinstance(relevant, str | bytes):
        raise ListError(
            f"relevant is the text {relevant!r}, not a set of items. "
            f"Put it into braces: {{{relevant!r}}} if it is one item."
        )
    if isinstance(relevant, Set):
        relevant = _settled(relevant)
    pairs = relevant.items() if isinstance(relevant, Mapping) else ((i, 1) for i in relevant)
    return {item: checked_grade(item, grade, max_grade=max_grade) for item, grade in pairs}


def _settled(items: Set) -> list[Hashable]:
    """A set in an order that is the same in every run: that of the hashes of texts is not."""
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=lambda item: (type(item).__name__, str(item)))


def checked_grade(item: Hashable, grade: object, *, max_grade: int) -> int | None:
    """A grade as an int from 0 to `max_grade`, None if there is none, or a `DataError`."""
    if grade is None:
        return None
    try:
        whole = int(grade) if grade == int(grade) else None
    except (TypeError, ValueError, OverflowError):
        whole = None
    if whole is None or not 0 <= whole <= max_grade:
        raise ListError(
            f"The grade of {item!r} is {grade!r}. Here a grade is a whole number from 0 (not "
            f"relevant) to {max_grade}: change it, or make the list with a larger max_grade."
        )
    return whole
