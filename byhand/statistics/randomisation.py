"""The permutation test of a mean paired difference, Holm's correction, and the text of a p."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from byhand.metrics.measures.measure import is_whole
from byhand.statistics.intervals import CONFIDENCE, check_confidence
from byhand.statistics.per_query import ROUNDING, expect

Rng = int | np.random.Generator
_BYTES = 1 << 20  # random bytes in memory at once; each has the signs of eight queries


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """Options of the permutation test and of intervals.

    Attributes:
        permutations: the number of random sign flips of a test, from 1; 100,000 by default.
        confidence: the confidence of the intervals, between 0 and 1; 0.95 by default.
        rng: the seed, used again for each test, or a generator; 0 by default.

    Raises:
        ValueError: If an option is out of range.
    """

    permutations: int = 100_000
    confidence: float = CONFIDENCE
    rng: Rng = 0

    def __post_init__(self) -> None:
        fine = is_whole(self.permutations) and self.permutations >= 1
        what = "a whole number from 1, such as 100_000"
        expect(fine, what, permutations=self.permutations)
        check_confidence(self.confidence)

    @property
    def alpha(self) -> float:
        """Return the significance level that matches the intervals: 1 - confidence."""
        return round(1 - self.confidence, 12)

    def as_dict(self) -> dict[str, object]:
        """Return the options by name, as plain values for any file format."""
        drawn = isinstance(self.rng, np.random.Generator)
        return {**vars(self), "rng": "a generator" if drawn else self.rng}


_USUAL = Resampling()


def randomisation_p(difference: np.ndarray, how: Resampling = _USUAL) -> float:
    """Compute the two-sided p of the permutation test of a mean paired difference.

    It is the share of all sign flips of the differences whose mean is at least as extreme as the
    observed one. If sign flips are random, the observed one also counts.

    Args:
        difference: (Q,) one difference per query, finite.
        how: the number of random sign flips, 100,000 by default, and the seed, 0 by default; not
            used if `is_exact` is True.

    References:
        Smucker, Allan and Carterette 2007, "A comparison of statistical significance tests for
        information retrieval evaluation"; Phipson and Smyth 2010, "Permutation p-values should
        never be zero".

    Example:
        >>> randomisation_p(np.array([0.5, 0.25, 0.125]))  # +++ and ---, of 8
        0.25
    """
    far = as_extreme_as(difference) * len(difference)
    reached = sum(int((np.abs(sums) >= far).sum()) for sums in _sums(difference, how))
    if is_exact(difference, how):
        return reached / 2 ** int(np.count_nonzero(difference))
    return (reached + 1) / (how.permutations + 1)


def sign_flip_means(difference: np.ndarray, how: Resampling = _USUAL) -> np.ndarray:
    """Return the means under the sign flips of `randomisation_p`: random ones, or all of them.

    Args:
        difference, how: as in `randomisation_p`.

    Example:
        >>> sign_flip_means(np.array([0.5, 0.25])).tolist()  # ++, -+, +- and --
        [0.375, -0.125, 0.125, -0.375]
    """
    return np.concatenate(list(_sums(difference, how))) / len(difference)


def as_extreme_as(difference: np.ndarray) -> float:
    """Return the smallest absolute mean that is as extreme as the observed one, within rounding."""
    reach = abs(difference.sum()) - ROUNDING * np.abs(difference).sum()
    return float(reach / max(1, len(difference)))


def is_exact(difference: np.ndarray, how: Resampling = _USUAL) -> bool:
    """Return whether `randomisation_p` tries every combination of signs once.

    Example:
        >>> is_exact(np.ones(16)), is_exact(np.ones(17))  # of 65,536 and of 131,072
        (True, False)
    """
    return bool(np.count_nonzero(difference) <= max(1, np.log2(how.permutations)))


def _sums(difference: np.ndarray, how: Resampling) -> Iterator[np.ndarray]:
    """Yield the sums under all sign flips, or under random ones in blocks."""
    nonzero = difference[difference != 0]  # a flip of 0 has no effect
    if is_exact(difference, how):
        yield _signed_sums(nonzero)
        return
    eights = [_signed_sums(nonzero[i : i + 8]) for i in range(0, len(nonzero), 8)]
    generator, block = np.random.default_rng(how.rng), max(1, _BYTES // len(eights))
    for start in range(0, how.permutations, block):
        size = min(block, how.permutations - start)
        drawn = generator.integers(0, 256, (len(eights), size), dtype=np.uint8)
        drawn[-1] &= len(eights[-1]) - 1  # the last table has fewer sums, always a power of 2
        sums = np.zeros(size)
        for of, signs in zip(eights, drawn, strict=True):
            sums += of.take(signs)
        yield sums


def _signed_sums(values: np.ndarray) -> np.ndarray:
    """Return the sums of the values under all 2^n sign flips."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def p_text(p: float, *, exact: bool, permutations: int | None = None) -> str:
    """Format a p with its significant digits; those of a random test end at its standard error.

    Args:
        p: the p value, from 0 to 1.
        exact: If True, p is not from random sign flips; it gets three digits.
        permutations: the number of random sign flips; None, the default, for an exact p.

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
    """Correct p-values for multiple comparisons by Holm's step-down procedure.

    Args:
        p: (n,) the p-values, from 0 to 1, in any order.

    Returns:
        The corrected p-values (n,), at most 1, in the same order.

    References:
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
