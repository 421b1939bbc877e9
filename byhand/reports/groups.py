"""The first measure and the comparisons by group of queries."""

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
    """The judged queries by group, and the comparisons in each."""

    queries: dict[str, pd.Index]  # largest group first
    rest: str  # name for the queries without a group
    left: int  # number of smaller groups left out
    comparison: pd.DataFrame | None  # its column `measure` has the group

    @property
    def rows(self) -> list[dict[str, object]]:
        """The rows of the comparison; empty for a single system."""
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
    """Return the groups with a value, and the comparisons in each.

    Args:
        named: queries by group.
        values: values by system and judged query.
        pairs: pairs of systems to compare.
        missing: judged queries without an answer, by system.
        clusters, matters: arguments of `compare_values`.

    Raises:
        DataError: If no group has a query with a value.
    """
    judged = pd.concat(values, axis=1).dropna().index
    groups = {name: judged[judged.isin(queries)] for name, queries in named.items()}
    groups = sorted(
        ((n, each) for n, each in groups.items() if len(each)), key=lambda each: -len(each[1])
    )
    if not groups:
        theirs, ours = next(iter(named.values()))[0], next(iter(values.values())).index[0]
        raise DataError(
            "groups has none of the judged queries that have a value. Its ids are such as "
            f"{shown(theirs)}, theirs such as {shown(ours)}. Use the same ids in both."
        )
    largest, others = dict(groups[:_MOST]), _OTHERS
    rest = judged[~judged.isin([query for queries in named.values() for query in queries])]
    while others in named:  # avoids the name of a user's group
        others = f"({others})"
    if len(rest):
        largest[others] = rest
    compared = None
    if pairs:
        how = {"pairs": pairs, "clusters": clusters, "matters": matters}
        compared = _compared(largest, values, missing, **how)
    return Groups(largest, others, len(groups[_MOST:]), compared)


def _compared(
    groups: Mapping[str, pd.Index],
    values: Mapping[str, pd.Series],
    missing: Mapping[str, pd.Index],
    **how: object,
) -> pd.DataFrame:
    """Compare the systems in each group; withhold verdicts for many missing queries."""
    # each group becomes a measure without values for other queries
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
