"""TracIn's triples by chance: exact levels, simulated lists, and many draws of them."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from byhand import chance

N_TRIPLES = 150  # the document gives no number
_LENGTHS = 1_000, 100_000  # edges of a triple, as documented


def chance_at_mean(
    n_items: ArrayLike, mean_relevant: float, measure: object = "RR"
) -> float | np.ndarray:
    """What random orders get on average if so many items are relevant on average.

    A chance level is no straight line in the number of relevant items, so a mean of them is not
    enough. We take the whole numbers nearest to it: 1.69 is 31% lists with one and 69% with two.
    """
    fewer = int(mean_relevant)
    more = float(mean_relevant - fewer)
    of_fewer, of_more = (chance(n_items, n, measure) for n in (fewer, fewer + 1))
    return (1 - more) * of_fewer + more * of_more


def simulated_triples(mean_relevant: float, *, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The run and the qrels of 150 triples whose edges have random scores.

    The lists have 1,000 to 100,000 edges, even on a log scale. One edge of each is relevant, and
    as many more as a Poisson number gives, so `mean_relevant` is 1 or more.
    """
    rng = np.random.default_rng(seed)
    length, n_relevant = _sizes(mean_relevant, rng, N_TRIPLES)
    triple = np.repeat(np.arange(N_TRIPLES), length)
    edge = np.arange(len(triple)) - np.repeat(np.cumsum(length) - length, length)
    run = pd.DataFrame({"query_id": triple, "doc_id": edge, "score": rng.normal(size=len(triple))})
    qrels = run.loc[edge < n_relevant[triple], ["query_id", "doc_id"]].assign(relevance=1)
    return run, qrels


def random_mrr(mean_relevant: float, *, draws: int, seed: int) -> np.ndarray:
    """The MRR of data sets of 150 such triples, drawn anew each time.

    It needs no scores: the best of R random scores beats a share of u^(1/R) of all others, u
    being even between 0 and 1, and those that it does not beat stand above it.
    """
    rng = np.random.default_rng(seed)
    length, n_relevant = _sizes(mean_relevant, rng, (draws, N_TRIPLES))
    beaten = rng.random(length.shape) ** (1 / n_relevant)
    return (1 / (1 + rng.binomial(length - n_relevant, 1 - beaten))).mean(axis=1)


def _sizes(
    mean_relevant: float, rng: np.random.Generator, shape: int | tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """How many edges each triple has, and how many of them are relevant."""
    length = np.exp(rng.uniform(*np.log(_LENGTHS), size=shape)).astype(int)
    return length, 1 + rng.poisson(mean_relevant - 1, size=shape)
