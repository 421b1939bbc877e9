"""A list, and goals to reach by reordering it; the best there is, is computed."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

import traitlets

from byhand.errors import DataError, shown
from byhand.metrics.cases import Case
from byhand.metrics.measure_names import measures_named
from byhand.widgets.list.beside import Beside
from byhand.widgets.list.goals import Goal, mean_name, means, solve
from byhand.widgets.list.measured_list import MeasuredList
from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.list.ranking import Graded, Labelled
from byhand.widgets.live import Covering, checks
from byhand.widgets.numbers import shortly
from byhand.widgets.phrases import say
from byhand.widgets.still import Still
from byhand.words import localised


class ChallengeFixed(TypedDict):
    """What its view has to know, once."""

    ranks: RankedList
    measures: list[dict[str, object]]
    names: dict[str, str]  # measure -> what it is called
    goals: list[dict[str, object]]
    solutions: list[dict[str, object]]  # the order and the score of each
    beside: list[dict[str, object]]  # the name of each list, and its values or what makes them


class Challenge(Covering):
    """A list to reorder until goals are reached, which says how far the reader is.

    Args:
        items, relevant, max_grade, order, docking, caption: as `RankedList` takes them.
        goals: one goal, or several in the order in which they are to be tried.
        measures: the measures shown beside those that the goals speak of; or just one.
        beside: name -> (ranked, relevant) of other lists. With some, the goals are about the
            means over all lists: RR becomes MRR. Among them this list is called by its caption,
            such as its query. A list that is this one or a part of it, in the same order, follows
            what is dragged; any other stays as it is.
        covers: whether what follows is covered until every goal is reached, its solution is
            shown, or the reader skips them: on a page all of it, in JupyterLab up to the next
            question.

    Attributes:
        ranks: the `RankedList`, whose grades stay as they are.
        goals, solutions: what is to be reached, and for each goal an order that reaches it.
        current: the number of the goal that is being tried, from 0.
        shown: the goals of which the reader has seen a solution.
        best: for each goal what the reader's best order so far is worth, as the browser says.

    Raises:
        DataError: something else than goals, a goal that no order reaches, or more orders than can
            be tried.
        ValueError: an unknown measure.

    Example:
        >>> challenge = Challenge(["D1", "D4", "D2", "D7"], {"D4", "D7"}, Goal.highest("AP"))
        >>> challenge.values, challenge.done
        ({'AP': 0.5}, (False,))
        >>> challenge.solutions[0].values
        {'AP': 1.0}
    """

    fixed: ChallengeFixed
    current = traitlets.Int(0).tag(sync=True)
    shown = traitlets.List().tag(sync=True)
    best = traitlets.List().tag(sync=True)
    answers = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        items: Labelled,
        relevant: Graded,
        goals: Goal | Sequence[Goal],
        *,
        max_grade: int = 1,
        measures: Iterable[object] = (),
        beside: Mapping[str, Case] | None = None,
        order: Iterable[Hashable] | None = None,
        docking: bool = False,
        caption: str | None = None,
        covers: bool = False,
    ) -> None:
        given = _goals(goals)
        spoken = [name for goal in given for name in goal.measures]
        self._names = tuple(dict.fromkeys([*measures_named(measures), *spoken]))
        names = {name: mean_name(name) if beside else name for name in self._names}
        self.goals = tuple(replace(goal, text=goal.worded(names)) for goal in given)
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
        self.solutions = tuple(
            solve(goal, order, grades, beside=self._beside, dock=dock) for goal in self.goals
        )
        fixed: ChallengeFixed = {
            "ranks": self.ranks,
            "measures": self._measured.specs,
            "names": names,
            "goals": [goal.as_json() for goal in self.goals],
            "solutions": [
                {"order": self.ranks.catalogue.keys(each.order), "score": each.score}
                for each in self.solutions
            ],
            "beside": [each.as_json(self.ranks.catalogue, self._names) for each in self._beside],
        }
        best = [None] * len(self.goals)
        super().__init__(
            "challenge", fixed=fixed, best=best, answers=self._measured.answers, covers=covers
        )
        self.ranks.observe(self._answer, names="order")

    @checks("current")
    def _check_current(self, current: int) -> int:
        if not 0 <= current < len(self.goals):
            raise DataError(f"There is no goal {current}: count from 0.")
        return current

    @checks("best")
    def _check_best(self, best: list[Mapping | None]) -> list[Mapping | None]:
        fits = (each is None or (isinstance(each, Mapping) and "reached" in each) for each in best)
        if len(best) != len(self.goals) or not all(fits):
            raise DataError(
                f"best is {shown(best)}. Expected what was reached, or None, for each goal; "
                f"goals: {len(self.goals)}."
            )
        return best

    @property
    def values(self) -> dict[str, float]:
        """Measure -> its value for the list as it is now, or its mean with the lists beside."""
        ranks = self.ranks
        return means([ranks.order], ranks.relevant, self._names, beside=self._beside)[0]

    @property
    def done(self) -> tuple[bool, ...]:
        """For each goal, whether the reader has reached it."""
        return tuple(bool(best and best["reached"]) for best in self.best)

    @traitlets.observe("current")
    def reset(self, _: object = None) -> None:
        """Go back to the first order, as another goal does."""
        self.told = False
        self.ranks.reset()

    def picture(self) -> Still:
        """The list and the goals."""
        asked = [goal.sentence for goal in self.goals]
        if len(asked) > 1:
            titled = enumerate(asked, start=1)
            asked = [say("challenge", "title", n=n, sentence=each) for n, each in titled]
        rows, ranks, name = self._measured.rows(), self.ranks, self.goals[0].measure
        beside = {each.name: each.values([ranks.order], [name])[0][0] for each in self._beside}
        still = Still([*asked, rows.words], asks=True).lines(*asked, look="ask")
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
        return f"{self.ranks.line}; {sum(self.done)} of {len(self.goals)} goals reached"


def _goals(given: Goal | Sequence[Goal]) -> tuple[Goal, ...]:
    goals = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    for goal in goals:
        if not isinstance(goal, Goal):
            raise DataError(
                f"goals holds {goal!r}, which is not a goal. Pass what is to be reached, "
                "such as Goal.highest('AP') or Goal.reach('RR', '1/2')."
            )
    if not goals:
        raise DataError("A challenge needs a goal, such as Goal.highest('AP').")
    return goals
