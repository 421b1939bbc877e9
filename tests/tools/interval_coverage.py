"""How often an interval that says 95% holds the truth: the tables that chose those of statistics.

    python tests/tools/interval_coverage.py
    python tests/tools/interval_coverage.py --samples 10000 --only mean

Each cell: the share of samples whose interval holds the truth; in brackets in how many percent of
them the whole interval lies below the truth, and above it; and the mean width. `caution` says of
the chosen interval of a mean how often it holds the truth, how often `interval_caution` is silent,
how often the interval then holds the truth, in how many of all samples it misses it without a
caution, and, of differences, in how many it lies on one side of 0 without one. About ten minutes.
"""

from collections.abc import Callable

import numpy as np
from drawn_tables import print_tables
from scipy import stats

from byhand.statistics import interval_caution, superiority_interval

SIZES = (5, 8, 12, 20, 50, 150, 500)
GROUPS = ((4, 4), (5, 5), (8, 8), (12, 12), (20, 20), (50, 50), (150, 150), (8, 40), (40, 8))
RESAMPLES = 1999
LEVELS = np.array([0.025, 0.975])
MANY, FEW = 17.37, 1.69  # relevant edges of a triple in lesson 9

Shape = tuple[int, ...]
Draw = Callable[[np.random.Generator, Shape], np.ndarray]
Ends = tuple[np.ndarray, np.ndarray]


def rr(rng: np.random.Generator, shape: Shape, skill: float = 0.3) -> np.ndarray:
    """1, 1/2, 1/3 …, and 0 for one query in ten that finds nothing."""
    return np.where(rng.random(shape) < 0.1, 0, 1 / rng.geometric(skill, shape))


def rr_paired(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    """The differences of two systems that agree on half of the queries."""
    first = rr(rng, shape)
    return first - np.where(rng.random(shape) < 0.5, first, rr(rng, shape, 0.25))


def rr_rarely(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    """The differences of two systems of one skill that rank 5% of the queries anew."""
    return np.where(rng.random(shape) < 0.05, rr(rng, shape) - rr(rng, shape), 0)


def few_fall(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    """Differences with a mean of nearly 0: most gain a little, and 4% lose 0.5."""
    return np.where(rng.random(shape) < 0.04, -0.5, rng.uniform(0, 0.042, shape))


def ap(rng: np.random.Generator, shape: Shape, other: float = 1.8) -> np.ndarray:
    """Many low values, a few high ones."""
    return rng.beta(0.6, other, shape)


def ap_paired(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    """The differences of two systems that find the same queries hard."""
    hard, own, other = rng.normal(size=(3, *shape))
    first, second = (stats.norm.cdf((2 * hard + noise) / np.sqrt(5)) for noise in (own, other))
    return stats.beta.ppf(first, 0.6, 1.8) - stats.beta.ppf(second, 0.6, 2.2)


def triples(
    rng: np.random.Generator, shape: Shape, relevant: float, skill: float = 0
) -> tuple[np.ndarray, np.ndarray]:
    """The RR of lesson 9's triples under a system of that skill, and under one of none."""
    length = np.exp(rng.uniform(np.log(1000), np.log(100_000), shape)).astype(int)
    found = 1 + rng.poisson(relevant - 1, shape)

    def values(strength: float) -> np.ndarray:
        best = stats.norm.isf(1 - rng.random(shape) ** (1 / found)) + strength
        return 1 / (1 + rng.binomial(length - found, stats.norm.sf(best)))

    return values(skill), values(0)


def many(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    """The RR of triples with many relevant edges, ranked at random."""
    return triples(rng, shape, MANY)[1]


def few(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    """The RR of triples with few relevant edges, ranked at random."""
    return triples(rng, shape, FEW)[1]


SAMPLES: dict[str, Draw] = {
    "RR": rr,
    "RR, paired": rr_paired,
    "AP": ap,
    "AP, paired": ap_paired,
    "lesson 9, many": many,
    "lesson 9, few": few,
    "RR, 5% anew": rr_rarely,
    "4% lose .5, the others gain": few_fall,
    "lesson 9, paired": lambda rng, shape: np.subtract(*triples(rng, shape, MANY, 0.3)),
}
PAIRS: dict[str, tuple[Draw, Draw]] = {
    "RR, no difference": (rr, rr),
    "RR": (rr, lambda rng, shape: rr(rng, shape, 0.15)),
    "AP": (ap, lambda rng, shape: ap(rng, shape, 6)),
    "lesson 9, many and few": (many, few),
    "far apart": (lambda rng, shape: rng.normal(2.5, 1, shape), lambda r, s: r.normal(0, 1, s)),
    "one ten times as spread": (
        lambda rng, shape: rng.normal(0.5, 0.1, shape),
        lambda rng, shape: rng.normal(0, 1, shape),
    ),
}


def resampled(x: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """For each row the means of its resamples and their squared errors; rows share the draws."""
    n = x.shape[1]
    share = rng.multinomial(n, np.full(n, 1 / n), RESAMPLES).T / n
    means, centred = x @ share, x - x.mean(axis=1, keepdims=True)
    squares = centred**2 @ share - (means - x.mean(axis=1, keepdims=True)) ** 2
    return means, np.maximum(squares, 0) / (n - 1)


def studentised(estimate: np.ndarray, error: np.ndarray, again: np.ndarray, errors: np.ndarray):
    """The bootstrap-t interval; a resample without spread has no t and is left out."""
    spread = errors > 1e-9 * error[:, None]
    t = np.where(spread, (again - estimate[:, None]) / np.where(spread, errors, 1), np.nan)
    t[np.isnan(t).all(axis=1)] = 0
    low, high = np.nanquantile(t, LEVELS, axis=1)
    return estimate - high * error, estimate - low * error


def bca(x: np.ndarray, means: np.ndarray) -> Ends:
    """The bias-corrected and accelerated interval; of a mean, the acceleration is its skewness."""
    centred = x - x.mean(axis=1, keepdims=True)
    cubes, squares = (centred**3).sum(axis=1), (centred**2).sum(axis=1)
    slope = np.divide(cubes, 6 * squares**1.5, out=np.zeros_like(cubes), where=squares > 0)
    observed = x.mean(axis=1, keepdims=True)
    below = ((means < observed).mean(axis=1) + (means <= observed).mean(axis=1)) / 2
    bias = stats.norm.ppf(below.clip(1 / RESAMPLES, 1 - 1 / RESAMPLES))
    z = bias + stats.norm.ppf(LEVELS)[:, None]
    places = np.rint(stats.norm.cdf(bias + z / (1 - slope * z)) * (RESAMPLES - 1)).astype(int)
    return tuple(np.take_along_axis(np.sort(means, axis=1), places.T, axis=1).T)


def of_mean(x: np.ndarray, rng: np.random.Generator) -> dict[str, Ends]:
    """The intervals for the mean of each row."""
    n = x.shape[1]
    mean, error = x.mean(axis=1), x.std(axis=1, ddof=1) / np.sqrt(n)
    reach = stats.t.isf(0.025, n - 1) * error
    means, squares = resampled(x, rng)
    return {
        "t": (mean - reach, mean + reach),
        "studentised": studentised(mean, error, means, np.sqrt(squares)),
        "BCa": bca(x, means),
        "percentile": tuple(np.quantile(means, LEVELS, axis=1)),
    }


def of_difference(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> dict[str, Ends]:
    """The intervals for the difference of the means of two independent groups."""
    n, m = x.shape[1], y.shape[1]
    parts = x.var(axis=1, ddof=1) / n, y.var(axis=1, ddof=1) / m
    difference, error = x.mean(axis=1) - y.mean(axis=1), np.sqrt(sum(parts))
    welch = parts[0] ** 2 / (n - 1) + parts[1] ** 2 / (m - 1)
    freedom = np.divide(error**4, welch, out=np.ones_like(error), where=welch > 0)
    reach = stats.t.isf(0.025, freedom) * error
    (of_x, squares_x), (of_y, squares_y) = resampled(x, rng), resampled(y, rng)
    again, errors = of_x - of_y, np.sqrt(squares_x + squares_y)
    return {
        "Welch": (difference - reach, difference + reach),
        "studentised": studentised(difference, error, again, errors),
        "percentile": tuple(np.quantile(again, LEVELS, axis=1)),
    }


def of_superiority(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> dict[str, Ends]:
    """The intervals for the chance that a value of x is above one of y."""
    n, m = x.shape[1], y.shape[1]
    above = (np.sign(x[:, :, None] - y[:, None, :]) + 1) / 2
    share, rows, columns = above.mean(axis=(1, 2)), above.mean(axis=2), above.mean(axis=1)
    known, place = np.unique(share, return_inverse=True)
    score = np.array([superiority_interval(value, n, m) for value in known])[place].T
    parts = rows.var(axis=1, ddof=1) / n, columns.var(axis=1, ddof=1) / m
    squares = parts[0] ** 2 / (n - 1) + parts[1] ** 2 / (m - 1)
    freedom = np.divide(sum(parts) ** 2, squares, out=np.ones_like(squares), where=squares > 0)
    inner = share.clip(0.5 / (n * m), 1 - 0.5 / (n * m))
    slope = inner * (1 - inner)
    reach = stats.t.isf(0.025, np.maximum(freedom, 1)) * np.sqrt(sum(parts)) / slope
    logit = np.log(inner / (1 - inner))
    again = [rng.multinomial(k, np.full(k, 1 / k), 500).astype(np.float32) / k for k in (n, m)]
    shares = np.stack([((again[0] @ one) * again[1]).sum(axis=1) for one in np.float32(above)])
    return {
        "score": tuple(score),
        "logit": (1 / (1 + np.exp(reach - logit)), 1 / (1 + np.exp(-reach - logit))),
        "percentile": tuple(np.quantile(shares, LEVELS, axis=1)),
    }


def line_of(found: dict[str, Ends], truth: float) -> str:
    """One line: coverage, misses and width of each kind."""
    said = []
    for low, high in found.values():
        below, above = (high < truth - 1e-12).mean(), (low > truth + 1e-12).mean()
        misses = f"({below:5.1%} {above:5.1%})"
        said.append(f"{1 - below - above:.3f} {misses} {np.mean(high - low):8.3g}")
    return " | ".join(said)


def heading(name: str, truth: float, kinds: list[str]) -> None:
    """The name of a population and those of the columns."""
    print(f"\n{name}, truth {truth:.4f}\n{'n':>9} | " + " | ".join(f"{kind:^28}" for kind in kinds))


def show_means(samples: int) -> None:
    """Print the table for means."""
    for name, draw in SAMPLES.items():
        truth = draw(np.random.default_rng(99), (4_000_000,)).mean()
        heading(name, truth, ["t", "studentised", "BCa", "percentile"])
        for n in SIZES:
            rng = np.random.default_rng(n)
            print(f"{n:>9} | {line_of(of_mean(draw(rng, (samples, n)), rng), truth)}", flush=True)


def show_caution(samples: int) -> None:
    """Print how often no caution is given, and what the interval does then."""
    for name, draw in SAMPLES.items():
        truth = draw(np.random.default_rng(99), (4_000_000,)).mean()
        print(f"\n{name}, truth {truth:.4f}")
        print(f"{'n':>9} | held | silent | held then | missed without | beside 0 without")
        for n in (*SIZES[2:4], 25, 50, 100, 200, 500):
            x = draw(np.random.default_rng(n), (samples, n))
            reach = stats.t.isf(0.025, n - 1) * x.std(axis=1, ddof=1) / np.sqrt(n)
            held = np.abs(x.mean(axis=1) - truth) <= reach
            warned = np.array([interval_caution(row) is not None for row in x])
            beside = ~warned & (np.abs(x.mean(axis=1)) > reach)
            then = f"{held[~warned].mean():.3f}" if not warned.all() else "–"
            cells = [f"{held.mean():.3f}", f"{(~warned).mean():.0%}", then]
            cells += [f"{(~warned & ~held).mean():.1%}", f"{beside.mean():.1%}"]
            print(f"{n:>9} | {' | '.join(cells)}", flush=True)


def show_groups(samples: int) -> None:
    """Print the table for the difference of two independent means."""
    for name, (a, b) in PAIRS.items():
        rng = np.random.default_rng(99)
        truth = a(rng, (4_000_000,)).mean() - b(rng, (4_000_000,)).mean()
        heading(name, truth, ["Welch", "studentised", "percentile"])
        for n, m in GROUPS:
            rng = np.random.default_rng(n)
            found = of_difference(a(rng, (samples, n)), b(rng, (samples, m)), rng)
            print(f"{n:>4} {m:>4} | {line_of(found, truth)}", flush=True)


def show_superiority(samples: int) -> None:
    """Print the table for the chance that a value of one group is above one of the other."""
    for name, (a, b) in PAIRS.items():
        rng = np.random.default_rng(99)
        x, y = a(rng, (1_000_000,)), np.sort(b(rng, (1_000_000,)))
        sides = (np.searchsorted(y, x, side) for side in ("left", "right"))
        truth = sum(side.mean() for side in sides) / 2 / len(y)
        heading(name, truth, ["score", "logit", "percentile"])
        for n, m in GROUPS:
            rng, fewer = np.random.default_rng(n), min(samples, 500_000 // (n + m) ** 2 * 10 + 300)
            found = of_superiority(a(rng, (fewer, n)), b(rng, (fewer, m)), rng)
            print(f"{n:>4} {m:>4} | {line_of(found, truth)}", flush=True)


TABLES = {
    "mean": show_means,
    "caution": show_caution,
    "groups": show_groups,
    "superiority": show_superiority,
}


if __name__ == "__main__":
    print_tables(__doc__.splitlines()[0], TABLES)
