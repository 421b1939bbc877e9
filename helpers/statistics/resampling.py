"""Tests, intervals and effect sizes for paired differences; scipy does the statistics.

scipy is imported inside the functions, so that `import helpers` does without it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

Rng = int | np.random.Generator

_CELLS = 1 << 21  # resampled values that are in memory at once: 16 MB
_ROUNDING = 1e-12  # of the largest value: what is left of a tie after adding up in another order


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """How much chance is drawn for a test and an interval, and from which seed.

    Attributes:
        permutations: how many random assignments of signs the randomisation test draws.
        resamples: how many times the bootstrap resamples.
        confidence: of the bootstrap interval, between 0 and 1.
        rng: a seed, from which each test and each interval begins anew, or a generator.

    Raises:
        ValueError: a count below 1, or a confidence that is not between 0 and 1.

    Example:
        >>> Resampling(confidence=0.9).confidence
        0.9
    """

    permutations: int = 10_000
    resamples: int = 10_000
    confidence: float = 0.95
    rng: Rng = 0

    def __post_init__(self) -> None:
        for name in ("permutations", "resamples"):
            count = getattr(self, name)
            if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
                raise ValueError(
                    f"{name}={count!r}: expected a whole number from 1, such as 10_000."
                )
        if not 0 < self.confidence < 1:
            raise ValueError(
                f"confidence={self.confidence!r}: expected a number between 0 and 1, such as 0.95."
            )

    @property
    def generator(self) -> np.random.Generator:
        """The generator to draw from."""
        return np.random.default_rng(self.rng)

    def as_dict(self) -> dict[str, object]:
        """The options by name, as plain values that any file format keeps."""
        drawn = isinstance(self.rng, np.random.Generator)
        return {**vars(self), "rng": "a generator" if drawn else self.rng}


DEFAULT = Resampling()


def differences(a: ArrayLike, b: ArrayLike) -> np.ndarray:
    """a - b, value by value, with what is only rounding set to 0.

    Args:
        a: (Q,) the values of one system.
        b: (Q,) those of the other, for the same queries in the same order.

    Returns:
        (Q,) the differences. One below 1e-12 of the largest value counts as a tie: the same
        numbers added up in another order differ by that much.

    Example:
        >>> differences([0.1 + 0.2, 0.5], [0.3, 0.25]).tolist()
        [0.0, 0.25]
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    largest = max(np.abs(a).max(initial=0), np.abs(b).max(initial=0))
    difference = a - b
    difference[np.abs(difference) <= _ROUNDING * largest] = 0
    return difference


def randomisation_p(difference: np.ndarray, how: Resampling = DEFAULT) -> float:
    """The two-sided p of the randomisation test of a mean paired difference.

    If it made no difference which system produced which of a query's two values, each
    difference could as well have the other sign. p is the share of all those assignments of
    signs in which the mean is as far from 0 as the one observed, or farther.

    Args:
        difference: (Q,) one difference a query, finite.
        how: how many assignments to draw; none if p `is_exact`.

    Returns:
        p, 0 to 1; 1 if there is no difference. Drawn, it is twice the smaller tail with the
        observed mean counted in, and so never below 2 / (permutations + 1).

    Source:
        Smucker, Allan and Carterette 2007, "A comparison of statistical significance tests for
        information retrieval evaluation".

    Example:
        >>> randomisation_p(np.array([0.5, 0.25, 0.125]))  # +++ and ---, of 8
        0.25
    """
    from scipy import stats

    # a difference of 0 adds nothing under either sign
    nonzero = difference[difference != 0]
    if len(nonzero) < 2:  # both signs of a single one are equally far from 0
        return 1.0
    if is_exact(difference, how):
        exact = stats.permutation_test(
            (nonzero,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
        )
        return float(exact.pvalue)
    generator = how.generator

    def with_random_signs(size: tuple[int, int]) -> np.ndarray:
        # eight signs a random byte; permutation_test takes eight times as long
        random = generator.integers(0, 256, (size[0], -(-size[1] // 8)), dtype=np.uint8)
        return np.where(np.unpackbits(random, axis=1, count=size[1]), nonzero, -nonzero)

    drawn = stats.monte_carlo_test(
        nonzero,
        with_random_signs,
        np.mean,
        vectorized=True,
        n_resamples=how.permutations,
        batch=_batch(len(nonzero)),
    )
    return float(drawn.pvalue)


def is_exact(difference: np.ndarray, how: Resampling = DEFAULT) -> bool:
    """Whether `randomisation_p` takes each assignment of signs once: they are no more than drawn.

    Example:
        >>> is_exact(np.ones(13)), is_exact(np.ones(14))  # of 8,192 and of 16,384
        (True, False)
    """
    return bool(np.count_nonzero(difference) <= max(1, np.log2(how.permutations)))


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
    constant = deviation <= _ROUNDING * abs(mean)
    return float(np.copysign(np.inf, mean) if constant else mean / deviation)


def bootstrap_interval(
    samples: tuple[np.ndarray, ...],
    statistic: Callable[..., np.ndarray],
    how: Resampling = DEFAULT,
) -> tuple[float, float]:
    """The percentile bootstrap interval of a statistic: its middle 95% over resamples.

    Args:
        samples: the values, (n,) each; every sample is resampled by itself, with replacement.
        statistic: takes as many arrays, and `axis`.
        how: how many resamples to draw, and how much of their distribution the interval holds.

    Returns:
        The lower and the upper end; NaN if a sample has only one value, which says nothing of
        how much values vary. From few values (say, under 50), or very skewed ones, the interval
        is too narrow: it holds the true value less often than it says.

    Source:
        Efron and Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13.

    Example:
        >>> bootstrap_interval((np.array([0.5, 0.5]),), np.mean)
        (0.5, 0.5)
    """
    from scipy import stats

    if min(map(len, samples)) < 2:
        return np.nan, np.nan
    found = stats.bootstrap(
        samples,
        statistic,
        method="percentile",
        vectorized=True,
        n_resamples=how.resamples,
        batch=_batch(sum(map(len, samples))),
        confidence_level=how.confidence,
        random_state=how.generator,  # named rng from scipy 1.15 on, which takes both
    ).confidence_interval
    return float(found.low), float(found.high)


def holm(p: ArrayLike) -> np.ndarray:
    """p-values corrected for how many there are, by Holm's step-down procedure.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none becomes smaller
    than the one before it, nor larger than 1. Calling those at or below 0.05 significant, the
    chance of one or more false alarms among all of them is at most 0.05.

    Args:
        p: (m,) the p-values, in any order.

    Source:
        Holm 1979, "A simple sequentially rejective multiple test procedure".

    Example:
        >>> holm([0.02, 0.25, 0.0625]).tolist()  # 3 * 0.02, 1 * 0.25, 2 * 0.0625
        [0.06, 0.25, 0.125]
    """
    p = np.asarray(p, dtype=float)
    order = np.argsort(p)
    corrected = np.empty_like(p)
    corrected[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)).clip(max=1)
    return corrected


def _rankable(difference: np.ndarray) -> np.ndarray:
    """The differences with equal ones exactly equal: what rounding told apart is tied again."""
    largest = np.abs(difference).max(initial=0)
    return np.round(difference / largest, 12) if largest else difference


def _batch(n_values: int) -> int:
    return max(1, _CELLS // n_values)
