"""Comparison of two independent groups of queries."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from byhand.statistics.intervals import CONFIDENCE, difference_interval
from byhand.statistics.per_query import complete
from byhand.whole import WholeFrame

_PAIRS = 2_500  # enumerated in 0.05 s


def compare_groups(a: ArrayLike, b: ArrayLike, *, confidence: float = CONFIDENCE) -> pd.DataFrame:
    """Compare two independent groups of per-query values, in a table with one row.

    For two systems on the same queries, use `compare`, because their values are paired. Up to 2,500
    pairs of values, p is exact. Otherwise it is a normal approximation, off by at most 0.002 with
    50 values against 51, and by 0.114 with 1 against 2,600.

    Args:
        a, b: the values of each group: a list, array or Series of numbers.
        confidence: the confidence of the interval, between 0 and 1; 0.95 by default.

    Returns:
        `n_a`, `mean_a`, `median_a` and so on; the `difference` of the means a - b with its
        interval, `low` and `high`; Mann and Whitney's `U`, its two-sided `p` and whether that is
        `exact`; and the probability of `superiority` of a over b, in which ties count half.

    Raises:
        DataError: If a group is empty, or a value is NaN, infinite or not a number.
        ValueError: If an option is out of range.

    References:
        Mann and Whitney 1947, "On a test of whether one of two random variables is
        stochastically larger than the other";
        superiority is A in Vargha and Delaney 2000, "A critique and improvement of the CL common
        language effect size statistics of McGraw and Wong".

    Example:
        >>> row = compare_groups([0.5, 1.0], [0.25, 0.5]).iloc[0]
        >>> row[["U", "superiority"]].to_dict()  # 3 of 4 pairs above, 1 tied
        {'U': 3.5, 'superiority': 0.875}
    """
    x, y = complete(a, "a"), complete(b, "b")
    u, p = _mann_whitney(x, y)
    low, high = difference_interval(x, y, confidence=confidence)
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
        "exact": _is_counted(x, y),
        "superiority": u / (len(x) * len(y)),
    }
    table = WholeFrame([row])
    table.attrs = {"confidence": confidence}
    return table


def _mann_whitney(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Return U, and the share of all arrangements in which it is at least as extreme."""
    from scipy import stats

    if not _is_counted(a, b):
        test = stats.mannwhitneyu(a, b, method="asymptotic")
        return float(test.statistic), float(test.pvalue)
    joined = np.concatenate([a, b])
    doubled = np.rint(2 * stats.rankdata(joined)).astype(int)  # tied ranks may end in .5
    n, m = len(a), len(b)
    u = doubled[:n].sum() / 2 - n * (n + 1) / 2
    counts = _sums_of(min(n, m), np.sort(doubled))
    smaller = doubled[:n] if n <= m else doubled[n:]
    middle = min(n, m) * (n + m + 1)
    far = np.abs(np.arange(len(counts)) - middle) >= abs(int(smaller.sum()) - middle)
    return float(u), float(counts[far].sum() / counts.sum())


def _is_counted(a: np.ndarray, b: np.ndarray) -> bool:
    return len(a) * len(b) <= _PAIRS


def _sums_of(size: int, numbers: np.ndarray) -> np.ndarray:
    """Count the subsets of that size by their sum, adding one number at a time."""
    most = int(numbers[len(numbers) - size :].sum())
    counts = np.zeros((size + 1, most + 1))
    counts[0, 0] = 1
    for number in numbers:
        counts[1:, number:] += counts[:-1, : most + 1 - number]
    return counts[size]
