"""Conventions in words: whose they are, and what they say of the measures in use."""

import numpy as np

from byhand.errors import both
from byhand.metrics.conventions import CHOICES, FLOAT32
from byhand.metrics.names import measure_named, measures_named
from byhand.report.steps.results import Results


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
    said = []
    for name, choice in CHOICES.items():
        if choice.of_low_grades and lowest is None:
            continue
        concerned = [
            str(measure)
            for measure, kind in measures.items()
            if name in kind.conventions or not choice.concerns
        ]
        choices: dict[str, list[str]] = {}
        for measure in concerned:
            choices.setdefault(results.chosen(measure).as_dict()[name], []).append(measure)
        said += [
            f"for {both(which)} " * (len(choices) > 1) + choice.clause(option, lowest)
            for option, which in choices.items()
        ]
    return "; ".join(said)


def relevant_text(relevant_from: float | None) -> str:
    """Which grades are relevant.

    Example:
        >>> relevant_text(None), relevant_text(4)
        ('a grade above 0', 'a grade of 4 or more')
    """
    return "a grade above 0" if relevant_from is None else f"a grade of {relevant_from:g} or more"
