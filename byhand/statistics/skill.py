"""Whether a mean is above what the same items get in a random order, and how many times."""

import math
from dataclasses import replace

import numpy as np

from byhand.metrics.evaluate import Evaluation
from byhand.metrics.hits import Hits
from byhand.statistics.intervals import CONFIDENCE, reach_of
from byhand.statistics.per_query import ROUNDING
from byhand.statistics.randomisation import Rng

_ROWS = 700_000  # hits and judgements that all random orders together may have
_ORDERS = (999, 499, 199, 99)  # at random; if these are too many, their spread is taken
_VALUES = 200  # that tell how far single queries are from their chance levels


def lift_interval(
    values: np.ndarray, levels: np.ndarray, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Fieller's interval for the mean of some values divided by the mean of their chance levels.

    Simulated, 95% hold the lift of a system with skill in 91% to 96%. Where rare high values carry
    the mean it lies too low, as `interval_caution` of the values minus lift times level says. It is
    NaN where the levels of so few queries vary so much that they bound nothing.

    Args:
        values: (Q,) the value of each query, finite.
        levels: (Q,) its chance level, from 0 on.
        confidence: as in `mean_interval`.

    Source:
        Fieller 1954, "Some problems in interval estimation".

    Example:
        >>> low, high = lift_interval(np.array([0.9, 0.8, 1.0]), np.array([0.3, 0.3, 0.3]))
        >>> round(low, 3), round(high, 3)  # (0.9 ± 4.303 * 0.1 / sqrt(3)) / 0.3
        (2.172, 3.828)
    """
    n = len(values)
    if n < 2:
        return math.nan, math.nan
    square = reach_of(confidence, n - 1) ** 2 / n
    of_values, between, of_levels = np.cov(values, levels)[[0, 0, 1], [0, 1, 1]] * square
    value, level = float(values.mean()), float(levels.mean())
    bound = level**2 - of_levels
    if bound <= ROUNDING * level**2:
        return math.nan, math.nan
    middle = value * level - between
    root = math.sqrt(max(middle**2 - bound * (value**2 - of_values), 0.0))
    return float((middle - root) / bound), float((middle + root) / bound)


def random_order_p(evaluation: Evaluation, *, rng: Rng = 0) -> dict[str, tuple[float, int]]:
    """For each measure the two-sided p of its mean against a random order of what was retrieved.

    p is the share of such orders whose mean is as far from the chance level as the one observed,
    or farther; beside it stands how many orders were drawn. Where too many items would have to be
    shuffled, that is 0, and p of a normal distribution with the spread that a few orders show. It
    is NaN where no chance level is known, or nothing could come out otherwise.

    Args:
        evaluation: what was evaluated; the order of equal scores does not count.
        rng: a seed, or a generator.

    Source:
        Fisher 1935, "The Design of Experiments", chapter 3; Phipson and Smyth 2010, "Permutation
        p-values should never be zero".

    Example:
        >>> from byhand.metrics.hits import Tables
        >>> run = {"q": {"a": 3, "b": 2, "c": 1}}
        >>> random_order_p(Evaluation(Tables(run, {"q": {"a": 1}}), ["RR"]))  # 1, 1/2 or 1/3
        {'RR': (0.303, 999)}
    """
    table, found = evaluation.table("chance", lenient=True), {}
    shuffled: dict[int, tuple[Hits, int]] = {}
    for name, part in evaluation.parts.items():
        kept = ~part.left_out
        levels = table[f"{name} chance"].to_numpy()[kept]
        if not kept.any() or np.isnan(levels).any() or part.measure.of_judged:
            found[name] = math.nan, 0
            continue
        if id(part.hits) not in shuffled:
            orders = _how_many(part.hits)
            drawn = in_random_orders(part.hits, orders, np.random.default_rng(rng))
            shuffled[id(part.hits)] = drawn, orders
        drawn, orders = shuffled[id(part.hits)]
        values = part.measure.values(drawn, part.chosen.but(ties="input"))
        values = values.reshape(orders, -1)[:, kept] - levels
        values[:, part.empty[kept]] = 0  # one value in any order, whatever the conventions make it
        found[name] = _p((table[name].to_numpy()[kept] - levels).mean(), values)
    return found


def _how_many(hits: Hits) -> int:
    fewest = -(-_VALUES // max(hits.n_queries, 1))
    rows = len(hits.rank) + len(hits.relevant_grade)
    fit = _ROWS // max(rows, 1)
    return next((orders for orders in _ORDERS if orders <= fit), max(fit, fewest, 1))


def _p(apart: float, drawn: np.ndarray) -> tuple[float, int]:
    """How often a mean is as far from its chance level as one is apart."""
    orders, queries = drawn.shape
    if not np.abs(drawn).max() > ROUNDING:
        return math.nan, 0
    if orders in _ORDERS:
        reached = np.abs(drawn.mean(axis=1)) >= abs(apart) * (1 - ROUNDING) - ROUNDING
        return (int(reached.sum()) + 1) / (orders + 1), orders
    error = math.sqrt(float((drawn**2).mean()) / queries)
    return math.erfc(abs(apart) / error / math.sqrt(2)), 0


def in_random_orders(hits: Hits, orders: int, rng: np.random.Generator) -> Hits:
    """The same items in so many random orders: the queries of the first, then of the second."""
    first = np.arange(orders) * hits.n_queries
    query = (hits.query + first[:, None]).ravel()
    n_retrieved = np.tile(hits.n_retrieved, orders).astype(np.int64)
    rank, grade = _distinct_ranks(query, n_retrieved, rng), np.tile(hits.grade, orders)
    sort = np.lexsort((rank, query))
    rank = rank[sort]
    return replace(
        hits,
        query_ids=np.arange(orders * hits.n_queries),
        query=query,
        rank=rank,
        grade=grade[sort],
        top=rank,
        tied=np.ones_like(rank),
        relevant_query=(hits.relevant_query + first[:, None]).ravel(),
        relevant_grade=np.tile(hits.relevant_grade, orders),
        n_retrieved=n_retrieved,
        judged=None,
    )


def _distinct_ranks(
    query: np.ndarray, n_retrieved: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """(H,) for each hit a random rank of its query's, no two of which have the same.

    Where most items are hits all are shuffled; elsewhere what came up twice is drawn again.
    """
    length, rank = n_retrieved[query], np.empty(len(query), dtype=np.int64)
    n_hits = np.bincount(query, minlength=len(n_retrieved))
    dense = 2 * n_hits > n_retrieved
    whole = np.repeat(np.flatnonzero(dense), n_retrieved[dense].astype(np.intp))
    shuffled = np.lexsort((rng.random(len(whole)), whole))
    first = np.cumsum(n_retrieved * dense) - n_retrieved * dense  # of each query among `whole`
    nth = np.arange(len(query)) - (np.cumsum(n_hits) - n_hits)[query]
    of_dense = dense[query]
    place = (first[query] + nth)[of_dense]
    rank[of_dense] = shuffled[place] - first[query][of_dense] + 1
    again = np.flatnonzero(~of_dense)
    width = n_retrieved.max(initial=0) + 1  # of 64 bits, also in a browser
    while len(again):
        rank[again] = 1 + (rng.random(len(again)) * length[again]).astype(np.int64)
        open_ = np.zeros(len(n_retrieved), dtype=bool)
        open_[query[again]] = True
        among = np.flatnonzero(open_[query])
        key = query[among] * width + rank[among]
        sort = np.argsort(key, kind="stable")
        again = among[sort[1:]][np.diff(key[sort]) == 0]
    return rank
