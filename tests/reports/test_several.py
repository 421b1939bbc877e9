"""Several systems in one report: each comparison that it shows is one of `compare`."""

import numpy as np
import pandas as pd
import pytest
from small_runs import ranked, report_at

from byhand import compare

RANKS = {"a": [1] * 20, "b": [1, 2] * 10, "c": [3] * 20}


@pytest.fixture(scope="module")
def three():
    return report_at(*RANKS.values(), measures=["RR", "P@1"])


@pytest.fixture(scope="module")
def all_pairs():
    return report_at(*RANKS.values(), measures=["RR", "P@1"], all_pairs=True)


@pytest.mark.parametrize(
    ("fixture", "pairs"), [("three", ["ab", "ac"]), ("all_pairs", ["ab", "ac", "bc"])]
)
def test_who_is_compared_and_corrected_over_all(request, fixture, pairs):
    found = request.getfixturevalue(fixture).results
    runs = {name: ranked(*ranks)[0] for name, ranks in RANKS.items()}
    pairs = [tuple(pair) for pair in pairs]
    wanted = compare(runs, ranked(*RANKS["a"])[1], ["RR", "P@1"], pairs=pairs)
    compared = found.comparison.drop(columns="permutations")
    pd.testing.assert_frame_equal(compared, wanted, check_exact=True)
    assert wanted["p_holm"].gt(wanted["p"]).any()


def test_a_seed_is_used_anew_for_each_row(three):
    one = report_at(RANKS["a"], RANKS["c"]).results.comparison
    assert one["p"].item() == three.results.comparison["p"].iloc[1]
    assert np.isclose(one["p_holm"].max(), one["p"].max())
