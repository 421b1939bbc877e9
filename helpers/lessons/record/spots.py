"""The two procedures of the `spots` document, on our reconstruction of its table."""

from functools import cache
from itertools import combinations, permutations, product

import pandas as pd

from helpers.lessons.places import DATA
from helpers.metrics.measures.rr import reciprocal_rank

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


def corrected_means() -> list[float]:
    """The mean of both themes under the second procedure, for each way to mix the themes.

    Which spot of a theme stands where makes no difference to it, so the 8! orders are 70 cases,
    each as likely as any other: which four of the eight ranks the first theme has.

    Example:
        >>> means = corrected_means()
        >>> len(means), min(means), max(means)
        (70, 0.6, 0.75)
    """
    return [_mean_of(set(ranks)) for ranks in combinations(range(8), 4)]


def _mean_of(ranks: set[int]) -> float:
    first, second = (iter(THEMES[theme]) for theme in THEMES)
    order = [next(first if rank in ranks else second) for rank in range(8)]
    return sum(corrected_value(order, theme) for theme in THEMES) / 2


def walks_that_differ() -> int:
    """How often the document's walk gives another value than `original_value`.

    It walks down the spots by visits, to the first one of the theme, and takes 1 / its rank.

    Example:
        >>> walks_that_differ()
        0
    """
    differ = 0
    for theme, score in product(THEMES, SCORES.values()):
        within = [spot for spot in spots_by(score) if spot in THEMES[theme]]
        walked = 1 / (within.index(most_visited(theme)) + 1)
        differ += walked != original_value(spots_by(score), theme)
    return differ


def values_with_one_spot_fixed() -> int:
    """How many values the first procedure has while the most visited spot keeps rank 2 of 4.

    Example:
        >>> values_with_one_spot_fixed()
        1
    """
    first = most_visited("steins")
    others = [spot for spot in THEMES["steins"] if spot != first]
    orders = [[a, first, b, c] for a, b, c in permutations(others)]
    return len({original_value(order, "steins") for order in orders})
