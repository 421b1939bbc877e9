"""A list, and goals to reach by reordering it; the best there is, is computed."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

import traitlets
from ipywidgets import widget_serialization

from byhand.errors import DataError
from byhand.metrics.lists import Case, relevant_grades
from byhand.metrics.names import measures_named
from byhand.widgets.board import Board
from byhand.widgets.goals import Goal, shown
from byhand.widgets.live import Live
from byhand.widgets.picture import Picture, Pictured, axes_in, write_lines
from byhand.widgets.ranked_list import RankedList
from byhand.widgets.scores import mean_name
from byhand.widgets.solve import means, solve
from byhand.widgets.words import listed, say


class Challenge(Pictured, Live):
    """A list to reorder until goals are reached, which says how far the reader is.

    Grades and the dock stay as they are; only the order changes.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items (grade 1), or a mapping item -> grade.
        goals: one goal, or several in the order in which they are to be tried.
        max_grade: the highest grade, from 1 (relevant or not) to 9.
        measures: the measures shown beside those that the goals speak of; or just one.
        beside: name -> (ranked, relevant) of lists that stay as they are. With some, the goals
            are about the means over all lists: RR becomes MRR.

    Attributes:
        ranks: the `RankedList`.
        current: the number of the goal that is being tried, from 0.

    Raises:
        DataError: something else than goals, a goal that no order reaches, or more orders than can
            be tried.
        ValueError: an unknown measure.

    Example:
        >>> challenge = Challenge(["D1", "D4", "D2", "D7"], {"D4", "D7"}, [Goal.highest("AP")])
        >>> challenge.verdict
        'AP is 0.500, which is 0.500 below the best there is.'
        >>> challenge.ranks.order = ["D7", "D4", "D1", "D2"]
        >>> challenge.verdict, challenge.done
        ('Reached: no order of these 4 items does better.', (True,))
    """

    ranks = traitlets.Instance(RankedList).tag(sync=True, **widget_serialization)
    measures = traitlets.List(read_only=True).tag(sync=True)
    goals = traitlets.Tuple(read_only=True).tag(
        sync=True, to_json=lambda goals, _: [goal.as_json() for goal in goals]
    )
    solutions = traitlets.Tuple(read_only=True).tag(
        sync=True,
        to_json=lambda found, widget: [
            {"order": widget.keys_of(each.order), "score": each.score} for each in found
        ],
    )
    names = traitlets.Dict(read_only=True).tag(sync=True)
    beside = traitlets.List(read_only=True).tag(sync=True)
    answers = traitlets.Dict(read_only=True).tag(sync=True)
    current = traitlets.Int(0).tag(sync=True)
    told = traitlets.Bool(False).tag(sync=True)
    best = traitlets.List().tag(sync=True)

    def __init__(
        self,
        items: Mapping[Hashable, object] | Iterable[Hashable],
        relevant: Mapping[Hashable, float] | Iterable[Hashable],
        goals: Goal | Sequence[Goal],
        *,
        max_grade: int = 1,
        measures: Iterable[object] = (),
        beside: Mapping[str, Case] | None = None,
    ) -> None:
        goals = _goals(goals)
        ranks = RankedList(items, relevant, max_grade=max_grade, grading=False, docking=False)
        spoken = [name for goal in goals for name in goal.measures]
        self._names = tuple(dict.fromkeys([*measures_named(measures), *spoken]))
        self._board = Board(ranks, self._names)
        self._beside = dict(beside or {})
        cases = tuple(self._beside.values())
        found = [solve(goal, ranks.order, ranks.relevant, beside=cases) for goal in goals]
        called = mean_name if cases else str
        for name, value in {
            "ranks": ranks,
            "goals": goals,
            "solutions": tuple(found),
            "best": [None] * len(goals),
            "measures": self._board.specs,
            "names": {name: called(name) for name in self._names},
            "beside": [self._fixed(name, case) for name, case in self._beside.items()],
        }.items():
            self.set_trait(name, value)
        self._first = self.values
        self._keep()
        super().__init__("challenge")
        ranks.observe(self._keep, names="order")

    def keys_of(self, order: Iterable[Hashable]) -> list[str]:
        """The items of an order as a browser knows them."""
        return [self.ranks.catalogue.key(item) for item in order]

    def _fixed(self, name: str, case: Case) -> dict[str, object]:
        ranked, relevant = case
        grades = relevant_grades(relevant)
        items = [[str(item), grades.get(item, 0) > 0] for item in ranked]
        return {"name": name, "items": items, "values": means([ranked], grades, self._names)[0]}

    @traitlets.validate("current")
    def _check_current(self, proposal: Mapping) -> int:
        if not 0 <= proposal["value"] < len(self.goals):
            raise DataError(f"There is no goal {proposal['value']}: count from 0.")
        return proposal["value"]

    @property
    def goal(self) -> Goal:
        """The goal that is being tried."""
        return self.goals[self.current]

    @property
    def values(self) -> dict[str, float]:
        """Measure -> its value for the list as it is now, or its mean with the lists beside."""
        cases = tuple(self._beside.values())
        return means([self.ranks.order], self.ranks.relevant, self._names, beside=cases)[0]

    @property
    def done(self) -> tuple[bool, ...]:
        """For each goal, whether the reader has reached it."""
        return tuple(
            best is not None and goal.reached(best["score"], solution.score)
            for goal, solution, best in zip(self.goals, self.solutions, self.best, strict=True)
        )

    @property
    def verdict(self) -> str:
        """How far the list is from the present goal, in a sentence."""
        goal, values = self.goal, self.values
        if unmet := self._unmet(values):
            return say("challenge", "not yet", unmet="; ".join(unmet))
        score, best = goal.score(values, self._first), self.solutions[self.current].score
        there = goal.reached(score, best)
        about = {"measure": self.names[goal.measure], "value": f"{values[goal.measure]:.3f}"}
        if goal.aim == "change":
            if not there:
                return say("challenge", "still", **about)
            return say("challenge", "changed", **about, change=f"{score:.3f}", most=f"{best:.3f}")
        if there:
            return self._reached_words()
        where = {"highest": "below", "lowest": "above", "reach": "away"}[goal.aim]
        gap = -score if goal.aim == "reach" else best - score
        return say("challenge", where, **about, gap=f"{gap:.3f}")

    def _reached_words(self) -> str:
        goal, n = self.goal, len(self.ranks.order)
        if goal.aim == "reach" or goal.one_swap:
            return say("challenge", "reached" if goal.aim == "reach" else "best swap")
        given = [
            f"{self.names[name]} = {shown(self._first[name] if value is None else value)}"
            for name, value in goal.given
        ]
        if not given:
            return say("challenge", "best", n=n)
        return say("challenge", "best given", given=listed(given), n=n)

    def reset(self) -> None:
        """Go back to the first order."""
        self.told = False
        self.ranks.reset()

    def show_solution(self) -> None:
        """Put the list into an order that reaches the goal; it does not count as reached."""
        self.told = True
        self.ranks.rearrange(self.solutions[self.current].order)

    def picture(self) -> Picture:
        """The list and the goals, for a page on which nothing can be dragged."""
        lines = [f"{n}. {goal.sentence}" for n, goal in enumerate(self.goals, start=1)]
        width, height = self._board.size
        below = 0.24 * len(lines) + 0.12
        alt = f"A list to reorder, and goals: {' '.join(lines)}"
        picture = Picture(alt, (width, height + below))
        share = below / (height + below)
        self._board.draw(axes_in(picture, bottom=share))
        write_lines(axes_in(picture, top=share), lines)
        return picture

    def _unmet(self, values: Mapping[str, float]) -> list[str]:
        if self.goal.one_swap:
            first = self.ranks.start["order"]
            moved = sum(a != b for a, b in zip(first, self.ranks.order, strict=True))
            if moved != 2:
                return [say("challenge", "swap" if moved else "swap none", n=moved)]
        return [
            say(
                "challenge",
                "has to be",
                measure=self.names[name],
                value=f"{values[name]:.3f}",
                target=shown(value),
            )
            for name, value in self.goal.unmet(values, self._first)
        ]

    @traitlets.observe("current")
    def _start_anew(self, _: object) -> None:
        self.told = False
        self.ranks.reset()

    def _keep(self, _: object = None) -> None:
        """Remember the order if it is the reader's own, and the best so far."""
        self.set_trait("answers", self._board.answers)
        told = self.told and self.ranks.order == self.solutions[self.current].order
        values = self.values
        if told or self._unmet(values):
            return
        score, kept = self.goal.score(values, self._first), self.best[self.current]
        if kept is None or score > kept["score"]:
            new = {"score": score, "order": self.keys_of(self.ranks.order)}
            self.best = [new if n == self.current else each for n, each in enumerate(self.best)]

    def __repr__(self) -> str:
        """One stable line: the order, and how many goals are reached."""
        return f"Challenge({self.ranks.line}; {sum(self.done)} of {len(self.goals)} goals reached)"


def _goals(given: Goal | Sequence[Goal]) -> tuple[Goal, ...]:
    if isinstance(given, Goal):
        return (given,)
    goals = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    for goal in goals:
        if not isinstance(goal, Goal):
            raise DataError(
                f"A challenge has goals, and {goal!r} is none. Write what is to be reached, such "
                "as Goal.highest('AP') or Goal.reach('RR', '1/2')."
            )
    if not goals:
        raise DataError("A challenge needs a goal, such as Goal.highest('AP').")
    return goals
