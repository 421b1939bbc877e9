"""The report as text for a terminal."""

from collections.abc import Callable, Iterable

import pandas as pd

from byhand.reports.query_lists import QueryLists
from byhand.reports.results import Results
from byhand.words import gettext as _, localised, padded, spoken, text_width

_OF_MEANS = ["measure", "system", "mean", "low", "high", "median", "chance", "lift", "queries"]
_OF_PAIRS = ["measure", "a", "b", "difference", "low", "high", "p_holm", "verdict"]


def section_text(
    results: Results, lists: QueryLists, sentences: Callable[[str], list[str]], name: str
) -> str:
    """Return the text of a section in the current language; empty if it has no content."""
    if name in ("summary", "methods"):
        lines = sentences(name)
        return "\n".join([*lines, _means_by_system(results)] if name == "summary" else lines)
    if name == "means":
        return _table(results.means[_OF_MEANS])
    if name == "comparison":
        return "" if results.comparison is None else _table(results.comparison[_OF_PAIRS])
    if name == "groups":
        return "" if results.groups is None else _groups(results)
    if name in ("worst", "best"):
        queries = lists.ends[name == "best"]
        return _table(results.first_table.loc[queries, results.measures].reset_index())
    if name == "moved":
        return "\n".join(
            f"{a} − {b}\n{_table(moved.rename(results.measures[0]).reset_index())}"
            for (a, b), moved in lists.moved.items()
        )
    if name == "cutoffs":
        means = pd.DataFrame({name: table.mean() for name, table in results.cutoffs.items()})
        return _table(means.rename_axis("measure").reset_index())
    if name == "ties":
        return _table(_means_under(results, {name: o.tables for name, o in results.orders.items()}))
    if name == "unjudged":
        return _unjudged(results)
    if name == "reported":
        explained = results.explained
        says = [] if explained is None else explained.attrs["says"]
        return "\n".join(says)
    if name == "data":
        checked = results.inputs.checked.items()
        return "\n".join(f"{system}: {spoken(note)}" for system, c in checked for note in c.notes)
    return ""  # sections with figures only


def _means_by_system(results: Results) -> str:
    means = pd.DataFrame({name: t[results.measures].mean() for name, t in results.tables.items()})
    return _table(means.T.rename_axis(_("system")).reset_index())


def _means_under(results: Results, tables: dict[str, dict[str, pd.DataFrame]]) -> pd.DataFrame:
    rows = [
        {"measure": measure, "order": order}
        | {system: table[measure].mean() for system, table in of.items()}
        for measure in results.measures
        for order, of in ({"in use": results.tables} | tables if tables else {}).items()
    ]
    return pd.DataFrame(rows)


def _groups(results: Results) -> str:
    groups, measure = results.groups, results.measures[0]
    if groups.comparison is not None:
        return _table(groups.comparison[_OF_PAIRS].rename(columns={"measure": "group"}))
    table = results.first_table[measure]
    means = {name: table[queries].mean() for name, queries in groups.queries.items()}
    return _table(pd.Series(means, name=measure).rename_axis("group").reset_index())


def _unjudged(results: Results) -> str:
    rows = [
        {"measure": measure, "system": system, "none relevant": ends["none"]}
        | {"all relevant": ends["all"]}
        for system, of in (results.unjudged or {}).items()
        for measure, ends in of.items()
    ]
    return _table(pd.DataFrame(rows))


def _table(table: pd.DataFrame) -> str:
    """Align a table in columns, numbers to the right; empty without rows."""
    if table.empty:
        return ""
    numeric = [pd.api.types.is_numeric_dtype(table[name]) for name in table]
    rows = [[str(name) for name in table], *([*map(_cell, row)] for row in table.to_numpy(object))]
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths, numeric) for row in rows)


def _line(row: Iterable[str], widths: Iterable[int], numeric: Iterable[bool]) -> str:
    cells = zip(row, widths, numeric, strict=True)
    return "  ".join(padded(text, width, right=right) for text, width, right in cells).rstrip()


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "–" if pd.isna(value) else localised(f"{value:.4f}")
    return localised(f"{value:,}") if isinstance(value, int) else str(value)
