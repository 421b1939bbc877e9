"""The report as text for a terminal."""

from collections.abc import Callable

import pandas as pd

from byhand.figures.html_tables import Table
from byhand.reports.query_lists import QueryLists
from byhand.reports.results import Results
from byhand.words import gettext as _, spoken

_OF_MEANS = ["measure", "system", "mean", "low", "high", "median", "chance", "lift", "queries"]
_OF_PAIRS = ["measure", "a", "b", "difference", "low", "high", "p_holm", "verdict"]


def section_text(
    results: Results, lists: QueryLists, sentences: Callable[[str], list[str]], name: str
) -> str:
    """Return the text of a section in the current language; empty if it has no content."""
    first = results.measures[0]
    parts: list[object] = []  # sentences and frames
    match name:
        case "summary":
            means = {system: t[results.measures].mean() for system, t in results.tables.items()}
            parts = [*sentences(name), pd.DataFrame(means).T.rename_axis(_("system"))]
        case "methods":
            parts = sentences(name)
        case "means":
            parts = [results.means[_OF_MEANS]]
        case "comparison" if results.rows:
            parts = [results.comparison[_OF_PAIRS]]
        case "groups" if results.groups and results.groups.rows:
            parts = [results.groups.comparison[_OF_PAIRS].rename(columns={"measure": "group"})]
        case "groups" if results.groups:
            values, named = results.first_table[first], results.groups.queries
            parts = [pd.DataFrame({first: {group: values[named[group]].mean() for group in named}})]
        case "worst" | "best":
            parts = [results.first_table.loc[lists.ends[name == "best"], results.measures]]
        case "moved":
            for (a, b), moved in lists.moved.items():
                parts += [f"{a} − {b}", moved.to_frame(first)]
        case "cutoffs":
            parts = [pd.DataFrame({name: t.mean() for name, t in results.cutoffs.items()})]
        case "ties" if results.orders:
            orders = {"in use": results, **results.orders}
            parts = [pd.concat({order: _means(of.tables) for order, of in orders.items()}, axis=1)]
            parts = [parts[0].loc[results.measures].stack(0, future_stack=True)]
        case "unjudged" if results.unjudged:
            ends = {system: pd.DataFrame(of) for system, of in results.unjudged.items()}
            parts = [pd.concat(ends, axis=1).T]
        case "reported" if results.explained is not None:
            parts = results.explained.attrs["says"]
        case "data":
            checked = results.inputs.checked.items()
            parts = [f"{system}: {spoken(note)}" for system, each in checked for note in each.notes]
    return "\n".join(repr(Table(p)) if isinstance(p, pd.DataFrame) else p for p in parts if len(p))


def _means(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the means by measure and system."""
    return pd.DataFrame({system: table.mean(numeric_only=True) for system, table in tables.items()})
