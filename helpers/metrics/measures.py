"""Every measure for one list, and the means over several."""

from collections.abc import Hashable, Iterable, Sequence

from helpers.errors import DataError
from helpers.metrics.conventions import Conventions, Denominator, Gain, Ideal, conventions_named
from helpers.metrics.hits import Case, Relevant, hits_of_lists
from helpers.metrics.names import TREC_EVAL, Measure, cutoff


def measure_list(
    measure: object,
    ranked: Sequence[Hashable],
    relevant: Relevant,
    *,
    conventions: str | Conventions = TREC_EVAL,
) -> float:
    """The measure of that name for one list.

    Args:
        measure: a name in ir_measures' notation, such as `"nDCG@10"`.
        ranked: the items, best first.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        conventions: the name of a preset, or a `Conventions` value.

    Raises:
        DataError: a repeated item in `ranked`.
        ValueError: an unknown measure or preset.

    Example:
        >>> measure_list("P@2", ["D1", "D4", "D2"], {"D4"})
        0.5
    """
    hits = hits_of_lists([(ranked, relevant)])
    return float(Measure.named(measure).values(hits, conventions_named(conventions))[0])


def _of_list(
    name: str, ranked: Sequence[Hashable], relevant: Relevant, k: int | None, **choices: str
) -> float:
    hits = hits_of_lists([(ranked, relevant)])
    return float(Measure(name, cutoff(k)).values(hits, TREC_EVAL.but(**choices))[0])


def reciprocal_rank(
    ranked: Sequence[Hashable], relevant: Relevant, *, k: int | None = None
) -> float:
    """One divided by the rank of the first relevant item; 0 if there is none.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.

    Raises:
        DataError: a repeated item in `ranked`.

    Source:
        Voorhees 1999, "The TREC-8 Question Answering Track Report".

    Example:
        >>> reciprocal_rank(["D1", "D4", "D2"], {"D4"})
        0.5
    """
    return _of_list("RR", ranked, relevant, k)


def average_precision(
    ranked: Sequence[Hashable],
    relevant: Relevant,
    *,
    k: int | None = None,
    denominator: Denominator = "relevant",
) -> float:
    """The precisions at the ranks of the relevant items, added up and divided.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.
        denominator: divide by all relevant items (`"relevant"`), by min(R, k) (`"capped"`), or
            by the relevant items found (`"retrieved"`).

    Raises:
        DataError: a repeated item in `ranked`.

    Source:
        Manning, Raghavan and Schütze 2008, "Introduction to Information Retrieval",
        section 8.4: divided by all relevant items, retrieved or not.

    Example:
        >>> average_precision(["C", "x", "D", "x2"], ["C", "D", "K"])  # (1/1 + 2/3) / 3
        0.5555555555555556
    """
    return _of_list("AP", ranked, relevant, k, denominator=denominator)


def dcg(
    ranked: Sequence[Hashable],
    relevant: Relevant,
    *,
    k: int | None = None,
    gain: Gain = "linear",
) -> float:
    """Discounted cumulative gain: the gains, each divided by log2(rank + 1), added up.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.
        gain: a grade is worth itself (`"linear"`) or 2^grade - 1 (`"exponential"`).

    Raises:
        DataError: a repeated item in `ranked`.

    Source:
        Järvelin and Kekäläinen 2002, section 2.2, with log2(rank + 1); the exponential gain is
        from Burges et al. 2005, "Learning to rank using gradient descent".

    Example:
        >>> dcg(["a", "b", "c"], {"a": 3, "c": 2})  # 3/1 + 2/2
        4.0
    """
    return _of_list("DCG", ranked, relevant, k, gain=gain)


def ndcg(
    ranked: Sequence[Hashable],
    relevant: Relevant,
    *,
    k: int | None = None,
    gain: Gain = "linear",
    ideal: Ideal = "judged",
) -> float:
    """DCG divided by the DCG of the ideal order.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.
        gain: a grade is worth itself (`"linear"`) or 2^grade - 1 (`"exponential"`).
        ideal: the best order of all judged items (`"judged"`), or of those that are in
            `ranked` (`"retrieved"`).

    Raises:
        DataError: a repeated item in `ranked`.

    Source:
        Järvelin and Kekäläinen 2002, section 2.3, with log2(rank + 1).

    Example:
        >>> ndcg(["x", "y", "a"], {"a": 1})  # (1/2) / 1
        0.5
    """
    return _of_list("nDCG", ranked, relevant, k, gain=gain, ideal=ideal)


def precision(ranked: Sequence[Hashable], relevant: Relevant, *, k: int | None = None) -> float:
    """The share of the first k ranks that hold a relevant item.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff; a shorter list is still divided by k. None divides by the length.

    Raises:
        DataError: a repeated item in `ranked`.

    Source:
        Manning, Raghavan and Schütze 2008, section 8.4; k as the divisor as in trec_eval.

    Example:
        >>> precision(["a", "x", "b"], {"a", "b"}, k=2)
        0.5
    """
    return _of_list("P", ranked, relevant, k)


def recall(ranked: Sequence[Hashable], relevant: Relevant, *, k: int | None = None) -> float:
    """The share of the relevant items that stand in the first k ranks.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff; None for the whole list.

    Raises:
        DataError: a repeated item in `ranked`.

    Source:
        Manning, Raghavan and Schütze 2008, section 8.3.

    Example:
        >>> recall(["a", "x", "b"], {"a", "b", "c", "d"})
        0.5
    """
    return _of_list("R", ranked, relevant, k)


def success(ranked: Sequence[Hashable], relevant: Relevant, *, k: int | None = None) -> float:
    """1 if a relevant item stands in the first k ranks, else 0.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: the cutoff; None for the whole list.

    Raises:
        DataError: a repeated item in `ranked`.

    Source:
        `success_k` of trec_eval; also called hit rate.

    Example:
        >>> success(["a", "x", "b"], {"b"}, k=2)
        0.0
    """
    return _of_list("Success", ranked, relevant, k)


def mean_reciprocal_rank(cases: Iterable[Case], *, k: int | None = None) -> float:
    """The mean of the reciprocal ranks of several (ranked, relevant) pairs; no hit counts 0.

    Args:
        cases: pairs of a ranked list and what is relevant.
        k: only the first k ranks count; None for the whole list.

    Raises:
        DataError: no cases, or a repeated item in a list.

    Source:
        Voorhees 1999, "The TREC-8 Question Answering Track Report".

    Example:
        >>> mean_reciprocal_rank([(["D1", "D4"], {"D4"}), (["D5"], {"D4"})])  # (1/2 + 0) / 2
        0.25
    """
    return _mean("RR", cases, k)


def mean_average_precision(
    cases: Iterable[Case], *, k: int | None = None, denominator: Denominator = "relevant"
) -> float:
    """The mean of the average precisions of several (ranked, relevant) pairs.

    Args:
        cases: pairs of a ranked list and what is relevant.
        k: only the first k ranks count; None for the whole list.
        denominator: what each AP divides by, as in `average_precision`.

    Raises:
        DataError: no cases, or a repeated item in a list.

    Source:
        Manning, Raghavan and Schütze 2008, section 8.4.

    Example:
        >>> mean_average_precision([(["a", "x"], {"a"}), (["x", "a"], {"a"})])  # (1 + 1/2) / 2
        0.75
    """
    return _mean("AP", cases, k, denominator=denominator)


def _mean(name: str, cases: Iterable[Case], k: int | None, **choices: str) -> float:
    hits = hits_of_lists(cases)
    if hits.n_queries == 0:
        raise DataError("There are no cases, so there is no mean. Pass (ranked, relevant) pairs.")
    return float(Measure(name, cutoff(k)).values(hits, TREC_EVAL.but(**choices)).mean())
