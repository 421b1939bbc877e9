"""Functions for the formulas of the audit: measures of the documents' lists, and of others."""

import math
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations

import pandas as pd

from byhand import Conventions, DataError, evaluate, measure_list
from byhand.metrics import chance_at_mean
from byhand.words import ENGLISH, speaking
from helpers import spots as note
from helpers.examples import WorkedCase, worked_example
from helpers.printed_values import Value, printed, printed_value


def exact(value: float) -> Value:
    """Return a float as a fraction if its denominator is small."""
    if value == math.inf:
        return value
    near = Fraction(value).limit_denominator(10_000)
    return near if abs(near - value) < 1e-12 else value


def measured(measure: str, ranked: Sequence[Hashable], relevant: Iterable[Hashable]) -> Value:
    """Compute a measure of one list, exactly if it is a simple fraction."""
    return exact(measure_list(measure, ranked, relevant))


@cache
def lists(example: str) -> dict[str, WorkedCase]:
    """Return the lists of a worked example, such as `ko/mrr`, by English name."""
    with speaking(ENGLISH):
        return worked_example(*example.split("/"))


def _list(example: str, query: str) -> WorkedCase:
    if query not in lists(example):
        known = ", ".join(lists(example))
        raise DataError(f"There is no list {query!r}. Use one of these: {known}.")
    return lists(example)[query]


def of(measure: str, example: str, query: str) -> Value:
    """Compute a measure of one list of an example."""
    return measured(measure, *_list(example, query))


def values(measure: str, example: str) -> list[Value]:
    """Compute a measure of each list of an example."""
    return [of(measure, example, query) for query in lists(example)]


def average(numbers: Iterable[Value]) -> Value:
    """Compute the mean, exactly if the numbers are."""
    found = [exact(number) for number in numbers]
    return sum(found) / Fraction(len(found))


def mean(measure: str, example: str) -> Value:
    """Compute the mean of a measure over the lists of an example."""
    return average(values(measure, example))


def rank(n: int, example: str, query: str) -> Value:
    """Return the rank of the nth hit; infinity if there is none."""
    ranked, relevant = _list(example, query)
    ranks = [place for place, item in enumerate(ranked, start=1) if item in relevant]
    return Fraction(ranks[n - 1]) if len(ranks) >= n else math.inf


def precision(n: int, example: str, query: str) -> Value:
    """Compute the precision at the nth hit."""
    return of(f"P@{rank(n, example, query)}", example, query)


def hits(measure: str, ranks: Iterable[int], length: int) -> Value:
    """Compute a measure of a list from the ranks of all relevant items and its length."""
    relevant, ranked = list(ranks), range(1, length + 1)
    if outside := set(relevant).difference(ranked):
        raise DataError(
            f"There is no rank {min(outside)} in a list of {length}. Pass ranks from 1 to {length}."
        )
    return measured(measure, ranked, relevant)


def graded(measure: str, *grades: int) -> Value:
    """Compute a measure of a list from the grades of its items."""
    return measured(measure, range(len(grades)), dict(enumerate(grades)))


def placements(measure: str, n_hits: int, n_ranks: int) -> list[Value]:
    """Compute a measure for each way to place hits on ranks."""
    return [hits(measure, at, n_ranks) for at in combinations(range(1, n_ranks + 1), n_hits)]


@cache
def possible(measure: str) -> set[Value]:
    """Return the values of all lists of up to four of the items a to d; a and b are relevant."""
    orders = {order[:k] for order in permutations("abcd") for k in range(1, 5)}
    return {measured(measure, order, ["a", "b"]) for order in orders}


def share_on_top(mrr: Fraction) -> Fraction:
    """Return the least share of five lists with a hit at rank 1, given a lower bound of MRR."""
    # values below 1/2 would need more hits at rank 1
    possible = combinations_with_replacement((Fraction(1), Fraction(1, 2), Fraction(0)), 5)
    return min(Fraction(each.count(1), 5) for each in possible if sum(each) / 5 >= mrr)


def tied(ties: str) -> Value:
    """Compute RR of one relevant item among four tied items."""
    run = pd.DataFrame({"query_id": "user", "doc_id": list("abcd"), "score": 1})
    qrels = pd.DataFrame({"query_id": ["user"], "doc_id": ["a"], "relevance": [1]})
    return exact(evaluate(run, qrels, ["RR"], conventions=Conventions(ties=ties))["RR"].item())


def mean_of_printed(*rows: str) -> Value:
    """Compute the mean of printed RR values without rounding; each is 1 / rank."""
    return average(Fraction(1, round(1 / printed(row))) for row in rows)


def chance_ratio(measure: str, n_items: int = 10_000) -> float:
    """Return the ratio of chance levels on CCGGDD and CGGD, from their mean numbers of edges."""
    many, few = (
        chance_at_mean(n_items, printed(f"tracin-{data}-relevant"), measure)
        for data in ("ccggdd", "cggd")
    )
    return many / few


def other_theme(row: str) -> Value:
    """Return the first theme's corrected value, given that of the second in this row."""
    other, of_theme = Fraction(1, round(1 / printed(row))), note.corrected_value
    orders = [order for order in note.mixed_orders() if exact(of_theme(order, "love")) == other]
    found = {exact(of_theme(order, "steins")) for order in orders}
    if len(found) != 1:
        raise DataError(
            f"{row!r} does not determine the other theme's value: if the RR of one theme is "
            f"{other}, the other has {len(found)} possible values. Use another row."
        )
    return found.pop()


def impossible_originals() -> int:
    """Count those of the six printed original values that cannot be RR of one spot among four."""
    ranks, impossible = [Fraction(1, rank) for rank in range(1, 5)], 0
    for score in note.SCORES:
        rows = [f"spots-{theme}-{score}-original" for theme in note.THEMES]
        impossible += sum(not any(map(printed_value(row).agrees, ranks)) for row in rows)
        whole = printed_value(f"spots-mean-{score}-original")
        impossible += not whole.agrees(mean_of_printed(*rows))
    return impossible
