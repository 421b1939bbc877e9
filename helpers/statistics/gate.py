"""May it ship: whether a mean dropped by more than it may, and how surely that is known."""

import math
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

import numpy as np
import pandas as pd

from helpers.statistics.bounds import mean_bounds
from helpers.statistics.samples import aligned, differences

POWER = 0.8  # how often as many queries as `needed` would tell
_ENDLESS = 1_000_000  # queries: more than anybody will have judged


class Outcome(StrEnum):
    """What the queries say of a drop; each is its own text."""

    HELD = "did not drop"
    DROPPED = "dropped"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Whether a mean dropped by more than it may.

    Attributes:
        outcome: what the queries say.
        mean_new: the mean of the new system.
        mean_old: that of the old one, over the same queries.
        difference: new minus old.
        low: the mean difference is at least this, but for a share alpha of samples.
        high: it is at most this, but for a share alpha of samples.
        max_drop: by how much it may drop.
        alpha: how often each of the two verdicts may be wrong.
        queries: how many have a value of both.
        differ: in how many of them the two values are not the same.
        needed: about how many queries would tell, if the mean and the spread of the differences
            stay as they are; None if these do, or if none will.
    """

    outcome: Outcome
    mean_new: float
    mean_old: float
    difference: float
    low: float
    high: float
    max_drop: float
    alpha: float
    queries: int
    differ: int
    needed: int | None


def gate(
    new: pd.Series, old: pd.Series, *, max_drop: float = 0.01, alpha: float = 0.05
) -> Decision:
    """Decide whether the mean of a measure dropped by more than it may: a test of non-inferiority.

    It did not drop if the lower bound of the mean difference lies above -max_drop; it dropped if
    the upper bound lies below. So if the true drop is exactly max_drop, either verdict is given in
    at most a share alpha of samples, and a system that is as good as the old one is hardly ever
    stopped. The bounds are those of `mean_bounds`, not of a t interval: simulated, with 25 to 500
    values of RR, AP or nDCG@10, these err in at most 3.5% of samples, and that in up to 29% where
    a change touches one query in ten, and up to 45% where few change by much. The most that a query
    can change, which no sample shows, is taken to lie between the most that any of these did and 1
    (the largest value, where a measure goes beyond 1): on a scale of ratios two thirds of the way.

    Systems with the same value on each query did not drop. That is no test: what happens to fewer
    than 3 in n queries is missed by one sample of n in twenty, or by more.

    Args:
        new: (Q,) one value a query, the query as index; NaN where there is none.
        old: (Q,) those of the system that it is to replace.
        max_drop: by how much the mean may drop, 0 or above, in units of the measure.
        alpha: how often each of the two verdicts may be wrong.

    Raises:
        DataError: values that are not about the same queries, or no numbers.
        ValueError: an option out of range.

    Source:
        Walker and Nowacki 2011, "Understanding equivalence and noninferiority testing";
        tests/benchmarks/gate_errors.py for how often it errs.

    Example:
        >>> values = pd.Series([0.2, 0.8] * 50)
        >>> print(gate(values + 0.01, values).outcome, gate(values - 0.1, values).outcome)
        did not drop dropped
        >>> unsure = gate(values + [0.1, -0.1] * 50, values)
        >>> print(unsure.outcome, unsure.needed)
        cannot tell 721
    """
    if not (math.isfinite(max_drop) and max_drop >= 0):
        raise ValueError(f"max_drop={max_drop!r}: expected a number, 0 or above, such as 0.01.")
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha={alpha!r}: expected a number between 0 and 0.5, such as 0.05.")
    x, y = aligned(new, old, ("new", "old"))
    difference = differences(x, y)
    differ = int(np.count_nonzero(difference))
    seen, scale = float(np.abs(difference).max()), max(1.0, *np.abs([x, y]).max(axis=1))
    most = float(seen ** (1 / 3) * scale ** (2 / 3))
    low, high = mean_bounds(difference, most, alpha=alpha)
    outcome, needed = Outcome.CANNOT_TELL, None
    if low > -max_drop or not differ:
        outcome = Outcome.HELD
    elif high < -max_drop:
        outcome = Outcome.DROPPED
    else:
        away = abs(float(difference.mean()) + max_drop)
        needed = queries_to_tell(float(difference.std()), away, most=most, alpha=alpha)
    return Decision(
        outcome=outcome,
        mean_new=float(x.mean()),
        mean_old=float(y.mean()),
        difference=float(difference.mean()),
        low=low,
        high=high,
        max_drop=max_drop,
        alpha=alpha,
        queries=len(x),
        differ=differ,
        needed=needed and max(needed, len(x) + 1),
    )


def power(queries: int, sd: float, away: float, *, most: float, alpha: float = 0.05) -> float:
    """How often the gate tells on which side of the limit a true mean difference lies.

    Args:
        queries: how many.
        sd: the standard deviation of the differences, query by query.
        away: how far the true mean difference lies from the limit, above 0.
        most: how far from 0 a difference can be.
        alpha: how often it may be wrong at the limit itself.

    Returns:
        About so often, by the normal distribution: the value that `mean_bounds` adds moves the
        bound by most / queries, and widens it as much. Simulated, where this says 80%, the gate
        tells in 72% to 98%, mostly in 77% to 88%.

    Example:
        >>> round(power(100, 0.2, 0.0329, most=0), 2)  # (0.0329 - 1.645 * 0.02) / 0.02 is 0
        0.5
    """
    z = NormalDist().inv_cdf(1 - alpha)
    error, added = sd / math.sqrt(queries), most / queries
    spare = away - added - z * math.hypot(error, added)
    if error == 0:
        return float(spare > 0)
    return NormalDist().cdf(spare / error)


def queries_to_tell(sd: float, away: float, *, most: float, alpha: float = 0.05) -> int | None:
    """The least number of queries with which the gate tells in 80 of 100 cases.

    Args:
        sd, away, most, alpha: as in `power`.

    Returns:
        None if a million are not enough.

    Example:
        >>> queries_to_tell(0.2, 0.05, most=0)  # ((1.645 + 0.842) * 0.2 / 0.05)^2 is 98.9
        99
    """
    if away <= 0 or power(_ENDLESS, sd, away, most=most, alpha=alpha) < POWER:
        return None
    low, high = 1, _ENDLESS
    while high - low > 1:
        middle = (low + high) // 2
        reached = power(middle, sd, away, most=most, alpha=alpha) >= POWER
        low, high = (low, middle) if reached else (middle, high)
    return high
