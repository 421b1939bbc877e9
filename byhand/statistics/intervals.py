"""Intervals for a mean, for the difference of two, and for which group tends to be higher.

Chosen by simulation: tests/tools/interval_coverage.py prints how often each of several kinds holds
the truth. scipy is imported inside the functions: only who asks for an interval waits for it.
"""

from statistics import NormalDist

import numpy as np

from byhand.statistics.samples import ROUNDING
from byhand.words import N_, text

CONFIDENCE = 0.95
_FEW = 10  # below, that of RR or AP holds its mean in less than 93%
_SKEWED = 10  # by the same simulation: with n above 10 times the squared skewness, 95% hold


CAUTIONS = (
    N_("With {n} values, the interval may hold the true mean less often than it says."),
    N_(
        "These {n:,} values vary so little that a single one more, as far off as the scale "
        "reaches, would carry the mean out of the interval: it may hold the true mean less often "
        "than it says."
    ),
    N_(
        "The values are so skewed ({skew:.1f}) that with {n:,} of them the interval may hold the "
        "true mean less often than it says."
    ),
)


def mean_interval(sample: np.ndarray, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Student's t interval for a mean: of values, or of paired differences.

    Simulated, 95% hold where half of the queries differ or more, from 8 on; not for a mean that
    hangs on rare large values, of which `interval_caution` warns.

    Args:
        sample: (n,) one value a query, finite.
        confidence: how often, over many samples, the interval is to hold the true mean.

    Returns:
        The lower and the upper end, which may lie beyond what the measure can reach; NaN for
        fewer than two values.

    Source:
        Student 1908, "The probable error of a mean".

    Example:
        >>> low, high = mean_interval(np.array([1.0, 2.0]), confidence=0.5)  # t is 1, error 1/2
        >>> round(low, 9), round(high, 9)
        (1.0, 2.0)
    """
    check_confidence(confidence)
    if len(sample) < 2:
        return np.nan, np.nan
    error = float(sample.std(ddof=1) / np.sqrt(len(sample)))
    reach = reach_of(confidence, len(sample) - 1) * error
    return float(sample.mean()) - reach, float(sample.mean()) + reach


def difference_interval(
    a: np.ndarray, b: np.ndarray, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Welch's t interval for the difference of the means of two independent groups.

    With skewed values it fails as `mean_interval` does: ask `interval_caution` of both groups.

    Args:
        a, b: the values of each group, finite.
        confidence: as in `mean_interval`.

    Returns:
        The lower and the upper end of a - b; NaN if a group has fewer than two values.

    Source:
        Welch 1947, "The generalization of 'Student's' problem when several different population
        variances are involved".

    Example:
        >>> low, high = difference_interval(np.array([1.0, 2.0]), np.array([0.0, 1.0]))
        >>> round(low, 3), round(high, 3)  # 1 ± 4.303 * sqrt(1/4 + 1/4), 2 degrees of freedom
        (-2.042, 4.042)
    """
    check_confidence(confidence)
    if min(len(a), len(b)) < 2:
        return np.nan, np.nan
    difference = float(a.mean() - b.mean())
    parts = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    if sum(parts) == 0:
        return difference, difference
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / (len(a) - 1) + parts[1] ** 2 / (len(b) - 1))
    reach = reach_of(confidence, freedom) * float(np.sqrt(sum(parts)))
    return difference - reach, difference + reach


def superiority_interval(
    share: float, n: int, m: int, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """A score interval for the chance that a value of one group is above one of the other.

    It takes both groups to vary about as much: if one varies ten times as much as the other, 95%
    may be 85%.

    Args:
        share: U / (n m), the share of pairs in which it is, a tie counting half.
        n, m: how many values each group has.
        confidence: as in `mean_interval`.

    Returns:
        The lower and the upper end, within 0 and 1. At a share of 0 or 1 it still has a width.

    Source:
        Newcombe 2006, "Confidence intervals for an effect size measure based on the
        Mann-Whitney statistic", part 2, method 5.

    Example:
        >>> low, high = superiority_interval(1.0, 4, 4)
        >>> round(low, 3), high
        (0.582, 1.0)
    """
    from scipy.optimize import brentq

    check_confidence(confidence)
    z = NormalDist().inv_cdf((1 - confidence) / 2)
    more = (n + m) / 2 - 1

    def beyond(chance: float) -> float:
        per_pair = 1 + more * ((1 - chance) / (2 - chance) + chance / (1 + chance))
        return (chance - share) ** 2 - z**2 * chance * (1 - chance) * per_pair / (n * m)

    inside = min(max(share, 1e-9), 1 - 1e-9)  # 0 and 1 are roots of their own
    low = brentq(beyond, 0, inside) if share > 0 else 0.0
    high = brentq(beyond, inside, 1) if share < 1 else 1.0
    return low, high


def interval_caution(sample: np.ndarray) -> str | None:
    """Why `mean_interval` of this sample may hold the truth less often than it says, or None.

    It speaks for 2 to 9 values; where one value more, as far off as the scale reaches (1, or the
    largest value), would carry the mean out of the interval, since values that vary so little show
    nothing of rare ones; and where n is below 10 times the squared skewness of the values.

    Simulated with 12 to 500 values, an interval misses the truth without a caution in at most 5.7%
    of samples; but a sample that missed rare large values does not always show it.

    Args:
        sample: (n,) one value a query, or one paired difference, finite.

    Source:
        Cochran 1977, "Sampling Techniques", section 2.15 (there 25 times the squared skewness).

    Example:
        >>> interval_caution(np.array([0.5, 1.0]))
        'With 2 values, the interval may hold the true mean less often than it says.'
    """
    n = len(sample)
    if n < 2:
        return None  # there is no interval
    if n < _FEW:
        return text(CAUTIONS[0], n=n)
    low, high = mean_interval(sample)
    if (high - low) / 2 < max(1.0, float(np.abs(sample).max())) / n:
        return text(CAUTIONS[1], n=n)
    centred = sample - sample.mean()
    skew = float((centred**3).mean() / (centred**2).mean() ** 1.5)
    if n < _SKEWED * skew**2:
        return text(CAUTIONS[2], n=n, skew=skew)
    return None


def paired_t_p(difference: np.ndarray) -> float:
    """The two-sided p of the paired t test: of Student's t for a mean difference of 0.

    Args:
        difference: (Q,) one difference a query, finite.

    Returns:
        p, from 0 to 1, and 1 if there is no difference; NaN where all queries differ by the same,
        which leaves no t, or for a single one.

    Source:
        Student 1908, "The probable error of a mean".

    Example:
        >>> round(paired_t_p(np.array([1.0, 2.0, 3.0])), 4)  # t is 2 * sqrt(3), 2 degrees
        0.0742
    """
    from scipy.special import stdtr

    if not difference.any():
        return 1.0
    if len(difference) < 2 or np.ptp(difference) <= ROUNDING * np.abs(difference).max():
        return np.nan
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    return float(2 * stdtr(len(difference) - 1, -abs(difference.mean()) / error))


def reach_of(confidence: float, freedom: float) -> float:
    """How many standard errors an interval reaches to either side."""
    from scipy.special import stdtrit  # scipy.stats takes five times as long to import

    return -float(stdtrit(freedom, (1 - confidence) / 2))


def check_confidence(confidence: float) -> None:
    """Complain unless it is between 0 and 1."""
    if not 0 < confidence < 1:
        raise ValueError(
            f"confidence={confidence!r}: expected a number between 0 and 1, such as 0.95."
        )
