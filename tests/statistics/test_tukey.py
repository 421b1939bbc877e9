"""Several systems with intervals that hold together: randomised Tukey HSD."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import studentized_range

from byhand import DataError
from byhand.statistics import compare_values, tukey_hsd


def tables(values: np.ndarray) -> dict[str, pd.DataFrame]:
    """A system a column, a query a row."""
    return {f"s{n}": pd.DataFrame({"AP": column}) for n, column in enumerate(values.T)}


def test_of_two_systems_it_is_the_randomisation_test():
    values = tables(np.random.default_rng(3).random((14, 2)))
    found, paired = tukey_hsd(values, permutations=40_000), compare_values(values)
    assert paired["exact"].all()
    assert found["p"][0] == pytest.approx(paired["p"][0], abs=0.01)
    assert found["difference"][0] == pytest.approx(paired["difference"][0], abs=1e-12)


def test_of_normal_values_it_is_that_of_the_textbook():
    rng, n, k = np.random.default_rng(4), 200, 5
    values = rng.normal(0, 1, (n, 1)) + rng.normal(0, 0.3, (n, k))
    found = tukey_hsd(tables(values))
    residual = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    error = np.sqrt((residual**2).sum() / ((n - 1) * (k - 1)) / n)
    reach = studentized_range.ppf(0.95, k, (n - 1) * (k - 1)) * error
    assert (found["high"] - found["low"]).to_numpy() / 2 == pytest.approx(reach, rel=0.03)
    textbook = studentized_range.sf(found["difference"].abs() / error, k, (n - 1) * (k - 1))
    assert found["p"].to_numpy() == pytest.approx(textbook, abs=0.02)


def test_queries_that_lack_a_value_and_clusters():
    values = np.random.default_rng(6).random((24, 3))
    values[5, 1] = np.nan
    found = tukey_hsd(tables(values), clusters={n: n // 3 for n in range(24)})
    assert found["queries"].tolist() == [23] * 3
    assert found.attrs["permutations"] == 10_000
    whole = tables(np.repeat(values[:8], 3, axis=0))
    clusters = {n: n // 3 for n in range(24)}
    alone = tukey_hsd(tables(values[:8]))
    thrice = tukey_hsd(whole, clusters=clusters)
    assert thrice["low"].to_numpy() == pytest.approx(alone["low"].to_numpy(), abs=1e-9)


def test_what_cannot_be_compared_is_refused():
    values = tables(np.ones((3, 2)))
    with pytest.raises(DataError, match="two or more"):
        tukey_hsd({"s0": values["s0"]})
    with pytest.raises(DataError, match="have different queries"):
        tukey_hsd(values | {"s1": values["s1"][1:]})
    with pytest.raises(ValueError, match="permutations"):
        tukey_hsd(values, permutations=0)


def test_systems_of_which_no_query_has_all_values():
    values = np.random.default_rng(7).random((8, 3))
    values[:4, 1] = values[4:, 2] = np.nan  # each two of the first with another have some
    with pytest.raises(DataError, match="No query has a value of AP for every one of the 3"):
        tukey_hsd(tables(values))


def test_too_few_deals_claim_nothing():
    values = tables(np.array([2, 0]) + np.random.default_rng(8).random((30, 2)))
    for permutations, ends in ((18, False), (19, True)):
        found = tukey_hsd(values, permutations=permutations)
        assert bool(np.isfinite(found[["low", "high"]]).all(axis=None)) == ends
        assert found["p"].tolist() == [1 / (permutations + 1)]
