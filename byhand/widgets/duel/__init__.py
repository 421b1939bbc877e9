"""Two lists under the same measures, to see which measure tells them apart."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

import numpy as np
import traitlets

from byhand.errors import DataError, both
from byhand.metrics.measures.measure import cutoff
from byhand.widgets.list.goals import means, rearranged
from byhand.widgets.list.many_lists import ManyLists
from byhand.widgets.list.measured_list import MeasuredList
from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.list.ranking import Graded, Labelled, grades_of, labels_of
from byhand.widgets.numbers import NEAR
from byhand.widgets.phrases import say
from byhand.widgets.still import Still, still_of
from byhand.words import listed


class DuelFixed(TypedDict):
    """What its view has to know, once."""

    ranks: list[RankedList]
    measures: list[dict[str, object]]
    k: int | None
    goal: dict[str, bool]
    sentence: str
    solution: list[list[str]]  # an order of each list


class Duel(ManyLists):
    """Two lists to reorder, side by side, and which measures tell them apart.

    The two share the judgements. An item of one list that the other has not retrieved stands in the
    other's dock, and can be dragged across.

    Args:
        lists: name -> list for two lists; or a pair of lists, which are then called A and B. A
            list is its items, best first, or a mapping item -> label.
        relevant: the relevant items (grade 1), or a mapping item -> grade.
        measures: names in ir_measures' notation, or just one.
        max_grade: the highest grade, from 1 (relevant or not) to 9.
        k: the cutoff of the measures that have none of their own.
        goal: what the reader is to arrange: measure -> whether it tells the two lists apart, such
            as `{"RR": True, "AP": False}`. Without one nothing is asked.

    Attributes:
        lists: name -> `RankedList`.

    Raises:
        DataError: not exactly two lists, a repeated item, a grade out of range, or a goal of other
            measures, that holds at the start, or that no two orders of these lists reach.

    Example:
        >>> duel = Duel([["D1", "D4", "D5"], ["D2", "D4", "D3"]], {"D4", "D5"})
        >>> duel.told_apart
        {'RR': False, 'AP': True, 'nDCG': True}
    """

    fixed: DuelFixed
    answers = traitlets.List(read_only=True).tag(sync=True)

    def __init__(
        self,
        lists: Mapping[str, Labelled] | Sequence[Labelled],
        relevant: Graded,
        *,
        measures: Iterable[object] = ("RR", "AP", "nDCG"),
        max_grade: int = 1,
        k: int | None = None,
        goal: Mapping[str, bool] | None = None,
    ) -> None:
        named = lists if isinstance(lists, Mapping) else dict(zip("AB", lists, strict=False))
        if len(named) != 2 or len(lists) != 2:
            raise DataError(
                "A duel is between two lists, and there are {n}. Pass a pair of lists, or a dict "
                "with two names.",
                [len(lists)],
            )
        relevant, k = grades_of(relevant, max_grade=max_grade), cutoff(k)
        labels = {str(name): labels_of(items) for name, items in named.items()}
        everything = {item: label for each in labels.values() for item, label in each.items()}
        self.lists = {
            name: RankedList(
                own | everything, relevant, max_grade=max_grade, order=own, caption=name
            )
            for name, own in labels.items()
        }
        self._measured = {
            name: MeasuredList(each, measures, k=k) for name, each in self.lists.items()
        }
        self._first = next(iter(self._measured.values()))
        self.goal = dict(goal or {})
        fixed: DuelFixed = {
            "ranks": list(self.lists.values()),
            "measures": self._first.specs,
            "k": k,
            "goal": self.goal,
            "sentence": self._sentence,
            "solution": self._solution(),
        }
        super().__init__("duel", fixed=fixed, answers=self._answers)
        for ranks in self.lists.values():
            ranks.observe(self._changed, ["order", "grades"])

    @property
    def values(self) -> dict[str, dict[str, float]]:
        """List name -> measure -> its value for that list as it is now."""
        return {name: each.values for name, each in self._measured.items()}

    @property
    def told_apart(self) -> dict[str, bool]:
        """Measure -> whether it has different values for the two lists."""
        a, b = self.values.values()
        return {name: abs(a[name] - b[name]) > NEAR for name in a}

    @property
    def won(self) -> bool:
        """Whether the two lists are as the goal asks; never without a goal."""
        apart = self.told_apart
        return bool(self.goal) and all(apart[name] == wish for name, wish in self.goal.items())

    def picture(self) -> Still:
        """Both lists, side by side."""
        shown = [each.rows(name, shows="values") for name, each in self._measured.items()]
        return still_of(*shown, asked=self.fixed["sentence"])

    @property
    def _sentence(self) -> str:
        """The goal, for the reader."""
        names = {
            kind: listed(those)
            for kind, told in {"apart": True, "alike": False}.items()
            if (those := [name for name, wish in self.goal.items() if wish == told])
        }
        kind = "goal" if len(names) == 2 else " ".join(["goal", *names])
        return say("duel", kind, **names) if names else ""

    def _solution(self) -> list[list[str]]:
        """Two orders that reach the goal, by the keys of their items."""
        names = dict(zip(self._first.measures, self._first.names, strict=True))
        if unknown := [name for name in self.goal if name not in names]:
            raise DataError(
                "The goal is about {unknown}, and the measures of this duel are {names}. Ask for "
                "some of those.",
                [both(unknown), both(list(names))],
            )
        if not self.goal:
            return []
        if self.won:
            raise DataError("The two lists reach the goal as they are. Ask for another goal.")
        asked, wish = [names[name] for name in self.goal], list(self.goal.values())
        lists, tried, found = [*self.lists.values()], [], []
        for ranks in lists:
            tried.append(list(rearranged(ranks.order, ranks.relevant)))
            values = means(tried[-1], ranks.relevant, asked)
            found.append(np.array([[each[name] for name in asked] for each in values]))
        for order, row in zip(tried[0], found[0], strict=True):
            reached = ((np.abs(found[1] - row) > NEAR) == wish).all(axis=1)
            if reached.any():
                pair = order, tried[1][int(reached.argmax())]
                return [ranks.catalogue.keys(pair[n]) for n, ranks in enumerate(lists)]
        raise DataError("No two orders of these items reach the goal. Ask for another goal.")

    @property
    def _answers(self) -> list[dict[str, object]]:
        return [each.answers for each in self._measured.values()]

    def _changed(self, change: Mapping) -> None:
        """Give the other list the grades of this one."""
        grades = change["owner"].grades
        for other in self.lists.values():
            if other.grades != grades:
                other.grades = {item: grades[item] for item in other.grades}
        self.set_trait("answers", self._answers)

    @property
    def _line(self) -> str:
        (a, b), apart = self.values.values(), self.told_apart
        scores = [
            f"{shown} {a[name]:.3f} {'≠' if apart[name] else '='} {b[name]:.3f}"
            for name, shown in zip(a, self._first.names, strict=True)
        ]
        return f"{self._orders}; {', '.join(scores)}"
