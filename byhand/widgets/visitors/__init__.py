"""Visitors who walk down a list and stop: what they get there is the metric."""

from collections.abc import Iterable
from math import log2
from typing import Unpack

import traitlets

from byhand.errors import DataError
from byhand.widgets.dial import Slider, steps
from byhand.widgets.explorer import MeasuredWidget
from byhand.widgets.list.measured_list import MeasuredList
from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.list.ranking import Graded, Labelled, Settings
from byhand.widgets.live import checks
from byhand.widgets.phrases import say
from byhand.widgets.still import Lane, Rows, Still, still_of

_WALKS = ("RR", "AP", "RBP")  # what a visitor can be of; the browser's, too


class Visitors(MeasuredWidget):
    """Visitors who walk down a list, row by row, and stop: what the field calls a user model.

    RR has one visitor, who stops at the first relevant item and got 1 good of so many read. AP
    has as many as there are relevant items: the n-th stops at the n-th, and one whose item is not
    in the list walks on for ever, 3 good of 1,000 and so on, and counts 0; AP is their mean. RBP
    has visitors who go on to the next row with a chance p: it is the share of them who stop at
    something relevant, to which that of those who were sent comes near. A slider sets p, and its
    discount, p^(rank - 1), stands beside that of nDCG, 1/log2(rank + 1).

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items. One that is not among `items` starts in the dock.
        measures: whose visitors there are, out of "RR", "AP" and "RBP", or just one: a lesson
            names those that it has come to.
        p: the chance to go on from one row to the next, from 0.05 to 0.95 in steps of 0.05.
        seed: from which the visitors of RBP are drawn, alike each time.
        settings: as `RankedList` takes them: `docking`, `order`, `caption` and the like.

    Attributes:
        ranks: the `RankedList`; set its traits, or call its methods, as a reader would drag.
        measure: the one whose visitors are shown.
        walked: how many visitors have stopped, or never will.
        row: how far the one has come who walks now.

    Raises:
        DataError: a measure that has no visitors here, a chance that is no stop of the slider, a
            repeated item, or a grade out of range.

    Source:
        Robertson 2008, "A new interpretation of average precision"; Moffat and Zobel 2008,
        "Rank-biased precision for measurement of retrieval effectiveness".

    Example:
        >>> page = ["ketchup", "minestrone", "gazpacho", "lasagne", "focaccia", "bisque"]
        >>> soups = ["minestrone", "gazpacho", "bisque", "harira", "rasam"]
        >>> visitors = Visitors(page, soups, measures=["RR", "AP"])
        >>> visitors.values["AP"]  # (1/2 + 2/3 + 3/6 + 0 + 0) / 5
        0.3333333333333333
        >>> visitors.ranks.move("harira", to=5)
        >>> round(visitors.values["AP"], 3)
        0.468
    """

    p = Slider(0.8, steps(0.05, 0.95, 0.05), digits=2)
    measure = traitlets.Unicode().tag(sync=True)
    walked = traitlets.Int(0, min=0).tag(sync=True)
    row = traitlets.Int(0, min=0).tag(sync=True)

    def __init__(
        self,
        items: Labelled,
        relevant: Graded,
        *,
        measures: str | Iterable[str] = _WALKS,
        p: float = 0.8,
        seed: int = 0,
        **settings: Unpack[Settings],
    ) -> None:
        self._walks = [measures] if isinstance(measures, str) else list(measures)
        unknown = [name for name in self._walks if name not in _WALKS]
        if unknown or not self._walks:
            known = ", ".join(_WALKS)
            if unknown:
                raise DataError(
                    f"{unknown[0]!r} has no visitors here. Those to choose from are: {known}."
                )
            raise DataError(f"There are no visitors here. Those to choose from are: {known}.")
        self.ranks = RankedList(items, relevant, **{"grading": False, **settings})
        specs = MeasuredList(self.ranks, self._walks).specs
        fixed = {"ranks": self.ranks, "measures": specs, "seed": seed}
        fixed["dials"] = [type(self).p.shown]
        super().__init__("visitors", fixed=fixed, p=p, measure=self._walks[0])

    @property
    def _measured(self) -> MeasuredList:
        persistent = {"RBP": f"RBP(p={self.p:g})"}
        return MeasuredList(self.ranks, [persistent.get(name, name) for name in self._walks])

    @checks("measure")
    def _check_measure(self, measure: str) -> str:
        if measure not in self._walks:
            raise DataError(f"measure is {measure!r}. Here are: {', '.join(self._walks)}.")
        return measure

    def picture(self) -> Still:
        """The list, before anybody has walked; of RBP the share that arrives at each rank."""
        if self.measure != "RBP":
            return still_of(Rows(self.ranks, shows="walk"))
        ranks = range(1, len(self.ranks.unfolded) + 1)
        arrive = tuple(self.p ** (rank - 1) for rank in ranks)
        discount = tuple(1 / log2(rank + 1) for rank in ranks)
        lanes = [Lane(say("visitors", "arrive"), None, arrive), Lane("nDCG", None, discount)]
        return still_of(Rows(self.ranks, lanes=lanes, shows="bars"))

    def reset(self) -> None:
        """Go back to the first order, before anybody has walked."""
        self.ranks.reset()
        self.walked = self.row = 0

    @property
    def _line(self) -> str:
        return f"{self.ranks.line}; {self._measured.line}"
