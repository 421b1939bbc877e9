"""The measures as functions of one list, or of several: one call, one number."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import TypeVar

from byhand.metrics.cases import Case, Ranked, Relevant
from byhand.metrics.measures import AP, DCG, ERR, RBP, RR, Measure, P, R, Success, nDCG
from byhand.metrics.measures.measure import DEFAULT

_Function = TypeVar("_Function", bound=Callable[..., float])


def _of(measure: type[Measure]) -> Callable[[_Function], _Function]:
    """Remember the measure of a function, and answer calls whose arguments do not fit.

    Where a name belongs, the function is refused with the name of its measure.
    """

    def marked(function: _Function) -> _Function:
        @wraps(function)
        def asked(*args: object, **options: object) -> float:
            try:
                return function(*args, **options)
            except TypeError:
                _check_arguments(function, args, options)
                raise

        asked.measure = measure
        return asked

    return marked


def _check_arguments(
    function: Callable[..., float], args: Sequence[object], options: Mapping[str, object]
) -> None:
    """Say what a function takes, if its arguments do not fit."""
    name, taken = function.__name__, signature(function)
    try:
        taken.bind(*args, **options)
    except TypeError as error:
        if "cases" in taken.parameters:
            hint = (
                f"{name} takes a list of (ranked, relevant) pairs: {name}([(['d2', 'd7'], ['d7'])])"
            )
        else:
            k = ", k=10" if taken.parameters["k"].default is Parameter.empty else ""
            hint = (
                f"{name} takes ranked, the items of a list, best first, and relevant, which items "
                f"are relevant: {name}(['d2', 'd7'], ['d7']{k}), or with grades "
                f"{name}(['d2', 'd7'], {{'d7': 3}}{k})"
            )
            if len(args) == 1 and "relevant" not in options and _are_grades(args[0]):
                hint += (
                    f". If {args[0]!r} are the grades of a whole list from the first rank, write "
                    f"{name}(range({len(args[0])}), dict(enumerate({args[0]!r})){k})"
                )
        raise TypeError(f"{name}: {error}. {hint}.") from None


def _are_grades(held: object) -> bool:
    return isinstance(held, list | tuple) and all(isinstance(each, int | float) for each in held)


@_of(RR)
def reciprocal_rank(ranked: Ranked, relevant: Relevant, *, k: int | None = None) -> float:
    """One divided by the rank of the first relevant item; 0 if none was retrieved.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.

    Raises:
        DataError: an item that a list repeats.

    Source:
        Voorhees 1999, "The TREC-8 Question Answering Track Report".

    Example:
        >>> reciprocal_rank(["D1", "D4", "D2"], {"D4"})
        0.5
    """
    return RR(k=k).of_list(ranked, relevant)


@_of(AP)
def average_precision(
    ranked: Ranked, relevant: Relevant, *, k: int | None = None, denominator: str = "relevant"
) -> float:
    """The precisions at the ranks of the relevant items, added up and divided.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.
        denominator: divide by all relevant items (`"relevant"`), by min(R, k) (`"capped"`), or
            by the relevant items found (`"retrieved"`).

    Raises:
        DataError: an item that a list repeats.

    Source:
        Manning, Raghavan and Schütze 2008, "Introduction to Information Retrieval", section 8.4:
        divided by all relevant items, retrieved or not.

    Example:
        >>> average_precision(["C", "x", "x2", "D"], ["C", "D", "K"])  # (1/1 + 2/4) / 3
        0.5
    """
    return AP(k=k).of_list(ranked, relevant, DEFAULT.but(denominator=denominator))


@_of(nDCG)
def ndcg(
    ranked: Ranked,
    relevant: Relevant,
    *,
    k: int | None = None,
    gain: str = "linear",
    ideal: str = "judged",
) -> float:
    """DCG divided by the DCG of the ideal order.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.
        gain: a grade is worth itself (`"linear"`), 2^grade - 1 (`"exponential"`) or 1
            (`"binary"`).
        ideal: the best order of all judged items (`"judged"`), of those that are in `ranked`
            (`"retrieved"`), of all, cut where `ranked` ends (`"length"`), or of all, not cut at k
            (`"uncut"`).

    Raises:
        DataError: an item that a list repeats.

    Source:
        Järvelin and Kekäläinen 2002, "Cumulated gain-based evaluation of IR techniques", sections
        2.2 and 2.3, in the form with log2(rank + 1).

    Example:
        >>> ndcg(["x", "y", "a"], {"a": 1})  # (1/2) / 1
        0.5
    """
    return nDCG(k=k).of_list(ranked, relevant, DEFAULT.but(gain=gain, ideal=ideal))


@_of(DCG)
def dcg(ranked: Ranked, relevant: Relevant, *, k: int | None = None, gain: str = "linear") -> float:
    """Discounted cumulative gain: the gains, each divided by log2(rank + 1), added up.

    The exponential gain is from Burges et al. 2005, "Learning to rank using gradient descent".

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.
        gain: a grade is worth itself (`"linear"`), 2^grade - 1 (`"exponential"`) or 1
            (`"binary"`).

    Raises:
        DataError: an item that a list repeats.

    Source:
        Järvelin and Kekäläinen 2002, "Cumulated gain-based evaluation of IR techniques", sections
        2.2 and 2.3, in the form with log2(rank + 1).

    Example:
        >>> dcg(["a", "b", "c"], {"a": 3, "c": 2})  # 3/1 + 2/2
        4.0
    """
    return DCG(k=k).of_list(ranked, relevant, DEFAULT.but(gain=gain))


@_of(ERR)
def expected_reciprocal_rank(
    ranked: Ranked, relevant: Relevant, *, k: int | None = None, max_rel: int = 4
) -> float:
    """The mean of 1 / rank over readers who go down the list and stop where they are satisfied.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.
        max_rel: the highest grade there can be, others are refused; an item stops a reader with
            the chance (2^grade - 1) / 2^max_rel.

    Raises:
        DataError: an item that a list repeats.

    Source:
        Chapelle, Metzler, Zhang and Grinspan 2009, "Expected reciprocal rank for graded relevance";
        max_rel=4 unless it is given, as in gdeval of the TREC Web tracks.

    Example:
        >>> expected_reciprocal_rank(["x", "a"], {"a"}, max_rel=1)  # 1/2 stop there, at 1/2
        0.25
    """
    return ERR(k=k, max_rel=max_rel).of_list(ranked, relevant)


@_of(RBP)
def rank_biased_precision(
    ranked: Ranked, relevant: Relevant, *, p: float = 0.8, k: int | None = None
) -> float:
    """The share of a reader's attention that relevant items have: (1 - p) p^(rank - 1) of each.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        p: the chance that a reader goes on from one rank to the next, from 0 to below 1.
        k: only the first k ranks count; None for the whole list.

    Raises:
        DataError: an item that a list repeats.

    Source:
        Moffat and Zobel 2008, "Rank-biased precision for measurement of retrieval effectiveness";
        p=0.8 unless it is given, as in ir_measures.

    Example:
        >>> rank_biased_precision(["a", "x", "b"], {"a", "b"}, p=0.5)  # 1/2 + 1/8
        0.625
    """
    return RBP(p=p, k=k).of_list(ranked, relevant)


@_of(P)
def precision(ranked: Ranked, relevant: Relevant, *, k: int | None = None) -> float:
    """The share of the first k ranks that hold a relevant item.

    A shorter list is still divided by k; without k, the length divides.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.

    Raises:
        DataError: an item that a list repeats.

    Source:
        Manning, Raghavan and Schütze 2008, section 8.4; k as the divisor as in trec_eval.

    Example:
        >>> precision(["a", "x", "b"], {"a", "b"}, k=2)
        0.5
    """
    return P(k=k).of_list(ranked, relevant)


@_of(R)
def recall(
    ranked: Ranked, relevant: Relevant, *, k: int | None = None, denominator: str = "relevant"
) -> float:
    """The share of the relevant items that stand in the first k ranks.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list.
        denominator: divide by all relevant items (`"relevant"`), or by min(R, k) (`"capped"`).

    Raises:
        DataError: an item that a list repeats.

    Source:
        Manning, Raghavan and Schütze 2008, section 8.3.

    Example:
        >>> recall(["a", "x", "b"], {"a", "b", "c", "d"})
        0.5
    """
    return R(k=k, denominator=denominator).of_list(ranked, relevant)


@_of(Success)
def success(ranked: Ranked, relevant: Relevant, *, k: int) -> float:
    """1 if a relevant item stands in the first k ranks, else 0.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count.

    Raises:
        DataError: an item that a list repeats.

    Source:
        `success_k` of trec_eval; also called hit rate.

    Example:
        >>> success(["a", "x", "b"], {"b"}, k=2)
        0.0
    """
    return Success(k=k).of_list(ranked, relevant)


@_of(RR)
def mean_reciprocal_rank(cases: Iterable[Case], *, k: int | None = None) -> float:
    """The mean of the reciprocal ranks of several (ranked, relevant) pairs; no hit counts 0.

    Args:
        cases: pairs of a ranked list and what is relevant.
        k: only the first k ranks count; None for the whole list.

    Raises:
        DataError: no cases, or an item that a list repeats.

    Source:
        Voorhees 1999, "The TREC-8 Question Answering Track Report".

    Example:
        >>> mean_reciprocal_rank([(["D1", "D4"], {"D4"}), (["D5"], {"D4"})])  # (1/2 + 0) / 2
        0.25
    """
    return RR(k=k).mean_of(cases)


@_of(AP)
def mean_average_precision(
    cases: Iterable[Case], *, k: int | None = None, denominator: str = "relevant"
) -> float:
    """The mean of the average precisions of several (ranked, relevant) pairs.

    Args:
        cases: pairs of a ranked list and what is relevant.
        k: only the first k ranks count; None for the whole list.
        denominator: divide by all relevant items (`"relevant"`), by min(R, k) (`"capped"`), or
            by the relevant items found (`"retrieved"`).

    Raises:
        DataError: no cases, or an item that a list repeats.

    Source:
        Manning, Raghavan and Schütze 2008, "Introduction to Information Retrieval", section 8.4:
        divided by all relevant items, retrieved or not.

    Example:
        >>> mean_average_precision([(["a", "x"], {"a"}), (["x", "a"], {"a"})])  # (1 + 1/2) / 2
        0.75
    """
    return AP(k=k).mean_of(cases, DEFAULT.but(denominator=denominator))
