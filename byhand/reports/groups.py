"""The first measure and the comparisons by group of queries."""

from collections.abc import Mapping

import pandas as pd

from byhand.errors import DataError, shown
from byhand.reports.inputs import Inputs
from byhand.statistics import MISSING_LIMIT, Verdict, compare_values
from byhand.words import N_

_MOST, _OTHERS = 30, N_("(no group)")


Row = dict[str, object]


def groups_of(
    data: Inputs, values: Mapping[str, pd.Series]
) -> tuple[dict[str, pd.Index], str, int]:
    """Return the judged queries by group, the largest first.

    Args:
        data: the groups of queries.
        values: values of the first measure by system and judged query.

    Returns:
        The groups with a value, the name of the queries without a group, and the number of smaller
        groups that are left out.

    Raises:
        DataError: If no group has a query with a value.
    """
    named = data.groups
    judged = pd.concat(values, axis=1).dropna().index
    groups = {name: judged[judged.isin(queries)] for name, queries in named.items()}
    groups = sorted(
        ((n, each) for n, each in groups.items() if len(each)), key=lambda each: -len(each[1])
    )
    if not groups:
        theirs, ours = next(iter(named.values()))[0], next(iter(values.values())).index[0]
        raise DataError(
            "groups contains none of the judged queries that have a value. An id in groups is "
            f"{shown(theirs)}, and a judged one is {shown(ours)}. Use the same ids in both."
        )
    largest, others = dict(groups[:_MOST]), _OTHERS
    rest = judged[~judged.isin([query for queries in named.values() for query in queries])]
    while others in named:  # avoids the name of a user's group
        others = f"({others})"
    if len(rest):
        largest[others] = rest
    return largest, others, len(groups[_MOST:])


def compared_in(
    groups: Mapping[str, pd.Index],
    data: Inputs,
    values: Mapping[str, pd.Series],
    matters: float | None,
) -> list[Row]:
    """Compare the systems in each group; withhold verdicts if many queries are missing."""
    # each group becomes a measure without values for other queries
    parts = {
        system: pd.DataFrame({name: of.where(of.index.isin(groups[name])) for name in groups})
        for system, of in values.items()
    }
    how = {"pairs": data.pairs, "clusters": data.clusters, "matters": matters}
    table = compare_values(parts, **how)
    missing = {system: data.missing(system) for system in values}
    for place, row in table.iterrows():
        queries = groups[row["measure"]]
        lacking = max(queries.isin(missing[name]).sum() for name in (row["a"], row["b"]))
        if lacking > MISSING_LIMIT * len(queries):
            table.loc[place, "verdict"] = Verdict.WITHHELD.value
    return table.rename(columns={"measure": "group"}).to_dict("records")
