"""A ranked list with its measures: drag it, and see every number and the picture follow."""

import random
from collections.abc import Hashable, Iterable, Mapping, Sequence

import ipywidgets
import pandas as pd
import traitlets

from helpers.metrics.explain import explain
from helpers.metrics.measures.measure import cutoff
from helpers.metrics.names import measure_named
from helpers.widgets.board import FLOW, Board, Cards, column
from helpers.widgets.controls import Controls, button, slider
from helpers.widgets.picture import Picture, Pictured
from helpers.widgets.ranked_list import RankedList
from helpers.widgets.scores import in_words
from helpers.widgets.step_table import StepTable


class Explorer(Pictured, ipywidgets.VBox):
    """A list to reorder, its measures, its step table and a picture of where the hits are.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items (grade 1), or a mapping item -> grade. One that is not among
            `items` starts in the dock.
        measures: names in ir_measures' notation.
        max_grade: the highest grade, from 1 (relevant or not) to 9.
        k: the cutoff of the measures that have none of their own; giving it shows a slider.
        order: the retrieved ones among `items`, best first, when not all of them are.
        grading: whether grades can be changed by the reader.
        docking: whether items can be taken out and brought in by the reader.
        seed: where the Shuffle button starts, so that a lesson shuffles alike each time.

    Attributes:
        ranks: the `RankedList`; set its traits, or call its methods, as a reader would drag.
        k: the cutoff now, or None.

    Raises:
        DataError: a repeated item, or a grade out of range.
        ValueError: an unknown measure, or a cutoff that is no whole number from 1.

    Example:
        >>> explorer = Explorer(["D1", "D2", "D3", "D4"], {"D4"})
        >>> explorer
        Explorer(D1 > D2 > D3 > D4*; RR=0.250, AP=0.250, nDCG=0.431)
        >>> explorer.ranks.move("D4", to=1)
        >>> explorer.values
        {'RR': 1.0, 'AP': 1.0, 'nDCG': 1.0}
    """

    k = traitlets.Int(None, allow_none=True)

    def __init__(
        self,
        items: Mapping[Hashable, object] | Iterable[Hashable],
        relevant: Mapping[Hashable, float] | Iterable[Hashable],
        *,
        measures: Sequence[str] = ("RR", "AP", "nDCG"),
        max_grade: int = 1,
        k: int | None = None,
        order: Iterable[Hashable] | None = None,
        grading: bool = True,
        docking: bool = True,
        seed: int = 0,
    ) -> None:
        for name in measures:
            measure_named(name)
        self.measures = tuple(str(name) for name in measures)
        self.ranks = RankedList(
            items, relevant, max_grade=max_grade, order=order, grading=grading, docking=docking
        )
        self._board, self._cards = Board(self.ranks, self.measures, k=cutoff(k)), Cards()
        self.ranks.narrate = lambda: self._board.words
        self._table = StepTable(self.measures, graded=max_grade > 1)
        self._random = random.Random(seed)
        self.controls = Controls(self._buttons(k), values={"k": k}, caption="Change the list")
        super().__init__(k=cutoff(k), layout=ipywidgets.Layout(width="100%"))
        self._connect()
        side = ipywidgets.VBox([self._cards, self._board.figure], layout=column("330px"))
        self.ranks.layout = column("300px")
        self.children = (
            self.controls,
            ipywidgets.HBox([self.ranks, side], layout=FLOW),
            self._table,
        )
        self._show()

    def _buttons(self, k: int | None) -> list[dict]:
        buttons = [
            button("reset", "Reset", title="Back to the first order and grades"),
            button("shuffle", "Shuffle", title="A random order"),
            button("ideal", "Ideal order", title="Every relevant item first, best grade first"),
        ]
        if k is None:
            return buttons
        most = max(cutoff(k), len(self.ranks.catalogue))
        return [*buttons, slider("k", "Cutoff k", low=1, high=most)]

    def _connect(self) -> None:
        self.ranks.observe(lambda _: self._show(), names=["order", "grades"])
        self.observe(self._cut, names="k")
        self.controls.on_press(lambda name: getattr(self, name)())
        if self.k is not None:
            traitlets.link((self, "k"), (self.controls, "values"), (self._with_k, lambda v: v["k"]))

    def _cut(self, _: object) -> None:
        self._board.k = self.k
        self._show()

    def _with_k(self, k: int) -> dict:
        return {**self.controls.values, "k": k}

    @traitlets.validate("k")
    def _check_k(self, proposal: Mapping) -> int | None:
        return cutoff(proposal["value"])

    @property
    def values(self) -> dict[str, float]:
        """Measure, as it was asked for, -> its value for the list as it is now."""
        return self._board.values

    @property
    def steps(self) -> pd.DataFrame:
        """The step table of the list as it is now: what `explain` says for these measures."""
        return explain(self.ranks.order, self.ranks.relevant, k=self.k, measures=self.measures)

    def reset(self) -> None:
        """Go back to the first order, grades and cutoff."""
        with self.hold_trait_notifications():  # so that it is drawn once
            self.k = self._board.k = self._board.start_k
            self.ranks.reset()

    def shuffle(self) -> None:
        """Put the retrieved items into a random order, another one than now."""
        order = list(self.ranks.order)
        while len(order) > 1 and tuple(order) == self.ranks.order:
            self._random.shuffle(order)
        self.ranks.rearrange(order)

    def ideal(self) -> None:
        """Put the items in the ideal order: all relevant ones first, the best grade first."""
        grades = self.ranks.grades
        missed = self.ranks.docked if self.ranks.docking else ()
        order = [*self.ranks.order, *(item for item in missed if grades[item] > 0)]
        self.ranks.rearrange(sorted(order, key=lambda item: -grades[item]))

    def picture(self) -> Picture:
        """The picture of the first state, for a page on which nothing can be dragged.

        Example:
            >>> Explorer(["D1", "D4"], {"D4"}).picture().alt
            'Hits at rank 2 of 2. RR = 0.500, AP = 0.500, nDCG = 0.631.'
        """
        return self._board.picture()

    def _show(self) -> None:
        self._board.show(self._show_numbers)

    def _show_numbers(self) -> None:
        self._cards.show(self.values, k=self.k)
        self._table.show(self.steps, moved=self.ranks.moved, label=self.ranks.label)

    def __repr__(self) -> str:
        """One stable line: the order, relevant items marked, and the values."""
        inside = repr(self.ranks).removeprefix("RankedList(").removesuffix(")")
        return f"Explorer({inside}; {in_words(self.values, k=self.k, equals='=')})"
