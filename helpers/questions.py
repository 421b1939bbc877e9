"""The lessons' questions, from `answers.toml`, which says what each field is."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from numbers import Real
from pathlib import Path

import byhand
import helpers
from byhand.widgets.list.goals import Goal
from byhand.widgets.prediction.answers import Answer, Built, Choice, Number, Order, Several
from byhand.words import N_, filled, language, speaking
from helpers.words import gettext as _, name

RIGHT = N_("Right: {said}")
# None in place of right or wrong: it is no answer of the kind that was asked for
Judged = tuple[bool | None, str]


@dataclass(frozen=True)
class Question:
    """An answer, or a function that judges what was written, and the cell before it is answered."""

    answer: Answer | Callable[[object], Judged]
    hints: tuple[str, ...]
    begins: str


def _is_ap(function: object) -> Judged:
    if not callable(function):
        return None, _("Pass the function itself: check('03-b', my_ap).")
    for ranks, n_relevant, expected in (([2, 3, 6], 5, 1 / 3), ([1, 4, 5], 3, 7 / 10), ([], 2, 0)):
        call = f"my_ap({ranks}, {n_relevant})"
        try:
            found = function(ranks, n_relevant)
        except Exception as error:  # whatever the reader's own function does
            said = _("{call} ends in {error}.")
            return False, said.format(call=call, error=f"{type(error).__name__}: {error}")
        if found is None:
            said = _("No answer yet: {call} returns None. Let it return a number.")
            return None, said.format(call=call)
        if isinstance(found, bool) or not isinstance(found, Real):
            said = _("{call} returns {found}. It should return a number.")
            return False, said.format(call=call, found=repr(found))
        if not abs(found - expected) <= 1e-9:
            slips = (said for wrong, said in _SLIPS_OF_AP.items() if abs(found - wrong) < 1e-9)
            wanted = _("{call} is {found}, expected {expected}.").format(
                call=call, found=f"{float(found):.6g}", expected=f"{expected:.6g}"
            )
            return False, f"{wanted} {_(next(slips, _RULE_OF_AP))}"
    return True, _(AGREES)


AGREES = N_("it agrees on today's tomato soup, on scenario A, and on a list without hits.")
_RULE_OF_AP = N_("The i-th hit, at rank r, adds i / r. Divide by n_relevant, unrounded.")


_SLIPS_OF_AP = {  # of today's tomato soup
    5 / 9: N_("You divide by the hits found. Who is missing?"),
    1 / 5: N_("You count one hit at each rank. Count the hits so far."),
    5 / 3: N_("That is the sum. Divide it by n_relevant."),
}


_JUDGES = {"a function of AP": _is_ap}


def _open(entry: dict) -> Callable[[object], Judged]:
    """Judges what has many right answers by what they have to satisfy, in Python."""

    def judged(given: object) -> Judged:
        import numpy as np  # not before an open exercise is answered
        import pandas as pd

        known = {"answer": given, "byhand": byhand, "helpers": helpers, "np": np, "pd": pd}
        try:
            for name, formula in entry.get("let", {}).items():
                known[name] = eval(formula, known)
            unmet = [hint for each, hint in entry["must"].items() if not eval(each, known)]
        except Exception as error:  # whatever was given in place of an answer
            found = f"{type(error).__name__}: {error}"
            said = _("The answer should be {form}. Reading yours ended in {error}")
            return None, said.format(form=entry["form"], error=found)
        return not unmet, " ".join(filled(each, **known) for each in unmet or [entry["why"]])

    return judged


_BEGINS = {
    Number: "answer = None",
    Choice: "answer = None  # a letter, in quotes",
    Several: 'answer = None  # all that apply, in quotes, such as "ab"',
    Order: "order = None  # a list",
    Built: "order = None  # a list, best first",
}


def question_of(entry: dict) -> Question:
    """A question as its entry in the file has it."""
    hints = tuple(entry[each] for each in ("hint", "second_hint") if each in entry)
    if "must" in entry or "judge" in entry:
        judge = _open(entry) if "must" in entry else _JUDGES[entry["judge"]]
        return Question(judge, hints, entry["begins"])
    answer = _answer(entry, why=entry.get("why", ""), hints=hints, slips=entry.get("slips", {}))
    return Question(answer, hints, entry.get("begins", _BEGINS[type(answer)]))


def _answer(entry: dict, *, slips: dict[str, str], **said: object) -> Answer:
    if goal := entry.get("goal"):
        ((aim, measure),) = ((each, on) for each, on in goal.items() if each != "given")
        wanted = getattr(Goal, aim)(measure, given=goal.get("given"))
        start, relevant = entry["items"], entry["relevant"]
        return Built(start=start, relevant=relevant, goal=wanted, slips=slips, **said)
    answer = entry["answer"]
    if comments := entry.get("comments"):
        letters = {each: each for each in comments}
        slips = {each: text for each, text in comments.items() if each != answer}
        return Choice(
            answer=answer, options=letters, slips=slips, **said | {"why": comments[answer]}
        )
    if among := entry.get("among"):
        letters = {each: each for each in among}
        return Several(answer=answer, options=letters, slips=slips, **said)
    if isinstance(answer, list):
        return Order(answer=answer, start=entry.get("start"), slips=slips, **said)
    number = Fraction(answer) if isinstance(answer, str) else answer
    return Number(answer=number, tolerance=entry.get("within", 0.0006), slips=slips, **said)


def questions() -> dict[str, Question]:
    """Every question, in the language that is spoken."""
    return _in(language())


@cache
def entries() -> dict[str, dict]:
    """What the file has, in English."""
    return tomllib.loads(Path(__file__).with_name("answers.toml").read_text(encoding="utf-8"))


@cache
def _in(language: str) -> dict[str, Question]:
    with speaking(language):
        return {name: question_of(spoken(entry)) for name, entry in entries().items()}


SAID = ("why", "hint", "second_hint", "form")  # fields that are sentences
SAID_OF_EACH = ("slips", "comments", "must")  # … and tables of them
_NAMED = ("answer", "items", "start", "relevant")  # … and those that name what is on a list


def spoken(entry: dict) -> dict:
    """An entry with its sentences and names in the language that is spoken."""
    made = {key: _(text) if key in SAID else text for key, text in entry.items()}
    for key in SAID_OF_EACH:
        if table := entry.get(key):
            made[key] = {_named(each): _(said) for each, said in table.items()}
    for key in _NAMED:
        if isinstance(held := entry.get(key), list):
            made[key] = [*map(name, held)]
        elif isinstance(held, dict):
            made[key] = {name(each): grade for each, grade in held.items()}
    return made


def _named(slip: str) -> str:
    """A slip of an order has names in it."""
    return " > ".join(map(name, slip.split(" > ")))
