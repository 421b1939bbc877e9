"""What each row of the record comes to: a function for each, by its id.

`VALUES` has what comes out, which for the value of a list or a mean follows from the row's own
columns, `SAID` what a claim says that comes out, where it names a value, and
`HOLDS` whether what is said of a value is true. The column `how` of the data file says in words
what is computed.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from statistics import median

from byhand import average_precision, chance
from helpers.measuring import (
    average,
    chance_ratio,
    graded,
    hits,
    impossible_originals,
    inverse_mrr,
    least_gain,
    lists,
    mean,
    mean_of_printed,
    measured,
    of,
    ordered_differently,
    other_theme,
    pairs_won,
    placements,
    possible,
    precision,
    rank,
    scattered,
    share_on_top,
    tied,
    told_apart,
    values,
    walks_that_differ,
)
from helpers.printed_values import Value, printed, rows
from helpers.spots import corrected_value, mixed_orders, most_visited, orders_within, original_value


def _of_lists(document: str, example: str, query: str, measure: str) -> Value:
    """A value as the row's columns say it: of one list, or the mean over all."""
    known = f"{document}/{example}"
    return of(measure, known, query) if query else mean(measure, known)


_PRINTED = rows()[["document", "example", "list", "measure"]]
VALUES: dict[str, Callable[[], Value]] = {
    row: partial(_of_lists, *where)
    for row, *where in _PRINTED[_PRINTED["example"] != ""].itertuples()
} | {
    "ko-how-many": lambda: hits("P", [2, 3, 8], 8) - hits("P", [6, 7, 8], 8),
    "ko-steeply": lambda: hits("RR", [1], 8) - hits("RR", [2], 8),
    "ko-second-hits": lambda: measured("RR", lists("ko/rr")["list"].ranked, ["B"]),
    "ko-one-answer": lambda: precision(1, "ko/rr", "list"),
    "ko-no-hit": lambda: hits("RR", [], 4),
    "ko-very-different": lambda: len(set(placements("RR", 3, 8))),
    "ko-ten-hits": lambda: hits("RR", range(1, 11), 10) - hits("RR", [1], 10),
    "ko-mrr-no-hit": lambda: hits("RR", [], 4),
    "ko-grades": lambda: average(
        measured("RR", ranked, dict.fromkeys(liked, 1.0))
        for ranked, liked in lists("ko/mrr").values()
    ),
    "ko-case1-fraction": lambda: of("RR", "ko/mrr", "case 1"),
    "ko-case2-fraction": lambda: of("RR", "ko/mrr", "case 2"),
    "ko-sum": lambda: sum(values("RR", "ko/mrr")),
    "pt-list-size": lambda: of("RR@1", "pt/mrr", "user 1"),
    "pt-relevant-size": lambda: chance(100, 10, "RR"),
    "pt-ten-items": lambda: hits("RR", [1], 10),
    "pt-no-hit": lambda: hits("RR", [], 4),
    "pt-binary-scores": lambda: tied("worst"),
    "pt-lowest": lambda: min(possible("RR")),
    "pt-highest": lambda: max(possible("RR")),
    "pt-all-first": lambda: hits("RR", [1], 4),
    "pt-none-found": lambda: hits("RR", [], 4),
    "pt-between": lambda: mean("RR", "pt/mrr"),
    "pt-scikit-learn": lambda: mean("AP", "pt/table"),
    "pt-zip": lambda: sum(values("RR", "pt/mrr")) / 3,
    "pt-no-hit-code": lambda: hits("RR", [], 4),
    "pt-rank-formula": lambda: 1 / rank(1, "pt/mrr", "user 1"),
    "pt-ndcg-complete": lambda: told_apart("nDCG"),
    "pt-ndcg-lowest": lambda: min(possible("nDCG")),
    "pt-ndcg-highest": lambda: max(possible("nDCG")),
    "pt-ndcg-positions": lambda: len(set(placements("nDCG", 2, 4))),
    "pt-exam-mrr": lambda: hits("RR", [2], 20),
    "pt-exam-ndcg": lambda: measured("nDCG", range(1, 21), {2, *range(21, 40)}),
    "pt-ndcg-differs": lambda: len(set(values("nDCG", "pt/table"))),
    "pt-one-item": lambda: ordered_differently("RR", "nDCG"),
    "pt-several-items": lambda: (
        len(set(values("nDCG", "pt/table"))) - len(set(values("RR", "pt/table")))
    ),
    "pt-ndcg-grades": lambda: graded("nDCG", 1, 3),
    "pt-map-lowest": lambda: min(possible("AP")),
    "pt-map-highest": lambda: max(possible("AP")),
    "pt-map-between": lambda: told_apart("AP"),
    "pt-map-average": lambda: average(
        of(f"P@{k}", "pt/table", "likes 1 and 4") for k in range(1, 5)
    ),
    "pt-map-positions": lambda: len(set(values("AP", "pt/table"))),
    "pt-grades-better": lambda: graded("nDCG", 3, 1) - graded("nDCG", 1, 3),
    "pt-arguments-map": lambda: measured("AP", range(1, 21), {2, *range(21, 40)}),
    "d4-closer": lambda: share_on_top(Fraction(9, 10)),
    "d4-number-of-queries": lambda: sum(values("RR", "d4/mrr")) / abs(len(lists("d4/mrr"))),
    "d4-no-hit": lambda: hits("RR", [], 4),
    "d4-q1-rank": lambda: rank(1, "d4/mrr", "Q1"),
    "d4-q1-fraction": lambda: of("RR", "d4/mrr", "Q1"),
    "d4-q2-rank": lambda: rank(1, "d4/mrr", "Q2"),
    "d4-q2-fraction": lambda: of("RR", "d4/mrr", "Q2"),
    "d4-q3-rank": lambda: rank(1, "d4/mrr", "Q3"),
    "d4-weight": lambda: 1 / Fraction(len(lists("d4/mrr"))),
    "d4-sum": lambda: sum(values("RR", "d4/mrr")),
    "d4-top-only": lambda: mean("Success@1", "d4/mrr"),
    "d4-lowest": lambda: min(possible("RR")),
    "d4-highest": lambda: max(possible("RR")),
    "d4-perfect": lambda: hits("RR", [1], 3),
    "d4-worst": lambda: hits("RR", [], 3),
    "d4-top-sensitive": lambda: (
        (hits("RR", [1], 10) - hits("RR", [2], 10)) / (hits("RR", [9], 10) - hits("RR", [10], 10))
    ),
    "tracin-mrr1-rank": lambda: rank(1, "tracin/mrr", "triple 1"),
    "tracin-mrr1-fraction": lambda: of("RR", "tracin/mrr", "triple 1"),
    "tracin-mrr2-rank": lambda: rank(1, "tracin/mrr", "triple 2"),
    "tracin-mrr2-fraction": lambda: of("RR", "tracin/mrr", "triple 2"),
    "tracin-mrr3-rank": lambda: rank(1, "tracin/mrr", "triple 3"),
    "tracin-mrr3-fraction": lambda: of("RR", "tracin/mrr", "triple 3"),
    "tracin-mean-rank-1": lambda: inverse_mrr(1, 1, 1),
    "tracin-mean-rank-2": lambda: inverse_mrr(1, 4, 4),
    "tracin-mean-rank-10": lambda: inverse_mrr(5, 20, 20),
    "tracin-mrr-best": lambda: share_on_top(Fraction(9, 10)),
    "tracin-top-results": lambda: hits("RR", [11], 1000),
    "tracin-mrr-equal": lambda: graded("RR", 1, 3) - graded("RR", 3, 1),
    "tracin-map1-rank1": lambda: rank(1, "tracin/map", "triple 1"),
    "tracin-map1-fraction1": lambda: precision(1, "tracin/map", "triple 1"),
    "tracin-map1-precision1": lambda: precision(1, "tracin/map", "triple 1"),
    "tracin-map1-rank2": lambda: rank(2, "tracin/map", "triple 1"),
    "tracin-map1-fraction2": lambda: precision(2, "tracin/map", "triple 1"),
    "tracin-map1-precision2": lambda: precision(2, "tracin/map", "triple 1"),
    "tracin-map1-rank3": lambda: rank(3, "tracin/map", "triple 1"),
    "tracin-map1-fraction3": lambda: precision(3, "tracin/map", "triple 1"),
    "tracin-map1-precision3": lambda: precision(3, "tracin/map", "triple 1"),
    "tracin-map1-weight": lambda: 1 / Fraction(len(lists("tracin/map")["triple 1"].relevant)),
    "tracin-map2-rank1": lambda: rank(1, "tracin/map", "triple 2"),
    "tracin-map2-fraction1": lambda: precision(1, "tracin/map", "triple 2"),
    "tracin-map2-precision1": lambda: precision(1, "tracin/map", "triple 2"),
    "tracin-map2-rank2": lambda: rank(2, "tracin/map", "triple 2"),
    "tracin-map2-fraction2": lambda: precision(2, "tracin/map", "triple 2"),
    "tracin-map2-precision2": lambda: precision(2, "tracin/map", "triple 2"),
    "tracin-map2-weight": lambda: 1 / Fraction(len(lists("tracin/map")["triple 2"].relevant)),
    "tracin-map3-rank1": lambda: rank(1, "tracin/map", "triple 3"),
    "tracin-map3-fraction1": lambda: precision(1, "tracin/map", "triple 3"),
    "tracin-map3-precision1": lambda: precision(1, "tracin/map", "triple 3"),
    "tracin-map3-weight": lambda: 1 / Fraction(len(lists("tracin/map")["triple 3"].relevant)),
    "tracin-map-perfect": lambda: hits("AP", [1, 2, 3], 10),
    "tracin-map-excellent": lambda: hits("AP", [*range(1, 14), *range(101, 105)], 1000),
    "tracin-map-moderate": lambda: hits("AP", [3, 4, 5], 10),
    "tracin-map-poor": lambda: hits("AP", [10], 1000),
    "tracin-map-best": lambda: least_gain("AP"),
    "tracin-map-more": lambda: of("AP", "ko/rr", "list") - of("AP@7", "ko/rr", "list"),
    "tracin-map-order": lambda: (
        of("AP", "tracin/scenarios", "B") - of("AP", "tracin/scenarios", "A")
    ),
    "tracin-first-only": lambda: hits("RR", [3], 5),
    "tracin-map-all": lambda: len(
        {hits("AP", at, 10) for at in ([1, 4, 5], [2, 4, 5], [1, 3, 5], [1, 4, 6])}
    ),
    "tracin-table-mrr-lowest": lambda: min(possible("RR")),
    "tracin-table-mrr-highest": lambda: max(possible("RR")),
    "tracin-table-map-lowest": lambda: min(possible("AP")),
    "tracin-table-map-highest": lambda: max(possible("AP")),
    "tracin-table-mrr-best": lambda: hits("RR", [1], 10),
    "tracin-table-map-best": lambda: hits("AP", [1, 2, 3], 10),
    "tracin-a-rank1": lambda: rank(1, "tracin/scenarios", "A"),
    "tracin-a-rank2": lambda: rank(2, "tracin/scenarios", "A"),
    "tracin-a-rank3": lambda: rank(3, "tracin/scenarios", "A"),
    "tracin-a-weight": lambda: 1 / Fraction(len(lists("tracin/scenarios")["A"].relevant)),
    "tracin-a-precision1": lambda: precision(1, "tracin/scenarios", "A"),
    "tracin-a-precision2": lambda: precision(2, "tracin/scenarios", "A"),
    "tracin-a-precision3": lambda: precision(3, "tracin/scenarios", "A"),
    "tracin-b-rank1": lambda: rank(1, "tracin/scenarios", "B"),
    "tracin-b-rank2": lambda: rank(2, "tracin/scenarios", "B"),
    "tracin-b-rank3": lambda: rank(3, "tracin/scenarios", "B"),
    "tracin-b-weight": lambda: 1 / Fraction(len(lists("tracin/scenarios")["B"].relevant)),
    "tracin-b-precision1": lambda: precision(1, "tracin/scenarios", "B"),
    "tracin-b-precision2": lambda: precision(2, "tracin/scenarios", "B"),
    "tracin-b-precision3": lambda: precision(3, "tracin/scenarios", "B"),
    "tracin-analysis-rr": lambda: of("RR", "tracin/scenarios", "A"),
    "tracin-analysis-b": lambda: of("AP", "tracin/scenarios", "B"),
    "tracin-analysis-a": lambda: of("AP", "tracin/scenarios", "A"),
    "tracin-analysis-differs": lambda: (
        len(set(values("AP", "tracin/scenarios"))) - len(set(values("RR", "tracin/scenarios")))
    ),
    "tracin-code-mrr": lambda: average(filter(None, values("RR", "tracin/mrr"))),
    "tracin-code-ap": lambda: average(
        average_precision(*case, denominator="retrieved") for case in lists("tracin/map").values()
    ),
    "tracin-code-total": lambda: hits("AP", [1, 4, 5], 1000) - hits("AP", [1, 4, 5], 10),
    "tracin-code-totals": lambda: average(values("AP", "tracin/map")[:2]),
    "tracin-ccggdd-rank": lambda: inverse_mrr(1, *[430] * 99),
    "tracin-ccggdd-spread": lambda: hits("AP", range(1860, 1877), 10_000),
    "tracin-cggd-rank": lambda: inverse_mrr(5, *[9900] * 99),
    "tracin-cggd-spread": lambda: hits("AP", [750, 751], 10_000),
    "tracin-ratio-mrr": lambda: printed("tracin-ccggdd-mrr") / printed("tracin-cggd-mrr"),
    "tracin-finds-faster": lambda: average(1 / Fraction(at) for at in [1, 5, *[3300] * 98]),
    "tracin-ratio-map": lambda: printed("tracin-ccggdd-map") / printed("tracin-cggd-map"),
    "tracin-ranks-better": lambda: chance_ratio("AP"),
    "tracin-ratio-relevant": lambda: (
        printed("tracin-ccggdd-relevant") / printed("tracin-cggd-relevant")
    ),
    "tracin-test-means": lambda: pairs_won([1 / 2] * 3, [1, 1 / 4, 1 / 4]),
    "tracin-test-means-map": lambda: pairs_won([1 / 2] * 3, [1, 1 / 4, 1 / 4]),
    "tracin-not-chance": lambda: chance_ratio("RR"),
    "tracin-ten-edges": lambda: hits("RR", [1, *range(992, 1001)], 1000),
    "tracin-binary": lambda: mean("RR", "tracin/mrr"),
    "tracin-tail": lambda: (
        hits("RR", range(1, 11), 1000) - hits("RR", [1, *range(992, 1001)], 1000)
    ),
    "tracin-equal-edges": lambda: graded("AP", 1, 3) - graded("AP", 3, 1),
    "tracin-fewer-edges": lambda: chance(10_000, 2, "AP") / chance(10_000, 17, "AP"),
    "tracin-only-relevant": lambda: (
        measured("AP", ["1", "3", "2", "4"], lists("pt/table")["likes 1 and 4"].relevant)
        - of("AP", "pt/table", "likes 1 and 4")
    ),
    "tracin-complete-picture": lambda: [
        *zip(placements("RR", 3, 10), placements("AP", 3, 10), strict=True)
    ].count((1, Fraction(2, 3))),
    "tracin-summary-lowest": lambda: min(possible("RR")),
    "tracin-summary-highest": lambda: max(possible("AP")),
    "spots-inaccurate": lambda: impossible_originals(),
    "spots-original-standard": lambda: sum(
        original_value(order[:4], "steins") != corrected_value(order[:4], "steins")
        for order in orders_within()
    ),
    "spots-corrected-standard": lambda: walks_that_differ(),
    "spots-steins-weighted-corrected": lambda: other_theme("spots-love-weighted-corrected"),
    "spots-steins-normalized-corrected": lambda: other_theme("spots-love-normalized-corrected"),
    "spots-mean-weighted-original": lambda: mean_of_printed(
        "spots-steins-weighted-original", "spots-love-weighted-original"
    ),
    "spots-mean-weighted-corrected": lambda: mean_of_printed(
        "spots-steins-weighted-corrected", "spots-love-weighted-corrected"
    ),
    "spots-mean-normalized-original": lambda: mean_of_printed(
        "spots-steins-normalized-original", "spots-love-normalized-original"
    ),
    "spots-mean-normalized-corrected": lambda: mean_of_printed(
        "spots-steins-normalized-corrected", "spots-love-normalized-corrected"
    ),
    "spots-original-accuracy": lambda: len(
        {
            original_value(order, "steins")
            for order in orders_within()
            if order[1] == most_visited("steins")
        }
    ),
    "spots-corrected-ability": lambda: len(
        {corrected_value(order, "steins") for order in mixed_orders()}
    ),
    "spots-original-suits": lambda: len(
        {original_value(order, "steins") for order in mixed_orders()}
    ),
    "spots-corrected-suits": lambda: len(
        {corrected_value(order, "steins") for order in mixed_orders()}
    ),
    "spots-more-appropriate": lambda: (
        printed("spots-mean-weighted-corrected") - printed("spots-mean-normalized-corrected")
    ),
}
SAID: dict[str, Callable[[], Value]] = {
    "ko-how-many": lambda: 0,
    "ko-second-hits": lambda: of("RR", "ko/rr", "list"),
    "ko-one-answer": lambda: of("RR", "ko/rr", "list"),
    "ko-ten-hits": lambda: 0,
    "ko-grades": lambda: mean("RR", "ko/mrr"),
    "pt-ten-items": lambda: hits("RR", [1], 1),
    "pt-zip": lambda: mean("RR", "pt/mrr"),
    "pt-rank-formula": lambda: of("RR", "pt/mrr", "user 1"),
    "pt-ndcg-positions": lambda: len(placements("nDCG", 2, 4)),
    "pt-ndcg-differs": lambda: 3,
    "pt-one-item": lambda: 0,
    "pt-map-average": lambda: of("AP", "pt/table", "likes 1 and 4"),
    "pt-map-positions": lambda: 3,
    "d4-number-of-queries": lambda: mean("RR", "d4/mrr"),
    "tracin-mrr-equal": lambda: 0,
    "tracin-first-only": lambda: of("RR", "tracin/mrr", "triple 1"),
    "tracin-map-all": lambda: 4,
    "tracin-analysis-differs": lambda: 1,
    "tracin-code-mrr": lambda: mean("RR", "tracin/mrr"),
    "tracin-code-ap": lambda: mean("AP", "tracin/map"),
    "tracin-ten-edges": lambda: 1,
    "tracin-binary": lambda: mean("Success", "tracin/mrr"),
    "tracin-tail": lambda: 0,
    "tracin-equal-edges": lambda: 0,
    "tracin-only-relevant": lambda: 0,
    "spots-corrected-standard": lambda: 0,
    "spots-corrected-ability": lambda: 5,
    "spots-original-suits": lambda: 1,
}
HOLDS: dict[str, Callable[[Value], bool]] = {
    "ko-steeply": lambda value: value > 1 / 8,
    "ko-very-different": lambda value: value < len(set(placements("AP", 3, 8))),
    "pt-list-size": lambda value: value == of("RR", "pt/mrr", "user 1"),
    "pt-relevant-size": lambda value: value == chance(100, 1, "RR"),
    "pt-binary-scores": lambda value: value == tied("best"),
    "pt-between": lambda value: 0 < value < 1,
    "pt-scikit-learn": lambda value: value != mean("RR", "pt/table"),
    "pt-ndcg-complete": lambda value: value > told_apart("RR"),
    "pt-exam-ndcg": lambda value: value < 1 / 2,
    "pt-several-items": lambda value: value > 0,
    "pt-ndcg-grades": lambda value: value < 1,
    "pt-map-between": lambda value: told_apart("RR") < value < told_apart("nDCG"),
    "pt-grades-better": lambda value: value > graded("AP", 3, 1) - graded("AP", 1, 3),
    "pt-arguments-map": lambda value: (
        value < 1 / 2
        and len(set(values("AP", "pt/table"))) == 3
        and placements("AP", 1, 10) == placements("RR", 1, 10)
    ),
    "d4-closer": lambda value: value > 1 / 2,
    "d4-top-only": lambda value: value == mean("RR", "d4/mrr"),
    "d4-top-sensitive": lambda value: value > 1,
    "tracin-mean-rank-1": lambda value: value == average([1, 1, 1]),
    "tracin-mean-rank-2": lambda value: value == average([1, 4, 4]),
    "tracin-mean-rank-10": lambda value: value == average([5, 20, 20]),
    "tracin-mrr-best": lambda value: value > 1 / 2,
    "tracin-top-results": lambda value: value < 1 / 10,
    "tracin-map-excellent": lambda value: (
        hits("AP", [*range(1, 13), *range(101, 106)], 1000) < 3 / 4
    ),
    "tracin-map-moderate": lambda value: scattered(3, 4, 5),
    "tracin-map-poor": lambda value: 10 > 1001 / 2,
    "tracin-map-best": lambda value: value > 0,
    "tracin-map-more": lambda value: value > 0,
    "tracin-map-order": lambda value: value > 0,
    "tracin-code-total": lambda value: value != 0,
    "tracin-code-totals": lambda value: value == mean("AP", "tracin/map"),
    "tracin-ccggdd-rank": lambda value: value == average([1, *[430] * 99]),
    "tracin-ccggdd-spread": lambda value: scattered(*range(1860, 1877)),
    "tracin-cggd-rank": lambda value: value == average([5, *[9900] * 99]),
    "tracin-cggd-spread": lambda value: scattered(750, 751),
    "tracin-ratio-mrr": lambda value: all(
        value > chance_ratio("RR", n) for n in (1_000, 10_000, 100_000)
    ),
    "tracin-finds-faster": lambda value: median([1, 5, *[3300] * 98]) < printed("tracin-cggd-rank"),
    "tracin-ratio-map": lambda value: all(
        value > chance_ratio("AP", n) for n in (1_000, 10_000, 100_000)
    ),
    "tracin-ranks-better": lambda value: value == 1,
    "tracin-ratio-relevant": lambda value: chance_ratio("RR") > 1,
    "tracin-test-means": lambda value: value == 1 / 2,
    "tracin-test-means-map": lambda value: value == 1 / 2,
    "tracin-not-chance": lambda value: value == 1,
    "tracin-fewer-edges": lambda value: value > 1,
    "tracin-complete-picture": lambda value: value == 1,
    "spots-inaccurate": lambda value: value > 0,
    "spots-original-standard": lambda value: value > 0,
    "spots-original-accuracy": lambda value: value > 1,
    "spots-corrected-suits": lambda value: value > 1,
    "spots-more-appropriate": lambda value: value != 0,
}
# claims of a fact that a published source settles, which `why` names
CITED = {"ko-clicks", "d4-used-in"}
# that table of spots is our reconstruction, so what comes out of it reproduces nothing
ON_OUR_TABLE = {
    "spots-steins-weighted-original",
    "spots-steins-normalized-original",
    "spots-love-weighted-original",
    "spots-love-weighted-corrected",
    "spots-love-normalized-original",
    "spots-love-normalized-corrected",
}
