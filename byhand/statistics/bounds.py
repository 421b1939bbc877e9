"""Bounds on a mean on a limited scale, without assumptions on the distribution."""

import numpy as np

_STEPS = 1 << 40  # steps of the search from the mean of a sample to its minimum


def mean_bounds(
    sample: np.ndarray, most: float, *, alpha: float = 0.05
) -> tuple[float, float] | tuple[np.ndarray, np.ndarray]:
    """Compute a lower and an upper bound on a mean, each wrong in at most a share alpha of samples.

    For the lower bound, the worst possible value is added to the sample, and the values get random
    weights (the Bayesian bootstrap). The bound is the alpha quantile of the weighted means, by a
    saddlepoint approximation. The upper bound is the same with the best possible value. For n zeros
    the distance of both from 0 is about most * (1 - alpha^(1/n)), for alpha = 0.05 about
    most * 3 / n, the rule of three. That the error rate is at most alpha for any population is
    Gaffke's conjecture.

    Args:
        sample: (n,) one paired difference per query, finite; or many samples, (…, n).
        most: the largest possible distance of a value from 0, in the population.
        alpha: the error rate of each bound; 0.05 by default.

    References:
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
    low, high = _lower(sample, most, alpha), -_lower(-sample, most, alpha)
    return (low, high) if low.shape else (float(low), float(high))


def _lower(sample: np.ndarray, most: float, alpha: float) -> np.ndarray:
    values = np.concatenate([sample, np.full((*sample.shape[:-1], 1), -most)], axis=-1)
    centre = values.mean(axis=-1)
    values -= centre[..., None]
    least = values.min(axis=-1)
    tilt = 1 / np.where(least < 0, least, -1) / (_STEPS + 1)
    low, high = np.zeros(tilt.shape), np.full(tilt.shape, float(_STEPS))
    while np.any(high - low > 1):
        middle = (low + high) // 2
        enough = _bound_and_error(values, tilt * middle)[1] < alpha
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(least < 0, _bound_and_error(values, tilt * high)[0] + centre, -most)


def _bound_and_error(values: np.ndarray, tilt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the bound whose saddlepoint is the tilt, and its error rate."""
    from scipy.special import ndtr

    ratio = 1 / (1 - tilt[..., None] * values)
    mean = ratio.mean(axis=-1)
    bound = (mean - 1) / (tilt * mean)
    ratio /= mean[..., None]
    # now ratio is 1 / (1 - s (value - bound)), with s the saddlepoint
    cumulant = np.log(ratio).sum(axis=-1)
    variance = ((ratio - 1) ** 2).sum(axis=-1)
    w, u = -np.sqrt(np.maximum(-2 * cumulant, 0)), -np.sqrt(variance)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = ndtr(w) + np.exp(-w * w / 2) / np.sqrt(2 * np.pi) * (1 / w - 1 / u)
    return bound, np.where(w == 0, 0.5, error)  # w is 0 if the bound rounds to the mean
