"""How many queries a comparison takes."""

import math


def queries_needed(sd: float, difference: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """How many queries show a mean difference between two systems, with a given power.

    Args:
        sd: the standard deviation of the differences, query by query.
        difference: the true mean difference that is to be seen; its sign does not matter.
        power: how often, over many such samples of queries, the test is to see it.
        alpha: at or below which p counts as seen.

    Returns:
        The smallest number of queries, at least 2, for which the two-sided paired t test has
        that power to see the right sign. The randomisation test of `compare` takes nearly the
        same. With an sd and a difference that were themselves measured on a few queries, the
        number is rough: twice the difference takes a quarter of the queries.

    Raises:
        ValueError: an sd below 0 or a difference of 0, either of them not finite; a power or an
            alpha that is not between 0 and 1.

    Source:
        Sakai 2018, "Laboratory Experiments in Information Retrieval", chapter 6.

    Example:
        >>> queries_needed(sd=0.5, difference=0.25)  # the textbook's 34 for d = 0.5
        34
    """
    from scipy import stats

    for name, value in {"power": power, "alpha": alpha}.items():
        if not 0 < value < 1:
            raise ValueError(f"{name}={value!r}: expected a number between 0 and 1, such as 0.8.")
    if not (math.isfinite(sd) and sd >= 0):
        raise ValueError(f"sd={sd!r}: expected a finite number, 0 or above, such as 0.3.")
    if not (math.isfinite(difference) and difference):
        raise ValueError(f"difference={difference!r}: expected a finite number other than 0.")

    def reached(n: int) -> bool:
        if sd == 0:
            return True
        shift, critical = abs(difference) / sd * math.sqrt(n), stats.t.isf(alpha / 2, n - 1)
        return bool(stats.nct.sf(critical, n - 1, shift) >= power)

    high = 2
    while not reached(high):
        high *= 2
    low = max(1, high // 2)  # not reached, or too few for a test
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
