"""The statements in the five documents that carry no number, each put to a computation."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pandas as pd

from helpers.lessons.record.recomputed import (
    Number,
    Recomputed,
    cases,
    chance_ratio,
    exact,
    marked,
    mean_measured,
    measured,
    scattered,
)
from helpers.lessons.record.spots import (
    corrected_means,
    difference_of_scores,
    values_with_one_spot_fixed,
    walks_that_differ,
)
from helpers.lessons.worked_examples import WorkedCase
from helpers.metrics.chance import chance
from helpers.metrics.conventions import Conventions
from helpers.metrics.evaluate import evaluate
from helpers.metrics.explain import explain
from helpers.metrics.measures.ap import average_precision
from helpers.metrics.names import measure_list


def _says(
    how: str, value: Callable[[], Number], *, said: Callable[[], Number] | Number
) -> Recomputed:
    """A claim that names a value: right if it comes out, else wrong."""
    return Recomputed(
        how=how, value=lambda _: value(), said=said if callable(said) else lambda: Fraction(said)
    )


def _argues(how: str, value: Callable[[], Number], holds: Callable[[Number], bool]) -> Recomputed:
    """A claim about a value: misleading if it does not hold."""
    return Recomputed(how=how, value=lambda _: value(), holds=lambda _: holds(value()))


def _different(measure: str, document: str, example: str) -> Number:
    values = {measured(measure, case) for case in cases(document, example).values()}
    return Fraction(len(values))


def _swapped(measure: str) -> Number:
    """What a measure gains when the two items that are not relevant change places."""
    user = cases("pt", "table")["user 3"]
    other = WorkedCase(["1", "3", "2", "4"], user.relevant)
    return exact(measure_list(measure, *other) - measure_list(measure, *user))


def _first_only() -> Number:
    case = cases("ko", "rr")["list"]
    return measured("RR", WorkedCase(case.ranked, ["B"]))


def _grade_of_b_zero() -> Number:
    case = cases("ko", "rr")["list"]
    return exact(measure_list("RR", case.ranked, {"C": 1, "K": 1, "B": 0, "Z": 1}))


def _one_of_four_tied(ties: str) -> Number:
    """RR of one relevant item of four that a yes-or-no prediction cannot put in order."""
    run = pd.DataFrame({"query_id": "user", "doc_id": list("abcd"), "score": 1})
    qrels = pd.DataFrame({"query_id": ["user"], "doc_id": ["a"], "relevance": [1]})
    found = evaluate(run, qrels, ["RR"], conventions=Conventions(ties=ties))
    return exact(float(found["RR"].iloc[0]))


def _exam() -> Number:
    """Of twenty questions, each worth an answer, the pupil gets the second one right."""
    answers = [f"wrong {n}" if n != 2 else "right 2" for n in range(1, 21)]
    return exact(measure_list("nDCG", answers, [f"right {n}" for n in range(1, 21)]))


def _mean_of_all_precisions() -> Number:
    return exact(float(explain(*cases("pt", "table")["user 3"])["precision"].mean()))


def _mean_of_those_with_a_hit() -> Number:
    values = [measured("RR", case) for case in cases("d4", "mrr").values()]
    found = [value for value in values if value > 0]
    return sum(found) / len(found)


def _by_hits_found() -> Number:
    return exact(average_precision(*cases("ko", "rr")["list"], denominator="retrieved"))


def _first_two_triples() -> Number:
    # the published code pairs up to the end of the shorter list: two totals, two triples
    pairs = zip(cases("tracin", "map").values(), (7, 4), strict=False)
    values = [measured("AP", case) for case, _ in pairs]
    return sum(values) / len(values)


def _pairs_won() -> Number:
    """The share of pairs won by one of two groups with an equal mean: what the test looks at."""
    level = [Fraction(1, 2)] * 3
    uneven = [Fraction(1), Fraction(1, 4), Fraction(1, 4)]
    won = [(a > b) + Fraction(a == b, 2) for a, b in product(level, uneven)]
    return sum(won) / Fraction(len(won))


CLAIMS: dict[str, Recomputed] = {
    "ko-second-hits": _says(
        "RR with B alone relevant",
        _first_only,
        said=lambda: measured("RR", cases("ko", "rr")["list"]),
    ),
    "ko-ten-hits": _says(
        "RR of ten hits of ten, less RR of one at rank 1",
        lambda: (
            measured("RR", marked(*range(1, 11), length=10)) - measured("RR", marked(1, length=10))
        ),
        said=0,
    ),
    "ko-grades": _argues(
        "RR with the score of B set to 0",
        _grade_of_b_zero,
        lambda rr: rr == measured("RR", cases("ko", "rr")["list"]),
    ),
    "pt-list-size": _argues(
        "RR@1 of user 1",
        lambda: measured("RR@1", cases("pt", "mrr")["user 1"]),
        lambda rr: rr == measured("RR", cases("pt", "mrr")["user 1"]),
    ),
    "pt-relevant-size": _argues(
        "chance(100, 10, 'RR')",
        lambda: chance(100, 10, "RR"),
        lambda rr: rr == chance(100, 1, "RR"),
    ),
    "pt-ten-items": _says(
        "RR with a hit at 1 of 10",
        lambda: measured("RR", marked(1, length=10)),
        said=lambda: measured("RR", marked(1, length=1)),
    ),
    "pt-binary-scores": _argues(
        "lowest RR of four items with equal scores",
        lambda: _one_of_four_tied("worst"),
        lambda lowest: lowest == _one_of_four_tied("best"),
    ),
    "pt-between": _argues(
        "mean RR of the three users",
        lambda: mean_measured("RR", "pt", "mrr"),
        lambda mrr: 0 < mrr < 1,
    ),
    "pt-scikit-learn": _argues(
        "mean AP of the three users, scikit-learn's LRAP",
        lambda: mean_measured("AP", "pt", "mrr"),
        lambda value: value != mean_measured("RR", "pt", "mrr"),
    ),
    "pt-ndcg-positions": _argues(
        "gain of nDCG when items 2 and 3 of user 3 swap",
        lambda: _swapped("nDCG"),
        lambda gain: gain != 0,
    ),
    "pt-exam-ndcg": _argues("nDCG of one right answer of 20", _exam, lambda value: value < 1 / 2),
    "pt-ndcg-differs": _says(
        "number of different nDCG", lambda: _different("nDCG", "pt", "table"), said=3
    ),
    "pt-ndcg-grades": _argues(
        "nDCG of the grades 1, 3 in this order",
        lambda: exact(measure_list("nDCG", ["a", "b"], {"a": 1, "b": 3})),
        lambda value: value < 1,
    ),
    "pt-map-average": _says(
        "mean of the precisions at all ranks of user 3",
        _mean_of_all_precisions,
        said=lambda: measured("AP", cases("pt", "table")["user 3"]),
    ),
    "pt-map-positions": _says(
        "number of different AP", lambda: _different("AP", "pt", "table"), said=3
    ),
    "d4-top-only": _argues(
        "mean Success@1 of the queries",
        lambda: mean_measured("Success@1", "d4", "mrr"),
        lambda value: value == mean_measured("RR", "d4", "mrr"),
    ),
    "tracin-analysis-differs": _says(
        "number of different AP, less that of different RR",
        lambda: _different("AP", "tracin", "scenarios") - _different("RR", "tracin", "scenarios"),
        said=1,
    ),
    "tracin-code-mrr": _says(
        "mean RR of the d4 queries with a hit",
        _mean_of_those_with_a_hit,
        said=lambda: mean_measured("RR", "d4", "mrr"),
    ),
    "tracin-code-ap": _says(
        "AP of the ko list over the hits found",
        _by_hits_found,
        said=lambda: measured("AP", cases("ko", "rr")["list"]),
    ),
    "tracin-code-total": _argues(
        "AP with hits at 1, 4, 5 of 1000, less that of 10",
        lambda: (
            measured("AP", marked(1, 4, 5, length=1000))
            - measured("AP", marked(1, 4, 5, length=10))
        ),
        lambda difference: difference != 0,
    ),
    "tracin-code-totals": _argues(
        "mean AP of the triples that two totals leave",
        _first_two_triples,
        lambda value: value == mean_measured("AP", "tracin", "map"),
    ),
    "tracin-ccggdd-spread": _argues(
        "AP with hits at 1860 to 1876 of 10,000",
        lambda: measured("AP", marked(*range(1860, 1877), length=10_000)),
        lambda _: scattered(marked(*range(1860, 1877), length=10_000)),
    ),
    "tracin-cggd-spread": _argues(
        "AP with hits at 750, 751 of 10,000",
        lambda: measured("AP", marked(750, 751, length=10_000)),
        lambda _: scattered(marked(750, 751, length=10_000)),
    ),
    "tracin-test-means": _argues(
        "share of pairs won by 1/2, 1/2, 1/2 over 1, 1/4, 1/4",
        _pairs_won,
        lambda won: won == Fraction(1, 2),
    ),
    "tracin-not-chance": _argues(
        "chance(10_000, 17, 'RR') / chance(10_000, 2, 'RR')",
        lambda: chance_ratio("RR"),
        lambda ratio: ratio == 1,
    ),
    "tracin-ten-edges": _says(
        "RR with hits at 1 and 992 to 1000 of 1000",
        lambda: measured("RR", marked(1, *range(992, 1001), length=1000)),
        said=1,
    ),
    "tracin-binary": _says(
        "mean RR of the three triples",
        lambda: mean_measured("RR", "tracin", "mrr"),
        said=lambda: mean_measured("Success", "tracin", "mrr"),
    ),
    "tracin-tail": _says(
        "RR with hits at 1 to 10, less RR with hits at 1 and 992 to 1000",
        lambda: (
            measured("RR", marked(*range(1, 11), length=1000))
            - measured("RR", marked(1, *range(992, 1001), length=1000))
        ),
        said=0,
    ),
    "tracin-equal-edges": _says(
        "AP of the grades 1, 3 less that of 3, 1",
        lambda: exact(
            measure_list("AP", ["a", "b"], {"a": 1, "b": 3})
            - measure_list("AP", ["b", "a"], {"a": 1, "b": 3})
        ),
        said=0,
    ),
    "tracin-fewer-edges": _argues(
        "chance(10_000, 2, 'AP') / chance(10_000, 17, 'AP')",
        lambda: 1 / chance_ratio("AP"),
        lambda ratio: ratio > 1,
    ),
    "tracin-only-relevant": _says(
        "gain of AP when two items that are not relevant swap", lambda: _swapped("AP"), said=0
    ),
    "spots-original-standard": _argues(
        "cases where it is no RR of one relevant spot",
        lambda: Fraction(walks_that_differ()),
        lambda differ: differ > 0,
    ),
    "spots-corrected-standard": _argues(
        "lowest mean of all orders of the eight spots",
        lambda: exact(min(corrected_means())),
        # four relevant items of eight, on their own, can come as late as rank 5
        lambda lowest: lowest == measured("RR", marked(5, 6, 7, 8, length=8)),
    ),
    "spots-original-accuracy": _argues(
        "values over the orders of the other three spots",
        lambda: Fraction(values_with_one_spot_fixed()),
        lambda n_values: n_values > 1,
    ),
    "spots-more-appropriate": _argues(
        "difference between the means of the two scores",
        lambda: exact(difference_of_scores()),
        lambda difference: difference != 0,
    ),
}
