"""The first measure by group of queries, and how systems compare in each."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from byhand.errors import DataError, shown
from byhand.metrics.measure_names import measure_named
from byhand.statistics import MISSING_LIMIT, Verdict, compare_values
from byhand.words import N_

if TYPE_CHECKING:
    from byhand.reports.results import Results

_MOST, _OTHERS = 30, N_("(no group)")


@dataclass(frozen=True)
class Groups:
    """The judged queries by their group, and how the systems compare in each."""

    queries: dict[str, pd.Index]  # the judged queries of each group, the largest group first
    rest: str  # what the queries of no group are called
    left: int  # how many smaller groups are left out
    comparison: pd.DataFrame | None  # the group in the place of the measure


def groups_of(results: "Results") -> Groups | None:
    """The groups that have a query with a value, and how the systems compare in each.

    Raises:
        DataError: no group has such a query.
    """
    named = results.data.groups
    if not named:
        return None
    values = {name: table[results.measures[0]] for name, table in results.tables.items()}
    judged = pd.concat(values, axis=1).dropna().index
    found = {name: judged[judged.isin(queries)] for name, queries in named.items()}
    found = sorted(
        ((n, each) for n, each in found.items() if len(each)), key=lambda each: -len(each[1])
    )
    if not found:
        theirs, ours = next(iter(named.values()))[0], results.first.index[0]
        raise DataError(
            "None of the groups has a query that is judged and has a value. Theirs are such as "
            f"{shown(theirs)}, the judged ones such as {shown(ours)}: check that these are the "
            "same ids."
        )
    some, others = dict(found[:_MOST]), _OTHERS
    rest = judged[~judged.isin([query for queries in named.values() for query in queries])]
    while others in named:  # a group of theirs that is really called so
        others = f"({others})"
    some |= {others: rest} if len(rest) else {}
    left = len(found[_MOST:])
    compared = _compared(results, values, some) if results.pairs else None
    return Groups(some, others, left, compared)


def _compared(
    results: "Results", values: dict[str, pd.Series], groups: dict[str, pd.Index]
) -> pd.DataFrame:
    """The comparison of the systems in each group."""
    # to the table, each group is a measure, which has no value for any other query
    parts = {
        system: pd.DataFrame({name: of.where(of.index.isin(groups[name])) for name in groups})
        for system, of in values.items()
    }
    how = "none" if results.correct == "none" else "all"
    bounded = measure_named(results.measures[0]).highest == 1  # its name is not that of a column
    extra = {"clusters": results.data.clusters, "matters": results.matters if bounded else None}
    table = compare_values(parts, pairs=results.pairs, correct=how, **extra)
    for place, row in table.iterrows():
        queries = groups[row["measure"]]
        lacking = max(queries.isin(results.missing[name]).sum() for name in (row["a"], row["b"]))
        if lacking > MISSING_LIMIT * len(queries):
            table.loc[place, "verdict"] = Verdict.WITHHELD.value
    return table
