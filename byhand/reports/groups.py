"""The first measure by group of queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from byhand.errors import DataError, shown
from byhand.statistics import MISSING_LIMIT, Verdict, compare_values
from byhand.words import N_

_MOST = 30
_OTHERS = N_("(no group)")


@dataclass(frozen=True)
class Groups:
    """The first measure by group of queries."""

    queries: dict[str, pd.Index]  # the judged queries of each group, the largest group first
    rest: str  # what the queries of no group are called
    left: int  # how many smaller groups are left out
    comparison: pd.DataFrame | None  # the group in the place of the measure


def groups_of(
    values: Mapping[str, pd.Series],
    named: Mapping[str, Sequence[str]],
    *,
    pairs: Sequence[tuple[str, str]],
    missing: Mapping[str, pd.Index],
    corrected: bool,
) -> Groups:
    """The groups that have a query with a value, and how the systems compare in each.

    Args:
        values: what each system gets on each judged query.
        named: group -> its queries; if none of them has a value, that is a `DataError`.
        pairs: the systems to compare, if there are several.
        missing: for each system the judged queries that it did not answer.
        corrected: whether p is corrected over all rows.
    """
    judged = pd.concat(values, axis=1).dropna().index
    groups = {name: judged[judged.isin(queries)] for name, queries in named.items()}
    if not any(map(len, groups.values())):
        theirs, ours = next(iter(named.values()))[0], next(iter(values.values())).index[0]
        raise DataError(
            "None of the groups has a query that is judged and has a value. Theirs are such as "
            f"{shown(theirs)}, the judged ones such as {shown(ours)}: check that these are the "
            "same ids."
        )
    found = sorted(groups.items(), key=lambda each: -len(each[1]))
    some = {name: queries for name, queries in found[:_MOST] if len(queries)}
    left = sum(1 for _, queries in found[_MOST:] if len(queries))
    rest = judged[~judged.isin([query for queries in named.values() for query in queries])]
    others = _OTHERS
    while others in named:  # a group of theirs that is really called so
        others = f"({others})"
    some |= {others: rest} if len(rest) else {}
    if not pairs:
        return Groups(some, others, left, None)
    # to the table, each group is a measure, which has no value for any other query
    parts = {
        system: pd.DataFrame({name: of.where(of.index.isin(some[name])) for name in some})
        for system, of in values.items()
    }
    table = compare_values(parts, pairs=pairs, correct="all" if corrected else "none")
    for place, row in table.iterrows():
        queries = some[row["measure"]]
        lacking = max(queries.isin(missing[name]).sum() for name in (row["a"], row["b"]))
        if lacking > MISSING_LIMIT * len(queries):
            table.loc[place, "verdict"] = Verdict.WITHHELD.value
    return Groups(some, others, left, table)
