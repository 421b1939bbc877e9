"""Types of answers: how they are read, checked and commented on.

The browser's `answers.js` does the same with the data of `as_json`.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from math import isfinite
from numbers import Real
from typing import ClassVar

from byhand.errors import DataError
from byhand.widgets.list.ranking import Items, labels_of
from byhand.widgets.numbers import LIMITS, as_fraction, number_in
from byhand.widgets.phrases import say
from byhand.words import localised


@dataclass(frozen=True, kw_only=True)
class Answer(ABC):
    """The right `answer` to a question, with feedback on guesses."""

    kind: ClassVar[str]
    why: str = ""  # feedback on the right answer
    hints: Sequence[str] = ()  # for the first wrong guess, and for later ones
    slips: Mapping[object, str] = field(default_factory=dict)  # common mistake -> feedback

    def __post_init__(self) -> None:
        """Check that the slips are possible guesses, and wrong."""
        for slip in self.slips:
            if self.is_right(self._of_slip(slip)):
                raise DataError(f"slips contains {slip!r}, which is the right answer. Remove it.")

    @abstractmethod
    def read(self, given: object) -> object | None:
        """Return the input as a JSON-serialisable guess, or None if its type is wrong."""

    @abstractmethod
    def _unreadable(self, given: object) -> str:
        """Return the feedback on input of another type."""

    @property
    @abstractmethod
    def shown(self) -> str:
        """The answer as text."""

    def is_right(self, guess: object) -> bool:
        """Return whether a guess, from `read`, is right."""
        return guess == self.read(self.answer)

    def _is_slip(self, guess: object, slip: object) -> bool:
        return guess == self._of_slip(slip)

    def _of_slip(self, slip: object) -> object:
        """Return a slip for the browser, or raise `DataError` if no guess can equal it."""
        number = number_in(str(slip))
        if number is None:
            raise DataError(
                f"slips contains {slip!r}, which is not a number. Write it as 0.25 or as '1/4'."
            )
        return number

    def refused(self, given: object) -> str:
        """Return why the input is not accepted; empty if it is."""
        return self._unreadable(given) if self.read(given) is None else ""

    def comment(self, guess: object, *, n: int) -> str:
        """Return the feedback on the n-th wrong guess, from 1."""
        slip = next((text for slip, text in self.slips.items() if self._is_slip(guess, slip)), "")
        hint = self.hints[min(n, len(self.hints)) - 1] if self.hints else ""
        texts = [slip] if slip and n == 1 else [slip, hint]
        return " ".join(dict.fromkeys(filter(None, texts)))

    def ranking(self) -> Mapping[str, object] | None:
        """Return the state of the list to arrange, if the answer is an order."""
        return None

    def _own(self) -> dict[str, object]:
        """Return the browser's data for this type."""
        return {"answer": self.read(self.answer)}

    def as_json(self) -> dict[str, object]:
        """Return the browser's data."""
        return {
            "kind": self.kind,
            "shown_answer": self.shown,
            "why": self.why,
            "hints": list(self.hints),
            "slips": [[self._of_slip(slip), text] for slip, text in self.slips.items()],
            **self._own(),
        }


@dataclass(frozen=True, kw_only=True)
class Number(Answer):
    """A number with a `tolerance`."""

    kind = "number"
    answer: Real
    tolerance: float = 0.005

    def read(self, given: object) -> float | None:
        """Read a number or its text."""
        number = number_in(given) if isinstance(given, str) else given
        if not isinstance(number, Real) or isinstance(number, bool) or not isfinite(number):
            return None
        return float(number)

    def _unreadable(self, given: object) -> str:
        if isinstance(given, tuple):
            return say("prediction", "comma")
        if str(given).strip():
            return say("prediction", "no number", guess=given)
        return say("prediction", "nothing")

    def refused(self, given: object) -> str:
        """Return why the input is not accepted, such as too few decimals; empty if it is."""
        if refused := super().refused(given):
            return refused
        guess = self.read(given)
        near = not self.is_right(guess) and abs(guess - float(self.answer)) < LIMITS["close"]
        known = any(self._is_slip(guess, slip) for slip in self.slips)
        return say("prediction", "close") if near and not known else ""

    def is_right(self, guess: float) -> bool:
        """Return whether a guess is within the tolerance."""
        return abs(guess - float(self.answer)) <= self.tolerance

    def _is_slip(self, guess: float, slip: object) -> bool:
        return abs(guess - self._of_slip(slip)) < LIMITS["slip"]

    @property
    def shown(self) -> str:
        """The number with three decimals, and as a fraction if it is simple."""
        value = float(self.answer)
        number = localised(f"{value:.3f}".rstrip("0").rstrip("."))
        return f"{number} ({fraction})" if (fraction := as_fraction(value)) else number

    def _own(self) -> dict[str, object]:
        return {**super()._own(), "tolerance": self.tolerance}


@dataclass(frozen=True, kw_only=True)
class _Among(Answer):
    """Base of the answers with options, each with a key and a text."""

    options: Mapping[str, str]
    answer: object
    phrase: ClassVar[str]  # section of its words

    def __post_init__(self) -> None:
        """Check the answer and the slips."""
        self._of_slip(self.answer)
        super().__post_init__()

    def _of_slip(self, slip: object) -> object:
        if (read := self.read(slip)) is None:
            known = list(self.options)
            raise DataError(f"{slip!r} is not one of the options {known}. Use one, or add it.")
        return read

    def _unreadable(self, given: object) -> str:
        return say("prediction", self.phrase, options=", ".join(self.options))

    def _own(self) -> dict[str, object]:
        words = {"keys": list(self.options), "options": list(self.options.values())}
        return {**super()._own(), **words}


@dataclass(frozen=True, kw_only=True)
class Choice(_Among):
    """One of several options, each with a key and a text."""

    kind, phrase = "choice", "choose"
    answer: str

    def read(self, given: object) -> str | None:
        """Read an option, ignoring case."""
        text = str(given).strip()
        return next((each for each in (text, text.lower()) if each in self.options), None)

    @property
    def shown(self) -> str:
        """The text of the option."""
        return self.options[self.answer]


@dataclass(frozen=True, kw_only=True)
class Several(_Among):
    """A set of options ("tick all that apply"), each with a key and a text.

    If there is an `opinion`, no guess is wrong. It is the feedback on any guess; `{n}` of `{of}` is
    the number of options on which guess and answer agree.
    """

    kind, phrase = "several", "tick"
    answer: Iterable[str]
    opinion: str = ""

    def is_right(self, guess: list[str]) -> bool:
        """Return whether exactly the right options are ticked; opinions are always right."""
        return bool(self.opinion) or super().is_right(guess)

    def _own(self) -> dict[str, object]:
        return {**super()._own(), **({"opinion": self.opinion} if self.opinion else {})}

    def read(self, given: object) -> list[str] | None:
        """Read options from a list or a set; if they are letters, also from a text."""
        if isinstance(given, str):
            given = [given] if given in self.options else filter(str.isalnum, given)
        ticked = set(map(str, given)) if isinstance(given, Iterable) else set()
        if not ticked or not ticked <= set(self.options):
            return None
        return [each for each in self.options if each in ticked]

    @property
    def shown(self) -> str:
        """The texts of the right options, or their keys if the browser marks their rows."""
        right = self.read(self.answer)
        return ", ".join(right if self.opinion else (self.options[each] for each in right))


_SWITCHED_OFF = {"grading": False, "docking": False, "judged": False}


@dataclass(frozen=True, kw_only=True)
class Order(Answer):
    """An order of items; a common mistake (in `slips`) is an order of two or more of them.

    `start` is the initial order, shuffled by default. `parts` has the sizes of successive parts
    within which the order does not matter.
    """

    kind = "order"
    answer: Sequence[Hashable]
    start: Sequence[Hashable] | None = None
    parts: Sequence[int] = ()

    @cached_property
    def _catalogue(self) -> Items:
        return Items(labels_of(self.answer))

    def read(self, given: object) -> list[str] | None:
        """Read an order of all items."""
        if not isinstance(given, list | tuple):
            return None
        order = self._keys(given)
        return order if sorted(order) == sorted(self._catalogue.keys(self.answer)) else None

    def _keys(self, given: Sequence[object]) -> list[str]:
        known = self._catalogue
        return [known.keys([item])[0] if item in known else str(item) for item in given]

    def _unreadable(self, given: object) -> str:
        items = ", ".join(map(repr, self.answer))
        return say("prediction", "arrange", n=len(self.answer), items=items)

    def ranking(self) -> Mapping[str, object]:
        """Return the state of the initial list."""
        order = list(self.answer if self.start is None else self.start)
        if sorted(map(repr, order)) != sorted(map(repr, self.answer)):
            raise DataError(
                f"start has the items {order}, but the answer {self.answer}. Use the same items."
            )
        shuffler = random.Random(len(order))
        while self.start is None and self.is_right(self._catalogue.keys(order)):
            shuffler.shuffle(order)
        caption = say("prediction", "order")
        return {"items": order, "relevant": (), "caption": caption, **_SWITCHED_OFF}

    def is_right(self, guess: list[str]) -> bool:
        """Return whether each part has the right items."""
        return self._parted(guess) == self._parted(self.read(self.answer))

    def _parted(self, order: list[str]) -> list[list[str]]:
        ends = [*accumulate(self.parts or [1] * len(order))]
        return [sorted(order[start:end]) for start, end in pairwise([0, *ends])]

    def _own(self) -> dict[str, object]:
        return {**super()._own(), **({"parts": list(self.parts)} if self.parts else {})}

    def _of_slip(self, slip: object) -> list[str]:
        chain = self._keys(slip.split(" > ") if isinstance(slip, str) else slip)
        right = self._catalogue.keys(self.answer)
        if not set(chain) <= set(right) or [key for key in right if key in chain] == chain:
            raise DataError(
                f"slips contains {slip!r}. Expected two or more of the items {list(self.answer)}, "
                "in another order."
            )
        return chain

    def _is_slip(self, guess: list[str], slip: object) -> bool:
        """Return whether the items of the slip have its order in the guess."""
        chain = self._of_slip(slip)
        return [key for key in guess if key in chain] == chain

    @property
    def shown(self) -> str:
        """The right order as text."""
        return " > ".join(map(str, self.answer))
