"""How many queries a comparison takes, and the gate, and how small a difference so many show."""

import math
from collections.abc import Callable
from statistics import NormalDist

from byhand.statistics.per_query import expect

_TELLS = 0.8  # how often as many queries as `queries_to_tell` says do tell
WHOLE_SCALE = 1.0  # how far a query can fall, or rise, that no sample shows
_STEPS = 1 << 40  # into which a standard deviation is divided where a difference is looked for
_COUNTED = 1e300  # queries: more are no float
_LEAST = 1e-9  # of a difference: beside it a standard deviation is no more than 0
_MANY = 1_000_000  # queries: the normal distribution says the same, and nobody judges more


def queries_needed(sd: float, difference: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """How many queries show a mean difference between two systems, with a given power.

    Args:
        sd: the standard deviation of the differences, query by query, such as that of a pilot.
        difference: the smallest true mean difference that would matter, chosen beforehand. Not
            the one that a pilot observed: simulated, pilots of 30 queries that came out
            significant advise a median of 37 queries where it takes 105.
        power: how often the two-sided paired t test is to see it, and its sign; between 0 and 1.
        alpha: at or below which p counts as seen, between 0 and 1.

    Raises:
        ValueError: an option out of range, or a difference that is too small beside the sd for
            any number.

    Source:
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
            f"difference={difference!r}: no number of queries shows so little at sd={sd!r}."
        )
    if about > _MANY:
        return math.ceil(about)
    return least_enough(1, 2, lambda n: comparison_power(sd, difference, n, alpha=alpha) >= power)


def comparison_power(sd: float, difference: float, queries: int, *, alpha: float = 0.05) -> float:
    """How often so many queries, 2 or more, show a true mean difference: p, and its right side.

    Args:
        sd, difference, alpha: as in `queries_needed`; a difference of 0 is shown by luck alone.

    Raises:
        ValueError: an option out of range.

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
    if math.isnan(missed):  # beside a huge shift only the estimated deviation varies
        missed = float(chdtrc(freedom, freedom * (shift / least) ** 2))
    return 1 - missed


def smallest_difference(
    sd: float, queries: int, *, power: float = 0.8, alpha: float = 0.05
) -> float:
    """The smallest true mean difference for which `queries_needed` asks for no more queries.

    Args:
        sd, power, alpha: as there.
        queries: 2 or more.

    Raises:
        ValueError: an option out of range.

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
    """The least number of queries with which the gate tells in 80 of 100 cases; None if a million.

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
    """How often the gate tells, about, on which side of the limit a true mean difference lies.

    Simulated, where this says 80%, the gate tells in 67% (1% of the queries fall by 1) to 100%
    (differences hardly vary).

    Args:
        queries, sd: as in `comparison_power`.
        away: how far the true mean difference lies from the limit, above 0.
        most: how far from 0 a difference can be.
        alpha: how often the gate may be wrong at the limit itself.

    Example:
        >>> round(gate_power(100, 0.2, 0.0329, most=0), 2)  # (0.0329 - 1.645 * 0.02) / 0.02 is 0
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


def least_enough(low: int, high: int, enough: Callable[[int], bool]) -> int:
    """The least whole number above `low` that is enough, as larger ones are; `high` is a guess."""
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _errors(power: float, alpha: float) -> float:
    """How many standard errors a difference has to be off 0, by the normal distribution."""
    normal = NormalDist()
    return max(normal.inv_cdf(power) - normal.inv_cdf(alpha / 2), 0)


def _check(sd: float, power: float, alpha: float, queries: int = 2) -> None:
    for name, value in {"power": power, "alpha": alpha}.items():
        expect(0 < value < 1, "a number between 0 and 1, such as 0.8", **{name: value})
    expect(math.isfinite(sd) and sd >= 0, "a finite number, 0 or above, such as 0.3", sd=sd)
    expected = f"2 or more, and below {_COUNTED:g}"
    expect(2 <= queries < _COUNTED, expected, queries=queries)
