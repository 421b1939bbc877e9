"""Several systems in one report: each comparison that it shows is one of `compare`."""

import numpy as np
import pandas as pd
import pytest
from small_runs import ranked, report_at

from byhand import compare

RANKS = {"a": [1] * 20, "b": [1, 2] * 10, "c": [3] * 20}


@pytest.mark.parametrize(("every", "pairs"), [(False, ["ab", "ac"]), (True, ["ab", "ac", "bc"])])
def test_who_is_compared_and_corrected_over_all(every, pairs):
    found = report_at(*RANKS.values(), measures=["RR", "P@1"], all_pairs=every).results.comparison
    runs = {name: ranked(*ranks)[0] for name, ranks in RANKS.items()}
    how = {"pairs": [*map(tuple, pairs)], "correct": "primary"}
    wanted = compare(runs, ranked(*RANKS["a"])[1], ["RR", "P@1"], **how)
    pd.testing.assert_frame_equal(wanted, found.drop(columns="permutations"), check_exact=True)
    assert wanted["p_holm"].gt(wanted["p"]).any()
    one = report_at(RANKS["a"], RANKS["c"]).results.comparison  # a seed is used anew for each row
    assert one["p"].item() == found["p"].iloc[1]
    assert np.isclose(one["p_holm"].max(), one["p"].max())
