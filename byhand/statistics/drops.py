"""The gate: whether a mean dropped by more than a margin, and how sure that is.

A t interval assumes that the sample shows how much queries can vary. But of 50 queries, 61 samples
in 100 contain none of the one query in a hundred that a change ruins: see tools/simulations.py.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.statistics.bounds import mean_bounds
from byhand.statistics.clusters import Clusters, drawn_units, numbered_pairs
from byhand.statistics.per_query import aligned, differences, expect
from byhand.statistics.power import WHOLE_SCALE, queries_to_tell

_ROUNDING = 1e-9


class Outcome(StrEnum):
    """The outcome of the test of a drop; each is its own text."""

    HELD = "did not drop"
    DROPPED = "dropped"
    LOWER = "lower"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Whether a mean dropped by more than it may; true only if it did not (`HELD`).

    Attributes:
        outcome: `HELD`, by no more than it may; `DROPPED`, by more; `LOWER`, it did drop, and
            nobody can say whether by more; or `CANNOT_TELL`.
        needed: where it cannot tell: about how many queries tell in 80 of 100 cases, if in truth
            nothing changed, and the differences vary as these do; None if no number does.
    """

    outcome: Outcome
    mean_new: float
    mean_old: float
    difference: float
    low: float  # the mean difference is at least this, but for a share alpha of samples
    high: float  # and at most this, but for a share alpha
    max_drop: float  # in units of the measure
    max_drop_share: float | None  # the same as a share of the old mean, if that was asked for
    alpha: float
    queries: int  # that have a value of both
    clusters: int | None  # of these queries, if clusters were passed
    differ: int  # of them, where the two values are not the same
    same_rankings: bool  # whether it was decided without a test, since no ranking differs
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
    """Decide whether the mean of a measure dropped by more than it may: a test of non-inferiority.

    It did not drop if the lower one of `mean_bounds` lies above -max_drop; it dropped if the upper
    one lies below, and is lower if that lies below 0. Simulated with 25 to 500 queries and a true
    drop of exactly max_drop, either verdict was wrong in at most 4.2% of samples, that of a t
    interval in up to 77%; where in truth nothing changed, at most 3.8% were said to be lower.
    That it holds for any population is not proven.

    Args:
        new, old: (Q,) one value a query, from 0 to 1, the query as index; NaN where there is none.
        max_drop: by how much the mean may drop, 0 or above, in units of the measure.
        relative: whether max_drop is a share of the old mean, such as 0.05. That mean is an
            estimate, too: new - (1 - max_drop) old has to lie on the same side of 0.
        alpha: how often each verdict may be wrong, between 0 and 0.5.
        same_rankings: whether both ranked the same items in the same order, which takes no test.
        clusters: which queries depend on each other, as in `compare_values`: whole clusters are
            drawn, and the bounds allow for one more, as large as the largest.

    Raises:
        DataError: values that are not about the same queries, no numbers, or not from 0 to 1.
        ValueError: an option out of range.

    Source:
        Walker and Nowacki 2011, "Understanding equivalence and noninferiority testing".

    Example:
        >>> values = pd.Series([0.2, 0.8] * 250)
        >>> unsure = non_inferiority(values + [0.2, -0.2] * 250, values)
        >>> print(unsure.outcome, unsure.needed)
        cannot tell 2686
        >>> assert not unsure
    """
    fine = math.isfinite(max_drop) and max_drop >= 0
    expect(fine, "a number, 0 or above, such as 0.01", max_drop=max_drop)
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
    outcome, needed = Outcome.CANNOT_TELL, None
    if inside or same_rankings:
        outcome = Outcome.HELD
    elif beyond:
        outcome = Outcome.DROPPED
    elif high < 0:
        outcome = Outcome.LOWER
    else:
        # not from the difference that was seen: a plan that follows chance is one of chance
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
            f"{name} holds {shown(odd)}. Expected values from 0 to 1, as of RR, AP or nDCG: "
            "without an upper bound the size of an unseen drop is unknown."
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
    """On which side of the limit the mean differences of samples (…, Q) lie.

    With the `number` of the cluster of each query, of one sample.

    Returns:
        The lower and the upper bound of each, the limit, whether the difference is surely inside
        of it, and whether it is surely beyond.
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
