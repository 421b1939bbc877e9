"""A widget that explains RR and AP by their user models."""

from collections.abc import Iterable
from typing import Unpack

import traitlets

from byhand.errors import DataError
from byhand.widgets.explorer import MeasuredWidget
from byhand.widgets.list.measured_list import MeasuredList
from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.list.ranking import Graded, Labelled, Settings
from byhand.widgets.live import checks
from byhand.widgets.still import ListPicture, Still, still_of

_WALKS = ("RR", "AP")  # measures with a user model; the browser has the same


class Visitors(MeasuredWidget):
    """Show visitors who walk down a list row by row and stop: the user model of a measure.

    - RR: one visitor stops at the first relevant item. RR is 1 divided by the number of items read.
    - AP: one visitor for each relevant item stops there. AP is the mean of their precisions, with
      0 for an item that is not in the list.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items. An item that is not in `items` starts in the dock.
        measures: "RR" or "AP", or both, the default.
        settings: arguments of `RankedList`, such as `docking`, `order` and `caption`.

    Attributes:
        ranks: the `RankedList`; its traits and methods do what a reader does by dragging.
        measure: the measure whose visitors are shown.
        walked: number of visitors who have stopped, or never will.
        row: current row of the walking visitor.

    Raises:
        DataError: If a measure is not one of these, an item is repeated, or a grade is out of
            range.

    References:
        Robertson 2008, "A new interpretation of average precision".

    Example:
        >>> page = ["ketchup", "minestrone", "gazpacho", "lasagne", "focaccia", "bisque"]
        >>> soups = ["minestrone", "gazpacho", "bisque", "harira", "rasam"]
        >>> visitors = Visitors(page, soups)
        >>> visitors.values["AP"]  # (1/2 + 2/3 + 3/6 + 0 + 0) / 5
        0.3333333333333333
        >>> visitors.ranks.move("harira", to=5)
        >>> round(visitors.values["AP"], 3)
        0.468
    """

    measure = traitlets.Unicode().tag(sync=True)
    walked = traitlets.Int(0, min=0).tag(sync=True)
    row = traitlets.Int(0, min=0).tag(sync=True)

    def __init__(
        self,
        items: Labelled,
        relevant: Graded,
        *,
        measures: str | Iterable[str] = _WALKS,
        **settings: Unpack[Settings],
    ) -> None:
        self._walks = [measures] if isinstance(measures, str) else list(measures)
        if not self._walks or not set(self._walks) <= {*_WALKS}:
            raise DataError(f"measures is {measures!r}. Expected 'RR', 'AP' or both of them.")
        self.ranks = RankedList(items, relevant, **{"grading": False, **settings})
        self._measured = MeasuredList(self.ranks, self._walks)
        fixed = {"ranks": self.ranks, "measures": self._measured.specs}
        super().__init__("visitors", fixed=fixed, measure=self._walks[0])

    @checks("measure")
    def _check_measure(self, measure: str) -> str:
        if measure not in self._walks:
            raise DataError(f"measure is {measure!r}. Expected one of {', '.join(self._walks)}.")
        return measure

    def picture(self) -> Still:
        """Draw the list before any walk."""
        return still_of(ListPicture(self.ranks, shows="walk"))

    @property
    def _line(self) -> str:
        return f"{self.ranks.line}; {self._measured.line}"
