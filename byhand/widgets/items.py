"""The items of a list: the reader's own objects, their labels, and what a browser calls them."""

from collections.abc import Hashable, Iterable, Mapping

import numpy as np

from byhand.errors import DataError

Given = Mapping[Hashable, object] | Iterable[Hashable]  # items with their labels, or alone


class Items:
    """The items of a widget, each with a label to show and a key that a browser can send back.

    The key is the item's text, made unique, so that 1 and "1" stay two items.

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

    def key(self, item: Hashable) -> str:
        """The text by which a browser knows an item."""
        return self._keys[item]

    def keys(self, items: Iterable[Hashable]) -> list[str]:
        """The texts of several items."""
        return [self._keys[item] for item in items]

    def by_key(self, values: Mapping[Hashable, object]) -> dict[str, object]:
        """Item -> value as a browser gets it."""
        return {self._keys[item]: value for item, value in values.items()}

    def item(self, key: str) -> Hashable:
        """The item behind a browser's text, or the text itself where there is none."""
        return self._items.get(key, key) if isinstance(key, str) else key

    def known(self, item: Hashable) -> Hashable:
        """The item as it was given, for one that equals it.

        Raises:
            DataError: there is none.
        """
        if item in self:
            return self._items[self._keys[item]]
        shown = ", ".join(repr(each) for each in list(self.labels)[:8])
        more = f" and {len(self.labels) - 8} more" if len(self.labels) > 8 else ""
        raise DataError(
            f"{item!r} is not an item of this list, which holds {shown}{more}. "
            "Use one of those, or make the list with this item."
        )


def labels_of(items: Given) -> dict[Hashable, str]:
    """Items with their labels, from a mapping item -> label or from the items alone, checked."""
    if isinstance(items, str | bytes):
        raise DataError(
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
            raise DataError(
                f"The item at rank {rank} is {item!r} ({type(item).__name__}), which cannot be an "
                "id. Use texts or whole numbers."
            ) from None
        if repeated:
            raise DataError(
                f"{item!r} stands at rank {list(labels).index(item) + 1} and again at rank {rank} "
                "of items. A ranked list holds each item once: remove the repeat."
            )
        labels[_plain(item)] = str(item)
    return labels


def _plain(item: Hashable) -> Hashable:
    """An id out of a numpy array or a frame as the plain number or text that it equals."""
    return item.item() if isinstance(item, np.generic) else item
