"""The two procedures of the `spots` document, on our reconstruction of its table."""

from functools import cache
from itertools import combinations, permutations, product
from statistics import mean

import pandas as pd

from byhand import reciprocal_rank
from helpers.places import DATA

THEMES = {
    "steins": ("S001", "S002", "S003", "S004"),
    "love": ("S005", "S006", "S007", "S008"),
}
SCORES = {"weighted": "weighted_sentiment_score", "normalized": "normalized_sentiment_score"}


@cache
def _table() -> pd.DataFrame:
    return pd.read_csv(DATA / "spots.csv")


def spots_by(column: str) -> list[str]:
    """The eight spots, the highest value of a column first.

    Args:
        column: `"Check"` or one of the columns in `SCORES`.

    Example:
        >>> spots_by("Check")[:2]
        ['S001', 'S005']
    """
    return _table().sort_values(column, ascending=False)["SpotID"].tolist()


def most_visited(theme: str) -> str:
    """The spot of a theme that has the most visits.

    Example:
        >>> most_visited("love")
        'S005'
    """
    return next(spot for spot in spots_by("Check") if spot in THEMES[theme])


def original_value(order: list[str], theme: str) -> float:
    """The first procedure: RR of a theme's most visited spot among the spots of that theme.

    Args:
        order: all spots, best first.
        theme: `"steins"` or `"love"`.

    Example:
        >>> original_value(["S005", "S003", "S001", "S006"], "steins")  # S001 second of its theme
        0.5
    """
    within = [spot for spot in order if spot in THEMES[theme]]
    return reciprocal_rank(within, {most_visited(theme)})


def corrected_value(order: list[str], theme: str) -> float:
    """The second procedure: RR of all spots of a theme among the spots of both.

    Args:
        order: all spots, best first.
        theme: `"steins"` or `"love"`.

    Example:
        >>> corrected_value(["S005", "S003", "S001", "S006"], "steins")
        0.5
    """
    return reciprocal_rank(order, THEMES[theme])


PROCEDURES = {"original": original_value, "corrected": corrected_value}


def mixed_orders() -> list[list[str]]:
    """An order of the eight spots for each way to mix the themes.

    Which four of the eight ranks the first theme has; inside a theme the order is always the same.

    Example:
        >>> orders = mixed_orders()
        >>> len(orders), orders[0][:5]
        (70, ['S001', 'S002', 'S003', 'S004', 'S005'])
    """
    return [_mixed(set(ranks)) for ranks in combinations(range(8), 4)]


def _mixed(ranks: set[int]) -> list[str]:
    first, second = (iter(THEMES[theme]) for theme in THEMES)
    return [next(first if rank in ranks else second) for rank in range(8)]


def orders_within() -> list[list[str]]:
    """The orders of the first theme's spots, those of the second below them.

    Example:
        >>> orders = orders_within()
        >>> len(orders), orders[-1][:5]
        (24, ['S004', 'S003', 'S002', 'S001', 'S005'])
    """
    return [[*order, *THEMES["love"]] for order in permutations(THEMES["steins"])]


def corrected_means() -> list[float]:
    """The mean of both themes under the second procedure, for each way to mix the themes.

    Which spot of a theme stands where makes no difference to it, so the 8! orders are 70 cases,
    each as likely as any other.

    Example:
        >>> means = corrected_means()
        >>> len(means), min(means), max(means)
        (70, 0.6, 0.75)
    """
    return [mean(corrected_value(order, theme) for theme in THEMES) for order in mixed_orders()]


def _walked_original(order: list[str], theme: str) -> float:
    within = [spot for spot in order if spot in THEMES[theme]]
    first = next(spot for spot in spots_by("Check") if spot in within)
    return 1 / (within.index(first) + 1)


def _walked_corrected(order: list[str], theme: str) -> float:
    return next(1 / rank for rank, spot in enumerate(order, start=1) if spot in THEMES[theme])


_WALKS = {"original": _walked_original, "corrected": _walked_corrected}


def walks_that_differ(procedure: str) -> int:
    """How often the document's walk down a list gives another value than an RR.

    The orders are those of the first theme's spots, and those that mix the themes.

    Args:
        procedure: `"original"`, which walks by visits to the first spot of the theme, or
            `"corrected"`, which walks by score. Both take 1 / the rank of what they found.

    Example:
        >>> walks_that_differ("original"), walks_that_differ("corrected")
        (0, 0)
    """
    orders = product(mixed_orders() + orders_within(), THEMES)
    walk, rr = _WALKS[procedure], PROCEDURES[procedure]
    return sum(walk(order, theme) != rr(order, theme) for order, theme in orders)


def values_with_one_spot_fixed() -> int:
    """How many values the first procedure has while the most visited spot keeps rank 2 of 4.

    Example:
        >>> values_with_one_spot_fixed()
        1
    """
    orders = [order for order in orders_within() if order[1] == most_visited("steins")]
    return len({original_value(order, "steins") for order in orders})
