"""The claims of the note on three queries and the document D4."""

from fractions import Fraction

from helpers.record.claims.claim import Claim, equals, share_on_top
from helpers.record.printed import Number
from helpers.record.recomputed import cases, recompute


def _lost_below(rank: int) -> Number:
    """What RR loses when its only hit moves from this rank to the next."""
    return recompute(f"RR with hits at {rank} of 10") - recompute(
        f"RR with hits at {rank + 1} of 10"
    )


CLAIMS = {
    "d4-closer": Claim(
        value=lambda: share_on_top(Fraction(9, 10)), holds=lambda share: share > 1 / 2
    ),
    "d4-number-of-queries": Claim(
        value=lambda: recompute("d4/mrr: sum of RR over the lists") / abs(len(cases("d4", "mrr"))),
        said="d4/mrr: mean RR of the lists",
    ),
    "d4-top-only": Claim(
        value="d4/mrr: mean Success@1 of the lists", holds=equals("d4/mrr: mean RR of the lists")
    ),
    "d4-top-sensitive": Claim(
        value=lambda: _lost_below(1) / _lost_below(9), holds=lambda times: times > 1
    ),
}
