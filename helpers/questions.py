"""Kinds of questions: an answer in, right or a hint out.

What they are made of stands in `answers.toml`, which says what each field is.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Real
from pathlib import Path

from byhand.widgets.numerals import number_in

# None in place of right or wrong: it is no answer of the kind that was asked for
Judged = tuple[bool | None, str]


@dataclass(frozen=True, kw_only=True)
class Number:
    """A question whose answer is a number; three right decimals are enough."""

    answer: Real
    hint: str
    second_hint: str = ""
    why: str = ""
    slips: Mapping[Real, str] = field(default_factory=dict)
    within: float = 0.0006
    begins: str = "answer = None"

    def judge(self, given: object) -> Judged:
        """Whether the given answer is right, and what to say of it."""
        number = number_in(given) if isinstance(given, str) else given
        if not isinstance(number, Real) or isinstance(number, bool):
            return None, _NOT_A_NUMBER[isinstance(given, tuple)]
        if _close(number, self.answer, within=self.within):
            return True, f"{_written(self.answer)}. {self.why}".strip()
        slip = next((said for slip, said in self.slips.items() if _close(number, slip)), "")
        if _close(number, self.answer, within=0.006) and not slip:
            return None, "Close. Write three decimals, or the fraction itself, such as 1/3."
        return False, slip or self.hint


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A question with a few answers to choose from, by letter."""

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
    """A question with many right answers, such as an order of items, and a function to judge."""

    judge: Callable[[object], Judged]
    second_hint: str
    begins: str


Question = Number | Choice | Task
_NOT_A_NUMBER = {
    False: "That is not a number. Write one, such as 0.25 or 1/4.",
    True: "Python writes decimals with a point: 0.5, not 0,5.",
}


def _close(given: Real, exact: Real, *, within: float = 0.0006) -> bool:
    return abs(float(given) - float(exact)) < within


def _written(number: Real) -> str:
    if isinstance(number, Fraction):
        return f"{number} = {float(number):.4f}"
    return f"{float(number):.4f}".rstrip("0").rstrip(".")


# What no table of answers can decide ------------------------------------------------------------


def _wrong_items(order: object, items: Sequence[str]) -> str:
    """What to say to an answer that is not an order of these items; nothing if it is one."""
    if isinstance(order, list | tuple) and sorted(map(str, order)) == sorted(items):
        return ""
    return (
        f"Write a list with each of these {len(items)} items once, in an order of yours: {items}."
    )


def _initials(order: object) -> object:
    """The first letters of the items of an order; what is no list stays as it is."""
    return [str(item)[:1] for item in order] if isinstance(order, list | tuple) else order


def _is_ap(function: object) -> Judged:
    if not callable(function):
        return None, "Pass the function itself: check('03-b', my_ap)."
    for ranks, n_relevant, expected in (([2, 3, 6], 5, 1 / 3), ([1, 4, 5], 3, 7 / 10), ([], 2, 0)):
        call = f"my_ap({ranks}, {n_relevant})"
        try:
            found = function(ranks, n_relevant)
        except Exception as error:  # whatever the reader's own function does
            return False, f"{call} ends in {type(error).__name__}: {error}."
        if found is None:
            return None, f"No answer yet: {call} returns None. Let it return a number."
        if isinstance(found, bool) or not isinstance(found, Real):
            return False, f"{call} returns {found!r}. It should return a number."
        if not abs(found - expected) <= 1e-9:
            slip = next(
                (said for wrong, said in _SLIPS_OF_AP.items() if abs(found - wrong) < 1e-9), ""
            )
            return False, (
                f"{call} is {float(found):.6g}, expected {expected:.6g}. "
                f"{slip or 'The i-th hit, at rank r, adds i / r. Divide by n_relevant, unrounded.'}"
            )
    return True, "it agrees on today's tomato soup, on scenario A, and on a list without hits."


_SLIPS_OF_AP = {  # of today's tomato soup
    5 / 9: "You divide by the hits found. Who is missing?",
    1 / 5: "You count one hit at each rank. Count the hits so far.",
    5 / 3: "That is the sum. Divide it by n_relevant.",
}


_JUDGES = {
    "a function of AP": _is_ap,
}


def _question(entry: dict) -> Question:
    """A question as its entry in the file has it."""
    if "judge" in entry:
        return Task(**entry | {"judge": _JUDGES[entry["judge"]]})
    if "comments" in entry:
        return Choice(**entry)
    slips = {Fraction(wrong): said for wrong, said in entry.get("slips", {}).items()}
    answer = entry["answer"]
    return Number(
        **entry
        | {"answer": Fraction(answer) if isinstance(answer, str) else answer, "slips": slips}
    )


_FILE = Path(__file__).with_name("answers.toml")
ANSWERS = {
    name: _question(entry)
    for name, entry in tomllib.loads(_FILE.read_text(encoding="utf-8")).items()
}
