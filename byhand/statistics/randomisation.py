"""The randomisation test of a mean paired difference, and how to write a p and correct many."""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from byhand.statistics.resampling import DEFAULT, Resampling
from byhand.statistics.samples import ROUNDING

_BYTES = 1 << 20  # random bytes that are in memory at once, each the signs of eight queries


def randomisation_p(difference: np.ndarray, how: Resampling = DEFAULT) -> float:
    """The two-sided p of the randomisation test of a mean paired difference.

    If it made no difference which system produced which of a query's two values, each
    difference could as well have the other sign. p is the share of all those assignments of
    signs in which the mean is as far from 0 as the one observed, or farther.

    Args:
        difference: (Q,) one difference a query, finite.
        how: how many assignments to draw; none if p `is_exact`.

    Returns:
        p, 0 to 1; 1 if there is no difference. Drawn, the observed mean is counted in, so p is
        never below 1 / (permutations + 1).

    Source:
        Smucker, Allan and Carterette 2007, "A comparison of statistical significance tests for
        information retrieval evaluation"; Phipson and Smyth 2010, "Permutation p-values should
        never be zero".

    Example:
        >>> randomisation_p(np.array([0.5, 0.25, 0.125]))  # +++ and ---, of 8
        0.25
    """
    far = as_far_from(difference) * len(difference)
    nonzero = difference[difference != 0]  # 0 adds nothing under either sign
    if is_exact(difference, how):
        return float((np.abs(_signed_sums(nonzero)) >= far).mean())
    reached = 1 + sum(int((np.abs(sums) >= far).sum()) for sums in _drawn_sums(nonzero, how))
    return reached / (how.permutations + 1)


def tossed_means(difference: np.ndarray, how: Resampling = DEFAULT) -> np.ndarray:
    """The means that the randomisation test looks at: one for each assignment of signs.

    Args:
        difference: (Q,) one difference a query, finite.
        how: how many assignments to draw; none if p `is_exact`.

    Returns:
        (permutations,) means, or all (2^n,) of them for n differences other than 0.

    Example:
        >>> tossed_means(np.array([0.5, 0.25])).tolist()  # ++, -+, +- and --
        [0.375, -0.125, 0.125, -0.375]
    """
    nonzero = difference[difference != 0]
    exact = is_exact(difference, how)
    sums = _signed_sums(nonzero) if exact else np.concatenate(list(_drawn_sums(nonzero, how)))
    return sums / len(difference)


def as_far_from(difference: np.ndarray) -> float:
    """From which distance on a mean is as far from 0 as the observed one, or farther.

    It is a rounding error less than the observed mean, as what adds up to the same in another
    order is as far.

    Args:
        difference: (Q,) one difference a query, finite.

    Example:
        >>> round(as_far_from(np.array([0.5, -0.25])), 9)
        0.125
    """
    reach = abs(difference.sum()) - ROUNDING * np.abs(difference).sum()
    return float(reach / max(1, len(difference)))


def _drawn_sums(nonzero: np.ndarray, how: Resampling) -> Iterator[np.ndarray]:
    """The sums under random assignments of signs, in blocks."""
    eights = [_signed_sums(nonzero[i : i + 8]) for i in range(0, len(nonzero), 8)]
    generator, block = how.generator, max(1, _BYTES // len(eights))
    for start in range(0, how.permutations, block):
        size = min(block, how.permutations - start)
        drawn = generator.integers(0, 256, (len(eights), size), dtype=np.uint8)
        # the last table may have fewer than 256 sums, always a power of 2
        yield sum(of[signs & (len(of) - 1)] for of, signs in zip(eights, drawn, strict=True))


def _signed_sums(values: np.ndarray) -> np.ndarray:
    """The sum of the values under each assignment of signs, all 2^n."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def is_exact(difference: np.ndarray, how: Resampling = DEFAULT) -> bool:
    """Whether `randomisation_p` takes each assignment of signs once: they are no more than drawn.

    Example:
        >>> is_exact(np.ones(16)), is_exact(np.ones(17))  # of 65,536 and of 131,072
        (True, False)
    """
    return bool(np.count_nonzero(difference) <= max(1, np.log2(how.permutations)))


def p_text(p: float, *, exact: bool, permutations: int | None = None) -> str:
    """A p with the digits that it has: those of a drawn one end where chance begins.

    Args:
        p: the p.
        exact: whether it is counted or computed, and not drawn: it gets three digits.
        permutations: how many were drawn. The last digit shown is no finer than the standard
            error, sqrt(p (1 - p) / permutations); at its floor, p is known to be no larger.

    Example:
        >>> p_text(0.125, exact=True), p_text(0.05342, exact=False, permutations=100_000)
        ('0.125', '0.053')
        >>> p_text(1 / 100_001, exact=False, permutations=100_000)
        '≤ 0.00001'
    """
    if exact or permutations is None or p >= 1:
        return np.format_float_positional(float(f"{p:.3g}"), trim="-") if p > 1e-6 else f"{p:.1e}"
    if p <= 1 / (permutations + 1) * (1 + ROUNDING):
        digits = math.ceil(math.log10(permutations + 1))
        rounded_up = math.ceil(10**digits / (permutations + 1)) / 10**digits
        return f"≤ {rounded_up:.{digits}f}".rstrip("0")
    digits = max(1, math.floor(-math.log10(math.sqrt(p * (1 - p) / permutations))))
    return f"{p:.{digits}f}" if round(p, digits) else f"< {10**-digits:.{digits}f}"


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
