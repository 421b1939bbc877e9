"""The claims of the document on TracIn."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from statistics import median

from byhand import average_precision
from byhand.metrics.chance import chance
from helpers.record.claims.claim import (
    Claim,
    different,
    equals,
    less,
    share_on_top,
    ways_to_place,
    with_grades,
)
from helpers.record.printed import Number, printed_value
from helpers.record.recomputed import cases, marked, measured, recompute
from helpers.tracin import chance_at_mean


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
    """The share of pairs won by one of two groups with an equal mean: what the test looks at.

    Both groups can be RR, and AP of lists with one relevant item.
    """
    level = [Fraction(1, 2)] * 3
    uneven = [Fraction(1), Fraction(1, 4), Fraction(1, 4)]
    won = [(a > b) + Fraction(a == b, 2) for a, b in product(level, uneven)]
    return sum(won) / Fraction(len(won))


def chance_ratio(measure: str, n_items: int = 10_000) -> float:
    """How many times the value of CGGD random orders get on CCGGDD, by their means of edges."""
    many, few = (
        chance_at_mean(n_items, printed_value(f"tracin-{data}-relevant").value, measure)
        for data in ("ccggdd", "cggd")
    )
    return many / few


def _beats_chance(measure: str) -> Callable[[Number], bool]:
    """Whether no random orders of the sizes that the document names have such a ratio."""
    sizes = (1_000, 10_000, 100_000)
    return lambda ratio: all(ratio > chance_ratio(measure, n_items) for n_items in sizes)


def _is_average_rank(*ranks: int) -> Callable[[Number], bool]:
    """Whether 1 / MRR is the average rank of first hits that stand at these ranks."""
    return lambda inverse: inverse == Fraction(sum(ranks), len(ranks))


def _scattered(*ranks: int) -> bool:
    """Whether anything stands between these ranks."""
    return ranks[-1] - ranks[0] + 1 > len(ranks)


def _stands_high(*ranks: int, length: int) -> bool:
    """Whether these ranks are in the upper half of a list, on average."""
    return sum(ranks) / len(ranks) < (length + 1) / 2


def _least_gain() -> Number:
    """The least that AP gains when one of two hits in a list of four moves up by a rank."""
    ranks = combinations(range(1, 5), 2)
    ap = dict(zip(ranks, ways_to_place("AP", 2, 4), strict=True))
    # of two hits on four ranks, those whose ranks add up to one less are one move away
    return min(ap[up] - ap[hits] for up, hits in product(ap, ap) if sum(up) == sum(hits) - 1)


def _gain_of_two_that_swap() -> float:
    """What AP gains when the third user of `pt` gets items 2 and 3 the other way round."""
    user = cases("pt", "table")["user 3"]
    return measured("AP", user._replace(ranked=["1", "3", "2", "4"])) - measured("AP", user)


def _ways_with(rr: Number, ap: Number) -> int:
    """How many ways to place three hits on ten ranks have this RR and this AP."""
    pairs = zip(ways_to_place("RR", 3, 10), ways_to_place("AP", 3, 10), strict=True)
    return list(pairs).count((rr, ap))


def _values_as_hits_move() -> int:
    """How many different AP scenario A has as it is, and with one of its hits a rank away."""
    moved = ((1, 4, 5), (2, 4, 5), (1, 3, 5), (1, 4, 6))
    return len({measured("AP", marked(*ranks, length=10)) for ranks in moved})


# first hits with the MRR printed for CCGGDD, nearly all of them very late
_MOSTLY_LATE = (1, 5, *[3_300] * 98)

CLAIMS = {
    "tracin-mean-rank-1": Claim(holds=_is_average_rank(1, 1, 1)),
    "tracin-mean-rank-2": Claim(holds=_is_average_rank(1, 4, 4)),
    "tracin-mean-rank-10": Claim(holds=_is_average_rank(5, 20, 20)),
    "tracin-mrr-best": Claim(
        value=lambda: share_on_top(Fraction(9, 10)), holds=lambda share: share > 1 / 2
    ),
    "tracin-map-best": Claim(value=_least_gain, holds=lambda gain: gain > 0),
    "tracin-top-results": Claim(holds=equals("RR@10 with hits at 11 of 1000")),
    "tracin-mrr-equal": Claim(
        value=lambda: with_grades("RR", 1, 3) - with_grades("RR", 3, 1), said=0
    ),
    # with one edge less in the first hundred, AP is printed as less than 0.8
    "tracin-map-excellent": Claim(
        holds=lambda _: recompute("AP with hits at 1 to 12 and 101 to 105 of 1000") < 3 / 4
    ),
    "tracin-map-moderate": Claim(holds=lambda _: _scattered(3, 4, 5)),
    "tracin-map-poor": Claim(holds=lambda _: not _stands_high(10, length=1000)),
    "tracin-map-more": Claim(
        value=less("ko/rr: AP of the list", "ko/rr: AP@7 of the list"),
        holds=lambda gain: gain > 0,
    ),
    "tracin-map-order": Claim(
        value=less("tracin/scenarios: AP of scenario B", "tracin/scenarios: AP of scenario A"),
        holds=lambda gain: gain > 0,
    ),
    "tracin-first-only": Claim(said="tracin/mrr: RR of triple 1"),
    "tracin-map-all": Claim(value=_values_as_hits_move, said=4),
    "tracin-analysis-differs": Claim(
        value=lambda: (
            different("AP", "tracin", "scenarios") - different("RR", "tracin", "scenarios")
        ),
        said=1,
    ),
    "tracin-code-mrr": Claim(value=_mean_of_those_with_a_hit, said="d4/mrr: mean RR of the lists"),
    "tracin-code-ap": Claim(
        value=lambda: average_precision(*cases("ko", "rr")["list"], denominator="retrieved"),
        said="ko/rr: AP of the list",
    ),
    "tracin-code-total": Claim(
        value=less("AP with hits at 1, 4, 5 of 1000", "AP with hits at 1, 4, 5 of 10"),
        holds=lambda difference: difference != 0,
    ),
    "tracin-code-totals": Claim(
        value=_first_two_triples, holds=equals("tracin/map: mean AP of the lists")
    ),
    "tracin-ccggdd-rank": Claim(holds=_is_average_rank(1, *[430] * 99)),
    "tracin-cggd-rank": Claim(holds=_is_average_rank(5, *[9900] * 99)),
    "tracin-ccggdd-spread": Claim(holds=lambda _: _scattered(*range(1860, 1877))),
    "tracin-cggd-spread": Claim(holds=lambda _: _scattered(750, 751)),
    "tracin-ratio-mrr": Claim(holds=_beats_chance("RR")),
    "tracin-finds-faster": Claim(
        value=lambda: sum(Fraction(1, rank) for rank in _MOSTLY_LATE) / len(_MOSTLY_LATE),
        holds=lambda _: median(_MOSTLY_LATE) < printed_value("tracin-cggd-rank").value,
    ),
    "tracin-ratio-map": Claim(holds=_beats_chance("AP")),
    "tracin-ranks-better": Claim(value=lambda: chance_ratio("AP"), holds=lambda ratio: ratio == 1),
    "tracin-ratio-relevant": Claim(holds=lambda _: chance_ratio("RR") > 1),
    "tracin-test-means": Claim(value=_pairs_won, holds=lambda won: won == Fraction(1, 2)),
    "tracin-test-means-map": Claim(value=_pairs_won, holds=lambda won: won == Fraction(1, 2)),
    "tracin-not-chance": Claim(value=lambda: chance_ratio("RR"), holds=lambda ratio: ratio == 1),
    "tracin-ten-edges": Claim(said=1),
    "tracin-binary": Claim(
        value="tracin/mrr: mean RR of the lists", said="tracin/mrr: mean Success of the lists"
    ),
    "tracin-tail": Claim(
        value=less("RR with hits at 1 to 10 of 1000", "RR with hits at 1 and 992 to 1000 of 1000"),
        said=0,
    ),
    "tracin-equal-edges": Claim(
        value=lambda: with_grades("AP", 1, 3) - with_grades("AP", 3, 1), said=0
    ),
    "tracin-fewer-edges": Claim(
        value=lambda: chance(10_000, 2, "AP") / chance(10_000, 17, "AP"),
        holds=lambda ratio: ratio > 1,
    ),
    "tracin-only-relevant": Claim(value=_gain_of_two_that_swap, said=0),
    "tracin-complete-picture": Claim(
        value=lambda: _ways_with(Fraction(1), Fraction(2, 3)), holds=lambda n_ways: n_ways == 1
    ),
}
