"""Kinds of questions: a reader's answer in, right or a hint out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Real

from byhand.widgets.scores import number_in

# None in place of right or wrong: it is no answer of the kind that was asked for
Judged = tuple[bool | None, str]


@dataclass(frozen=True, kw_only=True)
class Number:
    """A question whose answer is a number; three right decimals are enough.

    Attributes:
        answer: the exact value.
        hint: said to any wrong answer that is not among the slips.
        second_hint: said to a second wrong answer.
        why: said to a right answer.
        slips: wrong answers that people give, each with what went wrong.
        within: how far an answer may be from the exact value.
        begins: the code of its cell before anybody has answered it, up to the check.

    Example:
        >>> Number(answer=Fraction(1, 3), hint="1 / rank", slips={3: "That is the rank."}).judge(3)
        (False, 'That is the rank.')
    """

    answer: Fraction | float | int
    hint: str
    second_hint: str = ""
    why: str = ""
    slips: Mapping[Real, str] = field(default_factory=dict)
    within: float = 0.0006
    begins: str = "answer = None"

    def judge(self, given: object) -> Judged:
        """Whether the given answer is right, and what to say of it."""
        number = _number(given)
        if number is None:
            return None, _NOT_A_NUMBER[isinstance(given, tuple)]
        if _close(number, self.answer, within=self.within):
            return True, f"{_written(self.answer)}. {self.why}".strip()
        if _close(number, self.answer, within=0.006) and not self._slip(number):
            return None, "Close. Write three decimals, or the fraction itself, such as 1/3."
        return False, self._slip(number) or self.hint

    def _slip(self, number: Real) -> str:
        return next((said for slip, said in self.slips.items() if _close(number, slip)), "")


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A question with a few answers to choose from, by letter.

    Attributes:
        answer: the right letter.
        comments: what to say to each letter.
        second_hint: said besides to a second wrong answer.
        begins: as in `Number`.

    Example:
        >>> Choice(answer="b", comments={"a": "Look again.", "b": "It is."}).judge("A")
        (False, 'Look again.')
    """

    answer: str
    comments: Mapping[str, str]
    second_hint: str = ""
    begins: str = "answer = None  # a letter, in quotes"

    def judge(self, given: object) -> Judged:
        """Whether the given answer is right, and what to say of it."""
        letter = str(given).strip().lower()
        if letter not in self.comments:
            return None, f"Choose one of {', '.join(map(repr, self.comments))}."
        return letter == self.answer, self.comments[letter]


@dataclass(frozen=True, kw_only=True)
class Task:
    """A question with many right answers, such as an order of items.

    Attributes:
        judge: a function of the given answer: whether it is right, and what to say of it.
        second_hint: said besides to a second wrong answer.
        begins: as in `Number`.
    """

    judge: Callable[[object], Judged]
    second_hint: str
    begins: str


Exercise = Number | Choice | Task
_NOT_A_NUMBER = {
    False: "That is not a number. Write one, such as 0.25 or 1/4.",
    True: "Python writes decimals with a point: 0.5, not 0,5.",
}


def wrong_items(order: object, items: Sequence[str]) -> str:
    """What to say to an answer that is not an order of these items; nothing if it is one.

    Example:
        >>> wrong_items(["b", "a"], ["a", "b"])
        ''
    """
    if isinstance(order, list | tuple) and sorted(map(str, order)) == sorted(items):
        return ""
    return (
        f"Write a list with each of these {len(items)} items once, in an order of yours: {items}."
    )


def initials(order: object) -> object:
    """The first letters of the items of an order; what is no list stays as it is.

    Example:
        >>> initials(["Attic", "B"])
        ['A', 'B']
    """
    return [str(item)[:1] for item in order] if isinstance(order, list | tuple) else order


def _number(given: object) -> Real | None:
    """The number that was given, also as text ("1/4"); None if it is none."""
    if isinstance(given, str):
        return number_in(given)
    return given if isinstance(given, Real) and not isinstance(given, bool) else None


def _close(given: Real, exact: Real, *, within: float = 0.0006) -> bool:
    return abs(float(given) - float(exact)) < within


def _written(number: Fraction | float) -> str:
    if isinstance(number, Fraction) and number.denominator > 1:
        return f"{number} = {float(number):.4f}"
    return f"{float(number):.4f}".rstrip("0").rstrip(".")
