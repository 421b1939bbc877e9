"""Kinds of answers: what may be entered, what is right, and what is said to what is wrong.

The browser's `answers.js` has the same, made from `as_json`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from numbers import Real
from typing import ClassVar

from byhand.errors import DataError
from byhand.widgets.numerals import LIMITS, as_fraction, number_in
from byhand.widgets.ranking import Ranking
from byhand.widgets.words import say
from byhand.words import localised


@dataclass(frozen=True, kw_only=True)
class Answer(ABC):
    """What is right, and what to say to what is not.

    Attributes:
        why: why it is right.
        hints: what to say to a first wrong guess, and to later ones.
        slips: wrong guesses that people make, and what to say to each.
    """

    kind: ClassVar[str]
    why: str = ""
    hints: Sequence[str] = ()
    slips: Mapping[object, str] = field(default_factory=dict)

    @abstractmethod
    def read(self, given: object) -> object | None:
        """What was entered as a guess of this kind, which JSON can hold; None if it is none."""

    @abstractmethod
    def unreadable(self, given: object) -> str:
        """What to say to something that is no guess of this kind."""

    @abstractmethod
    def is_right(self, guess: object) -> bool:
        """Whether a guess is right."""

    @abstractmethod
    def is_slip(self, guess: object, slip: object) -> bool:
        """Whether a wrong guess is that slip."""

    @property
    @abstractmethod
    def shown(self) -> str:
        """The answer in words."""

    def refused(self, given: object) -> str:
        """Why something cannot be committed to; nothing if it can."""
        return self.unreadable(given) if self.read(given) is None else ""

    def comment(self, guess: object, *, n: int) -> str:
        """What to say to a wrong guess, which is the n-th, from 1."""
        slip = next((said for slip, said in self.slips.items() if self.is_slip(guess, slip)), "")
        hint = self.hints[min(n, len(self.hints)) - 1] if self.hints else ""
        said = [slip] if slip and n == 1 else [slip, hint]
        return " ".join(dict.fromkeys(filter(None, said)))

    def ranking(self) -> Mapping[str, object] | None:
        """What a list to arrange is made from, if the answer is an order."""
        return None

    def as_json(self) -> dict[str, object]:
        """What a browser has to know."""
        return {
            "kind": self.kind,
            "shown_answer": self.shown,
            "why": self.why,
            "hints": list(self.hints),
            "slips": [[slip, said] for slip, said in self.slips.items()],
        }


def number_of(slip: object) -> float | None:
    """A wrong number, as it was written."""
    return number_in(str(slip))


def check_numbers(slips: Iterable[object]) -> None:
    """Refuse a slip that is no number."""
    for slip in slips:
        if number_of(slip) is None:
            raise DataError(f"The slip {slip!r} is no number. Write it as 0.25 or as '1/4'.")


@dataclass(frozen=True, kw_only=True)
class Number(Answer):
    """A number, which may be `tolerance` off."""

    kind = "number"
    answer: Real
    tolerance: float = 0.005

    def __post_init__(self) -> None:
        """Check that somebody can make the slips."""
        check_numbers(self.slips)

    def read(self, given: object) -> float | None:
        """A number, or a text that holds one."""
        number = number_in(given) if isinstance(given, str) else given
        if not isinstance(number, Real) or isinstance(number, bool) or not isfinite(number):
            return None
        return float(number)

    def unreadable(self, given: object) -> str:
        """How a number is written."""
        if isinstance(given, tuple):
            return say("prediction", "comma")
        if str(given).strip():
            return say("prediction", "no number", guess=given)
        return say("prediction", "nothing")

    def refused(self, given: object) -> str:
        """Two decimals are too few for an answer of three."""
        guess = self.read(given)
        if guess is None:
            return self.unreadable(given)
        near = not self.is_right(guess) and abs(guess - float(self.answer)) < LIMITS["close"]
        known = any(self.is_slip(guess, slip) for slip in self.slips)
        return say("prediction", "close") if near and not known else ""

    def is_right(self, guess: float) -> bool:
        """Whether it is near enough."""
        return abs(guess - float(self.answer)) <= self.tolerance

    def is_slip(self, guess: float, slip: object) -> bool:
        """Whether it has the three decimals of the slip."""
        return abs(guess - number_of(slip)) < LIMITS["slip"]

    @property
    def shown(self) -> str:
        """With three decimals, and as a fraction if it is a simple one."""
        value = float(self.answer)
        number = localised(f"{value:.3f}".rstrip("0").rstrip("."))
        return f"{number} ({fraction})" if (fraction := as_fraction(value)) else number

    def as_json(self) -> dict[str, object]:
        """With the number and how far a guess may be off."""
        slips = [[number_of(slip), said] for slip, said in self.slips.items()]
        own = {"answer": float(self.answer), "tolerance": self.tolerance, "slips": slips}
        return {**super().as_json(), **own}


def _as_json(options: Mapping[str, str]) -> dict[str, list[str]]:
    return {"keys": list(options), "options": list(options.values())}


@dataclass(frozen=True, kw_only=True)
class Choice(Answer):
    """One of some options, each by its key and in words."""

    kind = "choice"
    options: Mapping[str, str]
    answer: str

    def __post_init__(self) -> None:
        """Check that the answer and the slips are among the options."""
        for each in (self.answer, *self.slips):
            if self.read(each) is None:
                raise DataError(
                    f"{each!r} is not among the options {list(self.options)}. Add it to them."
                )

    def read(self, given: object) -> str | None:
        """An option, as it is written or in small letters."""
        text = str(given).strip()
        return next((each for each in (text, text.lower()) if each in self.options), None)

    def unreadable(self, given: object) -> str:
        """What there is to choose from."""
        return say("prediction", "choose", options=", ".join(self.options))

    def is_right(self, guess: str) -> bool:
        """Whether it is the right option."""
        return guess == self.answer

    def is_slip(self, guess: str, slip: str) -> bool:
        """Whether it is that option."""
        return guess == str(slip)

    @property
    def shown(self) -> str:
        """The option, in words."""
        return self.options[self.answer]

    def as_json(self) -> dict[str, object]:
        """With the options."""
        return {**super().as_json(), **_as_json(self.options), "answer": self.answer}


@dataclass(frozen=True, kw_only=True)
class Several(Answer):
    """Some of the options, each by its key and in words: tick all that apply."""

    kind = "several"
    options: Mapping[str, str]
    answer: Iterable[str]

    def __post_init__(self) -> None:
        """Check that the answer and the slips are among the options."""
        for each in (self.answer, *self.slips):
            if self.read(each) is None:
                raise DataError(
                    f"{each!r} does not name some of the options {list(self.options)}. "
                    "Write those to tick, in braces or in a list."
                )

    def read(self, given: object) -> list[str] | None:
        """Options in a list or a set, or, where they are letters, in a text."""
        if isinstance(given, str) and given not in self.options:
            given = [each for each in given if each.isalnum()]
        elif isinstance(given, str):
            given = [given]
        ticked = set(map(str, given)) if isinstance(given, Iterable) else set()
        if not ticked or not ticked <= set(self.options):
            return None
        return [each for each in self.options if each in ticked]

    def unreadable(self, given: object) -> str:
        """What there is to tick."""
        return say("prediction", "tick", options=", ".join(self.options))

    def is_right(self, guess: list[str]) -> bool:
        """Whether these are all, and no other."""
        return guess == self.read(self.answer)

    def is_slip(self, guess: list[str], slip: object) -> bool:
        """Whether these are the ones."""
        return guess == self.read(slip)

    @property
    def shown(self) -> str:
        """The right options, in words."""
        return ", ".join(self.options[each] for each in self.read(self.answer))

    def as_json(self) -> dict[str, object]:
        """With the options."""
        return {
            **super().as_json(),
            **_as_json(self.options),
            "answer": self.read(self.answer),
            "slips": [[self.read(slip), said] for slip, said in self.slips.items()],
        }


def answer_state(answer: Answer, question: str = "") -> dict[str, object]:
    """What a page needs to ask for an answer; without a question it stands below one in print.

    Example:
        >>> state = answer_state(Number(answer=0.5))
        >>> state["view"], state["fixed"]["kind"], state["guesses"]
        ('prediction', 'number', [])
    """
    given = answer.ranking()
    ranks = Ranking(**given).page_state() if given else None
    fixed = {"ranks": ranks, "question": question, **answer.as_json()}
    return {"view": "prediction", "fixed": fixed, "guesses": [], "told": False, "covers": False}
