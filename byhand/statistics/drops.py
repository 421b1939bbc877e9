"""The gate: a test of whether a mean dropped by more than a margin.

A t interval assumes that the sample shows how much queries can vary. However, 61 of 100 samples
of 50 queries lack the one query in a hundred that a change ruins: see tools/simulations.py.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from numbers import Real

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.statistics.bounds import mean_bounds
from byhand.statistics.clusters import Clusters, drawn_units, numbered_pairs
from byhand.statistics.per_query import aligned, differences, expect
from byhand.statistics.power import WHOLE_SCALE, queries_to_tell

_ROUNDING = 1e-9


class Outcome(StrEnum):
    """The outcome of the test of a drop; its value is the text to show."""

    HELD = "did not drop"
    DROPPED = "dropped"
    LOWER = "lower"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The decision on whether a mean dropped by more than the margin; true only for `HELD`.

    Attributes:
        outcome: `HELD`: by no more than the margin; `DROPPED`: by more; `LOWER`: it is worse, by an
            unknown amount; `INCONCLUSIVE`: none of these is shown.
        needed: if inconclusive, the approximate number of queries for a power of 80%, if the true
            change is 0 and differences vary as in the sample; None if even a million is too few.
    """

    outcome: Outcome
    mean_new: float
    mean_old: float
    difference: float
    low: float  # lower bound of the mean difference, with error rate alpha
    high: float  # upper bound, with error rate alpha
    max_drop: float  # non-inferiority margin, in units of the measure
    max_drop_share: float | None  # margin as a share of the old mean, if it is relative
    alpha: float
    queries: int  # number of queries with a value in both
    clusters: int | None  # number of clusters, if clusters were passed
    differ: int  # number of queries whose two values differ
    same_rankings: bool  # True if no ranking differs, so that no test was needed
    needed: int | None

    def __bool__(self) -> bool:
        return self.outcome is Outcome.HELD


def non_inferiority(
    new: pd.Series,
    old: pd.Series,
    *,
    max_drop: float = 0.01,
    relative: bool = False,
    alpha: float = 0.05,
    same_rankings: bool = False,
    clusters: object = None,
) -> Decision:
    """Test whether the mean of a measure dropped by more than a margin (non-inferiority).

    The outcome is `HELD` if the lower one of `mean_bounds` is above -max_drop, `DROPPED` if the
    upper one is below -max_drop, and `LOWER` if it is below 0 but not below -max_drop. Simulated
    with 25 to 500 queries and a true drop of exactly max_drop, each verdict was wrong in at most
    4.2% of samples; verdicts by a t interval were wrong in up to 77%. Without a true change, at
    most 3.8% of samples were `LOWER`. There is no proof for all populations.

    Args:
        new, old: (Q,) one value per query, from 0 to 1, with the query as index; NaN if none.
        max_drop: the non-inferiority margin, 0 or above, in units of the measure; 0.01 by default.
        relative: If True, max_drop is a share of the old mean, from 0 to below 1, such as 0.05.
            Because that mean is an estimate, the bounds of new - (1 - max_drop) * old must also be
            above 0 for `HELD`, or below 0 for `DROPPED`. False by default.
        alpha: the error rate of each verdict, between 0 and 0.5; 0.05 by default.
        same_rankings: If True, both ranked the same items in the same order, which needs no test.
            False by default.
        clusters: the clusters of dependent queries, as in `compare_values`. The bounds then treat
            clusters as units, and allow for one more of the largest size. None by default.

    Raises:
        DataError: If the values are of different queries, not numbers, or not from 0 to 1, or
            a query has no cluster.
        ValueError: If an option is out of range.

    References:
        Walker and Nowacki 2011, "Understanding equivalence and noninferiority testing".

    Example:
        >>> values = pd.Series([0.2, 0.8] * 250)
        >>> unsure = non_inferiority(values + [0.2, -0.2] * 250, values)
        >>> print(unsure.outcome, unsure.needed)
        inconclusive 2686
        >>> assert not unsure
    """
    fine = isinstance(max_drop, Real) and 0 <= max_drop < math.inf
    expect(fine, "a number, 0 or above, such as 0.01", max_drop=max_drop)
    expect(not relative or max_drop < 1, "a share below 1, such as 0.05", max_drop=max_drop)
    expect(0 < alpha < 0.5, "a number between 0 and 0.5, such as 0.05", alpha=alpha)
    x, y = aligned(new, old, ("new", "old"))
    _refuse_beyond_scale(x, "new")
    _refuse_beyond_scale(y, "old")
    difference = differences(x, y)
    differ = int(np.count_nonzero(difference))
    how = {"max_drop": max_drop, "relative": relative, "alpha": alpha}
    number = numbered_pairs(Clusters.read(clusters), new, old)
    low, high, limit, inside, beyond = map(np.ndarray.item, sides(x, y, **how, number=number))
    same_rankings = same_rankings and not differ
    outcome, needed = Outcome.INCONCLUSIVE, None
    if inside or same_rankings:
        outcome = Outcome.HELD
    elif beyond:
        outcome = Outcome.DROPPED
    elif high < 0:
        outcome = Outcome.LOWER
    else:
        # assume no true change: the observed difference is mostly chance in a small sample
        drawn, most = drawn_units(difference, number)
        needed = queries_to_tell(float(drawn.std()), limit, most=most, alpha=alpha)
        needed = needed and math.ceil(needed * len(x) / len(drawn))
    return Decision(
        outcome=outcome,
        mean_new=float(x.mean()),
        mean_old=float(y.mean()),
        difference=float(difference.mean()),
        low=low,
        high=high,
        max_drop=limit,
        max_drop_share=max_drop if relative else None,
        alpha=alpha,
        queries=len(x),
        clusters=None if number is None else int(number.max()) + 1,
        differ=differ,
        same_rankings=same_rankings,
        needed=needed,
    )


def _refuse_beyond_scale(values: np.ndarray, name: str) -> None:
    if values.min() < -_ROUNDING or values.max() > WHOLE_SCALE + _ROUNDING:
        odd = values[np.argmax(np.abs(values - WHOLE_SCALE / 2))]
        raise DataError(
            f"{name} contains {shown(odd)}. Expected values from 0 to 1, like those of RR, AP or "
            "nDCG, because the test needs the largest possible drop."
        )


def sides(
    new: np.ndarray,
    old: np.ndarray,
    *,
    max_drop: float,
    relative: bool,
    alpha: float,
    number: np.ndarray | None = None,
) -> tuple[np.ndarray, ...]:
    """Compare the mean differences of samples (…, Q) with the limit.

    If `number` has the cluster of each query, there is one sample.

    Returns:
        The lower and upper bounds, the limits, and two masks: whether a difference is surely within
        its limit, and whether it is surely beyond.
    """

    def ends(sample: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        drawn, most = drawn_units(sample, number)
        return tuple(map(np.asarray, mean_bounds(drawn, most, alpha=alpha)))

    low, high = ends(differences(new, old))
    limit = max_drop * (old.mean(axis=-1) if relative else np.ones(low.shape))
    inside, beyond = low > -limit, high < -limit
    if relative:
        lowest, highest = ends(new - (1 - max_drop) * old)
        inside, beyond = inside & (lowest > 0), beyond & (highest < 0)
    return low, high, np.asarray(limit), np.asarray(inside), np.asarray(beyond)
