"""How many queries a comparison takes, and how small a difference so many queries show."""

import math

_MANY = 1_000_000  # queries; from there on the normal distribution says the same


def queries_needed(sd: float, difference: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """How many queries show a mean difference between two systems, with a given power.

    Args:
        sd: the standard deviation of the differences, query by query, such as that of a pilot.
        difference: the smallest true mean difference that would matter, chosen beforehand; its
            sign does not matter. Not the difference that a pilot observed: simulated, pilots of
            30 queries that came out significant advise a median of 37 queries where it takes 105.
        power: how often, over many such samples of queries, the test is to see it.
        alpha: at or below which p counts as seen.

    Returns:
        The smallest number of queries, at least 2, for which the two-sided paired t test has
        that power to see the right sign. The randomisation test of `compare` takes nearly the
        same. Half the difference takes four times the queries.

    Raises:
        ValueError: an sd below 0 or a difference of 0, either of them not finite; a difference
            that is too small beside the sd for any number; a power or an alpha that is not
            between 0 and 1.

    Source:
        Sakai 2018, "Laboratory Experiments in Information Retrieval", chapter 6.

    Example:
        >>> queries_needed(sd=0.5, difference=0.25)  # the textbook's 34 for d = 0.5
        34
    """
    _check(sd, power, alpha)
    if not (math.isfinite(difference) and difference):
        raise ValueError(f"difference={difference!r}: expected a finite number other than 0.")
    about = _by_the_normal(sd / abs(difference), power, alpha)
    if not math.isfinite(about):
        raise ValueError(
            f"difference={difference!r}: no number of queries shows so little at sd={sd!r}."
        )
    if about > _MANY:
        return math.ceil(about)
    low, high = 1, 2  # not reached, or too few for a test
    while _seen(high, sd, difference, alpha) < power:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        reached = _seen(middle, sd, difference, alpha) >= power
        low, high = (low, middle) if reached else (middle, high)
    return high


def smallest_difference(
    sd: float, queries: int, *, power: float = 0.8, alpha: float = 0.05
) -> float:
    """The smallest true mean difference that so many queries show, with a given power.

    Args:
        sd: the standard deviation of the differences, query by query.
        queries: how many there are, at least 2.
        power, alpha: as in `queries_needed`.

    Returns:
        The least difference for which `queries_needed` asks for no more queries than these.

    Raises:
        ValueError: an sd below 0 or not finite, fewer than 2 queries, a power or an alpha that is
            not between 0 and 1.

    Source:
        As of `queries_needed`.

    Example:
        >>> round(smallest_difference(sd=0.5, queries=34), 3)  # 33 do not show 0.25
        0.248
    """
    _check(sd, power, alpha)
    if queries < 2:
        raise ValueError(f"queries={queries!r}: expected 2 or more.")
    low, high = 0.0, sd
    while _seen(queries, sd, high, alpha) < power:
        low, high = high, high * 2
    for _ in range(40):
        middle = (low + high) / 2
        reached = _seen(queries, sd, middle, alpha) >= power
        low, high = (low, middle) if reached else (middle, high)
    return high


def _check(sd: float, power: float, alpha: float) -> None:
    for name, value in {"power": power, "alpha": alpha}.items():
        if not 0 < value < 1:
            raise ValueError(f"{name}={value!r}: expected a number between 0 and 1, such as 0.8.")
    if not (math.isfinite(sd) and sd >= 0):
        raise ValueError(f"sd={sd!r}: expected a finite number, 0 or above, such as 0.3.")


def _seen(queries: int, sd: float, difference: float, alpha: float) -> float:
    """How often the paired t test sees the right sign of a true mean difference."""
    from scipy import stats

    if sd == 0:
        return 1.0
    shift, critical = abs(difference) / sd * math.sqrt(queries), stats.t.isf(alpha / 2, queries - 1)
    return float(stats.nct.sf(critical, queries - 1, shift))


def _by_the_normal(ratio: float, power: float, alpha: float) -> float:
    """How many queries by the normal distribution; `ratio` is the sd over the difference."""
    from scipy import stats

    errors = ratio * max(float(stats.norm.isf(alpha / 2) + stats.norm.ppf(power)), 0)
    return errors * errors
