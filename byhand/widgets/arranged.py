"""Answers that are an order of items: one order, or any that reaches a goal."""

import random
from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from byhand.errors import DataError
from byhand.metrics.names import measures_named
from byhand.widgets.answers import Answer, check_numbers, number_of
from byhand.widgets.board import Board
from byhand.widgets.goals import Goal, Solution, means, solve
from byhand.widgets.items import Items, labels_of
from byhand.widgets.numerals import LIMITS
from byhand.widgets.ranking import Graded, Ranking, grades_of
from byhand.widgets.words import say
from byhand.words import localised


@dataclass(frozen=True, kw_only=True)
class Arranged(Answer):
    """An order of items; `start` is the order to start from, shuffled if it is not given."""

    start: Sequence[Hashable] | None = None

    @property
    @abstractmethod
    def items(self) -> Sequence[Hashable]:
        """What there is to arrange, in any order."""

    @cached_property
    def catalogue(self) -> Items:
        """The items, and how a browser knows each."""
        return Items(labels_of(self.items))

    def read(self, given: object) -> list[str] | None:
        """An order of all items; the letters with which only one of them begins will do."""
        if not isinstance(given, list | tuple):
            return None
        known = self.catalogue.keys(self.catalogue)
        order = [self._key(each, known) for each in given]
        return order if sorted(order) == sorted(known) else None

    def _key(self, given: object, known: Sequence[str]) -> str:
        if given in self.catalogue:
            return self.catalogue.key(given)
        text = str(given)
        begun = [key for key in known if text and key.casefold().startswith(text.casefold())]
        return begun[0] if text not in known and len(begun) == 1 else text

    def unreadable(self, given: object) -> str:
        """What there is to arrange."""
        items = ", ".join(map(repr, self.items))
        return say("prediction", "arrange", n=len(self.items), items=items)

    def ranking(self) -> Mapping[str, object]:
        """The list as it starts."""
        caption = say("prediction", "order")
        switched_off = {"grading": False, "docking": False, "judged": False}
        return {"items": self._start(), "relevant": (), "caption": caption, **switched_off}

    def _start(self) -> list[Hashable]:
        order = list(self.items if self.start is None else self.start)
        if sorted(map(repr, order)) != sorted(map(repr, self.items)):
            raise DataError(f"start holds {order}, and the answer {self.items}. They must agree.")
        shuffler = random.Random(len(order))
        while self.start is None and self.is_right(self.catalogue.keys(order)):
            shuffler.shuffle(order)
        return order


@dataclass(frozen=True, kw_only=True)
class Order(Arranged):
    """An order with one right answer; a slip is two or more items that stand in that order."""

    kind = "order"
    answer: Sequence[Hashable]

    def __post_init__(self) -> None:
        """Check that the slips are wrong orders of the items."""
        right = self.catalogue.keys(self.answer)
        for slip in self.slips:
            chain = self._chain(slip)
            if not set(chain) <= set(right) or self.is_slip(right, slip):
                raise DataError(f"The slip {slip!r} is no wrong order of {list(self.answer)}.")

    @property
    def items(self) -> Sequence[Hashable]:
        """The items of the answer."""
        return self.answer

    def is_right(self, guess: list[str]) -> bool:
        """Whether it is the one order."""
        return guess == self.catalogue.keys(self.answer)

    def _chain(self, slip: object) -> list[str]:
        chain = slip.split(" > ") if isinstance(slip, str) else slip
        return [self._key(each, self.catalogue.keys(self.answer)) for each in chain]

    def is_slip(self, guess: list[str], slip: object) -> bool:
        """Whether the items of the slip stand in its order, whatever stands between them."""
        chain = set(self._chain(slip))
        return [key for key in guess if key in chain] == self._chain(slip)

    @property
    def shown(self) -> str:
        """The order."""
        return " > ".join(map(str, self.answer))

    def as_json(self) -> dict[str, object]:
        """With the order."""
        slips = [[self._chain(slip), said] for slip, said in self.slips.items()]
        return {
            **super().as_json(),
            "answer": self.catalogue.keys(self.answer),
            "slips": slips,
        }


@dataclass(frozen=True, kw_only=True)
class Built(Arranged):
    """Any order that reaches a goal; a slip is the value that an order gets instead."""

    kind = "built"
    start: Sequence[Hashable]
    relevant: Graded
    goal: Goal

    def __post_init__(self) -> None:
        """Check that somebody can make the slips."""
        check_numbers(self.slips)

    @property
    def items(self) -> Sequence[Hashable]:
        """The items of the start."""
        return self.start

    @cached_property
    def _grades(self) -> dict[Hashable, int]:
        found = grades_of(self.relevant, max_grade=LIMITS["grade"])
        return {item: grade for item, grade in found.items() if grade}

    @cached_property
    def _best(self) -> Solution:
        return solve(self.goal, self.start, self._grades)

    def _values(self, guess: list[str]) -> list[dict[str, float]]:
        order = [self.catalogue.item(key) for key in guess]
        return means([self.start, order], self._grades, self.goal.measures)

    def is_right(self, guess: list[str]) -> bool:
        """Whether no order does better."""
        first, values = self._values(guess)
        return self.goal.is_reached(values, first, self._best.score)

    def is_slip(self, guess: list[str], slip: object) -> bool:
        """Whether the measure has that value."""
        return abs(self._values(guess)[1][self.goal.measure] - number_of(slip)) < LIMITS["slip"]

    @property
    def shown(self) -> str:
        """An order that is right."""
        return " > ".join(map(str, self._best.order))

    def ranking(self) -> Mapping[str, object]:
        """The list as it starts, with what is relevant."""
        most = max(self._grades.values(), default=1)
        own = {"relevant": self._grades, "max_grade": most, "judged": True}
        return {**super().ranking(), **own}

    def as_json(self) -> dict[str, object]:
        """With the goal, and what a browser has to know of its measures."""
        names = measures_named(self.goal.measures)
        specs = Board(Ranking(**self.ranking()), names).specs
        own = {
            "goal": self.goal.as_json(),
            "best": self._best.score,
            "measures": specs,
            "slips": [[number_of(slip), said] for slip, said in self.slips.items()],
        }
        return {**super().as_json(), **own}

    def comment(self, guess: list[str], *, n: int) -> str:
        """What the order gets, and then a hint."""
        name = self.goal.measure
        value = localised(f"{self._values(guess)[1][name]:.3f}")
        said = say("prediction", "gets", measure=name, value=value)
        return f"{said} {super().comment(guess, n=n)}".strip()
