"""New systems and old ones with values as skewed as in practice, and how the gate errs on them.

tools/gate_errors.py prints the tables.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import stats
from scipy.special import ndtr

from byhand.statistics import Size, mean_bounds, size_of
from byhand.statistics.drops import sides

MANY = 1_000_000
AT_ONCE = 100_000  # values
GRID = np.linspace(0, 1, 4001)

Values = Callable[[np.ndarray], np.ndarray]
Pair = tuple[np.ndarray, np.ndarray]
Population = Callable[[np.random.Generator, tuple[int, ...]], Pair]


def rr(skill: np.ndarray) -> np.ndarray:
    """1, 1/2, 1/3 …, and 0 for the one query in ten that finds nothing."""
    share = ndtr(skill)
    found = 1 / np.maximum(np.ceil(np.log(np.maximum(share, 1e-9)) / np.log(0.7)), 1)
    return np.where(share < 0.1, 0, found)


def ap(skill: np.ndarray) -> np.ndarray:
    """Many low values, a few high ones."""
    return np.interp(ndtr(skill), GRID, stats.beta.ppf(GRID, 0.6, 1.8))


def ndcg(skill: np.ndarray) -> np.ndarray:
    """Values all over the scale, and many that are exactly 0 or 1."""
    values = np.interp(ndtr(skill), GRID, stats.beta.ppf(GRID, 0.7, 0.6))
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


def lost(rng: np.random.Generator, shape: tuple[int, ...], values: Values, share: float) -> Pair:
    """A share of the queries finds nothing any more; the others are what they were."""
    old = values(rng.normal(size=shape))
    return np.where(rng.random(shape) < share, 0, old), old


def moved(
    rng: np.random.Generator, shape: tuple[int, ...], values: Values, worse: float = 0
) -> Pair:
    """Every query moves, and none by much."""
    skill, change = rng.normal(size=(2, *shape))
    return values(skill + 0.15 * change - worse), values(skill)


def weakened(
    rng: np.random.Generator, shape: tuple[int, ...], values: Values, share: float
) -> Pair:
    """A share of the queries loses a part of what it had."""
    old = values(rng.normal(size=shape))
    return np.where(rng.random(shape) < share, old * rng.random(shape), old), old


def traded(
    rng: np.random.Generator, shape: tuple[int, ...], values: Values, small: float, big: float
) -> Pair:
    """Most queries change by a little, and one in twenty-five by much, the other way."""
    old = values(rng.normal(size=shape))
    change = np.where(rng.random(shape) < 0.04, big, small)
    return (old + change * rng.random(shape)).clip(0, 1), old


def rarely(
    rng: np.random.Generator,
    shape: tuple[int, ...],
    share: float,
    most: tuple[float, float],
    rare: tuple[float, float] = (1, 1),
) -> Pair:
    """A share of the queries falls by `rare`, and all others change by `most`: from, to."""
    hit = rng.random(shape) < share
    old = np.where(hit, 1, rng.uniform(0.2, 0.8, shape))
    return old + np.where(hit, -rng.uniform(*rare, shape), rng.uniform(*most, shape)), old


def far_down(rng: np.random.Generator, shape: tuple[int, ...], share: float) -> Pair:
    """The first hit moves between ranks 20 and 60, but for a share that falls from 1 to 0."""
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


def evened(
    rng: np.random.Generator, shape: tuple[int, ...], share: float, spread: float, fall: bool
) -> Pair:
    """A share of the queries falls by 1, the others make up for it, more or less; or all turned."""
    make_up = share / (1 - share)
    hit, sign = rng.random(shape) < share, np.where(rng.random(shape) < 0.5, -1, 1)
    change = np.where(hit, -1, make_up + spread * sign)
    low = np.where(hit, 0, 0.4)
    pair = low, low - change
    return pair if fall else pair[::-1]


# which the power of the gate is held to: these, and one whose differences hardly vary
PLANNED = (
    EQUAL | POPULATIONS | {"all lose .002 to .004": partial(rarely, share=0, most=(-0.004, -0.002))}
)
# in which nothing changed in the mean: how often is one said to be lower?
EVEN: dict[str, Population] = EQUAL | {
    f"{share:.2%} {'fall' if fall else 'rise'} by 1, the others make up for it": partial(
        evened, share=share, spread=spread, fall=fall
    )
    for share, spread in (
        (0.05, 0.0),
        (0.03, 0.076),
        (0.015, 0.054),
        (0.0075, 0.039),
        (0.003, 0.0245),
    )
    for fall in (True, False)
}


def ruined(
    rng: np.random.Generator, shape: tuple[int, ...], answerable: float, share: float
) -> Pair:
    """Few queries have anything relevant, all at 1, and a share of these falls to 0."""
    old = (rng.random(shape) < answerable).astype(float)
    return np.where(rng.random(shape) < share, 0, old), old


def low_fall(rng: np.random.Generator, shape: tuple[int, ...]) -> Pair:
    """What is high stays, and what is low is lost."""
    old = np.where(rng.random(shape) < 0.5, 1, 0.5)
    return np.where(old == 1, 1, 0), old


# a limit in percent of an old mean that is itself hardly known, or hangs on what falls
SHARES: dict[str, Population] = {
    "3% answerable, 30% of them ruined": partial(ruined, answerable=0.03, share=0.3),
    "20% answerable, 5% of them ruined": partial(ruined, answerable=0.2, share=0.05),
    "half stay at 1, the others fall from .5 to 0": low_fall,
    "RR, half lost": partial(lost, values=rr, share=0.5),
}


def true_share(population: Population) -> float:
    """By which share of the old mean the new one is lower, of so many queries."""
    new, old = population(np.random.default_rng(99), (MANY,))
    return float(1 - new.mean() / old.mean())


def true_differences(population: Population) -> np.ndarray:
    """Differences of so many queries that their mean is taken for the true one."""
    return np.subtract(*population(np.random.default_rng(99), (MANY,)))


def errors(
    population: Population,
    queries: int,
    samples: int,
    *,
    max_drop: float,
    relative: bool = False,
    seed: int = 0,
) -> dict[str, float]:
    """The share of samples with each verdict of the gate; and in which the mean is said to drop."""
    new, old = population(np.random.default_rng([queries, seed]), (samples, queries))
    how = {"max_drop": max_drop, "relative": relative, "alpha": 0.05, "family": 1}
    parts = max(1, samples * queries // AT_ONCE)
    pairs = zip(np.array_split(new, parts), np.array_split(old, parts), strict=True)
    found = [sides(*pair, **how) for pair in pairs]
    _, high, _, held, dropped = map(np.concatenate, zip(*found, strict=True))
    below = high < 0
    verdicts = {"held": held, "dropped": dropped, "lower": below & ~held & ~dropped}
    return {name: float(said.mean()) for name, said in (verdicts | {"below": below}).items()}


def together(
    population: Population, queries: int, samples: int, *, limit: float, systems: int = 20
) -> dict[str, float]:
    """The share of data sets in which one or more of so many systems has a size, of each two.

    By the bounds of `compare_values`, and with "t", if each is said by its own t interval, as if
    it were the only one; `either` is a size of the two.
    """
    rng = np.random.default_rng([queries, systems])
    x = np.subtract(*population(rng, (samples, systems, queries)))
    reach = stats.t.isf(0.025, queries - 1) * x.std(axis=-1, ddof=1) / np.sqrt(queries)
    alone = x.mean(axis=-1) - reach, x.mean(axis=-1) + reach
    bounds = mean_bounds(x, 1.0, alpha=0.05 / systems)
    bounds = np.fmin(bounds[0], alone[0]), np.fmax(bounds[1], alone[1])
    found = {}
    for how, ends in (("", bounds), ("t ", alone)):
        said = np.vectorize(size_of, otypes=[object])(*ends, limit)
        each = {size: (said == size).any(axis=1) for size in (Size.OVER, Size.WITHIN)}
        each["either"] = (said != Size.OPEN).any(axis=1)
        found |= {f"{how}{name}": float(of.mean()) for name, of in each.items()}
    return found
