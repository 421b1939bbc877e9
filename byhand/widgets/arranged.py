"""Answers that are an order of items: one order, or any that reaches a goal."""

import random
from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from byhand.errors import DataError
from byhand.widgets.answers import Answer, number_of
from byhand.widgets.board import Board
from byhand.widgets.goals import Goal, Solution, means, solve
from byhand.widgets.ranking import Graded, Items, Ranking, grades_of, labels_of
from byhand.widgets.words import LIMITS, say
from byhand.words import localised


@dataclass(frozen=True, kw_only=True)
class Arranged(Answer):
    """An order of items; `start` is the order to start from, shuffled if it is not given."""

    start: Sequence[Hashable] | None = None

    @property
    @abstractmethod
    def _items(self) -> Sequence[Hashable]:
        """What there is to arrange, in any order."""

    @cached_property
    def _catalogue(self) -> Items:
        return Items(labels_of(self._items))

    def read(self, given: object) -> list[str] | None:
        """An order of all items; the letters with which only one of them begins will do."""
        if not isinstance(given, list | tuple):
            return None
        order = self._keys(given)
        return order if sorted(order) == sorted(self._catalogue.keys(self._items)) else None

    def _keys(self, given: Sequence[object]) -> list[str]:
        known = self._catalogue.keys(self._items)

        def key(item: object) -> str:
            if item in self._catalogue:
                return self._catalogue.keys([item])[0]
            text = str(item)
            begun = [each for each in known if text and each.casefold().startswith(text.casefold())]
            return begun[0] if text not in known and len(begun) == 1 else text

        return [*map(key, given)]

    def _unreadable(self, given: object) -> str:
        items = ", ".join(map(repr, self._items))
        return say("prediction", "arrange", n=len(self._items), items=items)

    def ranking(self) -> Mapping[str, object]:
        """The list as it starts."""
        caption = say("prediction", "order")
        switched_off = {"grading": False, "docking": False, "judged": False}
        return {"items": self._start(), "relevant": (), "caption": caption, **switched_off}

    def _start(self) -> list[Hashable]:
        order = list(self._items if self.start is None else self.start)
        if sorted(map(repr, order)) != sorted(map(repr, self._items)):
            raise DataError(f"start holds {order}, and the answer {self._items}. They must agree.")
        shuffler = random.Random(len(order))
        while self.start is None and self.is_right(self._catalogue.keys(order)):
            shuffler.shuffle(order)
        return order


@dataclass(frozen=True, kw_only=True)
class Order(Arranged):
    """An order with one right answer; a slip is two or more items that stand in that order."""

    kind = "order"
    answer: Sequence[Hashable]

    def __post_init__(self) -> None:
        """Check that the slips are wrong orders of the items."""
        right = self._catalogue.keys(self.answer)
        for slip in self.slips:
            if not set(self._of_slip(slip)) <= set(right) or self._is_slip(right, slip):
                raise DataError(f"The slip {slip!r} is no wrong order of {list(self.answer)}.")

    @property
    def _items(self) -> Sequence[Hashable]:
        return self.answer

    def _of_slip(self, slip: object) -> list[str]:
        return self._keys(slip.split(" > ") if isinstance(slip, str) else slip)

    def _is_slip(self, guess: list[str], slip: object) -> bool:
        """Whether the items of the slip stand in its order, whatever stands between them."""
        chain = self._of_slip(slip)
        return [key for key in guess if key in chain] == chain

    @property
    def shown(self) -> str:
        """The order."""
        return " > ".join(map(str, self.answer))


@dataclass(frozen=True, kw_only=True)
class Built(Arranged):
    """Any order that reaches a goal; a slip is the value that an order gets instead."""

    kind = "built"
    start: Sequence[Hashable]
    relevant: Graded
    goal: Goal

    def __post_init__(self) -> None:
        """Check that somebody can make the slips."""
        [*map(number_of, self.slips)]

    @property
    def _items(self) -> Sequence[Hashable]:
        return self.start

    @cached_property
    def _grades(self) -> dict[Hashable, int]:
        found = grades_of(self.relevant, max_grade=LIMITS["grade"])
        return {item: grade for item, grade in found.items() if grade}

    @cached_property
    def _best(self) -> Solution:
        return solve(self.goal, self.start, self._grades)

    def _values(self, guess: list[str]) -> list[dict[str, float]]:
        order = [self._catalogue.item(key) for key in guess]
        return means([self.start, order], self._grades, self.goal.measures)

    def is_right(self, guess: list[str]) -> bool:
        """Whether no order does better."""
        first, values = self._values(guess)
        return self.goal.is_reached(values, first, self._best.score)

    def _is_slip(self, guess: list[str], slip: object) -> bool:
        """Whether the measure has that value."""
        return abs(self._values(guess)[1][self.goal.measure] - number_of(slip)) < LIMITS["slip"]

    def _of_slip(self, slip: object) -> float:
        return number_of(slip)

    @property
    def shown(self) -> str:
        """An order that is right."""
        return " > ".join(map(str, self._best.order))

    def ranking(self) -> Mapping[str, object]:
        """The list as it starts, with what is relevant."""
        most = max(self._grades.values(), default=1)
        return {**super().ranking(), "relevant": self._grades, "max_grade": most, "judged": True}

    def _own(self) -> dict[str, object]:
        specs = Board(Ranking(**self.ranking()), self.goal.measures).specs
        return {"goal": self.goal.as_json(), "best": self._best.score, "measures": specs}

    def comment(self, guess: list[str], *, n: int) -> str:
        """What the order gets, and then a hint."""
        name = self.goal.measure
        value = localised(f"{self._values(guess)[1][name]:.3f}")
        said = say("prediction", "gets", measure=name, value=value)
        return f"{said} {super().comment(guess, n=n)}".strip()
