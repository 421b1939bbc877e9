"""A list, shuffled again and again: what would chance get?"""

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
    """A list to reorder, and what dice would get: shuffled once, ten times, a thousand times.

    The rows go where a shuffle puts them, and its value lands in a heap; the mean of the heap
    walks to the exact mean over all orders, which is told after a thousand. The reader's own order
    stands in the heap as a line, with the share of shuffles, and of all ways to place the hits
    where these can be counted, that reach it.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items, or a mapping item -> grade. Those that are not among `items`
            count as missed in every order.
        measures: the name of a measure in ir_measures' notation, as "RR", "AP" or "P@5".
        others: a button adds so many items, none of them relevant, and they are shuffled, too:
            twelve recipes become a thousand with 988.
        times: how many shuffles the buttons make; without 1,000 the exact mean is not promised.
        seed: from which orders are drawn, alike each time.
        settings: as `RankedList` takes them: `max_grade`, `order`, `caption` and the like.

    Attributes:
        ranks: the `RankedList`; set its order, or call its methods, as a reader would drag.
        shuffles: how many there were so far, 10,000 at most.
        newest: whether the rows stand as the newest of them has them. `ranks` keeps the reader's
            order, and a row that is moved makes what is seen the reader's.
        longer: whether the others are there.

    Raises:
        DataError: a repeated item, a grade out of range, or a measure that does not only look at
            where relevant items are.
        ValueError: an unknown measure, or one whose mean over all orders is not known.

    Source:
        The exact means as those of `byhand.chance`: McSherry and Najork 2008.

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
        # what may leave the list, or be graded, would change what chance gets
        stays = {"grading": False, "docking": False}
        self.ranks = RankedList(items, relevant, **{**settings, **stays})
        self._measured = MeasuredList(self.ranks, [measures])
        if not (isinstance(others, int) and others >= 0):
            raise DataError(
                f"others is {others!r}. Expected a whole number from 0: so many more items."
            )
        if not times or not all(isinstance(n, int) and 0 < n <= _MOST for n in times):
            raise DataError(
                f"times is {times!r}. Pass whole numbers from 1 to {_MOST:,}, one for each button."
            )
        (measure,), (spec,) = self._measured.measures.values(), self._measured.specs
        if spec["kind"] in ("", "Bpref"):
            raise DataError(
                f"{measures} looks at more than where relevant items are, and is not shuffled "
                "here. Take 'RR', 'AP', 'nDCG' or 'P@5'."
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
        """The exact means over all orders of the list, and of the list with so many others."""
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
        """The exact mean of the measure over all orders: the chance level."""
        return self.fixed["levels"][self.longer]

    def picture(self) -> Still:
        """The reader's order, beside where shuffles are to land."""
        return still_of(self._measured.rows(say("shuffle", "yours"), shows="heap"))

    def reset(self) -> None:
        """Go back to the first order, and forget the shuffles."""
        self.ranks.reset()
        self.shuffles, self.newest, self.longer = 0, False, False

    @property
    def _line(self) -> str:
        return f"{self.ranks.line}; {self._measured.line}"
