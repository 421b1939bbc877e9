"""What may be said of two systems: one rule, from which every word of a report comes."""

from enum import StrEnum

import numpy as np

MISSING_LIMIT = 0.05


class MissingQueriesWarning(UserWarning):
    """A run lacks so many judged queries that a comparison says little about the systems."""


class Verdict(StrEnum):
    """Which system is higher, if the data say so; each is its own text.

    Example:
        >>> print(Verdict.A_HIGHER)
        a is higher
    """

    A_HIGHER = "a is higher"
    B_HIGHER = "b is higher"
    CANNOT_TELL = "cannot tell"
    TOO_FEW = "too few to tell"
    WITHHELD = "withheld: not answered"


def verdict(
    p: float, low: float, high: float, *, differ: int, missing: float = 0, alpha: float = 0.05
) -> Verdict:
    """The verdict on a mean difference a - b.

    A system is higher if both p and the interval say so: p is at most alpha, and the interval of
    the difference lies on its side of 0. Too few queries differ if no assignment of their signs
    could bring p down to alpha: with 4, it is 0.125 at best. The verdict is withheld if a run
    lacks more than 5% of the queries: zeros for what a system did not answer say nothing of how
    well it ranks. "Cannot tell" does not say that the systems are equal.

    Args:
        p: of the randomisation test, corrected if there are several comparisons.
        low, high: the ends of the interval of the difference, with a confidence of 1 - alpha.
        differ: in how many queries the two systems differ.
        missing: the share of the judged queries that the run with fewer of them lacks.
        alpha: at or below which p counts.

    Example:
        >>> verdict(0.01, 0.02, 0.10, differ=50)
        <Verdict.A_HIGHER: 'a is higher'>
        >>> verdict(0.125, 0.02, 0.10, differ=4)  # ++++ and ----, of 16
        <Verdict.TOO_FEW: 'too few to tell'>
    """
    if missing > MISSING_LIMIT:
        return Verdict.WITHHELD
    if differ < fewest_queries(alpha):
        return Verdict.TOO_FEW
    if p <= alpha and low > 0:
        return Verdict.A_HIGHER
    if p <= alpha and high < 0:
        return Verdict.B_HIGHER
    return Verdict.CANNOT_TELL


def fewest_queries(alpha: float = 0.05) -> int:
    """How many queries must differ before the exact two-sided p can be alpha or less.

    Example:
        >>> fewest_queries()  # 2 of 2^6 assignments of signs is 0.031, 2 of 2^5 is 0.063
        6
    """
    return int(np.ceil(1 - np.log2(alpha) - 1e-12))


def verdict_rule(*, alpha: float = 0.05) -> str:
    """The rule in words, for the paragraph on the methods.

    Example:
        >>> print(verdict_rule())
        One system is called higher if p (corrected, where several are compared) is at most 0.05 \
and the 95% interval of the mean difference excludes 0. With fewer than 6 queries that differ no \
p can be so small, and nothing is concluded. If a run lacks more than 5% of the judged queries, \
the verdict is withheld.
    """
    return (
        f"One system is called higher if p (corrected, where several are compared) is at most "
        f"{alpha:g} and the {1 - alpha:.0%} interval of the mean difference excludes 0. With fewer "
        f"than {fewest_queries(alpha)} queries that differ no p can be so small, and nothing is "
        f"concluded. If a run lacks more than {MISSING_LIMIT:.0%} of the judged queries, the "
        "verdict is withheld."
    )
