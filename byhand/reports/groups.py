"""The first measure by group of queries, and how systems compare in each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from byhand.errors import DataError, shown
from byhand.statistics import MISSING_LIMIT, Verdict, compare_values
from byhand.statistics.clusters import Clusters
from byhand.words import N_

_MOST, _OTHERS = 30, N_("(no group)")


@dataclass(frozen=True)
class Groups:
    """The judged queries by their group, and how the systems compare in each."""

    queries: dict[str, pd.Index]  # the judged queries of each group, the largest group first
    rest: str  # what the queries of no group are called
    left: int  # how many smaller groups are left out
    comparison: pd.DataFrame | None  # the group in the place of the measure

    @property
    def rows(self) -> list[dict[str, object]]:
        """The rows of the comparison; none if there is one system."""
        return [] if self.comparison is None else self.comparison.to_dict("records")


def groups_of(
    named: Mapping[str, Sequence[str]],
    values: Mapping[str, pd.Series],
    *,
    pairs: Sequence[tuple[str, str]],
    missing: Mapping[str, pd.Index],
    clusters: Clusters | None,
    matters: float | None,
) -> Groups:
    """The groups that have a query with a value, and how the systems compare in each.

    Args:
        named: the queries of each group.
        values: the value of each judged query, by system.
        pairs: the systems that are compared, if any are.
        missing: the judged queries that a system did not answer.
        clusters, matters: as of `compare_values`.

    Raises:
        DataError: no group has such a query.
    """
    judged = pd.concat(values, axis=1).dropna().index
    found = {name: judged[judged.isin(queries)] for name, queries in named.items()}
    found = sorted(
        ((n, each) for n, each in found.items() if len(each)), key=lambda each: -len(each[1])
    )
    if not found:
        theirs, ours = next(iter(named.values()))[0], next(iter(values.values())).index[0]
        raise DataError(
            "groups has none of the judged queries that have a value. Its ids are such as "
            f"{shown(theirs)}, theirs such as {shown(ours)}. Use the same ids in both."
        )
    largest, others = dict(found[:_MOST]), _OTHERS
    rest = judged[~judged.isin([query for queries in named.values() for query in queries])]
    while others in named:  # a group of theirs that is really called so
        others = f"({others})"
    if len(rest):
        largest[others] = rest
    compared = None
    if pairs:
        how = {"pairs": pairs, "clusters": clusters, "matters": matters}
        compared = _compared(largest, values, missing, **how)
    return Groups(largest, others, len(found[_MOST:]), compared)


def _compared(
    groups: Mapping[str, pd.Index],
    values: Mapping[str, pd.Series],
    missing: Mapping[str, pd.Index],
    **how: object,
) -> pd.DataFrame:
    """The comparison in each group; none has a verdict of which a run lacks many queries."""
    # to the table, each group is a measure, which has no value for any other query
    parts = {
        system: pd.DataFrame({name: of.where(of.index.isin(groups[name])) for name in groups})
        for system, of in values.items()
    }
    table = compare_values(parts, **how)
    for place, row in table.iterrows():
        queries = groups[row["measure"]]
        lacking = max(queries.isin(missing[name]).sum() for name in (row["a"], row["b"]))
        if lacking > MISSING_LIMIT * len(queries):
            table.loc[place, "verdict"] = Verdict.WITHHELD.value
    return table
