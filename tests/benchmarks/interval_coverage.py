"""How often an interval that says 95% holds the truth: the table that chose ours.

    python tests/benchmarks/interval_coverage.py
    python tests/benchmarks/interval_coverage.py --samples 10000

For each population and n: the share of samples whose interval holds the true mean, in how many
percent the whole interval lies below the truth and in how many above it, and the mean width.
"""

import argparse
from collections.abc import Callable

import numpy as np
from scipy import stats

SIZES = (5, 8, 12, 20, 50, 150, 500)
RESAMPLES = 1999
ENDS = np.array([0.025, 0.975])


def rr(rng: np.random.Generator, shape: tuple[int, ...], chance: float = 0.3) -> np.ndarray:
    """1, 1/2, 1/3 …, and 0 for one query in ten that finds nothing."""
    return np.where(rng.random(shape) < 0.1, 0, 1 / rng.geometric(chance, shape))


def rr_paired(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Two systems that agree on half of the queries."""
    first = rr(rng, shape)
    return first - np.where(rng.random(shape) < 0.5, first, rr(rng, shape, 0.25))


def ap(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Many low values, a few high ones."""
    return rng.beta(0.6, 1.8, shape)


def ap_paired(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Two systems that find the same queries hard."""
    hard, own, other = rng.normal(size=(3, *shape))
    first, second = (stats.norm.cdf((2 * hard + x) / np.sqrt(5)) for x in (own, other))
    return stats.beta.ppf(first, 0.6, 1.8) - stats.beta.ppf(second, 0.6, 2.2)


def triples(
    rng: np.random.Generator, shape: tuple[int, ...], relevant: float, skill: float = 0
) -> tuple[np.ndarray, np.ndarray]:
    """The RR of lesson 8's triples, of one system and of one without skill: best against noise."""
    length = np.exp(rng.uniform(np.log(1000), np.log(100_000), shape)).astype(int)
    found = 1 + rng.poisson(relevant - 1, shape)

    def of(strength: float) -> np.ndarray:
        best = stats.norm.isf(1 - rng.random(shape) ** (1 / found)) + strength
        return 1 / (1 + rng.binomial(length - found, stats.norm.sf(best)))

    return of(skill), of(0)


POPULATIONS: dict[str, Callable] = {
    "RR": rr,
    "RR, paired": rr_paired,
    "AP": ap,
    "AP, paired": ap_paired,
    "lesson 8, many": lambda rng, shape: triples(rng, shape, 17.37)[0],
    "lesson 8, few": lambda rng, shape: triples(rng, shape, 1.69)[0],
    "lesson 8, paired": lambda rng, shape: np.subtract(*triples(rng, shape, 17.37, 0.3)),
}


def intervals(x: np.ndarray, rng: np.random.Generator) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The ends of each kind of interval for the mean of each row; all rows share resamples."""
    n = x.shape[1]
    mean, error = x.mean(axis=1), x.std(axis=1, ddof=1) / np.sqrt(n)
    t = stats.t.isf(0.025, n - 1)
    found = {"t": (mean - t * error, mean + t * error)}
    share = rng.multinomial(n, np.full(n, 1 / n), RESAMPLES).T / n
    means, squares = x @ share, (x - mean[:, None]) ** 2 @ share
    found["percentile"] = tuple(np.quantile(means, ENDS, axis=1))
    errors = np.sqrt(np.maximum(squares - (means - mean[:, None]) ** 2, 0) / (n - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = (means - mean[:, None]) / errors
    ratios = np.where(errors > 1e-9 * (error[:, None] + 1e-300), ratios, np.nan)
    few = np.isnan(ratios).mean(axis=1) > 0.5
    low_t, high_t = np.nanquantile(np.where(few[:, None], 0.0, ratios), ENDS, axis=1)
    found["studentised"] = (mean - high_t * error, mean - low_t * error)
    spread = x - mean[:, None]
    cubes, second = (spread**3).sum(axis=1), (spread**2).sum(axis=1)
    slope = np.divide(cubes, 6 * second**1.5, out=np.zeros_like(cubes), where=second > 0)
    below = (means < mean[:, None]).mean(axis=1) + (means == mean[:, None]).mean(axis=1) / 2
    bias = stats.norm.ppf(below.clip(1 / RESAMPLES, 1 - 1 / RESAMPLES))
    z = bias + stats.norm.ppf(ENDS)[:, None]
    levels = stats.norm.cdf(bias + z / (1 - slope * z))
    means.sort(axis=1)
    places = np.rint(levels * (RESAMPLES - 1)).astype(int)
    found["BCa"] = tuple(np.take_along_axis(means, places.T, axis=1).T)
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--samples", type=int, default=2000, metavar="N")
    samples = options.parse_args().samples
    for name, draw in POPULATIONS.items():
        truth = draw(np.random.default_rng(99), (10_000_000,)).mean()
        print(f"\n{name}, true mean {truth:.5f}")
        for n in SIZES:
            rng = np.random.default_rng(n)
            x = draw(rng, (samples, n))
            line = f"{n:>5}"
            for kind, (low, high) in intervals(x, rng).items():
                below, above = (high < truth).mean(), (low > truth).mean()
                line += f" | {kind[:8]:>8} {1 - below - above:.3f} ({below:4.1%} {above:4.1%})"
                line += f" {np.nanmean(high - low):8.4f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
