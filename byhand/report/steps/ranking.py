"""The list of a query as a system ranked it, in the order that was evaluated."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from byhand.metrics.conventions import Conventions
from byhand.metrics.measures.measure import keeps_low_grades
from byhand.metrics.names import measure_named
from byhand.report.steps.results import Results
from byhand.tables.counting import ABOVE_ZERO
from byhand.tables.frames import qrels_of

RANKS = 20  # of how many ranks a list shows the items


@dataclass(frozen=True)
class Ranked:
    """What a system retrieved for one query.

    Attributes:
        items: the items, best first.
        scores: the score of each.
        grade: item -> grade of what was judged, retrieved or not.
        relevant: the same of what is relevant.
    """

    items: list[str]
    scores: list[float]
    grade: dict[str, float]
    relevant: dict[str, float]

    def rank_of(self, item: str) -> int | None:
        """The rank of an item, from 1; None if it was not retrieved."""
        return self.items.index(item) + 1 if item in self.items else None


def ranked_lists(results: Results, system: str, queries: Sequence[str]) -> dict[str, Ranked]:
    """Query -> its list by a system.

    Args:
        results: what the queries are part of.
        system: whose lists they are.
        queries: the queries; of one that the system did not answer the list is empty.
    """
    chosen, lowest = results.chosen(results.measures[0]), lowest_relevant(results)
    rows, judgements = results.data.rows_of(queries, system), results.data.rows_of(queries)
    found = {}
    for query in queries:
        items = rows[rows["query_id"] == query]
        judged = judgements[judgements["query_id"] == query]
        grade = dict(zip(judged["doc_id"], judged["relevance"], strict=True))
        if chosen.unjudged == "removed":
            items = items[items["doc_id"].isin(grade)]
        items = in_order(items, grade, chosen)
        relevant = {item: value for item, value in grade.items() if value >= lowest}
        found[query] = Ranked(items["doc_id"].tolist(), items["score"].tolist(), grade, relevant)
    return found


def lowest_relevant(results: Results) -> float:
    """The lowest grade that is relevant to the first measure."""
    first = results.measures[0]
    options = (measure_named(first).rel, results.data.relevant_from)
    if keeps_low_grades(measure_named(first), results.chosen(first)):
        return ABOVE_ZERO
    return max(grade or ABOVE_ZERO for grade in options)


def relevant_counts(results: Results) -> pd.Series:
    """How many items of each judged query are relevant to the first measure."""
    judged = qrels_of(results.data.qrels).wanted(lowest_relevant(results))
    counts = np.bincount(judged.query, minlength=len(judged.query_ids))
    return pd.Series(counts, judged.query_ids).reindex(results.first.index, fill_value=0)


def in_order(
    items: pd.DataFrame, grade: dict[str, float], conventions: Conventions
) -> pd.DataFrame:
    """The rows of one query, best first, equal scores as the conventions order them.

    Where those average over all orders there is none to show: then it is trec_eval's.

    Example:
        >>> items = pd.DataFrame({"doc_id": ["a", "b", "c"], "score": [1.0, 1.0, 2.0]})
        >>> in_order(items, {"a": 1}, Conventions())["doc_id"].tolist()
        ['c', 'b', 'a']
    """
    ascending = conventions.ties == "doc_id_ascending"
    by_id = items.sort_values("doc_id", ascending=ascending, kind="stable", key=_as_objects)
    if conventions.ties in ("best", "worst"):
        gain = by_id["doc_id"].map(lambda item: max(grade.get(item, 0), 0)).to_numpy()
        tie = -gain if conventions.ties == "best" else gain
        by_id = by_id.iloc[np.argsort(tie, kind="stable")]
    first = items if conventions.ties == "input" else by_id
    return first.sort_values("score", ascending=False, kind="stable")


def _as_objects(ids: pd.Series) -> pd.Series:
    return ids.astype(object)  # Python compares text by code point
