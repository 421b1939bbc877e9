"""How each number in the five documents is computed here, by row of the record.

A computation starts from the lists in `data/`, or from other values that the document prints. A
row that has none here or in `helpers.lessons.record.claims` has no data.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from helpers.lessons.record.recomputed import (
    Number,
    Recomputed,
    Values,
    cases,
    chance_ratio,
    exact,
    hit_ranks,
    inverse_is_mean_rank,
    marked,
    mean_measured,
    measured,
    possible,
    scattered,
    stands_high,
)
from helpers.lessons.record.spots import SCORES, THEMES, corrected_value, original_value, spots_by
from helpers.lessons.worked_examples import WorkedCase


def _label(example: str, query: str) -> str:
    return {"scenarios": f"scenario {query}", "rr": f"the {query}"}.get(example, query)


def _of(measure: str, document: str, example: str, query: str) -> Recomputed:
    how = f"{measure} of {_label(example, query)}"
    return Recomputed(how=how, value=lambda _: measured(measure, cases(document, example)[query]))


def _mean(measure: str, document: str, example: str) -> Recomputed:
    return Recomputed(
        how=f"mean {measure} of the lists",
        value=lambda _: mean_measured(measure, document, example),
    )


def _sum(measure: str, document: str, example: str) -> Recomputed:
    return Recomputed(
        how=f"sum of {measure} over the lists",
        value=lambda _: mean_measured(measure, document, example) * len(cases(document, example)),
    )


def _rank(document: str, example: str, query: str, nth: int = 1) -> Recomputed:
    def value(_: Values) -> Number:
        ranks = hit_ranks(cases(document, example)[query])
        return Fraction(ranks[nth - 1]) if len(ranks) >= nth else math.inf

    return Recomputed(how=f"rank of hit {nth} of {_label(example, query)}", value=value)


def _precision(document: str, example: str, query: str, nth: int) -> Recomputed:
    def value(_: Values) -> Number:
        case = cases(document, example)[query]
        return measured(f"P@{hit_ranks(case)[nth - 1]}", case)

    return Recomputed(how=f"P@k of {_label(example, query)}, k the rank of hit {nth}", value=value)


def _one_relevant(document: str, example: str, query: str) -> Recomputed:
    return Recomputed(
        how=f"1 / (number of relevant items of {_label(example, query)})",
        value=lambda _: Fraction(1, len(cases(document, example)[query].relevant)),
    )


def _end(measure: str, end: str) -> Recomputed:
    return Recomputed(
        how=f"{end} {measure} of all lists of 1 to 4 items",
        value=lambda _: possible(measure)[0 if end == "lowest" else -1],
    )


def _made_up(
    measure: str, *ranks: int, length: int, holds: Callable[[WorkedCase], bool] | None = None
) -> Recomputed:
    case = marked(*ranks, length=length)
    listed = f"{ranks[0]} to {ranks[-1]}" if len(ranks) > 3 else ", ".join(map(str, ranks))
    hits = f"with hits at {listed} of {length}" if ranks else f"of a list of {length} without a hit"
    return Recomputed(
        how=f"{measure} {hits}",
        value=lambda _: measured(measure, case),
        holds=holds and (lambda _: holds(case)),
    )


NO_HIT = _made_up("RR", length=4)


def _mean_rank(*ranks: int) -> Recomputed:
    lists = [marked(rank, length=max(ranks)) for rank in ranks]
    return Recomputed(
        how=f"1 / MRR of first hits at {', '.join(map(str, ranks))}",
        value=lambda _: len(ranks) / sum(measured("RR", case) for case in lists),
        holds=lambda _: inverse_is_mean_rank(lists),
    )


def _inverse(row: str) -> Recomputed:
    return Recomputed(
        how="1 / (the MRR as printed)",
        value=lambda printed: 1 / printed[row],
        holds=lambda _: inverse_is_mean_rank(list(cases("tracin", "mrr").values())),
    )


def _ratio(of: str, holds: Callable[[Number], bool]) -> Recomputed:
    def value(printed: Values) -> Number:
        return printed[f"tracin-ccggdd-{of}"] / printed[f"tracin-cggd-{of}"]

    return Recomputed(
        how="ratio of the two values as printed",
        value=value,
        holds=lambda printed: holds(value(printed)),
    )


def _beats_chance(ratio: Number, measure: str) -> bool:
    """Whether no random orders of the sizes that the document names have such a ratio."""
    return all(ratio > chance_ratio(measure, n_items) for n_items in (1_000, 10_000, 100_000))


def _spots(procedure: Callable[[list[str], str], float], theme: str, score: str) -> Recomputed:
    return Recomputed(
        how="the document's procedure on data/spots.csv",
        value=lambda _: exact(procedure(spots_by(SCORES[score]), theme)),
        published=False,
    )


def _spots_mean(procedure: str, score: str) -> Recomputed:
    def value(printed: Values, score: str = score) -> Number:
        themes = [printed[f"spots-{theme}-{score}-{procedure}"] for theme in THEMES]
        # a printed RR is 1 / rank, so its rounding can be undone
        return sum(Fraction(1, round(1 / rr)) for rr in themes) / len(themes)

    def tells_apart(printed: Values) -> bool:
        return value(printed, "weighted") != value(printed, "normalized")

    how = "mean of the two printed values, each 1 / rank"
    return Recomputed(how=how, value=value, holds=tells_apart)


def _ko() -> dict[str, Recomputed]:
    rows = {
        "ko-no-hit": NO_HIT,
        "ko-rr5": _of("RR@5", "ko", "rr", "list"),
        "ko-mrr-no-hit": NO_HIT,
        "ko-code-mrr": _mean("RR", "ko", "mrr"),
        "ko-sum": _sum("RR", "ko", "mrr"),
        "ko-mrr": _mean("RR", "ko", "mrr"),
    }
    for n in (1, 2):
        rows[f"ko-case{n}-rr"] = rows[f"ko-case{n}-fraction"] = _of("RR", "ko", "mrr", f"case {n}")
    return rows


def _pt() -> dict[str, Recomputed]:
    rows = {
        "pt-no-hit": NO_HIT,
        "pt-lowest": _end("RR", "lowest"),
        "pt-highest": _end("RR", "highest"),
        "pt-all-first": _made_up("RR", 1, length=4),
        "pt-none-found": NO_HIT,
        "pt-no-hit-code": NO_HIT,
        "pt-ndcg-lowest": _end("nDCG", "lowest"),
        "pt-ndcg-highest": _end("nDCG", "highest"),
        "pt-exam-mrr": _made_up("RR", 2, length=20),
        "pt-same-rr": _mean("RR", "pt", "table"),
        "pt-map-lowest": _end("AP", "lowest"),
        "pt-map-highest": _end("AP", "highest"),
    }
    for n in (1, 2, 3):
        for measure in ("RR", "nDCG"):
            row = _of(measure, "pt", "table", f"user {n}")
            rows[f"pt-table-{measure.lower()}{n}"] = rows[f"pt-table2-{measure.lower()}{n}"] = row
        rows[f"pt-table2-ap{n}"] = _of("AP", "pt", "table", f"user {n}")
    return rows


def _d4() -> dict[str, Recomputed]:
    rows = {
        "d4-closer": _end("RR", "highest"),
        "d4-no-hit": NO_HIT,
        "d4-q1-fraction": _of("RR", "d4", "mrr", "Q1"),
        "d4-q2-fraction": _of("RR", "d4", "mrr", "Q2"),
        "d4-weight": Recomputed(
            how="1 / (number of queries)", value=lambda _: Fraction(1, len(cases("d4", "mrr")))
        ),
        "d4-sum": _sum("RR", "d4", "mrr"),
        "d4-mrr": _mean("RR", "d4", "mrr"),
        "d4-lowest": _end("RR", "lowest"),
        "d4-highest": _end("RR", "highest"),
        "d4-perfect": _made_up("RR", 1, length=3),
        "d4-worst": _made_up("RR", length=3),
    }
    for n in (1, 2, 3):
        rows[f"d4-q{n}-rank"] = _rank("d4", "mrr", f"Q{n}")
        rows[f"d4-q{n}-rr"] = _of("RR", "d4", "mrr", f"Q{n}")
    return rows


def _tracin_triples() -> dict[str, Recomputed]:
    rows = {"tracin-mrr": _mean("RR", "tracin", "mrr"), "tracin-map": _mean("AP", "tracin", "map")}
    for n in (1, 2, 3):
        triple = ("tracin", "mrr", f"triple {n}")
        rows[f"tracin-mrr{n}-rank"] = _rank(*triple)
        rows[f"tracin-mrr{n}-rr"] = rows[f"tracin-mrr{n}-fraction"] = _of("RR", *triple)
    for n, n_hits in ((1, 3), (2, 2), (3, 1)):
        triple = ("tracin", "map", f"triple {n}")
        rows |= _average_precision(f"tracin-map{n}", *triple, n_hits=n_hits)
        for hit in range(1, n_hits + 1):
            rows[f"tracin-map{n}-fraction{hit}"] = _precision(*triple, hit)
    return rows


def _average_precision(
    start: str, document: str, example: str, query: str, *, n_hits: int
) -> dict[str, Recomputed]:
    case = (document, example, query)
    rows = {f"{start}-ap": _of("AP", *case), f"{start}-weight": _one_relevant(*case)}
    for hit in range(1, n_hits + 1):
        rows[f"{start}-rank{hit}"] = _rank(*case, hit)
        rows[f"{start}-precision{hit}"] = _precision(*case, hit)
    return rows


def _tracin_scenarios() -> dict[str, Recomputed]:
    a, b = ("tracin", "scenarios", "A"), ("tracin", "scenarios", "B")
    return {
        **_average_precision("tracin-a", *a, n_hits=3),
        **_average_precision("tracin-b", *b, n_hits=3),
        "tracin-a-rr": _of("RR", *a),
        "tracin-b-rr": _of("RR", *b),
        "tracin-analysis-rr": _of("RR", *a),
        "tracin-analysis-a": _of("AP", *a),
        "tracin-analysis-b": _of("AP", *b),
    }


def _tracin_said() -> dict[str, Recomputed]:
    return {
        "tracin-mean-rank-1": _mean_rank(1, 1, 1),
        "tracin-mean-rank-2": _mean_rank(1, 4, 4),
        "tracin-mean-rank-10": _mean_rank(5, 20, 20),
        "tracin-mrr-best": _end("RR", "highest"),
        "tracin-map-perfect": _made_up("AP", 1, 2, 3, length=10),
        "tracin-map-excellent": _made_up("AP", *range(2, 13), length=12, holds=stands_high),
        "tracin-map-moderate": _made_up("AP", 3, 4, 5, length=10, holds=scattered),
        "tracin-map-poor": _made_up(
            "AP", 10, length=1000, holds=lambda case: not stands_high(case)
        ),
        "tracin-map-best": _end("AP", "highest"),
        "tracin-table-mrr-lowest": _end("RR", "lowest"),
        "tracin-table-mrr-highest": _end("RR", "highest"),
        "tracin-table-map-lowest": _end("AP", "lowest"),
        "tracin-table-map-highest": _end("AP", "highest"),
        "tracin-table-mrr-best": _made_up("RR", 1, length=10),
        "tracin-table-map-best": _made_up("AP", 1, 2, 3, length=10),
        "tracin-ccggdd-rank": _inverse("tracin-ccggdd-mrr"),
        "tracin-cggd-rank": _inverse("tracin-cggd-mrr"),
        "tracin-ratio-mrr": _ratio("mrr", lambda ratio: _beats_chance(ratio, "RR")),
        "tracin-ratio-map": _ratio("map", lambda ratio: _beats_chance(ratio, "AP")),
        "tracin-ratio-relevant": _ratio("relevant", lambda _: chance_ratio("RR") > 1),
        "tracin-summary-lowest": _end("RR", "lowest"),
        "tracin-summary-highest": _end("AP", "highest"),
    }


def _the_spots() -> dict[str, Recomputed]:
    rows = {}
    for score in SCORES:
        for name, procedure in (("original", original_value), ("corrected", corrected_value)):
            for theme in THEMES:
                rows[f"spots-{theme}-{score}-{name}"] = _spots(procedure, theme, score)
            rows[f"spots-mean-{score}-{name}"] = _spots_mean(name, score)
    return rows


NUMBERS: dict[str, Recomputed] = {
    **_ko(),
    **_pt(),
    **_d4(),
    **_tracin_triples(),
    **_tracin_scenarios(),
    **_tracin_said(),
    **_the_spots(),
}
