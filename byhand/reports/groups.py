"""The first measure by group of queries."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from byhand.errors import DataError, shown
from byhand.reports.results import Results
from byhand.statistics import MISSING_LIMIT, Verdict, compare_values

_MOST = 30
_OTHERS = "(no group)"


@dataclass(frozen=True)
class Groups:
    """The first measure by group of queries.

    Attributes:
        queries: the judged queries of each group, the largest group first.
        left: how many smaller groups are left out.
        comparison: the comparison within each, corrected over all of them, the group in the place
            of the measure; None if there is one system.
    """

    queries: dict[str, pd.Index]
    left: int
    comparison: pd.DataFrame | None


def groups_of(results: Results) -> Groups:
    """The groups of the data, compared.

    Raises:
        DataError: no group has a query with a value.
    """
    queries, left = _queries(results)
    table = _compared(results, queries) if results.comparison is not None else None
    return Groups(queries, left, table)


def _queries(results: Results) -> tuple[dict[str, pd.Index], int]:
    measure, named = results.measures[0], results.data.groups
    values = pd.concat({name: each[measure] for name, each in results.tables.items()}, axis=1)
    judged = values.dropna().index
    groups = {name: judged[judged.isin(queries)] for name, queries in named.items()}
    if not any(map(len, groups.values())):
        theirs = next(iter(named.values()))[0]
        raise DataError(
            "None of the groups has a query that is judged and has a value. Theirs are such as "
            f"{shown(theirs)}, the judged ones such as {shown(results.first.index[0])}: check "
            "that these are the same ids."
        )
    found = sorted(groups.items(), key=lambda each: -len(each[1]))
    some = {name: queries for name, queries in found[:_MOST] if len(queries)}
    left = sum(1 for _, queries in found[_MOST:] if len(queries))
    rest = judged[~judged.isin([query for queries in named.values() for query in queries])]
    others = _OTHERS
    while others in named:  # a group of theirs that is really called so
        others = f"({others})"
    return {**some, **({others: rest} if len(rest) else {})}, left


def _compared(results: Results, groups: Mapping[str, pd.Index]) -> pd.DataFrame:
    measure = results.measures[0]
    # a column a group, which has no value for any other query
    values = {
        system: pd.DataFrame(
            {
                name: table[measure].where(table.index.isin(queries))
                for name, queries in groups.items()
            }
        )
        for system, table in results.tables.items()
    }
    # a row a group: to the table, each is a measure
    correct = "none" if results.correct == "none" else "all"
    table = compare_values(values, pairs=results.pairs, correct=correct)
    for place, row in table.iterrows():
        queries = groups[row["measure"]]
        lacking = max(queries.isin(results.missing[name]).sum() for name in (row["a"], row["b"]))
        if lacking > MISSING_LIMIT * len(queries):
            table.loc[place, "verdict"] = Verdict.WITHHELD.value
    return table
