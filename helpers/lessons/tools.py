"""What other tools gave when they were run: small cases, and each tool's number."""

import pandas as pd

from helpers.errors import DataError
from helpers.lessons.places import DATA


def tool_case(case: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The run and the qrels of a case that was given to the tools.

    Args:
        case: a name in `data/tool-cases.csv`, such as `"graded"`.

    Raises:
        DataError: a case that is not there; the message lists those that are.

    Example:
        >>> run, qrels = tool_case("graded")
        >>> run["doc_id"].tolist(), qrels["relevance"].tolist()
        (['a', 'b', 'c', 'd', 'e', 'f'], [3, 2, 3, 0, 1, 2, 3, 2])
    """
    cases = pd.read_csv(
        DATA / "tool-cases.csv",
        dtype={"query_id": str, "doc_id": str, "relevance": "Int64"},
        keep_default_na=False,
        na_values={"score": [""], "relevance": [""]},
    )
    rows = cases[cases["case"] == case]
    if rows.empty:
        known = ", ".join(cases["case"].unique())
        raise DataError(f"There is no case {case!r}. The cases: {known}.")
    run = rows.dropna(subset="score")[["query_id", "doc_id", "score"]]
    qrels = rows.dropna(subset="relevance")[["query_id", "doc_id", "relevance"]]
    return run.reset_index(drop=True), qrels.reset_index(drop=True)


def tool_results(case: str | None = None, measure: str | None = None) -> pd.DataFrame:
    """What the tools gave: one row a call.

    Args:
        case: only this case.
        measure: only this measure, in ir_measures' notation.

    Returns:
        `tool`, `case`, `measure`, `call`, `value` and `error`, as in `data/tool-results.csv`.

    Example:
        >>> deep = tool_results("deep", "AP@10")
        >>> sorted(deep["value"].unique().tolist())
        [0.05, 0.1, 1.0]
    """
    rows = pd.read_csv(DATA / "tool-results.csv")
    for column, wanted in (("case", case), ("measure", measure)):
        if wanted is not None:
            rows = rows[rows[column] == wanted]
    return rows.reset_index(drop=True)


def tool_versions() -> dict[str, str]:
    """The version of each tool that was run, by its name.

    Example:
        >>> tool_versions()["sklearn"]
        'scikit-learn 1.9.1'
    """
    rows = pd.read_csv(DATA / "tool-versions.csv")
    return dict(zip(rows["tool"], rows["package"] + " " + rows["version"], strict=True))
