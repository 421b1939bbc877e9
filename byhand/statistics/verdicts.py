"""Verdicts on a difference: which system is better, and whether the difference matters."""

from enum import StrEnum

import numpy as np

from byhand.metrics.evaluate import MISSING_LIMIT
from byhand.words import filled, gettext as _


class Verdict(StrEnum):
    """The verdict on which system is better; its value is the text to show."""

    A_HIGHER = "a is higher"
    B_HIGHER = "b is higher"
    INCONCLUSIVE = "inconclusive"
    TOO_FEW = "too few to tell"
    WITHHELD = "withheld: not answered"


class Size(StrEnum):
    """The size of a difference relative to one that matters; each begins its own text."""

    OVER = "more than"
    WITHIN = "equivalent within"
    OPEN = "inconclusive"


def size_of(at_least: float, at_most: float, matters: float) -> Size:
    """Classify a difference by its bounds and the smallest difference that matters.

    Args:
        at_least, at_most: the bounds, as in `compare_values`; NaN if unknown.
        matters: the smallest difference that matters, above 0.

    Example:
        >>> size_of(-0.01, 0.015, 0.02)
        <Size.WITHIN: 'equivalent within'>
    """
    if at_least > matters or at_most < -matters:
        return Size.OVER
    if -matters < at_least and at_most < matters:
        return Size.WITHIN
    return Size.OPEN


def verdict(
    p: float, low: float, high: float, *, differ: int, missing: float = 0, alpha: float = 0.05
) -> Verdict:
    """Return the verdict on a mean difference a - b, by the rule in `verdict_rule`.

    Args:
        p: p of the permutation test, corrected if there are several comparisons.
        low, high: the ends of the interval of the difference, with a confidence of 1 - alpha.
        differ: the number of queries, or clusters, in which the two systems differ.
        missing: the share of the judged queries that the less complete run lacks; 0 by default.
        alpha: the significance level, between 0 and 1; 0.05 by default.

    Example:
        >>> verdict(0.125, 0.02, 0.10, differ=4)  # ++++ and ----, of 16
        <Verdict.TOO_FEW: 'too few to tell'>
    """
    if missing > MISSING_LIMIT:
        return Verdict.WITHHELD
    if differ < _fewest_queries(alpha):
        return Verdict.TOO_FEW
    if p <= alpha and low > 0:
        return Verdict.A_HIGHER
    if p <= alpha and high < 0:
        return Verdict.B_HIGHER
    return Verdict.INCONCLUSIVE


def _fewest_queries(alpha: float) -> int:
    """Return how many queries must differ for p to reach alpha: for 6, p can be 2 / 2^6 = 0.031."""
    return int(np.ceil(1 - np.log2(alpha) - 1e-12))


def verdict_rule(*, alpha: float = 0.05) -> str:
    """Return the rule of `verdict` in words, for a description of the methods.

    Args:
        alpha: the significance level, between 0 and 1; 0.05 by default.

    Example:
        >>> verdict_rule().partition(". ")[0][-60:]
        ' 0.05 and the 95% interval of the mean difference excludes 0'
    """
    rule = _(
        "One system is called higher if p (corrected if several are compared) is at most "
        "{alpha:g} and the {level:.0%} interval of the mean difference excludes 0."
    )
    more = _(
        "With fewer than {fewest} queries that differ no p can be so small, and nothing is "
        "concluded. If a run lacks more than {limit:.0%} of the judged queries, the verdict is "
        "withheld."
    )
    values = {"alpha": alpha, "level": 1 - alpha, "limit": MISSING_LIMIT}
    return filled(f"{rule} {more}", fewest=_fewest_queries(alpha), **values)
