"""Answers to questions about lists that a reader has changed, by the formulas of `follow.csv`."""

import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from inspect import signature
from math import log2
from pathlib import Path
from statistics import fmean

from byhand import average_precision, reciprocal_rank
from byhand.words import N_
from helpers.examples import worked_example
from helpers.questions import Question, entries
from helpers.translation import LessonError, gettext as _, name

_WHY = N_("So it comes out for these lists.")
_HINT = N_("The hints were written for other lists. Work it out on this one, row by row.")


def followed(asked: str) -> Question | None:
    """Return a question for the notebook's changed lists; None if the lists are ours.

    Generic sentences replace those about our lists.
    """
    rule = RULES.get(asked)
    if not rule:
        return None
    wanted, ours = signature(rule).parameters, _our_lists()
    given = vars(sys.modules["__main__"])  # namespace of a notebook's cells
    lists = {each: given[each] for each in wanted if each in given}
    if len(lists) < len(wanted) or all(lists[each] == ours[each] for each in wanted):
        return None
    try:
        made = rule(**lists)
    except Exception as error:  # lists of any unexpected form
        raise LessonError(
            f"The changed lists have no answer to {asked!r} ({type(error).__name__}: {error}). "
            "Change them, or remove the question."
        ) from error
    entry = entries()[asked]
    texts: dict[str, object] = {"why": _(_WHY), "hint": _(_HINT)}
    if "comments" in entry:
        hints = dict.fromkeys(entry["comments"], _(_HINT))
        texts = {"comments": hints | {made["answer"]: _(_WHY)}}
    return Question(asked, within=entry.get("within"), **made, **texts)


def _our_lists() -> dict[str, object]:
    """Return the lists of lessons 1 to 5 by variable name."""
    pages, searches = (worked_example("cooking", each) for each in ("tomato soup", "searches"))
    grades = pages[name("today")].relevant
    cases = {query: (ranked, {*good}) for query, (ranked, good) in searches.items()}
    tonight = {query: cases[query] for query in cases if query != name("cold lunch")}
    return {
        **{each: pages[name(each)].ranked for each in ("today", "short")},
        **{"grades": grades, "soups": {*grades}, "searches": cases, "tonight": tonight},
    }


def _fraction(value: float) -> str | float:
    """Return a simple fraction as text, or the value."""
    fraction = Fraction(value).limit_denominator(1000)
    return str(fraction) if abs(fraction - value) < 1e-9 else value


def _higher(a: float, b: float) -> str:
    """Return "a" or "b" for the higher value, "c" if they are equal."""
    return "c" if abs(a - b) < 1e-9 else "ab"[a < b]


def _gained(rank: int, today: Sequence[str], grades: Mapping[str, int]) -> float:
    """Return the gain in DCG from swapping the items at this rank and the next."""
    upper, lower = (grades.get(each, 0) for each in today[rank - 1 : rank + 1])
    return (lower - upper) * (1 / log2(rank + 1) - 1 / log2(rank + 2))


_KNOWN = {"rr": reciprocal_rank, "ap": average_precision, "fmean": fmean, "log2": log2}
_KNOWN |= {"fraction": _fraction, "higher": _higher, "gained": _gained}


def _rules() -> dict[str, Callable[..., dict[str, object]]]:
    """Return, by question, a function of lists that returns the fields of the entry."""
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file, delimiter=";")]
    made = {}
    for row in rows:
        asked, lists = row.pop("question"), row.pop("lists")
        fields = ", ".join(f"{field}={formula}" for field, formula in row.items() if formula)
        made[asked] = eval(f"lambda {lists}: dict({fields})", _KNOWN)
    return made


RULES = _rules()
