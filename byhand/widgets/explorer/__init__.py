"""A list and its measures: it is dragged, and every number and the picture follow."""

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
    """One list under its measures: what these make of it."""

    _measured: MeasuredList

    @property
    def values(self) -> dict[str, float]:
        """Measure, as it was asked for, or tool -> its value for the list as it is now."""
        return self._measured.values

    @property
    def steps(self) -> pd.DataFrame:
        """The step table of the list as it is now: what `explain` says for these measures."""
        return self._measured.steps

    def picture(self) -> Still:
        """The list as it is now."""
        return still_of(self._measured.rows())


class Explorer(MeasuredWidget):
    """A list to reorder, its measures and a picture of where the hits are.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items (grade 1), or a mapping item -> grade, None for one that
            nobody judged. A relevant one that is not among `items` starts in the dock.
        measures: names in ir_measures' notation, or just one; None for RR, AP and nDCG, or the
            one that `shows` is of.
        k: the cutoff of the measures that have none of their own; giving it shows a slider.
        conventions: the name of a preset, or a `Conventions` value; or the names of several
            presets: their bars show one measure side by side as each tool has it, and another
            picture, or several measures, as the tool that is chosen in a box.
        shows: what stands beside the list. "bars": the measures, and in its row what each rank
            adds. "number": one large number without a name. "curve": RR, whose hit slides on
            1/rank. "area": AP. "discount": DCG. "ideal": nDCG, with the ideal list.
        trace: whether a number keeps a dot for each value that was seen.
        relevant_from: the lowest grade that is relevant to the measures of hits, such as RR and AP,
            that name none; None for any above 0. Giving it shows a box to choose it from.
        means: name -> lists, each a name -> (ranked, relevant), of which a table below the list
            has the values of the first measure and their mean. They follow what is dragged: of
            `ranked` it counts which items there are, all of them items of this list, not in which
            order.
        settings: as `RankedList` takes them: `max_grade`, `order`, `grading`, `docking`, `spans`.

    Attributes:
        ranks: the `RankedList`; set its traits, or call its methods, as a reader would drag.
        k, relevant_from: the cutoff and the lowest relevant grade now, or None.
        conventions: the preset that counts now; None if there is no box to choose it in.

    Raises:
        DataError: a repeated item, a grade out of range, or conventions that remove unjudged items.
        ValueError: an unknown measure or preset, a cutoff that is no whole number from 1, or
            measures that `shows` is not of.

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
            raise DataError(
                f"relevant_from is {grade}. Expected a grade from 1 to {most}, or None."
            )
        return grade

    @checks("conventions")
    def _check_conventions(self, name: str | None) -> str | None:
        known = self._measured.choices
        if name not in (known or (None,)):
            raise DataError(
                f"{name!r} is not in the box. Expected one of its names: "
                f"{', '.join(map(repr, known)) or 'there is none'}."
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
        """Name -> the mean of its lists in the order as it is now."""
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
        """The list as it is now, and the means."""
        still, mean = super().picture(), say("queries", "mean")
        if self.conventions:
            still.said.append(say("said", "by", by=self.conventions))
        tables = {
            name: {**values, mean: self.means[name]}
            for name, values in self._values_of_means.items()
        }
        made = {
            name: {each: localised(f"{value:.4f}") for each, value in row.items()}
            for name, row in tables.items()
        }
        for name, row in made.items():
            still.said.append(
                f"{name}: {in_row(f'{each} = {value}' for each, value in row.items())}."
            )
        return still.tiles(made) if made else still

    def reset(self) -> None:
        """Go back to the first order, grades, cutoff, lowest relevant grade and conventions."""
        self.k, self.relevant_from = self.fixed["start_k"], self.fixed["start_from"]
        self.conventions = next(iter(self._measured.choices), None)
        self.ranks.reset()

    @property
    def _line(self) -> str:
        means = [f"{name}: mean {value:.4f}" for name, value in self.means.items()]
        return "; ".join([self.ranks.line, self._measured.line, *means])
