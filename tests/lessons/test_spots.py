"""The reconstructed spots table gives the 12 values that the document prints."""

import pandas as pd
import pytest

from byhand import reciprocal_rank
from helpers import DATA, SpotsBoard, corrected_value, original_value, spots_table
from helpers.spots import SCORES, THEMES, spots_by

PRINTED = {
    ("original", "weighted"): ("0.5000", "0.3333", "0.4167"),
    ("original", "normalized"): ("0.2500", "0.3333", "0.2917"),
    ("corrected", "weighted"): ("1.0000", "0.5000", "0.7500"),
    ("corrected", "normalized"): ("1.0000", "0.5000", "0.7500"),
}


@pytest.mark.parametrize(("method", "score"), PRINTED)
def test_the_printed_values_come_out(method, score):
    procedure = {"original": original_value, "corrected": corrected_value}[method]
    values = [procedure(spots_by(SCORES[score]), theme) for theme in THEMES]
    assert tuple(f"{value:.4f}" for value in [*values, sum(values) / 2]) == PRINTED[method, score]


def test_the_table_and_the_themes_are_those_of_the_document():
    spots = pd.read_csv(DATA / "spots.csv")
    assert list(spots) == ["SpotID", "Check", *SCORES.values()]
    assert list(SCORES) == ["weighted", "normalized"]
    assert sorted(spot for theme in THEMES.values() for spot in theme) == sorted(spots["SpotID"])
    assert set(spots["SpotID"]) == {f"S00{n}" for n in range(1, 9)}
    assert THEMES["steins"] == ("S001", "S002", "S003", "S004")
    assert all(spots[column].is_unique for column in spots)  # no order depends on ties


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
    assert board.ranks.catalogue.labels["S001"] == "S001 · Steins;Gate · 412 visits"
    assert "1.5000" in status.value
    board.ranks.rearrange([*THEMES["love"], *THEMES["steins"]])
    assert board.values.loc["first_rank"].tolist() == [5, 1, 3]
    assert "3.0000" in status.value
    assert "1.5000" not in status.value
    assert 'role="status"' in status.value
    assert repr(board) == "SpotsBoard(first_rank: average 3.0000)"
