"""Clusters of dependent queries, such as variants of one topic."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.files.texts import read_clusters
from byhand.statistics.per_query import ids_alike
from byhand.statistics.power import WHOLE_SCALE


@dataclass(frozen=True)
class Clusters:
    """The cluster of each query.

    Attributes:
        of: the cluster of each query, with the query as index.
    """

    of: pd.Series

    @classmethod
    def read(cls, clusters: object) -> Self | None:
        """Read a table or file with `query_id` and `cluster`, or a dict; None stays None.

        Raises:
            DataError: If a column is missing, or a query is in two clusters.

        Example:
            >>> Clusters.read({"1-a": "1", "1-b": "1", "2-a": "2"}).of.to_dict()
            {'1-a': '1', '1-b': '1', '2-a': '2'}
        """
        if clusters is None or isinstance(clusters, cls):
            return clusters
        return cls(pd.Series(read_clusters(clusters)))

    def numbered(self, queries: pd.Index) -> np.ndarray:
        """Return the number (Q,) of the cluster of each of these queries.

        Raises:
            DataError: If a query has no cluster.
        """
        clusters = self.of.reindex(queries.astype(str))
        lacking = queries[clusters.isna().to_numpy()]
        if len(lacking):
            raise DataError(
                f"clusters lacks {len(lacking):,} of {len(queries):,} queries, such "
                f"as {shown(lacking[0])}; it has queries such as {shown(self.of.index[0])}. Add "
                "a cluster for each query; a query that depends on no other is a cluster of its "
                "own."
            )
        return pd.factorize(clusters)[0]


def numbered_pairs(clusters: Clusters | None, a: pd.Series, b: pd.Series) -> np.ndarray | None:
    """Return the cluster numbers of the queries with a value in both, in the order of `aligned`."""
    a, b = ids_alike(a, b)
    both = a.notna() & b.reindex(a.index).notna()
    return None if clusters is None else clusters.numbered(a.index[both])


def cluster_totals(difference: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Compute the sum (C,) of each cluster, scaled so that their mean is the mean of all queries.

    For clusters of equal size, it is the mean of each cluster.

    Example:
        >>> cluster_totals(np.array([1.0, 0.5, 0.0]), np.array([0, 0, 1])).tolist()  # mean 1/2
        [1.0, 0.0]
    """
    totals = np.bincount(number, difference)
    return totals * (len(totals) / len(difference))


def cluster_values(sample: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Compute independent values (C,), with the mean of the sample and its cluster standard error.

    Their standard error is that of a ratio: the total over the size of the sampled clusters. For
    clusters of equal size, they are the cluster means.

    References:
        Cochran 1977, "Sampling Techniques", section 9A.1 (clusters of unequal sizes: ratio to
        size).

    Example:
        >>> cluster_values(np.array([1.0, 0.5, 0.0]), np.array([0, 0, 1])).round(3).tolist()
        [0.833, 0.167]
    """
    mean = sample.mean()
    return mean + cluster_totals(sample - mean, number)


def independent_values(sample: np.ndarray, number: np.ndarray | None) -> np.ndarray:
    """Return independent values: the sample, or `cluster_values` if queries are dependent."""
    return sample if number is None else cluster_values(sample, number)


def drawn_units(sample: np.ndarray, number: np.ndarray | None) -> tuple[np.ndarray, float]:
    """Return the independent units (queries or cluster totals), and a bound on their values.

    Example:
        >>> drawn_units(np.array([0.5, 0.5, 0.5, 0.0]), np.array([0, 0, 0, 1]))
        (array([0.75, 0.  ]), 1.5)
    """
    if number is None:
        return sample, WHOLE_SCALE
    largest = cluster_totals(np.ones(len(sample)), number).max()  # 1 if all have the same size
    return cluster_totals(sample, number), float(WHOLE_SCALE * largest)
