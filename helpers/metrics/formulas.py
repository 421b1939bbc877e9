"""The formulas, written once, on `Hits`."""

from collections.abc import Callable

import numpy as np

from helpers.errors import DataError
from helpers.metrics.conventions import Conventions, Denominator, Gain, Ideal
from helpers.metrics.hits import Hits, nth_of_query, sum_per_query

Formula = Callable[[Hits, int | None, Conventions], np.ndarray]


def discount(rank: np.ndarray) -> np.ndarray:
    """What a gain is worth at a rank: 1 / log2(rank + 1).

    Source:
        Järvelin and Kekäläinen 2002, "Cumulated gain-based evaluation of IR techniques", in
        the form with log2(rank + 1) that trec_eval uses.

    Example:
        >>> discount(np.array([1, 3])).tolist()
        [1.0, 0.5]
    """
    return 1 / np.log2(np.asarray(rank) + 1)


def gain_of(grade: np.ndarray, gain: Gain) -> np.ndarray:
    """What a grade is worth: the grade itself, or 2^grade - 1 (Burges et al. 2005)."""
    if gain == "linear":
        return np.asarray(grade, dtype=float)
    if np.max(grade, initial=0) > 1000:
        raise DataError(
            f"A grade is {np.max(grade):g}, and 2^{np.max(grade):g} - 1 is more than a number can "
            "hold. Map the grades to a scale such as 0 to 4, or take gain='linear'."
        )
    return np.exp2(grade) - 1


def within(hits: Hits, k: int | None) -> np.ndarray:
    """(H,) which hits stand in the first k ranks; all of them where k is None."""
    return hits.rank <= (np.inf if k is None else k)


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole, and 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def rr_shares(hits: Hits, *, k: int | None = None) -> np.ndarray:
    """(H,) what each hit adds to RR: 1 / rank for the first of a query, 0 for the others."""
    return np.where(within(hits, k) & (hits.nth == 1), 1 / hits.rank, 0.0)


def ap_shares(
    hits: Hits, *, k: int | None = None, denominator: Denominator = "relevant"
) -> np.ndarray:
    """(H,) what each hit adds to AP: the precision at its rank over the denominator."""
    counts = within(hits, k)
    divisor = {
        "relevant": hits.n_relevant,
        "capped": hits.n_relevant if k is None else np.minimum(hits.n_relevant, float(k)),
        "retrieved": hits.per_query(counts),
    }[denominator]
    precision_at_hit = np.where(counts, hits.nth / hits.rank, 0.0)
    return share(precision_at_hit, divisor[hits.query])


def dcg_shares(hits: Hits, *, k: int | None = None, gain: Gain = "linear") -> np.ndarray:
    """(H,) what each hit adds to DCG: its gain times the discount at its rank."""
    return np.where(within(hits, k), gain_of(hits.grade, gain) * discount(hits.rank), 0.0)


def ndcg_shares(
    hits: Hits, *, k: int | None = None, gain: Gain = "linear", ideal: Ideal = "judged"
) -> np.ndarray:
    """(H,) what each hit adds to nDCG: its share of DCG over the query's ideal DCG."""
    best = ideal_dcg(hits, k=k, gain=gain, ideal=ideal)
    return share(dcg_shares(hits, k=k, gain=gain), best[hits.query])


def ideal_dcg(
    hits: Hits, *, k: int | None = None, gain: Gain = "linear", ideal: Ideal = "judged"
) -> np.ndarray:
    """(Q,) the DCG of each query's best order of all judged items, or of the retrieved ones."""
    query, grade = hits.relevant_query, hits.relevant_grade
    if ideal == "retrieved":
        order = np.lexsort((-hits.grade, hits.query))
        query, grade = hits.query, hits.grade[order]
    rank = nth_of_query(query)
    shares = gain_of(grade, gain) * discount(rank)
    if k is not None:
        shares[rank > k] = 0
    return sum_per_query(query, shares, hits.n_queries)


def _rr(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    return hits.per_query(rr_shares(hits, k=k))


def _ap(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    return hits.per_query(ap_shares(hits, k=k, denominator=chosen.denominator))


def _ndcg(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    return hits.per_query(ndcg_shares(hits, k=k, gain=chosen.gain, ideal=chosen.ideal))


def _dcg(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    return hits.per_query(dcg_shares(hits, k=k, gain=chosen.gain))


def _precision(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    looked_at = hits.n_retrieved if k is None else np.full(hits.n_queries, float(k))
    return share(hits.per_query(within(hits, k)), looked_at)


def _recall(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    return share(hits.per_query(within(hits, k)), hits.n_relevant)


def _success(hits: Hits, k: int | None, chosen: Conventions) -> np.ndarray:
    return np.minimum(hits.per_query(within(hits, k)), 1.0)


FORMULAS: dict[str, Formula] = {
    "RR": _rr,
    "AP": _ap,
    "nDCG": _ndcg,
    "DCG": _dcg,
    "P": _precision,
    "R": _recall,
    "Success": _success,
}
