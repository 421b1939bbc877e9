"""Two independent groups of queries: how differently they score."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from helpers.statistics.resampling import Resampling, Rng, bootstrap_interval
from helpers.statistics.samples import complete


def compare_groups(
    a: ArrayLike,
    b: ArrayLike,
    *,
    resamples: int = 10_000,
    confidence: float = 0.95,
    rng: Rng = 0,
) -> pd.DataFrame:
    """Two independent groups of per-query values: how they differ, in one row.

    For groups of different queries. Two systems on the same queries are paired: use `compare`,
    which sets query against query.

    Args:
        a: (n,) the values of one group: a list, array or Series of numbers.
        b: (m,) those of the other.
        resamples: how many times the bootstrap resamples each group.
        confidence: of the bootstrap intervals, between 0 and 1.
        rng: the seed, or a generator.

    Returns:
        A table with one row: of each group the number of values `n_a`, `n_b`, the `mean_a`,
        `mean_b` and the `median_a`, `median_b`; the `difference` of the means a - b with the
        ends of its interval, `low` and `high`; Mann and Whitney's `U` and its two-sided `p`;
        `superiority`, the chance that a value drawn from a is above one drawn from b, a tie
        counting half: U / (n m); `rank_biserial`, the same on a scale from -1 (all of b above
        all of a) over 0 (neither) to 1: 2 * superiority - 1, with the ends of its interval,
        `rank_biserial_low` and `rank_biserial_high`.

        U, its p and the rank-biserial correlation are about which group tends to be higher,
        value against value. They are not about the means: with skewed values, one group can
        have the higher mean and the other tend to be higher. A small p says that such a U would
        be rare if both groups came from one distribution; it does not say why they differ (the
        queries, or how many items they rank, may explain it), nor by how much.

    Raises:
        DataError: an empty group, a value that is NaN, infinite or no number.
        ValueError: an option out of range.

    Source:
        Mann and Whitney 1947, "On a test of whether one of two random variables is
        stochastically larger than the other", with `scipy.stats.mannwhitneyu`'s defaults;
        Kerby 2014, "The simple difference formula: an approach to teaching nonparametric
        correlation"; superiority is A in Vargha and Delaney 2000, "A critique and improvement
        of the CL common language effect size statistics of McGraw and Wong".

    Example:
        >>> row = compare_groups([0.5, 1.0], [0.25, 0.5]).iloc[0]
        >>> row[["U", "superiority", "rank_biserial"]].to_dict()  # 3 of 4 pairs above, 1 tied
        {'U': 3.5, 'superiority': 0.875, 'rank_biserial': 0.75}
    """
    how = Resampling(resamples=resamples, confidence=confidence, rng=rng)
    x, y = complete(a, "a"), complete(b, "b")
    u, p = mann_whitney(x, y)
    low, high = bootstrap_interval((x, y), _difference_of_means, how)
    positions = np.arange(len(x)), len(x) + np.arange(len(y))
    share_low, share_high = bootstrap_interval(positions, superiority(x, y), how)
    row = {
        "n_a": len(x),
        "n_b": len(y),
        "mean_a": x.mean(),
        "mean_b": y.mean(),
        "median_a": np.median(x),
        "median_b": np.median(y),
        "difference": x.mean() - y.mean(),
        "low": low,
        "high": high,
        "U": u,
        "p": p,
        "superiority": u / (len(x) * len(y)),
        "rank_biserial": 2 * u / (len(x) * len(y)) - 1,
        "rank_biserial_low": 2 * share_low - 1,
        "rank_biserial_high": 2 * share_high - 1,
    }
    table = pd.DataFrame([row])
    table.attrs = how.as_dict()
    del table.attrs["permutations"]  # there are none here
    return table


def _difference_of_means(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
    return x.mean(axis=axis) - y.mean(axis=axis)


def mann_whitney(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Mann and Whitney's U of the first group, and its two-sided p.

    Args:
        a: (n,) the values of one group, finite.
        b: (m,) those of the other.

    Returns:
        U, how many of the n m pairs have the value of a above that of b, a tie counting half;
        and p, 1 if all values of both groups are equal.

    Source:
        Mann and Whitney 1947, "On a test of whether one of two random variables is
        stochastically larger than the other"; `scipy.stats.mannwhitneyu` with its defaults.

    Example:
        >>> mann_whitney(np.array([3.0, 4.0]), np.array([1.0, 2.0]))  # p: 2 of the 6 orders
        (4.0, 0.3333333333333333)
    """
    from scipy import stats

    found = stats.mannwhitneyu(a, b)
    return float(found.statistic), float(found.pvalue)


def superiority(a: np.ndarray, b: np.ndarray) -> Callable[..., np.ndarray]:
    """The chance that a value of one group is above one of the other, for any resamples.

    Args:
        a: (n,) the values of one group.
        b: (m,) those of the other.

    Returns:
        A statistic for `bootstrap_interval`: of resamples (..., n) and (..., m) of positions in
        a and b joined, the share of pairs with a above b, a tie counting half. It counts
        values instead of sorting each resample.

    Source:
        Mann and Whitney 1947, "On a test of whether one of two random variables is
        stochastically larger than the other": it is U / (n m).

    Example:
        >>> share = superiority(np.array([3, 1]), np.array([1]))  # above once, one tie
        >>> float(share(np.array([0, 1]), np.array([2])))
        0.75
    """
    values, place = np.unique(np.concatenate([a, b]), return_inverse=True)

    def counts(positions: np.ndarray) -> np.ndarray:
        rows = place[positions.astype(np.int64)].reshape(-1, positions.shape[-1])
        flat = (rows + np.arange(len(rows))[:, None] * len(values)).ravel()
        return np.bincount(flat, minlength=len(rows) * len(values)).reshape(-1, len(values))

    def share(x: np.ndarray, y: np.ndarray, axis: int = -1) -> np.ndarray:
        in_a, in_b = counts(x), counts(y)
        below = np.cumsum(in_b, axis=-1) - in_b / 2
        pairs = x.shape[-1] * y.shape[-1]
        return ((in_a * below).sum(axis=-1) / pairs).reshape(x.shape[:-1])

    return share
