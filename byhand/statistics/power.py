"""Power analysis for comparisons and for the gate: queries needed, and smallest difference."""

import math
from collections.abc import Callable
from statistics import NormalDist

from byhand.statistics.per_query import expect

_TELLS = 0.8  # power for `queries_to_tell`
WHOLE_SCALE = 1.0  # largest possible change of a query
_STEPS = 1 << 40  # steps per standard deviation in the search for a difference
_COUNTED = 1e300  # upper limit of the number of queries, near that of a float
_LEAST = 1e-9  # a standard deviation below this share of the difference counts as 0
_MANY = 1_000_000  # queries, from which on the normal approximation is used


def queries_needed(sd: float, difference: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """Compute the number of queries needed to show a mean difference between two systems.

    Args:
        sd: the standard deviation of the differences per query, for example from a pilot.
        difference: the smallest true mean difference that matters, chosen beforehand. Do not use
            the difference observed in a pilot: in simulations, pilots of 30 queries with a
            significant result suggest a median of 37 queries when 105 are needed.
        power: the power of the two-sided paired t test, with the correct sign, between 0 and 1;
            0.8 by default.
        alpha: the significance level, between 0 and 1; 0.05 by default.

    Raises:
        ValueError: If an option is out of range, or the difference is too small for the sd.

    References:
        Sakai 2018, "Laboratory Experiments in Information Retrieval", chapter 6.

    Example:
        >>> queries_needed(sd=0.5, difference=0.25)  # the textbook's 34 for d = 0.5
        34
    """
    _check(sd, power, alpha)
    fine = math.isfinite(difference) and difference != 0
    expect(fine, "a finite number other than 0", difference=difference)
    errors = _errors(power, alpha) * sd / abs(difference)
    about = errors * errors
    if sd < _LEAST * abs(difference):
        return 2
    if not math.isfinite(about):
        raise ValueError(
            f"difference={difference!r}: no number of queries can show so small a difference with "
            f"sd={sd!r}. Pass a larger difference, or a smaller sd."
        )
    if about > _MANY:
        return math.ceil(about)
    return least_enough(1, 2, lambda n: comparison_power(sd, difference, n, alpha=alpha) >= power)


def comparison_power(sd: float, difference: float, queries: int, *, alpha: float = 0.05) -> float:
    """Compute the probability that queries show a true mean difference with the correct sign.

    Args:
        sd, difference, alpha: as in `queries_needed`; a difference of 0 is shown only by chance.
        queries: the number of queries, 2 or more.

    Raises:
        ValueError: If an option is out of range.

    Example:
        >>> round(comparison_power(0.5, 0.25, 34), 3), round(comparison_power(0.5, 0, 34), 3)
        (0.808, 0.025)
    """
    from scipy.special import chdtrc, nctdtr, stdtrit

    _check(sd, 0.5, alpha, queries)
    expect(math.isfinite(difference), "a finite number, such as 0.05", difference=difference)
    if sd == 0:
        return float(difference != 0)
    shift, freedom = abs(difference) / sd * math.sqrt(queries), float(queries - 1)
    least = -float(stdtrit(freedom, alpha / 2))
    missed = float(nctdtr(freedom, shift, least))
    if math.isnan(missed):  # for a huge shift, only the estimated deviation varies
        missed = float(chdtrc(freedom, freedom * (shift / least) ** 2))
    return 1 - missed


def smallest_difference(
    sd: float, queries: int, *, power: float = 0.8, alpha: float = 0.05
) -> float:
    """Compute the smallest true mean difference that these queries show with a given power.

    Args:
        sd, power, alpha: as in `queries_needed`.
        queries: the number of queries, 2 or more.

    Raises:
        ValueError: If an option is out of range.

    Example:
        >>> round(smallest_difference(sd=0.5, queries=34), 3)  # 33 do not show 0.25
        0.248
    """
    _check(sd, power, alpha, queries)
    if sd == 0:
        return 0.0
    if queries > _MANY:
        return _errors(power, alpha) * sd / math.sqrt(queries)
    step = sd / _STEPS
    return step * least_enough(
        0, _STEPS, lambda n: comparison_power(sd, n * step, queries, alpha=alpha) >= power
    )


def queries_to_tell(
    sd: float, away: float, *, most: float = WHOLE_SCALE, alpha: float = 0.05
) -> int | None:
    """Compute the smallest number of queries for a gate with a power of 80%; None above a million.

    Args:
        sd, away, most, alpha: as in `gate_power`.

    Example:
        >>> queries_to_tell(0.2, 0.05, most=0)  # ((1.645 + 0.842) * 0.2 / 0.05)^2 is 98.9
        99
    """

    def tells(queries: int) -> bool:
        return gate_power(queries, sd, away, most=most, alpha=alpha) >= _TELLS

    return least_enough(1, 2, tells) if away > 0 and tells(_MANY) else None


def gate_power(
    queries: int, sd: float, away: float, *, most: float = WHOLE_SCALE, alpha: float = 0.05
) -> float:
    """Estimate how often the gate reaches a decision for a true difference.

    The estimate is rough: when it is 80%, simulations gave from 67% (1% of the queries fall by 1)
    to 100% (the differences hardly vary).

    Args:
        queries, sd: as in `comparison_power`.
        away: the distance of the true mean difference from the limit, above 0.
        most: the largest possible distance of a difference from 0; 1 by default.
        alpha: the error rate of the gate at the limit itself; 0.05 by default.

    Raises:
        ValueError: If the distance is not above 0.

    Example:
        >>> round(gate_power(100, 0.2, 0.0329, most=0), 2)  # (0.0329 - 1.645 * 0.02) / 0.02 is 0
        0.5
    """
    expect(away > 0, "a number above 0, such as 0.01", away=away)
    z = NormalDist().inv_cdf(1 - alpha)
    error, added = sd / math.sqrt(queries), most / queries
    if spread := math.hypot(error, added):
        # Cornish-Fisher expansion of the sum of a normal and an exponential variable
        z += (z * z - 1) / 3 * (added / spread) ** 3
    spare = away - added - z * spread
    if error == 0:
        return float(spare > 0)
    return NormalDist().cdf(spare / error)


def least_enough(low: int, high: int, enough: Callable[[int], bool]) -> int:
    """Find the smallest whole number above `low` that is enough; `high` is a guess."""
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _errors(power: float, alpha: float) -> float:
    """Return the distance of a difference from 0 in standard errors, by the normal distribution."""
    normal = NormalDist()
    return max(normal.inv_cdf(power) - normal.inv_cdf(alpha / 2), 0)


def _check(sd: float, power: float, alpha: float, queries: int = 2) -> None:
    for name, value, usual in (("power", power, 0.8), ("alpha", alpha, 0.05)):
        expect(0 < value < 1, f"a number between 0 and 1, such as {usual}", **{name: value})
    expect(math.isfinite(sd) and sd >= 0, "a finite number, 0 or above, such as 0.3", sd=sd)
    expect(2 <= queries < _COUNTED, "a finite number, 2 or more", queries=queries)
