"""How large a paired difference is, on scales without a unit, and Wilcoxon's test of its ranks.

scipy is imported inside the functions, so that `import byhand` does without it.
"""

import numpy as np

from byhand.statistics.samples import ROUNDING


def wilcoxon_p(difference: np.ndarray) -> float:
    """The two-sided p of Wilcoxon's signed-rank test; ties are left out, 1 if all are ties.

    Args:
        difference: (Q,) one difference a query, finite.

    Source:
        Wilcoxon 1945, "Individual comparisons by ranking methods"; `scipy.stats.wilcoxon` with
        its defaults.

    Example:
        >>> wilcoxon_p(np.array([0.5, 0.25, 0.125]))  # +++ and ---, of 8
        0.25
    """
    from scipy import stats

    ranked = _rankable(difference)
    return float(stats.wilcoxon(ranked[ranked != 0]).pvalue) if ranked.any() else 1.0


def paired_rank_biserial(difference: np.ndarray) -> float:
    """The matched-pairs rank-biserial correlation: how one-sided the ranked differences are.

    Rank the differences by size, ties left out; of the sum of the ranks, take the share that is
    for a, minus the share that is for b.

    Args:
        difference: (Q,) one difference a query, a - b, finite.

    Returns:
        -1 (b is never lower) to 1 (a is never lower); 0 if there is no difference.

    Source:
        Kerby 2014, "The simple difference formula: an approach to teaching nonparametric
        correlation".

    Example:
        >>> paired_rank_biserial(np.array([0.3, 0.2, -0.1]))  # (3 + 2 - 1) / 6
        0.6666666666666666
    """
    from scipy import stats

    ranked = _rankable(difference)
    ranked = ranked[ranked != 0]
    if len(ranked) == 0:
        return 0.0
    ranks = stats.rankdata(np.abs(ranked))
    return float(np.sum(np.sign(ranked) * ranks) / ranks.sum())


def standardised(difference: np.ndarray) -> float:
    """The mean difference in units of the standard deviation of the differences.

    Args:
        difference: (Q,) one difference a query, finite.

    Returns:
        0 if there is no difference; infinite if all queries differ by the same amount; NaN for
        a single query, which has no standard deviation.

    Source:
        Sakai 2018, "Laboratory Experiments in Information Retrieval"; d_z in Lakens 2013,
        "Calculating and reporting effect sizes to facilitate cumulative science".

    Example:
        >>> standardised(np.array([0.1, 0.3]))  # 0.2 / (0.1 * sqrt(2))
        1.4142135623730951
    """
    if not difference.any():
        return 0.0
    if len(difference) < 2:
        return np.nan
    mean, deviation = difference.mean(), difference.std(ddof=1)
    constant = deviation <= ROUNDING * abs(mean)
    return float(np.copysign(np.inf, mean) if constant else mean / deviation)


def _rankable(difference: np.ndarray) -> np.ndarray:
    """The differences with equal ones exactly equal: what rounding told apart is tied again."""
    largest = np.abs(difference).max(initial=0)
    return np.round(difference / largest, 12) if largest else difference
