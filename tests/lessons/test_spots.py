"""The reconstructed spots table gives the 12 values that the document prints."""

import pandas as pd
import pytest

from byhand import reciprocal_rank
from helpers.places import DATA
from helpers.spots import SpotsBoard, spots_table

THEMES = {
    "Steins Gate": ["S001", "S003", "S004", "S002"],
    "LoveLive": ["S005", "S007", "S006", "S008"],
}
SCORES = {"weighted": "weighted_sentiment_score", "normalized": "normalized_sentiment_score"}
PRINTED = {
    ("original", "weighted"): ("0.5000", "0.3333", "0.4167"),
    ("original", "normalized"): ("0.2500", "0.3333", "0.2917"),
    ("corrected", "weighted"): ("1.0000", "0.5000", "0.7500"),
    ("corrected", "normalized"): ("1.0000", "0.5000", "0.7500"),
}


@pytest.fixture(scope="module")
def spots():
    return pd.read_csv(DATA / "spots.csv")


def order(spots, column):
    return spots.sort_values(column, ascending=False)["SpotID"].tolist()


def original(spots, theme, score):
    """RR inside the theme of its most visited spot."""
    ranking = [spot for spot in order(spots, score) if spot in theme]
    most_visited = next(spot for spot in order(spots, "Check") if spot in theme)
    return reciprocal_rank(ranking, {most_visited})


def corrected(spots, theme, score):
    """RR of the theme's spots among all eight."""
    return reciprocal_rank(order(spots, score), theme)


@pytest.mark.parametrize(("method", "score"), PRINTED)
def test_the_printed_values_come_out(spots, method, score):
    procedure = {"original": original, "corrected": corrected}[method]
    values = [procedure(spots, theme, SCORES[score]) for theme in THEMES.values()]
    shown = tuple(f"{value:.4f}" for value in [*values, sum(values) / 2])
    assert shown == PRINTED[method, score]


def test_no_two_spots_are_equal_in_any_column(spots):
    assert len(spots) == 8
    assert all(spots[column].is_unique for column in spots)


def test_the_columns_are_those_of_the_document(spots):
    assert list(spots) == ["SpotID", "Check", *SCORES.values()]


def first_rank(order, theme):
    return min(order.index(spot) + 1 for spot in theme)


def test_a_procedure_gets_each_order_and_theme():
    table = spots_table(first_rank, reciprocal_rank)
    assert table.loc[("weighted", "first_rank")].tolist() == [1, 2, 1.5]
    assert table.loc[("normalized", "reciprocal_rank")].tolist() == [1, 0.5, 0.75]
    assert len(table) == 4


def test_the_board_follows_its_list_and_says_so():
    board = SpotsBoard(first_rank)
    status = board.children[0]
    assert board.ranks.label("S001") == "S001 · Steins;Gate · 412 visits"
    assert "1.5000" in status.value
    board.ranks.rearrange([*THEMES["LoveLive"], *THEMES["Steins Gate"]])
    assert board.values.loc["first_rank"].tolist() == [5, 1, 3]
    assert "3.0000" in status.value
    assert "1.5000" not in status.value
    assert 'role="status"' in status.value
    assert repr(board) == "SpotsBoard(first_rank: average 3.0000)"
