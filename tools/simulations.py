"""Simulate the error rates of the gate, `compare` and its warnings, as stated in docs/.

    python tools/simulations.py
    python tools/simulations.py --samples 500 --only limit

Each population has a new and an old system with realistically skewed values, or their differences.
Each table counts samples with a verdict. In all but `equal`, the verdict is an error:

- limit: the true drop equals the margin. Verdicts: within it, and beyond it, also by a t interval.
- equal: equally good systems, margins 0.01 and 0.02. Verdicts: pass and fail.
- caution: intervals that contain the true mean, that have no warning, and of these, those that miss
  the true mean and those above 0.
- clusters: topics with variants, without a difference of systems. Verdict: one is higher, with and
  without clusters.

All tables with 2,000 samples take most of an hour.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import ndtr

from byhand.statistics import compare_values, interval_caution
from byhand.statistics.drops import sides

MANY = 1_000_000
SIZES = (25, 50, 100, 200, 500)
GRID = np.linspace(0, 1, 4001)

Rng = np.random.Generator
Shape = tuple[int, ...]
Values = Callable[[np.ndarray], np.ndarray]
Pair = tuple[np.ndarray, np.ndarray]
Population = Callable[[Rng, Shape], Pair]
Draw = Callable[[Rng, Shape], np.ndarray]
Row = dict[str, float]
Rows = Iterator[tuple[str, int, Row]]


def rr(skill: np.ndarray) -> np.ndarray:
    """Return 1, 1/2, 1/3 …, and 0 for one query in ten."""
    share = ndtr(skill)
    found = 1 / np.maximum(np.ceil(np.log(np.maximum(share, 1e-9)) / np.log(0.7)), 1)
    return np.where(share < 0.1, 0, found)


def ap(skill: np.ndarray) -> np.ndarray:
    """Return many low values and a few high ones."""
    return np.interp(ndtr(skill), GRID, stats.beta.ppf(GRID, 0.6, 1.8))


def ndcg(skill: np.ndarray) -> np.ndarray:
    """Return values over the whole scale, with many 0 and 1."""
    values = np.interp(ndtr(skill), GRID, stats.beta.ppf(GRID, 0.7, 0.6))
    return np.where(values < 0.08, 0, np.where(values > 0.97, 1, values))


def anew(rng: Rng, shape: Shape, values: Values, share: float = 1, worse: float = 0) -> Pair:
    """Rank a share of the queries again, by a slightly worse system."""
    hard, own, other = rng.normal(size=(3, *shape))
    old = values((1.5 * hard + own) / np.sqrt(3.25))
    new = values((1.5 * hard + other) / np.sqrt(3.25) - worse)
    return np.where(rng.random(shape) < share, new, old), old


def lost(rng: Rng, shape: Shape, values: Values, share: float) -> Pair:
    """Set a share of the queries to 0."""
    old = values(rng.normal(size=shape))
    return np.where(rng.random(shape) < share, 0, old), old


def moved(rng: Rng, shape: Shape, values: Values, worse: float = 0) -> Pair:
    """Change every query a little."""
    skill, change = rng.normal(size=(2, *shape))
    return values(skill + 0.15 * change - worse), values(skill)


def weakened(rng: Rng, shape: Shape, values: Values, share: float) -> Pair:
    """Reduce a share of the queries by a random part."""
    old = values(rng.normal(size=shape))
    return np.where(rng.random(shape) < share, old * rng.random(shape), old), old


def traded(rng: Rng, shape: Shape, values: Values, small: float, big: float) -> Pair:
    """Change most queries a little, and one in 25 much in the other direction."""
    old = values(rng.normal(size=shape))
    change = np.where(rng.random(shape) < 0.04, big, small)
    return (old + change * rng.random(shape)).clip(0, 1), old


def rarely(
    rng: Rng, shape: Shape, share: float, most: tuple[float, float], rare: tuple = (1, 1)
) -> Pair:
    """Reduce a share of the queries by `rare` and change the others by `most` (from, to)."""
    hit = rng.random(shape) < share
    old = np.where(hit, 1, rng.uniform(0.2, 0.8, shape))
    return old + np.where(hit, -rng.uniform(*rare, shape), rng.uniform(*most, shape)), old


def far_down(rng: Rng, shape: Shape, share: float) -> Pair:
    """Move the first hit between ranks 20 and 60; a share falls from 1 to 0."""
    hit = rng.random(shape) < share
    new, old = 1 / rng.integers(20, 61, (2, *shape))
    return np.where(hit, 0, new), np.where(hit, 1, old)


POPULATIONS: dict[str, Population] = {
    "RR, half anew": partial(anew, values=rr, share=0.5, worse=0.1),
    "RR, a tenth anew": partial(anew, values=rr, share=0.1, worse=0.2),
    "RR, 4% lost": partial(lost, values=rr, share=0.04),
    "AP, all anew": partial(anew, values=ap, worse=0.05),
    "AP, a tenth anew": partial(anew, values=ap, share=0.1, worse=0.3),
    "AP, all moved": partial(moved, values=ap, worse=0.05),
    "AP, a tenth weakened": partial(weakened, values=ap, share=0.1),
    "AP, many lose a little": partial(traded, values=ap, small=-0.1, big=0.8),
    "nDCG@10, most anew": partial(anew, values=ndcg, share=0.8, worse=0.05),
    "nDCG@10, a fifth anew": partial(anew, values=ndcg, share=0.2, worse=0.2),
    "nDCG@10, most moved": partial(moved, values=ndcg, worse=0.05),
    "nDCG@10, 4% lost": partial(lost, values=ndcg, share=0.04),
    "nDCG@10, few lose much": partial(traded, values=ndcg, small=0.02, big=-1.0),
    "nDCG@10, few gain much": partial(traded, values=ndcg, small=-0.04, big=1.0),
    "all gain .003, 2% fall by 1": partial(rarely, share=0.02, most=(0.003, 0.003)),
    "RR in ranks 20 to 60, 2% fall from 1 to 0": partial(far_down, share=0.02),
    "all move by .01, 4% lose .5 to 1": partial(
        rarely, share=0.04, most=(-0.01, 0.01), rare=(0.5, 1)
    ),
    "the same values, 4% lose .5 to 1": partial(rarely, share=0.04, most=(0, 0), rare=(0.5, 1)),
    "the same values, 1% fall by 1": partial(rarely, share=0.01, most=(0, 0)),
}
EQUAL: dict[str, Population] = {
    "RR, half anew": partial(anew, values=rr, share=0.5),
    "AP, all anew": partial(anew, values=ap),
    "AP, a tenth anew": partial(anew, values=ap, share=0.1),
    "nDCG@10, most anew": partial(anew, values=ndcg, share=0.8),
    "nDCG@10, a tenth anew": partial(anew, values=ndcg, share=0.1),
}


def true_differences(population: Population) -> np.ndarray:
    """Return enough differences for an accurate true mean."""
    return np.subtract(*population(np.random.default_rng(99), (MANY,)))


def errors(population: Population, queries: int, samples: int, max_drop: float) -> Row:
    """Return the shares of samples that the gate passes, and that it fails."""
    new, old = population(np.random.default_rng([queries, 0]), (samples, queries))
    parts = max(1, samples * queries // 100_000)  # of the memory
    pairs = zip(np.array_split(new, parts), np.array_split(old, parts), strict=True)
    found = [sides(*pair, max_drop=max_drop, relative=False, alpha=0.05) for pair in pairs]
    *_, held, dropped = map(np.concatenate, zip(*found, strict=True))
    return {"held": float(held.mean()), "dropped": float(dropped.mean())}


def t_bounds(x: np.ndarray, alpha: float = 0.05) -> Pair:
    """Compute the bounds of Student's t interval for each row."""
    n = x.shape[-1]
    reach = stats.t.isf(alpha, n - 1) * x.std(axis=-1, ddof=1) / np.sqrt(n)
    return x.mean(axis=-1) - reach, x.mean(axis=-1) + reach


def rr_paired(rng: Rng, shape: Shape) -> np.ndarray:
    """Return differences of RR that are 0 for half of the queries."""
    first, other = (
        np.where(rng.random(shape) < 0.1, 0, 1 / rng.geometric(skill, shape))
        for skill in (0.3, 0.25)
    )
    return first - np.where(rng.random(shape) < 0.5, first, other)


def ap_paired(rng: Rng, shape: Shape) -> np.ndarray:
    """Return differences of AP with shared query difficulty."""
    hard, own, other = rng.normal(size=(3, *shape))
    first, second = (stats.norm.cdf((2 * hard + noise) / np.sqrt(5)) for noise in (own, other))
    return stats.beta.ppf(first, 0.6, 1.8) - stats.beta.ppf(second, 0.6, 2.2)


def few_fall(rng: Rng, shape: Shape) -> np.ndarray:
    """Return differences with a mean near 0: most gain a little, 4% lose 0.5."""
    return np.where(rng.random(shape) < 0.04, -0.5, rng.uniform(0, 0.042, shape))


def rarely_fall(rng: Rng, shape: Shape, share: float, spread: float, normal: bool) -> np.ndarray:
    """Return differences with mean 0: a share falls by 1, the others gain, with a spread."""
    others = rng.normal(size=shape) if normal else rng.choice([-1, 1], size=shape)
    return np.where(rng.random(shape) < share, -1, share / (1 - share) + spread * others)


def half_differ(rng: Rng, shape: Shape) -> np.ndarray:
    """Return differences: 3% fall by 1; half of the others change by about 0.1."""
    others = np.where(rng.random(shape) < 0.5, rng.normal(0, 0.1, shape), 0)
    return np.where(rng.random(shape) < 0.03, -1, others)


VALUES: dict[str, Draw] = {  # values of one system
    "RR": lambda rng, shape: rr(rng.normal(size=shape)),
    "AP": lambda rng, shape: ap(rng.normal(size=shape)),
    "Success@1 of .9": lambda rng, shape: (rng.random(shape) < 0.9).astype(float),
}
RARELY: dict[str, Draw] = {
    f"{share:.2%} fall by 1, the others gain ± {spread}{', normal' * normal}": partial(
        rarely_fall, share=share, spread=spread, normal=normal
    )
    # the spread that causes the most errors
    for share, spread in ((0.03, 0.076), (0.015, 0.054), (0.0075, 0.039), (0.003, 0.0245))
    for normal in (False, True)
}
CAUTIONED: dict[str, Draw] = {
    **VALUES,
    **RARELY,
    "RR, paired": rr_paired,
    "AP, paired": ap_paired,
    "4% lose .5, the others gain": few_fall,
    "3% fall by 1, half differ": half_differ,
    **{
        f"gate: {name}": lambda rng, shape, pair=pair: np.subtract(*pair(rng, shape))
        for name, pair in POPULATIONS.items()
    },
}
TRUTHS = dict.fromkeys(RARELY, 0.0) | {"3% fall by 1, half differ": -0.03, "Success@1 of .9": 0.9}


def truth_of(name: str) -> float:
    """Return the true mean, or an accurate estimate."""
    if name in TRUTHS:
        return TRUTHS[name]
    return float(CAUTIONED[name](np.random.default_rng(99), (4 * MANY,)).mean())


def cautioned(name: str, n: int, samples: int, truth: float) -> Row:
    """Return shares of intervals: true mean inside, no warning, and misses without a warning."""
    x = CAUTIONED[name](np.random.default_rng(n), (samples, n))
    low, high = t_bounds(x, 0.025)
    how = {"lowest": 0} if name in VALUES else {"side": True}  # as in reports and `compare`
    silent = np.array([interval_caution(row, **how) is None for row in x])
    missed = (truth < low - 1e-12) | (truth > high + 1e-12)
    found = {"held": ~missed, "silent": silent, "missed": silent & missed}
    shares = {
        key: float(is_so.mean()) for key, is_so in (found | {"above": silent & (low > 0)}).items()
    }
    return shares | {"of these": shares["missed"] / (shares["silent"] or 1)}


def worst(rows: Sequence[Row]) -> Row:
    """Return the highest shares of misses without a warning."""
    often = [row["of these"] for row in rows if row["silent"] >= 1 / 5]
    seldom = [row["missed"] for row in rows if row["silent"] < 1 / 5]
    return {
        "of all samples": max(row["missed"] for row in rows),
        "of those without one, if one in five or more": max(often),
        "of all samples, if fewer have none": max(seldom),
    }


def said_to_be_higher(topics: int, variants: int, share: float, samples: int) -> Row:
    """Return the shares of samples with a higher system: without and with clusters."""
    number, rng = np.repeat(np.arange(topics), variants), np.random.default_rng(0)
    index = [f"{topic}-{place}" for place, topic in enumerate(number)]
    clusters = {"each query": None, "clusters": {query: query.split("-")[0] for query in index}}
    found = dict.fromkeys(clusters, 0.0)
    for _ in range(samples):
        shared, own = rng.normal(size=topics)[number], rng.normal(size=len(number))
        difference = (np.sqrt(share) * shared + np.sqrt(1 - share) * own) / 10
        halves = {"a": 0.5 + difference / 2, "b": 0.5 - difference / 2}
        values = {name: pd.DataFrame({"RR": half}, index) for name, half in halves.items()}
        for how, of in clusters.items():
            row = compare_values(values, permutations=1000, clusters=of).iloc[0]
            found[how] += row["verdict"].endswith("higher") / samples
    return found


def limit_rows(samples: int) -> Rows:
    """Yield the verdicts of the gate and a t interval for a drop equal to the margin."""
    for name, population in POPULATIONS.items():
        limit = -true_differences(population).mean()
        for n in SIZES:
            found = errors(population, n, samples, limit)
            low, high = t_bounds(
                np.subtract(*population(np.random.default_rng([n, 0]), (samples, n)))
            )
            t = {"t held": (low > -limit).mean(), "t dropped": (high < -limit).mean()}
            yield name, n, found | t


def equal_rows(samples: int) -> Rows:
    """Yield the verdicts of the gate for equally good systems."""
    for name, population in EQUAL.items():
        for n in (*SIZES, 2000):
            found = {limit: errors(population, n, samples, limit) for limit in (0.01, 0.02)}
            keys = product(found, ("held", "dropped"))
            yield name, n, {f"{key} at {limit}": found[limit][key] for limit, key in keys}


def caution_rows(samples: int) -> Rows:
    """Yield the coverage of intervals, and the shares without a warning."""
    rows = []
    for name in CAUTIONED:
        truth = truth_of(name)
        for n in (12, 16, 20, *SIZES):
            rows.append(cautioned(name, n, samples, truth))
            yield name, n, rows[-1]
    yield "missed without a caution, at most", 0, worst(rows)


def cluster_rows(samples: int) -> Rows:
    """Yield the verdicts on 40 topics with five variants, by the topics' share of the variance."""
    for share in (0, 0.5, 0.9):
        yield f"{share} the topic's", 200, said_to_be_higher(40, 5, share, samples)


TABLES = {
    "limit": limit_rows,
    "equal": equal_rows,
    "caution": caution_rows,
    "clusters": cluster_rows,
}


def main() -> None:
    """Print the requested tables, with the maximum of each column."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--samples", type=int, default=2000, metavar="N")
    options.add_argument("--only", choices=TABLES, help="one of the tables")
    asked = options.parse_args()
    for table in [asked.only] if asked.only else TABLES:
        print(f"\n== {table}: {asked.samples:,} samples a line")
        most: dict[str, float] = {}
        for name, queries, row in TABLES[table](asked.samples):
            cells = ", ".join(f"{key} {share:.1%}" for key, share in row.items())
            print(f"{name}, {queries} queries: {cells}", flush=True)
            most |= {key: max(share, most.get(key, 0)) for key, share in row.items()}
        print("at most:", ", ".join(f"{key} {share:.1%}" for key, share in most.items()))


if __name__ == "__main__":
    main()
