"""The report as text for a terminal."""

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from byhand.figures.html_tables import Table
from byhand.reports.query_lists import QueryLists
from byhand.words import gettext as _, spoken

_OF_MEANS = ["measure", "system", "mean", "low", "high", "median", "chance", "lift", "queries"]
_OF_PAIRS = ["a", "b", "difference", "low", "high", "p_holm", "verdict"]


def section_text(
    r: Mapping[str, object], lists: QueryLists, sentences: Callable[[str], list[str]], name: str
) -> str:
    """Return the text of a section in the current language; empty if it has no content."""
    first, of_first = r["measures"][0], r["queries"][r["systems"][0]]
    parts: list[object] = []  # sentences and frames
    match name:
        case "summary":
            parts = [*sentences(name), _means(r["means"]).T.rename_axis(_("system"))]
        case "methods":
            parts = sentences(name)
        case "means":
            parts = [pd.DataFrame(r["means"])[_OF_MEANS]]
        case "comparison" if r["comparison"]:
            parts = [pd.DataFrame(r["comparison"])[["measure", *_OF_PAIRS]]]
        case "groups" if r["groups"] and r["groups"]["comparison"]:
            parts = [pd.DataFrame(r["groups"]["comparison"])[["group", *_OF_PAIRS]]]
        case "groups" if r["groups"]:
            means = {group: [*of["means"].values()] for group, of in r["groups"]["means"].items()}
            parts = [pd.DataFrame(means, index=[first]).T]
        case "worst" | "best":
            parts = [of_first.loc[lists.ends[name == "best"], r["measures"]]]
        case "moved":
            for (a, b), moved in lists.moved.items():
                parts += [f"{a} − {b}", moved.to_frame(first)]
        case "cutoffs":
            parts = [pd.DataFrame(r["cutoffs"])]
        case "ties" if r["orders_of_equal_scores"]:
            orders = r["orders_of_equal_scores"].items()
            means = {order: pd.DataFrame(each["means"]) for order, each in orders}
            means = pd.concat({"in use": _means(r["means"]), **means}, axis=1)
            parts = [means.stack(0, future_stack=True)]
        case "unjudged" if r["unjudged_items"]:
            ends = {system: pd.DataFrame(of) for system, of in r["unjudged_items"].items()}
            parts = [pd.concat(ends, axis=1).T]
        case "reported" if r["reported"]:
            parts = [*map(spoken, r["reported"]["says"])]
        case "data":
            data = r["data"].items()
            parts = [f"{system}: {spoken(n)}" for system, each in data for n in each["notes"]]
    return "\n".join(repr(Table(p)) if isinstance(p, pd.DataFrame) else p for p in parts if len(p))


def _means(rows: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """Return the means by measure and system."""
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        found.setdefault(row["system"], {})[row["measure"]] = row["mean"]
    return pd.DataFrame(found)
