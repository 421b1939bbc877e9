"""The tourist spots: the note's procedures, on our reconstruction of its table."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations

import pandas as pd

from byhand import reciprocal_rank
from helpers.places import DATA

Case = tuple[list[str], dict[str, int]]  # ranked items, grades of relevant items
THEMES = {"steins": ("S001", "S002", "S003", "S004"), "love": ("S005", "S006", "S007", "S008")}
NAMES = {"steins": "Steins;Gate", "love": "LoveLive"}
SCORES = {
    "weighted": "weighted_sentiment_score",
    "normalized": "normalized_sentiment_score",
}


@cache
def _data() -> pd.DataFrame:
    return pd.read_csv(DATA / "spots.csv")


def spots_by(column: str) -> list[str]:
    """Return the eight spots by `"Check"` or a column in `SCORES`, highest first."""
    return _data().sort_values(column, ascending=False)["SpotID"].tolist()


def most_visited(theme: str) -> str:
    """Return the spot of a theme with the most visits."""
    return next(spot for spot in spots_by("Check") if spot in THEMES[theme])


def original_case(order: Sequence[str], theme: str) -> Case:
    """Return the original procedure's list: one theme's spots, the most visited relevant."""
    return [spot for spot in order if spot in THEMES[theme]], {most_visited(theme): 1}


def corrected_case(order: Sequence[str], theme: str) -> Case:
    """Return the corrected procedure's list: all spots, those of the theme relevant."""
    return [*order], dict.fromkeys(THEMES[theme], 1)


def original_value(order: Sequence[str], theme: str) -> float:
    """Compute RR of a theme's most visited spot among the theme's spots."""
    return reciprocal_rank(*original_case(order, theme))


def corrected_value(order: Sequence[str], theme: str) -> float:
    """Compute RR of a theme's spots among those of both themes."""
    return reciprocal_rank(*corrected_case(order, theme))


def spots_lists() -> dict[str, dict[str, Case]]:
    """Return the lists of both procedures by example (score) and theme."""
    found = {}
    for score, column in SCORES.items():
        order = spots_by(column)
        for example, case in ((f"{score} inside", original_case), (score, corrected_case)):
            found[example] = {name: case(order, theme) for theme, name in NAMES.items()}
    return found


def mixed_orders() -> list[list[str]]:
    """Return an order of all spots for each way to mix the themes, without changes within one."""
    return [_mixed(set(ranks)) for ranks in combinations(range(8), 4)]


def _mixed(ranks: set[int]) -> list[str]:
    first, second = map(iter, THEMES.values())
    return [next(first if rank in ranks else second) for rank in range(8)]


def orders_within() -> list[list[str]]:
    """Return the orders of the first theme's spots, followed by the second theme's."""
    return [[*order, *THEMES["love"]] for order in permutations(THEMES["steins"])]
