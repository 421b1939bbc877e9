"""Lists that are averaged with the dragged list."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from byhand.errors import DataError, both
from byhand.metrics.cases import Case, hits_of_lists, ranked_items, relevant_grades
from byhand.metrics.measure_names import measure_named
from byhand.widgets.list.measured_list import in_browser
from byhand.widgets.list.ranking import Items


class Beside(NamedTuple):
    """Another list, which is fixed or `follows` the order of the dragged list."""

    name: str
    items: Sequence[Hashable]
    grades: dict[Hashable, float]
    follows: bool

    @classmethod
    def of(cls, name: str, case: Case, order: Sequence[Hashable] | None = None) -> "Beside":
        """Create a list; it follows if it is a part of `order`, or if there is no order."""
        items, rest = ranked_items(case[0]), iter(order or ())
        follows = order is None or all(item in rest for item in items)
        return cls(name, items, relevant_grades(case[1], items), follows)

    def followed(self, order: Sequence[Hashable]) -> list[Hashable]:
        """Return the items in the order of the dragged list."""
        own = set(self.items)
        return [item for item in order if item in own]

    def values(
        self, orders: Sequence[Sequence[Hashable]], measures: Sequence[str]
    ) -> list[np.ndarray]:
        """Compute each measure for each dragged order, or only once for a fixed list."""
        lists = [self.followed(order) for order in orders] if self.follows else [self.items]
        hits = hits_of_lists([(ranked, self.grades) for ranked in lists])
        return [measure_named(name).values(hits) for name in measures]

    def kind(self, item: Hashable) -> object:
        """Return the kind of an item here; swapping items of one kind has no effect."""
        return self.grades.get(item, 0) if self.follows and item in self.items else None

    def as_json(self, catalogue: Items, measures: Sequence[str]) -> dict[str, object]:
        """Return the browser's data: fixed values, or the items and grades."""
        if not self.follows:
            values = [float(each[0]) for each in self.values([], measures)]
            return {"name": self.name, "values": dict(zip(measures, values, strict=True))}
        if absent := [name for name in measures if not in_browser(measure_named(name))]:
            raise DataError(
                f"The browser has no formula for {both(absent)}. Pass other measures, such as 'RR' "
                "or 'AP'."
            )
        known = dict(zip(catalogue, catalogue.keys(catalogue), strict=True))
        grades = {known.get(item, f"\0{n}"): g for n, (item, g) in enumerate(self.grades.items())}
        return {
            "name": self.name,
            "items": catalogue.keys(map(catalogue.known, self.items)),
            "grades": grades,
        }
