"""A widget that shuffles a list to show the chance level of a measure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np
import traitlets

from byhand.errors import DataError
from byhand.metrics.cases import hits_of_lists
from byhand.metrics.measures import Measure
from byhand.metrics.presets import preset_named
from byhand.widgets.explorer import MeasuredWidget
from byhand.widgets.list.measured_list import MeasuredList
from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.list.ranking import Graded, Labelled, Settings
from byhand.widgets.phrases import say
from byhand.widgets.still import Still, still_of

_MOST = 10_000  # shuffles


class Shuffle(MeasuredWidget):
    """Show a list to reorder, and shuffle it to find the chance level of a measure.

    A histogram collects the values of the shuffles. Their mean approaches the exact mean over all
    orders, shown after 1,000 shuffles. A line marks the reader's order, with the share of shuffles
    at least as good.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items, or a mapping item -> grade. Relevant items that are not in
            `items` are missed in every order.
        measures: one measure in ir_measures' notation, such as "RR", "AP" or "P@5"; AP by default.
        others: number of irrelevant items that a button adds to the shuffles; 0 by default.
        times: shuffles that each button makes; 1, 10 and 1,000 by default. Without 1,000, the
            buttons do not mention the exact mean.
        seed: seed of the shuffles; 0 by default.
        settings: arguments of `RankedList`, such as `max_grade`, `order` and `caption`.

    Attributes:
        ranks: the `RankedList`; its traits and methods do what a reader does by dragging.
        shuffles: number of shuffles so far, at most 10,000.
        newest: whether the rows show the last shuffle. `ranks` keeps the reader's order; moving a
            row makes the displayed order the reader's.
        longer: whether the other items are added.

    Raises:
        DataError: If an item is repeated, a grade, `others` or `times` is out of range, or the
            measure depends on more than the ranks of relevant items.
        ValueError: If the measure is unknown, or its mean over all orders is not known.

    References:
        McSherry and Najork 2008, for the exact means (as in `byhand.chance`).

    Example:
        >>> page = ["ketchup", "minestrone", "lasagne", "focaccia", "bisque"]
        >>> shuffle = Shuffle(page, ["minestrone", "bisque"], measures="RR")
        >>> shuffle
        Shuffle(ketchup > minestrone* > lasagne > focaccia > bisque*; RR=0.500)
        >>> round(shuffle.level, 4)  # as chance(5, 2)
        0.6417
    """

    shuffles = traitlets.Int(0, min=0, max=_MOST).tag(sync=True)
    newest = traitlets.Bool(False).tag(sync=True)
    longer = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        items: Labelled,
        relevant: Graded,
        *,
        measures: str = "AP",
        others: int = 0,
        times: Sequence[int] = (1, 10, 1000),
        seed: int = 0,
        **settings: Unpack[Settings],
    ) -> None:
        # removing or grading an item would change the chance level
        stays = {"grading": False, "docking": False}
        self.ranks = RankedList(items, relevant, **{**settings, **stays})
        self._measured = MeasuredList(self.ranks, [measures])
        if not (isinstance(others, int) and others >= 0):
            raise DataError(f"others is {others!r}. Expected the number of other items: 0 or more.")
        if not times or not all(isinstance(n, int) and 0 < n <= _MOST for n in times):
            raise DataError(f"times is {times!r}. Expected whole numbers from 1 to {_MOST:,}.")
        (measure,), (spec,) = self._measured.measures.values(), self._measured.specs
        if spec["kind"] in ("", "Bpref"):
            raise DataError(
                f"{measures} depends on more than the ranks of relevant items, so it cannot be "
                "shuffled here. Pass 'RR', 'AP', 'nDCG' or 'P@5'."
            )
        fixed = {
            "ranks": self.ranks,
            "measure": spec,
            "levels": self._levels(measure, others),
            "others": others,
            "times": [*times],
            "seed": seed,
        }
        super().__init__("shuffle", fixed=fixed)

    def _levels(self, measure: Measure, others: int) -> list[float]:
        """Return the exact means over all orders, without and with the other items."""
        hits = hits_of_lists([(self.ranks.unfolded, self.ranks.relevant)])
        chosen = measure.chosen_by(preset_named("trec_eval -c"))
        ones = np.ones_like(hits.rank)
        found = []
        for n in (hits.n_retrieved, hits.n_retrieved + others):
            one_tie = replace(hits, rank=ones, top=ones, tied=ones * n, n_retrieved=n)
            found += measure.expected(one_tie, chosen).tolist()
        return found

    @property
    def level(self) -> float:
        """The chance level: the exact mean of the measure over all orders."""
        return self.fixed["levels"][self.longer]

    def picture(self) -> Still:
        """Draw the reader's order beside an empty histogram."""
        return still_of(self._measured.rows(say("shuffle", "yours"), shows="heap"))

    @property
    def _line(self) -> str:
        return f"{self.ranks.line}; {self._measured.line}"
