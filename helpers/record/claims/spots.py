"""The claims of the note on tourist spots."""

from fractions import Fraction

from helpers.record.claims.claim import Claim
from helpers.record.printed import Number, printed_value
from helpers.record.recomputed import recompute
from helpers.record.spots import (
    PROCEDURES,
    SCORES,
    THEMES,
    mixed_orders,
    orders_within,
    values_with_one_spot_fixed,
    walks_that_differ,
)


def _impossible_originals() -> int:
    """How many of the six original values as printed no RR of one spot of four can give."""
    possible = [Fraction(1, rank) for rank in range(1, 5)]
    impossible = 0
    for score in SCORES:
        rows = [f"spots-{theme}-{score}-original" for theme in THEMES]
        values = [printed_value(row) for row in rows]
        impossible += sum(not any(map(value.agrees, possible)) for value in values)
        mean = recompute(f"{' and '.join(rows)}: mean of the two printed values, each 1 / rank")
        impossible += not printed_value(f"spots-mean-{score}-original").agrees(mean)
    return impossible


def _different(procedure: str) -> int:
    """How many values a procedure has for the first theme over all ways to mix the two."""
    return len({PROCEDURES[procedure](order, "steins") for order in mixed_orders()})


def _is_no_rr_of_the_theme() -> int:
    """How many orders of a theme's own four spots the first procedure gives another value."""
    orders = [order[:4] for order in orders_within()]
    original, rr = PROCEDURES.values()
    return sum(original(order, "steins") != rr(order, "steins") for order in orders)


def _between_scores(procedure: str) -> Number:
    """How far apart a procedure sees the two scores, by the means printed for them."""
    means = [f"spots-mean-{score}-{procedure}" for score in SCORES]
    return printed_value(means[0]).value - printed_value(means[1]).value


CLAIMS = {
    "spots-inaccurate": Claim(value=_impossible_originals, holds=lambda n_values: n_values > 0),
    "spots-original-standard": Claim(
        value=_is_no_rr_of_the_theme, holds=lambda n_orders: n_orders > 0
    ),
    "spots-corrected-standard": Claim(value=lambda: walks_that_differ("corrected"), said=0),
    "spots-original-accuracy": Claim(
        value=values_with_one_spot_fixed, holds=lambda n_values: n_values > 1
    ),
    "spots-corrected-ability": Claim(value=lambda: _different("corrected"), said=5),
    "spots-original-suits": Claim(value=lambda: _different("original"), said=1),
    "spots-corrected-suits": Claim(
        value=lambda: _different("corrected"), holds=lambda n_values: n_values > 1
    ),
    "spots-more-appropriate": Claim(
        value=lambda: _between_scores("corrected"), holds=lambda difference: difference != 0
    ),
}
