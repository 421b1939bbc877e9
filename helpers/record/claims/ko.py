"""The claims of the Korean tutorial."""

from byhand.metrics.names import measure_list
from helpers.record.claims.claim import Claim, less, ways_to_place
from helpers.record.recomputed import cases


def _with_scores() -> float:
    """The mean RR of the two cases, the scores that come with their relevant items as grades."""
    values = [
        measure_list("RR", case.ranked, dict.fromkeys(case.relevant, 1.0))
        for case in cases("ko", "mrr").values()
    ]
    return sum(values) / len(values)


CLAIMS = {
    "ko-how-many": Claim(
        value=less("P with hits at 2, 3, 8 of 8", "P with hits at 6 to 8 of 8"), said=0
    ),
    "ko-steeply": Claim(
        value=less("RR with hits at 1 of 8", "RR with hits at 2 of 8"),
        # an even fall over the list would lose as much at every rank
        holds=lambda lost: lost > 1 / 8,
    ),
    "ko-second-hits": Claim(
        value=lambda: measure_list("RR", cases("ko", "rr")["list"].ranked, ["B"]),
        said="ko/rr: RR of the list",
    ),
    "ko-one-answer": Claim(said="ko/rr: RR of the list"),
    "ko-very-different": Claim(
        value=lambda: len(set(ways_to_place("RR", 3, 8))),
        holds=lambda n_values: n_values < len(set(ways_to_place("AP", 3, 8))),
    ),
    "ko-ten-hits": Claim(
        value=less("RR with hits at 1 to 10 of 10", "RR with hits at 1 of 10"), said=0
    ),
    "ko-grades": Claim(value=_with_scores, said="ko/mrr: mean RR of the lists"),
}
