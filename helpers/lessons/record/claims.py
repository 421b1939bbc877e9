"""The claims in the five documents: what is said of a value, and whether it is so.

Most claims stand in words alone. Some are said of a number besides its value: "rank 2 *on
average*", "6x *better*". The record's column `compute` says how the value comes about; where it
says so in none of the forms of `helpers.lessons.record.recomputed`, the computation is here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pandas as pd

from helpers.lessons.record.printed import Number, printed_value
from helpers.lessons.record.recomputed import cases, exact, measured, recompute
from helpers.lessons.record.spots import (
    SCORES,
    corrected_means,
    values_with_one_spot_fixed,
    walks_that_differ,
)
from helpers.metrics.chance import chance
from helpers.metrics.conventions import Conventions
from helpers.metrics.evaluate import evaluate
from helpers.metrics.explain import explain
from helpers.metrics.measures.ap import average_precision
from helpers.metrics.names import measure_list

Computation = str | int | Callable[[], Number | int]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What is said of the value of a row.

    Attributes:
        value: the computation, where the record has it in words of its own.
        said: the value that comes out, if the claim is right: wrong if it does not.
        holds: whether the value bears the claim out: misleading if it does not.
    """

    value: Computation | None = None
    said: Computation | None = None
    holds: Callable[[Number], bool] = lambda _: True


def value_of(computation: Computation) -> Number:
    """The value of a computation: a text that `recompute` reads, a number, or a function.

    Example:
        >>> value_of("ko/mrr: mean RR of the lists"), value_of(1), value_of(lambda: 0.375)
        (Fraction(3, 8), Fraction(1, 1), Fraction(3, 8))
    """
    if isinstance(computation, str):
        return recompute(computation)
    return exact(computation() if callable(computation) else computation)


def _equals(text: str) -> Callable[[Number], bool]:
    return lambda value: value == recompute(text)


def _different(measure: str, document: str, example: str) -> int:
    return len({measured(measure, case) for case in cases(document, example).values()})


def _swapped(measure: str) -> float:
    """What a measure gains when the two items that are not relevant change places."""
    user = cases("pt", "table")["user 3"]
    other = measure_list(measure, ["1", "3", "2", "4"], user.relevant)
    return other - measure_list(measure, *user)


def _with_grades(measure: str, *grades: int) -> float:
    """A measure of a list whose items have these grades, in this order."""
    return measure_list(measure, range(len(grades)), dict(enumerate(grades)))


def _less(text: str, other: str) -> Callable[[], Number]:
    return lambda: recompute(text) - recompute(other)


def _one_of_four_tied(ties: str) -> float:
    """RR of one relevant item of four that a yes-or-no prediction cannot put in order."""
    run = pd.DataFrame({"query_id": "user", "doc_id": list("abcd"), "score": 1})
    qrels = pd.DataFrame({"query_id": ["user"], "doc_id": ["a"], "relevance": [1]})
    found = evaluate(run, qrels, ["RR"], conventions=Conventions(ties=ties))
    return float(found["RR"].iloc[0])


def _exam() -> float:
    """Of twenty questions, each worth an answer, the pupil gets the second one right."""
    answers = [f"wrong {n}" if n != 2 else "right 2" for n in range(1, 21)]
    return measure_list("nDCG", answers, [f"right {n}" for n in range(1, 21)])


def _mean_of_those_with_a_hit() -> Number:
    values = [measured("RR", case) for case in cases("d4", "mrr").values()]
    found = [value for value in values if value > 0]
    return sum(found) / len(found)


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


def chance_ratio(measure: str, n_items: int = 10_000) -> float:
    """How many times the value of 2 relevant items 17 get in random orders (`tracin`'s means)."""
    return chance(n_items, 17, measure) / chance(n_items, 2, measure)


def _beats_chance(measure: str) -> Callable[[Number], bool]:
    """Whether no random orders of the sizes that the document names have such a ratio."""
    sizes = (1_000, 10_000, 100_000)
    return lambda ratio: all(ratio > chance_ratio(measure, n_items) for n_items in sizes)


def _is_average_rank(*ranks: int) -> Callable[[Number], bool]:
    """Whether 1 / MRR is the average rank where first hits stand at these ranks."""
    inverse = f"1 / MRR of first hits at {', '.join(map(str, ranks))}"
    return lambda _: recompute(inverse) == Fraction(sum(ranks), len(ranks))


def _scattered(*ranks: int) -> bool:
    """Whether anything stands between these ranks."""
    return ranks[-1] - ranks[0] + 1 > len(ranks)


def _stands_high(*ranks: int, length: int) -> bool:
    """Whether these ranks are in the upper half of a list, on average."""
    return sum(ranks) / len(ranks) < (length + 1) / 2


def _between_scores(procedure: str) -> Number:
    """How far apart a procedure of `spots` sees the two scores, by the means printed for them."""
    means = [f"spots-mean-{score}-{procedure}" for score in SCORES]
    return printed_value(means[0]).value - printed_value(means[1]).value


# the first hits of the three triples in the document's example of MRR
_TRIPLES = (3, 1, 5)

CLAIMS: dict[str, Claim] = {
    "ko-second-hits": Claim(
        value=lambda: measure_list("RR", cases("ko", "rr")["list"].ranked, ["B"]),
        said="ko/rr: RR of the list",
    ),
    "ko-ten-hits": Claim(
        value=_less("RR with hits at 1 to 10 of 10", "RR with hits at 1 of 10"), said=0
    ),
    "ko-grades": Claim(
        value=lambda: measure_list(
            "RR", cases("ko", "rr")["list"].ranked, {"C": 1, "K": 1, "B": 0, "Z": 1}
        ),
        holds=_equals("ko/rr: RR of the list"),
    ),
    "pt-list-size": Claim(holds=_equals("pt/mrr: RR of user 1")),
    "pt-relevant-size": Claim(
        value=lambda: chance(100, 10, "RR"), holds=lambda rr: rr == chance(100, 1, "RR")
    ),
    "pt-ten-items": Claim(value="RR with hits at 1 of 10", said="RR with hits at 1 of 1"),
    "pt-binary-scores": Claim(
        value=lambda: _one_of_four_tied("worst"),
        holds=lambda lowest: lowest == _one_of_four_tied("best"),
    ),
    "pt-between": Claim(value="pt/mrr: mean RR of the lists", holds=lambda mrr: 0 < mrr < 1),
    "pt-scikit-learn": Claim(
        value="pt/mrr: mean AP of the lists",
        holds=lambda lrap: lrap != recompute("pt/mrr: mean RR of the lists"),
    ),
    "pt-ndcg-positions": Claim(value=lambda: _swapped("nDCG"), holds=lambda gain: gain != 0),
    "pt-exam-ndcg": Claim(value=_exam, holds=lambda grade: grade < 1 / 2),
    "pt-ndcg-differs": Claim(value=lambda: _different("nDCG", "pt", "table"), said=3),
    "pt-ndcg-grades": Claim(
        value=lambda: _with_grades("nDCG", 1, 3), holds=lambda value: value < 1
    ),
    "pt-map-average": Claim(
        value=lambda: float(explain(*cases("pt", "table")["user 3"])["precision"].mean()),
        said="pt/table: AP of user 3",
    ),
    "pt-map-positions": Claim(value=lambda: _different("AP", "pt", "table"), said=3),
    "d4-top-only": Claim(
        value="d4/mrr: mean Success@1 of the lists", holds=_equals("d4/mrr: mean RR of the lists")
    ),
    "tracin-mean-rank-1": Claim(holds=_is_average_rank(1, 1, 1)),
    "tracin-mean-rank-2": Claim(holds=_is_average_rank(1, 4, 4)),
    "tracin-mean-rank-10": Claim(holds=_is_average_rank(5, 20, 20)),
    "tracin-map-excellent": Claim(holds=lambda _: _stands_high(*range(2, 13), length=12)),
    "tracin-map-moderate": Claim(holds=lambda _: _scattered(3, 4, 5)),
    "tracin-map-poor": Claim(holds=lambda _: not _stands_high(10, length=1000)),
    "tracin-analysis-differs": Claim(
        value=lambda: (
            _different("AP", "tracin", "scenarios") - _different("RR", "tracin", "scenarios")
        ),
        said=1,
    ),
    "tracin-code-mrr": Claim(value=_mean_of_those_with_a_hit, said="d4/mrr: mean RR of the lists"),
    "tracin-code-ap": Claim(
        value=lambda: average_precision(*cases("ko", "rr")["list"], denominator="retrieved"),
        said="ko/rr: AP of the list",
    ),
    "tracin-code-total": Claim(
        value=_less("AP with hits at 1, 4, 5 of 1000", "AP with hits at 1, 4, 5 of 10"),
        holds=lambda difference: difference != 0,
    ),
    "tracin-code-totals": Claim(
        value=_first_two_triples, holds=_equals("tracin/map: mean AP of the lists")
    ),
    "tracin-ccggdd-rank": Claim(holds=_is_average_rank(*_TRIPLES)),
    "tracin-cggd-rank": Claim(holds=_is_average_rank(*_TRIPLES)),
    "tracin-ccggdd-spread": Claim(holds=lambda _: _scattered(*range(1860, 1877))),
    "tracin-cggd-spread": Claim(holds=lambda _: _scattered(750, 751)),
    "tracin-ratio-mrr": Claim(holds=_beats_chance("RR")),
    "tracin-ratio-map": Claim(holds=_beats_chance("AP")),
    "tracin-ratio-relevant": Claim(holds=lambda _: chance_ratio("RR") > 1),
    "tracin-test-means": Claim(value=_pairs_won, holds=lambda won: won == Fraction(1, 2)),
    "tracin-not-chance": Claim(value=lambda: chance_ratio("RR"), holds=lambda ratio: ratio == 1),
    "tracin-ten-edges": Claim(said=1),
    "tracin-binary": Claim(
        value="tracin/mrr: mean RR of the lists", said="tracin/mrr: mean Success of the lists"
    ),
    "tracin-tail": Claim(
        value=_less("RR with hits at 1 to 10 of 1000", "RR with hits at 1 and 992 to 1000 of 1000"),
        said=0,
    ),
    "tracin-equal-edges": Claim(
        value=lambda: _with_grades("AP", 1, 3) - _with_grades("AP", 3, 1), said=0
    ),
    "tracin-fewer-edges": Claim(
        value=lambda: 1 / chance_ratio("AP"), holds=lambda ratio: ratio > 1
    ),
    "tracin-only-relevant": Claim(value=lambda: _swapped("AP"), said=0),
    "spots-original-standard": Claim(value=walks_that_differ, holds=lambda differ: differ > 0),
    "spots-corrected-standard": Claim(
        value=lambda: min(corrected_means()),
        # four relevant items of eight, on their own, can come as late as rank 5
        holds=_equals("RR with hits at 5 to 8 of 8"),
    ),
    "spots-mean-weighted-original": Claim(holds=lambda _: _between_scores("original") != 0),
    "spots-mean-weighted-corrected": Claim(holds=lambda _: _between_scores("corrected") != 0),
    "spots-mean-normalized-original": Claim(holds=lambda _: _between_scores("original") != 0),
    "spots-mean-normalized-corrected": Claim(holds=lambda _: _between_scores("corrected") != 0),
    "spots-original-accuracy": Claim(
        value=values_with_one_spot_fixed, holds=lambda n_values: n_values > 1
    ),
    "spots-more-appropriate": Claim(
        value=lambda: _between_scores("corrected"), holds=lambda difference: difference != 0
    ),
}
