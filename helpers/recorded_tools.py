"""What other tools gave when they were run: small cases, and each tool's number."""

from collections.abc import Iterable, Mapping

import pandas as pd

from byhand.figures import Html
from helpers.places import DATA
from helpers.translation import LessonError


def tool_case(case: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The run and the qrels of a case that was given to the tools; DataError if there is none."""
    cases = pd.read_csv(
        DATA / "tool-cases.csv",
        dtype={"query_id": str, "doc_id": str, "relevance": "Int64"},
        keep_default_na=False,
        na_values={"score": [""], "relevance": [""]},
    )
    rows = cases[cases["case"] == case]
    if rows.empty:
        known = ", ".join(cases["case"].unique())
        raise LessonError(f"There is no case {case!r}. The cases: {known}.")
    run = rows.dropna(subset="score")[["query_id", "doc_id", "score"]]
    qrels = rows.dropna(subset="relevance")[["query_id", "doc_id", "relevance"]].drop_duplicates()
    return run.reset_index(drop=True), qrels.reset_index(drop=True)


def tool_results(case: str | None = None, measure: str | None = None) -> pd.DataFrame:
    """What the tools gave, on a case and by a measure: one row a call, as in the data file."""
    rows = pd.read_csv(DATA / "tool-results.csv")
    for column, wanted in (("case", case), ("measure", measure)):
        if wanted is not None:
            rows = rows[rows[column] == wanted]
    return rows.reset_index(drop=True)


def tool_versions() -> dict[str, str]:
    """The version of each tool that was run, by its name."""
    rows = pd.read_csv(DATA / "tool-versions.csv")
    return dict(zip(rows["tool"], rows["package"] + " " + rows["version"], strict=True))


def tools_by_value(case: str, measure: str) -> pd.DataFrame:
    """Which tools gave the same number, to 4 decimals: one row a number, from the lowest.

    A tool that has several functions for it has the function behind its name.
    """
    rows = tool_results(case, measure).dropna(subset="value").round({"value": 4})
    function = rows["call"].str.partition("(")[0]
    several = function.groupby(rows["tool"]).transform("nunique") > 1
    rows["tools"] = rows["tool"] + (" (" + function + ")").where(several, "")
    named = rows.drop_duplicates(["value", "tools"]).groupby("value")["tools"]
    return named.agg(", ".join).reset_index()


def tools_on(cases: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    """What each tool gave, to 4 decimals: one row a tool, one column a (case, measure) by its name.

    A tool that gives another number when it is called in another way has a second row, "name (2)".
    NaN is where it has no such measure, or raised an error; a tool without any number is left out.
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
    """Rows of `tools_on` with links to the tool's row on `page`; without one, that row itself."""
    links = {}
    for row in rows:
        anchor = row.partition(" (")[0].replace(" ", "")
        own = "" if page else f' id="{anchor}"'
        links[row] = Html(f'<a{own} href="{page}#{anchor}">{row}</a>')
    return links
