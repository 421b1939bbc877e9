"""Lists beside one that is dragged: each stays as it is, or follows the dragged order."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from byhand.errors import DataError
from byhand.metrics.cases import Case, hits_of_lists, ranked_items, relevant_grades
from byhand.metrics.measure_names import measure_named
from byhand.widgets.list.measured_list import in_browser
from byhand.widgets.list.ranking import Items


class Beside(NamedTuple):
    """A list beside the dragged one; if it `follows`, its items have the order of that."""

    name: str
    items: Sequence[Hashable]
    grades: dict[Hashable, float]
    follows: bool

    @classmethod
    def of(cls, name: str, case: Case, order: Sequence[Hashable] | None = None) -> "Beside":
        """A list that follows if it is that order or a part of it; without an order it does."""
        items, rest = ranked_items(case[0]), iter(order or ())
        follows = order is None or all(item in rest for item in items)
        return cls(name, items, relevant_grades(case[1], items), follows)

    def followed(self, order: Sequence[Hashable]) -> list[Hashable]:
        """Its items in a dragged order."""
        own = set(self.items)
        return [item for item in order if item in own]

    def values(
        self, orders: Sequence[Sequence[Hashable]], measures: Sequence[str]
    ) -> list[np.ndarray]:
        """The values of each measure: one for each dragged order, or just one if it stays."""
        lists = [self.followed(order) for order in orders] if self.follows else [self.items]
        hits = hits_of_lists([(ranked, self.grades) for ranked in lists])
        return [measure_named(name).values(hits) for name in measures]

    def kind(self, item: Hashable) -> object:
        """What an item of the dragged list is here; two of one kind may change places."""
        return self.grades.get(item, 0) if self.follows and item in self.items else None

    def as_json(self, catalogue: Items, measures: Sequence[str]) -> dict[str, object]:
        """What a browser has to know of it: its values, or what makes them of an order."""
        if not self.follows:
            values = [float(each[0]) for each in self.values([], measures)]
            return {"name": self.name, "values": dict(zip(measures, values, strict=True))}
        if not all(in_browser(measure_named(name)) for name in measures):
            raise DataError("A browser has no formula for that measure. Take 'RR' or 'AP'.")
        known = dict(zip(catalogue, catalogue.keys(catalogue), strict=True))
        grades = {known.get(item, f"\0{n}"): g for n, (item, g) in enumerate(self.grades.items())}
        return {
            "name": self.name,
            "items": catalogue.keys(map(catalogue.known, self.items)),
            "grades": grades,
        }
