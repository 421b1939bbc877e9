"""A list, and goals to reach by reordering it; the best there is, is computed."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

import ipywidgets
import traitlets

from helpers.errors import DataError
from helpers.figures.lists import list_size
from helpers.widgets.board import FLOW, Board, Cards, column
from helpers.widgets.controls import Controls, button
from helpers.widgets.goals import Goal
from helpers.widgets.message import Message
from helpers.widgets.picture import Picture, Pictured, axes_in, write_lines
from helpers.widgets.ranked_list import RankedList
from helpers.widgets.scores import in_words, values_of
from helpers.widgets.solve import solve


class Challenge(Pictured, ipywidgets.VBox):
    """A list to reorder until goals are reached, which says how far the reader is.

    Grades and the dock stay as they are; only the order changes.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items (grade 1), or a mapping item -> grade.
        goals: one goal, or several in the order in which they are to be tried.
        max_grade: the highest grade, from 1 (relevant or not) to 9.
        measures: the measures shown; by default those that the goals speak of.

    Attributes:
        ranks: the `RankedList`.
        current: the number of the goal that is being tried, from 0.

    Raises:
        DataError: a goal that no order reaches, or more orders than can be tried.

    Example:
        >>> challenge = Challenge(["D1", "D4", "D2", "D7"], {"D4", "D7"}, [Goal.highest("AP")])
        >>> challenge.verdict
        'AP is 0.500, which is 0.500 below the best there is.'
        >>> challenge.ranks.order = ["D7", "D4", "D1", "D2"]
        >>> challenge.verdict, challenge.done
        ('Reached: no order does better.', (True,))
    """

    current = traitlets.Int(0)

    def __init__(
        self,
        items: Mapping[Hashable, object] | Iterable[Hashable],
        relevant: Mapping[Hashable, float] | Iterable[Hashable],
        goals: Goal | Sequence[Goal],
        *,
        max_grade: int = 1,
        measures: Sequence[str] | None = None,
    ) -> None:
        self.goals = (goals,) if isinstance(goals, Goal) else tuple(goals)
        if not self.goals:
            raise DataError("A challenge needs a goal, such as Goal.highest('AP').")
        self.ranks = RankedList(items, relevant, max_grade=max_grade, grading=False, docking=False)
        spoken = [name for goal in self.goals for name in goal.measures]
        self.measures = tuple(dict.fromkeys([*(measures or ()), *spoken]))
        self._board, self._cards = Board(self.ranks, self.measures), Cards()
        self._start, self._first = self.ranks.order, self._board.values
        self.solutions = tuple(solve(goal, self._start, self.ranks.relevant) for goal in self.goals)
        self._best: list[tuple[float, tuple[Hashable, ...]] | None] = [None] * len(self.goals)
        self._telling = False
        self.message = Message()
        self.controls = Controls([], caption="Goals")
        super().__init__(layout=ipywidgets.Layout(width="100%"))
        self.ranks.narrate = lambda: self._board.words
        self.ranks.observe(lambda _: self._show(), names="order")
        self.observe(lambda _: self.reset(), names="current")
        self.controls.on_press(self._pressed)
        side = ipywidgets.VBox([self._cards, self._board.figure], layout=column("330px"))
        self.ranks.layout = column("300px")
        row = ipywidgets.HBox([self.ranks, side], layout=FLOW)
        self.children = (self.controls, self.message, row)
        self._show()

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
        """Measure -> its value for the list as it is now."""
        return self._board.values

    @property
    def done(self) -> tuple[bool, ...]:
        """For each goal, whether the reader has reached it."""
        return tuple(
            best is not None and goal.reached(best[0], solution.score)
            for goal, solution, best in zip(self.goals, self.solutions, self._best, strict=True)
        )

    @property
    def best(self) -> tuple[Hashable, ...] | None:
        """The reader's best order for the present goal, or None."""
        kept = self._best[self.current]
        return kept[1] if kept else None

    @property
    def verdict(self) -> str:
        """How far the list is from the present goal, in a sentence."""
        goal, values = self.goal, self.values
        if unmet := self._unmet():
            return f"Not yet: {'; '.join(unmet)}."
        score, best = goal.score(values, self._first), self.solutions[self.current].score
        name, gap = goal.measure, best - score
        if goal.aim == "change":
            if not goal.reached(score, best):
                return f"{name} is still {values[name]:.3f}, as in the first order."
            return f"Reached: {name} moved by {score:.3f}. The most it can move is {best:.3f}."
        if goal.reached(score, best):
            return "Reached." if goal.aim == "reach" else "Reached: no order does better."
        where = {
            "highest": f"{gap:.3f} below the best there is",
            "lowest": f"{gap:.3f} above the lowest there is",
            "reach": f"{-score:.3f} away from it",
        }[goal.aim]
        return f"{name} is {values[name]:.3f}, which is {where}."

    def reset(self) -> None:
        """Go back to the first order."""
        self.ranks.rearrange(self._start)
        self._show()

    def show_solution(self) -> None:
        """Put the list into an order that reaches the goal; it does not count as reached."""
        self._telling = True
        try:
            self.ranks.rearrange(self.solutions[self.current].order)
            self._show()
        finally:
            self._telling = False

    def picture(self) -> Picture:
        """The first order and the goals, for a page on which nothing can be dragged."""
        lines = [f"{n}. {goal.sentence}" for n, goal in enumerate(self.goals, start=1)]
        width, height = list_size(len(self.measures))
        below = 0.24 * len(lines) + 0.12
        alt = f"A list to reorder, and goals: {' '.join(lines)}"
        picture = Picture(alt, (width, height + below))
        share = below / (height + below)
        self._board.draw_start(axes_in(picture, bottom=share))
        write_lines(axes_in(picture, top=share), lines)
        return picture

    def _unmet(self) -> list[str]:
        if self.goal.one_swap:
            moved = sum(a != b for a, b in zip(self._start, self.ranks.order, strict=True))
            if moved != 2:
                return [f"{moved or 'no'} items have changed places, and a swap changes two"]
        return self.goal.unmet(self.values, self._first)

    def _pressed(self, name: str) -> None:
        if name.startswith("goal-"):
            self.current = int(name.removeprefix("goal-"))
        elif name == "reset":
            self.reset()
        else:
            self.show_solution()

    def _keep(self) -> None:
        if self._telling or self._unmet():
            return
        score = self.goal.score(self.values, self._first)
        kept = self._best[self.current]
        if kept is None or score > kept[0]:
            self._best[self.current] = (score, self.ranks.order)

    def _show(self) -> None:
        self._keep()
        reached = self.verdict.startswith("Reached")
        more = "This is a solution." if self._telling else self._best_so_far()
        self.message.heading = f"Goal {self.current + 1}: {self.goal.sentence}"
        self.message.say(self.verdict, tone="good" if reached else "plain", more=more)
        self.controls.controls = self._buttons()
        self._board.show(lambda: self._cards.show(self.values))

    def _best_so_far(self) -> str:
        if self.best is None or self.best == self._start:
            return ""
        value = values_of(self.best, self.ranks.relevant, [self.goal.measure])
        order = " > ".join(self.ranks.label(item) for item in self.best)
        return f"Your best so far: {in_words(value)} with {order}"

    def _buttons(self) -> list[dict]:
        goals = [
            button(
                f"goal-{n}",
                f"{'✓ ' if done else ''}Goal {n + 1}",
                title=self.goals[n].sentence,
                pressed=n == self.current,
            )
            for n, done in enumerate(self.done)
        ]
        return [
            *(goals if len(goals) > 1 else []),
            button("reset", "Reset", title="Back to the first order"),
            button("solution", "Show a solution"),
        ]

    def __repr__(self) -> str:
        """One stable line: the order, and how many goals are reached."""
        inside = repr(self.ranks).removeprefix("RankedList(").removesuffix(")")
        return f"Challenge({inside}; {sum(self.done)} of {len(self.goals)} goals reached)"
