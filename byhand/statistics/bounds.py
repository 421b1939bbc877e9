"""How low, and how high, a mean may be: one-sided bounds that also count what was not seen.

A t interval believes that the queries show how much queries can vary. Where most of them have the
same value under both systems, they do not: a change that ruins one query in fifty is in none of 50
queries in 36 samples of 100. tests/tools/gate_errors.py prints what that does to several kinds
of bounds.
"""

from statistics import NormalDist

import numpy as np

_STEPS = 100  # halvings: more than a float has digits


def mean_bounds(sample: np.ndarray, most: float, *, alpha: float = 0.05) -> tuple[float, float]:
    """Bounds of a mean, each to be wrong in at most a share alpha of samples, by one value more.

    For the lower bound the sample gets one value more, the worst there can be. Then it is
    weighted at random, by weights from a flat Dirichlet distribution (the Bayesian bootstrap), and
    the bound is the mean below which a share alpha of such means lie. The upper bound is the same
    with the best there can be. With n values that are all 0, the lower bound is -most times
    1 - alpha^(1/n), nearly 3/n for 5%: the rule of three. That such a bound errs in at most a share
    alpha of samples of any population is Gaffke's conjecture: numbers support it
    (tests/tools/gate_errors.py prints some), and nobody has proven it.

    Args:
        sample: (n,) one paired difference a query, finite.
        most: how far from 0 a value of the population can be; not how far this sample goes, which
            would say nothing of what it has missed.
        alpha: how often each of the two may be wrong.

    Returns:
        The lower and the upper bound, by a saddlepoint approximation of the weighted mean's
        distribution, so that nothing is drawn. Its error is a few hundredths of alpha.

    Source:
        Gaffke 2005, "Three test statistics for a nonparametric one-sided hypothesis on the mean
        of a nonnegative variable"; Rubin 1981, "The Bayesian bootstrap"; Lugannani and Rice 1980,
        "Saddle point approximation for the distribution of the sum of independent random
        variables".

    Example:
        >>> low, high = mean_bounds(np.zeros(30), 1.0)
        >>> round(low, 3), round(high, 3), round(1 - 0.05 ** (1 / 30), 3)
        (-0.095, 0.095, 0.095)
    """
    sample = np.asarray(sample, dtype=float)
    return _lower(sample, most, alpha), -_lower(-sample, most, alpha)


def _lower(sample: np.ndarray, most: float, alpha: float) -> float:
    values = np.append(sample, -most)
    centre = values.mean()
    values -= centre
    if not values.min() < 0:
        return -most
    steepest = 1 / values.min()
    low, high = 0.0, 1.0  # where on the way from the least value to the mean the bound is
    for _ in range(_STEPS):
        middle = (low + high) / 2
        bound, below = _at(values, steepest * middle)
        low, high = (low, middle) if below < alpha else (middle, high)
        if high - low < 1e-12:
            break
    return float(bound + centre)


def _at(values: np.ndarray, tilt: float) -> tuple[float, float]:
    """A bound of centred values, and how often a randomly weighted mean is below it.

    The weights are exponential variables E divided by their sum, so the mean is below c if the sum
    of E (value - c) is below 0. Instead of solving for the saddlepoint of each c, this takes
    the tilt t, with 1 - t value > 0 for all, and finds the c that it is the saddlepoint of.
    """
    ratio = 1 / (1 - tilt * values)
    mean = ratio.mean()
    bound = (mean - 1) / (tilt * mean)
    # ratio / mean is 1 / (1 - s (value - bound)), with s the saddlepoint
    cumulant = np.log(ratio / mean).sum()
    spread = ((ratio / mean - 1) ** 2).sum()
    w, u = -np.sqrt(max(-2 * cumulant, 0)), -np.sqrt(spread)
    if w == 0:  # at the mean, as far as a float can say
        return bound, 0.5
    return bound, NormalDist().cdf(w) + np.exp(-w * w / 2) / np.sqrt(2 * np.pi) * (1 / w - 1 / u)
