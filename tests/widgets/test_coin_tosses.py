"""The CoinTosses without a browser."""

import numpy as np
import pandas as pd
import pytest

from byhand import DataError
from byhand.statistics import as_far_from, tossed_means
from byhand.widgets import CoinTosses

DIFFERENCES = pd.Series([0.5, -0.25, 0.0], index=["q1", "q2", "q3"])


def test_it_knows_the_differences_and_where_far_begins():
    state = CoinTosses(DIFFERENCES, names=("new", "old"), seed=3).page_state()
    fixed = {"differences": [0.5, -0.25, 0.0], "names": ["new", "old"], "seed": 3}
    fixed["far"] = as_far_from(DIFFERENCES.to_numpy())
    assert state == {"view": "tosses", "fixed": fixed, "tosses": 0, "reached": 0}


def test_p_counts_what_was_seen_as_one_toss():
    coins = CoinTosses(DIFFERENCES)
    assert coins.p == 1
    coins.tosses, coins.reached = 99, 4
    assert coins.p == 0.05
    assert (
        repr(coins) == "CoinTosses(A - B on 3 queries: mean +0.083; 99 tosses, 4 as far: p = 0.050)"
    )
    coins.reset()
    assert repr(coins) == "CoinTosses(A - B on 3 queries: mean +0.083; 0 tosses)"


def test_the_picture_is_of_the_queries_and_of_a_thousand_tosses():
    twelve = np.linspace(-0.2, 0.3, 12)
    picture = CoinTosses(twelve, names=("new", "old")).picture()
    above, below = picture.axes
    assert sum(bar.get_height() for bar in above.patches) == 12
    assert sum(bar.get_height() for bar in below.patches) == 1000
    assert "12 values of new - old: 7 above 0, 0 at 0, 5 below 0" in picture.alt
    exact = (np.abs(tossed_means(twelve)) >= as_far_from(twelve)).mean()
    said = float(picture.alt.rpartition(": ")[2].rstrip("%.")) / 100
    assert said == pytest.approx(exact, abs=4 * np.sqrt(exact / 1000))


def test_without_a_difference_every_toss_is_as_far():
    coins = CoinTosses([0.25, -0.25])
    assert coins.far == 0
    assert coins.picture().alt.startswith("The differences of 2 queries.")


@pytest.mark.parametrize("differences", [[], [np.nan, 0.5], ["a"]])
def test_there_has_to_be_something_to_toss(differences):
    with pytest.raises(DataError):
        CoinTosses(differences)
