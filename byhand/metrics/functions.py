"""The measures as functions of one ranked list, or of several: one call, one number."""

from collections.abc import Iterable

from byhand.metrics.calls import answering
from byhand.metrics.cases import Case, Ranked, Relevant
from byhand.metrics.measures import AP, DCG, RR, P, R, Success, nDCG
from byhand.metrics.measures.measure import DEFAULT

_LIST = (
    "{name} takes ranked, the items of a list, best first, and relevant, which items are relevant: "
    "{name}(['d2', 'd7'], ['d7'], k=10), or with grades {name}(['d2', 'd7'], {'d7': 3}, k=10). If "
    "you have the grades of a whole list, write {name}(range(len(grades)), "
    "dict(enumerate(grades)), k=10)."
)
_CASES = "{name} takes a list of (ranked, relevant) pairs: {name}([(['d2', 'd7'], ['d7'])])."


@answering(usage=_LIST)
def reciprocal_rank(ranked: Ranked, relevant: Relevant, *, k: int | None = None) -> float:
    """Compute one divided by the rank of the first relevant item; 0 if none was retrieved.

    Args:
        ranked: the items, best first, without repeats.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff, the number of ranks that count; None, the default, for the whole list.

    Raises:
        DataError: If `ranked` repeats an item, or an item or grade is invalid.
        ValueError: If `k` is not a whole number from 1.

    References:
        Voorhees 1999, "The TREC-8 Question Answering Track Report".

    Example:
        >>> reciprocal_rank(["D1", "D4", "D2"], {"D4"})
        0.5
    """
    return RR(k=k).of_list(ranked, relevant)


@answering(usage=_LIST)
def average_precision(
    ranked: Ranked, relevant: Relevant, *, k: int | None = None, denominator: str = "relevant"
) -> float:
    """Compute the sum of the precisions at the relevant items, divided by their number.

    Args:
        ranked: the items, best first, without repeats.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff, the number of ranks that count; None, the default, for the whole list.
        denominator: the divisor: all relevant items (`"relevant"`, the default), min(R, k)
            (`"capped"`), or the relevant items retrieved (`"retrieved"`).

    Raises:
        DataError: If `ranked` repeats an item, or an item or grade is invalid.
        ValueError: If `k` is not a whole number from 1, or `denominator` is unknown.

    References:
        Manning, Raghavan and Schütze 2008, "Introduction to Information Retrieval", section 8.4:
        divided by all relevant items, retrieved or not.

    Example:
        >>> average_precision(["C", "x", "x2", "D"], ["C", "D", "K"])  # (1/1 + 2/4) / 3
        0.5
    """
    return AP(k=k).of_list(ranked, relevant, DEFAULT.but(denominator=denominator))


@answering(usage=_LIST)
def ndcg(
    ranked: Ranked,
    relevant: Relevant,
    *,
    k: int | None = None,
    gain: str = "linear",
    ideal: str = "judged",
) -> float:
    """Compute DCG divided by the DCG of the ideal order.

    Args:
        ranked: the items, best first, without repeats.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff, the number of ranks that count; None, the default, for the whole list.
        gain: the gain of a grade: the grade (`"linear"`, the default), 2^grade - 1
            (`"exponential"`) or 1 (`"binary"`).
        ideal: the best order of all judged items (`"judged"`, the default), of those in `ranked`
            (`"retrieved"`), of all, cut at the length of `ranked` (`"length"`), or of all, not cut
            at k (`"uncut"`).

    Raises:
        DataError: If `ranked` repeats an item, or an item or grade is invalid.
        ValueError: If `k` is not a whole number from 1, or `gain` or `ideal` is unknown.

    References:
        Järvelin and Kekäläinen 2002, "Cumulated gain-based evaluation of IR techniques", sections
        2.2 and 2.3, in the form with log2(rank + 1).

    Example:
        >>> ndcg(["x", "y", "a"], {"a": 1})  # (1/2) / 1
        0.5
    """
    return nDCG(k=k).of_list(ranked, relevant, DEFAULT.but(gain=gain, ideal=ideal))


@answering(usage=_LIST)
def dcg(ranked: Ranked, relevant: Relevant, *, k: int | None = None, gain: str = "linear") -> float:
    """Compute discounted cumulative gain: the sum of the gains, each divided by log2(rank + 1).

    The exponential gain is from Burges et al. 2005, "Learning to rank using gradient descent".

    Args:
        ranked: the items, best first, without repeats.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff, the number of ranks that count; None, the default, for the whole list.
        gain: the gain of a grade: the grade (`"linear"`, the default), 2^grade - 1
            (`"exponential"`) or 1 (`"binary"`).

    Raises:
        DataError: If `ranked` repeats an item, or an item or grade is invalid.
        ValueError: If `k` is not a whole number from 1, or `gain` is unknown.

    References:
        Järvelin and Kekäläinen 2002, "Cumulated gain-based evaluation of IR techniques", sections
        2.2 and 2.3, in the form with log2(rank + 1).

    Example:
        >>> dcg(["a", "b", "c"], {"a": 3, "c": 2})  # 3/1 + 2/2
        4.0
    """
    return DCG(k=k).of_list(ranked, relevant, DEFAULT.but(gain=gain))


@answering(usage=_LIST)
def precision(ranked: Ranked, relevant: Relevant, *, k: int | None = None) -> float:
    """Compute the share of relevant items in the first k ranks.

    The divisor is k, even for a shorter list; without k, it is the length of the list.

    Args:
        ranked: the items, best first, without repeats.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff, the number of ranks that count; None, the default, for the whole list.

    Raises:
        DataError: If `ranked` repeats an item, or an item or grade is invalid.
        ValueError: If `k` is not a whole number from 1.

    References:
        Manning, Raghavan and Schütze 2008, section 8.4; k as the divisor as in trec_eval.

    Example:
        >>> precision(["a", "x", "b"], {"a", "b"}, k=2)
        0.5
    """
    return P(k=k).of_list(ranked, relevant)


@answering(usage=_LIST)
def recall(
    ranked: Ranked, relevant: Relevant, *, k: int | None = None, denominator: str = "relevant"
) -> float:
    """Compute the share of the relevant items that are in the first k ranks.

    Args:
        ranked: the items, best first, without repeats.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff, the number of ranks that count; None, the default, for the whole list.
        denominator: the divisor: all relevant items (`"relevant"`, the default), or min(R, k)
            (`"capped"`).

    Raises:
        DataError: If `ranked` repeats an item, or an item or grade is invalid.
        ValueError: If `k` is not a whole number from 1, or `denominator` is unknown.

    References:
        Manning, Raghavan and Schütze 2008, section 8.3.

    Example:
        >>> recall(["a", "x", "b"], {"a", "b", "c", "d"})
        0.5
    """
    return R(k=k, denominator=denominator).of_list(ranked, relevant)


@answering(usage=_LIST)
def success(ranked: Ranked, relevant: Relevant, *, k: int) -> float:
    """Return 1 if a relevant item is in the first k ranks, otherwise 0.

    Args:
        ranked: the items, best first, without repeats.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff, the number of ranks that count.

    Raises:
        DataError: If `ranked` repeats an item, or an item or grade is invalid.
        ValueError: If `k` is not a whole number from 1.

    References:
        `success_k` of trec_eval; also called hit rate.

    Example:
        >>> success(["a", "x", "b"], {"b"}, k=2)
        0.0
    """
    return Success(k=k).of_list(ranked, relevant)


@answering(usage=_CASES)
def mean_reciprocal_rank(cases: Iterable[Case], *, k: int | None = None) -> float:
    """Compute the mean reciprocal rank of (ranked, relevant) pairs. Without a hit, RR is 0.

    Args:
        cases: pairs of a ranked list and its relevant items.
        k: the cutoff, the number of ranks that count; None, the default, for the whole list.

    Raises:
        DataError: If `cases` is empty or contains anything but pairs, a list repeats an item, or an
            item or grade is invalid.
        ValueError: If `k` is not a whole number from 1.

    References:
        Voorhees 1999, "The TREC-8 Question Answering Track Report".

    Example:
        >>> mean_reciprocal_rank([(["D1", "D4"], {"D4"}), (["D5"], {"D4"})])  # (1/2 + 0) / 2
        0.25
    """
    return RR(k=k).mean_of(cases)


@answering(usage=_CASES)
def mean_average_precision(
    cases: Iterable[Case], *, k: int | None = None, denominator: str = "relevant"
) -> float:
    """Compute the mean of the average precisions of (ranked, relevant) pairs.

    Args:
        cases: pairs of a ranked list and its relevant items.
        k: the cutoff, the number of ranks that count; None, the default, for the whole list.
        denominator: the divisor: all relevant items (`"relevant"`, the default), min(R, k)
            (`"capped"`), or the relevant items retrieved (`"retrieved"`).

    Raises:
        DataError: If `cases` is empty or contains anything but pairs, a list repeats an item, or an
            item or grade is invalid.
        ValueError: If `k` is not a whole number from 1, or `denominator` is unknown.

    References:
        Manning, Raghavan and Schütze 2008, "Introduction to Information Retrieval", section 8.4:
        divided by all relevant items, retrieved or not.

    Example:
        >>> mean_average_precision([(["a", "x"], {"a"}), (["x", "a"], {"a"})])  # (1 + 1/2) / 2
        0.75
    """
    return AP(k=k).mean_of(cases, DEFAULT.but(denominator=denominator))
