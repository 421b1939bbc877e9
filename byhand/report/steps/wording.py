"""Conventions in words: whose they are, and what they say of the measures in use."""

import numpy as np

from byhand.errors import both
from byhand.metrics.conventions import FLOAT32
from byhand.metrics.measures import MEASURES
from byhand.metrics.names import measure_named, measures_named
from byhand.report.steps.results import Results

CHOICES = {
    "ties": {
        "doc_id": "items with equal scores are ordered by their identifier, descending by code "
        "point",
        "doc_id_ascending": "items with equal scores are ordered by their identifier, ascending by "
        "code point",
        "input": "items with equal scores keep the order of the file",
        "best": "among items with equal scores the relevant ones come first (best case)",
        "worst": "among items with equal scores the relevant ones come last (worst case)",
        "expected": "over items with equal scores each value is the exact mean of all orders",
    },
    "denominator": {
        "relevant": "AP divides by all relevant items of the query, retrieved or not",
        "capped": "AP@k divides by the smaller of k and the number of relevant items",
        "retrieved": "AP divides by the number of relevant items retrieved",
    },
    "ideal": {
        "judged": "the ideal order of nDCG holds all judged items",
        "retrieved": "the ideal order of nDCG holds the retrieved items only",
    },
    "gain": {
        "linear": "the gain of an item is its grade, discounted by log2(rank + 1)",
        "exponential": "the gain of an item is 2^grade - 1, discounted by log2(rank + 1)",
        "binary": "the gain of a relevant item is 1, discounted by log2(rank + 1)",
    },
    "low_grades": {
        "nothing": "a grade below {relevant_from:g} gains nothing",
        "gain": "a grade below {relevant_from:g} keeps its gain, as with trec_eval's option -l",
    },
    "no_relevant": {
        "zero": "a query without a relevant item counts 0",
        "skip": "a query without a relevant item is left out of the mean",
        "error": "every query has a relevant item",
    },
    "missing": {
        "zero": "a judged query that the run lacks counts 0",
        "skip": "a judged query that the run lacks is left out of the mean",
        "error": "the run has every judged query",
    },
    "unjudged": {
        "not_relevant": "an item that nobody judged counts as not relevant",
        "removed": "an item that nobody judged is taken out of its list, and those below move up",
    },
}


def computed_as(results: Results) -> str:
    """Whose numbers they are: exactly those of a tool, or approximately and except for what."""
    if not isinstance(results.conventions, str):
        return "with our own conventions"
    them = "them" if len(results.measures) > 1 else "it"
    as_tool = f"as {results.conventions} computes {them}"
    others = [results.preset.except_that]
    if others == [FLOAT32] and not _float32_ties(results):
        others = []  # no two scores that differ become one when they are rounded
    if _low_grades_lost(results):
        others.append(f"a grade below {results.data.relevant_from:g} gains nothing")
    other = ", and ".join(filter(None, others))
    return f"approximately {as_tool}, except that {other}" if other else as_tool


def _low_grades_lost(results: Results) -> bool:
    """Whether a measure would gain from grades that are not relevant here, as tools let it."""
    lowest = results.data.relevant_from
    used = np.concatenate([each.counts.grades for each in results.data.checked.values()])
    return (
        lowest is not None
        and bool(((used > 0) & (used < lowest)).any())
        and any(
            "low_grades" in measure_named(name).conventions
            and results.chosen(name).low_grades == "nothing"
            and results.chosen(name).gain != "binary"
            for name in results.measures
        )
    )


def _float32_ties(results: Results) -> bool:
    counts = (checked.counts for checked in results.data.checked.values())
    return any(count.tied_as_float32 > count.tied for count in counts)


def conventions_text(results: Results) -> str:
    """Every choice that concerns the measures in use, and for which of them where they differ."""
    measures = measures_named(results.measures)
    lowest = results.data.relevant_from
    of_some = {name for kind in MEASURES.values() for name in kind.conventions}
    said = []
    for name, words in CHOICES.items():
        if name == "low_grades" and lowest is None:
            continue
        concerned = [
            str(measure)
            for measure, kind in measures.items()
            if name in kind.conventions or name not in of_some
        ]
        choices: dict[str, list[str]] = {}
        for measure in concerned:
            choices.setdefault(results.chosen(measure).as_dict()[name], []).append(measure)
        said += [
            f"for {both(which)} " * (len(choices) > 1) + words[choice].format(relevant_from=lowest)
            for choice, which in choices.items()
        ]
    return "; ".join(said)


def relevant_text(relevant_from: float | None) -> str:
    """Which grades are relevant.

    Example:
        >>> relevant_text(None), relevant_text(4)
        ('a grade above 0', 'a grade of 4 or more')
    """
    return "a grade above 0" if relevant_from is None else f"a grade of {relevant_from:g} or more"
