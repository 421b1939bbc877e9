"""The list of one query: where its hits are, rank by rank, and as a list to drag."""

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd

from helpers.figures.tables import table_html
from helpers.metrics.conventions import Conventions
from helpers.metrics.explain import explain
from helpers.metrics.names import measure_named
from helpers.report.live import live_html
from helpers.report.steps.dragged import RANKS, explorer_of
from helpers.report.steps.results import Results
from helpers.tables.columns import ABOVE_ZERO


def lists_shown(
    results: Results, system: str, queries: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """Query -> its list as HTML that a page can bring to life, and where its hits are as text.

    Args:
        results: what the queries are part of.
        system: whose lists they are.
        queries: queries that the system answered.
    """
    # all of the tables is looked through once, not for each query
    some = results.data.rows_of(queries, system), results.data.rows_of(queries)
    return {
        query: _list_shown(
            results, system, query, *(table[table["query_id"] == query] for table in some)
        )
        for query in queries
    }


def _list_shown(
    results: Results, system: str, query: str, items: pd.DataFrame, judged: pd.DataFrame
) -> tuple[str, str]:
    name = results.measures[0]
    chosen = results.chosen(name)
    grade = dict(zip(judged["doc_id"], judged["relevance"], strict=True))
    if chosen.unjudged == "removed":
        items = items[items["doc_id"].isin(grade)]
    items = in_order(items, grade, chosen)
    ranked = items["doc_id"].tolist()
    steps = explain(
        ranked,
        {item: value for item, value in grade.items() if value >= lowest_relevant(results)},
        measures=[name],
        conventions=chosen.but(unjudged="not_relevant"),  # those that count are left
    )
    added = {}
    if chosen.ties != "expected":  # else no one order has this value
        added = {f"adds to {measure_named(name).name}": steps[f"share of {name}"].tolist()}
    heads, rows = _step_rows(steps, items["score"].tolist(), grade, added)
    table, where = table_html(heads, rows, texts=2), _where(steps)
    html = f'<div class="output" tabindex="0">{table}</div>'
    found = explorer_of(results, system, query, ranked, grade)
    if isinstance(found, str):
        still = f"On the page of a report this list stands still: {found}."
        return f"<p>{escape(where)}</p><p>{escape(still)}</p>{html}", where
    return f"<p>{escape(where)}</p>{live_html(found.page_state(), html)}", where


def lowest_relevant(results: Results) -> float:
    """The lowest grade that is relevant to the first measure."""
    options = (measure_named(results.measures[0]).rel, results.data.relevant_from)
    return max(grade or ABOVE_ZERO for grade in options)


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


def _where(steps: pd.DataFrame) -> str:
    """Where the relevant items of a list are."""
    hits, total = steps.loc[steps["hit"], "rank"].tolist(), steps.attrs["relevant"]
    listed = ", ".join(map(str, hits[:12])) + (" and more" if len(hits) > 12 else "")
    at = f", at rank {listed}" if hits else ""
    items = f"{total} relevant item{'s' if total != 1 else ''}"
    return f"{items}, {len(hits)} among the {len(steps):,} retrieved{at}."


def _step_rows(
    steps: pd.DataFrame,
    scores: list[float],
    grade: dict[str, float],
    added: dict[str, list[float]],
) -> tuple[list[str], list[list[str]]]:
    heads = ["rank", "item", "score", "grade", "hits so far", "precision", *added]
    rows = []
    for place, step in enumerate(steps.head(RANKS).to_dict("records")):
        item = step["item"]
        judged = f"{grade[item]:g}" if item in grade else "–"
        # whole numbers too long for a float may differ in the last digit only
        form = "d" if isinstance(scores[place], int) else ".6g"
        row = [str(step["rank"]), str(item), f"{scores[place]:{form}}"]
        row += [f"{judged}{' ●' * step['hit']}", str(step["hits so far"])]
        row += [f"{step['precision']:.2f}"]
        rows.append(
            row + [f"{share[place]:.4f}" if share[place] else "" for share in added.values()]
        )
    return heads, rows
