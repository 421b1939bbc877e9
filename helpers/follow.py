"""Answers to questions about lists that a reader has changed."""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from inspect import signature
from itertools import islice
from math import log2
from statistics import fmean

from byhand import average_precision, reciprocal_rank
from byhand.metrics.cases import Case
from byhand.words import N_
from helpers.examples import worked_example
from helpers.questions import Question, entries
from helpers.translation import LessonError, gettext as _, name

_WHY = N_("So it comes out for these lists.")
_HINT = N_("The hints were written for other lists. Work it out on this one, row by row.")
Page, Soups, Grades = Sequence[str], Collection[str], Mapping[str, int]
Fields = dict[str, object]


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
            f"The lists leave {asked!r} without an answer ({type(error).__name__}: {error}). "
            "Change them, or remove the question."
        ) from error
    entry = entries()[asked]
    texts: Fields = {"why": _(_WHY), "hint": _(_HINT)}
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


def _cutoffs(today: Page, soups: Soups) -> Fields:
    at = [reciprocal_rank(today, soups, k=k) for k in range(1, len(today) + 1)]
    return {"answer": at.count(reciprocal_rank(today, soups))}


def _lowest(today: Page, soups: Soups) -> Fields:
    order = sorted(today, key=lambda each: each in soups)
    hits = sum(each in soups for each in today)
    return {"answer": order, "start": [*today], "parts": [len(today) - hits, hits]}


def _by_index(today: Page, soups: Soups) -> Fields:
    index = next(n for n, each in enumerate(today) if each in soups)
    return {"answer": _fraction(1 / index)}


def _rank_for_mean_of_five(tonight: Mapping[str, Case]) -> Fields:
    ranks = [1 / value for case in tonight.values() if (value := reciprocal_rank(*case))]
    n_none = len(tonight) - len(ranks)
    return {"answer": _fraction((5 * len(tonight) - sum(ranks)) / n_none)}


def _with_second_item_first(tonight: Mapping[str, Case]) -> Fields:
    (first, raised, *others), good = [*tonight.values()][1]
    return {"answer": _fraction(reciprocal_rank([raised, first, *others], good))}


def _without_second(tonight: Mapping[str, Case]) -> Fields:
    values = [reciprocal_rank(*case) for case in tonight.values()]
    left = [value for n, value in enumerate(values) if value and n != 1]
    return {"answer": _fraction(fmean(left or [0]))}


def _with_another(tonight: Mapping[str, Case]) -> Fields:
    return {"answer": _fraction(fmean([*(reciprocal_rank(*case) for case in tonight.values()), 1]))}


def _of_first_and_last(searches: Mapping[str, Case]) -> Fields:
    values = [average_precision(*case) for case in searches.values()]
    return {"answer": _higher(1 - values[-1], 1 - values[0])}


def _best_exchange(today: Page, soups: Soups) -> Fields:
    ranks = [*range(1, len(today) + 1)]
    free = next(rank for rank, each in zip(ranks, today, strict=True) if each not in soups)
    last = max(rank for rank, each in zip(ranks, today, strict=True) if each in soups)
    return {"answer": [str(free), str(last)], "among": [*map(str, ranks)]}


def _by_rank_or_one(today: Page, grades: Grades) -> Fields:
    value = sum(grades.get(each, 0) / rank for rank, each in enumerate(today, start=1))
    return {"answer": _higher(value, sorted(grades.values())[-2])}


def _first_three(today: Page, grades: Grades) -> Fields:
    return {"answer": sum(grades.get(each, 0) / log2(n + 1) for n, each in enumerate(today[:3], 1))}


def _best_swap(today: Page, grades: Grades) -> Fields:
    def gained(rank: int) -> float:
        """Return the gain from swapping the items at this rank and the next."""
        upper, lower = (grades.get(each, 0) for each in islice(today, rank - 1, rank + 1))
        return (lower - upper) * (1 / log2(rank + 1) - 1 / log2(rank + 2))

    ranks = {"a": 1, "b": 2, "c": len(today) - 3}
    return {"answer": max(ranks, key=lambda letter: gained(ranks[letter]))}


def _as_they_stand(today: Page, grades: Grades) -> Fields:
    soups = [each for each in today if each in grades]
    return {"answer": soups, "start": soups[::-1]}


# question -> function of lists, by variable name, that returns fields of its entry
RULES: dict[str, Callable[..., Fields]] = {
    "01-top-guess": lambda today, soups: {"answer": sum(each in soups for each in today)},
    "01-cutoff-guess": _cutoffs,
    "01-a": _lowest,
    "01-b": _by_index,
    "02-rank-guess": _rank_for_mean_of_five,
    "02-score-guess": _with_second_item_first,
    "02-a-guess": _without_second,
    "02-a": _with_another,
    "03-a-guess": lambda today, soups: {"answer": _fraction(average_precision(today, soups))},
    "03-b-guess": lambda today, short, soups: {
        "answer": _higher(average_precision(today, soups), average_precision(short, soups))
    },
    "03-repair-guess": _of_first_and_last,
    "03-c": _best_exchange,
    "04-rank-guess": _by_rank_or_one,
    "04-dcg-guess": _first_three,
    "04-swap-guess": _best_swap,
    "04-from-guess": lambda today, grades: {
        "answer": _fraction(reciprocal_rank(today, {each for each in grades if grades[each] >= 2}))
    },
    "04-c": _as_they_stand,
}
