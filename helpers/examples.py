"""Worked examples of the cooking site and the five documents, from `data/`."""

from collections.abc import Hashable
from functools import cache
from typing import NamedTuple

import pandas as pd

from helpers.places import DATA
from helpers.spots import spots_lists
from helpers.translation import LessonError, name

DOCUMENTS = ("cooking", "ko", "pt", "d4", "tracin", "spots")


class WorkedCase(NamedTuple):
    """A ranked list, best first, and the grades of its relevant items."""

    ranked: list[Hashable]
    relevant: dict[Hashable, int]


def worked_example(document: str, example: str) -> dict[str, WorkedCase]:
    """Return the lists of a worked example by query, with names in the current language.

    Args:
        document: one of `DOCUMENTS`, such as "d4".
        example: name of an example in the document.

    Raises:
        LessonError: If the document or the example does not exist.

    Example:
        >>> worked_example("d4", "mrr")["Q1"]
        WorkedCase(ranked=['D1', 'D4', 'D2'], relevant={'D4': 1})
    """
    if document not in DOCUMENTS:
        known = ", ".join(DOCUMENTS)
        raise LessonError(f"There is no document {document!r}. Use one of these: {known}.")
    rows = _rows(document)
    chosen = rows[rows["example"] == example]
    if chosen.empty:
        known = ", ".join(rows["example"].unique())
        raise LessonError(
            f"Document {document!r} has no example {example!r}. Use one of these: {known}."
        )
    chosen = chosen.assign(**{each: chosen[each].map(name) for each in ("query_id", "doc_id")})
    return {query: _case(group) for query, group in chosen.groupby("query_id", sort=False)}


def queries_of(document: str) -> list[str]:
    """Return the English names of a document's lists."""
    return [*_rows(document)["query_id"].unique()]


@cache
def _rows(document: str) -> pd.DataFrame:
    if document == "spots":  # computed from its table of scores
        rows = [
            (example, theme, rank, spot, int(spot in relevant))
            for example, lists in spots_lists().items()
            for theme, (ranked, relevant) in lists.items()
            for rank, spot in enumerate(ranked, start=1)
        ]
        return pd.DataFrame(rows, columns=["example", "query_id", "rank", "doc_id", "relevance"])
    return pd.read_csv(DATA / f"{document}.csv", dtype={"doc_id": str, "query_id": str})


def _case(rows: pd.DataFrame) -> WorkedCase:
    ranked = rows.dropna(subset="rank").sort_values("rank")["doc_id"]
    relevant = rows[rows["relevance"] > 0].set_index("doc_id")["relevance"]
    return WorkedCase(ranked.tolist(), relevant.to_dict())


def as_tables(cases: dict[str, WorkedCase]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return lists as a run, with falling scores, and qrels, for `evaluate`."""
    run = [
        (query, item, len(case.ranked) - place)
        for query, case in cases.items()
        for place, item in enumerate(case.ranked)
    ]
    qrels = [(query, *judged) for query, case in cases.items() for judged in case.relevant.items()]
    return (
        pd.DataFrame(run, columns=["query_id", "doc_id", "score"]),
        pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"]),
    )
