"""The first measure by group of queries."""

from collections.abc import Mapping

import pandas as pd

from byhand.errors import DataError, shown
from byhand.report.steps.comparison import difference_texts, p_shown, verdict_text
from byhand.report.steps.display import number, show_table, show_text
from byhand.report.steps.results import Results
from byhand.report.steps.told import told
from byhand.statistics import MISSING_LIMIT, Verdict, compare_values, mean_interval

_MOST = 30
_OTHERS = "(no group)"


@told
def show_groups(results: Results) -> None:
    """Display the mean of each group of queries, and what systems differ by in it."""
    if not results.data.groups:
        return
    measure, (groups, left) = results.measures[0], groups_of(results)
    if left:
        show_text(f"The {_MOST} largest groups; {left:,} smaller ones are left out.")
    several = len(results.pairs) > 1
    heads = ["group", "queries", *results.tables]
    if results.comparison is None:
        rows = [
            [*_means(results, name, queries), *_interval(results, queries)]
            for name, queries in groups.items()
        ]
        show_table([*heads, "low", "high"], rows)
        return
    table = compared_by_group(results, groups)
    rows = []
    for _, row in table.iterrows():
        rows.append(
            [
                *_means(results, row["measure"], groups[row["measure"]]),
                *[f"{row['a']} minus {row['b']}"] * several,
                *difference_texts(row),
                p_shown(row, table),
                verdict_text(row),
            ]
        )
    heads += [*["compared"] * several, "difference", "95% interval", "p (Holm)", "verdict"]
    words = {0, len(heads) - 1, *[len(heads) - 5] * several}
    show_table(heads, rows, texts=words)
    show_text(
        f"Means of {measure}. p is corrected over the {len(table)} rows; a group is a part of the "
        "queries, so it takes larger differences to tell anything."
    )


def turned_groups(results: Results) -> list[str]:
    """The groups in which the first system is lower, and than which."""
    if not results.data.groups or results.comparison is None:
        return []
    table = compared_by_group(results, groups_of(results)[0])
    lower = table[
        (table["verdict"] == Verdict.B_HIGHER) & (table["a"] == next(iter(results.tables)))
    ]
    return [f"group {row['measure']}, where {verdict_text(row)}" for _, row in lower.iterrows()]


def groups_of(results: Results) -> tuple[dict[str, pd.Index], int]:
    """The judged queries of each group, the largest group first, and how many are left out."""
    values = pd.concat(
        {name: each[results.measures[0]] for name, each in results.tables.items()}, axis=1
    )
    judged, named = values.dropna().index, results.data.groups
    groups = {name: judged[judged.isin(queries)] for name, queries in named.items()}
    if not any(map(len, groups.values())):
        theirs = next(iter(named.values()))[0]
        raise DataError(
            "None of the groups has a query that is judged and has a value. Theirs are such as "
            f"{shown(theirs)}, the judged ones such as {shown(results.first.index[0])}: check that "
            "these are the same ids."
        )
    found = sorted(groups.items(), key=lambda each: -len(each[1]))
    some = {name: queries for name, queries in found[:_MOST] if len(queries)}
    left = sum(1 for _, queries in found[_MOST:] if len(queries))
    rest = judged[~judged.isin([query for queries in named.values() for query in queries])]
    others = _OTHERS
    while others in named:  # a group of theirs that is really called so
        others = f"({others})"
    return {**some, **({others: rest} if len(rest) else {})}, left


def _means(results: Results, name: str, queries: pd.Index) -> list[str]:
    means = (
        table[results.measures[0]].reindex(queries).mean() for table in results.tables.values()
    )
    return [name, f"{len(queries):,}", *map(number, means)]


def _interval(results: Results, queries: pd.Index) -> list[str]:
    ends = mean_interval(results.first[results.measures[0]][queries].to_numpy())
    return [number(end, beside=ends) for end in ends]


def compared_by_group(results: Results, groups: Mapping[str, pd.Index]) -> pd.DataFrame:
    """The comparison within each group, corrected over all of them."""
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
    table = compare_values(values, pairs=results.pairs)
    for place, row in table.iterrows():
        queries = groups[row["measure"]]
        lacking = max(
            int(queries.isin(results.missing[name]).sum()) for name in (row["a"], row["b"])
        )
        if lacking > MISSING_LIMIT * len(queries):
            table.loc[place, "verdict"] = Verdict.WITHHELD.value
    return table
