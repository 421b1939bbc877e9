"""A widget in which readers reorder a list to reach a goal, such as the highest AP."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace

import traitlets

from byhand.errors import DataError
from byhand.metrics.cases import Case
from byhand.metrics.measure_names import measures_named
from byhand.widgets.list.beside import Beside
from byhand.widgets.list.goals import Goal, mean_name, means, solve
from byhand.widgets.list.measured_list import MeasuredList
from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.list.ranking import Graded, Labelled
from byhand.widgets.live import Covering
from byhand.widgets.numbers import shortly
from byhand.widgets.still import Still
from byhand.words import localised


class Challenge(Covering):
    """Show a list to reorder until it reaches a goal, with the progress so far.

    Args:
        items, relevant, max_grade, order, docking, caption: arguments of `RankedList`, except that
            `docking` is False by default.
        goal: the goal to reach, such as `Goal.highest("AP")`.
        measures: one or more measures to show beside those of the goal; none by default.
        beside: mapping name -> (ranked, relevant) of other lists; none by default. With other
            lists, the goal is about the mean over all lists: RR becomes MRR. The caption is then
            the name of this list. A list with the same items, or some of them, in the same order
            follows the reader's order; other lists stay fixed.
        covers: If True, hide the following content until the reader reaches the goal, opens the
            solution or skips: on a page all of it, in JupyterLab up to the next question. False
            by default.

    Attributes:
        ranks: the `RankedList`; its grades are fixed.
        goal, solution: the goal, and an order that reaches it.
        shown: whether the reader has opened the solution.
        done: whether the reader has reached the goal.

    Raises:
        DataError: If `goal` is not a `Goal`, no order reaches it, or there are too many orders.
        ValueError: If a measure is unknown.

    Example:
        >>> challenge = Challenge(["D1", "D4", "D2", "D7"], {"D4", "D7"}, Goal.highest("AP"))
        >>> challenge.values, challenge.done
        ({'AP': 0.5}, False)
        >>> challenge.solution.values
        {'AP': 1.0}
    """

    shown = traitlets.Bool(False).tag(sync=True)
    done = traitlets.Bool(False).tag(sync=True)
    answers = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        items: Labelled,
        relevant: Graded,
        goal: Goal,
        *,
        max_grade: int = 1,
        measures: Iterable[object] = (),
        beside: Mapping[str, Case] | None = None,
        order: Iterable[Hashable] | None = None,
        docking: bool = False,
        caption: str | None = None,
        covers: bool = False,
    ) -> None:
        if not isinstance(goal, Goal):
            raise DataError(
                f"goal is {goal!r}. Pass a goal, such as Goal.highest('AP') or "
                "Goal.reach('RR', '1/2')."
            )
        self._names = tuple(dict.fromkeys([*measures_named(measures), *goal.measures]))
        names = {name: mean_name(name) if beside else name for name in self._names}
        self.goal = replace(goal, text=goal.worded(names))
        self.ranks = RankedList(
            items,
            relevant,
            max_grade=max_grade,
            order=order,
            grading=False,
            docking=docking,
            caption=caption,
        )
        self._measured = MeasuredList(self.ranks, self._names)
        order, grades = self.ranks.order, self.ranks.relevant
        self._beside = [Beside.of(name, case, order) for name, case in (beside or {}).items()]
        dock = self.ranks.docked if docking else None
        self.solution = solve(self.goal, order, grades, beside=self._beside, dock=dock)
        keys = self.ranks.catalogue.keys
        fixed = {
            "ranks": self.ranks,
            "measures": self._measured.specs,
            "names": names,  # measure -> displayed name
            "goal": self.goal.as_json(),
            "solution": {"order": keys(self.solution.order), "score": self.solution.score},
            "beside": [each.as_json(self.ranks.catalogue, self._names) for each in self._beside],
        }
        super().__init__("challenge", fixed=fixed, answers=self._measured.answers, covers=covers)
        self.ranks.observe(self._answer, names="order")

    @property
    def values(self) -> dict[str, float]:
        """Mapping measure -> current value of the list, or the mean with the other lists."""
        ranks = self.ranks
        return means([ranks.order], ranks.relevant, self._names, beside=self._beside)[0]

    def picture(self) -> Still:
        """Draw the list and the goal."""
        asked = self.goal.sentence
        rows, ranks, name = self._measured.rows(), self.ranks, self.goal.measure
        beside = {each.name: each.values([ranks.order], [name])[0][0] for each in self._beside}
        still = Still([asked, rows.words], asks=True).lines(asked, look="ask")
        if beside:
            mean, shown = (
                self.values[name],
                {**beside, ranks.fixed["caption"]: self._measured.values[name]},
            )
            made = {**shown, mean_name(name): mean}
            still.said += [f"{each} = {localised(f'{value:.3f}')}." for each, value in made.items()]
            still.means({key: float(value) for key, value in shown.items()}, mean, shortly)
        return still.rows(rows)

    def _answer(self, _: object) -> None:
        self.set_trait("answers", self._measured.answers)

    @property
    def _line(self) -> str:
        return f"{self.ranks.line}; goal {'' if self.done else 'not '}reached"
