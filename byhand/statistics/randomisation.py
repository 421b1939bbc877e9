"""The randomisation test of a mean paired difference, and how to write a p and correct many."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from byhand.metrics.measures.measure import is_whole
from byhand.statistics.intervals import CONFIDENCE, check_confidence
from byhand.statistics.per_query import ROUNDING, expect

Rng = int | np.random.Generator
_BYTES = 1 << 20  # random bytes that are in memory at once, each the signs of eight queries


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """How much chance is drawn for a test and from which seed, and how sure intervals are to be.

    Raises:
        ValueError: an option out of range.
    """

    permutations: int = 100_000  # random assignments of signs for a test, from 1
    confidence: float = CONFIDENCE  # of the intervals, between 0 and 1
    rng: Rng = 0  # a seed, from which each test begins anew, or a generator

    def __post_init__(self) -> None:
        fine = is_whole(self.permutations) and self.permutations >= 1
        what = "a whole number from 1, such as 100_000"
        expect(fine, what, permutations=self.permutations)
        check_confidence(self.confidence)

    @property
    def alpha(self) -> float:
        """At or below which p counts, so that test and interval are as strict: 1 - confidence."""
        return round(1 - self.confidence, 12)

    def as_dict(self) -> dict[str, object]:
        """The options by name, as plain values that any file format keeps."""
        drawn = isinstance(self.rng, np.random.Generator)
        return {**vars(self), "rng": "a generator" if drawn else self.rng}


_USUAL = Resampling()


def randomisation_p(difference: np.ndarray, how: Resampling = _USUAL) -> float:
    """The two-sided p of the randomisation test of a mean paired difference.

    It is the share of all assignments of signs to the differences in which the mean is as far from
    0 as the one observed, or farther; where assignments are drawn, that one counts, too.

    Args:
        difference: (Q,) one difference a query, finite.
        how: how many assignments to draw; none if p `is_exact`.

    Source:
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
    """The means that `randomisation_p` looks at: as many as are drawn, or those of all signs.

    Example:
        >>> sign_flip_means(np.array([0.5, 0.25])).tolist()  # ++, -+, +- and --
        [0.375, -0.125, 0.125, -0.375]
    """
    return np.concatenate(list(_sums(difference, how))) / len(difference)


def as_extreme_as(difference: np.ndarray) -> float:
    """From which distance on a mean is as far from 0 as the observed one, but for rounding."""
    reach = abs(difference.sum()) - ROUNDING * np.abs(difference).sum()
    return float(reach / max(1, len(difference)))


def is_exact(difference: np.ndarray, how: Resampling = _USUAL) -> bool:
    """Whether `randomisation_p` takes each assignment of signs once: they are no more than drawn.

    Example:
        >>> is_exact(np.ones(16)), is_exact(np.ones(17))  # of 65,536 and of 131,072
        (True, False)
    """
    return bool(np.count_nonzero(difference) <= max(1, np.log2(how.permutations)))


def _sums(difference: np.ndarray, how: Resampling) -> Iterator[np.ndarray]:
    """The sums under all assignments of signs, or under random ones in blocks."""
    nonzero = difference[difference != 0]  # 0 adds nothing under either sign
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
    """The sum of the values under each assignment of signs, all 2^n."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def p_text(p: float, *, exact: bool, permutations: int | None = None) -> str:
    """A p with the digits that it has: those of a drawn one end where chance begins.

    Args:
        p: the p.
        exact: whether it is counted or computed, and not drawn: it gets three digits.
        permutations: how many were drawn; the last digit is no finer than the standard error.

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
