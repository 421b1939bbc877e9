"""How often the gate errs: the tables that chose its bounds, and that hold it to what it promises.

    python tests/benchmarks/gate_errors.py
    python tests/benchmarks/gate_errors.py --samples 500 --only planned

Each population is a new system and an old one, with RR, AP or nDCG@10 as skewed as in practice;
"a tenth anew" is a change that touches one query in ten.

`limit`: the true drop is exactly the limit, so either verdict is an error. Of 2,000 samples, the
share that is said not to have dropped, and the share that is said to have dropped, by the gate, by
a t interval and by percentiles of resamples; and the share of samples in which no query differs.
Those pass, as no sample of that size shows anything, and are not counted as errors of the gate.
`equal`: the true drop is 0, and 0.01 is allowed. `planned`: how often the gate tells with as
many queries as it says that it needs, and with a quarter and four times as many, beside the power
that it predicts. About ten minutes.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from helpers.statistics.gate import Decision, Outcome, gate, power, queries_to_tell

SIZES = (25, 50, 100, 200, 500)
RESAMPLES = 999
MANY = 2_000_000

Values = Callable[[np.ndarray], np.ndarray]
Pair = tuple[np.ndarray, np.ndarray]
Population = Callable[[np.random.Generator, tuple[int, ...]], Pair]


def rr(skill: np.ndarray) -> np.ndarray:
    """1, 1/2, 1/3 …, and 0 for the one query in ten that finds nothing."""
    found = 1 / np.maximum(stats.geom.ppf(stats.norm.sf(skill), 0.3), 1)
    return np.where(skill < stats.norm.ppf(0.1), 0, found)


def ap(skill: np.ndarray) -> np.ndarray:
    """Many low values, a few high ones."""
    return stats.beta.ppf(stats.norm.cdf(skill), 0.6, 1.8)


def ndcg(skill: np.ndarray) -> np.ndarray:
    """Values all over the scale, and many that are exactly 0 or 1."""
    values = stats.beta.ppf(stats.norm.cdf(skill), 0.7, 0.6)
    return np.where(values < 0.08, 0, np.where(values > 0.97, 1, values))


def anew(
    rng: np.random.Generator,
    shape: tuple[int, ...],
    values: Values,
    share: float = 1,
    worse: float = 0,
) -> Pair:
    """A share of the queries ranked anew, by a system that is a little worse at all of them."""
    hard, own, other = rng.normal(size=(3, *shape))
    old = values((1.5 * hard + own) / np.sqrt(3.25))
    new = values((1.5 * hard + other) / np.sqrt(3.25) - worse)
    return np.where(rng.random(shape) < share, new, old), old


def lost(
    rng: np.random.Generator, shape: tuple[int, ...], values: Values, share: float
) -> Pair:
    """A share of the queries finds nothing any more; the others are what they were."""
    old = values(rng.normal(size=shape))
    return np.where(rng.random(shape) < share, 0, old), old


def traded(
    rng: np.random.Generator, shape: tuple[int, ...], values: Values, small: float, big: float
) -> Pair:
    """Most queries change by a little, and one in twenty-five by much, the other way."""
    old = values(rng.normal(size=shape))
    change = np.where(rng.random(shape) < 0.04, big, small)
    return (old + change * rng.random(shape)).clip(0, 1), old


POPULATIONS: dict[str, Population] = {
    "RR, half anew": partial(anew, values=rr, share=0.5, worse=0.1),
    "RR, a tenth anew": partial(anew, values=rr, share=0.1, worse=0.2),
    "RR, 4% lost": partial(lost, values=rr, share=0.04),
    "AP, all anew": partial(anew, values=ap, worse=0.05),
    "AP, a tenth anew": partial(anew, values=ap, share=0.1, worse=0.3),
    "AP, many lose a little": partial(traded, values=ap, small=-0.1, big=0.8),
    "nDCG@10, most anew": partial(anew, values=ndcg, share=0.8, worse=0.05),
    "nDCG@10, a fifth anew": partial(anew, values=ndcg, share=0.2, worse=0.2),
    "nDCG@10, 4% lost": partial(lost, values=ndcg, share=0.04),
    "nDCG@10, few lose much": partial(traded, values=ndcg, small=0.05, big=-1.0),
}
EQUAL: dict[str, Population] = {
    "RR, half anew": partial(anew, values=rr, share=0.5),
    "AP, all anew": partial(anew, values=ap),
    "AP, a tenth anew": partial(anew, values=ap, share=0.1),
    "nDCG@10, most anew": partial(anew, values=ndcg, share=0.8),
    "nDCG@10, a tenth anew": partial(anew, values=ndcg, share=0.1),
}


def true_differences(population: Population) -> np.ndarray:
    """Differences of so many queries that their mean is taken for the true one."""
    return np.subtract(*population(np.random.default_rng(99), (MANY,)))


def decisions(
    population: Population, queries: int, samples: int, *, max_drop: float, seed: int = 0
) -> Iterator[tuple[Decision, np.ndarray]]:
    """What the gate says of each sample, and the sample's differences."""
    new, old = population(np.random.default_rng([queries, seed]), (samples, queries))
    for x, y in zip(new, old, strict=True):
        yield gate(pd.Series(x), pd.Series(y), max_drop=max_drop), x - y


def errors(
    population: Population, queries: int, samples: int, *, max_drop: float, seed: int = 0
) -> dict[str, float]:
    """The share of samples with each verdict of the gate, and in which no query differs."""
    found = [each for each, _ in decisions(population, queries, samples, max_drop=max_drop)]
    return {
        "held": np.mean([each.outcome is Outcome.HELD and each.differ > 0 for each in found]),
        "dropped": np.mean([each.outcome is Outcome.DROPPED for each in found]),
        "same": np.mean([each.differ == 0 for each in found]),
    }


def t_bounds(x: np.ndarray) -> Pair:
    """Of each row, the bounds of Student's t interval."""
    reach = stats.t.isf(0.05, x.shape[1] - 1) * x.std(axis=1, ddof=1) / np.sqrt(x.shape[1])
    return x.mean(axis=1) - reach, x.mean(axis=1) + reach


def percentile_bounds(x: np.ndarray) -> Pair:
    """Of each row, percentiles of the means of its resamples; rows share the draws."""
    n = x.shape[1]
    share = np.random.default_rng(n).multinomial(n, np.full(n, 1 / n), RESAMPLES).T / n
    low, high = np.quantile(x @ share, [0.05, 0.95], axis=1)
    return low, high


def show_limit(samples: int) -> None:
    """Print how often each kind of bound gives a verdict where the drop is just the limit."""
    for name, population in POPULATIONS.items():
        many = true_differences(population)
        limit = -many.mean()
        print(f"\n{name}: limit {limit:.4f}, {np.mean(many != 0):.0%} of the queries differ")
        print(f"{'queries':>8} | {'gate':^13} | {'t':^13} | {'percentile':^13} | none differs")
        for queries in SIZES:
            found = errors(population, queries, samples, max_drop=limit)
            rows = np.subtract(*population(np.random.default_rng([queries, 0]), (samples, queries)))
            seen = rows.any(axis=1)
            cells = [f"{found['held']:6.1%} {found['dropped']:6.1%}"]
            for low, high in (t_bounds(rows), percentile_bounds(rows)):
                cells.append(f"{(seen & (low > -limit)).mean():6.1%} {(high < -limit).mean():6.1%}")
            print(f"{queries:>8} | {' | '.join(cells)} | {found['same']:6.1%}", flush=True)


def show_equal(samples: int) -> None:
    """Print what the gate says of systems that are as good as each other."""
    for name, population in EQUAL.items():
        print(f"\n{name}, no true drop, 0.01 allowed\n{'queries':>8} | held | dropped")
        for queries in (*SIZES, 2000):
            found = errors(population, queries, samples, max_drop=0.01)
            held = found["held"] + found["same"]
            print(f"{queries:>8} | {held:6.1%} | {found['dropped']:6.1%}", flush=True)


def show_planned(samples: int) -> None:
    """Print how often the gate tells, and how often it says that it will."""
    for name, population in (EQUAL | {f"{k}, worse": v for k, v in POPULATIONS.items()}).items():
        many = true_differences(population)
        sd, most = many.std(), np.abs(many).max()
        for limit in (0.02 - many.mean(), max(-many.mean() - 0.02, 0)):
            away = abs(many.mean() + limit)
            if away < 0.005:
                continue
            planned = queries_to_tell(sd, away, most=most)
            print(f"\n{name}, true drop {-many.mean():.4f}, limit {limit:.4f}: {planned} queries")
            for queries in (planned // 4, planned, planned * 4):
                if not 2 <= queries <= 5000:
                    continue
                found = errors(population, queries, samples, max_drop=limit)
                right = found["held" if many.mean() > -limit else "dropped"]
                said = power(queries, sd, away, most=most)
                print(f"{queries:>8} | tells {right:6.1%} | predicted {said:6.1%}", flush=True)


TABLES = {"limit": show_limit, "equal": show_equal, "planned": show_planned}


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--samples", type=int, default=2000, metavar="N")
    options.add_argument("--only", choices=TABLES, help="one of the tables")
    asked = options.parse_args()
    for name, show in TABLES.items():
        if asked.only in (None, name):
            print(f"\n== {name}: {asked.samples:,} samples a line")
            show(asked.samples)


if __name__ == "__main__":
    main()
