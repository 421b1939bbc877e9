"""Recorded results of other tools on small cases."""

from collections.abc import Iterable, Mapping

import pandas as pd

from byhand.figures import Html
from helpers.places import DATA
from helpers.translation import LessonError


def tool_case(case: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the run and the qrels of a case; raise `DataError` if it is unknown."""
    cases = pd.read_csv(
        DATA / "tool-cases.csv",
        dtype={"query_id": str, "doc_id": str, "relevance": "Int64"},
        keep_default_na=False,
        na_values={"score": [""], "relevance": [""]},
    )
    rows = cases[cases["case"] == case]
    if rows.empty:
        known = ", ".join(cases["case"].unique())
        raise LessonError(f"There is no case {case!r}. Use one of these: {known}.")
    run = rows.dropna(subset="score")[["query_id", "doc_id", "score"]]
    qrels = rows.dropna(subset="relevance")[["query_id", "doc_id", "relevance"]].drop_duplicates()
    return run.reset_index(drop=True), qrels.reset_index(drop=True)


def tool_results(case: str | None = None, measure: str | None = None) -> pd.DataFrame:
    """Return the results for a case and a measure (by default all), one row per call."""
    rows = pd.read_csv(DATA / "tool-results.csv")
    for column, wanted in (("case", case), ("measure", measure)):
        if wanted is not None:
            rows = rows[rows[column] == wanted]
    return rows.reset_index(drop=True)


def tool_versions() -> dict[str, str]:
    """Return the recorded version of each tool."""
    rows = pd.read_csv(DATA / "tool-versions.csv")
    return dict(zip(rows["tool"], rows["package"] + " " + rows["version"], strict=True))


def tools_by_value(case: str, measure: str) -> pd.DataFrame:
    """Group tools by their result to 4 decimals, lowest first.

    If a tool has several functions for the measure, the function follows its name.
    """
    rows = tool_results(case, measure).dropna(subset="value").round({"value": 4})
    function = rows["call"].str.partition("(")[0]
    several = function.groupby(rows["tool"]).transform("nunique") > 1
    rows["tools"] = rows["tool"] + (" (" + function + ")").where(several, "")
    named = rows.drop_duplicates(["value", "tools"]).groupby("value")["tools"]
    return named.agg(", ".join).reset_index()


def tools_on(cases: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    """Return each tool's results to 4 decimals: a row per tool, a column per named case.

    A tool with different results for different calls has a second row, "name (2)". NaN means no
    such measure, or an error. Tools without any result are omitted.

    Args:
        cases: mapping column name -> (case, measure).
    """
    columns = {}
    for name, (case, measure) in cases.items():
        rows = tool_results(case, measure).dropna(subset="value").round({"value": 4})
        rows = rows.drop_duplicates(["tool", "value"])
        way = rows.groupby("tool").cumcount() + 1
        columns[name] = rows.set_index(["tool", way])["value"]
    found = pd.DataFrame(columns).groupby(level=0).ffill()
    found = found.reindex(
        [each for tool in tool_versions() for each in found.index if each[0] == tool]
    )
    return found.set_axis([tool if way == 1 else f"{tool} ({way})" for tool, way in found.index])


def tool_links(rows: Iterable[str], page: str = "") -> dict[str, Html]:
    """Return rows of `tools_on` as links to `page`, or as link targets without a page."""
    links = {}
    for row in rows:
        anchor = row.partition(" (")[0].replace(" ", "")
        own = "" if page else f' id="{anchor}"'
        links[row] = Html(f'<a{own} href="{page}#{anchor}">{row}</a>')
    return links
