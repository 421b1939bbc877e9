"""A widget in which readers reorder a list and its measures follow."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Unpack

import pandas as pd
import traitlets

from byhand.errors import DataError
from byhand.metrics.cases import Case
from byhand.metrics.conventions import Conventions
from byhand.metrics.measures.measure import cutoff, is_whole
from byhand.widgets.list.beside import Beside
from byhand.widgets.list.measured_list import MeasuredList, Shows
from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.list.ranking import Graded, Labelled, Settings
from byhand.widgets.live import Live, checks
from byhand.widgets.phrases import say
from byhand.widgets.still import Still, still_of
from byhand.words import in_row, localised


class MeasuredWidget(Live):
    """Base of the widgets that show the measures of one list."""

    _measured: MeasuredList

    @property
    def values(self) -> dict[str, float]:
        """Mapping measure (as requested) or tool -> current value of the list."""
        return self._measured.values

    @property
    def steps(self) -> pd.DataFrame:
        """Return the step table of the current list, as `explain` does for these measures."""
        return self._measured.steps

    def picture(self) -> Still:
        """Draw the current list."""
        return still_of(self._measured.rows())


class Explorer(MeasuredWidget):
    """Show a list to reorder, its measures, and a picture of its hits.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items (grade 1); or a mapping item -> grade, None for an unjudged
            item. A relevant item that is not in `items` starts in the dock.
        measures: one name in ir_measures' notation, or several. By default the measure of `shows`,
            or RR, AP and nDCG.
        k: cutoff of the measures without their own; None by default. A value adds a slider.
        conventions: name of a preset, "trec_eval -c" by default; or a `Conventions` value; or the
            names of several presets. With several, bars compare one measure between the tools;
            for other pictures, or several measures, the reader chooses the tool in a menu.
        shows: the picture beside the list, "bars" by default. "bars": the measures, and what each
            rank adds. "number": one large number without a name. "curve": RR, with the hit on
            the curve 1/rank. "area": AP. "discount": DCG. "ideal": nDCG, with the ideal list.
        trace: If True, mark each earlier value of the number with a dot; False by default.
        relevant_from: lowest relevant grade for binary measures such as RR and AP that set none;
            by default any above 0. A value adds a menu to change it.
        means: mapping name -> lists, each a mapping name -> (ranked, relevant); none by default.
            A table below shows their values of the first measure, and the mean. Their items are
            items of this list and follow its order, so the order of `ranked` does not matter.
        settings: arguments of `RankedList`: `max_grade`, `order`, `grading`, `docking`, `spans`.

    Attributes:
        ranks: the `RankedList`; its traits and methods do what a reader does by dragging.
        k, relevant_from: the current cutoff and lowest relevant grade, or None.
        conventions: the current preset; None if there is no menu of presets.

    Raises:
        DataError: If an item is repeated, a grade is out of range, or the conventions remove
            unjudged items.
        ValueError: If a measure or preset is unknown, the cutoff is not a whole number from 1, or
            `shows` is a picture of another measure.

    Example:
        >>> explorer = Explorer(["D1", "D2", "D3", "D4"], {"D4"})
        >>> explorer
        Explorer(D1 > D2 > D3 > D4*; RR=0.250, AP=0.250, nDCG=0.431)
        >>> explorer.ranks.move("D4", to=1)
        >>> explorer.values
        {'RR': 1.0, 'AP': 1.0, 'nDCG': 1.0}
    """

    k = traitlets.Int(None, allow_none=True).tag(sync=True)
    relevant_from = traitlets.Int(None, allow_none=True).tag(sync=True)
    conventions = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    answers = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        items: Labelled,
        relevant: Graded,
        *,
        measures: Iterable[object] | None = None,
        k: int | None = None,
        conventions: str | Conventions | Sequence[str] = "trec_eval -c",
        shows: Shows = "bars",
        trace: bool = False,
        relevant_from: int | None = None,
        means: Mapping[str, Mapping[str, Case]] | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        self.ranks = RankedList(items, relevant, **settings)
        self._means = {
            name: [Beside.of(each, case) for each, case in lists.items()]
            for name, lists in (means or {}).items()
        }
        shown = {"conventions": conventions, "shows": shows, "trace": trace}
        cuts = {"k": k, "relevant_from": relevant_from}
        self._measured = MeasuredList(self.ranks, measures, **cuts, **shown)
        measure, known = next(iter(self._measured.measures.values())), self.ranks.catalogue
        tables = [
            {"name": name, "lists": [each.as_json(known, [measure]) for each in lists]}
            for name, lists in self._means.items()
        ]
        fixed = self._measured.fixed | {"ranks": self.ranks} | ({"means": tables} if tables else {})
        cuts["conventions"] = self._measured.chosen
        super().__init__("explorer", fixed=fixed, **cuts, answers=self._measured.answers)
        self.ranks.observe(self._answer, names=["order", "grades"])

    @checks("k")
    def _check_k(self, k: int | None) -> int | None:
        return cutoff(k)

    @checks("relevant_from")
    def _check_relevant_from(self, grade: int | None) -> int | None:
        most = self.ranks.max_grade
        if grade is not None and not (is_whole(grade) and 1 <= grade <= most):
            raise DataError(f"relevant_from is {grade}. Expected a grade from 1 to {most}.")
        return grade

    @checks("conventions")
    def _check_conventions(self, name: str | None) -> str | None:
        known = self._measured.choices
        if name not in (known or (None,)):
            raise DataError(
                f"conventions is {name!r}. Expected one of {', '.join(map(repr, known))}."
                if known
                else f"conventions is {name!r}, but this Explorer has no choice of tools. Leave it "
                "as None, or create the Explorer with several presets and several measures."
            )
        return name

    @traitlets.observe("k", "relevant_from", "conventions")
    def _answer(self, _: object = None) -> None:
        self._measured.k, self._measured.relevant_from = self.k, self.relevant_from
        if self._measured.choices:
            self._measured.conventions = self.conventions
        self.set_trait("answers", self._measured.answers)

    @property
    def means(self) -> dict[str, float]:
        """Mapping name -> mean of its lists in the current order."""
        values = self._values_of_means
        return {name: sum(each.values()) / len(each) for name, each in values.items()}

    @property
    def _values_of_means(self) -> dict[str, dict[str, float]]:
        order, value_of = self.ranks.order, self._measured.value_of
        return {
            name: {each.name: value_of(each.followed(order), each.grades) for each in lists}
            for name, lists in self._means.items()
        }

    def picture(self) -> Still:
        """Draw the current list and the means."""
        still, mean = super().picture(), say("queries", "mean")
        if self.conventions:
            still.said.append(say("said", "by", by=self.conventions))
        made = {}
        for name, values in self._values_of_means.items():
            row = values | {mean: self.means[name]}
            made[name] = {each: localised(f"{value:.4f}") for each, value in row.items()}
            words = in_row(f"{each} = {value}" for each, value in made[name].items())
            still.said.append(f"{name}: {words}.")
        return still.tiles(made) if made else still

    @property
    def _line(self) -> str:
        means = [f"{name}: mean {value:.4f}" for name, value in self.means.items()]
        return "; ".join([self.ranks.line, self._measured.line, *means])
