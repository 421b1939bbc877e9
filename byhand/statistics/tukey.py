"""Several systems at once: intervals that hold together, and the test that goes with them."""

import math
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.statistics.clusters import Clusters
from byhand.statistics.intervals import CONFIDENCE
from byhand.statistics.paired import check_values
from byhand.statistics.per_query import aligned
from byhand.statistics.randomisation import Resampling, Rng
from byhand.tables.whole import WholeFrame

_NUMBERS = 1 << 20  # that are shuffled at once


def tukey_hsd(
    values: Mapping[str, pd.DataFrame],
    *,
    permutations: int = 10_000,
    confidence: float = CONFIDENCE,
    rng: Rng = 0,
    clusters: object = None,
) -> pd.DataFrame:
    """Every two of several systems, with intervals that all hold together: randomised Tukey HSD.

    The values of each query are dealt out anew among the systems. How far the highest of the means
    then lies above the lowest is what chance alone makes of the largest difference; in a share
    `confidence` of such deals it is at most the half width of each interval.

    Args:
        values: at least two tables by name, as `compare_values` takes them; queries without a
            value of every system are left out.
        permutations: how often the values are dealt out, from 1; with fewer than 19 no interval
            of 95% has an end.
        confidence: how often all intervals of a measure are to hold, between 0 and 1.
        rng, clusters: as in `compare_values`.

    Returns:
        One row a measure and pair: `measure`, `a`, `b`, the `difference` of the means a - b with
        `low` and `high`; `p`, how often the largest difference of a deal is as large; and how many
        `queries` have a value of every system.

    Raises:
        DataError: what `compare_values` refuses; no query with a value of every system.
        ValueError: an option out of range.

    Source:
        Carterette 2012, "Multiple testing in statistical analysis of systems-based information
        retrieval experiments"; Sakai 2018, "Laboratory Experiments in Information Retrieval",
        section 5.5.

    Example:
        >>> a = pd.DataFrame({"RR": [1.0, 0.5, 0.5, 1.0]}, index=["q1", "q2", "q3", "q4"])
        >>> found = tukey_hsd({"A": a, "B": a / 2, "C": a / 4})
        >>> found[["a", "b", "difference"]].to_numpy().tolist()
        [['A', 'B', 0.375], ['A', 'C', 0.5625], ['B', 'C', 0.1875]]
    """
    how = Resampling(permutations=permutations, confidence=confidence, rng=rng)
    check_values(values)
    (first, one), *others = values.items()
    together, rows = Clusters.read(clusters), []
    for measure in one.columns:
        for name, table in others:
            aligned(one[measure], table[measure], (f"{measure} of {first}", f"{measure} of {name}"))
        table = pd.concat({name: each[measure] for name, each in values.items()}, axis=1).dropna()
        if table.empty:
            raise DataError(
                f"No query has a value of {measure} for every one of the {len(values)} systems "
                "(NaN in one or another), so they cannot be compared together. Leave out the "
                "system that has few values, or compare two by two: compare_values(values)."
            )
        number = np.arange(len(table)) if together is None else together.numbered(table.index)
        largest = _ranges(table.to_numpy(), number, how)
        # of too few deals none is so seldom exceeded, and then no p can be so small
        reach = np.append(largest, np.inf)[math.ceil(confidence * (permutations + 1)) - 1]
        for a, b in combinations(table, 2):
            difference = table[a].mean() - table[b].mean()
            beyond = np.count_nonzero(largest >= abs(difference) * (1 - 1e-12))
            row = {"measure": measure, "a": a, "b": b, "difference": difference}
            row |= {"low": difference - reach, "high": difference + reach}
            rows.append(row | {"p": (beyond + 1) / (permutations + 1), "queries": len(table)})
    found = WholeFrame(rows)
    found.attrs = how.as_dict()
    return found


def _ranges(values: np.ndarray, number: np.ndarray, how: Resampling) -> np.ndarray:
    """How far the means of systems are apart when each cluster's values are dealt out, sorted."""
    rng, n = np.random.default_rng(how.rng), len(values)
    # what is dealt out is the total of a cluster, as all its queries change hands together
    totals = np.stack([np.bincount(number, column) for column in values.T], axis=1)
    step = max(1, _NUMBERS // totals.size)
    found = []
    for start in range(0, how.permutations, step):
        deals = np.broadcast_to(totals, (min(step, how.permutations - start), *totals.shape))
        means = rng.permuted(deals, axis=2).sum(axis=1) / n
        found.append(np.ptp(means, axis=1))
    return np.sort(np.concatenate(found))
