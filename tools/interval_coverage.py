"""How often an interval that says 95% holds the truth: the tables that chose those of statistics.

    python tools/interval_coverage.py
    python tools/interval_coverage.py --samples 10000 --only mean

Each cell: the share of samples whose interval holds the truth; in brackets in how many percent of
them the whole interval lies below the truth, and above it; and the mean width. `caution` says of
the chosen interval of a mean how often it holds the truth; how often `interval_caution` is silent;
in how many of all samples the interval misses the truth without a caution, and in how many of
those without a caution; and in how many of all samples it lies above 0, and below, without one.
Its populations are these, others that hide what is rare, and those of gate_errors.py. `gate` says
how often `compare` says "higher" without a caution, and how often the gate passes at a limit of 0.
`again`: how often the mean of another sample lies in the t interval of the first.
About fifteen minutes.
"""

from collections.abc import Callable, Iterable
from functools import partial

import gate_pairs
import numpy as np
from drawn_tables import print_tables
from scipy import stats

from byhand.statistics import interval_caution, mean_bounds, superiority_interval

SIZES = (5, 8, 12, 20, 50, 150, 500)
GROUPS = ((4, 4), (5, 5), (8, 8), (12, 12), (20, 20), (50, 50), (150, 150), (8, 40), (40, 8))
RESAMPLES = 1999
LEVELS = np.array([0.025, 0.975])
MANY, FEW = 17.37, 1.69  # relevant edges of a triple of TracIn

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
    """The RR of TracIn's triples under a system of that skill, and under one of none."""
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
    "TracIn, many": many,
    "TracIn, few": few,
    "RR, 5% anew": rr_rarely,
    "4% lose .5, the others gain": few_fall,
    "TracIn, paired": lambda rng, shape: np.subtract(*triples(rng, shape, MANY, 0.3)),
}
VALUES = ("RR", "AP", "TracIn, many", "TracIn, few", "Success@1 of .9")  # not differences


def rarely_fall(
    rng: np.random.Generator, shape: Shape, share: float, spread: float, normal: bool
) -> np.ndarray:
    """A share falls by 1, and the others gain what makes the mean 0, more or less by `spread`."""
    others = rng.normal(size=shape) if normal else rng.choice([-1, 1], size=shape)
    return np.where(rng.random(shape) < share, -1, share / (1 - share) + spread * others)


def half_differ(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    """3% fall by 1; of the others half change by about 0.1, up or down."""
    others = np.where(rng.random(shape) < 0.5, rng.normal(0, 0.1, shape), 0)
    return np.where(rng.random(shape) < 0.03, -1, others)


RARELY: dict[str, Draw] = {  # each with the spread at which its size of sample is misled most
    f"{share:.2%} fall by 1, the others gain ± {spread}{', normal' * normal}": partial(
        rarely_fall, share=share, spread=spread, normal=normal
    )
    for share, spread in ((0.03, 0.076), (0.015, 0.054), (0.0075, 0.039), (0.003, 0.0245))
    for normal in (False, True)
}
CAUTIONED: dict[str, Draw] = {
    **SAMPLES,
    **RARELY,
    "3% fall by 1, half differ": half_differ,
    "Success@1 of .9": lambda rng, shape: (rng.random(shape) < 0.9).astype(float),
    **{
        f"gate: {name}": lambda rng, shape, pair=pair: np.subtract(*pair(rng, shape))
        for name, pair in gate_pairs.POPULATIONS.items()
    },
}
TRUTHS = dict.fromkeys((*RARELY, "RR, 5% anew"), 0.0)  # of those not here, by drawing many
TRUTHS |= {"3% fall by 1, half differ": -0.03, "Success@1 of .9": 0.9}
PAIRS: dict[str, tuple[Draw, Draw]] = {
    "RR, no difference": (rr, rr),
    "RR": (rr, lambda rng, shape: rr(rng, shape, 0.15)),
    "AP": (ap, lambda rng, shape: ap(rng, shape, 6)),
    "TracIn, many and few": (many, few),
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


def truth_of(name: str) -> float:
    """The true mean, or that of so many values that it is taken for it."""
    drawn = CAUTIONED[name](np.random.default_rng(99), (1 if name in TRUTHS else 4_000_000,))
    return TRUTHS.get(name, drawn.mean())


def cautioned(name: str, n: int, samples: int, truth: float) -> dict[str, float]:
    """Of so many samples of n: which shares hold the truth, have no caution, and miss without."""
    x = CAUTIONED[name](np.random.default_rng(n), (samples, n))
    mean, reach = x.mean(axis=1), stats.t.isf(0.025, n - 1) * x.std(axis=1, ddof=1) / np.sqrt(n)
    how = {"lowest": 0} if name in VALUES else {"side": True}  # as reports and compare do
    silent = np.array([interval_caution(row, **how) is None for row in x])
    missed = np.abs(mean - truth) > reach + 1e-12
    found = {"held": ~missed, "silent": silent, "missed": silent & missed}
    found |= {"above": silent & (mean > reach), "below": silent & (mean < -reach)}
    shares = {key: float(each.mean()) for key, each in found.items()}
    return shares | {"of these": shares["missed"] / (shares["silent"] or 1)}


def worst(rows: Iterable[dict[str, float]]) -> dict[str, float]:
    """The most misses without a caution: of all samples, and where how many have none."""
    rows = [*rows]
    often = [row for row in rows if row["silent"] >= 1 / 5]
    seldom = [row for row in rows if row["silent"] < 1 / 5]
    return {
        "of all samples": max(row["missed"] for row in rows),
        "of those without one, where that is one in five or more": max(
            row["of these"] for row in often
        ),
        "of all samples, where fewer have none": max(row["missed"] for row in seldom),
    }


def show_caution(samples: int) -> None:
    """Print how often no caution is given, and what the interval does then."""
    rows, above = [], 0.0
    for name in CAUTIONED:
        truth = truth_of(name)
        print(f"\n{name}, truth {truth:.4f}\n{'n':>9} | held | silent | missed without, of all")
        print(f"{'':9} | missed of those without | above 0 without, below 0 without")
        for n in (12, 16, 20, 25, 50, 100, 200, 500):
            rows.append(row := cautioned(name, n, samples, truth))
            cells = [f"{row['held']:.3f}", f"{row['silent']:.0%}", f"{row['missed']:.1%}"]
            cells += [f"{row['of these']:.1%}" if row["silent"] >= 0.01 else "–"]
            cells += [f"{row['above']:.1%}", f"{row['below']:.1%}"]
            print(f"{n:>9} | {' | '.join(cells)}", flush=True)
            above = max(above, row["above"]) if name in RARELY else above
    print(f"\nmissed without a caution, in {len(CAUTIONED)} populations, at most:")
    for where, share in worst(rows).items():
        print(f"{share:.1%} {where}")
    print(f"wholly above 0 without one, where the truth is 0 and few fall: at most {above:.1%}")


def passing(name: str, n: int, samples: int) -> float:
    """The share of the same samples that the gate lets pass at a limit of 0."""
    x = CAUTIONED[name](np.random.default_rng(n), (samples, n))
    return float(np.mean([mean_bounds(row, 1.0)[0] > 0 for row in x]))


def show_gate(samples: int) -> None:
    """Print how often a difference is above 0 without a caution, and how often the gate says so."""
    fewer, alone = min(samples, 500), 0.0
    for name in [each for each in CAUTIONED if each not in VALUES]:
        print(f"\n{name}\n{'n':>9} | above 0 without | the gate passes at 0")
        for n in (25, 50, 100, 200, 500):
            above, passes = cautioned(name, n, fewer, 0)["above"], passing(name, n, fewer)
            print(f"{n:>9} | {above:15.1%} | {passes:.1%}", flush=True)
            alone = alone if passes else max(alone, above)
    print(
        f"\nabove 0 without a caution, where the gate passes none of {fewer}: at most {alone:.1%}"
    )


def again(name: str, n: int, samples: int) -> float:
    """How often the mean of another sample lies in the interval of the first."""
    first, other = SAMPLES[name](np.random.default_rng(n), (2, samples, n))
    reach = stats.t.isf(0.025, n - 1) * first.std(axis=1, ddof=1) / np.sqrt(n)
    return float((np.abs(first.mean(axis=1) - other.mean(axis=1)) <= reach).mean())


def show_again(samples: int) -> None:
    """Print how little an interval says of the mean of another sample."""
    for name in SAMPLES:
        cells = [f"{n}: {again(name, n, samples):.1%}" for n in SIZES]
        print(f"{name:>27} | {', '.join(cells)}", flush=True)


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
    "gate": show_gate,
    "again": show_again,
    "groups": show_groups,
    "superiority": show_superiority,
}


if __name__ == "__main__":
    print_tables(__doc__.splitlines()[0], TABLES)
