"""May it ship: whether a mean dropped by more than it may, and how surely that is known."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.metrics.hits import hits_of_tables
from byhand.statistics.bounds import mean_bounds
from byhand.statistics.samples import aligned, differences
from byhand.tables.ties import TieOrder

POWER = 0.8  # how often as many queries as `needed` would tell
WHOLE_SCALE = 1.0  # how far a query can fall, or rise, that no sample shows
_ENDLESS = 1_000_000  # queries: more than anybody will have judged
_ROUNDING = 1e-9


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
        same_rankings: whether it was decided without a test, since no ranking differs.
        needed: where it cannot tell: about how many queries tell in 80 of 100 cases, if in truth
            nothing changed, and the differences vary as these do; None if no number does.
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
    same_rankings: bool
    needed: int | None


def gate(
    new: pd.Series,
    old: pd.Series,
    *,
    max_drop: float = 0.01,
    alpha: float = 0.05,
    same_rankings: bool = False,
) -> Decision:
    """Decide whether the mean of a measure dropped by more than it may: a test of non-inferiority.

    It did not drop if the lower bound of the mean difference lies above -max_drop; it dropped if
    the upper bound lies below. So if the true drop is exactly max_drop, either verdict is given in
    at most a share alpha of samples, and a system that is as good as the old one is hardly ever
    stopped. The bounds are those of `mean_bounds`, not of a t interval, and count one query
    more than there are, which falls (or rises) by the whole scale: what happens to few queries is
    in few samples, and a sample that has missed it does not show how bad it is.

    Simulated with 25 to 500 queries, a true drop of exactly max_drop and 2,000 samples each, either
    verdict was wrong in at most 4.2% of samples, and that of a t interval in up to 77%. These were
    14 populations of RR, AP and nDCG@10, where a tenth to all of the queries are ranked anew, all
    move a little, 4% lose everything, a tenth lose a part, or most change by a little and 4% by
    much the other way; and five that hide a drop: every query gains 0.003 and 2% fall by 1; RR
    moves between ranks 20 and 60 and 2% fall from 1 to 0; 4% lose 0.5 to 1 and the others move by
    at most 0.01, or keep their values; 1% fall by 1 and the others keep theirs. That it holds for
    any population is supported by such numbers, and not proven.

    Systems with the same value on each query are tested as any others: with 100 queries, a change
    that ruins one query in a hundred is in none of them in 37% of samples. Only where every ranking
    is the same is it said without a test that nothing dropped. A system that differs on other
    queries only, one in a hundred say, passes so.

    Args:
        new: (Q,) one value a query, from 0 to 1, the query as index; NaN where there is none.
        old: (Q,) those of the system that it is to replace.
        max_drop: by how much the mean may drop, 0 or above, in units of the measure.
        alpha: how often each of the two verdicts may be wrong.
        same_rankings: whether both ranked the same items in the same order, as `same_rankings`
            says.

    Raises:
        DataError: values that are not about the same queries, no numbers, or not from 0 to 1.
        ValueError: an option out of range.

    Source:
        Walker and Nowacki 2011, "Understanding equivalence and noninferiority testing";
        tests/tools/gate_errors.py for how often it errs.

    Example:
        >>> values = pd.Series([0.2, 0.8] * 250)
        >>> print(gate(values + 0.01, values).outcome, gate(values - 0.1, values).outcome)
        did not drop dropped
        >>> unsure = gate(values + [0.2, -0.2] * 250, values)
        >>> print(unsure.outcome, unsure.needed)
        cannot tell 2686
    """
    if not (math.isfinite(max_drop) and max_drop >= 0):
        raise ValueError(f"max_drop={max_drop!r}: expected a number, 0 or above, such as 0.01.")
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha={alpha!r}: expected a number between 0 and 0.5, such as 0.05.")
    x, y = aligned(new, old, ("new", "old"))
    for values, name in ((x, "new"), (y, "old")):
        if values.min() < -_ROUNDING or values.max() > WHOLE_SCALE + _ROUNDING:
            odd = values[np.argmax(np.abs(values - WHOLE_SCALE / 2))]
            raise DataError(
                f"{name} holds {shown(odd)}. Expected values from 0 to 1, as of RR, AP or nDCG: "
                "without a scale nobody can say how far a query may fall that no sample shows."
            )
    difference = differences(x, y)
    differ = int(np.count_nonzero(difference))
    low, high = mean_bounds(difference, WHOLE_SCALE, alpha=alpha)
    same_rankings = same_rankings and not differ
    outcome, needed = Outcome.CANNOT_TELL, None
    if low > -max_drop or same_rankings:
        outcome = Outcome.HELD
    elif high < -max_drop:
        outcome = Outcome.DROPPED
    else:
        # not from the difference that was seen: a plan that follows chance is one of chance
        needed = queries_to_tell(float(difference.std()), max_drop, alpha=alpha)
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
        same_rankings=same_rankings,
        needed=needed,
    )


def same_rankings(
    new: pd.DataFrame, old: pd.DataFrame, queries: Iterable[str], *, ties: TieOrder
) -> bool:
    """Whether two runs rank the same items in the same order, to the end, for these queries.

    Args:
        new: one row a retrieved item: `query_id`, `doc_id`, `score`.
        old: the other, likewise.
        queries: which queries count, as text.
        ties: the order of items with equal scores. They must be equal in both.

    Example:
        >>> old = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": [2.0, 1.0]})
        >>> same_rankings(old.assign(score=[0.9, 0.1]), old, ["q"], ties="doc_id")
        True
        >>> same_rankings(old.assign(score=[0.9, 0.9]), old, ["q"], ties="doc_id")
        False
    """
    new, old = (run[run["query_id"].astype(str).isin(list(queries))] for run in (new, old))
    if len(new) != len(old):
        return False
    # a grade of its own for each item of the old run: where they landed is the whole ranking
    judged = old[["query_id", "doc_id"]].assign(relevance=np.arange(1, len(old) + 1))
    ours, theirs = (hits_of_tables(run, judged, ties=ties) for run in (new, old))
    return all(
        np.array_equal(getattr(ours, name), getattr(theirs, name))
        for name in ("query", "grade", "rank", "top", "tied")
    )


def power(
    queries: int, sd: float, away: float, *, most: float = WHOLE_SCALE, alpha: float = 0.05
) -> float:
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
        tells in 69% to 93%.

    Example:
        >>> round(power(100, 0.2, 0.0329, most=0), 2)  # (0.0329 - 1.645 * 0.02) / 0.02 is 0
        0.5
    """
    z = NormalDist().inv_cdf(1 - alpha)
    error, added = sd / math.sqrt(queries), most / queries
    if spread := math.hypot(error, added):
        # Cornish and Fisher: of a normal variable and an exponential one, added up
        z += (z * z - 1) / 3 * (added / spread) ** 3
    spare = away - added - z * spread
    if error == 0:
        return float(spare > 0)
    return NormalDist().cdf(spare / error)


def queries_to_tell(
    sd: float, away: float, *, most: float = WHOLE_SCALE, alpha: float = 0.05
) -> int | None:
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
