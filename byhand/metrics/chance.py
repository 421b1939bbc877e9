"""Chance levels: the exact expected value of each measure under a random ordering."""

import numpy as np
from numpy.typing import ArrayLike

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measure_names import measure_named
from byhand.metrics.presets import preset_named


def chance(
    n_items: ArrayLike,
    n_relevant: ArrayLike,
    measure: object = "RR",
    *,
    conventions: str | Conventions = "trec_eval -c",
) -> float | np.ndarray:
    """Compute the expected value of a measure under a random ordering of all items.

    A random ordering is equivalent to one tie of all items. The result is therefore the value of
    the measure with the tie order `"expected"`.

    Args:
        n_items: the number n of ranked items, from 1; a number or an array.
        n_relevant: the number R of relevant items (grade 1), 0 to n; a number or an array.
        measure: a name in ir_measures' notation with its cutoff, such as `"RR@10"`; RR by default.
        conventions: the conventions, as in `evaluate`; those of trec_eval -c by default.

    Returns:
        A float for two numbers, otherwise an array of the shape that n and R broadcast to.

    Raises:
        DataError: If AP has a cutoff below n and the conventions have denominator="retrieved".
        ValueError: If the counts are inconsistent or not whole numbers, the measure or preset is
            unknown, or the counts do not determine a chance level of the measure.

    References:
        McSherry and Najork 2008, applied to one tie. For RR without a cutoff and R = 1 it is
        the harmonic number H(n) / n; for AP, with H(n), it is
        ((n - R) / (n - 1) * H(n) + n * (R - 1) / (n - 1)) / n.

    Example:
        >>> chance(3, 1)  # (1/1 + 1/2 + 1/3) / 3
        0.6111111111111112
    """
    n, r = np.broadcast_arrays(_whole(n_items, "n_items"), _whole(n_relevant, "n_relevant"))
    if (n < 1).any() or (r < 0).any() or (r > n).any():
        raise ValueError(
            f"n_items={n_items!r} and n_relevant={n_relevant!r} are inconsistent: n_items must be "
            "1 or more, and n_relevant from 0 to n_items."
        )
    # compute each distinct (n, R) only once
    shapes, inverse = np.unique(np.stack([n.ravel(), r.ravel()]), axis=1, return_inverse=True)
    hits = _hits_in_one_tie(*shapes)
    named = measure_named(measure)
    means = named.expected(hits, named.chosen_by(preset_named(conventions)))
    values = means[inverse.ravel()].reshape(n.shape)
    return values if n.ndim else float(values)


def chance_at_mean(
    n_items: ArrayLike, mean_relevant: float, measure: object = "RR"
) -> float | np.ndarray:
    """Compute the mean chance level of equally long lists from their mean number of relevant items.

    The chance level is not linear in the number of relevant items, so their mean does not determine
    it. This function assumes the two nearest whole numbers: for a mean of 1.69, 31% of the lists
    have one and 69% have two. For RR, a wider distribution has a lower mean level.

    Args:
        n_items, measure: as in `chance`.
        mean_relevant: the mean number of relevant items, from 0 to `n_items`.

    Raises:
        ValueError: If the numbers are inconsistent, or the measure is unknown.

    References:
        Our own; linear between whole numbers.

    Example:
        >>> half = chance_at_mean(3, 1.5)  # one relevant: 11/18; two: (1 + 1 + 1/2) / 3
        >>> round(half * 36)
        26
    """
    if not 0 <= mean_relevant < np.inf:
        raise ValueError(f"mean_relevant={mean_relevant!r}: expected a number of 0 or more.")
    fewer = int(mean_relevant)
    more = float(mean_relevant - fewer)
    level = chance(n_items, fewer, measure)
    return level if not more else (1 - more) * level + more * chance(n_items, fewer + 1, measure)


def _whole(counts: ArrayLike, name: str) -> np.ndarray:
    array = np.asarray(counts)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name}={counts!r}: expected whole numbers.")
    return array.astype(np.int64)


def _hits_in_one_tie(n: np.ndarray, r: np.ndarray) -> Hits:
    query = np.repeat(np.arange(len(n)), r.astype(np.intp))
    grade = np.ones(len(query))
    top = np.ones(len(query), dtype=np.int64)
    return Hits(
        query_ids=np.arange(len(n)),
        query=query,
        rank=top,
        grade=grade,
        top=top,
        tied=n[query],
        relevant_query=query,
        relevant_grade=grade,
        n_retrieved=n,
    )
